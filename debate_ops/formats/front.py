"""A file's header (data) and body (text): read tolerantly, written in one form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.errors import BadRecordError
from debate_ops.formats import bounded_json, foreign_header
from debate_ops.formats.bounded_toml import UnreadableError
from debate_ops.formats.json_text import dumps
from debate_ops.model.texts import one_line

FENCED = "fenced"
BARE = "bare"
OTHER = "other"

_MOST_SAID = 200
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_FENCE = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*+\r?\n")
_BRACE = re.compile(r"\s*+(?=\{)")
_FENCE_END = re.compile(r"\s*+(?<=\n)---[ \t]*+(?:\r?\n|\Z)")
_LINES = {
    fence: re.compile(rf"^{re.escape(fence)}[ \t]*+(?:\r?\n|\Z)", re.MULTILINE)
    for fence in ("---", "+++")
}
_MORE = 1024
"""How far behind the largest header the fence that ends it is looked for."""


class Front(NamedTuple):
    """A file split in two: `header` as data, `body` as it stands after the header, untouched.

    `form` is `fenced` (one JSON object between `---` lines: what we write), `bare` (a JSON object
    at the very start: older debates) or `other` (YAML or TOML: a person's editor).
    """

    header: dict[str, Any]
    body: str
    form: str


def parse(text: str, name: str) -> Front:
    """Split the text of the file `name` into header and body.

    How deep a header is, how long its numbers are and how much it holds is known before a parser
    builds anything of it: the file may be a stranger's.

    Raises:
        BadRecordError: there is no header, or it cannot be read; names the file and the line.
    """
    if text.startswith("{"):
        header, end = _object(text, 0, name)
        return Front(header, text[end:], BARE)
    fence = _FENCE.match(text)
    if fence is None:
        raise _unreadable(
            name, "no header; expected one JSON object between '---' lines at the top", 1
        )
    brace = _BRACE.match(text, fence.end())
    if brace is not None and fence[1] == "---":
        return _fenced(text, fence, brace.end(), name)
    return _other(text, fence, name)


def compose(header: Mapping[str, Any], body: str, form: str = FENCED) -> str:
    """Return the text of a file; a header read in `other` form is written as `fenced`."""
    data = dumps(dict(header))
    return f"{data}{body}" if form == BARE else f"---\n{data}\n---\n{body}"


def _fenced(text: str, fence: re.Match[str], start: int, name: str) -> Front:
    try:
        header, end = _object(text, start, name)
    except BadRecordError as broken:
        try:
            return _other(text, fence, name)  # YAML in braces
        except BadRecordError:
            raise broken from None
    closing = _FENCE_END.match(text, end)
    if closing is None:
        return _other(text, fence, name)
    return Front(header, text[closing.end() :], FENCED)


def _object(text: str, start: int, name: str) -> tuple[dict[str, Any], int]:
    try:
        value, end = bounded_json.read(text, start)
        if _SURROGATE.search(text, start, end):
            dumps(value).encode("utf-8")
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", text.count("\n", 0, start) + 1)
        raise _unreadable(name, f"the header is not valid JSON: {error}", line) from None
    return value, end


def _other(text: str, fence: re.Match[str], name: str) -> Front:
    start = fence.end()
    most = min(len(text), start + foreign_header.MAX_CHARACTERS + _MORE)
    closing = _LINES[fence[1]].search(text, start, most)
    if closing is None:
        what = "has no end" if most == len(text) else "is too large, or has no end"
        raise _unreadable(name, f"the header {what}; expected a line '{fence[1]}' behind it", 1)
    try:
        header = foreign_header.read(fence[1], text[start : closing.start()])
    except UnreadableError as error:
        raise _unreadable(name, f"the header cannot be read: {error}", error.line + 1) from None
    if not header:
        raise _unreadable(name, "the header is empty or cannot be read", 1)
    return Front(header, text[closing.end() :], OTHER)


def _unreadable(name: str, message: str, line: int) -> BadRecordError:
    return BadRecordError(
        f"{name}:{line}: {one_line(message, _MOST_SAID)}",
        hint=f"Repair {name} by hand or bring back an earlier version of it, then run this again.",
    )
