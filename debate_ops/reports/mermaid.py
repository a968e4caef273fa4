"""Graphs as Mermaid text that is valid whatever the texts of a debate say."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from debate_ops.model.texts import one_line
from debate_ops.reports.colours import ON_SIDE
from debate_ops.reports.text import counted, shorten

MOST_EDGES = 450
MOST_CHARACTERS = 45_000
"""Mermaid refuses 500 edges and 50,000 characters, and a diagram cannot ask for more."""

MARK = "%% Drawn by debate-ops from the record; changes here are lost."

_LINE, _TITLE, _ABOUT = 24, 90, 40
_NODE = 45
"""Characters that a node takes at least."""
_DESCRIPTION = 300
# Everything that could end a label, open a tag, or mean something to Mermaid or to Markdown.
_SPECIAL = re.compile(r"[^\w ,'-]|(?<!\w)['-]|['-](?!\w)|_")
# What makes an icon or a formula of its neighbours, once entities are letters again.
_JOINING = re.compile("[:$]")
_ZERO_WIDTH_SPACE = "#8203;"
_NOT_WORDS = re.compile(r"[^\w ,.?!()+\-\N{MINUS SIGN}]")
_EDGE = re.compile(r" (?:-->|-\.->)\|")


class Graph(NamedTuple):
    """The Mermaid text, how many of a debate's entries it shows, and what it leaves out, if any."""

    text: str
    shown: int
    of: int
    note: str = ""


class Node(NamedTuple):
    """An entry in a graph: its text as Mermaid reads it, its look, and where it is boxed in."""

    id: str
    text: str
    look: str
    group: str = ""


class Edge(NamedTuple):
    """An arrow from one entry to another; `about` is written on it."""

    source: str
    target: str
    about: str
    is_dashed: bool = False


class Look(NamedTuple):
    """How nodes of a kind are drawn."""

    opening: str
    closing: str
    fill: str
    edge: str
    ink: str = ON_SIDE


def graph(  # noqa: PLR0913  (a graph has that many parts)
    about: tuple[str, str],
    looks: Mapping[str, Look],
    nodes: Iterable[Node],
    edges: Sequence[Edge],
    *,
    order: Callable[[Node], tuple[int, ...]],
    most: int = MOST_CHARACTERS,
) -> Graph:
    """Return the graph of as many nodes as Mermaid takes and `most` allows.

    `about` are its title and its description; `order` gives what matters most the least number.
    """
    every = {node.id: node for node in nodes}
    ids = sorted(every, key=lambda id_: order(every[id_]))

    def text(number: int) -> str:
        shown = set(ids[:number])
        return _text(about, looks, {i: n for i, n in every.items() if i in shown}, edges)

    at_most = range(1, min(len(ids), most, MOST_CHARACTERS // _NODE) + 1)
    shown = bisect(at_most, x=False, key=lambda number: not fits(text(number)))
    note = f"The graph shows {shown} of {counted(len(ids), 'entry', 'entries')}."
    return Graph(text(shown), shown, len(ids), note if shown < len(ids) else "")


def _text(
    about: tuple[str, str],
    looks: Mapping[str, Look],
    nodes: Mapping[str, Node],
    edges: Sequence[Edge],
) -> str:
    number = counted(len(nodes), "entry", "entries")
    lines = [
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {words(about[0])}",
        f"    accDescr: {words(f'{number}. {about[1]}')}",
        *(
            f"    classDef {name} fill:{look.fill},stroke:{look.edge},color:{look.ink}"
            for name, look in looks.items()
        ),
    ]
    for group, own in groupby(nodes.values(), key=lambda node: node.group):
        if group:
            lines += [f'    subgraph {name(group)}["{label(group)}"]', "    direction RL"]
        for node in own:
            look = looks[node.look]
            lines.append(
                f'    {name(node.id)}{look.opening}"{node.text}"{look.closing}:::{node.look}'
            )
        lines += ["    end"] if group else []
    for edge in edges:
        if edge.source in nodes and edge.target in nodes:
            arrow = "-.->" if edge.is_dashed else "-->"
            text = label(shorten(edge.about, _ABOUT))
            lines.append(f'    {name(edge.source)} {arrow}|"{text}"| {name(edge.target)}')
    return "\n".join([MARK, *lines]) + "\n"


def name(entry_id: str) -> str:
    """Return the name of a node: no word of Mermaid's own can begin with that."""
    return "n_" + re.sub(r"\W", "_", entry_id)


def fits(text: str) -> bool:
    """Tell whether Mermaid takes a graph of this size."""
    edges = sum(_EDGE.search(line) is not None for line in text.splitlines())
    return len(text) < MOST_CHARACTERS and edges <= MOST_EDGES


def boxed(title: str, length: int = _TITLE) -> str:
    """Return a title in short lines, so that boxes stay narrow and letters large."""
    lines = [""]
    for word in shorten(title, length).split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) > _LINE and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = joined
    return "<br/>".join(map(label, lines))


def label(text: str) -> str:
    """Return `text` for a quoted label: whatever could mean something becomes an entity.

    >>> label('say "hi"')
    'say #34;hi#34;'

    Mermaid keeps entities apart with a ligature of its own while it reads, so that one is spelt.
    """
    return _SPECIAL.sub(_entity, one_line(text).replace("\N{LATIN SMALL LIGATURE FL}", "fl"))


def _entity(match: re.Match[str]) -> str:
    apart = _ZERO_WIDTH_SPACE if _JOINING.match(match[0]) else ""
    return f"#{ord(match[0])};{apart}"


def words(text: str) -> str:
    """Return `text` for a title or description, which know no entities."""
    return shorten(_NOT_WORDS.sub(" ", one_line(text)), _DESCRIPTION)
