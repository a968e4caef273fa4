"""Charts by matplotlib: plain numbers and words in, SVG for the page and PNG for the folder out.

Sides differ in blue and orange, for all kinds of sight, and never in colour alone. A chart knows
nothing of debates. Its SVG has the variables of the page for colours, so it follows the reader's
theme; its PNG has the colours of one theme. Whatever it has to say stands in `words`, too.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from xml.etree import ElementTree as ET

from markupsafe import Markup

from debate_ops.core.texts import one_line
from debate_ops.report.words import ems_of, shorten, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Palette(NamedTuple):
    """Colours by name: text in any of the others is readable on `ground`."""

    ground: str
    text: str
    muted: str
    line: str
    first: str
    second: str


PALETTES: Mapping[str, Palette] = {
    "light": Palette("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#1f6fb2", "#b4530a"),
    "dark": Palette("#0d1117", "#f0f6fc", "#9198a1", "#3d444d", "#58a6ff", "#e3803c"),
}
SIZE, LINE = 13, 17
"""The size of letters, and from one line of text to the next."""


class Picture(NamedTuple):
    """A picture in SVG, and what it shows in words."""

    svg: Markup
    alt: str


def write_file(picture: Picture, palette: Palette, page: str) -> str:
    """Return a picture as a file in the folder of charts; its entries lead to the page."""
    svg = re.sub(r'"var\(--([a-z]+)\)"', lambda m: f'"{getattr(palette, m[1])}"', picture.svg)
    svg = svg.replace(' href="#', f' href="../{page}#')
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{named}\n'


WIDTH = 400
"""In points, which are pixels of the SVG; a phone shows nine tenths of it."""

_LEFT, _RIGHT = 8, WIDTH - 8
_ROOM = _RIGHT - _LEFT
_BAR, _GAP, _DOT, _HIGH = 14, 10, 9, 150
_LINES = 3
"""Of a title or a label; what is longer is cut."""
_INKS = ("muted", "first", "second")
_LOOK = 4
"""Raised when the same chart is to look otherwise: those that are there are drawn again."""


class Row(NamedTuple):
    """A labelled row of a chart, or a step; `said` is what its values come to, in words.

    `tone` is 1 or 2 for one of two choices, 0 for none.
    """

    label: str
    values: tuple[float, ...]
    said: str
    tone: int = 0


class Chart(NamedTuple):
    """A chart of rows on one scale.

    As `bars` a row shows one value, as `course` its values in time, the last one filled; `steps` is
    one number as it changed from row to row. `ends` name what is below and above 0, `limit` is a
    mark across all rows with its name, and `most` the end of the scale where the numbers
    themselves do not set it.
    """

    name: str
    title: str
    rows: tuple[Row, ...]
    form: Literal["bars", "course", "steps"] = "bars"
    unit: str = ""
    ends: tuple[str, str] = ("", "")
    limit: tuple[float, str] | None = None
    most: float = 0


def words(chart: Chart) -> str:
    """Return a chart as a sentence, for those who do not see it."""
    parts = []
    for row in chart.rows:
        end = chart.ends[row.values[-1] > 0] if chart.form == "steps" and row.values[-1] else ""
        parts.append(f"{row.label}: {end}, by {row.said}" if end else f"{row.label}: {row.said}")
    if chart.limit:
        parts.append(f"dashed line: {chart.limit[1]}")
    return f"{chart.title}: {'; '.join(parts)}"


def digest(chart: Chart) -> str:
    """Return a digest of all that a chart is drawn from."""
    return hashlib.sha256(repr((_LOOK, PALETTES, chart)).encode()).hexdigest()[:32]


@lru_cache(maxsize=64)
def png(chart: Chart, palette: Palette) -> bytes:
    """Return a chart as a picture in the colours of a theme, twice as large as it is shown."""
    mark = f"Rendered by debate-ops from the record; changes here are lost. {digest(chart)}"
    return _save(chart, palette, format="png", dpi=144, metadata={"Comment": mark})


@lru_cache(maxsize=64)
def svg(chart: Chart) -> Markup:
    """Return a chart as SVG for a page that has the colours of `Palette` as variables.

    What matplotlib writes has styles, which the policy of the page forbids, and ids, which those of
    another chart would repeat: of its shapes, only what they look like is kept, as attributes.
    """
    palette = PALETTES["light"]
    drawn = _save(chart, palette, format="svg", metadata={"Date": None, "Creator": None})
    root = ET.fromstring(drawn)  # noqa: S314  (written by matplotlib, which escapes every text)
    variables = {colour: f"var(--{name})" for name, colour in palette._asdict().items()}
    looks = {"data-drawn": digest(chart), "viewBox": root.get("viewBox", ""), "role": "img"}
    looks |= {"aria-label": one_line(words(chart)), "font-size": str(SIZE)}
    shown = ET.Element("svg", looks)
    shown.extend(_shape(part, variables) for part in root.iter() if part.tag in {_PATH, _TEXT})
    text = ET.tostring(shown, encoding="unicode", short_empty_elements=False)
    return Markup(text)  # noqa: S704  (written by ElementTree, which escapes every text)


_PATH, _TEXT = ("{http://www.w3.org/2000/svg}" + name for name in ("path", "text"))
_LOOKS = {"fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"}
_LOOKS |= {"font-weight", "text-anchor"}


def _shape(part: ET.Element, variables: dict[str, str]) -> ET.Element:
    items = (item.partition(": ") for item in part.get("style", "").split("; "))
    styles = {name: variables.get(value, value) for name, _, value in items}
    looks = {name: value for name, value in styles.items() if name in _LOOKS}
    if part.tag == _PATH:
        return ET.Element("path", {"d": " ".join(part.get("d", "").split()), **looks})
    if styles.get("font", "").startswith("700 "):  # as matplotlib 3.9 has it
        looks["font-weight"] = "700"
    shown = ET.Element("text", {"x": part.get("x", ""), "y": part.get("y", ""), **looks})
    shown.text = part.text
    return shown


def _save(chart: Chart, palette: Palette, **how: Any) -> bytes:
    """Return a chart as matplotlib saves it, whatever its reader has set for matplotlib."""
    import matplotlib as mpl  # takes longer than all else of a report

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # that it makes a cache is no news
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that no font here has
        dict.update(mpl.rcParams, mpl.rcParamsDefault)  # unlike rcdefaults(), checks none again
        mpl.rcParams.update({"svg.fonttype": "none", "text.hinting": "none"})
        file = io.BytesIO()
        _Drawing(palette).draw_chart(chart).savefig(file, **how)
    return file.getvalue()


class _Drawing:
    """A picture as wide as `WIDTH` that grows downwards: `y` is where it has come to, in points."""

    def __init__(self, palette: Palette) -> None:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        self.palette, self.y = palette, float(_GAP)
        self.figure = Figure(facecolor=palette.ground)
        self.scale = Affine2D()
        self.transform = self.scale + self.figure.transSubfigure

    def draw_chart(self, chart: Chart) -> Figure:
        self.write_text(chart.title, bold=True)
        self.write_text(chart.unit, "muted")
        self.y += _GAP / 2
        if chart.form == "steps":
            self.draw_steps(chart)
        else:
            self.draw_rows(chart)
        height = self.y + _GAP
        self.scale.scale(1 / WIDTH, -1 / height).translate(0, 1)
        self.figure.set_size_inches(WIDTH / 72, height / 72)
        self.figure.set_dpi(72)
        return self.figure

    def find_colour(self, name: str) -> str:
        return str(getattr(self.palette, name))

    def write_line(self, x: float, words: str, colour: str = "text", **how: Any) -> None:
        """Write a line of text above `y`, as it is: a dollar is a dollar."""
        y = how.pop("y", self.y - 4)
        looks = {"fontsize": SIZE, "color": self.find_colour(colour), "parse_math": False, **how}
        self.figure.text(x, y, one_line(words), transform=self.transform, **looks)

    def write_text(self, words: str, colour: str = "text", *, bold: bool = False) -> None:
        """Write a text below what there is, in as many lines as it takes."""
        room = _ROOM / SIZE / (1.12 if bold else 1)  # bold letters are wider
        for line in wrap(words, room, _LINES):
            self.y += LINE
            self.write_line(_LEFT, line, colour, weight="bold" if bold else "normal")

    def draw_line(self, xs: list[float], ys: list[float], colour: str, **how: Any) -> None:
        from matplotlib.lines import Line2D

        looks = {"linewidth": 1, "zorder": 1, "color": self.find_colour(colour), **how}
        self.figure.add_artist(Line2D(xs, ys, transform=self.transform, **looks))

    def draw_dot(self, x: float, y: float, colour: str, *, filled: bool = True) -> None:
        """Draw a dot, or a ring."""
        from matplotlib.patches import Ellipse

        face = self.find_colour(colour if filled else "ground")
        looks: dict[str, Any] = {
            "facecolor": face,
            "edgecolor": self.find_colour(colour),
            "linewidth": 1.6,
        }
        dot = Ellipse((x, y), _DOT, _DOT, zorder=3, transform=self.transform, **looks)
        self.figure.add_artist(dot)

    def draw_rows(self, chart: Chart) -> None:
        """Draw each row below its label: a bar from 0, or its values as dots."""
        from matplotlib.patches import Rectangle

        numbers = [v for row in chart.rows for v in row.values]
        numbers += [chart.limit[0] if chart.limit else 0]
        most = chart.most or max(map(abs, numbers)) * 1.03 or 1
        zero = WIDTH / 2 if any(chart.ends) or min(numbers) < 0 else _LEFT
        scale = (_RIGHT - zero) / most
        if any(chart.ends):
            self.y += LINE
            self.write_line(zero - 6, f"\N{LEFTWARDS ARROW} {chart.ends[0]}", "muted", ha="right")
            self.write_line(zero + 6, f"{chart.ends[1]} \N{RIGHTWARDS ARROW}", "muted")
        limit = zero + numbers[-1] * scale
        if chart.limit:
            self.y += LINE
            named = shorten(chart.limit[1], _ROOM / 2 / SIZE, ems_of)
            self.write_line(limit, named, ha="right" if limit > WIDTH / 2 else "left")
        for row in chart.rows:
            self.write_text(f"{one_line(row.label)}: {row.said}")
            self.y += 2
            places = [zero + value * scale for value in row.values]
            middle, colour = self.y + _BAR / 2, _INKS[row.tone]
            if chart.form == "bars":
                looks: dict[str, Any] = {"color": self.find_colour(colour), "linewidth": 0}
                looks["transform"] = self.transform
                bar = Rectangle((zero, self.y), places[-1] - zero, _BAR, **looks)
                self.figure.add_artist(bar)
            else:
                self.draw_line([_LEFT, _RIGHT], [middle] * 2, "line")
                self.draw_line(
                    [min(places), max(places)], [middle] * 2, colour, linewidth=2.4, zorder=2
                )
                for place in places[:-1]:
                    self.draw_dot(place, middle, colour, filled=False)
                self.draw_dot(places[-1], middle, colour)
            ends = [self.y - 1, self.y + _BAR + 1]
            self.draw_line([zero] * 2, ends, "text")
            if chart.limit:
                dashes = {"linestyle": (0, (4, 3)), "linewidth": 1.6, "zorder": 4}
                self.draw_line([limit] * 2, ends, "text", **dashes)
            self.y += _BAR + _GAP

    def draw_steps(self, chart: Chart) -> None:
        """Draw how a number changed: above the middle it is of the first colour.

        Of the words at its points and below them there are as many as there is room for.
        """
        self.y += LINE
        below, above = (shorten(end, _ROOM / SIZE - 2, ems_of) for end in chart.ends)
        self.write_line(_LEFT, f"\N{UPWARDS ARROW} {above}", "first")
        values = [row.values[-1] for row in chart.rows]
        scale = _HIGH / (max(0, *values) - min(0, *values) or 1)
        zero = self.y + 1.5 * LINE + max(0, *values) * scale
        named = [row.label.rpartition(" ")[2] for row in chart.rows]
        said = [
            word for row, name in zip(chart.rows, named, strict=True) for word in (row.said, name)
        ]
        wide = max(sum(map(ems_of, word)) * SIZE * 1.12 for word in said)
        apart = (_ROOM - SIZE - wide) / (len(values) - 1)
        every = ceil((wide + 6) / apart)
        places = [_LEFT + SIZE + wide / 2 + n * apart for n in range(len(values))]
        self.write_line(_LEFT, "0", "muted", y=zero + 4)
        self.draw_line([_LEFT + SIZE, _RIGHT], [zero] * 2, "muted")
        self.draw_line(places, [zero - v * scale for v in values], "text", linewidth=1.8, zorder=2)
        self.y += _HIGH + 4 * LINE
        for n, (x, value) in enumerate(zip(places, values, strict=True)):
            y, colour = zero - value * scale, _INKS[(value > 0) + 2 * (value < 0)]
            self.draw_dot(x, y, colour)
            if (len(values) - 1 - n) % every == 0:
                beside = y - _DOT if value >= 0 else y + _DOT + 0.75 * SIZE
                behind = {"facecolor": self.find_colour("ground"), "linewidth": 0, "pad": 1}
                more = {"ha": "center", "weight": "bold", "bbox": behind}
                self.write_line(x, chart.rows[n].said, colour, y=beside, **more)
                self.write_line(x, named[n], "muted", ha="center")
        self.y += LINE
        self.write_line(_LEFT, f"\N{DOWNWARDS ARROW} {below}", "second")
