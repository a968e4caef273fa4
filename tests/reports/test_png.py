"""A picture as PNG: the same bytes each time; nothing that matplotlib finds elsewhere is read."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from subprocess import run
from sys import executable

import pytest

from debate_ops.reports import png
from debate_ops.reports.blocks import Picture
from debate_ops.reports.canvas import Sheet
from debate_ops.reports.colours import PALETTES
from tests.builders import ROOT

SCALE = 2 * 96 / 72

SETTINGS = "savefig.bbox: tight\nfont.size: 40\nlines.dashed_pattern: 9, 9\nno such key: \x1b[2J\n"
CODE = "import sys; from tests.reports.test_png import digest; sys.stdout.write(digest())"


def digest() -> str:
    sheet = Sheet(100)
    sheet.text((10, 20), "A title", size=20, bold=True)
    sheet.text((220, 40), "at the right", "first", align="right")
    sheet.box((0, 5), (5, 5), fill="second")
    sheet.arrow([(0, 0), (5, 0), (5, 10), (10, 10)], "muted", 1.5, 0.5)
    data = png.png(Picture(sheet, "What it shows"), PALETTES["dark"])
    assert data.startswith(b"\x89PNG")
    return hashlib.sha256(data).hexdigest()


def elsewhere(folder: Path, cache: Path, **changes: str) -> tuple[str, str]:
    """Render in another process that works in `folder`; return the digest, and what was said."""
    environment = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1"}
    done = run(
        [executable, "-c", CODE],
        cwd=folder,
        env=environment | changes,
        capture_output=True,
        check=True,
        timeout=60,
        text=True,
    )
    return done.stdout, "\n".join(x for x in done.stderr.splitlines() if "matplotlibrc" in x)


def test_a_text_is_where_it_belongs() -> None:
    from matplotlib.image import imread  # only behind `png`, which says where it is looked for

    sheet = Sheet(100)
    sheet.text((220, 20), "At the top", align="right")
    data = png.png(Picture(sheet, "What it shows"), PALETTES["light"])
    down, across, _ = (imread(io.BytesIO(data), format="png") < 0.5).nonzero()
    assert 0 < min(down) < max(down) < 100 * 0.3 * SCALE
    assert 80 * SCALE < min(across) < max(across) <= 220 * SCALE + 1


def test_settings_of_a_folder_or_a_user_change_nothing(tmp_path: Path) -> None:
    for folder in ("working", "named", "user/matplotlib"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "matplotlibrc").write_text(SETTINGS, encoding="utf-8")
    changes = {"MATPLOTLIBRC": "named", "XDG_CONFIG_HOME": "user"}
    variables = {name: str(tmp_path / folder) for name, folder in changes.items()}
    rendered = elsewhere(tmp_path / "working", tmp_path / "cache", **variables)
    assert rendered == (digest(), "")
    assert (tmp_path / "cache" / "debate-ops" / "matplotlib").is_dir()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_in_the_place_of_settings_or_a_file_for_the_cache_stops_nothing(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "matplotlibrc")
    (tmp_path / "cache").write_text("no folder", encoding="utf-8")
    assert elsewhere(tmp_path, tmp_path / "cache") == (digest(), "")


def test_a_relative_cache_folder_is_not_used(tmp_path: Path) -> None:
    elsewhere(tmp_path, Path("cache"), HOME=str(tmp_path / "home"))
    assert not (tmp_path / "cache").exists()
    assert (tmp_path / "home/.cache/debate-ops/matplotlib").is_dir()
