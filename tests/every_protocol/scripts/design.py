"""The protocol `design`, held by a script."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any
from zlib import crc32

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Act
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark, named
from tests.protocols.design.stage import REQUIREMENTS, TWO, Plan, critique, good, history_of

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


def _marked(turn: Turn, task: Task, what: str) -> str:
    return f"It is {mark(turn, task, crc32(what.encode()))}."


def _marked_at_length(turn: Turn, task: Task, what: str) -> str:
    return _marked(turn, task, what) + ("" if what == "summary" else f" {LONG}")


def _sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    """Tell who sees what, from the headers alone; everybody sees the answers and requirements."""
    every = [*entries(debate, ARGUMENTS), *entries(debate, JUDGMENTS)]
    me, now = task.participant, turn.exchange

    def of(*kinds: str) -> list[Entry]:
        return [e for e in every if e.kind in kinds]

    def ids(entries_: list[Entry]) -> set[str]:
        return {e.id for e in entries_}

    texts = sorted(of("proposal", "refinement"), key=lambda e: (e.exchange, e.kind == "refinement"))
    current = {e.participant: e.id for e in texts}
    mine = {current[me]} if me in current else set()
    on_me = [e for e in of("critique") if str(e.header["target"]).startswith(f"{me}_")]
    summary = [e for e in of("summary") if e.participant == me][-1:]
    since = summary[0].exchange if summary else 1
    about_me = [e for e in texts if e.participant == me] + on_me
    own = ids([e for e in about_me if since <= e.exchange < now] + summary)
    earlier = ids([e for e in (*texts, *of("critique")) if e.exchange < now])
    criticism = ids([e for e in of("critique") if e.exchange == now])
    sees: Mapping[str, set[str]] = {
        "awaiting_summaries": own,
        "awaiting_proposals": own | mine if mine else set(),
        "awaiting_critiques": own | {*current.values()} - mine,
        "awaiting_refinements": own | mine | criticism & ids(on_me),
        "awaiting_assessment": {*current.values()},
        "awaiting_judge_summary": earlier,
        "awaiting_synthesis": {*current.values()} | criticism | (ids(summary) or earlier),
    }
    return ids(of("clarification", "requirements")) | sees.get(turn.phase, set())


def _broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    too_long = {"summary": "long " * 999}
    changes: Mapping[str, Data] = {
        "awaiting_requirements": {"requirements": [{"text": "Same.", "level": "minor"}] * 2},
        "awaiting_summaries": too_long,
        "awaiting_proposals": {
            "coverage": [{"requirement": "r99", "coverage": "none", "how": "Not at all."}]
        },
        "awaiting_critiques": {"critiques": [critique(task.participant)]},
        "awaiting_refinements": {"answers": []},
        "awaiting_judge_summary": too_long,
        "awaiting_synthesis": {"unmet": ["r99"]},
    }
    change = changes.get(turn.phase)
    return change and named(turn, task) | good(history_of(debate), turn, task) | change


def _answer(debate: Debate) -> Act:
    """Answer every open question but the last, which does not apply."""
    *first, last = history_of(debate).open_questions()
    answers = {q: f"Yes, zq{debate.step}person{n}zq." for n, q in enumerate(first)}
    return Act("answer", {**answers, last: ""}, "the owner")


def _design(
    plan: Plan, act: tuple[str, Callable[[Debate], Act]] | None = None, **settings: Any
) -> Variant:
    """Return a variant; `act` is what a person does, and the phase in which it is done."""
    phase, do = act or ("", _answer)
    return Variant(
        {"participants": TWO, **settings},
        lambda debate, turn, task: named(turn, task) | good(history_of(debate), turn, task, plan),
        lambda debate: do(debate) if debate.state.phase == phase else None,
    )


_OWN_ROLES = [
    {"name": "ann", "role": "architect"},
    {
        "name": "ben",
        "role": "gardener",
        "description": {"file": "gardener.md", "text": "Lets things grow."},
        "prompts": {"critique": "Pull the weeds."},
    },
    {"name": "cara-lee", "role": "data-modelling"},
]
_PLAN = Plan(
    points={
        ("ann", "ben"): ("major", "minor"),
        ("ben", "ann"): ("minor",),
        ("ann", "cara-lee"): ("major", "minor"),
        ("ben", "cara-lee"): ("minor",),
    },
    says=_marked,
)
_ASKS = {("ann", 1): 2, ("ben", 1): 1, ("ann", 2): 1, ("ben", 2): 1}

ROW = Row(
    {
        "two, all phases": _design(
            _PLAN._replace(asks=_ASKS, assessed=(60, 85), unmet=("r2",)),
            ("awaiting_answers", _answer),
            clarifying_questions=2,
            clarifying_rounds=2,
            stop_at_confidence=80,
            summary_threshold=200,
            summary_characters=100,
        ),
        "three, fresh, requirements given": _design(
            _PLAN,
            participants=_OWN_ROLES,
            proposals="fresh",
            max_exchanges=2,
            requirements=REQUIREMENTS,
        ),
        "long texts": _design(_PLAN._replace(says=_marked_at_length), max_exchanges=2),
        "nothing new": _design(_PLAN._replace(rejects=("ann", "ben")), requirements=["It holds."]),
        "no questions, cancelled": _design(
            _PLAN,
            ("awaiting_refinements", lambda _: Act("cancel", {"reason": "The problem is gone."})),
            requirements=["It holds."],
            clarifying_questions=1,
        ),
    },
    _sees,
    _broken,
    {
        "participants": Effect(f"{TWO},cara:testing", "turns", "nothing new"),
        "max_exchanges": Effect(1, "states", "long texts"),
        "requirements": Effect(["It lasts."], "prompts", "nothing new"),
        "clarifying_questions": Effect(1, "entries", "two, all phases"),
        "clarifying_rounds": Effect(1, "states", "two, all phases"),
        "proposals": Effect("carried", "turns", "three, fresh, requirements given"),
        "stop_at_confidence": Effect(50, "states", "two, all phases"),
        "stop_when_nothing_new": Effect("no", "states", "nothing new"),
        "devils_advocate": Effect("rotation", "prompts", "two, all phases"),
        "summary_threshold": Effect(100_000, "turns", "two, all phases"),
        "summary_characters": Effect(20, "checks", "two, all phases"),
        "word_limits": Effect("reject", "checks", "long texts"),
        "web_search": Effect("forbidden", "prompts", "nothing new"),
        "language": Effect("French", "prompts", "nothing new"),
        "first_answer": Effect("on", "entries", "nothing new"),
        "panel": Effect(3, "calls", "nothing new"),
        "history_characters": Effect(1000, "prompts", "long texts", {"summary_threshold": 0}),
    },
    frozenset({"clarification", "cancellation"}),
)
