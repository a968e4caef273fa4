"""That something ends at all, however slow the machine is."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 300
"""Seconds until what takes a few counts as one that does not end: work that grows with the square
of its input would take hours. How long things take is measured elsewhere (`benchmarks`)."""


@contextmanager
def must_end() -> Iterator[None]:
    """Fail if what is done within does not end; where there are no alarms it is waited for."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _give_up(*_: Any) -> None:
    raise AssertionError(f"it has not ended after {PATIENCE} seconds")
