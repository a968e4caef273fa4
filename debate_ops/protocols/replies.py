"""What replies have in common in every protocol: one form, and findings about them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.score import to_millis
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Checked, Task, Turn
from debate_ops.protocols.base import Settings

NAMING = ("participant", "exchange", "phase")
"""The keys by which a reply says whose it is, and to what."""


def naming(turn: Turn, task: Task) -> dict[str, Any]:
    """Return what a reply to a task says under the keys of `NAMING`."""
    return dict(zip(NAMING, (task.participant, turn.exchange, turn.phase), strict=True))


def as_object(value: Any, listed: str = "") -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as a new object, and what was put right, as sentences.

    A reply that may be a list alone has it under the key `listed`; of the others one is taken out
    of the list that it stands in alone, and whatever is no object becomes its `text`.

    >>> as_object("Yes."), as_object(["a"], "questions")
    (({'text': 'Yes.'}, ()), ({'questions': ['a']}, ()))
    """
    if isinstance(value, list) and listed:
        return {listed: value}, ()
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return dict(value[0]), ("a reply is one object; it was taken out of its list",)
    return dict(value) if isinstance(value, dict) else {"text": value}, ()


def as_list(
    value: Any, key: str, item_keys: Collection[str], beside: Collection[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply that has a list under a key, whichever form it came in.

    It may be the list alone, or one item alone, with the keys `beside` the list in it; and its
    items may say, each for itself, whose reply it is.

    >>> as_list({"text": "No.", "pass_reason": ""}, "answers", ["text"], ["pass_reason"])
    ({'pass_reason': '', 'answers': [{'text': 'No.'}]}, ())
    """
    plain, notes = as_object(value, key)
    if key not in plain and any(name in plain for name in item_keys):
        item = {name: plain.pop(name) for name in [*plain] if name not in {*NAMING, *beside}}
        plain[key] = [item]
    part = plain.get(key, ())
    listed = [] if part is None else [part] if isinstance(part, dict) else part
    if not isinstance(listed, list):
        return plain, notes
    for _, item in objects(listed):
        for name in NAMING:
            if name in item and plain.setdefault(name, item[name]) != item[name]:
                plain[name] = messages.name(f"{plain[name]} and {item[name]}")  # fits nobody
    plain[key] = [_without_naming(item) for item in listed]
    return plain, notes


def _without_naming(item: Any) -> Any:
    if not isinstance(item, Mapping):
        return item
    return {name: part for name, part in item.items() if name not in NAMING}


def or_empty(text: Any) -> Any:
    """Return an empty text in place of one that is missing, null or blank."""
    return "" if text is None or (isinstance(text, str) and is_blank(text)) else text


def no_blank(item: dict[str, Any], key: str) -> None:
    """Put an empty text where an optional one is missing, null or blank."""
    item[key] = or_empty(item.get(key))


def items(value: Any) -> list[Any]:
    """Return a list as it is, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def objects(value: Any) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of a list, each with its place in it, from 0; none of anything else."""
    return [(place, item) for place, item in enumerate(items(value)) if isinstance(item, dict)]


def objects_in(plain: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """Yield each object of a list, copied so that it may be changed."""
    if isinstance(plain.get(key), list):
        plain[key] = [dict(item) if isinstance(item, dict) else item for item in plain[key]]
        yield from (item for _, item in objects(plain[key]))


def of_participant(name: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings as those of a participant."""
    return (finding._replace(participant=name) for finding in findings)


def each_once(
    named: Iterable[tuple[str, Any]],
    known: Sequence[Any],
    codes: tuple[str, str],
    problem: Callable[[Any], str],
    shown: Callable[[Any], str] = str,
) -> Iterator[Finding]:
    """Yield a fault for each place that names what is not known, or is named already.

    The two have these codes; what the problem is with something unknown, `problem` says.
    """
    listed, seen = "; ".join(map(shown, known)), set()
    expected = f"each of these once: {listed}" if known else "none: there are none"
    for where, name in named:
        why = problem(name) if name not in known else f"{shown(name)} is named twice"
        if name not in known or name in seen:
            code = codes[name in known]
            yield Finding(code, why, where=where, actual=shown(name), expected=expected)
        seen.add(name)


_DECIMALS = {1: "one decimal", 3: "three decimals"}


def too_fine(number: Any, where: str, places: int = 3, expected: str = "") -> Iterator[Finding]:
    """Yield the finding that a number has more decimals than it may have, if it has."""
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal):
        return
    millis, most = to_millis(number), _DECIMALS[places]
    if millis is None or millis % 10 ** (3 - places):
        message, expected = f"{number} has more than {most}", expected or f"at most {most}"
        is_ = str(number)
        yield Finding("too_many_decimals", message, where=where, actual=is_, expected=expected)


def checked(
    settings: Settings,
    faults: Sequence[Finding],
    warnings: Sequence[Finding],
    over: Sequence[Finding],
) -> Checked:
    """Return what is wrong; texts `over` their limit are faults where `word_limits` says so."""
    if settings.get("word_limits") == "reject":
        return Checked((*faults, *over), tuple(warnings))
    return Checked(tuple(faults), (*warnings, *over))
