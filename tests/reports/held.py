"""Debates of any protocol run through the engine, with replies from a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from debate_ops import engine
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests import builders

Reply = Mapping[str, Any] | str | None
Script = Callable[[Debate, Turn, Task], Reply]
"""From a task to its reply: data, or text as it stands; None skips the task."""


def run_debate(  # noqa: PLR0913  (a debate has that many parts)
    protocol: str,
    script: Script,
    *,
    slug: str = "x-debate",
    framing: Framing | None = None,
    settings: Mapping[str, Any] | None = None,
    turns: int | None = None,
) -> Folder:
    """Return a debate that ran to its end, until somebody is awaited, or for so many turns."""
    about = framing or Framing(builders.MOTION)
    folder = engine.create(slug, about, protocol=protocol, settings=settings or {}).folder
    go_on(folder, script, turns)
    return folder


def go_on(folder: Folder, script: Script, turns: int | None = None) -> None:
    """Run what is due until nothing is, or for so many turns."""
    done = 0
    while turns is None or done < turns:
        position = engine.next_turn(folder)
        due = position.due
        if not isinstance(due, Turn):
            return
        for task in due.tasks:
            naming = {"participant": task.participant, "exchange": due.exchange}
            naming["phase"] = due.phase
            reply = script(position.debate, due, task)
            if reply is None:
                engine.skip(folder, task.participant, "Nobody was there.")
            elif isinstance(reply, str):
                builders.put(folder, task.participant, reply, due.step)
            else:
                builders.put(folder, task.participant, naming | dict(reply), due.step)
        if engine.look(folder).debate.step == due.step:
            engine.submit(folder, due.step, {"model": "m-1"})
        done += 1


def debate_of(folder: Folder) -> Debate:
    return engine.look(folder).debate
