"""The record as readers go through it: entries in order, their texts and links."""

import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.core.protocol import Replayed
from debate_ops.core.values import ARGUMENTS, Entry
from debate_ops.engine.prompts import list_sections
from debate_ops.report.words import signed

_ABOUT = ("answers", "question", "critique", "revises", "refines", "vote", "speech")
"""Keys of a header that name an entry which this one is about."""
RELATIONS = {
    "attacks": ("Attacks", "Attacked by"),
    "defends": ("Defends", "Defended by"),
    "concedes": ("Concedes a part of", "Conceded in part by"),
    "answers": ("Answers", "Answered by"),
    "revises": ("Revises", "Revised by"),
    "builds_on": ("Builds on", "Built on by"),
    "judges": ("Judges", "Judged by"),
    "vote": ("Votes for", "Voted for by"),
    "speech": ("About", "Said of it"),
}
"""What links are called here, and there."""


_ID = re.compile(r"(?<![\w-])[\w-]+_[0-9]{3}[\w-]*")


class Bond(NamedTuple):
    """A link to another entry: `relation` is a key of `RELATIONS`, `about` how it is meant."""

    source: str
    target: str
    relation: str
    about: str = ""
    content: str = ""


def sort_entries(at: Replayed) -> list[Entry]:
    """Return every entry in the order in which it came on record.

    Those of one step stand in the order in which readers know the participants.
    """
    names = [*at.protocol.participants(at.debate.settings)]
    places = {name: place for place, name in enumerate(names)}
    return sorted(
        at.debate.entries.values(),
        key=lambda e: (
            *(e.round, e.step, e.folder != ARGUMENTS, places.get(e.by, len(names)), e.by),
            *(e.letter, "" if e.is_usual else e.kind, e.number),
        ),
    )


def name_entries(text: str, known: Container[str], name: Callable[[str], str]) -> str:
    """Return a text in which known entries are named in the place of their ids."""
    return _ID.sub(lambda match: name(match[0]) if match[0] in known else match[0], text)


def list_titles(entries: Collection[Entry], authors: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each entry, in which others are named by author, no role, and kind."""
    said = {by: called.partition(" (")[0] for by, called in authors.items()}
    names = {e.id: f"{said.get(e.by, e.by)}'s {e.kind}" for e in entries}
    return {e.id: name_entries(e.title, names, names.__getitem__) for e in entries}


MOST_CHARACTERS = 250_000
"""How much of a debate an agent is given to read in full, the newest."""


def count_shortened(entries: Sequence[Entry]) -> int:
    """Return of how many of the oldest entries an agent is given the titles alone."""
    room, first = MOST_CHARACTERS, len(entries)
    while first and (room := room - sum(len(t) for _, t in list_texts(entries[first - 1]))) >= 0:
        first -= 1
    return first


def spell_texts(e: Entry) -> list[str]:
    """Return all that an entry says to an agent or a tool, each text behind its heading."""
    said = (pair for pair in list_sections(e) if pair[1].strip())
    return [f"{heading}: {text}" if heading else text for heading, text in said]


def list_texts(e: Entry) -> Iterator[tuple[str, str]]:
    """Yield all that an entry says to readers, each text with its heading, blank ones left out."""
    yield from ((heading, text) for heading, text in list_sections(e, signed) if text.strip())


def list_bonds(e: Entry) -> Iterator[Bond]:
    """Yield every link of an entry to others."""
    for key in ("attacks", "defends", "concedes"):
        for x in e.data.get(key) or ():
            content = str(x.get("content") or "")
            yield Bond(e.id, str(x["target_id"]), key, str(x.get("type") or ""), content)
    answers = e.data.get("answers")
    by_critique: dict[str, list[str]] = {}
    for answer in answers if isinstance(answers, list) else ():
        verdict = f"point {answer.get('point')} {answer.get('verdict')}"
        by_critique.setdefault(str(answer.get("critique")), []).append(verdict)
    for target, points in by_critique.items():
        yield Bond(e.id, target, "answers", content="; ".join(points))
    for key in _ABOUT:
        if isinstance(named := e.data.get(key), str) and named:
            relation = {"refines": "revises", "question": "answers", "critique": "answers"}
            yield Bond(e.id, named, relation.get(key, key))
    for key in ("builds_on", "judges"):
        yield from (Bond(e.id, str(each), key) for each in e.data.get(key) or ())
