"""The argument graph as APX facts, with the titles as comments."""

from __future__ import annotations

from debate_ops.formats import graph_file
from debate_ops.model.entries import Argument
from debate_ops.model.texts import one_line
from debate_ops.reports.exports.needed import nothing_for
from debate_ops.reports.items import Content
from debate_ops.reports.text import score
from debate_ops.semantics.of_debate import graph_of

_WEIGHTS = "% weight: (score + 1) / 2; an argument that is not scored has none."


def render(content: Content) -> str:
    """Return arguments, attacks, supports and weights.

    Raises:
        RefusedError: there is no attack or support of arguments of two sides on record.
    """
    return _text(content, supports_and_weights=True)


def render_plain(content: Content) -> str:
    """Return arguments and attacks alone, which every solver of this format takes.

    Raises:
        RefusedError: there is no attack of arguments of two sides on record.
    """
    return _text(content, supports_and_weights=False)


def _text(content: Content, *, supports_and_weights: bool) -> str:
    arguments = [item.value for item in content.items if isinstance(item.value, Argument)]
    scores = {item.id: item.score for item in content.items}
    graph = graph_of(arguments, scores)
    if not graph.attacks and not (supports_and_weights and graph.supports):
        name, also = ("apx", ", and no support") if supports_and_weights else ("apx-plain", "")
        raise nothing_for(
            content, name, f"no attack on record{also} between arguments of two sides"
        )
    scored = {key: base for key, base in graph.base.items() if scores[key] is not None}
    comments = [
        one_line(content.framing.motion),
        *(f"{a.id} ({score(scores[a.id])}): {one_line(a.title)}" for a in arguments),
    ]
    lines = [f"% {comment}\n" for comment in comments]
    if supports_and_weights:
        lines.insert(1, f"{_WEIGHTS}\n")
    facts = graph_file.render_apx(
        graph._replace(base=scored), supports_and_weights=supports_and_weights
    )
    return "".join(lines) + facts
