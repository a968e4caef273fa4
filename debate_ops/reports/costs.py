"""When each entry came, how long its reply took, how many tokens, by which model: if known."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.debate import Debate
from debate_ops.model.texts import one_line
from debate_ops.reports.made import described, made_by, tokens_of, whole
from debate_ops.reports.reading import in_order
from debate_ops.reports.text import counted

UNKNOWN = "not known"


def lines(debate: Debate) -> Iterator[str]:
    """Yield a line for each entry, and the totals; a reply that became several counts once."""
    replies: dict[tuple[int, str], tuple[int, int]] = {}
    for entry in in_order(debate):
        facts = made_by(entry)
        latency, tokens = whole(facts.get("latency_ms")), tokens_of(facts.get("tokens"))
        at, by = one_line(str(entry.header.get("at") or "")), one_line(described(facts))
        yield (
            f"{entry.id}: at {at or UNKNOWN}, time {_seconds(latency)}, tokens {_number(tokens)}, "
            f"made by {by or UNKNOWN}"
        )
        if not entry.is_absence:
            replies[entry.step, entry.participant] = (latency, tokens)
    times = [latency for latency, _ in replies.values() if latency]
    sizes = [tokens for _, tokens in replies.values() if tokens]
    time = _seconds(sum(times)) + (f" (known of {len(times)})" if times else "")
    spent = _number(sum(sizes)) + (f" (known of {len(sizes)})" if sizes else "")
    total = counted(len(replies), "reply", "replies")
    yield f"in total, {total}: time {time}, tokens {spent}"


def _seconds(latency_ms: int) -> str:
    return f"{latency_ms / 1000:,.1f} s" if latency_ms else UNKNOWN


def _number(tokens: int) -> str:
    return f"{tokens:,}" if tokens else UNKNOWN
