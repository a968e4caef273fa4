"""Any value of the record as a file, and back: one row per kind of entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import BadRecordError
from debate_ops.formats import argument, contribution, front, judgment
from debate_ops.formats.digest import are_digests
from debate_ops.model import messages
from debate_ops.model.debate import Total
from debate_ops.model.entries import (
    ADVICE,
    ARGUMENTS,
    JUDGMENTS,
    Absence,
    Argument,
    Contribution,
    Entry,
    Judgment,
    Record,
    Value,
)
from debate_ops.model.ids import parse_id
from debate_ops.model.score import to_millis


class Stamp(NamedTuple):
    """What the commit adds to each entry.

    `source` is the digest of the submission that it came from; `at` its time; `made_by` what is
    known of how it was made; `rests_on` the digests of what the turn rests on, in one of its
    entries.
    """

    step: int
    source: str
    at: str
    made_by: Mapping[str, Any]
    totals: Mapping[str, Total]
    rests_on: Mapping[str, str]


class _Kind(NamedTuple):
    """How a type of value is written, read and told."""

    header: Callable[[Any], dict[str, Any]]
    body: Callable[[Any], str]
    parse: Callable[[Entry], Value]
    lines: Callable[[Any], list[str]]
    headline: Callable[[Any], str]
    folder: str = ""


_KINDS: Mapping[type, _Kind] = {
    Argument: _Kind(
        argument.header,
        argument.body,
        argument.parse,
        argument.lines,
        argument.headline,
        ARGUMENTS,
    ),
    Judgment: _Kind(
        judgment.header,
        judgment.body,
        judgment.parse,
        judgment.lines,
        judgment.headline,
        JUDGMENTS,
    ),
    Absence: _Kind(
        judgment.absence_header,
        judgment.absence_body,
        judgment.parse_absence,
        judgment.absence_lines,
        judgment.absence_headline,
        JUDGMENTS,
    ),
    Contribution: _Kind(
        contribution.header,
        contribution.body,
        contribution.parse,
        contribution.lines,
        contribution.gist,
    ),
}
_TYPES: Mapping[str, type] = {"argument": Argument, "judgment": Judgment, "absence": Absence}
"""Kind of entry to the type of its value; every other kind is a contribution."""


def kind(value: Value) -> str:
    """Return the kind of a value, as it stands in its header."""
    if isinstance(value, Contribution):
        return value.kind
    return next(name for name, type_ in _TYPES.items() if isinstance(value, type_))


def folder(value: Value) -> str:
    """Return the record folder that a value is stored in."""
    return value.folder if isinstance(value, Contribution) else _KINDS[type(value)].folder


def lines(value: Value) -> list[str]:
    """Return a value as plain lines that say what each text is: for prompts."""
    return _KINDS[type(value)].lines(value)


def headline(value: Value) -> str:
    """Return a value in one line."""
    return _KINDS[type(value)].headline(value)


def render(value: Value, stamp: Stamp) -> str:
    """Return the text of the file that holds `value`."""
    row = _KINDS[type(value)]
    header, body = row.header(value), row.body(value)
    if isinstance(value, Judgment):
        header["cumulative_scores"] = judgment.totals_as_data(stamp.totals)
    header |= {"step": stamp.step, "from": stamp.source, "at": stamp.at}
    if stamp.rests_on:
        header["rests_on"] = dict(stamp.rests_on)
    if stamp.made_by:
        header["made_by"] = dict(stamp.made_by)
    return front.compose(header, body)


def checked(entry: Entry, name: str) -> Entry:
    """Return an entry of the file `name` if its header has the forms that its readers rely on.

    Raises:
        BadRecordError: names the key, what it is and what is wanted.
    """
    header = entry.header
    own = _FORMS.get(entry.kind, _CONTRIBUTION_FORMS)
    for key, form in (*_COMMON_FORMS.items(), *own.items()):
        found = header.get(key)
        if not form.is_right(found):
            what = messages.value(found) if key in header else "missing"
            raise BadRecordError(
                f"{name}: {key} is {what}, wanted {form.wanted}",
                hint="Bring back the file as it was written; entries are never changed.",
            )
    return entry


class _Form(NamedTuple):
    is_right: Callable[[Any], bool]
    wanted: str


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_missing(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_object_or_missing(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _are_texts_or_missing(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(map(_is_text, value)))


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and parse_id(value) is not None


def _is_score(value: Any) -> bool:
    return to_millis(value) is not None


def _are_totals(value: Any) -> bool:
    return judgment.totals_from_data(value) is not None


def _list_of(**fields: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a check of a list of objects with these fields; a missing list is an empty one."""

    def is_right(value: Any) -> bool:
        return value is None or (isinstance(value, list) and all(map(is_item, value)))

    def is_item(item: Any) -> bool:
        return isinstance(item, dict) and all(
            is_field(item.get(key)) for key, is_field in fields.items()
        )

    return is_right


_LINKS = _Form(_list_of(target_id=_is_text, type=_is_text), "a list of {target_id, type}")
_COMMON_FORMS = {
    "from": _Form(_is_text_or_missing, "text"),
    "at": _Form(_is_text_or_missing, "text"),
    "made_by": _Form(_is_object_or_missing, "an object"),
    "rests_on": _Form(lambda value: value is None or are_digests(value), "{name: digest}"),
    "attacks": _LINKS,
    "defends": _LINKS,
    "scores": _Form(
        _list_of(argument_id=_is_id, score=_is_score), "a list of {argument_id, score}"
    ),
    "rescores": _Form(
        _list_of(argument_id=_is_id, previous=_is_score, score=_is_score),
        "a list of {argument_id, previous, score}",
    ),
    "judged": _Form(_list_of(id=_is_id, digest=_is_text), "a list of {id, digest}"),
}
"""Of entries of any kind: what a file says of its kind is as foreign as the rest of it."""
_ARGUMENT_FORMS = {
    "side": _Form(_is_text_or_missing, "the name of a side"),
    "title": _Form(_is_text_or_missing, "text"),
    "claim": _Form(_is_text_or_missing, "text"),
}
_JUDGMENT_FORMS = {"cumulative_scores": _Form(_are_totals, "{side: {total, count}}")}
_NAMES = (
    *("title", "question", "critique", "vote", "revises", "refines", "target", "proposal"),
    *("winner", "result", "chair"),
)
"""Keys of a contribution that name something, whatever its kind: entries are looked up by them."""
_CONTRIBUTION_FORMS = {
    **dict.fromkeys(_NAMES, _Form(_is_text_or_missing, "text")),
    "answers": _Form(lambda value: _is_text_or_missing(value) or _is_list(value), "text or a list"),
    "builds_on": _Form(_are_texts_or_missing, "a list of ids"),
    "judges": _Form(_are_texts_or_missing, "a list of ids"),
}
_ABSENCE_FORMS = {key: _Form(_is_text_or_missing, "text") for key in ("how", "reason", "by")}
_FORMS: Mapping[str, Mapping[str, _Form]] = {
    "argument": _ARGUMENT_FORMS,
    "judgment": _JUDGMENT_FORMS,
    "absence": _ABSENCE_FORMS,
}


def first_answer(record: Record) -> str | None:
    """Return what the adviser wrote who saw nothing of the debate; None where nobody did."""
    for entry in filter(None, map(record.get, record.ids(ADVICE))):
        return "\n\n".join(contribution.parse(entry).texts.values())
    return None


def parse(entry: Entry) -> Value:
    """Return the value that an entry holds."""
    return _KINDS[_TYPES.get(entry.kind, Contribution)].parse(entry)
