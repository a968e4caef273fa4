"""A debate of any protocol as the values that exports are written from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.formats import contribution, debate_file, entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Argument, Contribution, Entry, Value
from debate_ops.model.score import Millis
from debate_ops.protocols.formal.rules import PREPARATION
from debate_ops.protocols.formal.rules import SIDES as FORMAL_SIDES
from debate_ops.reports.exchange.kind import KIND
from debate_ops.reports.exports.marks import RESCORE, SCORE, marks_of
from debate_ops.reports.exports.values import Bond, Item, Relation, Told
from debate_ops.reports.reading import in_order
from debate_ops.reports.table import report_of
from debate_ops.reports.transcript.from_record import passage
from debate_ops.semantics.flow import CONCESSION

_SIDES = {"exchange": tuple(KIND.sides), "formal": tuple(FORMAL_SIDES)}

_ONE_ANSWERED = ("answers", "question")
_MANY_BUILT_ON = ("builds_on",)
_ONE_REVISED = ("revises", "refines")


def told(debate: Debate, *, preparation: bool | None = None) -> Told:
    """Return what is exported of a debate whose record has been verified.

    `preparation` says whether the notes that sides made for themselves are shown; None leaves it
    to the debate's own setting.
    """
    transcript = report_of(debate.protocol).transcript_of(debate, preparation=preparation)
    passages = {item.id for item in transcript.passages}
    shown = [e for e in in_order(debate) if e.kind != PREPARATION or e.id in passages]
    parsed = [(entry, entries.parse(entry)) for entry in shown]
    marks = tuple(m for entry, value in parsed for m in marks_of(debate.protocol, entry, value))
    scores = {mark.about: mark.number for mark in marks if mark.kind in {SCORE, RESCORE}}
    return Told(
        debate,
        debate_file.framing(debate.body),
        transcript,
        dict(transcript.participants),
        _SIDES.get(debate.protocol, ()),
        tuple(_item(entry, value, scores) for entry, value in parsed),
        marks,
    )


def _item(entry: Entry, value: Value, scores: Mapping[str, Millis]) -> Item:
    told_of = passage(entry)
    return Item(
        entry,
        value,
        told_of.heading,
        told_of.texts,
        tuple(_bonds(value)),
        scores.get(entry.id),
    )


# ---------------------------------------------------------------- links


def _bonds(value: Value) -> Iterator[Bond]:
    if isinstance(value, Argument):
        for link in value.attacks:
            yield Bond(value.id, link.target_id, Relation.ATTACKS, link.type, link.content)
        for link in value.defends:
            yield Bond(value.id, link.target_id, _of_defence(link.type), link.type, link.content)
    elif isinstance(value, Contribution):
        yield from _of_contribution(value)


def _of_defence(kind: str) -> Relation:
    return Relation.CONCEDES if kind == CONCESSION else Relation.SUPPORTS


def _of_contribution(value: Contribution) -> Iterator[Bond]:
    data = value.data
    for target, kind in contribution.links(data, "attacks"):
        yield Bond(value.id, target, Relation.ATTACKS, kind)
    for target, kind in contribution.links(data, "defends"):
        yield Bond(value.id, target, Relation.SUPPORTS, kind)
    for key in _ONE_ANSWERED:
        if isinstance(data.get(key), str):
            yield Bond(value.id, str(data[key]), Relation.ANSWERS)
    for target, points in _answered_points(data.get("answers")).items():
        yield Bond(value.id, target, Relation.ANSWERS, content="; ".join(points))
    for key in _ONE_REVISED:
        if isinstance(data.get(key), str):
            yield Bond(value.id, str(data[key]), Relation.REVISES)
    for key in _MANY_BUILT_ON:
        yield from (Bond(value.id, str(id_), Relation.BUILDS_ON) for id_ in data.get(key) or ())


def _answered_points(given: Any) -> dict[str, list[str]]:
    """Return by critique how each of its points was answered, where a refinement says so."""
    found: dict[str, list[str]] = {}
    for answer in given if isinstance(given, list) else ():
        if isinstance(answer, dict):
            said = f"point {answer.get('point')} {answer.get('verdict')}"
            found.setdefault(str(answer.get("critique")), []).append(said)
    return found
