"""JSON within bounds: depth, digits and number of values, known before anything is built."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, NoReturn

from debate_ops.model.texts import one_line

MAX_DEPTH = 32
MAX_DIGITS = 40
MAX_TOKENS = 600_000
"""Texts, brackets and commas of one value: more would take seconds and hundreds of megabytes."""

_SHOWN = 40
# A text to its end, or to the end of all where it has none: so no character is looked at twice.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)


def read(text: str, start: int = 0) -> tuple[Any, int]:
    """Return the object or list that begins at `start`, and where it ends.

    Numbers are `int` or `Decimal`, exactly as written.

    Raises:
        json.JSONDecodeError: it is not JSON; knows the line.
        ValueError: it goes beyond a bound, has a key twice, or is no number in JSON.
        RecursionError: never within the bounds, but `json` may raise it.
    """
    _refuse_beyond_bounds(text, start)
    return DECODER.raw_decode(text, start)


def read_whole(text: str) -> Any:
    """Return the object or list that a text is; it is refused as `read` refuses one."""
    value, end = read(text, len(text) - len(text.lstrip()))
    if rest := text[end:].strip():
        raise json.JSONDecodeError("something stands behind the end", text, text.index(rest, end))
    return value


def is_deeper(value: object, levels: int = MAX_DEPTH) -> bool:
    """Tell whether lists and objects stand within one another on more levels than these."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_deeper(item, levels - 1) for item in inner)


def digits(number: str) -> int:
    """Return how many digits a number has, about, when it is written out without exponent."""
    mantissa, _, exponent = number.lower().partition("e")
    zeros = int(exponent.lstrip("+-0")[:4] or 0)
    return len(mantissa.lstrip("-").replace(".", "")) + zeros


def _refuse_beyond_bounds(text: str, start: int) -> None:
    """Go over the tokens of one value, up to the bracket that ends it, unless there are few."""
    if text.count("{", start) + text.count("[", start) <= MAX_DEPTH and len(text) <= MAX_TOKENS:
        return
    depth = 0
    for number, token in enumerate(_TOKEN.finditer(text, start), 1):
        mark = token[0]
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if depth > MAX_DEPTH:
            why = f"nested more than {MAX_DEPTH} levels deep"
            raise json.JSONDecodeError(why, text, token.start())
        if number > MAX_TOKENS:
            why = f"more than {MAX_TOKENS} texts, brackets and commas"
            raise json.JSONDecodeError(why, text, token.start())
        if depth <= 0:
            return


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        left = dict.fromkeys(value, 1)
        twice = next(key for key, _ in pairs if not left.pop(key, 0))
        raise ValueError(f"the key {one_line(twice, _SHOWN)!r} is given twice")
    return value


def _whole_number(text: str) -> int:
    _refuse_long(text)
    return int(text)


def decimal(text: str) -> Decimal:
    """Return a number exactly as written, unless it has so many digits that writing it is work."""
    _refuse_long(text)
    return Decimal(text)


def _refuse_long(number: str) -> None:
    is_short = len(number) <= MAX_DIGITS and "e" not in number.lower()
    if not is_short and digits(number) > MAX_DIGITS:
        raise ValueError(f"the number {number[:_SHOWN]} has more than {MAX_DIGITS} digits")


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number in JSON")


DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_whole_number,
    parse_float=decimal,
    parse_constant=_constant,
)
