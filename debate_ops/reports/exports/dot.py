"""A debate as a graph for Graphviz: its entries in rows by time, its links as edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    Relation.ATTACKS: "solid",
    Relation.SUPPORTS: "dashed",
    Relation.CONCEDES: "dotted",
    Relation.ANSWERS: "dashed",
    Relation.REVISES: "bold",
    Relation.BUILDS_ON: "dotted",
}
_ARROWS = {
    Relation.ATTACKS: "normal",
    Relation.SUPPORTS: "onormal",
    Relation.CONCEDES: "odot",
    Relation.ANSWERS: "vee",
    Relation.REVISES: "vee",
    Relation.BUILDS_ON: "vee",
}


def render(content: Content) -> str:
    """Return the graph in the DOT language.

    Raises:
        RefusedError: no entry on record is linked to another.
    """
    items, bonds = graph(content, "dot")
    lines = [
        f"digraph {quoted(content.debate.slug)} {{",
        f"    graph [{_attributes(_graph(content))}]",
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
    plain = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def _graph(content: Content) -> dict[str, str]:
    return {
        "label": _lines(content.framing.motion, 2 * _LINE),
        "labelloc": quoted("t"),
        "fontname": quoted("sans-serif"),
        "rankdir": quoted("BT"),  # an edge points up, at what was said before
        "newrank": quoted("true"),  # rows go through both clusters
    }


def _clusters(content: Content, items: Sequence[Item]) -> Iterator[str]:
    """Yield the nodes: those of each of two sides in a cluster of their own."""
    for side in content.sides:
        yield f"    subgraph {quoted(f'cluster_{side}')} {{"
        yield f"        graph [{_attributes(_cluster(content, side))}]"
        yield from (f"        {_node(content, i)}" for i in items if i.participant == side)
        yield "    }"
    yield from (f"    {_node(content, i)}" for i in items if i.participant not in content.sides)


def _cluster(content: Content, side: str) -> dict[str, str]:
    return {
        "label": _lines(content.participants.get(side, side), _LINE),
        "labelloc": quoted("b"),  # which stands above where edges point up
        "color": quoted(_colour(content, side)),
    }


def _colour(content: Content, participant: str) -> str:
    light = PALETTES["light"]
    if participant not in content.sides:
        return light.muted
    return light.sides[content.sides.index(participant)]


def _node(content: Content, item: Item) -> str:
    light = PALETTES["light"]
    is_side = item.participant in content.sides
    colour = _colour(content, item.participant)
    attributes = {
        "label": _label(item),
        "tooltip": quoted(one_line(item.title, _MOST)),
        "fillcolor": quoted(colour if is_side else light.ground),
        "color": quoted(colour),
        "fontcolor": quoted(ON_SIDE if is_side else light.text),
    }
    return f"{quoted(item.id)} [{_attributes(attributes)}]"


def _label(item: Item) -> str:
    """Return the id, the title in short lines, and the score of an argument."""
    lines = [quoted(item.id)[1:-1], _lines(item.title, _LINE)[1:-1]]
    if isinstance(item.value, Argument):
        lines.append(score(item.score))
    return '"' + "\\n".join(filter(None, lines)) + '"'


def _lines(text: str, length: int) -> str:
    """Return a text as a quoted label in lines of about that length, its end left out if long."""
    lines = [""]
    used = 0
    for word in one_line(text, _MOST).split():
        width = sum(map(columns, word))
        if lines[-1] and used + 1 + width > length:
            lines.append("")
            used = 0
        lines[-1] += f" {word}" if lines[-1] else word
        used += width + 1
    return '"' + "\\n".join(quoted(line)[1:-1] for line in lines) + '"'


def _ranks(items: Iterable[Item]) -> Iterator[str]:
    """Yield the rows: what came on record at one step; in the protocol `exchange`, an exchange."""
    for _, group in groupby(items, key=lambda item: item.entry.step):
        ids = " ".join(f"{quoted(item.id)};" for item in group)
        yield f'    {{ rank="same"; {ids} }}'


def _edge(bond: Bond, colour: str) -> str:
    attributes = {
        "label": _lines(bond.about or bond.relation.value, _LINE),
        "style": quoted(_STYLES[bond.relation]),
        "arrowhead": quoted(_ARROWS[bond.relation]),
        "color": quoted(colour),
        "tooltip": quoted(f"{bond.source} {bond.relation.value} {bond.target}"),
    }
    return f"    {quoted(bond.source)} -> {quoted(bond.target)} [{_attributes(attributes)}]"


def _attributes(given: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in given.items())
