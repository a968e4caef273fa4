"""Find the one JSON value in a reply, whatever a client or a model has put around it.

A reply that is one JSON value and nothing else is read by `json` alone. All the rest (prose,
fences, wrappers) is searched bracket by bracket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from debate_ops.errors import Finding, RefusedError
from debate_ops.formats import bounded_json
from debate_ops.formats.json_places import (
    SUSPECT_ESCAPE,
    TEXT,
    Path,
    Scan,
    excerpt,
    json_path,
    line_column,
    placed,
)
from debate_ops.formats.json_text import canonical

MAX_BYTES = 1024 * 1024

# Patterns are compiled where they are used (`re` keeps them): JSON alone needs but one of them.
_ANSWER = rf'(?:\[[ \t\n\r]*+)?\{{[ \t\n\r]*+({TEXT}")[ \t\n\r]*+:'
_ALMOST = r"""\{\s*+(?:["'\u201c\u201d\u2018\u2019]|\w++\s*+:|\Z)"""
_UNFINISHED = rf"(?:{TEXT}(?:\\\w*)?|t|tr|tru|f|fa|fal|fals|n|nu|nul|[-+.eE]*+)\s*"
_WRAPPED = Finding("text_around", "stands in what an agent client put around it, which was removed")


class JsonReply(NamedTuple):
    """The value of a reply; its numbers are `int` or `Decimal`, exactly as written.

    `text` is the text that the value was read from and `start` the offset of the value in it.
    Where a client had put the answer into a JSON text, `text` is the answer, not the wrapper.
    """

    value: Any
    text: str
    start: int
    warnings: tuple[Finding, ...]


def find_json(raw: bytes) -> JsonReply:
    """Return the one JSON object or list in a reply; refuse with all faults where there is none."""
    marked = _decoded(raw)
    text = marked.removeprefix("\ufeff")
    if not text.strip():
        raise _refusal(Finding("empty", "is empty", expected="one JSON object"))
    reply = _find(text)
    if reply is None:
        message, start = "holds no JSON object and no list of objects", excerpt(text.strip())
        raise _refusal(Finding("not_json", message, actual=start, expected="one JSON object"))
    if marked != text:
        mark = Finding("byte_order_mark", "begins with a byte order mark, which was ignored")
        reply = reply._replace(warnings=(mark, *reply.warnings))
    return reply


def locate(reply: JsonReply, path: Path) -> tuple[int, int]:
    r"""Return line and column, from 1, of the value at `path`, or of its nearest existing parent.

    >>> locate(find_json(b'{"a":\n [1, 2]}'), ("a", 1))
    (2, 6)
    """
    places = _places(reply.text, reply.start)
    while path not in places:
        path = path[:-1]
    return line_column(reply.text, places[path])


@lru_cache(maxsize=1)
def _places(text: str, start: int) -> dict[Path, int]:
    """Return where each value begins; kept for the next question about the same reply."""
    return Scan(text, start).places


def _refusal(fault: Finding) -> RefusedError:
    hint = "Answer with one JSON object and nothing else."
    return RefusedError("the reply holds no JSON that can be used", hint=hint, faults=(fault,))


def _decoded(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        size, most = f"{len(raw)} bytes", f"at most {MAX_BYTES} bytes"
        message = f"is too large: {size}, expected {most}"
        raise _refusal(Finding("too_large", message, actual=size, expected=most))
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        byte, before = f"byte 0x{raw[error.start]:02x}", raw[: error.start].decode()
        message = f"is not UTF-8 text: {byte} at byte offset {error.start}"
        fault = Finding("not_utf8", message, actual=byte, expected="UTF-8")
        raise _refusal(placed(fault, before, len(before))) from error


def _find(text: str) -> JsonReply | None:
    reply = _whole(text) or _search(text)
    reply = reply and _unwrapped(reply)
    return reply if reply and isinstance(reply.value, dict | list) else None


def _whole(text: str) -> JsonReply | None:
    """Return the value where the whole text is one, and nothing about it needs a closer look."""
    try:
        value = bounded_json.read_whole(text)
    except (ValueError, RecursionError):
        return None
    start = len(text) - len(text.lstrip(" \t\n\r"))
    return None if re.search(SUSPECT_ESCAPE, text) else JsonReply(value, text, start, ())


class _Piece(NamedTuple):
    """A JSON value among other text, or what begins like one and is broken: `fault` says why.

    `key` is the first key, as written, of an object or of a list of objects; empty elsewhere.
    """

    reply: JsonReply
    end: int
    key: str
    fault: Finding | None = None


def _search(text: str) -> JsonReply | None:
    """Return the one value that stands among other text, or is in need of a closer look."""
    pieces = list(_pieces(text))
    whole = [piece for piece in pieces if piece.fault is None]
    answers = [piece for piece in whole if piece.key]
    answers = answers or [piece for piece in whole if text[piece.reply.start] == "{"]
    if not answers:
        broken = (piece.fault for piece in sorted(pieces, key=lambda piece: not piece.key))
        if fault := next(filter(None, broken), None):
            raise _refusal(fault)
        return None
    reply = _only_one([piece.reply for piece in answers])
    # What stands before the answer is talk about its form, and so is what has other keys.
    keys = reply.value if isinstance(reply.value, dict) else reply.value[0]
    for piece in pieces:
        is_another = piece.reply.start > reply.start and piece.key and json.loads(piece.key) in keys
        if piece.fault and is_another:
            raise _refusal(piece.fault)
    around = excerpt(f"{text[: reply.start]} {text[answers[0].end :]}".strip())
    if not around:
        return reply
    fault = Finding("text_around", "has text around its JSON, which was ignored", actual=around)
    return reply._replace(warnings=(fault, *reply.warnings))


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield what stands in brackets, and what is broken only if it was meant to be an answer."""
    brackets, after = re.compile(r"[\[{]"), 0
    while opening := brackets.search(text, after):
        start = opening.start()
        scan, answer = Scan(text, start), re.compile(_ANSWER).match(text, start)
        reply, key = JsonReply(scan.value, text, start, ()), answer[1] if answer else ""
        if scan.code == "too_deep":
            raise _refusal(_complaint(scan, is_answer=False))
        after = max(scan.end, start + 1)
        if not scan.expected:
            yield _Piece(reply, scan.end, key)
        elif key or re.compile(_ALMOST).match(text, start):
            # No part of a broken answer may pass for the whole.
            after = (_closing(text, start, 0) or len(text)) if key else after
            yield _Piece(reply, after, key, _complaint(scan, is_answer=bool(key)))


def _closing(text: str, at: int, depth: int) -> int | None:
    """Return where the brackets say that what is open at `at`, `depth` levels of it, has ended."""
    for bracket in re.compile(r"[\[\]{}]").finditer(text, at):
        depth += 1 if bracket[0] in "[{" else -1
        if depth == 0:
            return bracket.end()
    return None


def _complaint(scan: Scan, *, is_answer: bool) -> Finding:
    """Return why a piece is broken: the text ends too early, or something else is expected."""
    rest, code, expected = scan.text[scan.end :], scan.code, scan.expected
    is_open = is_answer and code == "not_json" and not _closing(scan.text, scan.end, 1)
    if is_open or re.fullmatch(_UNFINISHED, rest):
        code, expected = "cut_off", "the whole JSON value"
    message, where = f"is not JSON here, expected {expected}", json_path(scan.path)
    fault = Finding(code, message, where=where, actual=excerpt(rest), expected=expected)
    return placed(fault, scan.text, scan.end)


def _only_one(replies: list[JsonReply]) -> JsonReply:
    first, *others = replies
    same = canonical(first.value)
    for other in others:
        if canonical(other.value) != same:
            message, actual = (
                "holds two JSON values that differ",
                excerpt(other.text[other.start :]),
            )
            fault = Finding("two_values", message, actual=actual, expected="one JSON value")
            raise _refusal(placed(fault, other.text, other.start))
    repeated = Finding("repeated", "the same JSON value is given more than once")
    return first._replace(warnings=(*first.warnings, repeated)) if others else first


def _unwrapped(reply: JsonReply) -> JsonReply:
    """Return the answer inside the JSON of a client that hands answers back as JSON texts.

    Each layer doubles the backslashes of the one inside, so layers are few.
    """
    inner = [answer for text in _texts_inside(reply.value) if (answer := _find(text))]
    if not inner:
        return reply
    only = _only_one(inner)
    return only._replace(warnings=tuple(dict.fromkeys((_WRAPPED, *only.warnings))))


def _texts_inside(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case {"response": str(text), **others} | {"result": str(text), **others} if not others:
            return [text]
        case {"status": dict(agents)}:
            ended = [agent.get("completed") for agent in agents.values() if isinstance(agent, dict)]
            return [text for text in ended if isinstance(text, str)]
        case _:
            return []
