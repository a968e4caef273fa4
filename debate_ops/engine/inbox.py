"""The inbox: prompts and replies of the turn, refused replies; and what a person has decided.

Participants may write anywhere below the inbox, so nothing there counts as a person's act: skips,
a hold and the note of an undo lie in `.pending/`.
"""

import json
import os
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from typing import Any, NamedTuple

from debate_ops.analysis.usage import keep_credible
from debate_ops.core.errors import DiskError, UsageError
from debate_ops.core.values import Absent, Fault
from debate_ops.engine import files
from debate_ops.engine.headers import canonical, digest_bytes
from debate_ops.engine.store import INBOX, PENDING, REFUSED, SET_ASIDE, Folder, hold_lock

PAUSED, STOPPED = "paused", "stopped"
SOMEBODY = "somebody"
"""Who made a reply, where it was a person who gave no name."""
_OF_STEP = re.compile(
    r"(?P<begun>\.)?(?P<step>[0-9]+)-(?P<participant>[a-z][a-z0-9-]*)"
    r"\.(?P<kind>prompt\.md|reply\.json|repair\.md|skip\.json|again\.md|made\.json|draft\.json)"
    rf"(?(begun){re.escape(files.TEMPORARY)})\Z"
)
REPLY, SKIP = "reply.json", "skip.json"
HOLD, UNDO = os.path.join(PENDING, "hold.json"), os.path.join(PENDING, "undo")
"""What holds a debate back; the step that an undo under way goes back to."""
RUN_LOCK, RUN_FILE = os.path.join(INBOX, ".run.lock"), os.path.join(INBOX, "run.json")
"""The lock that a headless run has for its whole life; the file in which it says what it does."""


class TaskFile(NamedTuple):
    """A file of a task: of which step and participant, and what kind; `.` before one only begun."""

    path: str
    step: int
    participant: str
    kind: str


class Slot(NamedTuple):
    """The files of one task.

    `again` is prompt and repair together, `made` what is known of how the reply was made, `draft`
    what a person has written so far. `skip` alone is not in the inbox: it is a person's.
    """

    prompt: str
    reply: str
    repair: str
    skip: str
    again: str
    made: str
    draft: str = ""


class Hold(NamedTuple):
    """Why a debate does not go on to its next turn: paused or stopped, since when and by whom."""

    state: str
    at: str
    by: str
    reason: str

    def sentence(self) -> str:
        """Return it in words."""
        why = f": {self.reason}" if self.reason else ""
        return f"{self.state} by {self.by} since {self.at}{why}"


def find_slot(folder: Folder, step: int, participant: str) -> Slot:
    """Return where a task's files are."""
    stem = folder.within(INBOX, f"{step}-{participant}")
    kinds = ("prompt.md", REPLY, "repair.md", "", "again.md", "made.json", "draft.json")
    skip = folder.within(PENDING, f"{step}-{participant}.{SKIP}")
    return Slot(*(f"{stem}.{kind}" if kind else skip for kind in kinds))


def lock(folder: Folder, wait: float = 10) -> AbstractContextManager[None]:
    """Return the lock of commands that write; the inbox is made for it."""
    files.make_ignored(folder.within(INBOX))
    return hold_lock(folder.within(INBOX, ".lock"), "is writing in this debate", wait)


def lock_run(folder: Folder, wait: float = 0.1) -> AbstractContextManager[None]:
    """Return the lock of what runs a debate or has its panel decide: others then take no turn."""
    files.make_ignored(folder.within(INBOX))
    return hold_lock(folder.within(RUN_LOCK), "runs or judges this debate", wait)


def label(place: Slot, raw: bytes, made_by: Mapping[str, Any]) -> None:
    """Note how a reply was made, unless that is known; no reply of other bytes passes for it."""
    if not read_made_by(place, raw):
        made = {"reply": digest_bytes(raw), "made_by": keep_credible(made_by)}
        files.write_derived(place.made, canonical(made) + "\n")


def put(place: Slot, raw: bytes, made_by: Mapping[str, Any]) -> None:
    """Put a reply in its place, whole or not at all, and forced to the disk: it was paid for."""
    files.discard(place.made)
    label(place, raw, made_by)
    files.write_durable(place.reply, raw)


def _read_own(path: str) -> Any:
    """Return what a JSON file of ours says; an empty object where it cannot be read."""
    try:
        data = json.loads(files.read_bytes(path, files.MAX_RECORD_BYTES))
    except (OSError, UsageError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def read_made_by(place: Slot, raw: bytes) -> dict[str, Any]:
    """Return what is known of how the reply `raw` in this place was made; empty if nothing is."""
    result = _read_own(place.made)
    made = result.get("made_by") if result.get("reply") == digest_bytes(raw) else None
    return keep_credible(made) if isinstance(made, dict) else {}


def list_files(folder: Folder, *places: str) -> list[TaskFile]:
    """Return the files of tasks in the inbox, or in other folders of the debate."""
    return [
        TaskFile(os.path.join(path, name), int(match[2]), match[3], f"{match[1] or ''}{match[4]}")
        for path in map(folder.within, places or (INBOX,))
        for name in files.list_names(path)
        if (match := _OF_STEP.match(name))
    ]


def count_refusals(folder: Folder, step: int, participant: str) -> int:
    """Return how many replies of this task were refused."""
    pattern = re.compile(rf"{step}-{participant}-[0-9]+\.{re.escape(REPLY)}")
    return sum(map(bool, map(pattern.fullmatch, files.list_names(folder.within(INBOX, REFUSED)))))


def refuse(folder: Folder, step: int, participant: str, reasons: str) -> str:
    """Move a task's refused reply aside, with the reasons beside it; return its new path."""
    number, place = 1, folder.within(INBOX, REFUSED, f"{step}-{participant}-")
    while os.path.lexists(path := f"{place}{number}.{REPLY}"):
        number += 1
    with files.disk_errors("set the refused reply aside"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_derived(f"{place}{number}.reasons.md", reasons)
        os.rename(find_slot(folder, step, participant).reply, path)
    return path


def clear(folder: Folder, step: int, used: Mapping[str, bytes] = {}) -> list[Fault]:
    """Remove what belonged to a turn on record; set replies aside that were not `used` for it."""
    for participant, raw in used.items():
        if files.has_content(reply := find_slot(folder, step, participant).reply, raw):
            files.discard(reply)
    late = []
    for file in (f for f in list_files(folder, INBOX, PENDING) if f.step == step):
        if file.kind != REPLY:
            files.discard(file.path)
            continue
        with suppress(DiskError):  # then it stays, and 'status' tells of it
            moved = folder.shown(files.move_aside(file.path, folder.within(INBOX, SET_ASIDE)))
            text = f"step {step} is on record; this reply is not used, and is now {moved}"
            shown = folder.shown(file.path)
            late.append(Fault("", text, by=file.participant, file=shown, is_warning=True))
    return late


def set_aside_from(folder: Folder, step: int) -> None:
    """Move replies and skips of the turns from `step` on out of the way: they were taken back."""
    aside, refused = folder.within(INBOX, SET_ASIDE), folder.within(INBOX, REFUSED)
    for name in files.list_names(refused):
        if (match := re.match(r"([0-9]+)-", name)) and int(match[1]) >= step:
            files.move_aside(os.path.join(refused, name), aside)
    for file in (f for f in list_files(folder, INBOX, PENDING) if f.step >= step):
        if file.kind in {REPLY, SKIP}:
            files.move_aside(file.path, aside)
        else:
            files.discard(file.path)


def explain_missing(folder: Folder, step: int, participant: str) -> str:
    """Return that a reply is missing, and which file looks like it, as `0-prop.json` does."""
    starts = (f"{step}-{participant}.", f"{participant}.")
    names = files.list_names(folder.within(INBOX))
    odd = (n for n in names if n.startswith(starts) and not _OF_STEP.match(n))
    return "there is no reply yet" + "".join(f"; if inbox/{n} is it, rename it" for n in odd)


def keep(path: str, text: str) -> None:
    """Write a file of what is pending."""
    files.make_ignored(os.path.dirname(path))
    files.write_durable(path, text)


def read_skip(place: Slot) -> Absent | None:
    """Return how, why and by whom a task was skipped; None where that cannot be read."""
    data = _read_own(place.skip)
    keys = ("how", "reason", "by")
    return Absent(*(str(data[key]) for key in keys)) if {*keys} <= data.keys() else None


def read_hold(folder: Folder) -> Hold | None:
    """Return what holds a debate back, if anything does."""
    data = _read_own(folder.within(HOLD))
    is_one = {*Hold._fields} <= data.keys()
    return Hold(**{key: str(data[key]) for key in Hold._fields}) if is_one else None


def read_undo(folder: Folder) -> int | None:
    """Return the step that an undo was about to go back to when it was stopped, if one was."""
    with suppress(OSError, UsageError, ValueError):
        return int(files.read_bytes(folder.within(UNDO), 20))
    return None
