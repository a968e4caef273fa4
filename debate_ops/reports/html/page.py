"""The page in HTML as one text: a debate laid out by templates, with their style and script."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from debate_ops import __version__
from debate_ops.formats.entries import LINKS
from debate_ops.model.texts import one_line
from debate_ops.reports import readme, record
from debate_ops.reports.blocks import Line, Ref, line, words
from debate_ops.reports.charts import Chart, svg
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.html.tags import html
from debate_ops.reports.items import Content, Item, Relation
from debate_ops.reports.marks import MARK
from debate_ops.reports.provenance import replay
from debate_ops.reports.record import Note
from debate_ops.reports.screen import PageData
from debate_ops.reports.sureness import RULE
from debate_ops.reports.text import capitalised, shorten, spaced
from debate_ops.storage.folder import DEBATE_FILE

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


_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")

_MANY, _PLACES = 150, 40
"""From how many cards on a browser lays out only what it shows; most parts in the contents."""


def render(data: PageData, draw: Callable[[Chart], Markup] = svg) -> str:
    """Return the page of a debate: the same debate gives the same bytes. `draw` draws a chart.

    It loads nothing and runs nothing but its own script: its policy names both by their digests.
    """
    content, debate = data.view.content, data.view.debate
    groups = cards(content, data.notes)
    all_cards = [card for group in groups for card in group.cards]
    titles = {card.item.id: card.title for card in all_cards}
    prose = Prose(titles)
    about = (record.framing(content.framing, context=True), data.made)
    style = f"\n{base_style()}"
    script = f"\n{source('page.js')}"
    text = (
        environment()
        .get_template("page.html.jinja")
        .render(
            title=one_line(f"{words(data.screen.answer)}: {data.screen.motion}"),
            slug=debate.slug,
            begun=record.moment(debate.created).partition(",")[0] if debate.created else "",
            mark=MARK,
            version=__version__,
            replay=replay(debate.replay_of),
            rule=RULE,
            screen=data.screen,
            banner=tuple(readme.banner(data)) if data.edits else (),
            own=data.sections,
            about=about,
            groups=groups,
            total=len(all_cards),
            has_many=len(all_cards) > _MANY,
            has_places=1 < len(groups) <= _PLACES,
            filters=_filters(all_cards),
            titles=titles,
            places={DEBATE_FILE: f"#{record.FRAMING}"},
            prose=prose,
            draw=draw,
            style=html(style),
            script=html(script),
            policy=_policy(style, script),
        )
    )
    return f"{text}\n"


Choices = list[tuple[str, str, int]]
"""What cards can be filtered by: a key, its name, and how many cards have it."""


def _filters(shown: Iterable[Card]) -> list[tuple[str, str, Choices]]:
    """Return what cards can be filtered by: of each filter its key, its name and its choices."""

    def counted(of: Callable[[Card], Iterable[tuple[str, str]]]) -> Choices:
        counts = Counter(choice for card in shown for choice in of(card))
        return [(key, name, count) for (key, name), count in counts.items()]

    return [
        ("side", "Who", counted(lambda card: [(card.item.participant, card.who)])),
        ("kind", "Kind", counted(lambda card: [(card.item.kind, card.item.kind)])),
        ("state", "State", counted(lambda card: [(state, state) for state in card.note.states])),
    ]


def base_style() -> str:
    """Return the style that all pages share, with its colours."""
    return f"{_colours()}{source('page.css')}"


def _colours() -> str:
    """Return the colours of both themes as variables, chosen by the reader's device or by hand."""
    light, dark = (_variables(PALETTES[theme]) for theme in ("light", "dark"))
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        "@media (prefers-color-scheme: dark) {\n"
        f"  :root:not([data-theme='light']) {{ color-scheme: dark; {dark} }}\n}}\n"
        f":root[data-theme='dark'] {{ color-scheme: dark; {dark} }}\n"
    )


def _variables(palette: Palette) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in palette._asdict().items())


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def environment() -> Environment:
    """Return the templates, with filters for the texts in them."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "number": "{:,}".format,
        "line": one_line,
        "spaced": lambda text: spaced(one_line(text), text),
        "sentence": capitalised,
        "kind": lambda value: type(value).__name__,
    }
    return made


@cache
def source(name: str) -> str:
    """Return a file beside the templates; its line ends are those that browsers hash."""
    with open(os.path.join(_TEMPLATES, name), encoding="utf-8") as file:
        return file.read()
