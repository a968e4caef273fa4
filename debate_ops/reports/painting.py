"""Paints a sheet with matplotlib, as SVG and as PNG; the only place that imports it."""

from __future__ import annotations

import atexit
import io
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path as FolderPath

CONFIG = "MPLCONFIGDIR"
OUR_RC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rc")
"""Where a `matplotlibrc` of ours is, and no module: both are looked for in the working folder."""


def _cache_folder() -> str:
    """Return a folder in which matplotlib may keep its list of fonts, which is slow to make."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # by the standard it then means nothing
        base = os.path.expanduser("~/.cache")
    folder = FolderPath(base) / "debate-ops" / "matplotlib"
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

with chdir(OUR_RC):  # so that nothing in the working folder, and no settings of a user, is read
    import matplotlib as mpl

from matplotlib import font_manager  # noqa: E402  (only now does it find its folder)
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patches import PathPatch, Polygon  # noqa: E402
from matplotlib.path import Path  # noqa: E402

from debate_ops.reports.canvas import (  # noqa: E402
    DASHED,
    DOTTED,
    PIXELS,
    POINT,
    Area,
    Bar,
    Box,
    Curve,
    Line,
    Mark,
    Shape,
    Sheet,
    Strokes,
    Text,
    arrow_head,
)

SHARP = 2
"""How many dots of a PNG stand for one pixel."""

_MARK = "<!-- Drawn by debate-ops from the record; changes here are lost. -->"
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
_DASHES = {DOTTED: (0, (1, 2)), DASHED: (0, (4, 3))}


@contextmanager
def style() -> Iterator[None]:
    """Draw with our own settings."""
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
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


def svg(sheet: Sheet, title: str) -> str:
    """Return the picture as SVG: the same picture gives the same bytes."""
    written = io.StringIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    _figure(sheet).savefig(written, format="svg", metadata={**nothing, "Title": title})
    text = _FONT.sub(rf"\g<1>{_VIEWERS_FONT}", written.getvalue())
    lines = (line.rstrip() for line in text.splitlines())
    return "\n".join(lines).replace("<svg ", f'{_MARK}\n<svg role="img" ', 1) + "\n"


def png(sheet: Sheet, title: str) -> bytes:
    """Return the picture as PNG, sharp on dense screens."""
    written = io.BytesIO()
    metadata = {
        "Software": "debate-ops",
        "Title": title.encode("latin-1", "replace").decode("latin-1"),
    }
    _figure(sheet).savefig(written, format="png", dpi=PIXELS * SHARP, metadata=metadata)
    return written.getvalue()


def _figure(sheet: Sheet) -> Figure:
    figure = Figure(figsize=(sheet.width / PIXELS, sheet.height / PIXELS), dpi=PIXELS)
    figure.set_facecolor(sheet.ground)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, sheet.width)
    axes.set_ylim(sheet.height, 0)
    axes.set_axis_off()
    for _, shape in sheet.shapes:
        _draw(axes, shape, sheet.ground)
    return figure


def _draw(axes: Axes, shape: Shape, ground: str) -> None:
    match shape:
        case Text():
            _text(axes, shape)
        case Line():
            _line(axes, shape)
        case Area():
            _area(axes, shape)
        case Bar():
            _bar(axes, shape, ground)
        case Mark():
            _mark(axes, shape, ground)
        case Box():
            _box(axes, shape)
        case Curve():
            _curve(axes, shape)
        case Strokes():
            _strokes(axes, shape)


def _text(axes: Axes, text: Text) -> None:
    axes.text(
        *text.at,
        text.text,
        color=text.colour,
        fontsize=text.size * POINT,
        fontweight="bold" if text.bold else "normal",
        ha=text.align,
        va="baseline",
    )


def _line(axes: Axes, line: Line) -> None:
    axes.add_line(
        Line2D(
            [x for x, _ in line.points],
            [y for _, y in line.points],
            color=line.colour,
            linewidth=line.width * POINT,
            linestyle=_DASHES.get(line.dash, "-"),
            solid_joinstyle="round",
        )
    )


def _area(axes: Axes, area: Area) -> None:
    axes.add_patch(
        Polygon(
            list(area.points),
            closed=True,
            facecolor=area.colour,
            alpha=area.strength,
            edgecolor="none",
        )
    )


def _bar(axes: Axes, bar: Bar, ground: str) -> None:
    axes.add_patch(
        Polygon(
            bar.corners,
            closed=True,
            facecolor=ground if bar.hollow else bar.colour,
            edgecolor=bar.colour,
            linewidth=POINT,
            linestyle=(0, (2, 2)) if bar.hollow else "-",
            zorder=2,
        )
    )


def _mark(axes: Axes, mark: Mark, ground: str) -> None:
    axes.add_line(
        Line2D(
            [mark.at[0]],
            [mark.at[1]],
            marker=mark.shape,
            markersize=mark.size * POINT,
            markeredgewidth=1.6 * POINT,
            markerfacecolor=ground if mark.hollow else mark.colour,
            markeredgecolor=mark.colour,
            linestyle="none",
            zorder=3 if mark.hollow else 4,
        )
    )


def _box(axes: Axes, box: Box) -> None:
    axes.add_patch(
        PathPatch(
            Path(box.outline, _OUTLINE),
            facecolor=box.fill or "none",
            edgecolor=box.edge or "none",
            linewidth=box.line * POINT,
            linestyle=_DASHES.get(box.dash, "-"),
            joinstyle="round",
        )
    )


_OUTLINE = [Path.MOVETO, *[Path.LINETO, Path.CURVE3, Path.CURVE3] * 4, Path.CLOSEPOLY]


def _curve(axes: Axes, curve: Curve) -> None:
    axes.add_patch(
        PathPatch(
            Path(list(curve.points), [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]),
            facecolor="none",
            edgecolor=curve.colour,
            linewidth=curve.width * POINT,
            linestyle=_DASHES.get(curve.dash, "-"),
            capstyle="butt",
            alpha=curve.strength,
            zorder=2,
        )
    )
    if curve.has_arrow:
        head = Polygon(
            arrow_head(curve), closed=True, facecolor=curve.colour, edgecolor="none", zorder=2
        )
        head.set_alpha(curve.strength)
        axes.add_patch(head)


def _strokes(axes: Axes, strokes: Strokes) -> None:
    axes.add_collection(
        LineCollection(
            list(strokes.segments),
            colors=strokes.colour,
            linewidths=strokes.width * POINT,
            alpha=strokes.strength,
            zorder=2,
        ),
        autolim=False,
    )
