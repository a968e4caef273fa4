"""JSON read part by part: where each value stands, and where the text breaks.

`json` is faster, and says none of this: it reads the replies that nothing is wrong with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from typing import Any

from debate_ops.errors import Finding
from debate_ops.formats.bounded_json import MAX_DEPTH, MAX_DIGITS, digits
from debate_ops.model import messages
from debate_ops.model.texts import one_line

MAX_EXCERPT = 60

Path = tuple[str | int, ...]

# Possessive repeats (`++`, `*+`) keep patterns linear, whatever a text holds.
TEXT = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+'
"""Pattern of a text in JSON, without the quotation mark that ends it."""
_OPEN_TEXT = r'"(?:[^"\\]++|\\.)*+\\?\Z'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"
_UNREADABLE = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]"
SUSPECT_ESCAPE = r"\\(?:[bf]|u00[01]|u[dD][89a-fA-F])"
"""Pattern of an escape that may stand for a character which no text of a reply may hold."""
_WORDS = {"true": True, "false": False, "null": None}


def json_path(path: Path) -> str:
    """Return a path as readers of JSON write it.

    >>> json_path(("arguments", 0, "a b"))
    '$.arguments[0]["a b"]'
    """
    return "$" + "".join(map(_path_part, path))


def _path_part(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    if len(part) > messages.NAME:
        part = f"{part[: messages.NAME]} …"
    is_plain = re.fullmatch(r"[^\W\d]\w*", part)
    return f".{part}" if is_plain else f"[{json.dumps(part, ensure_ascii=not part.isprintable())}]"


def line_column(text: str, at: int) -> tuple[int, int]:
    """Return line and column, from 1, of a place in a text."""
    before = text[:at]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def placed(finding: Finding, text: str, at: int) -> Finding:
    """Return a finding with the line and column of a place."""
    line, column = line_column(text, at)
    return finding._replace(line=line, column=column)


def excerpt(text: str) -> str:
    """Return the beginning of a text in one line."""
    return one_line(text[: 2 * MAX_EXCERPT], MAX_EXCERPT)


class _BrokenError(ValueError):
    """The text is no JSON for a reply here; says what would be."""

    def __init__(self, expected: str, code: str = "not_json") -> None:
        super().__init__(expected)
        self.code = code


class Scan:
    """A JSON value in a text: its parts by path, and where each begins.

    `end` is where the value ends, or breaks: there `expected` says what should come, `code` what
    sort of fault that is, and `path` in which part. `expected` is empty where the value is whole.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text, self.end = text, start
        self.path: Path = ()
        self.places: dict[Path, int] = {}
        self.value: Any = None
        self.expected = self.code = ""
        try:
            self.value = self._value(())
        except _BrokenError as error:
            self.expected, self.code = str(error), error.code

    def _value(self, path: Path) -> Any:
        self.path, at = path, self._next()
        self.places[path] = at
        first = self.text[at : at + 1]
        if first in {"{", "["} and len(path) == MAX_DEPTH:
            raise _BrokenError(f"at most {MAX_DEPTH} levels", "too_deep")
        if first == "{":
            return self._object(path)
        if first == "[":
            return [self._value((*path, number)) for number in self._parts("]")]
        return self._text() if first == '"' else self._scalar()

    def _object(self, path: Path) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for _ in self._parts("}"):
            self.path, at = path, self._next()
            if not self.text.startswith('"', at):
                raise _BrokenError("a key in double quotes")
            key = self._text()
            self.path = (*path, key)
            if key in value:
                self.end = at
                raise _BrokenError("each key once", "duplicate_key")
            if not self._take(":"):
                raise _BrokenError("a colon")
            value[key] = self._value((*path, key))
        return value

    def _parts(self, closing: str) -> Iterator[int]:
        """Yield the number of each part of a list or an object, where that part begins."""
        self.end += 1
        if self._take(closing):
            return
        for number in count():
            yield number
            if self._take(closing):
                return
            if not self._take(","):
                raise _BrokenError('a comma, or \\" for a quotation mark inside a text')

    def _text(self) -> str:
        match = re.compile(rf'{TEXT}"').match(self.text, self.end)
        if match is None:
            if not re.compile(_OPEN_TEXT, re.DOTALL).match(self.text, self.end):
                self.end = self._after(TEXT)
            raise _BrokenError(r"a text in double quotes, with \n for a line break in it")
        text = str(json.loads(match[0]))
        if re.search(_UNREADABLE, text):
            raise _BrokenError("no control characters and no halves of characters", "unreadable")
        self.end = match.end()
        return text

    def _scalar(self) -> Any:
        end = self._after(rf"{_NUMBER}|true|false|null")
        token = self.text[self.end : end]
        if not token:
            raise _BrokenError("a JSON value")
        if digits(token) > MAX_DIGITS:
            raise _BrokenError(f"a number of at most {MAX_DIGITS} digits", "number_too_long")
        self.end = end
        if token in _WORDS:
            return _WORDS[token]
        return int(token) if token.lstrip("-").isdigit() else Decimal(token)

    def _after(self, pattern: str) -> int:
        """Return where a match of a pattern ends that begins here."""
        match = re.compile(pattern).match(self.text, self.end)
        return match.end() if match else self.end

    def _next(self) -> int:
        """Go on to what is no white space."""
        self.end = self._after(r"[ \t\n\r]*+")
        return self.end

    def _take(self, mark: str) -> bool:
        """Go on behind a mark, if that comes next."""
        is_next = self.text.startswith(mark, self._next())
        self.end += is_next
        return is_next
