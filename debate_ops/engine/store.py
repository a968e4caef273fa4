"""The debate folder: names, the lock, the commit with its one commit point, and recovery.

New files are staged and flushed, then put in place without ever replacing a name, and `debate.md`
is replaced last: that is the commit. A file counts only if its step is below the step that
`debate.md` states, so a stop at any moment leaves the old debate or the new one.
"""

import difflib
import os
import re
import shutil
import stat
import sys
import time
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from debate_ops.core.errors import (
    BadRecordError,
    BusyError,
    DebateError,
    DiskError,
    RunAgainError,
    UnknownDebateError,
    UsageError,
)
from debate_ops.core.values import ADVICE, ARGUMENTS, JUDGMENTS
from debate_ops.engine import files

DEBATES = USUAL_PLACE = "debates"
"""Where debates lie: as the user has set it, and where nobody has."""
EXAMPLES = {
    *("agent-secrets", "city-cars", "field-notes", "human-review", "leap-seconds"),
    *("one-repository", "outdoor-pool"),
}
"""The debates that a clone has, which no command is about that does not name them."""
DEBATE_FILE = "debate.md"
PARTIAL = "partial-transcript.md"
"""What was said until a run failed; a file beside the record, until the debate goes on."""
INBOX, PENDING, REFUSED, SET_ASIDE = "inbox", ".pending", "refused", "set-aside"
EVENTS = "events.jsonl"
MEMO, PAGE = "memo.md", "report.html"
PANEL, REJUDGED, TOURNAMENTS = "panel", "rejudged", "tournaments"
"""Folders with debates: that of a panel and those judged again, in the one they are about;
tournaments, beside the debates."""
RECORD_FOLDERS = (ARGUMENTS, JUDGMENTS, ADVICE)
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SLUG_LENGTH = 64
SLUG_RULE = "lower-case letters, digits and single hyphens between them, at most 64 characters"
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
"""Names of devices of Windows, where no folder can have them."""
_IN_LATIN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa", "œ": "oe"}
    | {"ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)


class Folder(NamedTuple):
    """A debate folder: `path` as the user would write it, relative to the working folder."""

    path: str

    @property
    def slug(self) -> str:
        """The folder's own name."""
        return os.path.basename(self.path)

    @property
    def name(self) -> str:
        """The shortest word that means this debate on the command line."""
        is_usual = os.path.dirname(self.path) == DEBATES
        return self.slug if is_usual else self.path.replace(os.sep, "/")

    @property
    def debate_file(self) -> str:
        """The one file that is ever replaced."""
        return os.path.join(self.path, DEBATE_FILE)

    def within(self, *parts: str) -> str:
        """Return a path inside the folder."""
        return os.path.join(self.path, *parts)

    def shown(self, path: str) -> str:
        """Return a path for messages: relative to the debate folder, with forward slashes."""
        return os.path.relpath(path, self.path).replace(os.sep, "/")


def is_slug(text: str) -> bool:
    """Tell whether `text` may name a debate: see `SLUG_RULE`."""
    return len(text) <= SLUG_LENGTH and SLUG.fullmatch(text) is not None


def suggest_slug(text: str, most: int = SLUG_LENGTH) -> str:
    """Return the name of a debate nearest to `text`, or an empty string where nothing is left."""
    slug = spell_slug(text, most)
    return f"{slug}-debate" if _DEVICE.fullmatch(slug) else slug


def spell_slug(text: str, most: int) -> str:
    """Return `text` as a slug of at most so many characters, of whole words; it may be empty."""
    plain = unicodedata.normalize("NFC", text.lower()).translate(_IN_LATIN)
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", plain))
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))
    return slug if len(slug) <= most else slug[: most + 1].rpartition("-")[0] or slug[:most]


def check_slug(text: str) -> None:
    """Refuse what may not name a debate, before it becomes part of a path."""
    if not is_slug(text):
        nearest = suggest_slug(text)
        did = f" Did you mean {nearest!r}?" if nearest else ""
        raise UsageError(f"{text!r} is not a slug: {SLUG_RULE}", hint=f"Choose another name.{did}")


def find_folder(name: str) -> Folder:
    """Return the folder that a user's word for a debate means.

    A slug is looked for in `debates/` and then in the working folder; a relative path is taken
    as it stands, if it stays below the working folder and leads through no link.
    """
    parts = name.replace("\\", "/").rstrip("/").split("/")
    if os.path.isabs(name) or ".." in parts or not all(parts):
        text = f"{name!r} does not name a debate below the working folder"
        raise UsageError(text, hint="Give a slug or a relative path without '..'.")
    parts = [part for part in parts if part != "."]
    check_slug(parts[-1] if parts else name)
    path = os.path.join(*parts)
    if len(parts) == 1:
        usual = os.path.join(DEBATES, path)
        beside = os.path.lexists(os.path.join(path, DEBATE_FILE))
        path = path if beside and not os.path.lexists(usual) else usual
    folder = Folder(path)
    if not os.path.lexists(folder.debate_file):
        if os.path.isdir(path):
            if os.path.dirname(path) == os.path.join(DEBATES, TOURNAMENTS):
                hint = f"Its page: {path}/README.md; 'tournament FILE' goes on with it."
                raise UsageError(f"{path} is a tournament, and no debate", hint=hint)
            hint = f"Bring {folder.debate_file} back: nothing else holds the motion."
            raise BadRecordError(f"{path} has no {DEBATE_FILE}", hint=hint)
        known = list_slugs()
        near = difflib.get_close_matches(name, known, 1, 0.5)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        hint += f"There are: {', '.join(known)}." if known else "There are no debates yet."
        raise UnknownDebateError(f"no debate named {name!r}", hint=hint)
    _refuse_links(folder)
    return folder


def list_slugs() -> list[str]:
    """Return the slugs of all debates in `debates/`, in order."""
    names = filter(is_slug, files.list_names(DEBATES))
    return [name for name in names if os.path.lexists(os.path.join(DEBATES, name, DEBATE_FILE))]


def plan_folder(slug: str, inside: str | None = None) -> Folder:
    """Return the folder that a new debate will have; refuse a slug that is wrong or taken."""
    check_slug(slug)
    if _DEVICE.fullmatch(slug):
        text = f"{slug!r} is the name of a device to Windows, where no folder can have it"
        raise UsageError(text, hint=f"Choose another slug, such as {suggest_slug(slug)!r}.")
    folder = Folder(os.path.join(inside or DEBATES, slug))
    if os.path.lexists(folder.path):
        raise UsageError(f"{folder.path} exists already", hint="Choose another slug.")
    if not os.path.isabs(folder.path) or not inside:
        _refuse_links(folder)
    return folder


def _refuse_links(folder: Folder) -> None:
    """Refuse a debate whose folders or main file are symbolic links: they may lead anywhere."""
    files.refuse_links(folder.path)
    inner = [os.path.join(INBOX, name) for name in (REFUSED, SET_ASIDE)]
    own = map(folder.within, (*RECORD_FOLDERS, INBOX, PENDING, *inner, SET_ASIDE, DEBATE_FILE))
    for path in (folder.path, *own):
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadRecordError(f"cannot look at {path}: {error.strerror}") from None
        if not (stat.S_ISREG(mode) if path == folder.debate_file else stat.S_ISDIR(mode)):
            what = "a symbolic link" if stat.S_ISLNK(mode) else "not what it should be"
            raise BadRecordError(f"{path} is {what}", hint=f"Move {path} away, then try again.")


@contextmanager
def hold_lock(path: str, what: str, wait: float = 10) -> Iterator[None]:
    """Hold the lock file `path` for the length of the block; wait at most `wait` seconds for it.

    The kernel frees it when its holder dies. The file is never removed: removing it would let two
    holders in. What it says (who holds it) is for people and never believed. Nothing is written
    into a file that has another name too. A `BusyError` where another process holds it.
    """
    files.refuse_links(path)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        deadline = time.monotonic() + wait
        while not _try_lock(handle, path):
            if time.monotonic() >= deadline:
                raise BusyError(
                    f"another process {what} ({_read_holder(handle)})",
                    hint="Wait until it is done, or stop it, then run this again.",
                )
            time.sleep(0.05)
        with suppress(OSError, AttributeError):  # a full disk; Windows
            if os.fstat(handle).st_nlink == 1:  # else perhaps a file of the user's
                os.ftruncate(handle, 0)
                os.pwrite(handle, f"process {os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def find_holder(path: str) -> str:
    """Return who holds the lock file `path`, or an empty string where nobody does."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return ""
    try:
        return "" if _try_lock(handle, path) else _read_holder(handle)
    except DiskError:  # a file system without locks
        return ""
    finally:
        os.close(handle)


def _try_lock(handle: int, path: str) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if sys.platform == "win32" or isinstance(error, BlockingIOError):
            return False
        # ENOLCK of a network drive, ENOSYS of a file system without locks
        raise DiskError(
            f"{path} cannot be locked ({error.strerror}), so two commands could write at once",
            hint="The file system here has no locks: keep the debates on a local disk.",
        ) from None
    return True


def _read_holder(handle: int) -> str:
    with suppress(OSError, AttributeError):  # no regular file; Windows
        if holder := os.pread(handle, 100, 0).decode("utf-8", "replace").strip():
            return holder
    return "unknown process"


def commit(folder: Folder, seen: str, debate_text: str, new: Mapping[str, str]) -> None:
    """Add the files `new` (path to text) and replace `debate.md`, all or nothing.

    `seen` is the `debate.md` decided on. Nothing was changed after a `DiskError`, or a
    `BadRecordError` where somebody else has a name. After a `RunAgainError` the `debate.md`
    was changed meanwhile, or nobody knows; the same command again is right either way.
    """
    staged: dict[str, str] = {}
    placed: list[str] = []
    folders = sorted({os.path.dirname(path) for path in new})
    try:
        for path in folders:
            if not os.path.isdir(path):  # git keeps no empty ones
                with files.disk_errors(f"make {path}"):
                    os.mkdir(path)
                    files.flush_folder(folder.path)
        for path, text in (*new.items(), (folder.debate_file, debate_text)):
            staged[path] = files.stage(path, text)
        for path in new:
            _place(folder, staged[path], path)
            placed.append(path)
        with files.disk_errors("write"):
            for path in folders:
                files.flush_folder(path)
        if files.read_text(folder.debate_file) != seen:
            raise RunAgainError(
                f"{folder.debate_file} was changed while this ran; nothing was written",
                hint="Run the same command again.",
            )
    except DebateError:
        for path in (*staged.values(), *placed):
            files.discard(path)
        raise
    try:
        files.replace(staged[folder.debate_file], folder.debate_file)
        files.flush_folder(folder.path)
    except OSError as error:
        raise RunAgainError(
            f"the disk gave no answer at the commit ({error.strerror}): result unknown",
            hint="Run the same command again; it is safe, and nothing is done twice.",
        ) from None


def _place(folder: Folder, staged: str, path: str) -> None:
    try:
        files.place(staged, path)
        files.discard(staged)
    except FileExistsError:
        name = folder.shown(path)
        raise BadRecordError(
            f"{name} exists, and this program did not write it; its name is needed now",
            hint=f"Move {name} away, then run the same command again. Nothing was changed.",
        ) from None
    except OSError as error:
        raise DiskError(f"cannot write: {error.strerror}; nothing was changed") from None


def list_temporaries(folder: Folder) -> list[str]:
    """Return the temporary files of commits that did not come to their end."""
    return [
        os.path.join(path, name)
        for path in (folder.path, *map(folder.within, (*RECORD_FOLDERS, PENDING)))
        for name in files.list_names(path)
        if name.startswith(".") and name.endswith(files.TEMPORARY)
    ]


def set_aside(folder: Folder, path: str) -> str:
    """Move a file to `set-aside/` under a name that is free, and return its name in the folder."""
    return folder.shown(files.move_aside(path, folder.within(SET_ASIDE)))


def build_folder(folder: Folder, debate_text: str, more: Mapping[str, str] | None = None) -> None:
    """Make the folder of a new debate, with `more` files by name: built aside, then renamed."""
    above = os.path.dirname(folder.path)
    aside = Folder(os.path.join(above, f".{folder.slug}.{os.getpid()}{files.TEMPORARY}"))
    try:
        shutil.rmtree(aside.path, ignore_errors=True)
        for name in (ARGUMENTS, JUDGMENTS):
            os.makedirs(aside.within(name))
        files.make_ignored(aside.within(INBOX))
        for name, text in {**(more or {}), DEBATE_FILE: debate_text}.items():
            path = aside.within(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            files.replace(files.stage(path, text), path)
        for path in (*map(aside.within, (ARGUMENTS, JUDGMENTS)), aside.path):
            files.flush_folder(path)
        os.rename(aside.path, folder.path)
    except (OSError, DiskError) as error:
        shutil.rmtree(aside.path, ignore_errors=True)
        plan_folder(folder.slug, above)  # another process may have made it meanwhile
        why = error.strerror if isinstance(error, OSError) else error
        raise DiskError(f"cannot make {folder.path}: {why}; nothing was changed") from None
    with files.disk_errors(f"make {folder.path} for good: it is there whole, or not at all"):
        files.flush_folder(above or os.curdir)
        files.flush_folder(os.path.dirname(above) or os.curdir)
