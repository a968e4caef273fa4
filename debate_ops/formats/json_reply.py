"""Find the one JSON value in a reply, whatever a client or a model has put around it.

A reply that is one JSON value and nothing else is read by `json` alone. All the rest (prose,
fences, wrappers) is searched bracket by bracket, and a walk over the tokens explains it.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from debate_ops.errors import Finding, RefusedError
from debate_ops.formats.bounded_json import DECODER, is_deeper
from debate_ops.formats.json_places import (
    MAX_FAULTS,
    SUSPECT_ESCAPE,
    TEXT,
    Path,
    Walk,
    excerpt,
    json_path,
    line_column,
    place,
    placed,
)
from debate_ops.formats.json_text import canonical
from debate_ops.model.texts import decode

MAX_BYTES = 1024 * 1024


# Patterns are compiled where they are used (`re` keeps them): JSON alone needs but one of them.
_ANSWER = rf'(?:\[[ \t\n\r]*+)?\{{[ \t\n\r]*+({TEXT}")[ \t\n\r]*+:'
_BEGINNING = (
    r"""\A\s*+(?:\{|\[(?=\s*+(?:["{\[0-9-]|\Z)))"""
    r"""|\{(?=\s*+(?:["'\u201c\u201d\u2018\u2019]|\w++\s*+:))"""
)
_UNFINISHED = rf"(?:{TEXT}(?:\\\w*)?|t|tr|tru|f|fa|fal|fals|n|nu|nul|[-+.eE]*+)\s*"
_FENCE = r"[ \t]*(?:```+|~~~+)[ \t]*[\w+-]*[ \t]*"
_CLIENT_WORDS = (
    r"(?m)^\[Subagent hand-back\]|^\[SYSTEM NOTIFICATION\b|^Subagent '[^'\n]*' finished\."
    r"|^agentId: |</?(?:task_result|task-notification|result|usage)>"
)

_EXPECTED = {
    "Expecting ','": 'a comma, or \\" for a quotation mark inside a text',
    "Expecting property name": "a key in double quotes",
    "Illegal trailing comma": "no comma before the end",
    "Invalid control character": "\\n for a line break inside a text",
}
"""How a complaint of `json` begins, and what would be right there."""
_LENIENT = json.JSONDecoder(parse_int=str, parse_float=str)
_WINDOW = 4096
"""How much of a text is read first: an error of `json` counts the lines before it."""
_MARGIN = 16
"""So near to the end of that an error may come from there being no more of it."""


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
    text = _decoded(raw)
    marked = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise _refusal(Finding("empty", "is empty", expected="one JSON object"))
    reply = _find(text)
    if reply is None:
        message = "holds no JSON object and no list of objects"
        start = excerpt(text.strip())
        raise _refusal(Finding("not_json", message, actual=start, expected="one JSON object"))
    if marked:
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
    return Walk(text, start, len(text)).places


def _refusal(*faults: Finding) -> RefusedError:
    hint = "Answer with one JSON object and nothing else."
    return RefusedError("the reply holds no JSON that can be used", hint=hint, faults=faults)


def _decoded(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        size, most = f"{len(raw)} bytes", f"at most {MAX_BYTES} bytes"
        message = f"is too large: {size}, expected {most}"
        raise _refusal(Finding("too_large", message, actual=size, expected=most))
    try:
        return decode(raw)
    except UnicodeDecodeError as error:
        byte, before = f"byte 0x{raw[error.start]:02x}", decode(raw[: error.start], "replace")
        message = f"is not UTF-8 text: {byte} at byte offset {error.start} ({error.reason})"
        fault = Finding("not_utf8", message, actual=byte, expected="UTF-8")
        raise _refusal(placed(fault, before, len(before))) from error


def _find(text: str) -> JsonReply | None:
    reply = _whole(text) or _search(text)
    reply = reply and _unwrapped(reply)
    return reply if reply and isinstance(reply.value, dict | list) else None


def _whole(text: str) -> JsonReply | None:
    """Return the value where the whole text is one, and nothing about it needs a closer look."""
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    if re.search(SUSPECT_ESCAPE, text) or is_deeper(value):
        return None
    return JsonReply(value, text, len(text) - len(text.lstrip(" \t\n\r")), ())


# ---------------------------------------------------------------- a value among other text


class _Piece(NamedTuple):
    """A JSON value among other text, or what begins like one and is `broken`.

    `key` is the first key, as written, of an object or of a list of objects; empty elsewhere.
    """

    start: int
    end: int
    key: str
    is_broken: bool = False


def _search(text: str) -> JsonReply | None:
    """Return the one value that stands among other text, or is in need of a closer look."""
    pieces: list[_Piece] = []
    brackets = re.compile(r"[\[{]")
    while opening := brackets.search(text, pieces[-1].end if pieces else 0):
        pieces.append(_piece(text, opening.start()))
    whole = [piece for piece in pieces if not piece.is_broken]
    answers = [piece for piece in whole if piece.key]
    answers = answers or [piece for piece in whole if text[piece.start] == "{"]
    broken = [piece for piece in pieces if piece.is_broken]
    if not answers:
        beginning = re.search(_BEGINNING, text)
        start = beginning.end() - 1 if beginning else -1
        for piece in [each for each in broken if each.key] or broken:
            if piece.key or piece.start == start:
                raise _refusal(_complaint(text, piece))
        return None
    walks = [Walk(text, piece.start, piece.end) for piece in answers]
    if faults := [fault for walk in walks for fault in walk.faults]:
        raise _refusal(*faults[:MAX_FAULTS])
    starts = [piece.start for piece in answers]
    reply = _only_one([JsonReply(DECODER.raw_decode(text, at)[0], text, at, ()) for at in starts])
    # What stands before the answer is talk about its form, and so is what has other keys.
    keys = reply.value if isinstance(reply.value, dict) else reply.value[0]
    for piece in broken:
        if piece.start > reply.start and piece.key and json.loads(piece.key) in keys:
            raise _refusal(_complaint(text, piece))
    return reply._replace(warnings=_around(text, answers[0]) + reply.warnings)


def _piece(text: str, start: int) -> _Piece:
    answer = re.compile(_ANSWER).match(text, start)
    key = answer[1] if answer else ""
    end, why = _end(text, start, _WINDOW)
    if why.startswith("Unterminated") or (why and end > start + _WINDOW - _MARGIN):
        end, why = _end(text, start, len(text))
    if not why:
        return _Piece(start, end, key)
    # No part of a broken answer may pass for the whole.
    after = (_closing(text, start, 0) or len(text)) if key else max(end, start + 1)
    return _Piece(start, after, key, is_broken=True)


def _end(text: str, start: int, size: int) -> tuple[int, str]:
    """Return where a value ends, or where it breaks and why, in so many characters of a text."""
    try:
        return start + _LENIENT.raw_decode(text[start : start + size])[1], ""
    except json.JSONDecodeError as error:
        return start + error.pos, error.msg
    except RecursionError:
        raise _refusal(*Walk(text, start, len(text)).faults) from None


def _closing(text: str, at: int, depth: int) -> int | None:
    """Return where the brackets say that what is open at `at`, `depth` levels of it, has ended."""
    for bracket in re.compile(r"[\[\]{}]").finditer(text, at):
        depth += 1 if bracket[0] in "[{" else -1
        if depth == 0:
            return bracket.end()
    return None


def _only_one(replies: list[JsonReply]) -> JsonReply:
    first, *others = replies
    same = canonical(first.value)
    for other in others:
        if canonical(other.value) != same:
            places = [f"at {place(each.text, each.start)}" for each in (first, other)]
            message = f"holds two JSON values that differ: {' and '.join(places)}"
            other_start = excerpt(other.text[other.start :])
            fault = Finding("two_values", message, actual=other_start, expected="one JSON value")
            raise _refusal(placed(fault, other.text, other.start))
    repeated = Finding("repeated", "the same JSON value is given more than once")
    return first._replace(warnings=(*first.warnings, repeated)) if others else first


def _around(text: str, piece: _Piece) -> tuple[Finding, ...]:
    """Return a warning for each kind of thing that stands around the value."""
    warnings = []
    before, after = text[: piece.start].rstrip(), text[piece.end :].lstrip()
    above, _, opening = before.rpartition("\n")
    closing, _, below = after.partition("\n")
    if re.fullmatch(_FENCE, opening):
        before, after = above, below if re.fullmatch(_FENCE, closing.rstrip()) else after
        warnings.append(Finding("code_fence", "stands in a code fence, which was removed"))
    rest = f"{before}\n{after}".strip()
    if re.search(_CLIENT_WORDS, rest):
        warnings.append(_WRAPPED)
    elif rest:
        message = f"has text around its JSON at {place(text, piece.start)}, which was ignored"
        warnings.append(Finding("text_around", message, actual=excerpt(rest)))
    return tuple(warnings)


_WRAPPED = Finding("wrapped", "stands in what an agent client put around it, which was removed")


def _unwrapped(reply: JsonReply) -> JsonReply:
    """Return the answer inside the JSON of a client that hands answers back as JSON texts.

    Each layer doubles the backslashes of the one inside, so layers are few.
    """
    inner = [answer for text in _texts_inside(reply.value) if (answer := _find(text))]
    if not inner:
        return reply
    only = _only_one(inner)
    warnings = dict.fromkeys((*reply.warnings, _WRAPPED, *only.warnings))
    return only._replace(warnings=tuple(warnings))


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


def _complaint(text: str, piece: _Piece) -> Finding:
    """Return why a piece is broken: the text ends too early, or something else is expected."""
    at, why = _end(text, piece.start, len(text))
    walk = Walk(text, piece.start, at)
    rest, where = text[walk.end :], json_path(walk.path())
    if re.fullmatch(_UNFINISHED, rest) or (piece.key and not _closing(text, walk.end, 1)):
        inside = "a text" if rest.startswith('"') else walk.inside()
        begins = place(text, piece.start)
        message = f"is cut off: begins at {begins}, ends in the middle of {inside}"
        fault = Finding("cut_off", message, where=where, actual=excerpt(rest))
        return placed(fault._replace(expected="the whole JSON value"), text, walk.end)
    there = excerpt(text[at:])
    expected = next((_EXPECTED[key] for key in _EXPECTED if why.startswith(key)), "JSON")
    message = f"is not JSON here ({why}): {there}"
    fault = Finding("not_json", message, where=where, actual=there, expected=expected)
    return placed(fault, text, at)
