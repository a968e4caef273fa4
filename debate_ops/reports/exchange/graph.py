"""The graph of attacks and defences as Mermaid text."""

from __future__ import annotations

from debate_ops.reports import mermaid
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.exchange.kind import SIDES
from debate_ops.reports.exchange.numbers import Numbers, component
from debate_ops.reports.exchange.words import result
from debate_ops.reports.mermaid import Edge, Graph, Look, Node, boxed
from debate_ops.reports.text import score

_SHAPES = (("[", "]"), ("([", "])"))


def draw(numbers: Numbers) -> Graph:
    """Return the graph; of a long debate as many of the newest arguments as Mermaid takes."""
    looks = {
        side: Look(*shape, colour, colour)
        for side, shape, colour in zip(SIDES, _SHAPES, PALETTES["light"].sides, strict=True)
    }
    nodes: list[Node] = []
    edges: list[Edge] = []
    for standing in numbers.standings:
        own = standing.argument
        text = f"{own.id}<br/>{boxed(own.title)}<br/>{score(standing.score)}"
        nodes.append(Node(own.id, text, own.side))
        for verb, links in (("attacks", own.attacks), ("defends", own.defends)):
            for link in links:
                about = component(link) or verb
                edges.append(Edge(own.id, link.target_id, about, verb == "defends"))
    exchanges = {s.argument.id: s.argument.exchange for s in numbers.standings}
    title = f"Argument graph. {numbers.framing.motion}"
    summary = f"{result(numbers)}. Solid arrows attack, dashed arrows defend, each pointing left."
    return mermaid.graph(
        (title, summary), looks, nodes, edges, order=lambda node: (-exchanges[node.id],)
    )
