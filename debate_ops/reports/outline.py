"""What a protocol adds to the entries of its debates, so that they can be read in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import Contribution, Entry
from debate_ops.reports.items import Item

Number = tuple[str, str, Any]
"""What a number is about, what it measures, and the number as it stands on record."""


class Outline(NamedTuple):
    """How the entries of one debate are read.

    `participants` are all that act and what they are; `names` are what readers call them, if it is
    not that. `sides` are the two parties, if there are two. `place` names the part of the debate
    that an entry belongs to; `stops_at` says where a debate that is not over stops. `read` returns
    an entry as it is read. `numbers` yields what an entry that judges measures. `private` names the
    kind of an entry that somebody made for itself alone, and `shows_private` says whether such
    entries are shown where nobody says otherwise.
    """

    participants: Mapping[str, str]
    place: Callable[[Entry], str]
    stops_at: str
    names: Mapping[str, str] = {}
    sides: tuple[str, ...] = ()
    read: Callable[[Item], Item] = lambda item: item
    numbers: Callable[[Contribution], Iterable[Number]] = lambda _: ()
    private: Callable[[Entry], str] = lambda _: ""
    shows_private: bool = True


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object of a header, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}
