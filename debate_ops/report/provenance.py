"""Who made a debate's replies, and at what cost, as far as it is on record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.analysis import usage
from debate_ops.analysis.usage import Usage, made_by, read_usage
from debate_ops.core.protocol import ADVISER, Replayed
from debate_ops.core.texts import one_line
from debate_ops.report.record import sort_entries
from debate_ops.report.words import count, join, shorten

NOT_RECORDED = "not recorded"
_LENGTH = 120
_MEASURED = frozenset({"latency_ms", "tokens", "prices", "replay_of"})
_SAYS_ITSELF = frozenset({"by", "model"})

Origin = Mapping[str, Any]
"""How a reply was made: `made_by` of its entries."""


class Provenance(NamedTuple):
    """How a participant's replies were made: how many, who made them, and what they cost."""

    participant: str
    replies: int
    makers: str
    cost: str


def find_provenance(at: Replayed) -> list[Provenance]:
    """Return how the replies of each participant were made, the adviser's too if there is one."""
    found = []
    for name, origins in _collect_replies(at).items():
        taken = usage.sum_usage(map(read_usage, origins))
        cost = f"${taken.cost:.4f}" if taken.cost and taken.unpriced < taken.replies else ""
        unknown = f", unknown for {taken.unpriced}" if cost and taken.unpriced else ""
        made = describe_makers(origins)
        found.append(Provenance(name, len(origins), made, f"{cost}{unknown}"))
    return found


def measure_usage(at: Replayed) -> Usage:
    """Return what all replies on record took."""
    return usage.sum_usage(
        read_usage(o) for origins in _collect_replies(at).values() for o in origins
    )


def _collect_replies(at: Replayed) -> dict[str, list[Origin]]:
    """Return how each reply was made, by participant; one reply may be several entries."""
    d = at.debate
    names = [*at.protocol.participants(d.settings), *([ADVISER] if d.find("advice") else [])]
    replies: dict[str, dict[int, Origin]] = {name: {} for name in names}
    for e in d.entries.values():
        is_pass = (e.data.get("how"), e.data.get("by")) == ("pass", e.by)
        if e.by in replies and (is_pass or e.kind != "absence"):
            replies[e.by][e.step] = made_by(e)
    return {name: [*made.values()] for name, made in replies.items()}


def find_original(origin: object) -> Origin:
    """Return how a reply was made; of a replay, how the original was."""
    if not isinstance(origin, Mapping):
        return {}
    before = origin.get("replay_of")
    return find_original(before.get("made_by")) if isinstance(before, Mapping) else origin


def describe_maker(origin: object) -> str:
    """Return who made a reply, in the words of the record; of a replay, who made the original.

    >>> describe_maker({"model": "m-1", "client": "x", "latency_ms": 12})
    'm-1, client x'
    >>> describe_maker({"replay_of": {"debate": "first", "made_by": {"model": "m-1"}}})
    'm-1'
    """
    parts = [
        str(value) if key in _SAYS_ITSELF else f"{key} {value}"
        for key, value in find_original(origin).items()
        if key not in _MEASURED and isinstance(value, str | int) and value != ""
    ]
    return ", ".join(filter(None, parts))


def describe_makers(origins: Iterable[Origin], unknown: str = NOT_RECORDED) -> str:
    """Return who made replies: each maker once, and for how many none is known."""
    origins = [*origins]
    names = [describe_maker(origin) for origin in origins]
    known = dict.fromkeys(shorten(name, _LENGTH) for name in names if name)
    if not known:
        return unknown
    parts = [join(known)]
    if unnamed := names.count(""):
        parts.append(f"{NOT_RECORDED} for {unnamed} of {len(names)}")
    if any("replay_of" in origin for origin in origins):
        parts.append("replayed")
    return "; ".join(parts)


def describe_replay(replay_of: Mapping[str, object] | None) -> str:
    """Return what a debate is a replay of; empty where it is none.

    >>> describe_replay({"debate": "first", "held": "2026-01-02"})
    'a replay of “first”, debated on 2026-01-02'
    """
    if replay_of is None:
        return ""
    name, day = (shorten(str(replay_of.get(key) or ""), _LENGTH) for key in ("debate", "held"))
    return f"a replay of “{name or 'another debate'}”" + (f", debated on {day}" if day else "")


def list_costs(at: Replayed) -> Iterator[str]:
    """Yield when each entry came and what its reply took, then the totals, each reply once."""
    for entry in sort_entries(at):
        reply = read_usage(made_by(entry))
        when = one_line(str(entry.header.get("at") or "")) or NOT_RECORDED
        by = one_line(describe_maker(made_by(entry))) or NOT_RECORDED
        yield f"{entry.id}: at {when}, {_describe(reply)}, made by {by}"
    whole = measure_usage(at)
    yield f"in total, {count(whole.replies, 'reply', 'replies')}: {_describe(whole)}"


def _describe(used: Usage) -> str:
    time = f"{used.latency_ms / 1000:,.1f} s" if used.latency_ms else NOT_RECORDED
    return f"time {time}, tokens {f'{used.tokens:,}' if used.tokens else NOT_RECORDED}"
