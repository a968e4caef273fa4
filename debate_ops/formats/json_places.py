"""Places in a JSON text: the line and column of every value, and what is wrong there."""

from __future__ import annotations

import json
import re

from debate_ops.errors import Finding
from debate_ops.formats.bounded_json import MAX_DEPTH, MAX_DIGITS, digits
from debate_ops.model import messages
from debate_ops.model.texts import one_line

MAX_FAULTS = 50
MAX_EXCERPT = 60

Path = tuple[str | int, ...]

# Possessive repeats (`++`, `*+`) keep patterns linear, whatever a text holds.
TEXT = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+'
_TOKEN = (
    rf'(?P<text>{TEXT}")|(?P<open>"(?:[^"\\]++|\\.)*+\\?\Z)'
    r"|(?P<begin>[\[{])|(?P<end>[\]}])|(?P<comma>,)"
    r"|(?P<number>-?[0-9][-+.0-9eE]*+)|(?P<word>true|false|null)|(?P<constant>NaN|-?Infinity)"
)
SUSPECT_ESCAPE = r"\\(?:[bf]|u00[01]|u[dD][89a-fA-F])"
_BAD_CHARACTER = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]"


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


def place(text: str, at: int) -> str:
    """Return a place in a text for a message."""
    line, column = line_column(text, at)
    return f"line {line}, column {column}"


def excerpt(text: str) -> str:
    """Return the beginning of a text in one line."""
    return one_line(text[: 2 * MAX_EXCERPT], MAX_EXCERPT)


class Walk:
    """A walk over a value that is JSON so far: the place of every path, and its faults.

    `end` is where it was left: at the end of the value, or at the text that breaks it.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.end = text, end
        self.places: dict[Path, int] = {}
        self.faults: list[Finding] = []
        self._keys: dict[Path, int] = {}
        self._parts: list[str | int | None] = []  # of each object None, where a key comes next
        for token in re.compile(_TOKEN).finditer(text, start, end):
            self._take(token.lastgroup, token[0], token.start())
            if token.lastgroup == "open":
                self.end = token.start()
            if not self._parts or len(self._parts) > MAX_DEPTH:
                return

    def path(self) -> Path:
        """Return where the walk is."""
        return tuple(part for part in self._parts if part is not None)

    def inside(self) -> str:
        """Return what the walk is in the middle of."""
        return "a list" if isinstance(self._parts[-1], int) else "an object"

    def _take(self, kind: str | None, token: str, at: int) -> None:
        if kind == "end":
            self._parts.pop()
        elif kind == "comma":
            index = self._parts[-1]
            self._parts[-1] = index + 1 if isinstance(index, int) else None
        elif kind == "text" and self._parts and self._parts[-1] is None:
            self._parts[-1] = str(json.loads(token))
            self._check_text(token, at)
            first = self._keys.setdefault(self.path(), at)
            if first != at and len(self.faults) < MAX_FAULTS:
                message = f"is given twice, first at {place(self.text, first)}"
                self._note("duplicate_key", message, at, str(self._parts[-1]), "each key once")
        else:
            self.places[self.path()] = at
            self._check_value(kind, token, at)
            if kind == "begin":
                self._parts.append(None if token.startswith("{") else 0)

    def _check_value(self, kind: str | None, token: str, at: int) -> None:
        if kind == "text":
            self._check_text(token, at)
        elif kind == "constant":
            message = f"is {token}, which is no number in JSON"
            self._note("not_a_number", message, at, token, "a number")
        elif kind == "number" and digits(token) > MAX_DIGITS:
            most = f"at most {MAX_DIGITS} digits"
            self._note("number_too_long", f"is too long a number, expected {most}", at, token, most)
        elif kind == "begin" and len(self._parts) == MAX_DEPTH:
            most = f"at most {MAX_DEPTH} levels"
            self._note("too_deep", f"is nested too deeply, expected {most}", at, token, most)

    def _check_text(self, token: str, at: int) -> None:
        if not re.search(SUSPECT_ESCAPE, token):
            return
        for character in sorted(set(re.findall(_BAD_CHARACTER, json.loads(token)))):
            name = f"U+{ord(character):04X}"
            if character < " ":
                message = f"holds the control character {name}"
                self._note("control_character", message, at, name, "readable text")
            else:
                message = f"holds half of a surrogate pair, {name}"
                self._note("lone_surrogate", message, at, name, "whole characters")

    def _note(self, code: str, message: str, at: int, actual: str, expected: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            where = json_path(self.path())
            fault = Finding(code, message, where=where, actual=excerpt(actual), expected=expected)
            self.faults.append(placed(fault, self.text, at))
