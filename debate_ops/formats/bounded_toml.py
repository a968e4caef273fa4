"""TOML within bounds: how deep it is, and how long its numbers, before a reader meets them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from debate_ops.formats.bounded_json import MAX_DEPTH, MAX_DIGITS, is_deeper
from debate_ops.startup import pattern

TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
TOO_LONG = f"a number of more than {MAX_DIGITS} digits"

LONG_NUMBER = pattern(r"[-+]?(?:0[xob][0-9a-fA-F_]{80,}+|[0-9_:.]{80,}+)\Z")
"""What a reader would make a number of, however long that takes it."""

_PLACE = pattern(r"\(at line ([0-9]+), column [0-9]+\)|\(at end of document\)")
# What is no key: comments and texts, each to its end, or to the end of all.
_NO_KEYS = (
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5}|\Z)',
    r"'''(?:[^']++|'(?!''))*+(?:'{3,5}|\Z)",
    r'"(?:[^"\\\n]++|\\.)*+"?',
    r"'[^'\n]*+'?",
    r"#[^\n]*+",
)
_NO_KEY = pattern("|".join(_NO_KEYS), re.DOTALL)
_KEY_END = pattern(r"[\n=,\[\]{}]")


class TomlError(ValueError):
    """A text that is not read, and on which line of it the reason stands, from 1."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def read(text: str) -> dict[str, Any]:
    """Return the table that a text is; numbers with a fraction are `Decimal`.

    Raises:
        TomlError: it goes beyond a bound, or is not TOML.
    """
    import tomllib  # not needed at every step

    parts = [part.strip() for part in _KEY_END.split(_NO_KEY.sub("", text))]
    if any(map(LONG_NUMBER.match, parts)):
        raise TomlError(TOO_LONG)
    if any(part.count(".") >= MAX_DEPTH for part in parts):
        raise TomlError(TOO_DEEP)
    try:
        value = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        raise TomlError(_PLACE.sub("", str(error)).strip(), line) from None
    except RecursionError:
        raise TomlError(TOO_DEEP) from None
    if is_deeper(value):
        raise TomlError(TOO_DEEP)
    return value
