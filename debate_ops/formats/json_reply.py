"""Find the one JSON value in a reply, whatever a client or a model has put around it.

A reply that is one JSON value and nothing else is read by `json` alone. All the rest (prose,
fences, wrappers, and every explanation) goes through a scanner that knows places.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from debate_ops.errors import Finding, RefusedError
from debate_ops.formats.bounded_json import DECODER, MAX_DEPTH, MAX_DIGITS, digits, is_deeper
from debate_ops.formats.json_text import canonical
from debate_ops.model import messages
from debate_ops.model.texts import one_line

MAX_BYTES = 1024 * 1024
MAX_FAULTS = 50
MAX_EXCERPT = 60

Path = tuple[str | int, ...]

# Patterns are compiled where they are used (`re` keeps them): JSON alone needs but one of them.
# Possessive repeats (`++`, `*+`) keep them linear, whatever the reply holds.
_SPACE = r"[ \t\n\r]*+"
_OPEN_TEXT = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+'
_TOKEN = (
    rf'{_SPACE}(?:(?P<text>{_OPEN_TEXT}")|(?P<mark>[\[\]{{}}:,])'
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)"
    r"|(?P<word>true|false|null)|(?P<constant>NaN|-?Infinity))"
)
_ANSWER = rf'(?:\[{_SPACE})?\{{{_SPACE}({_OPEN_TEXT}"){_SPACE}:'
_OPENING = r"[\[{]"
_BRACKET = r"[\[\]{}]"
_BEGINNING = (
    r"""\A\s*+(?:\{|\[(?=\s*+(?:["{\[0-9-]|\Z)))"""
    r"""|\{(?=\s*+(?:["'\u201c\u201d\u2018\u2019]|\w++\s*+:))"""
)
_UNFINISHED_TEXT = rf"{_OPEN_TEXT}(?:\\\w*)?\s*"
_SUSPECT_ESCAPE = r"\\(?:[bf]|u00[01]|u[dD][89a-fA-F])"
_BAD_CHARACTER = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]"
_FENCE = r"[ \t]*(?:```+|~~~+)[ \t]*[\w+-]*[ \t]*"
_CLIENT_WORDS = (
    r"(?m)^\[Subagent hand-back\]|^\[SYSTEM NOTIFICATION\b|^Subagent '[^'\n]*' finished\."
    r"|^agentId: |</?(?:task_result|task-notification|result|usage)>"
)
_PLAIN_KEY = r"[^\W\d]\w*"


class FoundJson(NamedTuple):
    """The value of a reply; its numbers are `int` or `Decimal`, exactly as written.

    `text` is the text that the value was read from and `start` the offset of the value in it.
    Where a client had put the answer into a JSON text, `text` is the answer, not the wrapper.
    """

    value: Any
    text: str
    start: int
    warnings: tuple[Finding, ...]


def find_json(raw: bytes) -> FoundJson:
    """Return the one JSON object or list in a reply; refuse with all faults where there is none."""
    text = _decoded(raw)
    marked = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise _refusal(Finding("empty", "is empty", wanted="one JSON object"))
    found = _find(text)
    if found is None:
        raise _refusal(_nothing(text))
    if marked:
        mark = Finding("byte_order_mark", "begins with a byte order mark, which was passed over")
        found = found._replace(warnings=(mark, *found.warnings))
    return found


def locate(found: FoundJson, path: Path) -> tuple[int, int]:
    r"""Return line and column, from 1, of the value at `path`, or of its nearest existing parent.

    >>> locate(find_json(b'{"a":\n [1, 2]}'), ("a", 1))
    (2, 6)
    """
    places = _places(found.text, found.start)
    while path not in places:
        path = path[:-1]
    return _line_column(found.text, places[path])


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
    if re.fullmatch(_PLAIN_KEY, part):
        return f".{part}"
    return f"[{json.dumps(part, ensure_ascii=not part.isprintable())}]"


def _refusal(*faults: Finding) -> RefusedError:
    hint = "Answer with one JSON object and nothing else."
    return RefusedError("the reply holds no JSON that can be used", hint=hint, faults=faults)


def _decoded(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        found, wanted = f"{len(raw)} bytes", f"at most {MAX_BYTES} bytes"
        message = f"is too large: {found}, wants {wanted}"
        raise _refusal(Finding("too_large", message, found=found, wanted=wanted))
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "is UTF-16 text (byte offset 0), wants UTF-8"
        raise _refusal(Finding("not_utf8", message, found="UTF-16", wanted="UTF-8"))
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise _refusal(_not_utf8(raw, error.start)) from error


def _not_utf8(raw: bytes, at: int) -> Finding:
    found = f"byte 0x{raw[at]:02x}"
    message = f"is not UTF-8 text: {found} at byte offset {at}"
    before = raw[:at].decode()
    return _placed(Finding("not_utf8", message, found=found, wanted="UTF-8"), before, len(before))


def _line_column(text: str, at: int) -> tuple[int, int]:
    before = text[:at]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _placed(finding: Finding, text: str, at: int) -> Finding:
    line, column = _line_column(text, at)
    return finding._replace(line=line, column=column)


def _place(text: str, at: int) -> str:
    line, column = _line_column(text, at)
    return f"line {line}, column {column}"


def _excerpt(text: str) -> str:
    return one_line(text[: 2 * MAX_EXCERPT], MAX_EXCERPT)


def _find(text: str) -> FoundJson | None:
    found = _fast(text) or _search(text)
    found = found and _unwrapped(found)
    return found if found and isinstance(found.value, dict | list) else None


def _fast(text: str) -> FoundJson | None:
    """Return the value where the whole text is one, and nothing about it needs a closer look."""
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    if re.search(_SUSPECT_ESCAPE, text) or is_deeper(value):
        return None
    return FoundJson(value, text, len(text) - len(text.lstrip(" \t\n\r")), ())


class _Break(NamedTuple):
    """Where what began like JSON stops being JSON, and inside of what."""

    start: int
    key: str
    at: int
    path: Path
    inside: str


class _Piece(NamedTuple):
    """A JSON value among other text, or what begins like one and breaks.

    `key` is the first key, as written, of an object or of a list of objects; empty elsewhere.
    """

    start: int
    end: int
    key: str
    broken: _Break | None = None
    faults: tuple[Finding, ...] = ()


def _pieces(text: str) -> list[_Piece]:
    """Return what begins at each bracket outside of the piece before: one pass for all of them."""
    pieces: list[_Piece] = []
    brackets = re.compile(_OPENING)
    while opening := brackets.search(text, pieces[-1].end if pieces else 0):
        pieces.append(_piece(text, opening.start()))
    return pieces


def _piece(text: str, start: int) -> _Piece:
    scanner = _Scanner(text)
    answer = re.compile(_ANSWER).match(text, start)
    key = answer[1] if answer else ""
    try:
        end = scanner.value(start, ())
    except _BreakError as error:
        broken = _Break(start, key, error.at, error.path, scanner.inside())
        return _Piece(start, _end_of_broken(text, broken), key, broken)
    return _Piece(start, end, key, faults=tuple(scanner.faults))


def _end_of_broken(text: str, broken: _Break) -> int:
    """Return where to look on: no part of a broken answer may pass for the whole."""
    if broken.key:
        return _closing(text, broken.start, 0) or len(text)
    return max(broken.at, broken.start + 1)


def _closing(text: str, at: int, depth: int) -> int | None:
    """Return where the brackets say that what is open at `at`, `depth` levels of it, has ended."""
    for bracket in re.compile(_BRACKET).finditer(text, at):
        depth += 1 if bracket[0] in "[{" else -1
        if depth == 0:
            return bracket.end()
    return None


def _search(text: str) -> FoundJson | None:
    """Return the one value that stands among other text, or is in need of a closer look."""
    pieces = _pieces(text)
    broken = [piece.broken for piece in pieces if piece.broken]
    answers = _answers(text, pieces)
    if not answers:
        _refuse_beginning(text, broken)
        return None
    if faults := [fault for piece in answers for fault in piece.faults]:
        raise _refusal(*faults[:MAX_FAULTS])
    found = _only_one([_read(text, piece.start) for piece in answers])
    for candidate in broken:
        if _is_newer(candidate, found):
            raise _refusal(_complaint(text, candidate))
    return found._replace(warnings=_around(text, answers[0]) + found.warnings)


def _answers(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """Return objects and lists of objects, empty objects where there is nothing else."""
    whole = [piece for piece in pieces if not piece.broken]
    return [piece for piece in whole if piece.key] or [
        piece for piece in whole if text[piece.start] == "{"
    ]


def _read(text: str, start: int) -> FoundJson:
    value, _ = DECODER.raw_decode(text, start)
    return FoundJson(value, text, start, ())


def _only_one(found: list[FoundJson]) -> FoundJson:
    first, *others = found
    same = canonical(first.value)
    for other in others:
        if canonical(other.value) != same:
            raise _refusal(_two_values(first, other))
    if not others:
        return first
    repeated = Finding("repeated", "the same JSON value is given more than once")
    return first._replace(warnings=(*first.warnings, repeated))


def _two_values(first: FoundJson, other: FoundJson) -> Finding:
    places = [f"at {_place(each.text, each.start)}" for each in (first, other)]
    message = f"holds two JSON values that differ: {' and '.join(places)}"
    found = _excerpt(other.text[other.start :])
    fault = Finding("two_values", message, found=found, wanted="one JSON value")
    return _placed(fault, other.text, other.start)


def _is_newer(broken: _Break, found: FoundJson) -> bool:
    """Return whether a broken piece may be a later version of the answer found.

    What stands before the answer is talk about its form, and so is what has other keys.
    """
    keys = found.value if isinstance(found.value, dict) else found.value[0]
    return broken.start > found.start and bool(broken.key) and json.loads(broken.key) in keys


def _around(text: str, piece: _Piece) -> tuple[Finding, ...]:
    """Return a warning for each kind of thing that stands around the value."""
    warnings = []
    before, after = text[: piece.start].rstrip(), text[piece.end :].lstrip()
    above, _, opening = before.rpartition("\n")
    closing, _, below = after.partition("\n")
    if re.fullmatch(_FENCE, opening):
        before, after = above, below if re.fullmatch(_FENCE, closing.rstrip()) else after
        warnings.append(Finding("code_fence", "stands in a code fence, which was taken off"))
    rest = f"{before}\n{after}".strip()
    if re.search(_CLIENT_WORDS, rest):
        warnings.append(_WRAPPED)
    elif rest:
        message = f"has text around its JSON at {_place(text, piece.start)}, which was passed over"
        warnings.append(Finding("text_around", message, found=_excerpt(rest)))
    return tuple(warnings)


_WRAPPED = Finding("wrapped", "stands in what an agent client put around it, which was taken off")


def _unwrapped(found: FoundJson) -> FoundJson:
    """Return the answer inside the JSON of a client that hands answers back as JSON texts.

    Each layer doubles the backslashes of the one inside, so layers are few.
    """
    inner = [answer for text in _texts_inside(found.value) if (answer := _find(text))]
    if not inner:
        return found
    only = _only_one(inner)
    warnings = dict.fromkeys((*found.warnings, _WRAPPED, *only.warnings))
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


def _nothing(text: str) -> Finding:
    message = "holds no JSON object and no list of objects"
    return Finding("not_json", message, found=_excerpt(text.strip()), wanted="one JSON object")


def _refuse_beginning(text: str, broken: list[_Break]) -> None:
    """Refuse with the reason where something begins like an answer, or at least like JSON."""
    beginning = re.search(_BEGINNING, text)
    start = beginning.end() - 1 if beginning else -1
    for candidate in [each for each in broken if each.key] or broken:
        if candidate.key or candidate.start == start:
            raise _refusal(_complaint(text, candidate))


def _complaint(text: str, broken: _Break) -> Finding:
    rest = text[broken.at :]
    if _ends_early(rest) or (broken.key and not _closing(text, broken.at, 1)):
        return _cut_off(text, broken)
    error = _json_error(text, broken.start)
    found = _excerpt(text[error.pos :])
    message = f"is not JSON here ({error.msg}): {found}"
    wanted = next((_WANTED[key] for key in _WANTED if error.msg.startswith(key)), "JSON")
    where = json_path(broken.path)
    fault = Finding("not_json", message, where=where, found=found, wanted=wanted)
    return _placed(fault, text, error.pos)


_WANTED = {
    "Expecting ','": 'a comma, or \\" for a quotation mark inside a text',
    "Expecting property name": "a key in double quotes",
    "Illegal trailing comma": "no comma before the end",
    "Invalid control character": "\\n for a line break inside a text",
}


def _json_error(text: str, start: int) -> json.JSONDecodeError:
    try:
        json.JSONDecoder(parse_int=str, parse_float=str).raw_decode(text, start)
    except json.JSONDecodeError as error:
        return error
    raise AssertionError("the scanner and json disagree")  # pragma: no cover


def _ends_early(rest: str) -> bool:
    tail = rest.rstrip()
    words = ("true", "false", "null")
    is_word = any(word.startswith(tail) for word in words)
    return is_word or not tail.strip("-+.eE") or bool(re.fullmatch(_UNFINISHED_TEXT, rest))


def _cut_off(text: str, broken: _Break) -> Finding:
    inside = "a text" if text.startswith('"', broken.at) else broken.inside
    message = f"is cut off: begins at {_place(text, broken.start)}, ends in the middle of {inside}"
    where, found = json_path(broken.path), _excerpt(text[broken.at :])
    fault = Finding("cut_off", message, where=where, found=found, wanted="the whole JSON value")
    return _placed(fault, text, broken.at)


class _BreakError(Exception):
    """What is scanned is not JSON from `at` on."""

    def __init__(self, at: int, path: Path) -> None:
        super().__init__(at)
        self.at = at
        self.path = path


class _Scanner:
    """A walk over one JSON value: where it ends, the place of every path, and its faults."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: dict[Path, int] = {}
        self.faults: list[Finding] = []
        self._open: list[str] = []
        self._token_at = re.compile(_TOKEN).match

    def value(self, at: int, path: Path) -> int:
        """Return where the value that begins at or after `at` ends."""
        kind, start, end = self._token(at, path)
        self.places[path] = start
        if kind == "mark":
            return self._inside(start, path)
        token = self.text[start:end]
        if kind == "text":
            self._check_text(token, path, start)
        elif kind == "constant":
            message = f"is {token}, which is no number in JSON"
            fault = Finding("not_a_number", message, found=token, wanted="a number")
            self._note(fault, path, start)
        elif kind == "number" and digits(token) > MAX_DIGITS:
            wanted = f"at most {MAX_DIGITS} digits"
            message = f"is too long a number, wants {wanted}"
            fault = Finding("number_too_long", message, found=_excerpt(token), wanted=wanted)
            self._note(fault, path, start)
        return end

    def inside(self) -> str:
        """Return what the walk is in the middle of."""
        return "an object" if self._open[-1] == "}" else "a list"

    def _inside(self, start: int, path: Path) -> int:
        close = {"{": "}", "[": "]"}.get(self.text[start])
        if not close:
            raise _BreakError(start, path)
        if len(self._open) == MAX_DEPTH:
            raise _refusal(_too_deep(self.text, start))
        self._open.append(close)
        end = self._members(start + 1, close, path)
        self._open.pop()
        return end

    def _members(self, at: int, close: str, path: Path) -> int:
        end = self._mark(at, close)
        keys: dict[str, int] = {}
        index = 0
        while end is None:
            at = self._expected(at, ",", path) if index else at
            part: str | int = index
            if close == "}":
                part, at = self._key(at, path, keys)
            at = self.value(at, (*path, part))
            end = self._mark(at, close)
            index += 1
        return end

    def _key(self, at: int, path: Path, keys: dict[str, int]) -> tuple[str, int]:
        kind, start, end = self._token(at, path)
        if kind != "text":
            raise _BreakError(start, path)
        key: str = json.loads(self.text[start:end])
        self._check_text(self.text[start:end], (*path, key), start)
        if key in keys and len(self.faults) < MAX_FAULTS:
            message = f"is given twice, first at {_place(self.text, keys[key])}"
            fault = Finding("duplicate_key", message, found=_excerpt(key), wanted="each key once")
            self._note(fault, (*path, key), start)
        keys.setdefault(key, start)
        return key, self._expected(end, ":", path)

    def _token(self, at: int, path: Path) -> tuple[str, int, int]:
        token = self._token_at(self.text, at)
        if token is None or token.lastgroup is None:
            raise _BreakError(_blank_end(self.text, at), path)
        return token.lastgroup, token.start(token.lastgroup), token.end()

    def _mark(self, at: int, mark: str) -> int | None:
        token = self._token_at(self.text, at)
        return token.end() if token and token["mark"] == mark else None

    def _expected(self, at: int, mark: str, path: Path) -> int:
        end = self._mark(at, mark)
        if end is None:
            raise _BreakError(_blank_end(self.text, at), path)
        return end

    def _check_text(self, token: str, path: Path, start: int) -> None:
        if not re.search(_SUSPECT_ESCAPE, token):
            return
        for character in sorted(set(re.findall(_BAD_CHARACTER, json.loads(token)))):
            self._note(_bad_character(ord(character)), path, start)

    def _note(self, fault: Finding, path: Path, at: int) -> None:
        if len(self.faults) < MAX_FAULTS:
            fault = fault._replace(where=json_path(path))
            self.faults.append(_placed(fault, self.text, at))


def _bad_character(number: int) -> Finding:
    name = f"U+{number:04X}"
    if number < ord(" "):
        message = f"holds the control character {name}"
        return Finding("control_character", message, found=name, wanted="readable text")
    message = f"holds half of a surrogate pair, {name}"
    return Finding("lone_surrogate", message, found=name, wanted="whole characters")


def _blank_end(text: str, at: int) -> int:
    blank = re.compile(_SPACE).match(text, at)
    return blank.end() if blank else at


def _too_deep(text: str, at: int) -> Finding:
    wanted = f"at most {MAX_DEPTH} levels"
    message = f"is nested too deeply, wants {wanted}"
    return _placed(Finding("too_deep", message, wanted=wanted), text, at)


@lru_cache(maxsize=1)
def _places(text: str, start: int) -> dict[Path, int]:
    """Return where each value begins; kept for the next question about the same reply."""
    scanner = _Scanner(text)
    scanner.value(start, ())
    return scanner.places
