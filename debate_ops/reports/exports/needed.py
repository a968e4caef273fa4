"""What an export cannot do without: an entry in a graph, a link of the right kind."""

from __future__ import annotations

from debate_ops.errors import RefusedError
from debate_ops.reports.exports.values import Bond, Item, Relation, Told

_FOR_EVERY_DEBATE = "csv-arguments, jsonl, transcript or aif"


def graph(told: Told, name: str, *relations: Relation) -> tuple[tuple[Item, ...], tuple[Bond, ...]]:
    """Return the entries and links of a graph.

    Raises:
        RefusedError: nothing on record can stand in it.
    """
    items, bonds = told.graph(*relations)
    if not bonds:
        wanted = " or ".join(relation.value for relation in relations) or "is linked to"
        raise RefusedError(
            f"{told.debate.slug} has nothing for {name}: no entry on record {wanted} another",
            hint=f"What fits every debate is --to {_FOR_EVERY_DEBATE}.",
        )
    return items, bonds
