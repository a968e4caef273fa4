"""Who made a debate's replies, and at what cost, as far as the record tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from debate_ops.model.entries import Entry
from debate_ops.protocols.filing import PASSED
from debate_ops.reports.text import joined, shorten

NOT_RECORDED = "not recorded"
UNRECORDED = "agents that were not recorded"
LENGTH = 120
"""Characters to the name of a maker, where there is room for a sentence."""


class Made(NamedTuple):
    """How a participant's replies were made, as far as the record tells.

    `by` names each maker once, `unnamed` counts the replies that name none.
    """

    participant: str
    replies: int
    by: tuple[str, ...]
    unnamed: int
    replayed: bool
    latency_ms: int
    tokens: int


def made(participants: Iterable[str], read: Sequence[Entry]) -> tuple[Made, ...]:
    """Return how the replies of each participant were made."""
    return tuple(_made(name, [e for e in read if e.participant == name]) for name in participants)


def _made(participant: str, own: Iterable[Entry]) -> Made:
    """Return how one participant's replies were made; one reply may be several entries."""
    replies = {entry.step: made_by(entry) for entry in own if _is_reply(entry)}
    makers = [described(origin) for origin in replies.values()]
    return Made(
        participant,
        len(replies),
        tuple(dict.fromkeys(filter(None, makers))),
        makers.count(""),
        any("replay_of" in origin for origin in replies.values()),
        sum(whole(origin.get("latency_ms")) for origin in replies.values()),
        sum(tokens_of(origin.get("tokens")) for origin in replies.values()),
    )


def _is_reply(entry: Entry) -> bool:
    """Tell whether an entry is made of a reply; a pass is, any other absence is not."""
    passed = (entry.header.get("how"), entry.header.get("by")) == (PASSED, entry.participant)
    return passed or not entry.is_absence


def made_by(entry: Entry) -> Mapping[str, object]:
    """Return what an entry's header says of how its reply was made."""
    origin = entry.header.get("made_by")
    return origin if isinstance(origin, dict) else {}


_MEASURED = frozenset({"latency_ms", "tokens", "replay_of"})
_SAYS_ITSELF = frozenset({"by", "model"})


def described(origin: Mapping[str, object]) -> str:
    """Return who made a reply, in the words of the record; of a replay, who made the original.

    >>> described({"model": "m-1", "client": "x", "latency_ms": 12})
    'm-1, client x'
    >>> described({"replay_of": {"debate": "first", "made_by": {"model": "m-1"}}})
    'm-1'
    """
    before = origin.get("replay_of")
    if isinstance(before, dict):
        inner = before.get("made_by")
        return described(inner) if isinstance(inner, dict) else ""
    parts = [
        str(value) if key in _SAYS_ITSELF else f"{key} {value}"
        for key, value in origin.items()
        if key not in _MEASURED and isinstance(value, str | int) and value != ""
    ]
    return ", ".join(filter(None, parts))


def whole(number: object) -> int:
    """Return a whole number as it is, and 0 for anything else."""
    return number if isinstance(number, int) and not isinstance(number, bool) else 0


def tokens_of(tokens: object) -> int:
    """Return a number of tokens; of several kinds of them, the sum."""
    if isinstance(tokens, dict):
        return sum(map(whole, tokens.values()))
    return whole(tokens)


def makers(provenance: Made, length: int) -> str:
    """Return who made a participant's replies: each maker once, and for how many none is known."""
    parts = [joined([shorten(who, length) for who in provenance.by]) or NOT_RECORDED]
    if provenance.by and provenance.unnamed:
        parts.append(f"{NOT_RECORDED} for {provenance.unnamed} of {provenance.replies}")
    if provenance.replayed:
        parts.append("replayed")
    return "; ".join(parts)


def alone(what: str, provenance: Made) -> str:
    """Return who alone judged, as what, and that nobody has judged it again."""
    if provenance.by:
        return f"One {what} ({makers(provenance, LENGTH)}), not replicated."
    return f"One {what}, not replicated; who it was is not recorded."


def replay(replay_of: Mapping[str, object] | None, names: Mapping[str, str]) -> str:
    """Return what a debate is a replay of, or an empty string where it is none.

    `names` are what readers call the participants.
    """
    if replay_of is None:
        return ""
    name = _told(replay_of.get("debate")) or "another debate"
    when = f"debated on {held}" if (held := _told(replay_of.get("held"))) else "debated"
    return f"a replay of “{name}”, {when} by {_all_makers(replay_of.get('by'), names)}"


def _all_makers(by: object, names: Mapping[str, str]) -> str:
    """Return who debated and judged, each maker once with what it was."""
    if not isinstance(by, dict):
        return _told(by) or UNRECORDED
    parts: dict[str, list[str]] = {}
    for participant, maker in by.items():
        role = names.get(str(participant), str(participant))
        parts.setdefault(_told(maker), []).append(role)
    if set(parts) <= {"", NOT_RECORDED}:
        return UNRECORDED
    return "; ".join(f"{maker or 'somebody'} ({joined(roles)})" for maker, roles in parts.items())


def _told(value: object) -> str:
    """Return a value of a header as one line of text."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_told, value))
    known = value not in (None, "") and not isinstance(value, dict)
    return shorten(str(value), LENGTH) if known else ""
