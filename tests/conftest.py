"""What all tests share: a working folder of their own, a clock that stands, modest sweeps."""

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A slow machine is no reason to fail.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("debate_ops", PATIENT, max_examples=25, stateful_step_count=15)
settings.register_profile("long", PATIENT, max_examples=2000, stateful_step_count=40)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "debate_ops"))

MEMORY = "/dev/shm"  # noqa: S108  (pytest makes a folder of its own in it)
MUCH = 4 * 1024**3
"""Bytes that have to be free there: a container may give it next to nothing."""


# The sweeps write millions of small files: a disk would be most of their time.
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > MUCH:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)
    tempfile.tempdir = MEMORY

NEW_YEAR_2026 = "1767225600"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and a clock that stands at 2026-01-01T00:00:00Z."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NEW_YEAR_2026)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    return tmp_path


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever failed is asked again at once, and a run looks often at what people do."""
    monkeypatch.setattr("debate_ops.run.participants.PAUSE_SECONDS", 0.0)
    for module in ("cast", "runner"):
        monkeypatch.setattr(f"debate_ops.run.{module}._SECONDS_BETWEEN_CHECKS", 0.02)


def pytest_collection_finish() -> None:
    """Leave the tests themselves out of every search for garbage, and search seldom."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
