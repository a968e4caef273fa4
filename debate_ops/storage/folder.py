"""Where things are in a debate folder, and which folder a name means."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from debate_ops.errors import BadRecordError, UnknownDebateError, UsageError
from debate_ops.model.entries import ADVICE, ARGUMENTS, JUDGMENTS
from debate_ops.model.ids import SLUG_RULE, is_device, is_slug, suggest_slug

DEBATES = "debates"
DEBATE_FILE = "debate.md"
INBOX = "inbox"
PENDING = ".pending"
REFUSED = "refused"
SET_ASIDE = "set-aside"
SCORES = "scores.json"
EVENTS = "events.jsonl"
RECORD_FOLDERS = (ARGUMENTS, JUDGMENTS, ADVICE)


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

    def entry(self, folder: str, entry_id: str) -> str:
        """Return the path of one entry of the record."""
        return os.path.join(self.path, folder, f"{entry_id}.md")

    def shown(self, path: str) -> str:
        """Return a path for messages: relative to the debate folder, with forward slashes."""
        return os.path.relpath(path, self.path).replace(os.sep, "/")


def find(name: str) -> Folder:
    """Return the folder that a user's word for a debate means.

    A slug is looked for in `debates/` and then in the working folder; a relative path is taken
    as it stands, if it stays below the working folder.

    Raises:
        UsageError: the name cannot name a debate.
        UnknownDebateError: it could, but there is none.
        BadRecordError: a symbolic link stands where a folder or file of the debate should be.
    """
    path = _path(name)
    folder = Folder(path)
    if not os.path.lexists(folder.debate_file):
        raise _without_file(folder) if os.path.isdir(path) else _unknown(name)
    refuse_links(folder)
    return folder


def _path(name: str) -> str:
    parts = name.replace("\\", "/").rstrip("/").split("/")
    if os.path.isabs(name) or ".." in parts or not all(parts):
        raise UsageError(
            f"{name!r} does not name a debate below the working folder",
            hint="Give a slug or a relative path without '..'; use -C DIR for debates elsewhere.",
        )
    parts = [part for part in parts if part != "."]
    if not parts or not is_slug(parts[-1]):
        raise _not_a_slug(name)
    if len(parts) > 1:
        return os.path.join(*parts)
    usual = os.path.join(DEBATES, parts[0])
    beside = os.path.lexists(os.path.join(parts[0], DEBATE_FILE))
    return parts[0] if beside and not os.path.lexists(usual) else usual


def _not_a_slug(name: str) -> UsageError:
    nearest = suggest_slug(name)
    did = f" Did you mean {nearest!r}?" if nearest and nearest != name else ""
    return UsageError(f"{name!r} is not a slug: {SLUG_RULE}", hint=f"Choose another name.{did}")


def _without_file(folder: Folder) -> BadRecordError:
    return BadRecordError(
        f"{folder.path} has no {DEBATE_FILE}",
        hint=f"Bring {folder.debate_file} back from version control or a backup: it holds the "
        "motion, which nothing else does.",
    )


def _unknown(name: str) -> UnknownDebateError:
    import difflib

    known = slugs()
    near = difflib.get_close_matches(name, known, 1, 0.5)
    return UnknownDebateError(name, known, near[0] if near else "")


def slugs() -> list[str]:
    """Return the slugs of all debates in `debates/`, in order."""
    try:
        names = sorted(os.listdir(DEBATES))
    except OSError:
        return []
    paths = ((name, os.path.join(DEBATES, name)) for name in names if is_slug(name))
    return [n for n, p in paths if os.path.lexists(os.path.join(p, DEBATE_FILE))]


def for_new(slug: str, inside: str = DEBATES) -> Folder:
    """Return the folder that a new debate will have, inside of another one.

    Raises:
        UsageError: the slug breaks the rule, or the folder exists.
    """
    if not is_slug(slug):
        raise _not_a_slug(slug)
    if is_device(slug):
        raise UsageError(
            f"{slug!r} is the name of a device to Windows, where no folder can have it",
            hint=f"Choose another slug, such as {suggest_slug(slug)!r}.",
        )
    folder = Folder(os.path.join(inside, slug))
    if os.path.lexists(folder.path):
        raise UsageError(
            f"{folder.path} exists already", hint="Choose another slug; nothing was changed."
        )
    if os.path.islink(DEBATES):
        raise BadRecordError(f"{DEBATES} is a symbolic link", hint="Use a real folder.")
    return folder


def refuse_links(folder: Folder) -> None:
    """Refuse a debate whose folders or main file are symbolic links: they may lead anywhere.

    Raises:
        BadRecordError: names the link.
    """
    above = [folder.path]
    while os.path.dirname(above[-1]):
        above.append(os.path.dirname(above[-1]))
    inner = [os.path.join(INBOX, name) for name in (REFUSED, SET_ASIDE)]
    folders = (*RECORD_FOLDERS, INBOX, PENDING, *inner, SET_ASIDE)
    own = map(folder.within, (*folders, DEBATE_FILE, SCORES))
    for path in (*above, *own):
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadRecordError(f"cannot look at {path}: {error.strerror}") from None
        is_file = path.endswith((DEBATE_FILE, SCORES))
        if not (stat.S_ISREG(mode) if is_file else stat.S_ISDIR(mode)):
            what = "a symbolic link" if stat.S_ISLNK(mode) else "not what it should be"
            raise BadRecordError(
                f"{path} is {what}", hint="Put the real file or folder in its place."
            )
