"""What replies took: tokens, money and time, as far as their `made_by` says."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.core.values import Entry

MOST_DOLLARS, _MOST_COUNT, _LEAST = 10**6, 10**12, 1e-12
_MOST_OF_A_TEXT, _MOST_LEVELS = 100_000, 28
"""Of what is said of how a reply was made, well within the bounds of a header."""


class Usage(NamedTuple):
    """What some replies took: tokens of all kinds, US dollars, milliseconds.

    A sum leaves out what is not known: of the `uncounted` the tokens, of the `unpriced` the cost.
    """

    replies: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)
    latency_ms: int = 0
    uncounted: int = 0
    unpriced: int = 0

    def as_data(self) -> dict[str, Any]:
        """Return it for programs; what is not known of some replies is counted, never 0."""
        return self._asdict() | {"cost": float(self.cost)}

    def sentence(self) -> str:
        """Return it in a line; empty where nothing is known.

        >>> Usage(replies=3, tokens=1500, uncounted=1, unpriced=3).sentence()
        '1,500 tokens, unknown for 1 of 3 replies'
        """
        if not self.tokens:
            return ""
        unknown = f"unknown for {{}} of {self.replies} replies"
        parts = [f"{self.tokens:,} tokens"]
        parts += [unknown.format(self.uncounted)] if self.uncounted else []
        if self.unpriced < self.replies:
            parts.append(f"${self.cost:.4f}")
            parts += [unknown.format(self.unpriced)] if self.unpriced else []
        return ", ".join(parts)


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of several."""
    sums: Iterable[Any] = map(sum, zip(Usage(), *usages, strict=True))
    return Usage(*sums)


def read_usage(made_by: Mapping[str, Any]) -> Usage:
    """Return what one reply took; a person's takes nothing that could be counted.

    >>> usage = read_usage({"model": "m", "tokens": {"input": 5, "output": 2}, "latency_ms": 40})
    >>> usage.tokens, usage.latency_ms, usage.uncounted, usage.unpriced
    (7, 40, 0, 1)
    """
    tokens = sum(read_tokens(made_by).values())
    cost = made_by.get("cost_usd")
    is_person = "person" in made_by
    priced = isinstance(cost, int | float | Decimal) and not isinstance(cost, bool) and cost >= 0
    return Usage(
        replies=1,
        tokens=tokens,
        cost=Decimal(str(cost)) if priced else Decimal(0),
        latency_ms=_count(made_by.get("latency_ms")),
        uncounted=int(not is_person and not tokens),
        unpriced=int(not is_person and not priced),
    )


def keep_credible(made: Mapping[str, Any], levels: int = _MOST_LEVELS) -> dict[str, Any]:
    """Return what is said of how a reply was made, without what is out of bounds.

    Programs, providers and files in the inbox say it, and what goes on record is read again.

    >>> keep_credible({"cost_usd": 1e308, "model": "m", "tokens": {"input": 10**40, "output": 2}})
    {'model': 'm', 'tokens': {'output': 2}}
    """
    kept = dict[str, Any]()
    for key, value in made.items():
        if not _is_text(key):
            continue
        most = MOST_DOLLARS if key == "cost_usd" else _MOST_COUNT
        if isinstance(value, Mapping):
            kept |= {key: keep_credible(value, levels - 1)} if levels else {}
        elif isinstance(value, int | float | Decimal):
            kept |= {key: value} if not value or _LEAST <= value <= most else {}
        elif _is_text(value):
            kept[key] = value
    return kept


def _is_text(value: object) -> bool:
    is_short = isinstance(value, str) and len(value) <= _MOST_OF_A_TEXT
    return is_short and not re.search("[\ud800-\udfff]", str(value))


def read_tokens(made_by: Mapping[str, Any]) -> dict[str, int]:
    """Return the tokens of one reply by their kinds: `input`, `cached`, `output`, or others."""
    tokens = made_by.get("tokens")
    kinds = tokens if isinstance(tokens, Mapping) else {"": tokens}
    return {kind: _count(number) for kind, number in kinds.items()}


def _count(number: object) -> int:
    is_count = isinstance(number, int) and not isinstance(number, bool) and number >= 0
    return number if is_count else 0  # type: ignore[return-value]


def made_by(entry: Entry) -> Mapping[str, Any]:
    """Return what an entry's header says of how its reply was made."""
    made = entry.header.get("made_by")
    return made if isinstance(made, Mapping) else {}
