"""The settings of a debate in speeches: who speaks, in which order, and who judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import Any

from debate_ops.model.texts import is_blank, trimmed
from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.settings import (
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
    LANGUAGE,
    PANEL,
    SPEECHES,
    WEB_SEARCH,
    WORD_LIMITS,
    Setting,
    choice,
    whole,
)

NAME = SPEECHES
FEWEST, MOST = 2, 50
MOST_SPEECHES = 1000
NEW_ROUND = "/"
"""Between two names of an order: the second one speaks in the next round."""
MOST_ISSUES = 100
MOST_CHARACTERS = 200_000
MEMBER = "member"
NOBODY = "nobody"
"""What a verdict names where none of those who spoke has the better of it."""
_KEYS = ("name", "position")


def _read_choices(value: Any) -> list[dict[str, str]]:
    return _read_participants(value) if value else []


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
    words = [word.strip() for word in words]
    if (number := sum(word != NEW_ROUND for word in words)) > MOST_SPEECHES:
        raise ValueError(f"{number} speeches of at most {MOST_SPEECHES}")
    return words


def _read_text(value: Any) -> str:
    if not isinstance(value, str) or (value and is_blank(value)) or len(value) > MOST_CHARACTERS:
        raise ValueError
    return trimmed(value)


def _read_lines(value: Any) -> list[str]:
    lines = [value] if isinstance(value, str) and value else value or []
    if not isinstance(lines, list) or len(lines) > MOST_ISSUES:
        raise ValueError
    if not all(isinstance(x, str) and not is_blank(x) for x in lines):
        raise ValueError
    return [trimmed(line) for line in lines]


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
        "who gives which speech, as names in their order (ann,ben,ann), with / where a round ends "
        "that would go on; empty: everybody in turn",
        _read_order,
        f"names of participants, at most {MOST_SPEECHES}, and / between them",
    ),
    whole("rounds", 2, "how often everybody speaks, where no order is given", least=1, most=20),
    choice("judge", "none", "whether a judge decides at the end", "none", "one"),
    PANEL._replace(
        help="how many members a panel has, who decide instead of one judge: blind, every second "
        "one with the sides in the other order"
    ),
    Setting(
        "question",
        "",
        "what a panel decides, its first line in short; empty: which side is right",
        _read_text,
        f"a text of at most {MOST_CHARACTERS} characters",
    ),
    Setting(
        "choices",
        [],
        "the answers between which a panel decides, as names with what each says, or as objects "
        "with name and position; empty: those who spoke",
        _read_choices,
        f"{FEWEST} to {MOST} answers, each with a name ({people.NAME_RULE})",
    ),
    Setting(
        "issues",
        [],
        "questions on each of which a panel says who had the better of it",
        _read_lines,
        f"a list of at most {MOST_ISSUES} texts",
    ),
    Setting(
        "personas",
        [],
        "how members of a panel are to look at the debate, one after the other",
        _read_lines,
        f"a list of at most {MOST_ISSUES} texts",
    ),
    choice("views", "on", "whether a panel is asked before it reads the debate, too", "on", "off"),
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


def choices_of(settings: Settings) -> Mapping[str, str]:
    """Return by name what a panel decides between; the first line of each is its short form."""
    listed = settings.get("choices")
    return {item["name"]: item["position"] for item in listed} if listed else positions_of(settings)


def members_of(settings: Settings) -> tuple[str, ...]:
    """Return the members of the panel, if there is one."""
    return tuple(f"{MEMBER}-{number}" for number in range(1, settings["panel"] + 1))


def labels_of(settings: Settings, member: str) -> dict[str, str]:
    """Return what a member of the panel reads in the place of each name, in its order.

    >>> settings = {"participants": [{"name": n, "position": ""} for n in ("ann", "ben")]}
    >>> labels_of(settings, "member-1"), labels_of(settings, "member-2")
    ({'ann': 'A', 'ben': 'B'}, {'ben': 'A', 'ann': 'B'})

    Names that are letters already stay, in capitals, because the speeches may use them.

    >>> labels_of({"participants": [{"name": n, "position": ""} for n in "ab"]}, "member-2")
    {'b': 'B', 'a': 'A'}
    """
    names = _as_read(positions_of(settings), member)
    if all(len(name) == 1 for name in names):
        return {name: name.upper() for name in names}
    return {name: _label(number) for number, name in enumerate(names)}


def answers_of(settings: Settings, member: str) -> dict[str, str]:
    """Return what stands on a member's ballot for each choice, in its order.

    >>> yes_no = [{"name": n, "position": ""} for n in ("yes", "no")]
    >>> settings = {"participants": [{"name": "ann", "position": ""}], "choices": yes_no}
    >>> answers_of(settings, "member-2")
    {'no': 'no', 'yes': 'yes'}
    """
    labels = labels_of(settings, member)
    return {name: labels.get(name, name) for name in _as_read(choices_of(settings), member)}


def _as_read(names: Iterable[str], member: str) -> list[str]:
    """Return names in the order of a member: every second one reads them backwards."""
    is_second = int(member.rpartition("-")[2]) % 2 == 0
    return list(names)[:: -1 if is_second else 1]


def _label(number: int) -> str:
    first, second = divmod(number, 26)
    return (chr(ord("A") + first - 1) if first else "") + chr(ord("A") + second)


def order_of(settings: Settings) -> Iterator[tuple[int, str]]:
    """Yield the round and the speaker of each speech: nobody speaks twice in a round.

    >>> people = [{"name": name, "position": ""} for name in ("ann", "ben")]
    >>> list(order_of({"participants": people, "order": ["ann", "ben", "ann", "/", "ben"]}))
    [(1, 'ann'), (1, 'ben'), (2, 'ann'), (3, 'ben')]
    """
    names = tuple(positions_of(settings))
    order = settings["order"] or chain.from_iterable(repeat(names, settings["rounds"]))
    number, spoken = 1, set[str]()
    for name in order:
        if name in spoken or name == NEW_ROUND:
            number, spoken = number + 1, set()
        if name != NEW_ROUND:
            spoken.add(name)
            yield number, name


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that does not fit the others, or has no effect."""
    strangers = sorted(set(settings["order"]) - {NEW_ROUND, *positions_of(settings)})
    if strangers:
        yield f"order names {people.shown(', '.join(strangers))}, who is no participant"
    if settings["panel"] and settings["judge"] != "none":
        yield "judge is 'one', but a panel decides: set one of them"
    of_panels = ("question", "choices", "issues", "personas")
    unused = [key for key in of_panels if settings[key] and not settings["panel"]]
    yield from (f"{key} is set for a panel, and there is none" for key in unused)
    if settings["word_limits"] == "reject" and not settings["word_limit"]:
        yield "word_limits is 'reject', but word_limit is 0, so there is nothing to reject"
