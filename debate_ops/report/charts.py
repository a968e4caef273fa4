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
from debate_ops.report.words import shorten, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
MARK = "Rendered by debate-ops from the record; changes here are lost."
"""Each file that we render has this near its beginning, but for README.md, with marks around it."""
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
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!-- {MARK} -->\n{named}\n'


WIDTH = 400
"""In points, which are pixels of the SVG; a phone shows nine tenths of it."""

_BAR, _GAP, _DOT, _HIGH = 14, 10, 9, 240
_ROOM = WIDTH - 2 * _GAP
_COLUMNS = 45
"""Of a line that is as long as there is room for, in capitals too."""
_LINES = 3
"""Of a title or a label; what is longer is cut."""
_LOOK = 5
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
    one number as it changed from row to row, and `ends` name what is below and above 0. `limit` is
    a mark across all rows with its name, `most` the end of the scale where the numbers do not set
    it.
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
    mark = {"Comment": f"{MARK} {digest(chart)}"}
    return _save(chart, palette, format="png", dpi=144, metadata=mark)


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
    for part in root.iter():
        tag = part.tag.rpartition("}")[2]
        items = (item.partition(": ") for item in part.get("style", "").split("; "))
        styles = {name: variables.get(value, value) for name, _, value in items}
        if styles.get("font", "").startswith("700 "):  # as matplotlib 3.9 has it
            styles["font-weight"] = "700"
        own = {name: value for name, value in styles.items() if name in _LOOKS}
        if tag == "path" and "id" not in part.attrib:
            ET.SubElement(shown, "path", {"d": " ".join(part.get("d", "").split()), **own})
        elif tag == "use":  # of a dot, the one shape that is drawn several times
            at = {"cx": part.get("x", ""), "cy": part.get("y", ""), "r": str(_DOT / 2)}
            ET.SubElement(shown, "circle", at | own)
        elif tag == "text":
            at = {"x": part.get("x", ""), "y": part.get("y", "")}
            ET.SubElement(shown, "text", at | own).text = part.text
    text = ET.tostring(shown, encoding="unicode", short_empty_elements=False)
    return Markup(text)  # noqa: S704  (written by ElementTree, which escapes every text)


_LOOKS = {"fill", "stroke", "stroke-width", "stroke-dasharray", "font-weight", "text-anchor"}


def _save(chart: Chart, palette: Palette, **how: Any) -> bytes:
    """Return a chart as matplotlib saves it, whatever its reader has set for matplotlib."""
    import matplotlib as mpl  # takes longer than all else of a report

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # that it makes a cache is no news
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that no font here has
        dict.update(mpl.rcParams, mpl.rcParamsDefault)  # unlike rcdefaults(), checks none again
        mpl.rcParams.update({"svg.fonttype": "none", "text.hinting": "none"})
        mpl.rcParams.update({"font.size": SIZE, "figure.dpi": 72, "text.parse_math": False})
        mpl.rcParams.update({"figure.facecolor": palette.ground, "text.color": palette.text})
        file = io.BytesIO()
        _draw(chart, palette).savefig(file, **how)
    return file.getvalue()


def _draw(chart: Chart, palette: Palette) -> Figure:
    """Return a figure of a chart: its title, its unit, and below them axes as high as it takes."""
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    body = (_draw_steps if chart.form == "steps" else _draw_rows)(axes, chart, palette)
    title = wrap(chart.title, _COLUMNS - 5, _LINES)  # bold letters are wider
    unit = wrap(chart.unit, _COLUMNS, _LINES)
    height = LINE * len(title + unit) + body + 2.5 * _GAP
    figure.set_size_inches(WIDTH / 72, height / 72)
    axes.set_position((_GAP / WIDTH, _GAP / height, _ROOM / WIDTH, body / height))
    for n, line in enumerate(title + unit, 1):
        y = 1 - (_GAP / 2 + n * LINE) / height
        is_title = n <= len(title)
        colour, weight = (palette.text, "bold") if is_title else (palette.muted, "normal")
        figure.text(_GAP / WIDTH, y, line, color=colour, weight=weight)
    return figure


def _draw_rows(axes: Axes, chart: Chart, palette: Palette) -> float:
    """Draw each row below its label, a bar or its values as dots; return how high that is."""
    limit, name = chart.limit or (0, "")
    numbers = [limit, *(value for row in chart.rows for value in row.values)]
    most = chart.most or max(map(abs, numbers)) * 1.03 or 1
    axes.set_xlim(-most if min(numbers) < 0 else 0, most)
    y = 0.0
    if chart.limit:
        y += LINE
        side = "left" if limit < sum(axes.get_xlim()) / 2 else "right"
        axes.text(limit, y, shorten(name, _COLUMNS // 2), ha=side)
    for row in chart.rows:
        for line in wrap(f"{one_line(row.label)}: {row.said}", _COLUMNS, _LINES):
            y += LINE
            axes.text(0, y, line, transform=axes.get_yaxis_transform())
        y += _BAR
        colour = (palette.muted, palette.first, palette.second)[row.tone]
        if chart.form == "bars":
            axes.barh(y, row.values[-1], _BAR, color=colour)
        else:
            axes.axhline(y, color=palette.line, linewidth=1)
            axes.hlines(y, min(row.values), max(row.values), colour, linewidth=2.4)
            for value in row.values:
                face = colour if value == row.values[-1] else palette.ground
                axes.scatter(value, y, _DOT**2, face, edgecolors=colour, zorder=3)
        axes.vlines(0, y - _BAR / 2, y + _BAR / 2, palette.text, linewidth=1)
        if chart.limit:
            axes.vlines(limit, y - _BAR / 2, y + _BAR / 2, palette.text, "dashed")
        y += _BAR + _GAP / 2
    axes.set_ylim(y, 0)
    return y


def _draw_steps(axes: Axes, chart: Chart, palette: Palette) -> float:
    """Draw how a number changed, above 0 in the first colour; return how high that is.

    Of the words at its points and below them there are as many as there is room for.
    """
    axes.margins(0.1, 0.4)
    axes.axhline(0, color=palette.muted, linewidth=1)
    values = [row.values[-1] for row in chart.rows]
    axes.plot(values, color=palette.text, linewidth=1.8)
    axes.text(0, 0, "0", color=palette.muted, va="bottom", transform=axes.get_yaxis_transform())
    below, above = (shorten(end, _COLUMNS - 2) for end in chart.ends)
    axes.text(0, 1, f"↑ {above}", color=palette.first, va="top", transform=axes.transAxes)
    axes.text(0, 0, f"↓ {below}", color=palette.second, transform=axes.transAxes)
    down = axes.get_xaxis_transform()
    how: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "weight": "bold"}
    how["bbox"] = {"facecolor": palette.ground, "linewidth": 0, "pad": 1}
    inks = [(palette.muted, palette.first, palette.second)[(v > 0) - (v < 0)] for v in values]
    axes.scatter(range(len(values)), values, _DOT**2, inks, zorder=3)  # one by one takes seconds
    for n, (row, value, colour) in enumerate(zip(chart.rows, values, inks, strict=True)):
        if (len(values) - 1 - n) % ceil(len(values) / 7) == 0:
            place, va = ((0, _DOT), "bottom") if value >= 0 else ((0, -_DOT), "top")
            axes.annotate(row.said, (n, value), place, color=colour, va=va, **how)
            name = row.label.rpartition(" ")[2]
            axes.text(n, LINE / _HIGH, name, color=palette.muted, ha="center", transform=down)
    return _HIGH
