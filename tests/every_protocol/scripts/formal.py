"""The protocol `formal`, held by a script."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from debate_ops.model.entries import ARGUMENTS
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark, named

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


def reply_of(_: Debate, turn: Turn, task: Task, more: str = "") -> Data:
    word = mark(turn, task)
    if task.participant == "judge":
        points = {"aff": 27.5, "neg": 26}
        why = f"The better answers, {word}.{more}"
        return named(turn, task) | {"winner": "aff", "reasons": why, "speaker_points": points}
    reply = named(turn, task) | {"text": f"One speech, {word}.{more}"}
    if task.schema == "formal-question":
        return reply
    return reply | {"citations": [{"source": "A report", "detail": f"page {turn.step}"}]}


_FORMAL_SEES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "awaiting_preparation": ((), ()),
    "awaiting_openings": (("preparation",), ()),
    "awaiting_rebuttals": (("preparation",), ("opening",)),
    "awaiting_questions": (("preparation", "question"), ("opening", "rebuttal", "answer")),
    "awaiting_answers": (("preparation",), ("opening", "rebuttal")),
    "awaiting_closings": (
        ("preparation", "opening", "rebuttal", "question", "answer"),
        ("opening", "rebuttal", "question", "answer"),
    ),
    "awaiting_ballot": ((), ("opening", "rebuttal", "question", "answer", "closing")),
}
"""Phase to the kinds of entries that one sees: of its own, and of the others."""


def _formal_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    own, others = _FORMAL_SEES[turn.phase]
    seen = []
    for entry in entries(debate, ARGUMENTS):
        kinds = own if entry.participant == task.participant else others
        now = entry.exchange == turn.exchange
        asked = turn.phase == "awaiting_answers" and now and entry.kind == "question"
        if (entry.kind in kinds and not now) or (asked and entry.participant != task.participant):
            seen.append(entry.id)
    return seen


def _formal_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    if task.participant != "judge":
        return None
    good = reply_of(debate, turn, task)
    return good | {"speaker_points": {"aff": 27.25, "neg": 26}}


_SATIRE = {
    "civility": 1,
    "manner": 9,
    "research_depth": 5,
    "rhetoric": 9,
    "tactics": ["red_herring"],
}

ROW = Row(
    {
        "two pairs and a judge": Variant({"cross_exam_questions": 2, "judge": "one"}, reply_of),
        "no questions, no judge": Variant(
            {"cross_exam_questions": 0, "preparation_time": 60, "time_limit": 30}, reply_of
        ),
        "cut": Variant(
            {"cross_exam_questions": 1, "word_limit": 8, "word_limits": "cut", "judge": "one"},
            lambda d, t, k: reply_of(d, t, k, f" And {'more ' * 20}."),
        ),
        "long texts": Variant(
            {"cross_exam_questions": 1, "judge": "one", "negative": _SATIRE},
            lambda d, t, k: reply_of(d, t, k, f"\n\n{LONG}"),
        ),
    },
    _formal_sees,
    _formal_broken,
    {
        "cross_exam_questions": Effect(1, "turns", "two pairs and a judge"),
        "word_limit": Effect(20, "checks", "long texts"),
        "word_limits": Effect("reject", "checks", "cut"),
        "time_limit": Effect(30, "turns", "two pairs and a judge"),
        "preparation_time": Effect(60, "turns", "two pairs and a judge"),
        "show_preparation": Effect("no", "transcript", "two pairs and a judge"),
        "judge": Effect("one", "turns", "no questions, no judge"),
        "affirmative": Effect(_SATIRE, "prompts", "two pairs and a judge"),
        "negative": Effect("random:7", "prompts", "two pairs and a judge"),
        "web_search": Effect("forbidden", "prompts", "two pairs and a judge"),
        "language": Effect("French", "prompts", "two pairs and a judge"),
        "first_answer": Effect("on", "entries", "two pairs and a judge"),
        "panel": Effect(3, "calls", "two pairs and a judge"),
        "history_characters": Effect(1000, "prompts", "long texts"),
    },
)
