"""Debates as tables: every entry in a row, or every number that a judgment gave."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.errors import RefusedError
from debate_ops.formats import csv_text
from debate_ops.formats.csv_text import Cell
from debate_ops.model.entries import Absence, Argument
from debate_ops.model.score import Millis, to_number
from debate_ops.model.texts import plain
from debate_ops.reports.items import Content, Item, Mark, Relation

ENTRY_COLUMNS = (
    "id",
    "kind",
    "participant",
    "exchange",
    "step",
    "at",
    "title",
    "text",
    "score",
    "attacks",
    "supports",
    "concedes",
    "answers",
    "revises",
    "builds_on",
    "words",
)
SCORE_COLUMNS = (
    "exchange",
    "judgment",
    "judge",
    "about",
    "kind",
    "number",
    "previous",
    "reason",
)

MISSING = ""
"""What is not on record is an empty cell, never a zero."""

_Cells = tuple[Cell, ...]


def entries(content: Content) -> str:
    """Return a row for every entry that speaks, and for every absence, as CSV."""
    return csv_text.render(ENTRY_COLUMNS, map(_entry, filter(_speaks, content.items)))


def scores(content: Content) -> str:
    """Return a row for every number that a judgment gave, as CSV.

    Raises:
        RefusedError: there is none on record.
    """
    if not content.marks:
        raise RefusedError(
            f"{content.debate.slug} has no scores on record",
            hint="Export its entries with --to csv-arguments instead.",
        )
    return csv_text.render(SCORE_COLUMNS, map(_mark, content.marks))


def _speaks(item: Item) -> bool:
    return item.is_said or isinstance(item.value, Absence)


def _entry(item: Item) -> _Cells:
    return (
        item.id,
        item.entry.kind,
        item.participant,
        item.entry.exchange,
        item.entry.step,
        str(item.entry.header.get("at") or MISSING),
        plain(item.title),
        plain(_text(item)),
        _number(item.score),
        *(_targets(item, relation) for relation in Relation),
        sum(len(part.split()) for _, part in item.texts),
    )


def _text(item: Item) -> str:
    """Return the claim of an argument, and all texts of any other entry."""
    if isinstance(item.value, Argument):
        return item.value.claim
    return "\n\n".join(f"{heading}: {text}" if heading else text for heading, text in item.texts)


def _targets(item: Item, relation: Relation) -> str:
    """Return what an entry is linked to, each with its type: `opp_001 (warrant); opp_002`."""
    return "; ".join(_told(item, relation))


def _told(item: Item, relation: Relation) -> Iterator[str]:
    for bond in item.bonds:
        if bond.relation is relation:
            yield f"{bond.target} ({bond.about})" if bond.about else bond.target


def _mark(mark: Mark) -> _Cells:
    return (
        mark.exchange,
        mark.judgment,
        mark.judge,
        mark.about,
        mark.kind,
        _number(mark.number),
        _number(mark.previous),
        plain(mark.reason),
    )


def _number(millis: Millis | None) -> Cell:
    return MISSING if millis is None else to_number(millis)
