"""Whether a text says anything that was not on record before: by its words, in runs of four.

A lower bound: what says the same in other words passes for new, and what is marked is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.protocols.schedule import Past, Replied

_RUN = 4
_ONE_IN = 10
"""A text that has no more new runs than one in so many repeats what is on record."""

_WORD = re.compile(r"\w+")


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    for line in text.casefold().splitlines():
        words = _WORD.findall(line)
        length = min(_RUN, len(words))
        for start in range(len(words) - length + 1) if words else ():
            yield tuple(words[start : start + length])


def _on_record(past: Past) -> set[tuple[str, ...]]:
    return {run for entry_id in past.ids for run in _runs(past.read(entry_id))}


def repeats(past: Past, *texts: str, may_differ: bool = True) -> bool:
    """Tell whether texts say no more than what is on record, except for a tenth if they may."""
    own = {run for text in texts for run in _runs(text)}
    known = past.once("runs", _on_record)
    return bool(own) and len(own - known) <= (len(own) // _ONE_IN if may_differ else 0)


def marked(replied: Replied, *texts: str, may_differ: bool = True) -> bool | None:
    """Return what an entry says of itself where votes are cited: True if it repeats, or nothing."""
    if replied.past.settings["votes"] == "plain":
        return None
    return repeats(replied.past, *texts, may_differ=may_differ) or None
