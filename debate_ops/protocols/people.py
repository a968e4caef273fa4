"""Who takes part, as a user gives it: one form for every protocol that does not say it itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

LONGEST_NAME = 32
RESERVED = frozenset({"all", "debater", "judge", "person"})
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


def listed(value: Any, second: str) -> list[dict[str, Any]]:
    """Return each participant as an object, from a list of objects and words, or from words alone.

    Words have commas between them; `second` is the key of what stands behind a colon.

    >>> listed("ann, ben:expert", "role")
    [{'name': 'ann'}, {'name': 'ben', 'role': 'expert'}]

    Raises:
        ValueError: it is no such list.
    """
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        raise ValueError  # noqa: TRY004  (one error for whatever cannot be a value)
    return [person for item in items for person in _people(item, second)]


def _people(item: Any, second: str) -> Iterator[dict[str, Any]]:
    if isinstance(item, str):
        for part in item.split(","):
            name, colon, rest = part.partition(":")
            yield {"name": name.strip()} | ({second: rest.strip()} if colon else {})
    elif isinstance(item, dict):
        yield {key: value for key, value in item.items() if value is not None}
    else:
        raise ValueError(f"{item!r} is no participant")  # noqa: TRY004


def refuse_unknown(given: Mapping[str, Any], keys: Collection[str], what: str) -> None:
    """Refuse keys that mean nothing.

    Raises:
        ValueError: names them.
    """
    if unknown := sorted(str(key) for key in given if key not in keys):
        raise ValueError(f"{', '.join(unknown)} is no part of {what}; it has {', '.join(keys)}")


def problems(
    names: Sequence[str], fewest: int, most: int, reserved: Collection[str]
) -> Iterator[str]:
    """Yield what is wrong with the names of the participants, all of it."""
    if not fewest <= len(names) <= most:
        bound = f"at least {fewest}" if len(names) < fewest else f"at most {most}"
        yield f"{len(names)} of {bound}"
    for name in dict.fromkeys(names):
        if not is_name(name):
            yield f"{name!r} is no name"
        elif name in reserved:
            yield f"{name} is reserved"
        if names.count(name) > 1:
            yield f"{name} is named {names.count(name)} times"
