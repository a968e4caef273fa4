"""Design debates run through the engine: short and long, with questions, gaps, summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Act, Task, Turn
from debate_ops.protocols.design.history import History, of_record
from debate_ops.storage.folder import Folder
from tests.reports.held import Reply, Script, go_on, run_debate

MOTION = "How does the shop keep its orders when the warehouse is offline?"
REQUIREMENTS = [
    "No order is lost when the warehouse is offline for a day",
    {"text": "A customer sees within two seconds that the order is taken", "level": "major"},
    {"text": "A new colleague understands the flow in an afternoon", "level": "minor"},
]
PEOPLE = "ann:architect,ben:performance,cara:simplicity"


class Plan(NamedTuple):
    """What everybody does.

    `points` are the levels of the points that (critic, author) has, in every exchange; `rejects`
    are authors that reject every point, others accept the odd ones; `covers` are what (author,
    requirement) is covered with, all else `full`; `asks` is how many questions (author, round)
    has; `absent` (participant, template) are skipped.
    """

    points: Mapping[tuple[str, str], Sequence[str]] = {}
    rejects: Sequence[str] = ()
    covers: Mapping[tuple[str, str], str] = {}
    asks: Mapping[tuple[str, int], int] = {}
    absent: Sequence[tuple[str, str]] = ()
    unmet: Sequence[str] = ()
    confidence: int = 75


def scripted(plan: Plan) -> Script:
    """Return replies as a plan says."""

    def script(debate: Debate, turn: Turn, task: Task) -> Reply:
        if (task.participant, task.template) in plan.absent:
            return None
        history = of_record(debate.record, debate.settings)
        reply: Reply = _reply(history, turn, task, plan)
        return reply

    return script


def _reply(history: History, turn: Turn, task: Task, plan: Plan) -> dict[str, Any]:
    me, exchange, kind = task.participant, turn.exchange, task.template
    if kind == "questions":
        round_ = 1 + len({history.look(i)["round"] for i in history.questions()})
        numbers = range(1, plan.asks.get((me, round_), 0) + 1)
        texts = (f"How many orders an hour, by {me}, {round_}.{i}?" for i in numbers)
        return {"questions": [{"text": text, "why": "Size"} for text in texts]}
    if kind == "critique":
        others = [n for n in history.names if n != me and history.criticised(n, exchange)]
        return {"critiques": [_critique(name, plan.points.get((me, name), ())) for name in others]}
    if kind in {"proposal", "proposal-again", "refinement"}:
        title = None if kind == "refinement" else f"An outbox in the shop ({me})"
        coverage = [
            {
                "requirement": r["id"],
                "coverage": plan.covers.get((me, r["id"]), "full"),
                "how": f"By the outbox of {me}.",
            }
            for r in history.requirements()
        ]
        text = {"title": title, "solution": _solution(me, exchange), "coverage": coverage}
        return text | ({} if title else {"answers": _answers(history, turn, me, plan)})
    summary = {"summary": f"What {me} knows before exchange {exchange}."}
    replies: dict[str, dict[str, Any]] = {
        "requirements": {"requirements": [{"text": "It works offline", "level": "major"}]},
        "assessment": {"confidence": min(100, 40 + 20 * exchange), "reasons": "They come closer."},
        "synthesis": {
            "title": "One outbox, emptied by one worker",
            "solution": _solution("the judge", 0),
            "trade_offs": ["Orders show up late in the warehouse", "One more table"],
            "recommendations": ["Measure the outbox", "Alert when it is older than an hour"],
            "unmet": list(plan.unmet),
            "open_questions": ["Who is called at night?"],
            "confidence": plan.confidence,
            "confidence_reasons": "All texts agree on the outbox; nobody measured the disk.",
        },
    }
    return replies.get(kind, summary)


def _critique(name: str, levels: Sequence[str]) -> dict[str, Any]:
    text = f"{name} does not say who empties the outbox."
    points = [{"level": level, "text": text} for level in levels]
    return {"target": name, "requirements": "r1 is met; r2 only if quick.", "points": points}


def _answers(history: History, turn: Turn, me: str, plan: Plan) -> list[dict[str, Any]]:
    def verdict(number: int) -> str:
        return "rejected" if me in plan.rejects or number % 2 == 0 else "accepted"

    reason = {"reason": "The worker of the shop empties it every minute."}
    return [
        {"critique": critique, "point": number, "verdict": verdict(number)} | reason
        for critique, number in history.points_against(me, turn.exchange)
    ]


def _solution(name: str, exchange: int) -> str:
    return "\n\n".join(
        f"{name} writes each order of exchange {exchange} to an outbox first, part {part}. A "
        "worker sends it on, and marks it as sent when the warehouse has said so; what is not "
        "marked is sent again, under the same number, so that nothing is delivered twice."
        for part in range(1, 5)
    )


USUAL = Plan(
    points={
        ("ann", "ben"): ["major", "minor"],
        ("ann", "cara"): ["minor"],
        ("ben", "ann"): ["major"],
        ("cara", "ben"): ["major", "major", "minor"],
    },
    rejects=["cara"],
    covers={("ann", "r2"): "partial", ("ben", "r3"): "none", ("cara", "r1"): "partial"},
    unmet=["r3"],
)
"""Three participants; cara accepts nothing, ben accepts most, the minor r3 stays unmet."""


def debate(plan: Plan = USUAL, *, turns: int | None = None, **settings: Any) -> Folder:
    """Return a design debate that ran to its end, until a person has to act, or for some turns."""
    usual = {"participants": PEOPLE, "max_exchanges": 2, "requirements": REQUIREMENTS}
    return run_debate(
        "design",
        scripted(plan),
        slug=settings.pop("slug", "x-debate"),
        framing=Framing(settings.pop("motion", MOTION)),
        settings=usual | settings,
        turns=turns,
    )


def answered(folder: Folder, plan: Plan, by: str = "boss") -> Folder:
    """Answer every open question, then go on."""
    debate = engine.look(folder).debate
    questions = of_record(debate.record, debate.settings).open_questions()
    engine.act(folder, Act("answer", dict.fromkeys(questions, "About 200."), by))
    go_on(folder, scripted(plan))
    return folder
