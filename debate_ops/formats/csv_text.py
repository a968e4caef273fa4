"""Tables as CSV after RFC 4180: a header row, CRLF line ends, quotes doubled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

Cell = str | int | float | Decimal
"""A number is written as it is; a text is kept from being read as a formula."""

_QUOTED = re.compile(r'[",\r\n]|^\s|\s$')
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# What a spreadsheet takes for a formula, also behind white space and in its full-width forms.
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


def render(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table; a text that a spreadsheet would take for a formula has a `'` before it.

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
    safe = f"'{text}" if _FORMULA.match(text) else text
    return '"' + safe.replace('"', '""') + '"' if _QUOTED.search(safe) else safe
