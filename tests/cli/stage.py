"""What the tests of commands share: what a command prints, and what it is given to read."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from debate_ops.cli import app


class Said(NamedTuple):
    """What a command printed, as text."""

    code: int
    out: str
    err: str


def say(*words: object, terminal: bool = False) -> Said:
    out = Terminal() if terminal else io.StringIO(newline="")
    err = io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = app.main(list(map(str, words)))
    return Said(code, out.getvalue(), err.getvalue())


def put(path: str, content: str | bytes = "text\n") -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Let standard input give these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True
