"""The protocol `speeches`, held by a script."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from debate_ops.model.entries import ARGUMENTS
from debate_ops.protocols.speeches.settings import labels_of
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark, named

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data

PEOPLE = [{"name": "ann", "position": "yes"}, {"name": "ben", "position": ""}]


def _reply(debate: Debate, turn: Turn, task: Task, more: str = "") -> Data:
    word = mark(turn, task)
    if task.participant == "judge":
        why = f"The better answers, {word}.{more}"
        return named(turn, task) | {"winner": "ann", "percent": 70, "reasons": why}
    if turn.phase in {"awaiting_views", "awaiting_ballots"}:
        return _of_panel(debate, turn, task, more)
    given = debate.record.ids(ARGUMENTS)[-1:]
    reply = named(turn, task) | {"text": f"One speech, {word}.{more}"}
    title = "A title" if turn.step else ""
    cited = [{"source": "A report", "detail": f"page {turn.step}"}]
    return reply | {"title": title, "attacks": list(given), "supports": [], "citations": cited}


def _of_panel(debate: Debate, turn: Turn, task: Task, more: str) -> Data:
    why = f"The better answers, {mark(turn, task)}.{more}"
    reply = named(turn, task) | {"winner": "A", "percent": 70, "reasons": why}
    if turn.phase == "awaiting_views":
        return reply
    numbers = range(1, len(debate.settings["issues"]) + 1)
    issues = [{"issue": n, "better": "B", "why": "It was shown."} for n in numbers]
    labels = labels_of(debate.settings, task.participant)
    spoken = [i.partition("_") for i in debate.record.ids(ARGUMENTS)[:1]]
    moved_by = [f"{labels[name]}_{rest}" for name, _, rest in spoken]
    return reply | {"issues": issues, "moved_by": moved_by, "steering": moved_by}


def _sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:  # noqa: ARG001
    if turn.phase == "awaiting_views":
        return []
    return [entry.id for entry in entries(debate, ARGUMENTS)]


def _broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    good = _reply(debate, turn, task)
    if task.agent == "judge":
        return good | {"winner": "zoe"}
    return good | {"supports": ["zoe_001-speech"]}


ROW = Row(
    {
        "two rounds and a judge": Variant({"participants": PEOPLE, "judge": "one"}, _reply),
        "an order, no judge": Variant(
            {"participants": PEOPLE, "order": ["ben", "ann", "ben", "ben"]}, _reply
        ),
        "a panel": Variant(
            {"participants": PEOPLE, "rounds": 1, "panel": 3, "issues": ["Is it open?"]}, _reply
        ),
        "long texts": Variant(
            {"participants": PEOPLE, "judge": "one", "rounds": 1},
            lambda d, t, k: _reply(d, t, k, f"\n\n{LONG}"),
        ),
    },
    _sees,
    _broken,
    {
        "participants": Effect(
            [*PEOPLE, {"name": "cara", "position": ""}], "turns", "two rounds and a judge"
        ),
        "order": Effect(["ben", "ann"], "turns", "two rounds and a judge"),
        "rounds": Effect(3, "turns", "two rounds and a judge"),
        "panel": Effect(5, "turns", "a panel"),
        "question": Effect("Which is cheaper?\n\nIn ten years.", "prompts", "a panel"),
        "choices": Effect(
            [{"name": n, "position": ""} for n in ("yes", "no")], "prompts", "a panel"
        ),
        "issues": Effect(["Is it open?", "Is it near?"], "prompts", "a panel"),
        "personas": Effect(["Look as a treasurer would."], "prompts", "a panel"),
        "views": Effect("off", "turns", "a panel"),
        "judge": Effect("one", "turns", "an order, no judge"),
        "word_limit": Effect(20, "checks", "long texts"),
        "word_limits": Effect("reject", "checks", "long texts", {"word_limit": 20}),
        "web_search": Effect("forbidden", "prompts", "two rounds and a judge"),
        "language": Effect("French", "prompts", "two rounds and a judge"),
        "first_answer": Effect("on", "entries", "two rounds and a judge"),
        "history_characters": Effect(1000, "prompts", "long texts"),
    },
)
