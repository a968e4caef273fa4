"""Tables as CSV after RFC 4180: a header row, CRLF line ends, quotes doubled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

Cell = str | int | float | Decimal
"""A number is written as it is; a text is kept from being read as a formula."""

_QUOTED = re.compile(r'[",;\t\r\n]|^\s|\s$')
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# What a spreadsheet skips before it looks for a formula, and where a cell begins for some: those
# set to other languages split at `;` and tabs, and so lose the quotes around a line break.
_GAP = re.compile(r"\A|[\s;\"\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]+")
_BEGINS_CELL = frozenset(";\t\r\n")
_BEGINS_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")


def render(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table; what a spreadsheet would take for a formula in a text has a `'` before it.

    That is a `=`, `+`, `-` or `@`, full-width ones too, at the beginning of a cell or of a line in
    it, or behind `;` or a tab, also where white space, quotes or invisible characters come between.
    Line breaks and tabs inside a cell stay; other control characters become `?`.

    >>> for line in render(["id", "title"], [["a", "=1+1, or 2"], ["b", -0.5]]).splitlines():
    ...     print(line)
    id,title
    a,"'=1+1, or 2"
    b,-0.5
    """
    return "".join(f"{','.join(map(_cell, row))}\r\n" for row in (heads, *rows))


def shown(text: str) -> str:
    """Return a text with `?` in the place of control characters that are no line break or tab."""
    return _CONTROL.sub("?", text)


def _cell(value: Cell) -> str:
    if not isinstance(value, str):
        return str(value)
    text = shown(value)
    safe = _GAP.sub(_guarded, text)
    return '"' + safe.replace('"', '""') + '"' if _QUOTED.search(safe) else safe


def _guarded(gap: re.Match[str]) -> str:
    """Return a gap with the guard behind it, if a formula would begin there."""
    begins_cell = gap.start() == 0 or not _BEGINS_CELL.isdisjoint(gap[0])
    begins_formula = gap.string[gap.end() : gap.end() + 1] in _BEGINS_FORMULA
    return f"{gap[0]}'" if begins_cell and begins_formula else gap[0]
