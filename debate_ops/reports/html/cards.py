"""Every entry that readers are shown, as a card: its texts, its links, how it fared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from debate_ops.formats.entries import LINKS
from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import Line, Ref, line
from debate_ops.reports.items import Content, Item, Relation
from debate_ops.reports.record import Note
from debate_ops.reports.text import shorten
from debate_ops.startup import NamedTuple

_TITLE, _LEDE = 160, 500
_SCORING = "judgment"
"""The kind of entry whose scores are shown with what they are for."""

_LABELS: Mapping[str, tuple[str, str]] = {
    Relation.ATTACKS: ("Attacks", "Attacked by"),
    Relation.SUPPORTS: ("Defends", "Defended by"),
    Relation.CONCEDES: ("Defends", "Defended by"),
    Relation.ANSWERS: ("Answers", "Answered by"),
    Relation.REVISES: ("Revises", "Revised by"),
    Relation.BUILDS_ON: ("Builds on", "Built on by"),
    "judges": ("Judges", "Judged by"),
}
"""What links of each relation are called here, and there."""

Facts = Mapping[str, tuple[Line, ...]]


class Card(NamedTuple):
    """One entry for a reader.

    `who` is what readers call the participant. `lede` is a short first text that always shows,
    `texts` are all others with their headings, in the words of the record. `facts` are what is
    shown of it, and its links, by their labels.
    """

    item: Item
    title: str
    who: str
    lede: str
    texts: tuple[tuple[str, str], ...]
    note: Note
    facts: Facts

    @property
    def words(self) -> int:
        """How many words its texts have."""
        return sum(len(text.split()) for _, text in self.texts) + len(self.lede.split())


class Group(NamedTuple):
    """The cards of one part of the debate: an exchange, a round, a cycle."""

    title: str
    cards: tuple[Card, ...]


def cards(content: Content, notes: Mapping[str, Note]) -> tuple[Group, ...]:
    """Return the cards of a debate in reading order, without what is kept back.

    A judgment whose scores and reasons are on the cards of what it judges has none of its own.
    """
    shown = [
        (one_line(part.title), item)
        for part in content.parts
        for item in part.items
        if item.entry.kind != _SCORING
    ]
    links = _links(content, {item.id: title_of(item) for _, item in shown})

    def card(item: Item) -> Card:
        note, own = notes.get(item.id, Note()), links.get(item.id, {})
        lede, texts = _divided(item, own)
        who = one_line(content.names.get(item.participant, item.participant))
        facts = dict(note.facts)
        facts |= {label: lines for label, lines in own.items() if label not in facts}
        return Card(item, title_of(item), who, lede, texts, note, facts)

    return tuple(
        Group(title, tuple(card(item) for _, item in group))
        for title, group in groupby(shown, key=lambda pair: pair[0])
    )


def title_of(item: Item) -> str:
    """Return the title of an entry on one line; where it has none, its kind."""
    return shorten(item.title, _TITLE) or item.kind.capitalize()


def _divided(item: Item, links: Facts) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a short first text, and the others; links that are shown as such are no text."""
    linked = links.keys() & set(LINKS.values())
    texts = [(name, text) for name, text in item.texts if name not in linked]
    if len(texts) > 1 and len(texts[0][1]) <= _LEDE and texts[0][0] == "Claim":
        return texts[0][1], tuple(texts[1:])
    return "", tuple(texts)


def _links(content: Content, titles: Mapping[str, str]) -> dict[str, Facts]:
    """Return the links of every entry that is shown by their labels, both ways."""
    ends: dict[str, dict[str, dict[str, list[str]]]] = {i: {} for i in titles}
    for item in content.items:
        for relation, target, about in _of(item) if item.id in titles else ():
            there, back = _LABELS[relation]
            for holder, label, other in ((item.id, there, target), (target, back, item.id)):
                if holder in ends:
                    ends[holder].setdefault(label, {}).setdefault(other, []).append(about)
    order = [label for pair in zip(*_LABELS.values(), strict=True) for label in pair]
    return {
        holder: {
            label: tuple(
                line(Ref(other, titles.get(other, "")), _in_brackets(abouts))
                for other, abouts in by_label[label].items()
            )
            for label in order
            if label in by_label
        }
        for holder, by_label in ends.items()
    }


def _in_brackets(abouts: list[str]) -> str:
    words = ", ".join(dict.fromkeys(filter(None, abouts)))
    return f" ({words})" if words else ""


def _of(item: Item) -> Iterator[tuple[str, str, str]]:
    """Yield (relation, target, what of it is meant) of every link of an entry."""
    for bond in item.bonds:
        yield bond.relation, bond.target, "" if bond.about == item.kind else one_line(bond.about)
    for target in item.entry.header.get("judges") or ():
        yield "judges", str(target), ""
