"""Where a newer Python may be, and how to get one.

Python 3.6 can read this file, and it uses the standard library alone.
"""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python")
# Where people keep Pythons that an agent client started from the desktop does not see.
MORE_FOLDERS = (".local/bin", "/opt/homebrew/bin", "/usr/local/bin")
ELSEWHERE = os.path.abspath(os.sep)  # a folder in which nobody leaves settings for uv or pyenv


def candidates(home: Path) -> "Iterator[str]":
    """Yield what may be a newer Python: on the path, in usual places, by uv and by Windows."""
    path = os.environ.get("PATH", os.defpath)
    folders = [path, *(str(home / more) for more in MORE_FOLDERS)]
    yield from filter(None, (which(name, os.pathsep.join(folders)) for name in PYTHONS))
    yield from map(str, (home / ".pyenv/versions").glob("3.*/bin/python"))
    yield output("uv", "python", "find", "--system", "--no-project", ">=3.11") or ""
    yield output("py", "-3", "-c", "import sys; print(sys.executable)") or ""


def which(name: str, path: "str | None" = None) -> "str | None":
    """Return where a program is, unless the working folder has one of that name."""
    place = shutil.which(name, path=path)
    return place if place and os.path.isabs(place) else None


def output(program: str, *arguments: str) -> "str | None":
    """Return what a program prints, started away from the user's folder, or nothing if it fails."""
    place = which(program)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if place:
            printed = subprocess.check_output(
                (place, *arguments),
                cwd=ELSEWHERE,
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=20,
            )
            return printed.decode(errors="replace").strip()
    return None


def how_to_get_one() -> str:
    """Return the command that brings a newer Python."""
    if os.name == "nt":
        return "winget install Python.Python.3.13"
    if which("uv"):
        return "uv python install 3.13"
    if which("brew"):
        return "brew install python@3.13"
    uv = "curl -LsSf https://astral.sh/uv/install.sh | sh"
    return uv + " && ~/.local/bin/uv python install 3.13"
