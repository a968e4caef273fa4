"""The page over all debates of a folder: a table with a row each, pure text from values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from debate_ops import __version__
from debate_ops.reports.files_drawn import README
from debate_ops.reports.in_markdown import table
from debate_ops.reports.text import counted, inline, shorten

_MOTION, _PLACE, _RESULT, _ERROR = 120, 60, 160, 200
_HEADS = ("Debate", "Protocol", "Where it stands", "Answer", "How sure", "Begun", "Pages")
_NO_MOTION = "(no motion)"


class Row(NamedTuple):
    """What the index tells of one debate; `files` are its pages by their names in its folder.

    `error` says why a debate could not be drawn; nothing else may be known of it then.
    """

    slug: str
    protocol: str = ""
    motion: str = ""
    place: str = ""
    answer: str = ""
    sure: str = ""
    begun: str = ""
    files: tuple[str, ...] = ()
    error: str = ""


def page(rows: Iterable[Row]) -> str:
    """Return the index in Markdown, the debates in the order of their names.

    Links are relative to the folder that holds the debates.
    """
    ordered = sorted(rows, key=lambda row: row.slug)
    return "\n\n".join(_blocks(ordered)) + "\n"


def _blocks(rows: list[Row]) -> Iterator[str]:
    yield "# Debates"
    failed = sum(bool(row.error) for row in rows)
    total = f"{counted(len(rows), 'debate')}."
    yield f"{total} {failed} of them could not be drawn: see the table." if failed else total
    yield table(_HEADS, map(_cells, rows))
    yield f"Drawn by debate-ops {__version__} from the records of these debates."


def _cells(row: Row) -> list[str]:
    return [
        _motion(row),
        inline(row.protocol),
        inline(shorten(row.place, _PLACE)),
        f"**Not drawn:** {inline(shorten(row.error, _ERROR))}"
        if row.error
        else inline(shorten(row.answer, _RESULT)),
        inline(row.sure),
        inline(row.begun.partition("T")[0]),
        ", ".join(_link(name, row.slug, name) for name in row.files),
    ]


def _motion(row: Row) -> str:
    name = shorten(row.motion, _MOTION) or _NO_MOTION
    shown = row.slug if row.error and not row.motion else name
    return _link(shown, row.slug, README) if README in row.files else inline(shown)


def _link(text: str, slug: str, name: str) -> str:
    return f"[{inline(text)}]({slug}/{name})"
