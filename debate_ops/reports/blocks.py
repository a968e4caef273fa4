"""What pages are made of: lines of spans, and blocks of lines. Every text in them is plain.

`in_markdown` writes them as Markdown, a template of the page as HTML. What a text holds is shown
and never read as markup, whoever wrote it.
"""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.model.score import Millis


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


class Bar(NamedTuple):
    """One bar of a picture.

    `number` is its length: below 0 it points to the left. `value` is written at its end.
    `detail` explains the label; `tone` is 1 or 2 for one of two choices, 0 for none. One that
    `decides` is dashed.
    """

    label: str
    number: Millis
    value: str
    detail: str = ""
    tone: int = 0
    decides: bool = False


_WIDTH, _PART = 1000, 0.98


class Bars(NamedTuple):
    """A picture of bars on one scale.

    `ends` name the directions, left and right; where nothing points to the left, only the right
    one is used. `limit` is a mark across all bars, with its name; `total` is below them.
    """

    title: str
    bars: tuple[Bar, ...]
    ends: tuple[str, str] = ("", "")
    limit: tuple[Millis, str] | None = None
    total: str = ""
    caption: str = ""

    @property
    def axis(self) -> int:
        """Where 0 is on a scale of 1000: in the middle if anything points to the left."""
        two_ways = any(self.ends) or any(bar.number < 0 for bar in self.bars)
        return _WIDTH // 2 if two_ways else 0

    def length(self, number: int) -> int:
        """Return how long a bar is on that scale; the longest leaves a little room."""
        limit = self.limit[0] if self.limit else 0
        most = max([limit, *(abs(bar.number) for bar in self.bars)]) or 1
        return round(abs(number) * (_WIDTH - self.axis) * _PART / most)

    def value(self, bar: Bar) -> str:
        """Return the value of a bar with where it points, for those who do not see it."""
        end = self.ends[bar.number > 0] if bar.number else ""
        return f"{end}, by {bar.value}" if end else bar.value

    @property
    def words(self) -> str:
        """All of it as a sentence, for those who do not see it."""
        each = "; ".join(f"{bar.label}: {self.value(bar)}" for bar in self.bars)
        limit = f"; {self.limit[1]}" if self.limit else ""
        return ". ".join(filter(None, [f"{self.title}: {each}{limit}", self.total]))


Block = Heading | Paragraph | Listing | Table | Said | Picture | Fold | Columns | Bars


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
