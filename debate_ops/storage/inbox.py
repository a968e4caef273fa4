"""The inbox: prompts and replies of the turn, and refused replies with their reasons."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats.digest import sha256
from debate_ops.formats.json_reply import find_json
from debate_ops.formats.json_text import canonical
from debate_ops.storage import files, pending
from debate_ops.storage.folder import INBOX, PENDING, REFUSED, SET_ASIDE, Folder
from debate_ops.storage.lock import RUN_LOCK, WRITE_LOCK

_OF_STEP = (
    r"(?P<begun>\.)?(?P<step>[0-9]+)-(?P<participant>[a-z][a-z0-9-]*)"
    r"\.(?P<kind>prompt\.md|reply\.json|repair\.md|skip\.json|again\.md|made\.json|draft\.toml)"
    rf"(?(begun){re.escape(files.TEMPORARY)})\Z"
)
_USED = "used.json"
_REPLY, _SKIP = "reply.json", "skip.json"
SOMEBODY = "somebody"
"""Who made a reply, where it was a person who gave no name."""
_MADE_BY_BYTES = 64 * 1024


class File(NamedTuple):
    """A file of a task: of which step and participant, what kind of file, whether only begun."""

    path: str
    step: int
    participant: str
    kind: str
    is_begun: bool

    @property
    def is_reply(self) -> bool:
        """Tell whether this is a reply, complete as far as its name says."""
        return self.kind == _REPLY and not self.is_begun

    @property
    def is_skip(self) -> bool:
        """Tell whether this is a skip; one in the inbox has no effect."""
        return self.kind == _SKIP and not self.is_begun


class Slot(NamedTuple):
    """The files of one task.

    `again` is the prompt together with the repair, for those who have forgotten the prompt;
    `made` is what is known of how the reply was made, `draft` what a person has written so far.
    `skip` alone is not in the inbox: it is a person's.
    """

    prompt: str
    reply: str
    repair: str
    skip: str
    again: str
    made: str
    draft: str = ""


def slot(folder: Folder, step: int, participant: str) -> Slot:
    """Return where a task's files are."""
    stem = folder.within(INBOX, f"{step}-{participant}")
    return Slot(
        f"{stem}.prompt.md",
        f"{stem}.reply.json",
        f"{stem}.repair.md",
        pending.skip(folder, step, participant),
        f"{stem}.again.md",
        f"{stem}.made.json",
        f"{stem}.draft.toml",
    )


def slot_of(prompt_file: str) -> Slot:
    """Return where the files of a prompt's task are.

    >>> slot_of("debates/a/inbox/3-opp.again.md").reply
    'debates/a/inbox/3-opp.reply.json'
    """
    path, name = os.path.split(prompt_file)
    step, _, rest = name.partition("-")
    return slot(Folder(os.path.dirname(path)), int(step), rest.partition(".")[0])


def prepare(folder: Folder) -> None:
    """Make the inbox, if it is not there; git ignores what is in it.

    Raises:
        DiskError: it cannot be made.
    """
    files.make_ignored(folder.within(INBOX))


def write_lock(folder: Folder) -> str:
    """Return the lock file of commands that write."""
    return folder.within(INBOX, WRITE_LOCK)


def run_lock(folder: Folder) -> str:
    """Return the lock file that a headless run holds for its whole life."""
    return folder.within(INBOX, RUN_LOCK)


def run_file(folder: Folder) -> str:
    """Return the file in which a run says what it is doing."""
    return folder.within(INBOX, "run.json")


def write(path: str, text: str) -> None:
    """Write a prompt or repair file.

    Raises:
        DiskError: it cannot be written.
    """
    with files.disk_errors(f"write {path}"):
        files.write_derived(path, text)


def put(place: Slot, raw: bytes, made_by: Mapping[str, Any]) -> None:
    """Put a reply in its place, whole or not at all, and forced to the disk: it was paid for.

    How it was made is written first and tied to the reply's bytes, so that no other reply that
    comes into this place is taken for it.

    Raises:
        DiskError: it cannot be written.
    """
    made = {"reply": sha256(raw), "made_by": dict(made_by)}
    write(place.made, canonical(made) + "\n")
    with files.disk_errors(f"write {place.reply}"):
        files.write_durable(place.reply, raw)


def made_by(place: Slot, raw: bytes) -> dict[str, Any]:
    """Return what is known of how the reply `raw` in this place was made; empty if nothing is."""
    try:
        result = find_json(files.read_bytes(place.made, _MADE_BY_BYTES)).value
    except (OSError, UsageError, RefusedError):
        return {}
    if not isinstance(result, dict) or result.get("reply") != sha256(raw):
        return {}
    made = result.get("made_by")
    return made if isinstance(made, dict) else {}


def refusals(folder: Folder, step: int, participant: str) -> int:
    """Return how many replies of this task were refused."""
    before, behind = f"{step}-{participant}-", f".{_REPLY}"
    names = (n for n in _refused_names(folder) if n.startswith(before) and n.endswith(behind))
    return sum(name[len(before) : -len(behind)].isdecimal() for name in names)


def refuse(folder: Folder, step: int, participant: str, reasons: str) -> str:
    """Move a task's refused reply aside, with the reasons beside it; return its new path.

    Raises:
        DiskError: it cannot be moved.
    """
    number = refusals(folder, step, participant) + 1
    while os.path.lexists(path := _refused(folder, f"{step}-{participant}-{number}.{_REPLY}")):
        number += 1
    with files.disk_errors("set the refused reply aside"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write_derived(path.removesuffix(_REPLY) + "reasons.md", reasons)
        os.rename(slot(folder, step, participant).reply, path)
    return path


def _refused(folder: Folder, name: str) -> str:
    return folder.within(INBOX, REFUSED, name)


def clear(folder: Folder, step: int, replies: Mapping[str, bytes]) -> None:
    """Remove what belonged to the turn of `step`, which is now on record.

    Of the replies only those go that still say what `replies` holds by participant: one that was
    written anew meanwhile came too late, and stays.
    """
    for participant, raw in replies.items():
        files.discard_read(slot(folder, step, participant).reply, raw)
    for file in listed(folder, INBOX, PENDING):
        if file.step == step and not file.is_reply:
            files.discard(file.path)


def clear_prompts(folder: Folder, step: int) -> None:
    """Remove prompts of other turns than `step`, also those only begun; late replies stay."""
    for file in listed(folder):
        if file.step != step and file.kind != _REPLY:
            files.discard(file.path)


def _refused_names(folder: Folder) -> list[str]:
    names = files.names(folder.within(INBOX, REFUSED))
    return [name for name in names if re.match(r"[0-9]+-", name)]


def set_aside_from(folder: Folder, step: int) -> None:
    """Move replies and skips of the turns from `step` on out of the way: they were taken back.

    Raises:
        DiskError: one cannot be moved.
    """
    refused = [n for n in _refused_names(folder) if int(n.partition("-")[0]) >= step]
    paths = [_refused(folder, name) for name in refused]
    for file in listed(folder, INBOX, PENDING):
        if file.step >= step and (file.is_reply or file.is_skip):
            paths.append(file.path)
        elif file.step >= step:
            files.discard(file.path)
    for path in paths:
        files.move_aside(path, folder.within(INBOX, SET_ASIDE))


def why_missing(folder: Folder, step: int, participant: str) -> str:
    """Return that a reply is missing, and which file looks like it, as `0-prop.json` does."""
    starts = (f"{step}-{participant}.", f"{participant}.")
    names = files.names(folder.within(INBOX))
    odd = (n for n in names if n.startswith(starts) and not re.match(_OF_STEP, n))
    found = "".join(f"; if {folder.shown(folder.within(INBOX, n))} is it, rename it" for n in odd)
    return f"there is no reply yet{found}"


def note_used(folder: Folder, paths: Iterable[str], step: int) -> None:
    """Note from which files a step was committed, so that a repeat finds out after their removal.

    It is forced to the disk with its folder, which may be new, because the files are removed next.

    Raises:
        DiskError: it cannot be written.
    """
    used = {_name_used(folder, path): step for path in paths}
    with files.disk_errors("note the files that were used"):
        files.write_durable(folder.within(INBOX, _USED), canonical(used) + "\n")
        files.flush_folder(folder.path)


def step_of_used(folder: Folder, path: str) -> int | None:
    """Return the step that was committed last from a file of this name; None if it was none."""
    try:
        used = json.loads(files.read_bytes(folder.within(INBOX, _USED), _MADE_BY_BYTES))
        return dict(used).get(_name_used(folder, path))
    except (OSError, ValueError, TypeError, UsageError):
        return None


def _name_used(folder: Folder, path: str) -> str:
    """Return the name of a used file, seen from the debate: no path of a machine goes into it."""
    try:
        return os.path.relpath(path, folder.path)
    except ValueError:  # it is on another drive of Windows
        return os.path.abspath(path)


def listed(folder: Folder, *places: str) -> list[File]:
    """Return the files of tasks in the inbox, or in other folders of the debate."""
    return [
        File(os.path.join(path, name), int(match[2]), match[3], match[4], is_begun=bool(match[1]))
        for path in map(folder.within, places or (INBOX,))
        for name in files.names(path)
        if (match := re.match(_OF_STEP, name))
    ]
