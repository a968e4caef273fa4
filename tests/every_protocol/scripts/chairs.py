"""The protocol `chairs`, held by a script."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.turn import Act
from debate_ops.protocols.chairs import course, frameworks, names
from debate_ops.protocols.chairs.rules import RULES
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark, named

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry
    from debate_ops.model.turn import Task, Turn
    from debate_ops.protocols.schedule import Past, Slot
    from tests.builders import Data

QUOTED = "a line that anybody may quote"
"""What stands in every speech, so that it can be quoted without its mark."""
INVITING = "They only want to look good."
"""What invites the others to cut in."""


class _Plan(NamedTuple):
    """What happens in a debate, by who speaks: who speaks badly, and who then cuts in on whom."""

    bad: frozenset[str] = frozenset()
    cut_in: Mapping[str, tuple[str, float]] = {}
    inviting: frozenset[str] = frozenset()
    more: str = ""


class _At(NamedTuple):
    """A task, and what it is about."""

    plan: _Plan
    past: Past
    slot: Slot
    turn: Turn
    task: Task

    @property
    def speaker(self) -> str:
        """Whose speech the task is about."""
        return course.speaker_of(self.past, self.slot)

    def text(self, place: int = 0) -> str:
        return f"It is {mark(self.turn, self.task, place)}, {QUOTED}.{self.plan.more}"


def _at(debate: Debate, turn: Turn, task: Task, plan: _Plan) -> _At:
    past = RULES.past_of(debate)
    return _At(plan, past, RULES.slot_of(past, turn, task.participant), turn, task)


def _chairs_reply(debate: Debate, turn: Turn, task: Task, plan: _Plan) -> Data:
    at = _at(debate, turn, task, plan)
    return named(turn, task) | _REPLIES.get(at.slot.kind, _spoken)(at)


def _text(at: _At) -> Data:
    return {"text": at.text()}


def _spoken(at: _At) -> Data:
    invited = f" {INVITING}" if at.task.participant in at.plan.inviting else ""
    cited = [{"source": "A report", "detail": f"page {at.turn.step}"}]
    return {"text": at.text() + invited, "citations": cited}


def _evaluation(at: _At) -> Data:
    is_bad = at.speaker in at.plan.bad
    quality, points = ("weak", 4) if is_bad else ("strong", 22)
    parts: Data = {
        "steel_manning": {"points": points, "quality": quality, "notes": at.text(0)},
        "self_critique": {"points": points, "quality": quality, "notes": at.text(1)},
        "framework_consistency": {
            "points": points,
            "consistent": not is_bad,
            "violations": [at.text(2), "Another one."] if is_bad else [],
        },
        "intellectual_honesty": {
            "points": points,
            "level": "low" if is_bad else "high",
            "issues": [at.text(3)],
        },
    }
    judged = frameworks.parts(at.past.settings)
    return {name: part for name, part in parts.items() if name in judged} | {
        "requires_interjection": is_bad,
        "interjection_reason": at.text(4) if is_bad else None,
    }


def _floor(at: _At) -> Data:
    chair, urgency = at.plan.cut_in.get(at.speaker, ("", 0))
    if chair not in course.eligible(at.past, at.slot):
        return {"interrupt": False, "why": at.text()}
    return {
        "interrupt": True,
        "chair": chair,
        "reason": "pivotal_point",
        "trigger": QUOTED,
        "urgency": urgency,
        "opener": None,
        "why": at.text(),
    }


def _interjection(at: _At) -> Data:
    return {"text": at.text(), "quote": QUOTED}


_REPLIES: Mapping[str, Callable[[_At], Data]] = {
    names.INTRODUCTION: _text,
    names.EVALUATION: _evaluation,
    names.FLOOR: _floor,
    names.INTERJECTION: _interjection,
    names.CLOSING: _text,
}


_SPOKEN = ("opening", "speech", "interjection", "interruption", "reply")


def _chairs_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    """Tell who sees what, from the headers alone."""
    every = [*entries(debate, ARGUMENTS), *entries(debate, JUDGMENTS)]
    every.sort(key=lambda entry: entry.step)
    if turn.phase in {"awaiting_introduction", "awaiting_openings"}:
        return []
    if task.participant == "moderator" or turn.phase == "awaiting_interjection":
        speech = _last(every, "speech")
        about = [speech.id, str(speech.header["answers"])]
        is_arbiter = task.participant == "arbiter"
        return [*about, _last(every, "evaluation").id] if is_arbiter else about
    kinds = (*_SPOKEN, "introduction") if task.participant == "arbiter" else _SPOKEN
    return [entry.id for entry in every if entry.kind in kinds]


def _last(every: list[Entry], kind: str) -> Entry:
    return [entry for entry in every if entry.kind == kind][-1]


def _chairs_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    at = _at(debate, turn, task, _Plan())
    good = _chairs_reply(debate, turn, task, _Plan())
    changes: Mapping[str, Data] = {
        names.EVALUATION: {
            "framework_consistency": {"points": 20, "consistent": False, "violations": []}
        },
        names.FLOOR: {"interrupt": False, "chair": at.speaker},
        names.INTERJECTION: {"quote": "words that nobody has said"},
    }
    return good | changes[at.slot.kind] if at.slot.kind in changes else None


def _chairs(settings: Mapping[str, Any], plan: _Plan, cancelled_at: str = "") -> Variant:
    """Return a variant; `cancelled_at` is the phase in which a person ends it."""

    def act(debate: Debate) -> Act | None:
        return _CANCELLED if debate.state.phase == cancelled_at else None

    return Variant(
        settings, lambda debate, turn, task: _chairs_reply(debate, turn, task, plan), act
    )


_CANCELLED = Act("cancel", {"reason": "The question is gone."})
_THREE = [
    {"name": "ann", "framework": "utilitarian", "persona": "A nurse.", "position": "For X."},
    {"name": "ben-2", "framework": "care_ethics", "must_acknowledge": "X costs money."},
    {
        "name": "cara",
        "framework": {
            "name": "Fairness",
            "question": "Is it fair?",
            "weaknesses": ["It is vague."],
        },
    },
]
_BOTH = "the chairs cut in and are called to order"
_RELAXED = "three, nobody judged"
_LONG_TEXTS = "long texts"

ROW = Row(
    {
        _BOTH: _chairs(
            {"participants": "ann:utilitarian,ben:virtue_ethics", "max_exchanges": 1},
            _Plan(bad=frozenset({"ann"}), cut_in={"ann": ("ben", 0.2), "ben": ("ann", 0.7)}),
        ),
        _RELAXED: _chairs(
            {"participants": _THREE, "accountability": "relaxed", "introduction": "no"}
            | {"max_exchanges": 2, "key_tensions": ["Who pays?"], "aggressiveness": 5},
            _Plan(cut_in={"ann": ("cara", 0.5), "ben-2": ("cara", 0.875), "cara": ("ann", 1)}),
        ),
        "strict, few signs, cancelled": _chairs(
            {"participants": "ann:libertarian,ben:communitarian", "accountability": "strict"}
            | {"aggressiveness": 1, "cooldown": 0, "word_limits": "reject", "tone": "heated"}
            | {"steel_manning": "optional", "max_exchanges": 2},
            _Plan(
                bad=frozenset({"ben"}),
                cut_in={"ben": ("ann", 0.9)},
                inviting=frozenset({"ben"}),
            ),
            "awaiting_reply",
        ),
        _LONG_TEXTS: _chairs(
            {"participants": "liberty_vs_community", "max_exchanges": 1, "tone": "respectful"},
            _Plan(
                bad=frozenset({"communitarian"}),
                cut_in={"communitarian": ("libertarian", 1)},
                more=f"\n\n{LONG}",
            ),
        ),
    },
    _chairs_sees,
    _chairs_broken,
    {
        "participants": Effect("ann:utilitarian,ben:pragmatic,cara:libertarian", "turns", _BOTH),
        "accountability": Effect("relaxed", "turns", _BOTH),
        "steel_manning": Effect("optional", "prompts", _BOTH),
        "self_critique": Effect("optional", "entries", _BOTH),
        "interjections": Effect("forbidden", "turns", _BOTH),
        "interruptions": Effect("forbidden", "turns", _BOTH),
        "aggressiveness": Effect(2, "turns", _BOTH),
        "cooldown": Effect(0, "turns", _RELAXED),
        "max_exchanges": Effect(2, "turns", _BOTH),
        "tone": Effect("heated", "prompts", _BOTH),
        "introduction": Effect("no", "turns", _BOTH),
        "key_tensions": Effect(["Who pays?"], "prompts", _BOTH),
        "word_limits": Effect("reject", "checks", _LONG_TEXTS),
        "web_search": Effect("forbidden", "prompts", _BOTH),
        "language": Effect("French", "prompts", _BOTH),
        "first_answer": Effect("on", "entries", _BOTH),
        "panel": Effect(3, "calls", _BOTH),
        "history_characters": Effect(1000, "prompts", _LONG_TEXTS),
    },
    frozenset({"cancellation"}),
)
