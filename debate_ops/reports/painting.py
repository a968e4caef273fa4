"""Draws pictures with matplotlib, as SVG and as PNG; the only place that imports it.

Its renderers draw paths and texts; without its figures and axes it is loaded in half the time.
"""

from __future__ import annotations

import atexit
import io
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import chdir, suppress
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from debate_ops.reports.remembered import cache_folder

CONFIG = "MPLCONFIGDIR"
OUR_RC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rc")
"""Where a `matplotlibrc` of ours is, and no module: both are looked for in the working folder."""
NO_SYSTEM_FONTS = "MPL_IGNORE_SYSTEM_FONTS"


def _cache_folder() -> str:
    """Return a folder in which matplotlib may keep its list of fonts, which is slow to make."""
    try:
        folder = cache_folder("matplotlib")
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        passing = tempfile.mkdtemp(prefix="debate-ops-")
        atexit.register(shutil.rmtree, passing, ignore_errors=True)
        return passing


if not os.environ.get(CONFIG):
    os.environ[CONFIG] = _cache_folder()
os.environ.setdefault(NO_SYSTEM_FONTS, "1")  # to list them all takes longer than a report

with chdir(OUR_RC):  # so that nothing in the working folder, and no settings of a user, is read
    import matplotlib as mpl

from matplotlib import font_manager  # noqa: E402  (only now does it find its folder)
from matplotlib.backend_bases import RendererBase  # noqa: E402
from matplotlib.backends.backend_agg import RendererAgg  # noqa: E402
from matplotlib.backends.backend_svg import RendererSVG  # noqa: E402
from matplotlib.colors import to_rgba  # noqa: E402
from matplotlib.font_manager import FontProperties  # noqa: E402
from matplotlib.path import Path  # noqa: E402
from matplotlib.text import Text as Placed  # noqa: E402
from matplotlib.transforms import Affine2D  # noqa: E402

from debate_ops.reports.canvas import WIDTH, Outline, Picture, Sheet, Text  # noqa: E402
from debate_ops.reports.colours import PALETTES, Palette  # noqa: E402
from debate_ops.reports.files_drawn import PAGE  # noqa: E402

SHARP = 2
"""How many dots of a PNG stand for one pixel of a screen of 96 to the inch."""

_MARK = "<!-- Drawn by debate-ops from the record; changes here are lost. -->"
_CODES = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}
_LETTERS = "DejaVu Sans"  # comes with matplotlib: the same measures everywhere
_MORE_LETTERS = re.compile(  # what it lacks, where the system has it; only a PNG needs them
    r"(?i)noto ?sans.*(cjk|arabic|devanagari)|hiragino|pingfang|msyh|malgun"
)
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: small, searchable, in the viewer's font
    "svg.hashsalt": "debate-ops",
    "font.sans-serif": ["Helvetica", "Arial"],
}


def svg(picture: Picture) -> str:
    """Return a picture as SVG in light colours: the same picture gives the same bytes."""
    written = io.StringIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with mpl.rc_context(_SETTINGS):
        renderer = RendererSVG(
            WIDTH, picture.sheet.height, written, metadata={**nothing, "Title": picture.alt}
        )
        _Drawer(picture.sheet, renderer, PALETTES["light"], ["sans-serif"]).draw()
        renderer.finalize()
    lines = (line.rstrip() for line in written.getvalue().splitlines())
    return "\n".join(lines).replace("<svg ", f'{_MARK}\n<svg role="img" ', 1) + "\n"


def png(picture: Picture, palette: Palette) -> bytes:
    """Return a picture as PNG, sharp on dense screens."""
    from matplotlib.image import imsave

    dpi = SHARP * 96
    renderer = RendererAgg(WIDTH * dpi / 72, picture.sheet.height * dpi / 72, dpi)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        letters = [_LETTERS, *_system_letters()]
        _Drawer(picture.sheet, renderer, palette, letters, dpi / 72).draw()
    written = io.BytesIO()
    title = picture.alt.encode("latin-1", "replace").decode("latin-1")
    metadata = {"Software": "debate-ops", "Title": title}
    imsave(written, renderer.buffer_rgba(), format="png", dpi=dpi, metadata=metadata)
    return written.getvalue()


@cache
def _system_letters() -> list[str]:
    """Return the fonts of the system that have letters which ours lacks."""
    os.environ.pop(NO_SYSTEM_FONTS, None)
    names = []
    for path in font_manager.findSystemFonts():
        if _MORE_LETTERS.search(os.path.basename(path)):
            with suppress(OSError, RuntimeError):
                font_manager.fontManager.addfont(path)
                names.append(font_manager.get_font(path).family_name)
    return sorted(set(names))


class _Drawer(NamedTuple):
    """What is drawn, and how: `scale` is what the renderer counts to a point."""

    sheet: Sheet
    renderer: RendererBase
    palette: Palette
    letters: Sequence[str]
    scale: float = 1

    def draw(self) -> None:
        """Draw the ground and all shapes; those of an entry together, the first as a link."""
        ground = Sheet()
        ground.box((0, 0), (WIDTH, self.sheet.height), fill="ground")
        for entry, group in groupby([*ground.shapes, *self.sheet.shapes], key=lambda item: item[0]):
            url = f"../{PAGE}#{entry}" if entry else None
            if entry:
                self.renderer.open_group("entry", gid=f"entry-{entry}")
            for _, shape in group:
                if isinstance(shape, Text):
                    self._text(shape)
                else:
                    self._path(shape, url)
                    url = None
            if entry:
                self.renderer.close_group("entry")

    def _path(self, shape: Outline, url: str | None) -> None:
        gc = self.renderer.new_gc()
        gc.set_linewidth(shape.width if shape.stroke else 0)
        gc.set_foreground(getattr(self.palette, shape.stroke or "ground"))
        gc.set_dashes(0, shape.dash or None)
        gc.set_joinstyle("round")
        gc.set_url(url)
        if shape.opacity < 1:
            gc.set_alpha(shape.opacity)
        path = Path(shape.points, [_CODES[code] for code in shape.codes])
        upwards = Affine2D().scale(1, -1).translate(0, self.sheet.height).scale(self.scale)
        fill = to_rgba(getattr(self.palette, shape.fill)) if shape.fill else None
        self.renderer.draw_path(gc, path, upwards, fill)
        gc.restore()

    def _text(self, text: Text) -> None:
        weight = "bold" if text.bold else "normal"
        letters = FontProperties(family=list(self.letters), size=text.size, weight=weight)
        gc = self.renderer.new_gc()
        gc.set_foreground(getattr(self.palette, text.colour))
        x, y = (self.scale * n for n in text.at)
        upwards = self.scale * self.sheet.height - y
        placed = Placed(x, upwards, text.text, ha=text.align, fontproperties=letters)
        if isinstance(self.renderer, RendererAgg) and text.align != "left":
            wide, _, _ = self.renderer.get_text_width_height_descent(
                text.text, letters, ismath=False
            )
            x -= wide if text.align == "right" else wide / 2
        self.renderer.draw_text(gc, x, y, text.text, letters, 0, mtext=placed)
        gc.restore()
