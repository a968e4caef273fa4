"""Debates of chairs in memory: good replies, and the rules that they go through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from debate_ops.model.debate import Framing
from debate_ops.model.turn import Done, Task, Turn
from debate_ops.prompts import build
from debate_ops.protocols.chairs import names
from debate_ops.protocols.chairs.rules import RULES
from tests.builders import MOTION
from tests.protocols.stage import NOW, Data, Stage, entry_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from debate_ops.model.debate import Debate

CHAIRS = "ann:utilitarian,ben:virtue_ethics"
THREE = f"{CHAIRS},cara:deontological"


def said(participant: str, kind: str, exchange: int) -> str:
    """Return what somebody says in a good reply."""
    return f"{kind.upper()} of {participant} in {exchange}, to be heard."


def parts(points: int = 20) -> Data:
    """Return the four parts of an evaluation that finds no fault."""
    attempted = {"points": points, "quality": "strong", "notes": "It is there."}
    return {
        "steel_manning": dict(attempted),
        "self_critique": dict(attempted),
        "framework_consistency": {"points": points, "consistent": True, "violations": []},
        "intellectual_honesty": {"points": points, "level": "high", "issues": []},
    }


def evaluated(points: int = 20, **changes: Any) -> Data:
    """Return what an evaluation says; an absent or weak steel-man is given by its quality."""
    reply = parts(points) | {"requires_interjection": False, "interjection_reason": None}
    return reply | changes


def straw_man(points: int = 5) -> Data:
    """Return an evaluation for which the arbiter steps in, whatever the accountability."""
    none = {"points": 0, "quality": "absent", "notes": "The other view is not put."}
    calls = {"requires_interjection": True, "interjection_reason": "It misleads."}
    return evaluated(points, steel_manning=none) | calls


def quiet() -> Data:
    """Return the moderator's word that nobody cuts in."""
    return {"interrupt": False, "why": "It can wait."}


def cut_in(chair: str, urgency: float = 0.9, **changes: Any) -> Data:
    """Return the moderator's word that a chair does; every good speech has the trigger."""
    reply = {"interrupt": True, "chair": chair, "reason": "direct_challenge"}
    why = {"trigger": "to be heard", "urgency": urgency, "opener": "Wait a moment.", "why": "Now."}
    return reply | why | changes


def good(task: Task, turn: Turn) -> Data:
    """Return a good reply to a task: nobody steps in, and nobody cuts in."""
    kind = kind_of(task)
    naming = {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}
    if kind == names.EVALUATION:
        return naming | evaluated()
    if kind == names.FLOOR:
        return naming | quiet()
    text = {"text": said(task.participant, kind, turn.exchange)}
    return naming | text | ({"quote": "to be heard"} if kind == names.INTERJECTION else {})


def kind_of(task: Task) -> str:
    """Return the kind of entry that a task asks for."""
    return next(name for name, kind in RULES.KINDS.items() if name == task.template)


STAGE = Stage("chairs", lambda _, turn, task: good(task, turn), participants=CHAIRS)
begun, turn_of, settings = STAGE.begun, STAGE.turn, STAGE.read


def hold(debate: Debate, **changes: Data | None) -> Debate:
    """Hold the turn that is due, with good replies; whoever is asked is changed, or skipped."""
    asked = STAGE.asked(debate)
    return STAGE.hold(debate, **{name: changes[name] for name in changes if name in asked})


def until(debate: Debate, kind: str, participant: str = "", exchange: int = -1) -> Debate:
    """Hold a debate until somebody is asked for an entry of this kind."""
    while not is_asked(debate, kind, participant, exchange):
        debate = hold(debate)
    return debate


def is_asked(debate: Debate, kind: str, participant: str = "", exchange: int = -1) -> bool:
    turn = turn_of(debate)
    if exchange not in {-1, turn.exchange}:
        return False
    asked = [task for task in turn.tasks if kind_of(task) == kind]
    return any(participant in {"", task.participant} for task in asked)


def is_over(debate: Debate) -> bool:
    return isinstance(RULES.next_turn(debate, NOW), Done)


def lively(debate: Debate) -> Iterator[Debate]:
    """Yield a debate before each turn; the first speech is interjected and interrupted."""
    while not is_over(debate):
        yield debate
        first = is_asked(debate, names.EVALUATION, exchange=1) and not any(
            entry.kind == names.EVALUATION for entry in entry_map(debate).values()
        )
        changes = {"evaluator": straw_man(), "moderator": cut_in("ben")} if first else {}
        debate = hold(debate, **changes)


def prompt_of(debate: Debate, participant: str) -> str:
    """Return the prompt that a participant is given now."""
    turn = turn_of(debate)
    (task,) = [task for task in turn.tasks if task.participant == participant]
    return build.prompt(debate, Framing(MOTION), turn, task, STAGE.context(debate, participant))
