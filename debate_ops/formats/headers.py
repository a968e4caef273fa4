"""What the headers of entries say: links, scores and totals, and the forms that readers rely on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from debate_ops.errors import BadRecordError
from debate_ops.formats.digest import are_digests
from debate_ops.model import messages
from debate_ops.model.debate import Total
from debate_ops.model.entries import Entry
from debate_ops.model.ids import parse_id
from debate_ops.model.score import to_millis, to_number


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
