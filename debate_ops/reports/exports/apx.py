"""The argument graph as APX facts, with the titles as comments."""

from __future__ import annotations

from debate_ops.formats import graph_file
from debate_ops.model.texts import one_line
from debate_ops.reports.items import Content
from debate_ops.reports.text import score
from debate_ops.semantics.of_debate import graph_of

_WEIGHTS = "weight: (score + 1) / 2; an argument that is not scored has none."


def render(content: Content, *, is_plain: bool = False) -> str:
    """Return arguments, attacks, supports and weights; nothing where there is no link.

    Plain, it has arguments and attacks alone, which every solver takes.
    """
    arguments = [item.argument for item in content.items if item.argument]
    scores = {item.id: item.score for item in content.items}
    graph = graph_of(arguments, scores)
    scored = {key: base for key, base in graph.base.items() if scores[key] is not None}
    graph = graph._replace(base=scored)
    if is_plain:
        graph = graph._replace(supports={}, base={})
    if not graph.attacks and not graph.supports:
        return ""
    comments = [
        one_line(content.framing.motion),
        *([] if is_plain else [_WEIGHTS]),
        *(f"{a.id} ({score(scores[a.id])}): {one_line(a.title)}" for a in arguments),
    ]
    return "".join(f"% {comment}\n" for comment in comments) + graph_file.render_apx(graph)
