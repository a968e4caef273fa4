"""Design debates: a good reply to every task, by what the participants have in mind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.turn import Act, Task, Turn
from debate_ops.protocols.design.history import History, of_record
from tests.protocols.stage import Data, Stage

TWO, THREE = "ann:architect,ben:security", "ann:architect,ben:security,cara:testing"
REQUIREMENTS = ["It holds.", {"text": "It is cheap.", "level": "minor"}]
RICH: Data = {
    "participants": TWO,
    "requirements": [],
    "clarifying_questions": 1,
    "stop_at_confidence": 80,
    "summary_threshold": 100,
    "summary_characters": 50,
}
"""Settings of a debate that goes through every phase."""
PROPOSALS, CRITIQUES = "awaiting_proposals", "awaiting_critiques"
REFINEMENTS, ASSESSMENT = "awaiting_refinements", "awaiting_assessment"
SUMMARIES, JUDGE_SUMMARY = "awaiting_summaries", "awaiting_judge_summary"
SYNTHESIS, COMPLETED = "awaiting_synthesis", "completed"


def sentence(turn: Turn, task: Task, what: str) -> str:
    """Return a text that says what it is, by whom, and of which exchange."""
    return f"The {what} of {task.participant} in {turn.exchange}."


class Plan(NamedTuple):
    """What the participants of a debate have in mind.

    `points` are the levels of the points that (critic, author) has in every exchange; by default
    everybody has a major one. `rejects` are authors who reject every point; others accept the odd
    ones. `covers` is how far (author, requirement) is met where not in full, `asks` how many
    questions (participant, round) has. `absent` are (participant, template), for whoever runs the
    debate. `assessed` is how sure the judge is after each exchange, the last from then on, and
    `confidence` in the end. `says` writes each text.
    """

    points: Mapping[tuple[str, str], Sequence[str]] | None = None
    rejects: Collection[str] = ()
    covers: Mapping[tuple[str, str], str] = {}
    asks: Mapping[tuple[str, int], int] = {}
    absent: Collection[tuple[str, str]] = ()
    unmet: Sequence[str] = ()
    assessed: Sequence[int] = (50,)
    confidence: int = 75
    says: Callable[[Turn, Task, str], str] = sentence


USUAL = Plan()


def good(history: History, turn: Turn, task: Task, plan: Plan = USUAL) -> Data:
    """Return a good reply to a task."""
    say, me, exchange = partial(plan.says, turn, task), task.participant, turn.exchange
    replies: Mapping[str, Callable[[], Data]] = {
        "questions": lambda: {"questions": _questions(history, me, plan, say)},
        "requirements": lambda: {
            "requirements": [
                {"text": say(f"{level} requirement"), "level": level}
                for level in ("major", "minor")
            ]
        },
        "proposal": lambda: _text(history, me, plan, say) | {"title": f"The way of {me}"},
        "critique": lambda: {
            "critiques": [
                critique(name, *_levels(plan, me, name), say=say)
                for name in history.texts(exchange)
                if name != me
            ]
        },
        "refinement": lambda: (
            _text(history, me, plan, say) | {"answers": _answers(history, turn, me, plan, say)}
        ),
        "assessment": lambda: {
            "confidence": plan.assessed[min(exchange, len(plan.assessed)) - 1],
            "reasons": say("assessment"),
        },
        "synthesis": lambda: {
            "title": "The one way",
            "solution": say("solution"),
            "trade_offs": [say("trade-off")],
            "recommendations": [say("first step"), say("second step")],
            "unmet": [r["id"] for r in history.requirements() if r["id"] in plan.unmet],
            "open_questions": [say("open question")],
            "confidence": plan.confidence,
            "confidence_reasons": say("confidence"),
        },
    }
    kind = task.template.removesuffix("-again")
    return replies[kind]() if kind in replies else {"summary": say("summary")}


def _questions(history: History, me: str, plan: Plan, say: Callable[[str], str]) -> list[Data]:
    round_ = 1 + len({history.look(i)["round"] for i in history.questions()})
    labels = [
        f"question {n} in round {round_}" for n in range(1, plan.asks.get((me, round_), 0) + 1)
    ]
    return [
        {"text": say(label), "why": say(f"reason for {label}") if place else ""}
        for place, label in enumerate(labels)
    ]


def _levels(plan: Plan, critic: str, author: str) -> Sequence[str]:
    return ("major",) if plan.points is None else plan.points.get((critic, author), ())


def _text(history: History, me: str, plan: Plan, say: Callable[[str], str]) -> Data:
    coverage = [
        {
            "requirement": r["id"],
            "coverage": plan.covers.get((me, r["id"]), "full"),
            "how": say(f"coverage of {r['id']}"),
        }
        for r in history.requirements()
    ]
    return {"solution": say("text"), "coverage": coverage}


def critique(name: str, *levels: str, say: Callable[[str], str] = str) -> Data:
    """Return a critique of a text, with a point of each level."""
    points = [
        {"level": level, "text": say(f"point {number} for {name}")}
        for number, level in enumerate(levels, start=1)
    ]
    return {"target": name, "requirements": say(f"view of {name}"), "points": points}


def _answers(
    history: History, turn: Turn, me: str, plan: Plan, say: Callable[[str], str]
) -> list[Data]:
    return [
        {
            "critique": critique_id,
            "point": number,
            "verdict": "rejected" if me in plan.rejects or number % 2 == 0 else "accepted",
            "reason": say(f"answer to {critique_id} {number}"),
        }
        for critique_id, number in history.points_against(me, turn.exchange)
    ]


def history_of(debate: Debate) -> History:
    return of_record(debate.record, debate.settings)


STAGE = Stage(
    "design",
    lambda debate, turn, task: good(history_of(debate), turn, task),
    participants=THREE,
    requirements=REQUIREMENTS,
)


def answered(debate: Debate, **answers: str) -> Debate:
    """Return the debate after a person's answers to questions."""
    return STAGE.after(debate, STAGE.rules.ACTS["answer"](debate, Act("answer", answers, "olga")))


def rejecting(debate: Debate) -> dict[str, Any]:
    """Return what makes everybody who refines reject every point."""
    turn, plan = STAGE.turn(debate), Plan(rejects=STAGE.asked(debate))
    return {task.participant: good(history_of(debate), turn, task, plan) for task in turn.tasks}


def at(phase: str, exchange: int = -1, **chosen: Any) -> Debate:
    """Return a debate at a phase, in an exchange if named."""
    return STAGE.until(STAGE.begun(**chosen), phase, exchange)


def questions(number: int) -> Data:
    return {"questions": [{"text": f"Question {n}?"} for n in range(1, number + 1)]}


def criticised(*names: str, **more: Any) -> Data:
    return {"critiques": [critique(name) | more for name in names]}


def answering(*points: tuple[str, int]) -> Data:
    """Return the acceptance of points, each by the id of its critique and its number."""
    verdict = {"verdict": "accepted", "reason": "Right."}
    return {"answers": [{"critique": i, "point": number} | verdict for i, number in points]}
