"""The headers of a debate's files, and JSON as this package writes it.

One JSON object between `---` lines is what we write; YAML and TOML are what a person or an editor
leaves. python-frontmatter's `parse` takes what it cannot read for no header at all.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]
from frontmatter.default_handlers import BaseHandler, SafeLoader

from debate_ops.core.errors import BadRecordError
from debate_ops.core.protocol import to_json
from debate_ops.core.texts import one_line

# YAML forbids or reinterprets these when they stand raw in a double-quoted text.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_MOST_DIGITS = 40
"""Of a number in a header, before or behind the point: a sum of scores has fewer."""
_ANY_NUMBER = Context(prec=2 * _MOST_DIGITS, traps=[])
_MOST_LEVELS = 32
"""Of lists and objects within one another in a header: what writes one again calls itself."""


def digest_bytes(data: bytes) -> str:
    """Return the SHA-256 of `data` in hex."""
    return hashlib.sha256(data).hexdigest()


def digest_text(text: str) -> str:
    """Return the digest of a text of the record; git may change its line ends."""
    return digest_bytes(text.replace("\r\n", "\n").encode("utf-8"))


def dumps(value: Any) -> str:
    """Return `value` as JSON over several lines, keys in the order given."""
    return _write_json(value, indent=2)


def canonical(value: Any) -> str:
    """Return `value` as JSON on one line with sorted keys: equal values give equal text."""
    return _write_json(value, sort_keys=True, separators=(",", ":"))


def _write_json(value: Any, **form: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=to_json, **form)
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _read_number(text: str) -> Decimal | int:
    number = _ANY_NUMBER.create_decimal(text)
    is_small = number.is_finite() and abs(number.adjusted()) < _MOST_DIGITS
    if not is_small or len(text) > 2 * _MOST_DIGITS:
        raise ValueError(f"{one_line(text, _MOST_DIGITS)} is no number of a debate")
    return int(number) if number == int(number) else number


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
        raise ValueError(f"the key {twice!r} is given twice")
    return data


def make_decoder(*, strict: bool = True) -> json.JSONDecoder:
    """Return what reads JSON with exact numbers of a bounded size, and each key once.

    What is otherwise is a `ValueError`. Where it is not `strict`, texts may have raw line breaks.
    """
    numbers: Any = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), _read_number)
    return json.JSONDecoder(object_pairs_hook=_read_object, strict=strict, **numbers)


_DECODER = make_decoder()


def loads(text: str) -> Any:
    """Return the value of a JSON text; a `ValueError` or `RecursionError` where it has none."""
    return _DECODER.decode(text)


class Front(NamedTuple):
    """A file split in two: `header` as data, `body` as it stands after the header, untouched."""

    header: dict[str, Any]
    body: str


class _Handler(BaseHandler):
    """A form of header: how a file with it begins, its ends, its most characters, its reader."""

    def __init__(self, begins: str, ends: str, most: int, read: Callable[[str], Any]) -> None:
        super().__init__(re.compile(rf"(?m)^{re.escape(ends)}[ \t]*+\r?(?:\n|\Z)"), ends, ends)
        self.begins, self.most, self.read = re.compile(begins), most, read

    def detect(self, text: str) -> bool:
        return self.begins.match(text) is not None

    def split(self, text: str) -> tuple[str, str]:
        if text.startswith("{"):
            end = _DECODER.raw_decode(text)[1]
            return text[:end], text[end:]
        try:
            return super().split(text)
        except ValueError:
            ends = self.END_DELIMITER
            raise ValueError(f"it has no end; expected a line '{ends}' behind it") from None


_SafeLoader: Any = SafeLoader  # in C where PyYAML has it


class _Loader(_SafeLoader):  # type: ignore[misc]
    """YAML as data: what JSON takes for no text is none, and nothing else; each key stands once."""

    # None of those of YAML 1.1, to which `no` is false, 1:30 is 90, and a date is none of JSON.
    yaml_implicit_resolvers: Mapping[str, Any] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002  (PyYAML's signature)
        return _read_object([(k.value, self.construct_object(v, deep=deep)) for k, v in node.value])


_Loader.add_implicit_resolver(
    "json",
    re.compile(r"(?:|~|null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\Z"),
    ["", *"~ntf-0123456789"],
)
_Loader.add_constructor("json", lambda _, node: loads(node.value.lstrip("~") or "null"))


def _read_yaml(text: str) -> Any:
    for event in yaml.parse(text, Loader=SafeLoader):  # a few aliases make gigabytes
        if isinstance(event, yaml.AliasEvent) or getattr(event, "tag", None):
            raise ValueError("it has an alias (*) or a tag (!), expected plain values")
    return yaml.load(text, Loader=_Loader)  # noqa: S506  (a safe one)


def _read_toml(text: str) -> Any:
    return tomllib.loads(text.replace("\r\n", "\n"), parse_float=_read_number)


_JSON = _Handler(r"---\s*+\{", "---", 16 * 1024 * 1024, loads)  # as much as a file of the record
_HANDLERS = (
    _JSON,
    _Handler(r"\{", "", _JSON.most, loads),  # without an end, as an older tool wrote it
    _Handler("---", "---", 64 * 1024, _read_yaml),  # as Obsidian and formatters save it
    _Handler(r"\+\+\+", "+++", 16 * 1024, _read_toml),  # of more, one key could take seconds
)


def split_file(text: str, name: str) -> Front:
    """Split the text of the file `name` into header and body; name the line that is damaged."""
    text, wrong = text.removeprefix("\ufeff"), None
    for handler in (h for h in _HANDLERS if h.detect(text)):
        try:
            return _read_front(handler, text)
        except Exception as error:  # noqa: BLE001  (whatever reads JSON, YAML or TOML raises)
            wrong = wrong or error
    message, line = "no header between '---' lines at the top", 1
    if wrong:
        mark = getattr(wrong, "problem_mark", None) or getattr(wrong, "context_mark", None)
        place = re.search(r"\(at line ([0-9]+), column [0-9]+\)", str(wrong))  # of TOML
        line = int(place[1]) if place else getattr(wrong, "lineno", 0)
        line = mark.line + 1 if mark else line  # of YAML
        line = max(1, line + (not text.startswith("{")))
        why = getattr(wrong, "msg", None) or getattr(wrong, "problem", None) or wrong
        message = f"the header cannot be read: {why}"
    raise BadRecordError(
        f"{name}:{line}: {one_line(message, 200)}",
        hint=f"Repair {name} by hand or bring back an earlier version of it, then run this again.",
    )


def compose_file(header: Mapping[str, Any], body: str) -> str:
    """Return the text of a file, whatever its header was written in before.

    A `BadRecordError` where it could not be read again, as with half a character.
    """
    try:
        text = f"---\n{dumps(header)}\n---\n{body}"
        text.encode("utf-8")
        _read_front(_JSON, text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRecordError(
            f"this could not be read again, and nothing was written: {one_line(str(error), 200)}"
        ) from None
    return text


def _read_front(handler: _Handler, text: str) -> Front:
    header_text, body = handler.split(text)
    if len(header_text) > handler.most:
        raise ValueError(f"it is larger than {handler.most // 1024} KiB")
    header = handler.read(header_text)
    if not isinstance(header, dict) or not header:
        raise ValueError("it is empty, or no object")
    _check_value(header, _MOST_LEVELS)
    if handler.read is not loads or "\\u" in header_text:
        dumps(header).encode("utf-8")  # what JSON cannot say, and half of a surrogate pair
    return Front(header, body)


def _check_value(value: object, levels: int) -> None:
    """Refuse what JSON has not, and lists and objects within one another on more levels."""
    if isinstance(value, dict | list):
        if not levels:
            raise ValueError(f"it is nested too deeply, expected at most {_MOST_LEVELS} levels")
        for item in value.values() if isinstance(value, dict) else value:
            _check_value(item, levels - 1)
    elif not isinstance(value, str | int | Decimal | None):
        raise TypeError(f"{value} is a date or a time, expected a text in quotation marks")
