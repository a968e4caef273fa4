"""Replies as agents really write them: the one JSON value among all that stands around it.

What is plain is read, with a warning; nothing is guessed. All that is wrong with a value is named
at once, with its path; where there is none, with line and column.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from debate_ops.core.replies import NAMING, Reply, schema_of
from debate_ops.core.texts import decode, one_line
from debate_ops.core.values import Fault
from debate_ops.engine.headers import canonical, make_decoder

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32
MAX_FAULTS = 50
MAX_TRIES = 500
"""Brackets of prose that are tried: each costs a look at the text, and a reply has few."""
LEAST_WORDS = 4
"""Words of a text that nobody writes twice by chance."""
EXCERPT = 60
_TOO_DEEP = f"is nested too deeply, expected at most {MAX_DEPTH} levels"

_TAG = r"(?:[\w-]+:)?(?:think(?:ing)?|reasoning|thought)"
_OPENING = re.compile(
    r"""(?P<value>[\[{](?=\s*(?:["'\u201c\u201d\u2018\u2019{}\[\]]|\w+\s*:)))"""
    rf"|(?P<thinking><{_TAG}>|\[think\]|◁think▷|\A\s*Thinking\.\.\.[ ]*$)"
    rf"|(?P<thought></{_TAG}>|\[/think\]|◁/think▷|^\.\.\.done[ ]thinking\.)",
    re.IGNORECASE | re.MULTILINE,
)
"""Where a value begins, or what was meant as one; or thinking aloud, in the marks of several
models; and where that ends."""
_KEY = re.compile(r'(?:\[\s*)?\{\s*("(?:[^"\\]|\\.)*")\s*:')
"""How an object begins, or a list of objects: with a key."""
_FENCE = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)
_BAD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


class _UnreadableError(Exception):
    """A reply has no value that can be used."""


class _Found(NamedTuple):
    """What begins like a value in a text: the value and where it ends, or why it is none."""

    start: int
    value: Any = None
    end: int = 0
    error: json.JSONDecodeError | None = None


def read_reply(raw: bytes, model: type[Reply], prompt: str, *, by: str) -> tuple[Any, list[Fault]]:
    """Return the JSON value of a reply, or None, and all that is wrong with it, and warnings.

    Of several values the one with the keys of `model` counts, and neither the `prompt` nor its
    example is a reply. The form itself is not checked here.
    """
    notes: list[str] = []
    try:
        shown = (_decode_at(block, 0) for block in _FENCE.findall(prompt))
        examples = [each.value for each in shown if not each.error]
        value = _find_value(_decode(raw, prompt, notes), model, examples, notes)
        faults = [*islice(_find_faults(value, examples), MAX_FAULTS)]
    except _UnreadableError as error:
        return None, [Fault("", str(error), by)]
    except RecursionError:  # some hundred levels
        return None, [Fault("", _TOO_DEEP, by)]
    warnings = [Fault("", note, by, is_warning=True) for note in dict.fromkeys(notes)]
    return value, [*(replace(f, by=by) for f in faults), *warnings]


def _decode(raw: bytes, prompt: str, notes: list[str]) -> str:
    """Return the text of a reply, without its prompt where it says that again first."""
    if len(raw) > MAX_BYTES:
        raise _UnreadableError(f"is too large: {len(raw)} bytes, expected at most {MAX_BYTES}")
    try:
        text = decode(raw)
    except UnicodeDecodeError as error:
        where = _place(decode(raw[: error.start], "replace"), error.start)
        message = f"is not UTF-8 text: {error.reason} at {where}; save it as UTF-8"
        raise _UnreadableError(message) from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.strip():
        raise _UnreadableError("is empty, expected one JSON object")
    start, echo = text.lstrip(), prompt.strip().replace("\r\n", "\n")
    if not echo or not start.startswith(echo):
        return text
    if not (rest := start.removeprefix(echo)).strip():
        raise _UnreadableError("is its own prompt and nothing else: answer the prompt")
    notes.append("begins with its own prompt, which was left out")
    return rest


def _find_value(text: str, model: type[Reply], examples: list[Any], notes: list[str]) -> Any:
    """Return the one value that is meant, which is most like a reply of this form.

    There may be none, or several that differ; of these, those of the prompt go first.
    """
    every = _scan(text, notes)
    found = [each for each in every if not each.error]
    for each in every:
        key = _KEY.match(text, each.start) if each.error else None
        name = _decode_at(text, key.start(1)).value if key else None
        is_meant = name is not None and _rate({name: ""}, model)
        if each.error and (not found or (is_meant and each.start > found[-1].start)):
            raise _UnreadableError(_complain(text, each.start, each.error))
    if not found:
        raise _UnreadableError(f"holds no JSON object: it begins {one_line(text[:200], EXCERPT)}")
    if (text[: found[0].start] + text[found[-1].end :]).strip():
        notes.append("has text around its JSON, which was ignored")
    if len(found) > 1:
        found = [each for each in found if each.value not in examples] or found
    rates = [_rate(each.value, model) for each in found]
    first, *others = (one for one, rate in zip(found, rates, strict=True) if rate == max(rates))
    for other in others:
        if other.value != first.value:
            places = " and at ".join(_place(text, each.start) for each in (first, other))
            raise _UnreadableError(f"holds two JSON values that differ: at {places}; give one")
    if others:
        notes.append("gives the same JSON value more than once")
    if _decode_at(text, first.start, strict=True).error:
        notes.append("has raw line breaks or tabs inside of texts, which were read as they stand")
    return first.value


def _scan(text: str, notes: list[str]) -> list[_Found]:
    """Return the values of a text that are, or have, objects, and what is broken there."""
    found: list[_Found] = []
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if len(found) > MAX_TRIES:
            raise _UnreadableError("has too many brackets to look for JSON in: leave them out")
        if opening["thinking"]:
            ends = (m for m in _OPENING.finditer(text, at) if m["thought"])
            if not (end := next(ends, None)):
                begins = _place(text, opening.start())
                raise _UnreadableError(f"is cut off: the thinking from {begins} on has no end")
            at = end.end()
        if opening["thought"]:  # the client has left out where it began
            found = []
        if not opening["value"]:
            notes.append("thinks aloud before its answer, which was left out")
            continue
        read = _decode_at(text, opening.start())
        listed = read.value if isinstance(read.value, list) else [read.value]
        is_all = read.end - read.start == len(text.strip())
        if read.error or is_all or any(isinstance(item, dict) for item in listed):
            found.append(read)
        if not read.error:
            at = read.end
        elif _KEY.match(text, read.start):  # no part of a broken answer may pass for the whole
            at = _close(text, read.start) or len(text)
    return found


def _decode_at(text: str, start: int, *, strict: bool = False) -> _Found:
    """Return what begins there; line breaks may be raw in texts where it is not `strict`."""
    try:
        return _Found(start, *make_decoder(strict=strict).raw_decode(text, start))
    except json.JSONDecodeError as error:
        return _Found(start, error=error)
    except ValueError as error:  # a number or a key that cannot be
        raise _UnreadableError(f"cannot be read: {error}") from None


def _close(text: str, start: int) -> int | None:
    """Return where the brackets say that what begins there ends; None where they do not."""
    depth = 0
    for bracket in re.compile(r"[\[\]{}]").finditer(text, start):
        depth += 1 if bracket[0] in "[{" else -1
        if depth == 0:
            return bracket.end()
    return None


def _complain(text: str, start: int, error: json.JSONDecodeError) -> str:
    """Return why a value is none: the text ends too early, or something else is expected."""
    if error.msg.startswith("Unterminated") or _close(text, start) is None:
        ends = one_line(text[-EXCERPT:])
        return f"is cut off: its JSON begins at {_place(text, start)} and has no end: … {ends}"
    there = one_line(text[error.pos :][: 2 * EXCERPT], EXCERPT)
    help_ = '; a quotation mark inside a text is \\"' * error.msg.startswith("Expecting ','")
    return f"is not JSON at {_place(text, error.pos)} ({error.msg}): {there}{help_}"


def _place(text: str, at: int) -> str:
    before = text[:at]
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def _rate(value: Any, model: type[Reply]) -> int:
    """Return how much a value looks like such a reply: 2 with all its keys, 1 with some, or 0."""
    if isinstance(value, list):
        return 2 if value and all(_rate(item, model) for item in value) else 0
    schema, prepared = schema_of(model), model.prepare(value)
    known = schema["properties"].keys() - {*NAMING}
    if not isinstance(prepared, dict) or not prepared.keys() & known:
        return 0
    return 2 if {*schema.get("required", ())} <= prepared.keys() else 1


def _walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if len(path) > MAX_DEPTH:
        raise _UnreadableError(_TOO_DEEP)
    yield path, value
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk(part, (*path, str(key)))


def _find_faults(value: Any, examples: list[Any]) -> Iterator[Fault]:
    """Yield texts that nobody can read, those of the examples, and items that are given twice."""
    of_examples = {_squeeze(part) for each in examples for _, part in _walk(each)} - {""}
    for path, part in [*_walk(value)]:
        where = ".".join(one_line(key, EXCERPT) for key in path)
        for text in part if isinstance(part, dict) else [part] if isinstance(part, str) else ():
            for character in sorted({*_BAD_CHARACTER.findall(text)}):
                kind = "the control character" if character < " " else "half of a surrogate pair,"
                yield Fault(where, f"holds {kind} U+{ord(character):04X}, expected readable text")
        if _squeeze(part) in of_examples:
            yield Fault(where, "is the text of the example in the prompt: write your own")
        seen: dict[str, int] = {}
        for place, item in enumerate(part) if isinstance(part, list) else ():
            if isinstance(item, dict) and any(map(_squeeze, item.values())):
                first = seen.setdefault(canonical(item), place)
                if first != place:
                    again = f"{where}.{place}".strip(".")
                    yield Fault(again, f"says the same as item {first + 1}")


def _squeeze(part: object) -> str:
    """Return a text of several words with single spaces; nothing where it is no such text."""
    words = part.split() if isinstance(part, str) else []
    return " ".join(words) if len(words) >= LEAST_WORDS else ""
