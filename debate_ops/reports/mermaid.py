"""The graph of attacks and defences as Mermaid text, valid for any title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from debate_ops.model.entries import Argument
from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.numbers import Numbers, Standing, component
from debate_ops.reports.text import counted, one_line, score, shorten
from debate_ops.reports.words import result

MOST_EDGES = 450
MOST_CHARACTERS = 45_000
"""Mermaid refuses 500 edges and 50,000 characters, and a diagram cannot ask for more."""

MARK = "%% Drawn by debate-ops from the record; changes here are lost."

_TITLE = 90
_COMPONENT = 40
_LINE = 24
# Everything that could end a label, open a tag, or mean something to Mermaid or to Markdown.
_SPECIAL = re.compile(r"[^\w ,'-]|(?<!\w)['-]|['-](?!\w)|_")
# What makes an icon or a formula of its neighbours, once entities are letters again.
_JOINING = re.compile("[:$]")
_ZERO_WIDTH_SPACE = "#8203;"
_NOT_WORDS = re.compile(r"[^\w ,.?!()+\-\N{MINUS SIGN}]")
_SHAPES = (('["', '"]'), ('(["', '"])'))


class Graph(NamedTuple):
    """The Mermaid text, and how much of the debate it shows."""

    text: str
    shown: int
    of: int

    @property
    def note(self) -> str:
        """Say what is left out, or nothing."""
        if self.shown == self.of:
            return ""
        return f"The graph shows the {self.shown} newest of {counted(self.of, 'argument')}."


def draw(numbers: Numbers) -> Graph:
    """Return the graph; of a long debate as many of the newest arguments as Mermaid takes."""
    standings = numbers.standings
    shown = len(standings)
    while True:
        text = _text(numbers, standings[len(standings) - shown :])
        if shown <= 1 or (len(text) < MOST_CHARACTERS and _edges_in(text) <= MOST_EDGES):
            return Graph(text, shown, len(standings))
        shown = shown * 9 // 10


def _edges_in(text: str) -> int:
    return sum(" -->|" in line or " -.->|" in line for line in text.splitlines())


def _text(numbers: Numbers, standings: Sequence[Standing]) -> str:
    left_out = len(numbers.standings) - len(standings)
    ids = {standing.argument.id for standing in standings}
    lines = [
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {_words(f'Argument graph. {numbers.framing.motion}')}",
        f"    accDescr: {_words(_description(numbers, len(standings), left_out))}",
        *(_class(place, side) for place, side in enumerate(numbers.kind.sides)),
        *(_node(standing, list(numbers.kind.sides)) for standing in standings),
        *_edges([standing.argument for standing in standings], ids),
    ]
    return "\n".join([MARK, *lines]) + "\n"


def _description(numbers: Numbers, shown: int, left_out: int) -> str:
    window = f"the {shown} newest of {shown + left_out}" if left_out else f"all {shown}"
    return (
        f"{result(numbers)}. Solid arrows attack, dashed arrows defend, each pointing left at an "
        f"earlier argument. Shown are {window} arguments."
    )


def _class(place: int, side: str) -> str:
    colour = PALETTES["light"].sides[place]
    return f"    classDef {side} fill:{colour},stroke:{colour},color:{ON_SIDE}"


def _node(standing: Standing, sides: Sequence[str]) -> str:
    argument = standing.argument
    opening, closing = _SHAPES[sides.index(argument.side)]
    title = "<br/>".join(map(_label, _lines(shorten(argument.title, _TITLE))))
    label = f"{argument.id}<br/>{title}<br/>{score(standing.score)}"
    return f"    {argument.id}{opening}{label}{closing}:::{argument.side}"


def _lines(title: str) -> list[str]:
    """Return a title in short lines, so that boxes stay narrow and letters large."""
    lines = [""]
    for word in title.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) > _LINE and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = joined
    return lines


def _edges(arguments: Iterable[Argument], ids: set[str]) -> Iterable[str]:
    for argument in arguments:
        for arrow, verb, links in (
            ("-->", "attacks", argument.attacks),
            ("-.->", "defends", argument.defends),
        ):
            for link in links:
                if link.target_id in ids:
                    label = _label(shorten(component(link), _COMPONENT)) or verb
                    yield f'    {argument.id} {arrow}|"{label}"| {link.target_id}'


def _label(text: str) -> str:
    """Return `text` for a quoted label: whatever could mean something becomes an entity.

    >>> _label('say "hi"')
    'say #34;hi#34;'

    Mermaid keeps entities apart with a ligature of its own while it reads, so that one is spelt.
    """
    return _SPECIAL.sub(_entity, one_line(text).replace("\N{LATIN SMALL LIGATURE FL}", "fl"))


def _entity(match: re.Match[str]) -> str:
    apart = _ZERO_WIDTH_SPACE if _JOINING.match(match[0]) else ""
    return f"#{ord(match[0])};{apart}"


def _words(text: str) -> str:
    """Return `text` for a title or description, which know no entities."""
    return shorten(_NOT_WORDS.sub(" ", one_line(text)), 300)
