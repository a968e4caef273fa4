"""Graphs as Mermaid text that is valid whatever the texts of a debate say."""

from __future__ import annotations

import re
from typing import NamedTuple

from debate_ops.model.texts import one_line
from debate_ops.reports.text import shorten

MOST_EDGES = 450
MOST_CHARACTERS = 45_000
"""Mermaid refuses 500 edges and 50,000 characters, and a diagram cannot ask for more."""

MARK = "%% Drawn by debate-ops from the record; changes here are lost."

_LINE = 24
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


def fits(text: str) -> bool:
    """Tell whether Mermaid takes a graph of this size."""
    edges = sum(_EDGE.search(line) is not None for line in text.splitlines())
    return len(text) < MOST_CHARACTERS and edges <= MOST_EDGES


def boxed(title: str, length: int) -> str:
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
