"""Charts by matplotlib: plain numbers and words in, SVG for the page and PNG for the folder out.

A chart knows nothing of debates. Its SVG has the variables of the page for colours, so it follows
the reader's theme; its PNG has the colours of one theme. Whatever it has to say stands in words,
too: `facts` are its numbers with their labels, `words` all of it as one sentence.
"""

from __future__ import annotations

import hashlib
import io
import logging
import warnings
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from xml.etree import ElementTree as ET

from markupsafe import Markup

from debate_ops.core.texts import one_line
from debate_ops.report.svg import LINE, PALETTES, SIZE, Palette, tag
from debate_ops.report.words import count, ems_of, fit, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 400
"""In points, which are pixels of the SVG; a phone shows nine tenths of it."""
MOST = 40
"""Rows that a reader takes in; a table has the others."""

_EDGE, _LANE, _GAP = 8, 14, 10
_LEFT, _RIGHT = _EDGE, WIDTH - _EDGE
_ROOM = _RIGHT - _LEFT
_BOLD = 1.12
"""How much wider bold letters are than others."""
_INKS = ("muted", "first", "second")
_DOT = 9
_PART = 0.97
"""How far the longest bar goes."""
_TITLE_LINES, _LABEL_LINES, _MOST_SAID = 3, 3, 0.55
_HIGH = 150
_CELL = 22
_DASHED = (0, (4, 3))
_COLOURS = 128
_LOOK = 2
"""Raised when the same chart is to look otherwise: those that are there are drawn again."""

Ends = tuple[str, str]


class Row(NamedTuple):
    """A labelled row of a chart; `said` is what its values come to, in words.

    `tone` is 1 or 2 for one of two choices, 0 for none.
    """

    label: str
    values: tuple[float, ...]
    said: str
    tone: int = 0


class Rows(NamedTuple):
    """A chart with a row for each label, all on one scale.

    As `bars` a row shows one value; as `course` its values in time, the last one filled. `ends`
    name the directions below and above 0, `limit` is a mark across all rows with its name, and
    `most` the end of the scale where the numbers themselves do not set it.
    """

    name: str
    title: str
    rows: tuple[Row, ...]
    unit: str = ""
    form: Literal["bars", "course"] = "bars"
    ends: Ends = ("", "")
    limit: tuple[float, str] | None = None
    most: float = 0

    @property
    def numbers(self) -> int:
        """How many numbers it shows."""
        return sum(len(row.values) if self.form == "course" else 1 for row in self.rows)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Each row in words: its label, and what its values come to."""
        facts = []
        for row in self.rows:
            end = self.ends[row.values[-1] > 0] if self.form == "bars" and row.values[-1] else ""
            facts.append((row.label, f"{end}, by {row.said}" if end else row.said))
        return tuple(facts)


class Steps(NamedTuple):
    """A chart of one number as it changed from step to step, with 0 as its middle.

    `steps` are their labels, values and words; below the chart a label stands without the word
    `axis` before it. `ends` name what is below and above 0.
    """

    name: str
    title: str
    steps: tuple[tuple[str, float, str], ...]
    unit: str = ""
    axis: str = ""
    ends: Ends = ("", "")

    @property
    def numbers(self) -> int:
        """How many numbers it shows."""
        return len(self.steps)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Each step in words."""
        return tuple(
            (label, f"{self.ends[value > 0]}, by {said}" if value else said)
            for label, value, said in self.steps
        )


class Grid(NamedTuple):
    """A chart of numbers from 0 to `most` by row and column; None where there is none."""

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    unit: str = ""
    most: float = 100

    @property
    def numbers(self) -> int:
        """How many numbers it shows."""
        return sum(value is not None for _, values in self.rows for value in values)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Each row in words."""
        return tuple(
            (
                label,
                ", ".join(f"{_cell(v)} in {h}" for h, v in zip(self.heads, values, strict=True)),
            )
            for label, values in self.rows
        )


Chart = Rows | Steps | Grid


def select_drawable(*charts: Chart) -> tuple[Chart, ...]:
    """Return the charts that have more than one number: one alone is better said than drawn."""
    return tuple(chart for chart in charts if chart.numbers > 1)


def words(chart: Chart) -> str:
    """Return a chart as a sentence, for those who do not see it."""
    limit = f"dashed line: {chart.limit[1]}" if isinstance(chart, Rows) and chart.limit else ""
    each = [f"{label}: {said}" for label, said in chart.facts]
    return f"{chart.title}: {'; '.join(filter(None, [*each, limit]))}"


def digest(chart: Chart) -> str:
    """Return a digest of all that a chart is drawn from."""
    return hashlib.sha256(repr((_LOOK, PALETTES, chart)).encode()).hexdigest()[:32]


def stand_in(chart: Chart) -> Markup:
    """Return what stands for the SVG of a chart in a page that is only compared."""
    return tag("svg", data_drawn=digest(chart))


@lru_cache(maxsize=64)
def png(chart: Chart, palette: Palette) -> bytes:
    """Return a chart as a picture in the colours of a theme, twice as large as it is shown."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    raw = _drawn(chart, palette, format="raw", dpi=2 * 72)
    wide = 2 * WIDTH
    image = Image.frombytes("RGBA", (wide, len(raw) // wide // 4), raw).convert("RGB")
    file, about = io.BytesIO(), PngInfo()
    about.add_text(
        "Comment", f"Rendered by debate-ops from the record; changes here are lost. {digest(chart)}"
    )
    small = image.quantize(_COLOURS, Image.Quantize.FASTOCTREE)  # a fourth of the bytes
    small.save(file, "png", pnginfo=about)
    return file.getvalue()


@lru_cache(maxsize=64)
def svg(chart: Chart) -> Markup:
    """Return a chart as SVG for a page that has the colours of `Palette` as variables.

    What matplotlib writes has styles, which the policy of the page forbids, and ids, which those of
    another chart would repeat: of its shapes, only what they look like is kept, as attributes.
    """
    palette = PALETTES["light"]
    drawn = _drawn(chart, palette, format="svg", metadata={"Date": None, "Creator": None})
    root = ET.fromstring(drawn)  # noqa: S314  (written by matplotlib, which escapes every text)
    variables = {colour: f"var(--{name})" for name, colour in palette._asdict().items()}
    return tag(
        "svg",
        *(_shape(part, variables) for part in root.iter() if part.tag in {_PATH, _TEXT}),
        viewBox=root.get("viewBox"),
        role="img",
        aria_label=one_line(words(chart)),
        font_size=SIZE,
    )


_PATH, _TEXT = ("{http://www.w3.org/2000/svg}" + name for name in ("path", "text"))
_LOOKS = {"fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"}
_LOOKS |= {"font-weight", "text-anchor"}


def _shape(part: ET.Element, variables: dict[str, str]) -> Markup:
    items = (item.partition(": ") for item in part.get("style", "").split("; "))
    styles = {name: variables.get(value, value) for name, _, value in items}
    looks = {name: value for name, value in styles.items() if name in _LOOKS}
    if part.tag == _TEXT:
        if styles.get("font", "").startswith("700 "):  # as matplotlib 3.9 has it
            looks["font-weight"] = "700"
        return tag("text", part.text or "", x=part.get("x"), y=part.get("y"), **looks)
    return tag("path", d=" ".join(part.get("d", "").split()), **looks)


def _drawn(chart: Chart, palette: Palette, **how: Any) -> bytes:
    """Return a chart as matplotlib saves it, whatever its reader has set for matplotlib."""
    import matplotlib as mpl  # takes longer than all else of a report

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # that it makes a cache is no news
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that no font here has
        dict.update(mpl.rcParams, mpl.rcParamsDefault)  # unlike rcdefaults(), checks none again
        mpl.rcParams.update({"svg.fonttype": "none", "text.hinting": "none"})
        file = io.BytesIO()
        _make_figure(chart, palette).savefig(file, **how)
    return file.getvalue()


@lru_cache(maxsize=1)
def _make_figure(chart: Chart, palette: Palette) -> Figure:
    return _Canvas(palette).figure_of(chart)


def _measured(text: str, *, bold: bool = False) -> float:
    return sum(map(ems_of, text)) * SIZE * (_BOLD if bold else 1)


def _in_lines(text: str, room: float, most: int, *, bold: bool = False) -> tuple[str, ...]:
    return wrap(text, room / SIZE / (_BOLD if bold else 1), most)


def _cell(value: float | None) -> str:
    return "\N{EN DASH}" if value is None else f"{value:g}"


class _Canvas:
    """A picture as wide as `WIDTH` that grows downwards: `y` is where it has come to, in points."""

    def __init__(self, palette: Palette) -> None:
        from matplotlib.figure import Figure

        self.palette, self.y = palette, float(_EDGE)
        self.figure = Figure(facecolor=palette.ground)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()

    def figure_of(self, chart: Chart) -> Figure:
        for title in _in_lines(chart.title, _ROOM, _TITLE_LINES, bold=True):
            self.line(title, bold=True)
        for unit in _in_lines(chart.unit, _ROOM, _TITLE_LINES):
            self.line(unit, "muted")
        self.y += _GAP / 2
        match chart:
            case Rows():
                self.rows(chart)
            case Steps():
                self.steps(chart)
            case Grid():
                self.grid(chart)
        height = self.y + _EDGE
        self.axes.set(xlim=(0, WIDTH), ylim=(height, 0))
        self.figure.set_size_inches(WIDTH / 72, height / 72)
        self.figure.set_dpi(72)
        return self.figure

    def ink(self, name: str) -> str:
        return str(getattr(self.palette, name))

    def text(self, at: tuple[float, float], words: str, colour: str = "text", **how: Any) -> None:
        """Write a line of text on a point of its base line, as it is: a dollar is a dollar."""
        ink = self.ink(colour)
        looks: dict[str, Any] = {"fontsize": SIZE, "color": ink, "parse_math": False, **how}
        self.axes.text(*at, one_line(words), **looks)

    def line(self, words: str, colour: str = "text", *, bold: bool = False) -> None:
        """Write a line of text below what there is."""
        self.y += LINE
        self.text((_LEFT, self.y - 4), words, colour, weight="bold" if bold else "normal")

    def rule(
        self, start: tuple[float, float], end: tuple[float, float], colour: str, **how: Any
    ) -> None:
        """Draw a line between two points."""
        (x0, y0), (x1, y1) = start, end
        how = {"linewidth": 1, "clip_on": False, "zorder": 1} | how
        self.axes.plot([x0, x1], [y0, y1], color=self.ink(colour), **how)

    def dot(
        self, x: float, y: float, colour: str, *, filled: bool = True, size: float = _DOT
    ) -> None:
        """Draw a dot, or a ring."""
        from matplotlib.patches import Ellipse

        face = self.ink(colour if filled else "ground")
        looks: dict[str, Any] = {"facecolor": face, "edgecolor": self.ink(colour), "linewidth": 1.6}
        self.axes.add_artist(Ellipse((x, y), size, size, clip_on=False, zorder=3, **looks))

    def box(self, left: float, width: float, colour: str, **how: Any) -> None:
        """Draw a bar in the lane below what there is, unless `top` says where."""
        top, high = how.pop("top", self.y), how.pop("height", _LANE)
        looks: dict[str, Any] = {"facecolor": self.ink(colour), "linewidth": 0, "zorder": 2, **how}
        self.axes.barh([top + high / 2], [width], left=[left], height=high, clip_on=False, **looks)

    def ends(self, ends: Ends, middle: float) -> None:
        """Write what the directions left and right of a middle mean."""
        if any(ends):
            room = _ROOM / 2 - 2 * SIZE
            (first, *others), above = (_in_lines(end, room, _LABEL_LINES) or ("",) for end in ends)
            below = (f"\N{LEFTWARDS ARROW} {first}", *others)
            above = (*above[:-1], f"{above[-1]} \N{RIGHTWARDS ARROW}")
            for left, right in zip_longest(below, above, fillvalue=""):
                self.y += LINE
                self.text((middle - 6, self.y - 4), left, "muted", ha="right")
                self.text((middle + 6, self.y - 4), right, "muted")
            self.y += _GAP / 2

    def rows(self, chart: Rows) -> None:
        values = [v for r in chart.rows for v in r.values]
        limit = chart.limit[0] if chart.limit else 0.0
        most = max(chart.most, limit, *map(abs, values)) or 1
        two_ways = any(chart.ends) or min(values) < 0
        zero = WIDTH / 2 if two_ways else float(_LEFT)
        scale = (_RIGHT - zero) * (_PART if not chart.most else 1) / most
        self.ends(chart.ends, zero)
        lanes = []
        if chart.limit:
            self.y += LINE
            x = zero + limit * scale
            is_right = x > WIDTH / 2
            named = fit(chart.limit[1], _ROOM / 2 / SIZE)
            self.text((x, self.y - 4), named, ha="right" if is_right else "left")
        for row in chart.rows[:MOST]:
            self.label(row)
            lanes.append(self.y)
            self.lane(chart, row, zero, scale)
            self.y += _LANE + _GAP
        for y in lanes:
            self.rule((zero, y - 1), (zero, y + _LANE + 1), "text")
            if chart.limit:
                x = zero + limit * scale
                ends = (x, y - 1), (x, y + _LANE + 1)
                self.rule(*ends, "text", linestyle=_DASHED, linewidth=1.6, zorder=4)
        if more := len(chart.rows) - MOST:
            self.line(f"and {count(more, 'row')} more", "muted") if more > 0 else None

    def label(self, row: Row) -> None:
        """Write what a row is about, and at its end what it comes to."""
        wide = _measured(row.said, bold=True)
        is_short = wide < _ROOM * _MOST_SAID
        room = _ROOM - wide - SIZE if is_short else _ROOM
        for number, words in enumerate(_in_lines(row.label, room, _LABEL_LINES) or ("",)):
            self.line(words)
            if is_short and not number:
                at = (_RIGHT, self.y - 4)
                self.text(at, row.said, ha="right", weight="bold")
        for words in () if is_short else _in_lines(row.said, _ROOM, _LABEL_LINES, bold=True):
            self.line(words, bold=True)
        self.y += 2

    def lane(self, chart: Rows, row: Row, zero: float, scale: float) -> None:
        """Draw the values of a row."""
        colour, places = _INKS[row.tone], [zero + value * scale for value in row.values]
        if chart.form == "bars":
            left, right = sorted((zero, places[-1]))
            self.box(left, right - left, colour)
        else:
            y = self.y + _LANE / 2
            self.rule((_LEFT, y), (_RIGHT, y), "line")
            self.rule((min(places), y), (max(places), y), colour, linewidth=2.4, zorder=2)
            for place in places[:-1]:
                self.dot(place, y, colour, filled=False)
            self.dot(places[-1], y, colour)

    def steps(self, chart: Steps) -> None:
        """Draw how a number changed: above the middle it is of the first colour."""
        self.line(fit(f"\N{UPWARDS ARROW} {one_line(chart.ends[1])}", _ROOM / SIZE), "first")
        values = [value for _, value, _ in chart.steps]
        highest, lowest = max(0, *values), min(0, *values)
        scale = _HIGH / (highest - lowest or 1)
        self.y += _GAP / 2
        zero = self.y + LINE + highest * scale
        wide = max(_measured(said, bold=True) for _, _, said in chart.steps)
        apart = (_ROOM - wide) / (len(values) - 1)
        places = [_LEFT + wide / 2 + n * apart for n in range(len(values))]
        points = [zero - value * scale for value in values]
        self.rule((_LEFT, zero), (_RIGHT, zero), "muted")
        self.axes.plot(places, points, color=self.ink("text"), linewidth=1.8, zorder=2)
        ends = {values.index(highest) if highest else -1, values.index(lowest) if lowest else -1}
        for n, (x, y, value) in enumerate(zip(places, points, values, strict=True)):
            colour = _INKS[(value > 0) + 2 * (value < 0)]
            self.dot(x, y, colour, size=min(_DOT, apart))
            if apart >= wide + 4 or n in ends | {len(values) - 1}:
                beside = values[max(n - 1, 0) : n + 2]
                at = (x, y - 9 if len(beside) * value >= sum(beside) else y + 9 + SIZE * 0.75)
                behind = {"facecolor": self.ink("ground"), "linewidth": 0, "pad": 1}
                self.text(at, chart.steps[n][2], colour, ha="center", weight="bold", bbox=behind)
        self.y += LINE + _HIGH + LINE + 4
        self.line(fit(f"\N{DOWNWARDS ARROW} {one_line(chart.ends[0])}", _ROOM / SIZE), "second")
        self.under(chart, places)

    def under(self, chart: Steps, places: Sequence[float]) -> None:
        """Write the names of steps below them, as many as fit."""
        self.y += LINE
        free = float(_LEFT)
        for x, (name, _, _) in zip(places, chart.steps, strict=True):
            label = name.removeprefix(f"{chart.axis} ")
            half = _measured(label) / 2
            middle = min(max(x, _LEFT + half), _RIGHT - half)
            if middle - half >= free:
                self.text((middle, self.y - 4), label, "muted", ha="center")
                free = middle + half + SIZE

    def grid(self, chart: Grid) -> None:
        """Draw numbers by row and column, each in a cell as strong as it is large."""
        wide = _ROOM / len(chart.heads)
        self.y += LINE
        for column, head in enumerate(chart.heads):
            at = (_LEFT + (column + 0.5) * wide, self.y - 4)
            self.text(at, fit(head, (wide - 4) / SIZE), "muted", ha="center")
        for label, values in chart.rows[:MOST]:
            self.line(fit(label, _ROOM / SIZE))
            self.y += 2
            for column, value in enumerate(values):
                left = _LEFT + column * wide
                shade = 0.08 + 0.5 * (value or 0) / chart.most
                if value is not None:
                    self.box(left + 1, wide - 2, "first", alpha=shade, height=_CELL)
                at = (left + wide / 2, self.y + _CELL - 6)
                self.text(at, _cell(value), ha="center")
            self.y += _CELL + 4
