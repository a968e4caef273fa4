"""The one clock: UTC, to the second, fixed by SOURCE_DATE_EPOCH where that is set."""

from __future__ import annotations

import os
import time


def now() -> str:
    """Return the time as `2026-01-31T12:00:00Z`.

    `SOURCE_DATE_EPOCH` (seconds since 1970, reproducible-builds.org) replaces the real time.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(fixed) if fixed.isdigit() else time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
