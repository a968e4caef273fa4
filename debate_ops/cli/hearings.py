"""Debates that are held for another one's sake, inside of its folder: one more step of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from threading import Event
from typing import Any

from debate_ops import endings, engine, runner
from debate_ops.cli import answers, watch
from debate_ops.engine import Position
from debate_ops.errors import DONE
from debate_ops.model.turn import Turn
from debate_ops.participants.base import Answer, FailedError, Participant, Prompt
from debate_ops.progress import Display
from debate_ops.spending import Limits
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder

NOBODY: Mapping[str, Participant] = {}


def settled(held: Folder, recorded: Mapping[str, Participant] = NOBODY, by: str = "") -> Position:
    """Return what a debate waits for, once all that is there for it is on record.

    Replies in the inbox are submitted, as written `by` somebody, if that is said; those who are
    `recorded` say again what they said.

    Raises:
        RepliesRefusedError: a reply is refused; its repair prompt says why.
    """
    while True:
        position = engine.next_turn(held)
        if not isinstance(position.due, Turn):
            return position
        for item in position.tasks:
            replay = recorded.get(item.task.participant)
            if replay and item.status == engine.WAITING:
                _say_again(replay, position.due, item)
        position = engine.look(held) if recorded else position
        if any(item.status in {engine.WAITING, engine.REFUSED} for item in position.tasks):
            return position
        engine.submit(held, position.debate.step, {"by": by} if by else {})


def _say_again(replay: Participant, turn: Turn, item: engine.TaskStatus) -> None:
    try:
        said = replay.reply(Prompt("", item.slot.prompt, turn, item.task, 0, Event()))
    except FailedError:
        return
    if isinstance(said, Answer):
        inbox.put(item.slot, said.raw, said.made_by)


def run(  # noqa: PLR0913  (what the command line gives)
    held: Folder,
    cast: Mapping[str, Participant],
    *,
    until: Callable[[Position], bool] = endings.is_idle,
    exchanges: int | None = None,
    quiet: bool,
    timeout: float,
) -> None:
    """Run what is due in a debate with these participants, with progress on standard streams."""

    def act(display: Display) -> int:
        if not until(engine.look(held)):
            runner.run(held, exchanges, cast, limits=Limits(timeout=timeout), display=display)
        return DONE

    with watch.in_terminal(held) if not quiet else nullcontext() as view:
        endings.displayed(act, quiet=quiet, view=view)


def waiting(positions: list[Position]) -> dict[str, Any]:
    """Return what debates wait for, as the answer of a command: the tasks of all of them."""
    turns = [answers.turn(position) for position in positions]
    return {
        "tasks": [task | {"debate": turn["debate"]} for turn in turns for task in turn["tasks"]],
        "submit": [turn["submit"] for turn in turns if "submit" in turn],
    }


def task_lines(result: Mapping[str, Any], again: str) -> list[str]:
    """Return for people what agents are to be given, and what to type then."""
    due = [task for task in result["tasks"] if task["status"] in {"waiting", "refused"}]
    lines = [
        f"  {task.get('repair_file') or task['prompt_file']}  ->  {task['reply_file']}"
        for task in due
    ]
    if not due:
        return []
    first = (
        f"{len(due)} replies are due. Give each prompt to a fresh agent, which writes its reply:"
    )
    return [first, *lines, f"Next:  {answers.invocation()} {again}"]
