"""A debate as a graph for Graphviz, in the DOT language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from debate_ops.model.texts import one_line
from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.items import Bond, Content, Item, Relation
from debate_ops.reports.text import broken, score

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
    """Return the graph in the DOT language, in rows by time; nothing where nothing is linked."""
    items, bonds = content.graph()
    lines = [
        f"digraph {quoted(content.debate.slug)} {{",
        f"    graph [label={_label(content.framing.motion, length=2 * _LINE)} {_GRAPH}]",
        '    node [shape="box" style="rounded,filled" fontname="sans-serif" fontsize="11"]',
        '    edge [fontname="sans-serif" fontsize="9"]',
        *_clusters(content, items),
        *_ranks(items),
        *(_edge(content, bond) for bond in bonds),
        "}\n",
    ]
    return "\n".join(lines) if bonds else ""


def quoted(*lines: str) -> str:
    r"""Return lines as a quoted string that is shown as it is: no escape, no entity, no markup.

    >>> quoted('a "b" & \\N', "c")
    '"a \\"b\\" &amp; \\\\N\\nc"'
    """
    escaped = (
        line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines
    )
    return '"' + "\\n".join(escaped) + '"'


def _label(*texts: str, length: int = _LINE) -> str:
    """Return texts as a quoted label in lines of about that length, their ends left out if long."""
    lines = (line for text in texts for line in broken(one_line(text, _MOST), length))
    return quoted(*filter(None, lines))


def _clusters(content: Content, items: Sequence[Item]) -> Iterator[str]:
    """Yield the nodes: those of each of two sides in a cluster of their own."""
    for side in content.sides:
        label = _label(content.participants.get(side, side))
        yield f"    subgraph {quoted(f'cluster_{side}')} {{"
        # The bottom stands above where edges point up.
        yield f'        graph [label={label} labelloc="b" color={_colour(content, side)}]'
        yield from (f"        {_node(content, i)}" for i in items if i.participant == side)
        yield "    }"
    yield from (f"    {_node(content, i)}" for i in items if i.participant not in content.sides)


def _colour(content: Content, participant: str) -> str:
    colours = dict(zip(content.sides, PALETTES["light"].sides, strict=False))
    return quoted(colours.get(participant, PALETTES["light"].muted))


def _node(content: Content, item: Item) -> str:
    """Return an entry: its id, its title in short lines, and the score of an argument."""
    light = PALETTES["light"]
    is_side = item.participant in content.sides
    colour = _colour(content, item.participant)
    scored = [score(item.score)] if item.argument else []
    return (
        f"{quoted(item.id)} [label={_label(item.id, item.title, *scored)} "
        f"tooltip={quoted(one_line(item.title, _MOST))} "
        f"fillcolor={colour if is_side else quoted(light.ground)} color={colour} "
        f"fontcolor={quoted(ON_SIDE if is_side else light.text)}]"
    )


def _ranks(items: Sequence[Item]) -> Iterator[str]:
    """Yield the rows: what came on record at one step; in the protocol `exchange`, an exchange."""
    for _, group in groupby(items, key=lambda item: item.entry.step):
        ids = " ".join(f"{quoted(item.id)};" for item in group)
        yield f'    {{ rank="same"; {ids} }}'


def _edge(content: Content, bond: Bond) -> str:
    style, head = _STYLES[bond.relation]
    verb = bond.relation.value
    return (
        f"    {quoted(bond.source)} -> {quoted(bond.target)} [label={_label(bond.about or verb)} "
        f'style="{style}" arrowhead="{head}" '
        f"color={_colour(content, bond.source.partition('_')[0])} "
        f"tooltip={quoted(f'{bond.source} {verb} {bond.target}')}]"
    )
