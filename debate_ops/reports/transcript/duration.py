"""How long a debate took, by the times on record."""

from __future__ import annotations

import calendar
import re

from debate_ops.reports.items import Content

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z\Z", re.ASCII)


def duration(content: Content) -> int:
    """Return how many seconds a debate took that is over: from its making to its last entry."""
    begun = _seconds(content.debate.created)
    ended = max((_seconds(item.at) for item in content.read), default=0)
    return max(0, ended - begun) if begun and ended and not content.stops_at else 0


def _seconds(at: str) -> int:
    """Return a time of the record in seconds since 1970; 0 where it is none.

    >>> _seconds("1970-01-02T00:00:05Z"), _seconds("")
    (86405, 0)
    """
    match = _TIME.match(at)
    if match is None:
        return 0
    try:
        return calendar.timegm(tuple(map(int, match.groups())))
    except ValueError:
        return 0


def spoken(seconds: int) -> str:
    """Return a duration for readers.

    >>> spoken(4323), spoken(59), spoken(3600)
    ('1 h 12 min 3 s', '59 s', '1 h')
    """
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    named = ((hours, "h"), (minutes, "min"), (left, "s"))
    return " ".join(f"{number} {unit}" for number, unit in named if number) or "0 s"
