"""A brief as it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.model.score import Millis

EVEN = "even"
"""Who had the better of an issue where neither had."""

Data = Mapping[str, Any]
"""A reply by the schema of the brief, each text a `Line` with its fields filled in.

A part of the story is a tuple of lines, a list of cites is a line of references; names of choices,
entries and points are texts as they were given.
"""


class Brief(NamedTuple):
    """A brief as it lies in the folder.

    `sums` are those of the shares of each issue's entries, by the program. One that is
    `out_of_date` was written for another record than the one that is there now: it was after so
    many `step`s, and must not be shown as what the debate comes to. `made_by` is what is known of
    who wrote it.
    """

    data: Data
    sums: tuple[tuple[Data, Millis], ...]
    step: int
    out_of_date: bool = False
    made_by: Mapping[str, Any] = {}
