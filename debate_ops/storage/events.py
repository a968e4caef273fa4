"""`events.jsonl`: what happened, one JSON object a line. Best effort, never the truth."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Argument, Judgment
from debate_ops.model.score import to_number
from debate_ops.model.turn import Step
from debate_ops.storage.folder import EVENTS, Folder

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Not through a link, and without waiting for the other end of a pipe."""


def append(folder: Folder, happened: Iterable[Mapping[str, Any]]) -> None:
    """Add events; a failure is ignored, because the record holds all that counts."""
    lines = "".join(canonical(dict(event)) + "\n" for event in happened)
    try:
        handle = os.open(folder.within(EVENTS), _FLAGS, 0o666)
        try:
            os.lseek(handle, max(0, os.lseek(handle, 0, os.SEEK_END) - 1), os.SEEK_SET)
            torn = os.read(handle, 1) not in {b"", b"\n"}  # that line is lost; ours are not
            os.write(handle, ("\n" * torn + lines).encode("utf-8"))
        finally:
            os.close(handle)
    except OSError:
        return


def of_step(debate: Debate, step: Step, at: str) -> list[dict[str, Any]]:
    """Return the events of one commit, in the order of its entries."""
    happened: list[dict[str, Any]] = []
    for value in step.entries:
        if isinstance(value, Argument):
            happened.append({"event": "argument_filed", "id": value.id})
        elif isinstance(value, Judgment):
            happened += [
                {"event": "argument_scored", "id": s.argument_id, "score": to_number(s.score)}
                for s in value.scores
            ]
            happened += [
                {"event": "argument_rescored", "id": r.argument_id, "score": to_number(r.score)}
                for r in value.rescores
            ]
        else:
            happened.append({"event": "absence_recorded", "id": value.id, "how": value.how})
    if step.state.exchange > debate.state.exchange:
        happened.append({"event": "exchange_completed", "exchange": debate.state.exchange})
    return [event | {"at": at, "step": debate.step} for event in happened]
