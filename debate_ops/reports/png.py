"""Pictures as PNG, with matplotlib; the only place that imports it.

Its renderer knows paths and texts; without its figures and axes it is loaded in half the time.
"""

from __future__ import annotations

import atexit
import io
import os
import re
import shutil
import tempfile
import warnings
from contextlib import chdir, suppress
from functools import cache

CONFIG = "MPLCONFIGDIR"
OUR_RC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rc")
"""Where a `matplotlibrc` of ours is, and no module: both are looked for in the working folder."""
NO_SYSTEM_FONTS = "MPL_IGNORE_SYSTEM_FONTS"


def _cache_folder() -> str:
    """Return a folder in which matplotlib may keep its list of fonts, which is slow to make."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):  # by the standard it then means nothing
        cache = os.path.expanduser("~/.cache")
    folder = os.path.join(cache, "debate-ops", "matplotlib")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
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
    import matplotlib  # noqa: F401, ICN001

from matplotlib import font_manager  # noqa: E402  (only now does it find its folder)
from matplotlib.backends.backend_agg import RendererAgg  # noqa: E402
from matplotlib.colors import to_rgba  # noqa: E402
from matplotlib.font_manager import FontProperties  # noqa: E402
from matplotlib.image import imsave  # noqa: E402
from matplotlib.path import Path  # noqa: E402
from matplotlib.transforms import Affine2D  # noqa: E402

from debate_ops.reports.blocks import Picture  # noqa: E402
from debate_ops.reports.canvas import WIDTH, Outline, Sheet, Text  # noqa: E402
from debate_ops.reports.colours import Palette  # noqa: E402

_DPI = 2 * 96
"""Two dots for one pixel of a screen of 96 to the inch."""
_SCALE = _DPI / 72
_CODES = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}
_LETTERS = "DejaVu Sans"  # comes with matplotlib: the same measures everywhere
_MORE_LETTERS = re.compile(  # what it lacks, where the system has it
    r"(?i)noto ?sans.*(cjk|arabic|devanagari)|hiragino|pingfang|msyh|malgun"
)


def png(picture: Picture, palette: Palette) -> bytes:
    """Return a picture as PNG, sharp on dense screens: the same picture gives the same bytes."""
    height = picture.sheet.height
    renderer = RendererAgg(WIDTH * _SCALE, height * _SCALE, _DPI)
    ground = Sheet()
    ground.box((0, 0), (WIDTH, height), fill="ground")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        for _, shape in (*ground.shapes, *picture.sheet.shapes):
            if isinstance(shape, Text):
                _text(renderer, shape, palette)
            else:
                _path(renderer, shape, palette, height)
    written = io.BytesIO()
    title = picture.alt.encode("latin-1", "replace").decode("latin-1")
    metadata = {"Software": "debate-ops", "Title": title}
    imsave(written, renderer.buffer_rgba(), format="png", dpi=_DPI, metadata=metadata)
    return written.getvalue()


@cache
def _letters() -> list[str]:
    """Return our font, and those of the system that have letters which ours lacks."""
    os.environ.pop(NO_SYSTEM_FONTS, None)
    names = set()
    for path in font_manager.findSystemFonts():
        if _MORE_LETTERS.search(os.path.basename(path)):
            with suppress(OSError, RuntimeError):
                font_manager.fontManager.addfont(path)
                names.add(font_manager.get_font(path).family_name)
    return [_LETTERS, *sorted(names)]


def _path(renderer: RendererAgg, shape: Outline, palette: Palette, height: float) -> None:
    gc = renderer.new_gc()
    gc.set_linewidth(shape.width if shape.stroke else 0)
    gc.set_foreground(getattr(palette, shape.stroke or "ground"))
    gc.set_dashes(0, shape.dash or None)
    gc.set_joinstyle("round")
    if shape.opacity < 1:
        gc.set_alpha(shape.opacity)
    path = Path(shape.points, [_CODES[code] for code in shape.codes])
    upwards = Affine2D().scale(1, -1).translate(0, height).scale(_SCALE)
    fill = to_rgba(getattr(palette, shape.fill)) if shape.fill else None
    renderer.draw_path(gc, path, upwards, fill)
    gc.restore()


def _text(renderer: RendererAgg, text: Text, palette: Palette) -> None:
    weight = "bold" if text.bold else "normal"
    font = FontProperties(family=_letters(), size=text.size, weight=weight)
    gc = renderer.new_gc()
    gc.set_foreground(getattr(palette, text.colour))
    wide, _, _ = renderer.get_text_width_height_descent(text.text, font, ismath=False)
    x = _SCALE * text.at[0] - (wide if text.align == "right" else 0)
    renderer.draw_text(gc, x, _SCALE * text.at[1], text.text, font, 0)
    gc.restore()
