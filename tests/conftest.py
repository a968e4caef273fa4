"""What all tests share: a working folder of their own, a clock that stands, modest sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pathlib import Path

# A slow machine is no reason to fail; long sweeps bear the mark `slow` and say their own length.
settings.register_profile("debate_ops", deadline=None)
settings.load_profile("debate_ops")

NEW_YEAR_2026 = "1767225600"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and a clock that stands at 2026-01-01T00:00:00Z."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NEW_YEAR_2026)
    return tmp_path
