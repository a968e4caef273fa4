"""Debates of chairs held through the engine: lively, relaxed, with gaps, large, half-way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests.reports.formal.debates import HOSTILE, REPORT, SURVEY
from tests.reports.held import Reply, held

MOTION = "Should a town let residents vote on where its shelters for the homeless stand?"
THREE = "ann:utilitarian,ben:virtue_ethics,cara:care_ethics"
SIX = f"{THREE},dan:pragmatic,eve:libertarian,finn:precautionary"
TRIGGER = "nobody here has counted the children"
_SENTENCES = (
    "I understand their worry about the street, and at its strongest it is a worry for people.",
    f"And yet {TRIGGER} who would sleep indoors.",
    "The survey found that most neighbours change their minds within a year [1].",
    "My own framework is weak where the numbers are guesses, and here some of them are.",
    "A vote asks the loudest, and those who need the shelter have no address to vote from.",
)
KEYS = frozenset({"text", "notes", "why", "opener", "interjection_reason"})
"""The free texts of a reply."""


class Plan(NamedTuple):
    """What the evaluator and the moderator say, by the id of the speech's chair and exchange.

    `points` are those of each of the four parts; `absent` (participant, template) are skipped;
    `cuts` name who would cut in, for which reason and how urgently; `weak` speeches lack a
    steel-man, so that the arbiter steps in. `texts` replaces every free text.
    """

    points: Mapping[tuple[str, int], int] = {}
    weak: Sequence[tuple[str, int]] = ()
    cuts: Mapping[tuple[str, int], tuple[str, str, float]] = {}
    absent: Sequence[tuple[str, str]] = ()
    texts: str = ""


class Scripted:
    """Replies as a plan says."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __call__(self, debate: Debate, turn: Turn, task: Task) -> Reply:
        if (task.participant, task.template) in self._plan.absent:
            return None
        write = {
            "evaluation": self._evaluation,
            "floor": self._floor,
            "interjection": self._interjection,
        }.get(task.template, self._speech)
        reply = write(_about(debate, turn), task)
        return _with_text(reply, self._plan.texts) if self._plan.texts else reply

    def _speech(self, about: tuple[str, int], task: Task) -> dict[str, Any]:
        if task.template in {"introduction", "closing"}:
            return {"text": _said(task.template)}
        mine = [SURVEY, REPORT] if task.participant == "ann" else [REPORT]
        return {"text": _said(f"{task.template} {about}"), "citations": mine}

    def _evaluation(self, about: tuple[str, int], _: Task) -> dict[str, Any]:
        points, is_weak = self._plan.points.get(about, 18), about in self._plan.weak
        owed = {"points": points, "quality": "adequate", "notes": "It is there, in one sentence."}
        none = {"points": 0, "quality": "absent", "notes": "The other view is never put."}
        return {
            "steel_manning": none if is_weak else owed,
            "self_critique": owed,
            "framework_consistency": {"points": points, "consistent": True, "violations": []},
            "intellectual_honesty": {"points": points, "level": "medium", "issues": ["One guess."]},
            "requires_interjection": is_weak,
            "interjection_reason": "It misleads about the other view." if is_weak else None,
        }

    def _floor(self, about: tuple[str, int], _: Task) -> dict[str, Any]:
        if about not in self._plan.cuts:
            return {"interrupt": False, "why": "It can wait for the next speech."}
        chair, reason, urgency = self._plan.cuts[about]
        return {
            "interrupt": True,
            "chair": chair,
            "reason": reason,
            "trigger": TRIGGER,
            "urgency": urgency,
            "opener": "Wait, that is wrong.",
            "why": "The debate would go on upon it.",
        }

    def _interjection(self, _: tuple[str, int], __: Task) -> dict[str, Any]:
        return {"text": "Please put the other view first, and fairly.", "quote": TRIGGER}


def _about(debate: Debate, turn: Turn) -> tuple[str, int]:
    """Return whose newest speech there is, and of which exchange."""
    names = [item["name"] for item in debate.settings["participants"]]
    for name in reversed(names):
        if debate.record.get(f"{name}_{turn.exchange:03d}-speech"):
            return name, turn.exchange
    return "", turn.exchange


def _said(what: str) -> str:
    return f"This is the {what}.\n\n{' '.join(_SENTENCES)}"


def _with_text(reply: Any, text: str) -> Any:
    """Return a reply all of whose free texts are replaced; a trigger stays in what is said."""
    if isinstance(reply, dict):
        return {
            key: f"{text}\n\n{TRIGGER}"
            if key in KEYS and isinstance(item, str)
            else _with_text(item, text)
            for key, item in reply.items()
        }
    return [_with_text(item, text) for item in reply] if isinstance(reply, list) else reply


LIVELY = Plan(
    points={("ann", 1): 15, ("ben", 1): 22, ("cara", 1): 25, ("ann", 2): 20, ("ben", 3): 12},
    weak=[("ann", 2), ("ben", 3)],
    cuts={
        ("ann", 1): ("ben", "straw_man_detected", 0.8),
        ("cara", 1): ("ann", "factual_correction", 0.7),
        ("ann", 2): ("cara", "direct_challenge", 0.95),
        ("ben", 2): ("ann", "pivotal_point", 0.4),
        ("ben", 3): ("cara", "strong_agreement", 0.9),
    },
    absent=[],
)
"""Speeches of every kind: interrupted, interjected, both, and one where the floor is refused."""


def debate(
    plan: Plan = LIVELY, *, participants: Any = THREE, turns: int | None = None, **settings: Any
) -> Folder:
    """Return a debate of chairs held to its end, or for so many turns."""
    return held(
        "chairs",
        Scripted(plan),
        slug=settings.pop("slug", "x-debate"),
        framing=Framing(settings.pop("motion", MOTION)),
        settings={"participants": participants, "max_exchanges": 3} | settings,
        turns=turns,
    )


EVIL = LIVELY._replace(texts=HOSTILE)
"""The same debate, every text of which tries to be structure."""
