"""The headers of a debate's files: read and written, and the forms that readers rely on.

Headers go through python-frontmatter's handlers: one JSON object between `---` lines is what we
write; YAML and TOML are what a person or an editor leaves. Its `parse` is not used, because it
strips the body and takes what it cannot read for no header at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import frontmatter
import yaml  # type: ignore[import-untyped]
from frontmatter.default_handlers import BaseHandler, SafeLoader, YAMLHandler

from debate_ops.errors import BadRecordError
from debate_ops.formats import bounded_json
from debate_ops.formats.digest import are_digests
from debate_ops.formats.json_text import dumps
from debate_ops.model import messages
from debate_ops.model.debate import Total
from debate_ops.model.entries import Entry
from debate_ops.model.ids import parse_id
from debate_ops.model.score import to_millis, to_number
from debate_ops.model.texts import one_line

FENCED = "fenced"
BARE = "bare"
OTHER = "other"

_MOST_SAID = 200
_BRACE = re.compile(r"---\s*+\{")


class Front(NamedTuple):
    """A file split in two: `header` as data, `body` as it stands after the header, untouched.

    `form` is `fenced` (one JSON object between `---` lines: what we write), `bare` (a JSON object
    at the very start: older debates) or `other` (YAML or TOML: a person's editor).
    """

    header: dict[str, Any]
    body: str
    form: str


class _JSONHandler(BaseHandler):
    """One JSON object between `---` lines, its numbers exactly as written."""

    FM_BOUNDARY = re.compile(r"^---[ \t]*+\r?(?:\n|\Z)", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"
    FORM = FENCED
    MOST = 16 * 1024 * 1024
    """How many characters a header may have: here as many as a file of the record."""

    def detect(self, text: str) -> bool:
        return _BRACE.match(text) is not None

    def load(self, fm: str) -> Any:
        return bounded_json.read_whole(fm)

    def export(self, metadata: dict[str, object], **_: object) -> str:
        return dumps(metadata)

    def format(self, post: frontmatter.Post, **_: object) -> str:
        return f"---\n{self.export(post.metadata)}\n---\n{post.content}"


class _BareHandler(_JSONHandler):
    """A JSON object at the very start of a file, as an older tool wrote it."""

    FORM = BARE

    def detect(self, text: str) -> bool:
        return text.startswith("{")

    def split(self, text: str) -> tuple[str, str]:
        end = bounded_json.read(text)[1]
        return text[:end], text[end:]

    def format(self, post: frontmatter.Post, **_: object) -> str:
        return f"{self.export(post.metadata)}{post.content}"


class _YAMLHandler(YAMLHandler):
    """YAML between `---` lines, as Obsidian and formatters save it."""

    FM_BOUNDARY = _JSONHandler.FM_BOUNDARY
    FORM = OTHER
    MOST = 64 * 1024

    def load(self, fm: str, **_: object) -> Any:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(fm, Loader=SafeLoader)):
            raise ValueError("an alias (*), which is not read")  # a few make gigabytes
        return super().load(fm, Loader=_Loader)


class _TOMLHandler(BaseHandler):
    """TOML between `+++` lines; the package's own handler needs one package more."""

    FM_BOUNDARY = re.compile(r"^\+\+\+[ \t]*+\r?(?:\n|\Z)", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"
    FORM = OTHER
    MOST = 16 * 1024
    """Of more, a key of very many parts would take seconds."""

    def load(self, fm: str) -> Any:
        import tomllib

        return _plain(tomllib.loads(fm.replace("\r\n", "\n"), parse_float=bounded_json.decimal))


_SafeLoader: Any = SafeLoader  # in C where PyYAML has it


class _Loader(_SafeLoader):  # type: ignore[misc]
    """YAML as data: numbers exact, dates as text, keys as they are written and each once."""

    # None of those of YAML 1.1, to which `no` is false and 1:30 is 90; _SCALARS are added below.
    yaml_implicit_resolvers: Mapping[str, Any] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002  (PyYAML's signature)
        keys = [key.value for key, _ in node.value]
        if not are_texts(keys) or len(set(keys)) != len(keys):
            line = node.start_mark.line + 1
            raise ValueError(f"a key is given twice, or is no text (in the object of line {line})")
        return {key.value: self.construct_object(value, deep=deep) for key, value in node.value}


_SCALARS: Mapping[str, tuple[str, str, Callable[[str], Any]]] = {
    "null": ("~|null|Null|NULL|", "~nN", lambda _: None),
    "bool": ("true|True|TRUE|false|False|FALSE", "tTfF", lambda text: text.lower() == "true"),
    "int": ("[-+]?[0-9]+", "-+0123456789", int),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
        "-+.0123456789",
        bounded_json.decimal,
    ),
}
"""The values of YAML that are no text (its core schema): pattern, first characters, and reader."""

for _name, (_pattern, _starts, _value) in _SCALARS.items():
    _tag = f"tag:yaml.org,2002:{_name}"
    _Loader.add_implicit_resolver(_tag, re.compile(rf"(?:{_pattern})\Z"), [*_starts, ""])
    _Loader.add_constructor(_tag, lambda _, node, value=_value: value(node.value))

_JSON, _BARE = _JSONHandler(), _BareHandler()
_HANDLERS = (_JSON, _BARE, _YAMLHandler(), _TOMLHandler())


def parse(text: str, name: str) -> Front:
    """Split the text of the file `name` into header and body.

    Raises:
        BadRecordError: there is no header, or it cannot be read; names the file and the line.
    """
    text = text.removeprefix("\ufeff")
    failures = []
    for handler in _HANDLERS:
        if handler.detect(text):
            try:
                return _read(handler, text)
            except Exception as error:  # noqa: BLE001  (whatever reads JSON, YAML or TOML raises)
                failures.append(_explain(error, text))
    none = ("no header; expected one JSON object between '---' lines at the top", 1)
    message, line = failures[0] if failures else none
    raise BadRecordError(
        f"{name}:{line}: {one_line(message, _MOST_SAID)}",
        hint=f"Repair {name} by hand or bring back an earlier version of it, then run this again.",
    )


def compose(header: Mapping[str, Any], body: str, form: str = FENCED) -> str:
    """Return the text of a file; a header read in `other` form is written as `fenced`."""
    post = frontmatter.Post(body)
    post.metadata = dict(header)
    return str(frontmatter.dumps(post, handler=_BARE if form == BARE else _JSON))


def normalize(text: str, name: str) -> str:
    """Return the text of the file of an entry in the form that we write, whatever saved it.

    An entry whose header was saved as YAML, or by a formatter, says what it said before.
    """
    return compose(*parse(text, name))


def _read(handler: Any, text: str) -> Front:
    if handler is not _BARE and len(handler.FM_BOUNDARY.split(text, 2)) < 3:  # noqa: PLR2004  (before, header, body)
        fence = handler.END_DELIMITER
        raise ValueError(f"it has no end; expected a line '{fence}' behind it")
    header_text, body = handler.split(text)
    if len(header_text) > handler.MOST:
        raise ValueError(f"it is larger than {handler.MOST // 1024} KiB")
    header = handler.load(header_text)
    if not isinstance(header, dict) or not header:
        raise ValueError("it is empty, or no object")
    if handler.FORM == OTHER or "\\u" in header_text:
        dumps(header).encode("utf-8")  # what JSON cannot say, and half of a surrogate pair
    return Front(header, body, handler.FORM)


def _explain(error: Exception, text: str) -> tuple[str, int]:
    """Return why a header cannot be read, and on which line of the file the reason stands."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    place = re.search(r"\(at line ([0-9]+), column [0-9]+\)", str(error))
    line = mark.line + 1 if mark else int(place[1]) if place else getattr(error, "lineno", 0)
    message = getattr(error, "msg", None) or getattr(error, "problem", None) or str(error)
    return f"the header cannot be read: {message}", max(1, line + (not text.startswith("{")))


def _plain(value: Any) -> Any:
    """Return what TOML says without its dates and times, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(value) if hasattr(value, "isoformat") else value


def links(header: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    """Return (target, type) of each attack or defence that a header names.

    >>> links({"attacks": [{"target_id": "opp_001", "type": "claim_attack"}]}, "attacks")
    (('opp_001', 'claim_attack'),)
    """
    listed = header.get(key) or []
    return tuple((str(link.get("target_id", "")), str(link.get("type", ""))) for link in listed)


def totals_as_data(totals: Mapping[str, Total]) -> dict[str, dict[str, Any]]:
    """Return cumulative scores as they stand in headers: {side: {total, count}}."""
    return {
        side: {"total": to_number(total.total), "count": total.scored}
        for side, total in totals.items()
    }


def totals_from_data(data: Any) -> dict[str, Total] | None:
    """Return the cumulative scores of a header, or None where they are not of that form."""
    if not isinstance(data, dict):
        return None
    totals = {}
    for side, item in data.items():
        total = to_millis(item.get("total")) if isinstance(item, dict) else None
        count = item.get("count") if isinstance(item, dict) else None
        if total is None or isinstance(count, bool) or not isinstance(count, int):
            return None
        totals[str(side)] = Total(total, count)
    return totals


Form = tuple[Callable[[Any], bool], str]
"""Whether a value of a header is as its readers need it, and how that is said."""


def check_form(header: Mapping[str, Any], key: str, form: Form, name: str, hint: str) -> None:
    """Check one key of the header of the file `name`.

    Raises:
        BadRecordError: names the key, what it is and what it should be.
    """
    is_right, expected = form
    if not is_right(header.get(key)):
        actual = messages.value(header[key]) if key in header else "missing"
        raise BadRecordError(f"{name}: {key} is {actual}, expected {expected}", hint=hint)


def checked(entry: Entry, name: str) -> Entry:
    """Return an entry of the file `name` if its header has the forms that its readers rely on.

    Raises:
        BadRecordError: names the key, what it is and what it should be.
    """
    hint = "Bring back the file as it was written; entries are never changed."
    checked = {key for key, value in entry.header.items() if value is not None}
    checked |= {_TOTALS} if entry.kind == "judgment" else set()
    for key in filter(checked.__contains__, _FORMS):
        check_form(entry.header, key, _FORMS[key], name, hint)
    return entry


def is_text(value: Any) -> bool:
    """Tell whether a value of a header is text."""
    return isinstance(value, str)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and parse_id(value) is not None


def _is_score(value: Any) -> bool:
    return to_millis(value) is not None


def are_texts(value: Any) -> bool:
    """Tell whether a value of a header is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def are_totals(value: Any) -> bool:
    """Tell whether a value of a header is cumulative scores."""
    return totals_from_data(value) is not None


def _list_of(**fields: Callable[[Any], bool]) -> Form:
    """Return the form of a list of objects with these fields."""

    def is_item(item: Any) -> bool:
        return isinstance(item, dict) and all(
            is_field(item.get(key)) for key, is_field in fields.items()
        )

    def is_right(value: Any) -> bool:
        return isinstance(value, list) and all(map(is_item, value))

    return is_right, f"a list of {{{', '.join(fields)}}}"


_TOTALS = "cumulative_scores"
_TEXTS = (
    *("from", "at", "side", "title", "claim", "how", "reason", "by", "question", "critique"),
    *("vote", "revises", "refines", "target", "proposal", "winner", "result", "chair"),
)
_FORMS: Mapping[str, Form] = {
    **dict.fromkeys(_TEXTS, (is_text, "text")),
    "made_by": (lambda value: isinstance(value, dict), "an object"),
    "rests_on": (are_digests, "{name: digest}"),
    "attacks": _list_of(target_id=is_text, type=is_text),
    "defends": _list_of(target_id=is_text, type=is_text),
    "scores": _list_of(argument_id=_is_id, score=_is_score),
    "rescores": _list_of(argument_id=_is_id, previous=_is_score, score=_is_score),
    "effects": _list_of(attacker_id=_is_id, target_id=_is_id, component=is_text, effect=is_text),
    "judged": _list_of(id=_is_id, digest=is_text),
    "answers": (lambda value: isinstance(value, str | list), "text or a list"),
    "builds_on": (are_texts, "a list of ids"),
    "judges": (are_texts, "a list of ids"),
    _TOTALS: (are_totals, "{side: {total, count}}"),
}
"""Of entries of any kind: what a file says of its kind is as foreign as the rest of it.

Every key may be missing, but the totals of a judgment.
"""
