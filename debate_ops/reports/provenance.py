"""Who made a debate's replies, and at what cost, as far as it is on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.entries import ADVICE, Entry
from debate_ops.model.texts import one_line
from debate_ops.model.usage import Usage, made_by, of_reply, total
from debate_ops.protocols.filing import PASSED
from debate_ops.protocols.first_answer import ADVISER
from debate_ops.protocols.table import rules_of
from debate_ops.reports.reading import in_order
from debate_ops.reports.text import counted, joined, shorten
from debate_ops.storage.record import everything

NOT_RECORDED = "not recorded"
_LENGTH = 120
_MEASURED = frozenset({"latency_ms", "tokens", "prices", "replay_of"})
_SAYS_ITSELF = frozenset({"by", "model"})


class Provenance(NamedTuple):
    """How a participant's replies were made, as far as it is on record.

    `by` names each maker once, `unnamed` counts the replies that name none.
    """

    participant: str
    replies: int
    by: tuple[str, ...]
    unnamed: int
    replayed: bool
    latency_ms: int
    tokens: int
    cost: str


def find_provenance(debate: Debate) -> tuple[Provenance, ...]:
    """Return how the replies of each participant were made, the adviser's too if there is one."""
    return tuple(_of(name, origins) for name, origins in _replies(debate).items())


def used(debate: Debate) -> Usage:
    """Return what all replies on record took."""
    return total(of_reply(o) for origins in _replies(debate).values() for o in origins)


def _replies(debate: Debate) -> dict[str, list[Mapping[str, object]]]:
    """Return how each reply was made, by participant; one reply may be several entries.

    What people and the rules themselves put on record is no reply.
    """
    names = [*rules_of(debate.protocol).participants(debate.settings)]
    names += [ADVISER] if debate.record.ids(ADVICE) else []
    replies: dict[str, dict[int, Mapping[str, object]]] = {name: {} for name in names}
    for entry in everything(debate.record):
        if entry.participant in replies and _is_reply(entry):
            replies[entry.participant][entry.step] = made_by(entry)
    return {name: list(made.values()) for name, made in replies.items()}


def _of(participant: str, origins: Sequence[Mapping[str, object]]) -> Provenance:
    names, taken = list(map(described, origins)), total(map(of_reply, origins))
    return Provenance(
        participant,
        len(origins),
        tuple(dict.fromkeys(filter(None, names))),
        names.count(""),
        any("replay_of" in origin for origin in origins),
        taken.latency_ms,
        taken.tokens,
        _cost(taken),
    )


def _cost(taken: Usage) -> str:
    """Return what replies cost, and of how many that is not known; empty where of none."""
    if taken.unpriced == taken.replies or not taken.cost:
        return ""
    unknown = f", unknown for {taken.unpriced}" if taken.unpriced else ""
    return f"${taken.cost:.4f}{unknown}"


def _is_reply(entry: Entry) -> bool:
    """Tell whether an entry is made of a reply; a pass is, any other absence is not."""
    passed = (entry.header.get("how"), entry.header.get("by")) == (PASSED, entry.participant)
    return passed or not entry.is_absence


def described(origin: object) -> str:
    """Return who made a reply, in the words of the record; of a replay, who made the original.

    >>> described({"model": "m-1", "client": "x", "latency_ms": 12})
    'm-1, client x'
    >>> described({"replay_of": {"debate": "first", "made_by": {"model": "m-1"}}})
    'm-1'
    """
    if not isinstance(origin, dict):
        return ""
    before = origin.get("replay_of")
    if isinstance(before, dict):
        return described(before.get("made_by"))
    parts = [
        str(value) if key in _SAYS_ITSELF else f"{key} {value}"
        for key, value in origin.items()
        if key not in _MEASURED and isinstance(value, str | int) and value != ""
    ]
    return ", ".join(filter(None, parts))


def makers(own: Provenance) -> str:
    """Return who made a participant's replies: each maker once, and for how many none is known."""
    parts = [joined([shorten(who, _LENGTH) for who in own.by]) or NOT_RECORDED]
    if own.by and own.unnamed:
        parts.append(f"{NOT_RECORDED} for {own.unnamed} of {own.replies}")
    if own.replayed:
        parts.append("replayed")
    return "; ".join(parts)


def alone(what: str, own: Provenance) -> str:
    """Return who alone judged, as what, once."""
    return f"One {what}, one run ({makers(own) if own.by else 'model unknown'})"


def replay(replay_of: Mapping[str, object] | None) -> str:
    """Return what a debate is a replay of, or an empty string where it is none.

    >>> replay({"debate": "first", "held": "2026-01-02"})
    'a replay of “first”, debated on 2026-01-02'
    """
    if replay_of is None:
        return ""
    name, day = (shorten(str(replay_of.get(key) or ""), _LENGTH) for key in ("debate", "held"))
    return f"a replay of “{name or 'another debate'}”" + (f", debated on {day}" if day else "")


def costs(debate: Debate) -> Iterator[str]:
    """Yield when each entry came and what its reply cost, then the totals, each reply once."""
    for entry in in_order(debate):
        reply = of_reply(made_by(entry))
        at, by = one_line(str(entry.header.get("at") or "")), one_line(described(made_by(entry)))
        cost = f"time {in_seconds(reply.latency_ms)}, tokens {in_tokens(reply.tokens)}"
        yield f"{entry.id}: at {at or NOT_RECORDED}, {cost}, made by {by or NOT_RECORDED}"
    whole = used(debate)
    replies, time = counted(whole.replies, "reply", "replies"), in_seconds(whole.latency_ms)
    yield f"in total, {replies}: time {time}, tokens {in_tokens(whole.tokens)}"


def in_seconds(latency_ms: int) -> str:
    """Return a time for readers; there is none of 0."""
    return f"{latency_ms / 1000:,.1f} s" if latency_ms else NOT_RECORDED


def in_tokens(number: int) -> str:
    """Return a number of tokens for readers; there is none of 0."""
    return f"{number:,}" if number else NOT_RECORDED
