"""Debates as tables: every entry in a row, or every number that a judgment gave."""

from __future__ import annotations

from debate_ops.formats import csv_text
from debate_ops.formats.csv_text import Cell
from debate_ops.model.score import Millis, to_number
from debate_ops.model.texts import plain
from debate_ops.reports.items import Content, Item, Mark, Relation

_LINKS = tuple(relation.value.replace(" ", "_") for relation in Relation)
ENTRY_COLUMNS = (
    *("id", "kind", "participant", "exchange", "step", "at", "title", "text", "score"),
    *(*_LINKS, "words"),
)
SCORE_COLUMNS = Mark._fields

_Cells = tuple[Cell, ...]


def entries(content: Content) -> str:
    """Return a row for every entry that speaks, and for every absence, as CSV."""
    speaking = (item for item in content.items if item.is_said or item.absence)
    return csv_text.render(ENTRY_COLUMNS, map(_entry, speaking))


def scores(content: Content) -> str:
    """Return a row for every number that a judgment gave, as CSV; nothing where there is none."""
    return csv_text.render(SCORE_COLUMNS, map(_mark, content.marks)) if content.marks else ""


def _entry(item: Item) -> _Cells:
    return (
        item.id,
        item.entry.kind,
        item.participant,
        item.entry.exchange,
        item.entry.step,
        item.at,
        plain(item.title),
        plain(_text(item)),
        _number(item.score),
        *(_targets(item, relation) for relation in Relation),
        sum(len(part.split()) for _, part in item.texts),
    )


def _text(item: Item) -> str:
    """Return the claim of an argument, and all texts of any other entry."""
    if item.argument:
        return item.argument.claim
    return "\n\n".join(f"{heading}: {text}" if heading else text for heading, text in item.texts)


def _targets(item: Item, relation: Relation) -> str:
    """Return what an entry is linked to, each with its type: `opp_001 (warrant); opp_002`."""
    bonds = (bond for bond in item.bonds if bond.relation is relation)
    return "; ".join(f"{b.target} ({b.about})" if b.about else b.target for b in bonds)


def _mark(mark: Mark) -> _Cells:
    return (*mark[:5], _number(mark.number), _number(mark.previous), plain(mark.reason))


def _number(millis: Millis | None) -> Cell:
    """Return a number; what is not on record is an empty cell, never a zero."""
    return "" if millis is None else to_number(millis)
