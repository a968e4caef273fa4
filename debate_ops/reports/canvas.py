"""A sheet to draw on, measured in pixels; the only place that imports matplotlib."""

from __future__ import annotations

import atexit
import io
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

CONFIG = "MPLCONFIGDIR"


def _cache_folder() -> str:
    """Return a folder in which matplotlib may keep its list of fonts, which is slow to make."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(base) / "debate-ops" / "matplotlib"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except OSError:
        passing = tempfile.mkdtemp(prefix="debate-ops-")
        atexit.register(shutil.rmtree, passing, ignore_errors=True)
        return passing


if not os.environ.get(CONFIG):
    os.environ[CONFIG] = _cache_folder()

import matplotlib as mpl  # noqa: E402  (only now does it find its folder)
from matplotlib import font_manager  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patches import Polygon  # noqa: E402

from debate_ops.reports.colours import Palette  # noqa: E402
from debate_ops.reports.text import fit, width  # noqa: E402

Point = tuple[float, float]

WIDTH = 800
LEFT = 24
RIGHT = WIDTH - 24
SHAPES = ("o", "s")
"""The marks of the first and the second side: colour is never the only difference."""

PIXELS = 96
"""Pixels to an inch, as browsers count."""
POINT = 72 / PIXELS
BOLD = 1.1
"""How much wider bold letters are than others."""
SHARP = 2
"""How many dots of a PNG stand for one pixel."""

_TINT = 0.13
_MARK = "<!-- Drawn by debate-ops from the record; changes here are lost. -->"
_HEADING_EMS = 53
_RESULT_SIZE, _SMALLEST = 20, 13
_LETTERS = "DejaVu Sans"  # comes with matplotlib: the same measures everywhere
_MORE_LETTERS = (  # what it lacks, where the system has it; only a PNG needs them
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Hiragino Sans",
    "PingFang SC",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
)
_VIEWERS_FONT = "Helvetica, Arial, sans-serif"
_FONT = re.compile(r"(font: [^;\"]*?[0-9.]+px |font-family: )[^;\"]+")  # by version of matplotlib


@contextmanager
def style() -> Iterator[None]:
    """Draw with our own settings, whatever a user's settings file says."""
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "svg.fonttype": "none",  # text stays text: small, searchable, in the viewer's font
                "svg.hashsalt": "debate-ops",
                "text.parse_math": False,  # a title may contain $
                "font.family": [_LETTERS, *_available()],
            }
        )
        yield


def _available() -> list[str]:
    known = set(font_manager.fontManager.get_font_names())
    return [name for name in _MORE_LETTERS if name in known]


class Sheet:
    """A picture of `width` by `height` pixels; y runs downwards."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self._ground = ground
        self._figure = Figure(figsize=(width / PIXELS, height / PIXELS), dpi=PIXELS)
        self._figure.set_facecolor(ground)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)
        self._axes.set_axis_off()

    def text(  # noqa: PLR0913  (a text has that many properties)
        self,
        at: Point,
        text: str,
        colour: str,
        size: float = 14,
        *,
        bold: bool = False,
        align: Literal["left", "center", "right"] = "left",
    ) -> None:
        """Write one line; `at` is on its base line."""
        self._axes.text(
            *at,
            text,
            color=colour,
            fontsize=size * POINT,
            fontweight="bold" if bold else "normal",
            ha=align,
            va="baseline",
        )

    def line(
        self, points: Sequence[Point], colour: str, width: float = 1, *, dotted: bool = False
    ) -> None:
        """Draw a line through the points."""
        self._axes.add_line(
            Line2D(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour,
                linewidth=width * POINT,
                linestyle=(0, (1, 2)) if dotted else "-",
                solid_joinstyle="round",
            )
        )

    def area(self, points: Sequence[Point], colour: str, strength: float = _TINT) -> None:
        """Tint the area inside the points."""
        self._axes.add_patch(
            Polygon(list(points), closed=True, facecolor=colour, alpha=strength, edgecolor="none")
        )

    def bar(
        self, start: Point, end: Point, colour: str, height: float, *, hollow: bool = False
    ) -> None:
        """Draw a bar from left to right, filled or as an outline; both ends are on its middle."""
        (left, y), (right, _) = start, end
        top, bottom = y - height / 2, y + height / 2
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        self._axes.add_patch(
            Polygon(
                corners,
                closed=True,
                facecolor=self._ground if hollow else colour,
                edgecolor=colour,
                linewidth=POINT,
                linestyle=(0, (2, 2)) if hollow else "-",
                zorder=2,
            )
        )

    def mark(
        self, at: Point, colour: str, shape: str, *, size: float = 9, hollow: bool = False
    ) -> None:
        """Set a filled mark, or a hollow one."""
        self._axes.add_line(
            Line2D(
                [at[0]],
                [at[1]],
                marker=shape,
                markersize=size * POINT,
                markeredgewidth=1.6 * POINT,
                markerfacecolor=self._ground if hollow else colour,
                markeredgecolor=colour,
                linestyle="none",
                zorder=3 if hollow else 4,
            )
        )

    def svg(self, title: str) -> str:
        """Return the picture as SVG: the same picture gives the same bytes."""
        written = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        self._figure.savefig(written, format="svg", metadata={**nothing, "Title": title})
        text = _FONT.sub(rf"\g<1>{_VIEWERS_FONT}", written.getvalue())
        lines = (line.rstrip() for line in text.splitlines())
        return "\n".join(lines).replace("<svg ", f'{_MARK}\n<svg role="img" ', 1) + "\n"

    def png(self, title: str) -> bytes:
        """Return the picture as PNG, sharp on dense screens."""
        written = io.BytesIO()
        metadata = {
            "Software": "debate-ops",
            "Title": title.encode("latin-1", "replace").decode("latin-1"),
        }
        self._figure.savefig(written, format="png", dpi=PIXELS * SHARP, metadata=metadata)
        return written.getvalue()


class Scale(NamedTuple):
    """From numbers to pixels along one axis."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, number: float) -> float:
        """Return where `number` is."""
        part = (number - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


def heading(sheet: Sheet, motion: str, palette: Palette, result: str, what: str) -> None:
    """Write the result, the motion, and what the chart shows."""
    size = min(_RESULT_SIZE, max(_SMALLEST, (RIGHT - LEFT) / (BOLD * width(result))))
    result = fit(result, (RIGHT - LEFT) / (BOLD * size) + 0.01)
    sheet.text((LEFT, 34), result, palette.text, size, bold=True)
    sheet.text((LEFT, 57), fit(motion, _HEADING_EMS), palette.muted)
    sheet.text((LEFT, 86), what, palette.text)
