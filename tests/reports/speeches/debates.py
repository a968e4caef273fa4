"""Debates in speeches run through the engine."""

from __future__ import annotations

from typing import Any

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import ARGUMENTS
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests.reports.held import Reply, run_debate

PEOPLE = [{"name": "ann", "position": "Lyon"}, {"name": "ben", "position": ""}]


def plain(debate: Debate, turn: Turn, task: Task) -> Reply:
    """Return a good reply to any task: each speech attacks the one before."""
    if task.participant == "judge":
        return {"winner": "ann", "percent": 70, "reasons": "Ann answered the question of cost."}
    said = f"Speech {turn.step}: the trains are what decides."
    return {"text": said, "attacks": list(debate.record.ids(ARGUMENTS)[-1:]), "citations": ["A"]}


def speeches(turns: int | None = None, **settings: Any) -> Folder:
    """Return a debate of two, at its end or after so many turns."""
    framing = Framing("Which city hosts us?")
    chosen = {"participants": PEOPLE, "judge": "one"} | settings
    return run_debate(
        "speeches", plain, slug="x-debate", framing=framing, settings=chosen, turns=turns
    )
