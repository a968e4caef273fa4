"""Draw the report of every debate below `debates/`, and the index over all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from debate_ops import engine
from debate_ops.errors import DebateError, DiskError, Finding, UsageError, of_one
from debate_ops.formats import debate_file
from debate_ops.model.ids import SLUG_RULE, is_slug
from debate_ops.model.turn import Done, Waiting
from debate_ops.reports import block, index
from debate_ops.reports.draw import Drawn, draw, refuse_link
from debate_ops.reports.files_drawn import PAGE, README
from debate_ops.reports.index import Row
from debate_ops.storage import files
from debate_ops.storage.folder import DEBATE_FILE, DEBATES, SET_ASIDE, Folder, find, slugs

INDEX = "index.md"
PAGES = (README, PAGE)
"""What of a debate the index leads to, where it is there."""

_NO_SLUG = f"its name is no slug ({SLUG_RULE}); rename the folder"

Check = Callable[[Folder], None]
"""Raises what is wrong with a debate, if anything is."""


class Debate(NamedTuple):
    """One debate: what was drawn of it, or why nothing could be."""

    slug: str
    row: Row
    drawn: Drawn | None = None
    error: DebateError | None = None


class All(NamedTuple):
    """Every debate, the `path` of the index, whether that stood there already, and warnings."""

    debates: tuple[Debate, ...]
    path: str
    unchanged: bool
    warnings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[DebateError, ...]:
        """Why debates could not be drawn, in their order."""
        return tuple(each.error for each in self.debates if each.error)


def draw_all(check: Check, *, png: bool = False) -> All:
    """Draw every debate that `check` lets pass, then the index; one fault stops no other debate.

    Raises:
        UsageError: there are no debates.
        BadRecordError: something else than a file of its own stands in the place of the index.
        DiskError: the index cannot be written.
    """
    path = os.path.join(DEBATES, INDEX)
    refuse_link(DEBATES, os.path.isdir, "the index")
    refuse_link(path, os.path.isfile, "the index")
    names, left_out = slugs(), tuple(_without_slug())
    if not names:
        raise UsageError(
            f"there are no debates in {os.path.abspath(DEBATES)}",
            hint="Use -C DIR for debates elsewhere; nothing was drawn.",
            faults=tuple(map(_left_out, left_out)),
        )
    debates = tuple(_debate(name, check, png=png) for name in names)
    before = _before(path)
    rows = [each.row for each in debates] + [Row(name, error=_NO_SLUG) for name in left_out]
    text = _text(rows, before)
    warnings = tuple(map(_left_out, left_out))
    if before == text:
        return All(debates, path, unchanged=True, warnings=warnings)
    warnings += tuple(_set_aside(path, before))
    _write(path, text)
    return All(debates, path, unchanged=False, warnings=warnings)


# ---------------------------------------------------------------- the debates


def _without_slug() -> Iterator[str]:
    """Yield the names of folders that hold a debate which no command can be told of."""
    for name in sorted(os.listdir(DEBATES)) if os.path.isdir(DEBATES) else ():
        if not is_slug(name) and os.path.lexists(os.path.join(DEBATES, name, DEBATE_FILE)):
            yield os.fsencode(name).decode("utf-8", "replace")


def _left_out(name: str) -> Finding:
    return Finding("no_slug", f"{DEBATES}/{name} is left out: {_NO_SLUG}", file=f"{DEBATES}/{name}")


def _debate(slug: str, check: Check, *, png: bool) -> Debate:
    def make() -> Debate:
        folder = find(os.path.join(DEBATES, slug))
        check(folder)
        drawn = draw(folder, png=png)
        return Debate(slug, _row(folder, drawn), drawn)

    debate = of_one(make)
    if isinstance(debate, Debate):
        return debate
    sentence = "; ".join([debate.message, *_first(debate)])
    return Debate(slug, Row(slug, error=sentence, files=tuple(_pages(slug))), error=debate)


def _first(error: DebateError) -> Iterator[str]:
    """Yield the first fault of an error, and how many more there are."""
    for fault in error.faults[:1]:
        more = len(error.faults) - 1
        yield fault.sentence() + (f" (and {more} more)" if more else "")


def _row(folder: Folder, drawn: Drawn) -> Row:
    position = engine.look(folder)
    debate = position.debate
    return Row(
        slug=folder.slug,
        protocol=debate.protocol,
        motion=debate_file.framing(debate.body).motion,
        place=_place(position),
        answer=drawn.answer,
        sure=drawn.sure,
        begun=debate.created,
        files=tuple(_pages(folder.slug)),
    )


def _place(position: engine.Position) -> str:
    """Return where a debate stands, and whether anything is due."""
    where = engine.where(position.debate)
    if isinstance(position.due, Done):
        return where if where == position.debate.state.phase else f"{where}, nothing is due"
    return f"{where}, a person is awaited" if isinstance(position.due, Waiting) else where


def _pages(slug: str) -> Iterator[str]:
    """Yield which pages of a debate there are."""
    folder = os.path.join(DEBATES, slug)
    for name in PAGES:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not os.path.islink(path) and not os.path.islink(folder):
            yield name


# ---------------------------------------------------------------- the index


def _before(path: str) -> str:
    """Return the index as it stands; empty where there is none.

    Raises:
        BadRecordError: it cannot be read.
    """
    return files.read_text(path) if os.path.lexists(path) else ""


def _text(rows: Iterable[Row], before: str) -> str:
    """Return the index with a person's notes around it.

    Line ends make no difference to whether it is drawn again: git may change them.
    """
    page = index.page(rows)
    old = block.parse(before)
    inputs = block.digest(page.encode("utf-8"))
    if old and old.untouched and old.text == page:
        return before
    return block.render(page, inputs, block.digest(), old)


def _set_aside(path: str, before: str) -> Iterator[Finding]:
    """Move an index aside that is somebody else's, or was changed by hand; yield that it was."""
    old = block.parse(before)
    if not before.strip() or (old and old.untouched):
        return
    place = files.move_aside(path, os.path.join(DEBATES, SET_ASIDE))
    why = "was changed by hand where it is drawn" if old else "was not drawn by this program"
    shown = place.replace(os.sep, "/")
    message = f"{path.replace(os.sep, '/')} {why}; what stood there is now {shown}"
    yield Finding("set_aside", message, file=shown)


def _write(path: str, text: str) -> None:
    try:
        files.write_derived(path, text)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}") from None
