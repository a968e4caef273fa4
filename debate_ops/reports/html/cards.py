"""Every entry that the transcript shows, as a card: its texts, its links, how it fared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.formats.contribution import LINKS
from debate_ops.model.entries import Entry
from debate_ops.model.texts import one_line
from debate_ops.reports.items import Content, Item
from debate_ops.reports.record import Note
from debate_ops.reports.text import shorten

TITLE_LENGTH = 160
_LEDE_LENGTH = 500
SCORING = "judgment"
"""The kind of entry whose scores are told with what they are given for."""

_BUILDS_ON, _JUDGES = "builds_on", "judges"
_BOTH_WAYS: Mapping[str, tuple[str, str]] = {
    "attacks": ("Attacks", "Attacked by"),
    "defends": ("Defends", "Defended by"),
    _BUILDS_ON: ("Builds on", "Built on by"),
    _JUDGES: ("Judges", "Judged by"),
}
"""Keys of a header that name other entries: what they are called here, and there."""


class Tie(NamedTuple):
    """A link to another entry: its id, its title, and what of it is meant, if that is told."""

    id: str
    title: str
    what: str


class Ties(NamedTuple):
    """The links of one kind."""

    label: str
    ties: tuple[Tie, ...]


class Card(NamedTuple):
    """One entry for a reader.

    `who` is what readers call the participant. `lede` is a short first text that always shows,
    `texts` are all others with their headings, in the words of the record.
    """

    id: str
    kind: str
    title: str
    participant: str
    who: str
    at: str
    lede: str
    texts: tuple[tuple[str, str], ...]
    sources: tuple[tuple[int, str, str], ...]
    left_out: str
    absent: str
    ties: tuple[Ties, ...]
    note: Note

    @property
    def words(self) -> int:
        """How many words its texts have."""
        return sum(len(text.split()) for _, text in self.texts) + len(self.lede.split())


class Group(NamedTuple):
    """The cards of one part of the debate: an exchange, a round, a cycle."""

    title: str
    cards: tuple[Card, ...]


def cards(
    content: Content, names: Mapping[str, str], notes: Mapping[str, Note]
) -> tuple[Group, ...]:
    """Return the cards of a debate in reading order, without what is kept back.

    A judgment whose scores and reasons stand on the cards of what it judges has none of its own.
    """
    shown = {i.id: i.entry for i in content.read if i.entry.kind != SCORING}
    titles = {i.id: title_of(i) for i in content.read if i.id in shown}
    ties = _ties(shown, titles)
    parts = ((part.title, [i for i in part.items if i.id in shown]) for part in content.parts)
    return _joined(
        Group(
            one_line(title),
            tuple(_card(i, names, ties.get(i.id, ()), notes.get(i.id, Note())) for i in items),
        )
        for title, items in parts
        if items
    )


def title_of(item: Item) -> str:
    """Return the title of an entry on one line; where it has none, its kind."""
    return shorten(item.title, TITLE_LENGTH) or item.kind.capitalize()


def _joined(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Return groups of which none has the title of the one before it."""
    found: list[Group] = []
    for group in groups:
        if found and found[-1].title == group.title:
            found[-1] = Group(group.title, (*found[-1].cards, *group.cards))
        else:
            found.append(group)
    return tuple(found)


def _card(item: Item, names: Mapping[str, str], ties: tuple[Ties, ...], note: Note) -> Card:
    lede, texts = _divided(item, ties)
    own_labels = {label for label, _ in note.facts}
    return Card(
        id=item.id,
        kind=item.kind,
        title=title_of(item),
        participant=item.participant,
        who=one_line(names.get(item.participant, item.participant)),
        at=item.at,
        lede=lede,
        texts=texts,
        sources=tuple((c.number, c.source, c.detail) for c in item.citations),
        left_out=item.cut.text if item.cut else "",
        absent=f"{item.absence.how}, by {item.absence.by}" if item.absence else "",
        ties=tuple(kind for kind in ties if kind.label not in own_labels),
        note=note,
    )


def _divided(item: Item, ties: Sequence[Ties]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a short first text, and the others; links that stand as such are no text."""
    linked = {kind.label for kind in ties} & set(LINKS.values())
    texts = [(name, text) for name, text in item.texts if name not in linked]
    if len(texts) > 1 and len(texts[0][1]) <= _LEDE_LENGTH and texts[0][0] == "Claim":
        return texts[0][1], tuple(texts[1:])
    return "", tuple(texts)


# ---------------------------------------------------------------- links


def _ties(read: Mapping[str, Entry], titles: Mapping[str, str]) -> dict[str, tuple[Ties, ...]]:
    """Return the links of every entry, its own first, then those that lead to it."""
    found: dict[str, dict[str, dict[str, dict[str, None]]]] = {}

    def add(holder: str, label: str, leads: str, what: str) -> None:
        if holder in read:
            own = found.setdefault(holder, {}).setdefault(label, {})
            own.setdefault(leads, {})[what] = None

    for entry in read.values():
        for key, target, what in _links(entry):
            add(entry.id, _BOTH_WAYS[key][0], target, what)
            add(target, _BOTH_WAYS[key][1], entry.id, what)
    order = [label for pair in zip(*_BOTH_WAYS.values(), strict=True) for label in pair]
    return {
        holder: tuple(
            Ties(label, tuple(_tie(*item, titles) for item in own[label].items()))
            for label in order
            if label in own
        )
        for holder, own in found.items()
    }


def _tie(leads: str, what: Iterable[str], titles: Mapping[str, str]) -> Tie:
    return Tie(leads, titles.get(leads, ""), ", ".join(filter(None, what)))


def _links(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Yield (key, target, what of it is meant) of every entry that a header names."""
    for key in LINKS:
        for item in entry.header.get(key) or ():
            yield key, str(item["target_id"]), _what(str(item["type"]))
    for key in (_BUILDS_ON, _JUDGES):
        for target in entry.header.get(key) or ():
            yield key, str(target), ""


def _what(kind: str) -> str:
    return one_line(kind.removesuffix("_attack").replace("_", " "))
