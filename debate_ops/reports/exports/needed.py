"""What an export cannot do without: an entry in a graph, a link of the right kind."""

from __future__ import annotations

from debate_ops.errors import RefusedError
from debate_ops.reports.items import Bond, Content, Item, Relation

_FOR_EVERY_DEBATE = "csv-arguments, jsonl, transcript or aif"


def graph(
    content: Content, name: str, *relations: Relation
) -> tuple[tuple[Item, ...], tuple[Bond, ...]]:
    """Return the entries and links of a graph.

    Raises:
        RefusedError: nothing on record can stand in it.
    """
    items, bonds = content.graph(*relations)
    if not bonds:
        verbs = " or ".join(relation.value for relation in relations) or "is linked to"
        raise nothing_for(content, name, f"no entry on record {verbs} another")
    return items, bonds


def nothing_for(content: Content, name: str, why: str) -> RefusedError:
    """Return that a debate has nothing for a format, with those that fit every debate."""
    return RefusedError(
        f"{content.debate.slug} has nothing for {name}: {why}",
        hint=f"What fits every debate is --to {_FOR_EVERY_DEBATE}.",
    )
