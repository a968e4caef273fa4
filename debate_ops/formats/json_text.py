"""JSON as this package writes it: readable, valid YAML too, the same bytes for the same value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from debate_ops.model.texts import spelled

# YAML forbids or reinterprets these when they stand raw in a double-quoted text.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_INDENT = "  "


def dumps(value: Any) -> str:
    """Return `value` as JSON over several lines, keys in the order given.

    Numbers are written without exponents, so that YAML readers see numbers too.

    >>> print(dumps({"a": [1, Decimal("0.30")]}))
    {
      "a": [
        1,
        0.3
      ]
    }
    """
    return _text(value, "\n")


def printed(value: Any) -> str:
    r"""Return `value` as `dumps` does, for a terminal: what could not be shown is spelled out.

    >>> print(printed(["\u202etxt.exe"]))
    [
      "\u202etxt.exe"
    ]
    """
    return spelled(dumps(value))


def canonical(value: Any) -> str:
    """Return `value` as JSON on one line with sorted keys: equal values give equal text.

    >>> canonical({"b": Decimal("1.0"), "a": None})
    '{"a":null,"b":1}'
    """
    return _text(value, "", sorted)


def compact(value: Any) -> str:
    """Return `value` as `printed` does, but on one line: for readers that pay by length.

    >>> compact({"b": Decimal("1.0"), "a": None})
    '{"b":1,"a":null}'
    """
    return spelled(_text(value, ""))


def _text(value: Any, newline: str, order: Callable[[Iterable[str]], Iterable[str]] = iter) -> str:
    """Return JSON with every item behind a `newline` and more of an indent, or on one line."""
    if not isinstance(value, dict | list | tuple):
        return _scalar(value)
    inner = newline and newline + _INDENT
    if isinstance(value, dict):
        (start, end), colon = "{}", ": " if newline else ":"
        items = [_string(key) + colon + _text(value[key], inner, order) for key in order(value)]
    else:
        start, end = "[]"
        items = [_text(item, inner, order) for item in value]
    return start + inner + f",{inner}".join(items) + newline + end if items else start + end


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    return _number(value)


def _string(text: str) -> str:
    quoted: str = encode_basestring(text)
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _number(value: float | Decimal) -> str:
    if isinstance(value, int):
        return str(value)
    exact = Decimal(str(value))
    if not exact.is_finite():
        raise ValueError(f"JSON has no number for {value!r}")
    text = format(exact, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if isinstance(value, float) and "." not in text:
        text += ".0"
    return "0" if text in {"-0", "-"} else text
