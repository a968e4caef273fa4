"""A debate as a graph for Graphviz: its entries in rows by time, its links as edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from debate_ops.model.entries import Argument
from debate_ops.model.texts import one_line
from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.exports.needed import graph
from debate_ops.reports.items import Bond, Content, Item, Relation
from debate_ops.reports.text import columns, score

_LINE = 30
_MOST = 3_000
"""Characters of a text at most: Graphviz refuses a quoted string of more than 16,384 bytes."""
_STYLES = {
    Relation.ATTACKS: ("solid", "normal"),
    Relation.SUPPORTS: ("dashed", "onormal"),
    Relation.CONCEDES: ("dotted", "odot"),
    Relation.ANSWERS: ("dashed", "vee"),
    Relation.REVISES: ("bold", "vee"),
    Relation.BUILDS_ON: ("dotted", "vee"),
}
"""The line and the head of an arrow."""
_GRAPH = 'labelloc="t" fontname="sans-serif" rankdir="BT" newrank="true"'
"""An edge points up, at what was said before, and rows go through both clusters."""


def render(content: Content) -> str:
    """Return the graph in the DOT language.

    Raises:
        RefusedError: no entry on record is linked to another.
    """
    items, bonds = graph(content, "dot")
    lines = [
        f"digraph {quoted(content.debate.slug)} {{",
        f"    graph [label={_lines(content.framing.motion, 2 * _LINE)} {_GRAPH}]",
        '    node [shape="box" style="rounded,filled" fontname="sans-serif" fontsize="11"]',
        '    edge [fontname="sans-serif" fontsize="9"]',
        *_clusters(content, items),
        *_ranks(items),
        *(_edge(bond, _colour(content, bond.source.partition("_")[0])) for bond in bonds),
        "}",
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    r"""Return `text` as a quoted string that is shown as it is: no escape, no entity, no markup.

    >>> quoted('a "b" & \\N')
    '"a \\"b\\" &amp; \\\\N"'
    """
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def _clusters(content: Content, items: Sequence[Item]) -> Iterator[str]:
    """Yield the nodes: those of each of two sides in a cluster of their own."""
    for side in content.sides:
        label = _lines(content.participants.get(side, side), _LINE)
        yield f"    subgraph {quoted(f'cluster_{side}')} {{"
        # The bottom stands above where edges point up.
        yield f'        graph [label={label} labelloc="b" color={_colour(content, side)}]'
        yield from (f"        {_node(content, i)}" for i in items if i.participant == side)
        yield "    }"
    yield from (f"    {_node(content, i)}" for i in items if i.participant not in content.sides)


def _colour(content: Content, participant: str) -> str:
    light = PALETTES["light"]
    if participant not in content.sides:
        return quoted(light.muted)
    return quoted(light.sides[content.sides.index(participant)])


def _node(content: Content, item: Item) -> str:
    """Return an entry: its id, its title in short lines, and the score of an argument."""
    light = PALETTES["light"]
    is_side = item.participant in content.sides
    colour = _colour(content, item.participant)
    scored = [score(item.score)] if isinstance(item.value, Argument) else []
    label = "\\n".join(filter(None, [_escaped(item.id), *_broken(item.title, _LINE), *scored]))
    return (
        f'{quoted(item.id)} [label="{label}" tooltip={quoted(one_line(item.title, _MOST))} '
        f"fillcolor={colour if is_side else quoted(light.ground)} color={colour} "
        f"fontcolor={quoted(ON_SIDE if is_side else light.text)}]"
    )


def _lines(text: str, length: int) -> str:
    """Return a text as a quoted label in lines of about that length, its end left out if long."""
    return '"' + "\\n".join(_broken(text, length)) + '"'


def _broken(text: str, length: int) -> list[str]:
    lines = [""]
    used = 0
    for word in one_line(text, _MOST).split():
        width = sum(map(columns, word))
        if lines[-1] and used + 1 + width > length:
            lines.append("")
            used = 0
        lines[-1] += f" {word}" if lines[-1] else word
        used += width + 1
    return list(map(_escaped, lines))


def _ranks(items: Sequence[Item]) -> Iterator[str]:
    """Yield the rows: what came on record at one step; in the protocol `exchange`, an exchange."""
    for _, group in groupby(items, key=lambda item: item.entry.step):
        ids = " ".join(f"{quoted(item.id)};" for item in group)
        yield f'    {{ rank="same"; {ids} }}'


def _edge(bond: Bond, colour: str) -> str:
    style, head = _STYLES[bond.relation]
    verb = bond.relation.value
    return (
        f"    {quoted(bond.source)} -> {quoted(bond.target)} "
        f"[label={_lines(bond.about or verb, _LINE)} "
        f'style="{style}" arrowhead="{head}" color={colour} '
        f"tooltip={quoted(f'{bond.source} {verb} {bond.target}')}]"
    )
