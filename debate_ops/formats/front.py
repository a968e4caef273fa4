"""A file's header (data) and body (text): read tolerantly, written in one form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

from debate_ops.errors import BadRecordError
from debate_ops.formats.json_text import dumps

FENCED = "fenced"
BARE = "bare"
OTHER = "other"

MAX_DIGITS = 40
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_FENCE = re.compile(r"\ufeff?---[ \t]*\r?\n(?=\s*\{)")
_FENCE_END = re.compile(r"\s*\n---[ \t]*(?:\r?\n|\Z)")
_OTHER_FENCE = re.compile(
    r"\ufeff?(---|\+\+\+)[ \t]*\r?\n((?:.*?\n)?)\1[ \t]*(?:\r?\n|\Z)", re.DOTALL
)


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

    Raises:
        BadRecordError: there is no header, or it cannot be read; names the file and the line.
    """
    fence = _FENCE.match(text)
    if fence is not None:
        return _fenced(text, fence.end(), name)
    if text.startswith("{"):
        header, end = _object(text, 0, name)
        return Front(header, text[end:], BARE)
    return _other(text, name)


def compose(header: Mapping[str, Any], body: str, form: str = FENCED) -> str:
    """Return the text of a file; a header read in `other` form is written as `fenced`."""
    data = dumps(dict(header))
    return f"{data}{body}" if form == BARE else f"---\n{data}\n---\n{body}"


def _fenced(text: str, start: int, name: str) -> Front:
    start += len(text[start:]) - len(text[start:].lstrip())
    try:
        header, end = _object(text, start, name)
    except BadRecordError as broken:
        try:
            return _other(text, name)  # YAML in braces
        except BadRecordError:
            raise broken from None
    closing = _FENCE_END.match(text, end)
    if closing is None:
        return _other(text, name)
    return Front(header, text[closing.end() :], FENCED)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number in JSON")


def _number(text: str) -> Decimal:
    """Return a number; one that is absurdly long or large would be written out in full."""
    number = Decimal(text)
    if abs(number.adjusted()) > MAX_DIGITS or len(text) > 2 * MAX_DIGITS:
        raise ValueError(f"the number {text[:MAX_DIGITS]} has more than {MAX_DIGITS} digits")
    return number


_decoder = json.JSONDecoder(parse_float=_number, parse_constant=_refuse_constant)


def _object(text: str, start: int, name: str) -> tuple[dict[str, Any], int]:
    try:
        value, end = _decoder.raw_decode(text, start)
        if _SURROGATE.search(text, start, end):
            dumps(value).encode("utf-8")
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise _unreadable(name, f"the header is not valid JSON: {error}", line) from None
    return value, end


def _other(text: str, name: str) -> Front:
    fence = _OTHER_FENCE.match(text)
    if fence is None:
        raise _unreadable(
            name, "no header found; wanted one JSON object between '---' lines at the top", 1
        )
    read = _toml if fence[1] == "+++" else _yaml
    try:
        header = _plain(read(fence[2].replace("\r\n", "\n")))
    except Exception as error:  # noqa: BLE001  (whatever the YAML or TOML reader raises)
        raise _unreadable(name, f"the header cannot be read: {error}", 1) from None
    if not header:
        raise _unreadable(name, "the header is empty or cannot be read", 1)
    return Front(header, text[fence.end() :], OTHER)


def _yaml(text: str) -> dict[str, Any]:
    import frontmatter

    header, _ = frontmatter.parse(f"---\n{text}---\n")
    return dict(header)


def _toml(text: str) -> dict[str, Any]:
    import tomllib  # frontmatter reads TOML with a package that nothing here needs

    return tomllib.loads(text, parse_float=_number)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float | Decimal):
        exact = Decimal(str(value))
        return exact if exact.is_finite() else str(value)
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _unreadable(name: str, message: str, line: int) -> BadRecordError:
    return BadRecordError(
        f"{name}:{line}: {message}",
        hint=f"Mend {name} by hand or bring back an earlier version of it, then run this again.",
    )
