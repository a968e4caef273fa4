"""What pages are made of: lines of spans, and blocks of lines. Every text in them is plain.

`in_markdown` writes them as Markdown, a template of the page as HTML. What a text holds is shown
and never read as markup, whoever wrote it.
"""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.reports.charts import Chart


class Strong(NamedTuple):
    """Words that stand out."""

    text: str


class Quiet(NamedTuple):
    """Words that stand back."""

    text: str


class Ref(NamedTuple):
    """A link to an entry of the record; shown by its title, or by its id where it has none."""

    id: str
    title: str = ""


class Quote(NamedTuple):
    """Words as they are in an entry or in a point of the context."""

    words: str
    source: str = ""


class Anchor(NamedTuple):
    """A link to a place on the page, or to a file of the folder."""

    text: str
    target: str


Span = str | Strong | Quiet | Ref | Quote | Anchor
Line = tuple[Span, ...]


class Heading(NamedTuple):
    """A heading inside of a section; `tone` is 1 or 2 where it is about one of two choices."""

    text: str
    tone: int = 0


class Paragraph(NamedTuple):
    """A line of its own."""

    line: Line


class Listing(NamedTuple):
    """A list."""

    lines: tuple[Line, ...]
    ordered: bool = False


class Table(NamedTuple):
    """A table; on a narrow screen each row is a card, its cells behind their heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


class Said(NamedTuple):
    """A text as its author wrote it: its lists, emphasis, code and tables are shown as such."""

    text: str


class Picture(NamedTuple):
    """The map of the debate as SVG, and what it shows in words."""

    svg: str
    alt: str


class Fold(NamedTuple):
    """Blocks behind a summary that opens them."""

    summary: str
    blocks: tuple[Block, ...]


class Columns(NamedTuple):
    """Blocks side by side where there is room, one below the other where there is none."""

    columns: tuple[tuple[Block, ...], ...]


Block = Heading | Paragraph | Listing | Table | Said | Picture | Fold | Columns | Chart


class Section(NamedTuple):
    """Blocks under a heading; `key` is where a link to it leads."""

    key: str
    title: str
    blocks: tuple[Block, ...]


def words(spans: Line) -> str:
    """Return a line as plain words: an entry is named by its title."""
    return "".join(map(_words, spans))


def _words(span: Span) -> str:
    match span:
        case Ref(id, title):
            return title or id
        case Quote(said, _):
            return f"“{said}”"
        case str():
            return span
        case _:
            return span.text


def line(*spans: Span) -> Line:
    """Return spans as a line."""
    return spans
