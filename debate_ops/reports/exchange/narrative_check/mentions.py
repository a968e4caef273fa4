"""Whom a sentence speaks of: arguments by id, sides by name, words that stand for one."""

from __future__ import annotations

import re
from typing import NamedTuple

from debate_ops.reports.exchange.narrative_check.figures import figures
from debate_ops.reports.exchange.narrative_check.record import Known

ARGUMENT, SIDE, STAND_IN = "argument", "side", "stand-in"

ID = r"(?<!\w)[a-z]+_[0-9]{3}[a-z]?(?:-[a-z]+(?:-[0-9]+)?)?(?!\w)"
"""An id as it stands in the record."""

_MENTION = re.compile(
    rf"(?P<id>{ID})|\b(?P<side>proposition|opposition)\b"
    r"|\b(?P<other>it|they|them|he|she|former|latter|each|both|neither|another"
    r"|the (?:claim|argument|point|reply|answer|attack|rebuttal|defence|defense|case|last|first"
    r"|second|third))\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|and|or|&|,\s*and)\s*\Z")
EXCHANGE = (
    r"(?:exchange\s(?:[0-9]+|[a-z]+)\b|(?:[a-z]+|[0-9]+(?:st|nd|rd|th))\sexchange\b|opening\b)"
)
"""How an exchange is named: `exchange 3`, `third exchange`, `opening`."""

_IN_EXCHANGE = re.compile(
    rf"(?:\b(?P<how>in|after|at|by|until|following|during)\s(?:the\s)?|\A)(?P<exchange>{EXCHANGE})",
    re.IGNORECASE,
)
_DURING = {"in", "at", "during"}
_ONE_CLAUSE = re.compile(r"(?:,?\s)?[^,;:]*")
_NEXT = re.compile(r"[\s,)]*")


class When(NamedTuple):
    """An exchange that a sentence names; `during` it, or after it.

    What is told of an exchange itself may be what stood before it, too.
    """

    exchange: int
    during: bool

    @property
    def standing(self) -> tuple[int, ...]:
        """After which exchanges a score may have stood as the sentence says."""
        return (self.exchange, self.exchange - 1) if self.during else (self.exchange,)


class Mention(NamedTuple):
    """A place where a sentence names somebody; `name` is an id, a side (`prop`), or the word."""

    kind: str
    name: str
    start: int
    end: int


def mentions(text: str, known: Known) -> list[Mention]:
    """Return whom a text names, in order."""
    found = []
    by_name = {name: side for side, name in known.sides.items()}
    for match in _MENTION.finditer(text):
        if match["id"]:
            argument_id = own_id(match["id"], known)
            if argument_id:
                end = match.start() + len(argument_id)
                found.append(Mention(ARGUMENT, argument_id, match.start(), end))
        elif match["side"]:
            name = by_name.get(match["side"].casefold(), "")
            found.append(Mention(SIDE, name, *match.span()))
        else:
            found.append(Mention(STAND_IN, match[0].casefold(), *match.span()))
    return found


def own_id(text: str, known: Known) -> str:
    """Return the argument id that a word like `prop_001-like` begins with; else nothing."""
    name = text.partition("-")[0]
    return next((i for i in (text, name) if i in known.arguments), "")


def group_before(text: str, found: list[Mention], place: int) -> list[Mention]:
    """Return the last mentions before a place: one, or several ids joined by `and`."""
    before = [m for m in found if m.end <= place]
    group = before[-1:]
    while len(before) > len(group) and group[0].kind == ARGUMENT:
        earlier = before[-len(group) - 1]
        between = text[earlier.end : group[0].start]
        if earlier.kind != ARGUMENT or not _JOINED.fullmatch(between):
            break
        group.insert(0, earlier)
    return group


def named_exchange(text: str, start: int, end: int) -> When | None:
    """Return the exchange that a sentence names for what stands from `start` to `end`.

    It is the one named right after it, or else the last one before it in the same clause; None
    where there is none.
    """
    after = _IN_EXCHANGE.match(text, _end(_NEXT.match(text, end)))
    before = list(_IN_EXCHANGE.finditer(text, 0, start))
    if after is None and before and _ONE_CLAUSE.fullmatch(text[before[-1].end() : start]):
        after = before[-1]
    number = exchange_number(after["exchange"]) if after else None
    if after is None or number is None:
        return None
    return When(number, during=(after["how"] or "in").casefold() in _DURING)


def exchange_number(words: str) -> int | None:
    """Return which exchange is named; None where the words name none.

    >>> exchange_number("exchange 3"), exchange_number("third exchange"), exchange_number("opening")
    (3, 3, 0)
    """
    if words.casefold() == "opening":
        return 0
    found = figures(words)
    return found[0].whole if found else None


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else 0
