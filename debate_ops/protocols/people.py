"""Who takes part, as a user gives it: one form for every protocol that does not say it itself."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

LONGEST_NAME = 32
MOST_SHOWN = 80
"""Characters of a wrong value that a sentence about it shows."""
RESERVED = frozenset({"all", "debater", "judge", "person", "tally"})
"""Names that stand for something else in ids and commands, in every protocol."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
NAME_RULE = (
    f"lower-case letters, digits and single hyphens, at most {LONGEST_NAME} characters, beginning "
    "with a letter"
)


def is_name(text: Any) -> bool:
    """Tell whether `text` may name a participant or a role: see `NAME_RULE`."""
    is_short = isinstance(text, str) and len(text) <= LONGEST_NAME
    return is_short and _NAME.match(text) is not None


def sorted_out(value: Any, second: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return each participant as an object, and a sentence for each item that is none.

    They are given as a list of objects and words, or as words alone; words have commas between
    them, and `second` is the key of what stands behind a colon.

    >>> sorted_out(["ann, ben:expert", 5], "role")
    ([{'name': 'ann'}, {'name': 'ben', 'role': 'expert'}], ['5 is no participant'])

    Raises:
        ValueError: it is no list at all.
    """
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        raise ValueError  # noqa: TRY004  (one error for whatever cannot be a value)
    people = [person for item in items for person in _people(item, second)]
    faults = [f"{shown(i)} is no participant" for i in items if not isinstance(i, str | dict)]
    return people, faults


def _people(item: Any, second: str) -> Iterator[dict[str, Any]]:
    if isinstance(item, str):
        for part in item.split(","):
            name, colon, rest = part.partition(":")
            yield {"name": name.strip()} | ({second: rest.strip()} if colon else {})
    elif isinstance(item, dict):
        yield {key: value for key, value in item.items() if value is not None}


def unknown_keys(item: Mapping[str, Any], keys: Collection[str], what: str) -> Iterator[str]:
    """Yield a sentence that names the keys which mean nothing, if there are any."""
    if unknown := sorted(str(key) for key in item if key not in keys):
        yield f"{', '.join(unknown)} is no part of {what}; it has {', '.join(keys)}"


def problems(
    names: Sequence[Any], fewest: int, most: int, reserved: Collection[str], unread: int = 0
) -> Iterator[str]:
    """Yield what is wrong with the names of the participants, all of it.

    `unread` is how many more were given that are no participants.
    """
    number = len(names) + unread
    if not fewest <= number <= most:
        bound = f"at least {fewest}" if number < fewest else f"at most {most}"
        yield f"{number} of {bound}"
    yield from dict.fromkeys(
        "one has no name" if name is None else f"{shown(name)} is no name"
        for name in names
        if not is_name(name)
    )
    texts = [name for name in names if isinstance(name, str)]
    for name in dict.fromkeys(texts):
        if name in reserved:
            yield f"{name} is reserved"
        if texts.count(name) > 1:
            yield f"{name} is named {texts.count(name)} times"


def shown(value: Any) -> str:
    """Return a value that was given, in short: in quotes if it is a text, else as JSON has it.

    >>> shown("Ann"), shown({"file": "x"}), shown(None)
    ("'Ann'", '{"file": "x"}', 'null')
    """
    is_text = isinstance(value, str)
    text = repr(value) if is_text else json.dumps(value, ensure_ascii=False, default=_plain)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _plain(value: Any) -> float | str:
    """Return a value that JSON has no form for: a number of decimals, or a date in TOML."""
    return float(value) if isinstance(value, Decimal) else str(value)
