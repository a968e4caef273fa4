"""The settings of a debate in speeches: who speaks, in which order, and who judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import Any

from debate_ops.model.texts import trimmed
from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.settings import (
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
    LANGUAGE,
    WEB_SEARCH,
    WORD_LIMITS,
    Setting,
    choice,
    whole,
)

FEWEST, MOST = 2, 50
MOST_SPEECHES = 1000
NOBODY = "nobody"
"""What a verdict names where none of those who spoke has the better of it."""
_KEYS = ("name", "position")


def _read_participants(value: Any) -> list[dict[str, str]]:
    items, faults = people.sorted_out(value, "position")
    unread = len(faults)
    read = []
    for item in items:
        faults += people.unknown_keys(item, _KEYS, "a participant")
        full = {"name": None, "position": ""} | item
        if not isinstance(full["position"], str):
            faults.append(f"position is {people.shown(full['position'])}, expected a text")
        read.append({k: trimmed(v) if isinstance(v := full[k], str) else v for k in _KEYS})
    names = [item["name"] for item in read]
    faults += people.problems(names, FEWEST, MOST, {*people.RESERVED, NOBODY}, unread)
    if faults:
        raise ValueError(", ".join(faults))
    return read


def _read_order(value: Any) -> list[str]:
    words = value.split(",") if isinstance(value, str) and value.strip() else value or []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError
    if len(words) > MOST_SPEECHES:
        raise ValueError(f"{len(words)} speeches of at most {MOST_SPEECHES}")
    return [word.strip() for word in words]


SETTINGS = (
    Setting(
        "participants",
        None,
        "who speaks: names with what each speaks for (ann:yes,ben:no), or objects with name and "
        "position",
        _read_participants,
        f"{FEWEST} to {MOST} participants, each with a name ({people.NAME_RULE})",
    ),
    Setting(
        "order",
        [],
        "who gives which speech, as names in their order (ann,ben,ann); empty: everybody in turn",
        _read_order,
        f"names of participants, at most {MOST_SPEECHES}",
    ),
    whole("rounds", 2, "how often everybody speaks, where no order is given", least=1, most=20),
    choice("judge", "none", "whether a judge decides at the end", "none", "one"),
    whole("word_limit", 400, "words to a speech at most; 0 sets no limit"),
    WORD_LIMITS,
    WEB_SEARCH,
    LANGUAGE,
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
)


def positions_of(settings: Settings) -> Mapping[str, str]:
    """Return by name what each participant speaks for; empty where that is not said."""
    return {item["name"]: item["position"] for item in settings["participants"]}


def order_of(settings: Settings) -> Iterator[tuple[int, str]]:
    """Yield the round and the speaker of each speech: nobody speaks twice in a round."""
    names = tuple(positions_of(settings))
    order = settings["order"] or chain.from_iterable(repeat(names, settings["rounds"]))
    number, spoken = 1, set[str]()
    for name in order:
        if name in spoken:
            number, spoken = number + 1, set()
        spoken.add(name)
        yield number, name


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that does not fit the others, or has no effect."""
    strangers = sorted(set(settings["order"]) - set(positions_of(settings)))
    if strangers:
        yield f"order names {people.shown(', '.join(strangers))}, who is no participant"
    if settings["word_limits"] == "reject" and not settings["word_limit"]:
        yield "word_limits is 'reject', but word_limit is 0, so there is nothing to reject"
