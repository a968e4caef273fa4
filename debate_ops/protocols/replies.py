"""What replies have in common in every protocol: one form, and findings about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Checked, Task, Turn
from debate_ops.protocols.base import Settings

NAMING = ("participant", "exchange", "phase")
"""The keys by which a reply says whose it is, and to what."""


def naming(turn: Turn, task: Task) -> dict[str, Any]:
    """Return what a reply to a task says under the keys of `NAMING`."""
    return dict(zip(NAMING, (task.participant, turn.exchange, turn.phase), strict=True))


# ---------------------------------------------------------------- one form


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


def no_blank(item: dict[str, Any], key: str) -> None:
    """Put an empty text where an optional one is missing, null or blank."""
    text = item.get(key)
    if text is None or (isinstance(text, str) and is_blank(text)):
        item[key] = ""


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


# ---------------------------------------------------------------- what is wrong


def of_participant(name: str, found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings as those of a participant."""
    return (finding._replace(participant=name) for finding in found)


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
