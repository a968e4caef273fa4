"""Debates of chairs run through the engine: lively, quiet, with gaps, hostile, half-way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests.reports.formal.debates import REPORT, SURVEY
from tests.reports.held import Reply, run_debate

MOTION = "Should a town let residents vote on where its shelters for the homeless stand?"
THREE = "ann:utilitarian,ben:virtue_ethics,cara:care_ethics"
TRIGGER = "nobody here has counted the children"
_SAID = (
    f"I understand their worry about the street. And yet {TRIGGER} who would sleep indoors.\n\n"
    "The survey found that most neighbours change their minds within a year [1]. "
    "My own framework is weak where the numbers are guesses, and here some of them are."
)
_OWED = {"points": 18, "quality": "adequate", "notes": "It is there, in one sentence."}
_NONE = {"points": 0, "quality": "absent", "notes": "The other view is never put."}
_KEYS = frozenset({"text", "notes", "why", "opener", "interjection_reason"})
"""The free texts of a reply."""


class Plan(NamedTuple):
    """What the evaluator and the moderator say, by the id of the speech's chair and exchange.

    `weak` speeches lack a steel-man, so that the arbiter steps in; `cuts` name who would cut in,
    for which reason and how urgently; `absent` (participant, template) are skipped. `texts`
    replaces every free text.
    """

    weak: Sequence[tuple[str, int]] = ()
    cuts: Mapping[tuple[str, int], tuple[str, str, float]] = {}
    absent: Sequence[tuple[str, str]] = ()
    texts: str = ""


LIVELY = Plan(
    weak=[("ann", 2), ("ben", 3)],
    cuts={
        ("ann", 1): ("ben", "straw_man_detected", 0.8),
        ("cara", 1): ("ann", "factual_correction", 0.7),
        ("ann", 2): ("cara", "direct_challenge", 0.95),
        ("ben", 2): ("ann", "pivotal_point", 0.4),
        ("ben", 3): ("cara", "strong_agreement", 0.9),
    },
)
"""Speeches of every kind: interrupted, interjected, both, and one where the floor is refused."""


def debate(
    plan: Plan = LIVELY, *, participants: Any = THREE, turns: int | None = None, **settings: Any
) -> Folder:
    """Return a debate of chairs that ran to its end, or for so many turns."""

    def script(debate: Debate, turn: Turn, task: Task) -> Reply:
        if (task.participant, task.template) in plan.absent:
            return None
        reply: Reply = _with_text(_reply(plan, _about(debate, turn), task), plan.texts)
        return reply

    return run_debate(
        "chairs",
        script,
        slug=settings.pop("slug", "x-debate"),
        framing=Framing(settings.pop("motion", MOTION)),
        settings={"participants": participants, "max_exchanges": 3} | settings,
        turns=turns,
    )


def _reply(plan: Plan, about: tuple[str, int], task: Task) -> Reply:
    is_weak = about in plan.weak
    match task.template:
        case "evaluation":
            return {
                "steel_manning": _NONE if is_weak else _OWED,
                "self_critique": _OWED,
                "framework_consistency": {"points": 18, "consistent": True, "violations": []},
                "intellectual_honesty": {"points": 18, "level": "medium", "issues": ["A guess."]},
                "requires_interjection": is_weak,
                "interjection_reason": "It misleads about the other view." if is_weak else None,
            }
        case "floor" if about in plan.cuts:
            chair, reason, urgency = plan.cuts[about]
            own = {"chair": chair, "reason": reason, "trigger": TRIGGER, "urgency": urgency}
            return own | {"interrupt": True, "opener": "Wait, that is wrong.", "why": "It matters."}
        case "floor":
            return {"interrupt": False, "why": "It can wait for the next speech."}
        case "interjection":
            return {"text": "Please put the other view first, and fairly.", "quote": TRIGGER}
        case "introduction" | "closing":
            return {"text": f"This is the {task.template}.\n\n{_SAID}"}
    mine = [SURVEY, REPORT] if task.participant == "ann" else [REPORT]
    return {"text": _SAID, "citations": mine}


def _about(debate: Debate, turn: Turn) -> tuple[str, int]:
    """Return whose newest speech there is, and of which exchange."""
    names = [item["name"] for item in debate.settings["participants"]]
    spoken = (n for n in names if debate.record.get(f"{n}_{turn.exchange:03d}-speech"))
    return next(reversed(list(spoken)), ""), turn.exchange


def _with_text(reply: Any, text: str) -> Any:
    """Return a reply all of whose free texts are replaced; a trigger stays in what is said."""
    if isinstance(reply, dict) and text:
        return {
            key: f"{text}\n\n{TRIGGER}"
            if key in _KEYS and isinstance(item, str)
            else _with_text(item, text)
            for key, item in reply.items()
        }
    return [_with_text(item, text) for item in reply] if isinstance(reply, list) else reply
