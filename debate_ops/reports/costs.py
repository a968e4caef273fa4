"""When each entry came, how long its reply took, how many tokens, by which model: if known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Entry
from debate_ops.model.texts import one_line
from debate_ops.reports.made import described, made_by, tokens_of, whole
from debate_ops.reports.reading import in_order
from debate_ops.reports.text import counted

UNKNOWN = "not known"


class Cost(NamedTuple):
    """What is known of how an entry was made: nothing of what is empty or 0."""

    at: str
    latency_ms: int
    tokens: int
    by: str


def of(entry: Entry) -> Cost:
    """Return what is known of how an entry was made."""
    told = made_by(entry)
    latency = whole(told.get("latency_ms"))
    at = str(entry.header.get("at") or "")
    return Cost(at, latency, tokens_of(told.get("tokens")), described(told))


def lines(debate: Debate) -> Iterator[str]:
    """Yield a line for each entry, and the totals; a reply that became several counts once."""
    replies: dict[tuple[int, str], Cost] = {}
    for entry in in_order(debate):
        cost = of(entry)
        yield f"{entry.id}: {_told(cost)}"
        if not entry.is_absence:
            replies[entry.step, entry.participant] = cost
    yield _totals(list(replies.values()))


def _told(cost: Cost) -> str:
    parts = [
        f"at {one_line(cost.at) or UNKNOWN}",
        f"time {_seconds(cost.latency_ms)}",
        f"tokens {f'{cost.tokens:,}' if cost.tokens else UNKNOWN}",
        f"made by {one_line(cost.by) or UNKNOWN}",
    ]
    return ", ".join(parts)


def _seconds(latency_ms: int) -> str:
    return f"{latency_ms / 1000:,.1f} s" if latency_ms else UNKNOWN


def _totals(replies: list[Cost]) -> str:
    """Return the sums, and of how many replies they are."""
    times = [cost.latency_ms for cost in replies if cost.latency_ms]
    tokens = [cost.tokens for cost in replies if cost.tokens]
    time = f"{_seconds(sum(times))} (known of {len(times)})" if times else UNKNOWN
    spent = f"{sum(tokens):,} (known of {len(tokens)})" if tokens else UNKNOWN
    return f"in total, {counted(len(replies), 'reply', 'replies')}: time {time}, tokens {spent}"
