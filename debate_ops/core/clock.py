"""The one clock: UTC, to the second, fixed by SOURCE_DATE_EPOCH where that is set."""

import os
import time

from debate_ops.core.errors import ConfigurationError

_FIXED_BY = "SOURCE_DATE_EPOCH"
_FORM = "%Y-%m-%dT%H:%M:%SZ"


def now() -> str:
    """Return the time as `2026-01-31T12:00:00Z`.

    `SOURCE_DATE_EPOCH` (seconds since 1970, reproducible-builds.org) replaces the real time.
    """
    fixed = os.environ.get(_FIXED_BY, "")
    try:
        return time.strftime(_FORM, time.gmtime(int(fixed) if fixed else time.time()))
    except (ValueError, OverflowError, OSError):
        raise ConfigurationError(
            f"{_FIXED_BY} is {fixed!r}, expected seconds since 1970 as a whole number",
            hint=f"Set {_FIXED_BY} to such a number, or unset it.",
        ) from None


def add_seconds(moment: str, seconds: float) -> str:
    """Return the time `seconds` later than one of that form; of no such form, empty.

    >>> add_seconds("2026-01-31T23:59:30Z", 60)
    '2026-02-01T00:00:30Z'
    """
    begun = _since_1970(moment)
    return "" if begun is None else time.strftime(_FORM, time.gmtime(begun + seconds))


def count_seconds(first: str, last: str) -> int:
    """Return the seconds from one time of that form to another; 0 if one is of no such form.

    >>> count_seconds("2026-01-31T23:59:30Z", "2026-02-01T00:00:30Z")
    60
    """
    begun, ended = _since_1970(first), _since_1970(last)
    return 0 if begun is None or ended is None else ended - begun


def _since_1970(moment: str) -> int | None:
    import calendar  # takes its time, and few debates have a clock

    try:
        return calendar.timegm(time.strptime(moment, _FORM))
    except ValueError:
        return None
