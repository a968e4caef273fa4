"""The argument graph as APX facts, with the titles as comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from debate_ops.errors import RefusedError
from debate_ops.formats import graph_file
from debate_ops.model.entries import Argument
from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.texts import one_line
from debate_ops.reports.exports.values import Item, Told
from debate_ops.reports.text import score
from debate_ops.semantics.of_debate import graph_of

_WEIGHTS = "% weight: (score + 1) / 2; an argument that is not scored has none."


def render(told: Told) -> str:
    """Return arguments, attacks, supports and weights.

    Raises:
        RefusedError: the debate is of a protocol without arguments of two sides, or no attack and
            no support is on record.
    """
    return _text(told, supports_and_weights=True)


def render_plain(told: Told) -> str:
    """Return arguments and attacks alone, which every solver of this format takes.

    Raises:
        RefusedError: the debate is of a protocol without arguments of two sides, or no attack is
            on record.
    """
    return _text(told, supports_and_weights=False)


def _text(told: Told, *, supports_and_weights: bool) -> str:
    items = [item for item in told.items if isinstance(item.value, Argument)]
    if not items:
        raise RefusedError(
            f"{told.debate.slug} has no arguments on record that attack each other",
            hint="Debates of the protocol exchange have them; what fits every debate is "
            "--to csv-arguments, jsonl, transcript or aif.",
        )
    arguments = [item.value for item in items if isinstance(item.value, Argument)]
    scores = {item.id: item.score for item in items}
    graph = graph_of(arguments, scores)
    _refuse_unlinked(told, graph, supports_and_weights)
    scored = {key: base for key, base in graph.base.items() if scores[key] is not None}
    facts = graph_file.render_apx(
        graph._replace(base=scored), supports_and_weights=supports_and_weights
    )
    return "".join(f"{line}\n" for line in _comments(told, items, supports_and_weights)) + facts


def _refuse_unlinked(told: Told, graph: ArgumentGraph, with_supports: bool) -> None:  # noqa: FBT001
    if graph.attacks or (with_supports and graph.supports):
        return
    name, also = ("apx", ", and no support") if with_supports else ("apx-plain", "")
    raise RefusedError(
        f"{told.debate.slug} has nothing for {name}: no attack on record{also}",
        hint="What fits every debate is --to csv-arguments, jsonl, transcript or aif.",
    )


def _comments(told: Told, items: Sequence[Item], with_weights: bool) -> Iterator[str]:  # noqa: FBT001
    yield f"% {one_line(told.framing.motion)}"
    if with_weights:
        yield _WEIGHTS
    for item in items:
        yield f"% {item.id} ({score(item.score)}): {one_line(item.title)}"
