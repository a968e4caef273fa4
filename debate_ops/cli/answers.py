"""What commands print: flat JSON objects, and the sentences that go with them."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from debate_ops.engine import (
    Outcome,
    Position,
    RepliesRefusedError,
    TaskStatus,
    deadline,
    is_late,
    where,
)
from debate_ops.errors import WAITING_FOR_PERSON, DebateError, Finding
from debate_ops.formats import entries
from debate_ops.formats.json_text import dumps
from debate_ops.formats.judgment import totals_as_data
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, Contribution, Entry
from debate_ops.model.turn import Done, Turn, Waiting
from debate_ops.storage.folder import DEBATES, Folder


def show(data: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output."""
    _write(dumps(data) + "\n")


def _write(text: str) -> None:
    """Write to standard output: a closed pipe is the reader's own choice, a full disk is not."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until the very end)
        if not isinstance(error, BrokenPipeError):
            raise


def remark(text: str) -> None:
    """Print a line for people on standard error; what would steer a terminal is shown as `?`."""
    with suppress(OSError):
        sys.stderr.write(f"{harmless(text)}\n")


def put(text: str) -> None:
    """Print a text as it stands: its writer has kept out what would steer a terminal."""
    _write(text)


_WITHIN: list[str] = []


def work_in(directory: str) -> None:
    """Work in another folder, and suggest commands that do so too.

    Raises:
        OSError: there is no such folder.
    """
    os.chdir(directory)
    _WITHIN[:] = ["-C", shlex.quote(directory)]


def invocation() -> str:
    """Return how this program was called, so that what it suggests can be typed as it stands."""
    return " ".join([program(), *_WITHIN])


def program() -> str:
    """Return the program's name as it was called, without options."""
    path = sys.argv[0]
    name = os.path.basename(path.rstrip("/"))
    if name == "__main__.py":
        return "python3 -m debate_ops"
    return f"python3 {path}" if name == "debate_ops" and os.path.isdir(path) else "debate-ops"


def name_of(folder: Folder) -> str:
    """Return the shortest word that means this debate on the command line."""
    usual = os.path.dirname(folder.path) == DEBATES
    return folder.slug if usual else folder.path.replace(os.sep, "/")


def finding(found: Finding) -> dict[str, Any]:
    """Return a finding as a flat object without its empty parts."""
    return {key: value for key, value in found._asdict().items() if value}


def findings(found: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return findings as data; warnings always carry code, file and message."""
    return [{"code": f.code, "file": f.file, "message": f.message} | finding(f) for f in found]


def sentences(found: Iterable[Finding]) -> list[str]:
    """Return findings as sentences."""
    return [f.sentence() for f in found]


def state(position: Position) -> dict[str, Any]:
    """Return what every answer about a debate begins with."""
    debate = position.debate
    request = debate.request
    left = max(0, request.until - max(debate.state.exchange, 1)) if request else 0
    left = left if isinstance(position.due, Turn) else 0
    return {
        "debate": name_of(position.folder),
        "protocol": debate.protocol,
        "current_exchange": debate.state.exchange,
        "current_phase": debate.state.phase,
        "step": debate.step,
        "cumulative_scores": totals_as_data(debate.state.totals),
        "request": request._asdict() | {"remaining": left} if request else None,
    }


def turn(position: Position) -> dict[str, Any]:
    """Return what a debate waits for now, as `next` and `submit` print it."""
    due = position.due
    told = state(position) | {
        "state": {Turn: "turn", Waiting: "waiting", Done: "done"}[type(due)],
        "reason": "" if isinstance(due, Turn) else due.reason,
        "progress": progress(position),
        "calls_now": sum(item.status in {"waiting", "refused"} for item in position.tasks),
        "calls_left": _calls_left(position),
        "tasks": [_task(position, item) for item in position.tasks],
    }
    if isinstance(due, Turn):
        told["submit"] = f"submit {name_of(position.folder)} --step {due.step}"
        if due.seconds:
            told["deadline"] = deadline(position.debate, due)
            told["late"] = is_late(position.debate, due)
    return told | waiting(position)


def waiting(position: Position) -> dict[str, Any]:
    """Return what a person can do about a debate that waits for one; nothing where none does."""
    if not isinstance(position.due, Waiting):
        return {}
    return {"acts": list(position.due.acts), "about": about(position)}


def about(position: Position) -> list[dict[str, str]]:
    """Return the entries that a waiting debate is about, each with its texts in one line."""
    due, record = position.due, position.debate.record
    ids = due.about if isinstance(due, Waiting) else ()
    found = ((entry_id, record.get(entry_id)) for entry_id in ids)
    return [{"id": entry_id, "text": _in_one_line(entry)} for entry_id, entry in found if entry]


def _in_one_line(entry: Entry) -> str:
    value = entries.parse(entry)
    if not isinstance(value, Contribution) or not value.texts:
        return entries.headline(value)
    (_, first), *more = value.texts.items()
    told = first + "".join(f" ({name}: {text})" for name, text in more)
    return " ".join(told.split())


def _calls_left(position: Position) -> int | None:
    if position.calls_left is None:
        return None
    done = sum(item.status not in {"waiting", "refused"} for item in position.tasks)
    return position.calls_left - done


def _task(position: Position, item: TaskStatus) -> dict[str, Any]:
    told = {
        "participant": item.task.participant,
        "agent": item.task.agent,
        "prompt_file": item.slot.prompt,
        "reply_file": item.slot.reply,
        "schema": item.task.schema,
        "status": item.status,
        "attempts": item.attempts,
        "on_failure": item.task.on_failure,
        "web_search": item.task.agent == "debater"
        and position.debate.settings.get("web_search") != "forbidden",
    }
    if item.status == "refused":
        told["repair_file"] = item.slot.repair
    return told


def progress(position: Position) -> str:
    """Return one line that says where the debate is."""
    debate, due = position.debate, position.due
    place = where(debate)
    if not isinstance(due, Turn):
        return f"{place}: {due.reason}"
    names = [s.task.participant for s in position.tasks if s.status in {"waiting", "refused"}]
    what = f"{joined(names)} due" if names else "all replies are in"
    return f"{counted(debate)}{place}: {what}"


def counted(debate: Debate) -> str:
    """Return how far a request is, as `[2/3] `; empty without one."""
    request, number = debate.request, debate.state.exchange
    if request is None:
        return ""
    first = request.until - request.exchanges
    held = max(0, number - first) + 1 if number else 0
    return f"[{held}/{request.exchanges}] "


def joined(names: Sequence[str], most: int = 6) -> str:
    """Return names in a row; of many, how many there are."""
    return " and ".join(names) if len(names) <= most else f"{len(names)} participants"


def outcome(told: Outcome) -> dict[str, Any]:
    """Return the answer to a submission: what it did, and the turn that is due now."""
    return {
        "success": True,
        "already_applied": told.already_applied,
        "committed": list(told.committed),
        **_decisions(told),
        **remarks(told.warnings),
    } | turn(told.position)


def _decisions(told: Outcome) -> dict[str, Any]:
    decided: dict[str, Any] = {}
    for entry_id in told.committed:
        entry = told.position.debate.record.get(entry_id)
        if entry is None or entry.folder == ARGUMENTS or entry.is_absence:
            continue
        if entry.kind != "judgment":
            decided.setdefault("judgments", {})[entry_id] = entry.header.get("title", entry.kind)
            continue
        for key in ("scores", "rescores"):
            if items := entry.header.get(key):
                decided[key] = {item["argument_id"]: item["score"] for item in items}
    return decided


def remarks(warnings: Iterable[Finding]) -> dict[str, Any]:
    """Return `errors` (none) and `warnings` as sentences; details only where there are any."""
    found = tuple(warnings)
    told: dict[str, Any] = {"errors": [], "warnings": sentences(found)}
    return told | ({"warning_details": findings(found)} if found else {})


def refusal(error: DebateError) -> dict[str, Any]:
    """Return an error as the object that a command prints instead of its result."""
    told: dict[str, Any] = {
        "success": False,
        "code": error.code,
        "error": error.message,
        "errors": error.sentences(),
        "faults": findings(error.faults),
        "hint": error.hint,
        "warnings": [],
    }
    if isinstance(error, RepliesRefusedError):
        told |= remarks(error.warnings) | {"errors": error.sentences()}
        if error.position is not None:
            told |= turn(error.position)
    return told


def exit_code(position: Position) -> int:
    """Return the exit code that goes with a position: 8 where a person is awaited."""
    return WAITING_FOR_PERSON if isinstance(position.due, Waiting) else 0


# What would steer a terminal, or turn the direction of a text around, in agents' words.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def say(lines: Iterable[str]) -> None:
    """Print lines for people on standard output; what would steer a terminal is shown as `?`."""
    _write("".join(f"{harmless(line)}\n" for line in lines))


def harmless(text: str) -> str:
    """Return a text of somebody's for a terminal: what would steer it is shown as `?`."""
    return _STEERING.sub("?", text)
