"""The graph of a debate as Mermaid text that is valid whatever the texts of the debate say."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Mapping, Sequence

from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.items import Bond, Content, Item, Relation
from debate_ops.reports.record import Note
from debate_ops.reports.text import broken, counted, shorten

MOST_EDGES = 450
MOST_CHARACTERS = 45_000
"""Mermaid refuses 500 edges and 50,000 characters, and a diagram cannot ask for more."""

_COLUMNS, _TITLE, _STATE, _ABOUT, _DESCRIPTION = 24, 90, 90, 40, 300
_BRACKETS = {"first": ("[", "]"), "second": ("([", "])"), "answer": ("(", ")")}
_ANSWERING = {Relation.ANSWERS, Relation.SUPPORTS, Relation.CONCEDES}
# Everything that could end a label, open a tag, or mean something to Mermaid or to Markdown.
_SPECIAL = re.compile(r"[^\w ,'-]|(?<!\w)['-]|['-](?!\w)|_")
# What makes an icon or a formula of its neighbours, once entities are letters again.
_JOINING = re.compile("[:$]")
_ZERO_WIDTH_SPACE = "#8203;"
_NUMBER = re.compile(r"[+\N{MINUS SIGN}]?[0-9]+\.[0-9]+")
_NOT_WORDS = re.compile(r"[^\w ,.?!()+\-\N{MINUS SIGN}]")


def render(content: Content, notes: Mapping[str, Note]) -> str:
    """Return the graph of as many of the newest entries as fit; nothing where none is linked."""
    items, bonds = content.graph()
    newest = sorted(items, key=lambda item: -item.entry.exchange)

    def text(number: int) -> str:
        shown = {item.id for item in newest[:number]}
        within = [bond for bond in bonds if {bond.source, bond.target} <= shown]
        if len(within) > MOST_EDGES:
            return ""
        own = [item for item in items if item.id in shown]
        return _text(content, notes, own, within, len(items))

    numbers = range(1, len(items) + 1)
    shown = bisect(numbers, x=False, key=lambda n: not 0 < len(text(n)) < MOST_CHARACTERS)
    return text(shown) if bonds else ""


def _text(
    content: Content,
    notes: Mapping[str, Note],
    items: Sequence[Item],
    bonds: Sequence[Bond],
    of: int,
) -> str:
    light = PALETTES["light"]
    looks = {
        "first": (light.first, light.first, ON_SIDE),
        "second": (light.second, light.second, ON_SIDE),
        "answer": (light.ground, light.first, light.text),
    }
    description = f"{len(items)} of {counted(of, 'entry', 'entries')}. Solid arrows attack."
    lines = [
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {_words(f'Argument graph. {content.framing.motion}')}",
        f"    accDescr: {_words(description)}",
        *(
            f"    classDef {name} fill:{fill},stroke:{edge},color:{ink}"
            for name, (fill, edge, ink) in looks.items()
        ),
        *(_node(content, item, notes.get(item.id, Note())) for item in items),
        *map(_edge, bonds),
    ]
    return "\n".join(lines) + "\n"


def _node(content: Content, item: Item, note: Note) -> str:
    """Return an entry: its id, its title, and how it fared."""
    is_scored = item.participant in content.sides and note.score
    state = note.score if is_scored else ", ".join(filter(None, (note.score, *note.states)))
    lines = filter(None, (*_short_lines(item.title, _TITLE), *_short_lines(state, _STATE)))
    look = _look(content, item)
    opening, closing = _BRACKETS[look]
    shown = "<br/>".join((item.id, *(s if _NUMBER.fullmatch(s) else label(s) for s in lines)))
    return f'    {_name(item.id)}{opening}"{shown}"{closing}:::{look}'


def _short_lines(text: str, length: int) -> list[str]:
    """Return a text in short lines, so that boxes stay narrow and letters large."""
    return broken(shorten(text, length), _COLUMNS)


def _look(content: Content, item: Item) -> str:
    """Return how an entry looks: as its side does, or else by what it does to another."""
    if item.participant in content.sides:
        return list(_BRACKETS)[content.sides.index(item.participant)]
    relations = {bond.relation for bond in item.bonds}
    if Relation.ATTACKS in relations:
        return "second"
    return "answer" if relations & _ANSWERING else "first"


def _edge(bond: Bond) -> str:
    arrow = "-->" if bond.relation is Relation.ATTACKS else "-.->"
    about = label(shorten(bond.about or bond.relation.value, _ABOUT))
    return f'    {_name(bond.source)} {arrow}|"{about}"| {_name(bond.target)}'


def _name(entry_id: str) -> str:
    """Return the name of a node: no word of Mermaid's own can begin with that."""
    return "n_" + re.sub(r"\W", "_", entry_id)


def label(text: str) -> str:
    """Return a line for a quoted label: whatever could mean something becomes an entity.

    >>> label('say "hi"')
    'say #34;hi#34;'

    Mermaid keeps entities apart with a ligature of its own while it reads, so that one is spelt.
    """
    return _SPECIAL.sub(_entity, text.replace("\N{LATIN SMALL LIGATURE FL}", "fl"))


def _entity(match: re.Match[str]) -> str:
    apart = _ZERO_WIDTH_SPACE if _JOINING.match(match[0]) else ""
    return f"#{ord(match[0])};{apart}"


def _words(text: str) -> str:
    """Return `text` for a title or description, which know no entities."""
    return shorten(_NOT_WORDS.sub(" ", text), _DESCRIPTION)
