"""A disk that is not waited for: no power is cut in this folder's tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def quick(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder to work in; flushing is left out."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return work
