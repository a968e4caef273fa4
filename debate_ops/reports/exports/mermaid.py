"""A debate as Mermaid: its argument graph, and where that is too large, a diagram an exchange."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

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


class _Diagram(NamedTuple):
    """What one diagram shows: entries, those of earlier exchanges that they are linked to, links.

    `name` says which entries these are.
    """

    name: str
    items: tuple[Item, ...]
    earlier: tuple[Item, ...]
    bonds: tuple[Bond, ...]


def render(content: Content) -> str:
    """Return one diagram, or a Markdown page of several where Mermaid would refuse a single one.

    On such a page each diagram is a fenced block under a heading, as viewers of Markdown and
    Mermaid's own command-line program take it.

    Raises:
        RefusedError: no entry on record is linked to another.
    """
    items, bonds = graph(content, "mermaid")
    if len(bonds) <= mermaid.MOST_EDGES:
        whole = _of_report(content) or _text(content, _Diagram("All entries", items, (), bonds))
        if mermaid.fits(whole):
            return whole
    diagrams = [part for group in _by_exchange(items, bonds) for part in _fitting(content, group)]
    return "\n\n".join(_page(content, diagrams)) + "\n"


def _of_report(content: Content) -> str:
    """Return the graph of the debate's page, where it has one that shows everything."""
    report = report_of(content.debate.protocol)
    if not report.HAS_GRAPH:
        return ""
    drawn = report.graph(report.read(content.debate))
    return drawn.text if drawn.shown == drawn.of else ""


def _by_exchange(items: Sequence[Item], bonds: Sequence[Bond]) -> Iterator[_Diagram]:
    """Yield a diagram for each exchange, with all that its entries are linked to."""
    by_id = {item.id: item for item in items}
    made: dict[str, list[Bond]] = {}
    for bond in bonds:
        made.setdefault(bond.source, []).append(bond)
    for exchange, group in groupby(items, key=lambda item: item.entry.exchange):
        own = tuple(group)
        yield _diagram(
            f"Exchange {exchange}", own, by_id, [b for i in own for b in made.get(i.id, ())]
        )


def _diagram(
    name: str, own: tuple[Item, ...], by_id: Mapping[str, Item], bonds: Sequence[Bond]
) -> _Diagram:
    ids = {item.id for item in own}
    targets = dict.fromkeys(bond.target for bond in bonds if bond.target not in ids)
    return _Diagram(name, own, tuple(map(by_id.__getitem__, targets)), tuple(bonds))


def _fitting(content: Content, diagram: _Diagram) -> Iterator[_Diagram]:
    """Yield a diagram, or as many parts of it as Mermaid needs."""
    if len(diagram.items) <= 1 or mermaid.fits(_text(content, diagram)):
        yield diagram
        return
    by_id = {item.id: item for item in (*diagram.items, *diagram.earlier)}
    middle = len(diagram.items) // 2
    for half in (diagram.items[:middle], diagram.items[middle:]):
        ids = {item.id for item in half}
        made = [bond for bond in diagram.bonds if bond.source in ids]
        yield from _fitting(content, _diagram(diagram.name, half, by_id, made))


def _page(content: Content, diagrams: Sequence[_Diagram]) -> Iterator[str]:
    yield f"# {inline(shorten(content.framing.motion, _HEADING))}"
    for number, diagram in enumerate(diagrams, 1):
        yield f"## Diagram {number} of {len(diagrams)}: {diagram.name}"
        yield f"```mermaid\n{_text(content, diagram)}```"


# ---------------------------------------------------------------- one diagram


def _text(content: Content, diagram: _Diagram) -> str:
    light = PALETTES["light"]
    title = f"{diagram.name}. {content.framing.motion}"
    lines = [
        "flowchart RL",  # an arrow points left, at what was said before
        f"    accTitle: {mermaid.words(title)}",
        f"    accDescr: {mermaid.words(_description(diagram))}",
        *(
            f"    classDef side{place} fill:{colour},stroke:{colour},color:{ON_SIDE}"
            for place, colour in enumerate(light.sides)
        ),
        f"    classDef other fill:{light.ground},stroke:{light.muted},color:{light.text}",
        *(_node(content, item) for item in (*diagram.items, *diagram.earlier)),
        *map(_edge, diagram.bonds),
    ]
    return "\n".join([MARK, *lines]) + "\n"


def _description(diagram: _Diagram) -> str:
    return (
        f"{counted(len(diagram.items), 'entry', 'entries')}, each arrow pointing left at an "
        "earlier one. Dashed arrows support, concede or answer."
    )


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
