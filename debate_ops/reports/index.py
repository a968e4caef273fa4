"""Render the report of every debate below `debates/`, and the index: a table with a row each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from debate_ops import __version__, engine
from debate_ops.errors import BadRecordError, DebateError, DiskError, Finding, UsageError, of_one
from debate_ops.formats import debate_file
from debate_ops.model.ids import SLUG_RULE, is_slug
from debate_ops.model.turn import Done, Waiting
from debate_ops.reports import marks
from debate_ops.reports.blocks import Anchor, Line, Paragraph, Strong, Table, line
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.marks import PAGE, README
from debate_ops.reports.render import Rendered, moved_aside, refuse_link, render
from debate_ops.reports.text import counted, shorten
from debate_ops.storage import files
from debate_ops.storage.folder import DEBATE_FILE, DEBATES, SET_ASIDE, Folder, find, slugs

INDEX = "index.md"

_NO_SLUG = f"its name is no slug ({SLUG_RULE}); rename the folder"
_MOTION, _PLACE, _RESULT, _ERROR = 120, 60, 160, 200
_HEADS = ("Debate", "Protocol", "Where it stands", "Answer", "How sure", "Begun", "Pages")

Check = Callable[[Folder], None]
"""Raises what is wrong with a debate, if anything is."""


class Row(NamedTuple):
    """A debate in the index.

    `error` says why it could not be rendered; nothing else is known of it then.
    """

    slug: str
    protocol: str = ""
    motion: str = ""
    place: str = ""
    begun: str = ""
    rendered: Rendered | None = None
    error: DebateError | None = None


class All(NamedTuple):
    """Every debate, the `path` of the index, whether that was there already, and warnings."""

    debates: tuple[Row, ...]
    path: str
    unchanged: bool
    warnings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[DebateError, ...]:
        """Why debates could not be rendered, in their order."""
        return tuple(each.error for each in self.debates if each.error)


def render_all(check: Check) -> All:
    """Render every debate that `check` lets pass, then the index; one fault stops no other debate.

    Raises:
        UsageError: there are no debates.
        BadRecordError: something else than a file of its own is in the place of the index.
        DiskError: the index cannot be written.
    """
    path = os.path.join(DEBATES, INDEX)
    refuse_link(DEBATES, os.path.isdir, "the index")
    refuse_link(path, os.path.isfile, "the index")
    names, without_slug = slugs(), tuple(_without_slug())
    warnings = tuple(
        Finding("no_slug", f"{DEBATES}/{name} is left out: {_NO_SLUG}", file=f"{DEBATES}/{name}")
        for name in without_slug
    )
    if not names:
        raise UsageError(
            f"there are no debates in {os.path.abspath(DEBATES)}",
            hint="Use -C DIR for debates elsewhere; nothing was rendered.",
            faults=warnings,
        )
    debates = tuple(_debate(name, check) for name in names)
    left_out = (Row(name, error=BadRecordError(_NO_SLUG)) for name in without_slug)
    before = files.read_text(path).encode("utf-8") if os.path.lexists(path) else b""
    after = marks.in_block(page([*debates, *left_out]), marks.block(before))
    if marks.part(path, before) == marks.part(path, after):
        return All(debates, path, unchanged=True, warnings=warnings)
    if marks.is_foreign(path, before, after):
        moved = files.move_aside(path, os.path.join(DEBATES, SET_ASIDE))
        warnings += (moved_aside(*(name.replace(os.sep, "/") for name in (path, moved))),)
    try:
        files.write_derived(path, after)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}") from None
    return All(debates, path, unchanged=False, warnings=warnings)


def _without_slug() -> Iterator[str]:
    """Yield the names of folders that hold a debate which no command can name."""
    for name in sorted(os.listdir(DEBATES)) if os.path.isdir(DEBATES) else ():
        if not is_slug(name) and os.path.lexists(os.path.join(DEBATES, name, DEBATE_FILE)):
            yield os.fsencode(name).decode("utf-8", "replace")


def _debate(slug: str, check: Check) -> Row:
    def made() -> Row:
        folder = find(os.path.join(DEBATES, slug))
        check(folder)
        rendered = render(folder)
        position = engine.look(folder)
        debate = position.debate
        motion = debate_file.framing(debate.body).motion
        return Row(slug, debate.protocol, motion, _place(position), debate.created, rendered)

    row = of_one(made)
    return row if isinstance(row, Row) else Row(slug, error=row)


def _place(position: engine.Position) -> str:
    """Return where a debate is, and whether anything is due."""
    where = engine.where(position.debate)
    if isinstance(position.due, Done):
        return where if where == position.debate.state.phase else f"{where}, nothing is due"
    return f"{where}, a person is awaited" if isinstance(position.due, Waiting) else where


def page(rows: Iterable[Row]) -> str:
    """Return the index in Markdown, the debates in the order of their names.

    Links are relative to the folder that holds the debates.
    """
    ordered = sorted(rows, key=lambda row: row.slug)
    failed = sum(row.error is not None for row in ordered)
    total = f"{counted(len(ordered), 'debate')}."
    missing = f" {failed} of them could not be rendered: see the table." if failed else ""
    blocks = (
        Paragraph(line(f"{total}{missing}")),
        Table(_HEADS, tuple(map(_cells, ordered))),
        Paragraph(line(f"Rendered by debate-ops {__version__} from the records of these debates.")),
    )
    return f"# Debates\n\n{InMarkdown().blocks(blocks)}\n"


def _cells(row: Row) -> tuple[Line, ...]:
    if row.rendered is None:
        why = shorten(_sentence(row.error), _ERROR) if row.error else ""
        answer = line(Strong("Not rendered:"), f" {why}")
        return (line(row.slug), line(), line(), answer, line(), line(), line())
    pages = [Anchor(name, f"{row.slug}/{name}") for name in (README, PAGE)]
    motion = shorten(row.motion, _MOTION) or "(no motion)"
    return (
        line(Anchor(motion, pages[0].target)),
        line(row.protocol),
        line(shorten(row.place, _PLACE)),
        line(shorten(row.rendered.answer, _RESULT)),
        line(row.rendered.sure),
        line(row.begun.partition("T")[0]),
        line(pages[0], ", ", pages[1]),
    )


def _sentence(error: DebateError) -> str:
    """Return an error with its first fault, and how many more there are."""
    first = [fault.sentence() for fault in error.faults[:1]]
    more = len(error.faults) - 1
    return "; ".join([error.message, *first]) + (f" (and {more} more)" if more > 0 else "")
