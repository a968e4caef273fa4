"""Tables as CSV after RFC 4180: a header row, CRLF line ends, quotes doubled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from debate_ops.core.texts import plain
from debate_ops.report import words

_QUOTED = re.compile(r'[",;\t\r\n]|^\s|\s$')
# What a spreadsheet skips before it looks for a formula, and where a cell begins for some: those
# set to other languages split at `;` and tabs, and so lose the quotes around a line break.
_GAP = re.compile(r"\A|[\s;\"\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]+")
_BEGINS_CELL = frozenset(";\t\r\n")
_BEGINS_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")


def write_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table; what a spreadsheet would take for a formula in a text has a `'` before it.

    That is a `=`, `+`, `-` or `@`, full-width ones too, at the beginning of a cell or of a line in
    it, or behind `;` or a tab, also where white space, quotes or invisible characters come between.
    Numbers are as they are, a list is its items with spaces between, and None an empty cell.

    >>> for line in write_table(["id", "title"], [["a", "=1+1, or 2"], ["b", -0.5]]).splitlines():
    ...     print(line)
    id,title
    a,"'=1+1, or 2"
    b,-0.5
    """
    return "".join(f"{','.join(map(_cell, row))}\r\n" for row in (heads, *rows))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float | Decimal):
        return words.plain(value)
    text = plain(" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
    safe = _GAP.sub(_guard, text)
    return '"' + safe.replace('"', '""') + '"' if _QUOTED.search(safe) else safe


def _guard(gap: re.Match[str]) -> str:
    """Return a gap with the guard behind it, if a formula would begin there."""
    begins_cell = gap.start() == 0 or not _BEGINS_CELL.isdisjoint(gap[0])
    begins_formula = gap.string[gap.end() : gap.end() + 1] in _BEGINS_FORMULA
    return f"{gap[0]}'" if begins_cell and begins_formula else gap[0]
