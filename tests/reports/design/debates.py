"""Design debates run through the engine: short and long, with questions, gaps, summaries."""

from __future__ import annotations

from typing import Any

from debate_ops import engine
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Act, Task, Turn
from debate_ops.storage.folder import Folder
from tests.protocols.design.stage import Plan, good, history_of
from tests.reports.held import Reply, Script, go_on, run_debate

MOTION = "How does the shop keep its orders when the warehouse is offline?"
REQUIREMENTS = [
    "No order is lost when the warehouse is offline for a day",
    {"text": "A customer sees within two seconds that the order is taken", "level": "major"},
    {"text": "A new colleague understands the flow in an afternoon", "level": "minor"},
]
PEOPLE = "ann:architect,ben:performance,cara:simplicity"


def _says(turn: Turn, task: Task, what: str) -> str:
    if what not in {"text", "solution"}:
        return f"The {what}, as {task.participant} sees it in {turn.exchange}."
    return "\n\n".join(
        f"{task.participant} writes each order of exchange {turn.exchange} to an outbox first: "
        f"part {part}. A worker sends it on, and marks it as sent when the warehouse has said so; "
        "what is not marked is sent again, under the same number, so that nothing comes twice."
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
    says=_says,
)
"""Three participants; cara accepts nothing, ben accepts most, the minor r3 stays unmet."""


def scripted(plan: Plan) -> Script:
    """Return replies as a plan says."""

    def script(debate: Debate, turn: Turn, task: Task) -> Reply:
        is_absent = (task.participant, task.template) in plan.absent
        return None if is_absent else good(history_of(debate), turn, task, plan)

    return script


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


def answered(folder: Folder, plan: Plan) -> Folder:
    """Answer every open question, then go on."""
    questions = history_of(engine.look(folder).debate).open_questions()
    engine.act(folder, Act("answer", dict.fromkeys(questions, "About 200."), "boss"))
    go_on(folder, scripted(plan))
    return folder
