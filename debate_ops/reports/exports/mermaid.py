"""A debate as Mermaid: its argument graph, and where that is too large, a diagram an exchange."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from debate_ops.model.entries import Argument
from debate_ops.reports import mermaid
from debate_ops.reports.colours import ON_SIDE, PALETTES
from debate_ops.reports.exports.needed import graph
from debate_ops.reports.items import Bond, Content, Item, Relation
from debate_ops.reports.mermaid import MARK, boxed, label
from debate_ops.reports.table import report_of
from debate_ops.reports.text import counted, inline, score, shorten

_TITLE = 90
_ABOUT = 40
_HEADING = 200
_DASHED = frozenset({Relation.SUPPORTS, Relation.CONCEDES, Relation.ANSWERS})


def render(content: Content) -> str:
    """Return one diagram, or a Markdown page of several where Mermaid would refuse a single one.

    On such a page each diagram is a fenced block under a heading, as viewers of Markdown and
    Mermaid's own command-line program take it.

    Raises:
        RefusedError: no entry on record is linked to another.
    """
    items, bonds = graph(content, "mermaid")
    if len(bonds) <= mermaid.MOST_EDGES:
        whole = _of_report(content) or _diagram(content, "All entries", items)
        if mermaid.fits(whole):
            return whole
    diagrams = [
        (f"Exchange {exchange}", diagram)
        for exchange, group in groupby(items, key=lambda item: item.entry.exchange)
        for diagram in _fitting(content, f"Exchange {exchange}", tuple(group))
    ]
    blocks = [f"# {inline(shorten(content.framing.motion, _HEADING))}"]
    for number, (name, diagram) in enumerate(diagrams, 1):
        blocks.append(f"## Diagram {number} of {len(diagrams)}: {name}")
        blocks.append(f"```mermaid\n{diagram}```")
    return "\n\n".join(blocks) + "\n"


def _of_report(content: Content) -> str:
    """Return the graph of the debate's page, where it has one that shows everything."""
    report = report_of(content.debate.protocol)
    if not report.HAS_GRAPH:
        return ""
    drawn = report.graph(report.read(content.debate))
    return drawn.text if drawn.shown == drawn.of else ""


def _fitting(content: Content, name: str, items: Sequence[Item]) -> Iterator[str]:
    """Yield a diagram of entries, or as many parts of it as Mermaid needs."""
    diagram = _diagram(content, name, items)
    if len(items) <= 1 or mermaid.fits(diagram):
        yield diagram
        return
    middle = len(items) // 2
    for half in (items[:middle], items[middle:]):
        yield from _fitting(content, name, half)


def _diagram(content: Content, name: str, items: Sequence[Item]) -> str:
    """Return entries, those of earlier exchanges that they are linked to, and these links."""
    by_id = {item.id: item for item in content.items}
    bonds = [bond for item in items for bond in item.bonds if bond.target in by_id]
    ids = dict.fromkeys([*(item.id for item in items), *(bond.target for bond in bonds)])
    light = PALETTES["light"]
    description = (
        f"{counted(len(items), 'entry', 'entries')}, each arrow pointing left at an earlier one. "
        "Dashed arrows support, concede or answer."
    )
    lines = [
        MARK,
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {mermaid.words(f'{name}. {content.framing.motion}')}",
        f"    accDescr: {mermaid.words(description)}",
        *(
            f"    classDef side{place} fill:{colour},stroke:{colour},color:{ON_SIDE}"
            for place, colour in enumerate(light.sides)
        ),
        f"    classDef other fill:{light.ground},stroke:{light.muted},color:{light.text}",
        *(_node(content, by_id[id_]) for id_ in ids),
        *map(_edge, bonds),
    ]
    return "\n".join(lines) + "\n"


def _name(entry_id: str) -> str:
    """Return the name of a node: no word of Mermaid's own can begin with that."""
    return f"n_{entry_id.replace('-', '_')}"


def _node(content: Content, item: Item) -> str:
    parts = [label(item.id), boxed(item.title, _TITLE)]
    if isinstance(item.value, Argument):
        parts.append(score(item.score))
    is_side = item.participant in content.sides
    kind = f"side{content.sides.index(item.participant)}" if is_side else "other"
    return f'    {_name(item.id)}["{"<br/>".join(parts)}"]:::{kind}'


def _edge(bond: Bond) -> str:
    arrow = "-.->" if bond.relation in _DASHED else "-->"
    text = label(shorten(bond.about or bond.relation.value, _ABOUT))
    return f'    {_name(bond.source)} {arrow}|"{text}"| {_name(bond.target)}'
