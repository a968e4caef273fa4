"""A formal debate for its readers: the ballot, how sure that is, and every round: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.score import ONE, Millis, to_number
from debate_ops.protocols.formal.rules import (
    ANSWER,
    BALLOT,
    CLOSING,
    FIRST_PAIR,
    JUDGE,
    KINDS,
    OPENING,
    OTHER,
    PAIRED,
    PREPARATION,
    QUESTION,
    REBUTTAL,
    slots,
)
from debate_ops.protocols.formal.settings import SIDES
from debate_ops.protocols.schedule import Slot
from debate_ops.reports.blocks import Section
from debate_ops.reports.charts import Row, Rows
from debate_ops.reports.content import content_of, mapping
from debate_ops.reports.decided import Decided
from debate_ops.reports.items import Item
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.view import View

ANSWER_RULE = (
    "Two sides held speeches. The answer is what the ballot says, or, where there is "
    "none, that nobody judged. Give the issues: those that the ballot names, and what tipped it."
)

CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_MOST = 30
"""Speaker points that a side can get."""
_CLOSE = 500
"""In thousandths: half of one of thirty speaker points."""
_NOTES = "the notes of both sides (preparation)"
_SPEECHES = (OPENING, REBUTTAL, CLOSING)

Points = Mapping[str, Millis]
"""The speaker points of each side, in thousandths."""


def read(debate: Debate) -> Decided:
    """Return a debate with its ballot."""
    content = content_of(debate)
    return Decided(content, CHOICES, next(iter(content.of(BALLOT)), None))


def view(debate: Decided) -> View:
    """Return what readers are shown of a formal debate."""
    points, sides = _points(debate), len([i for side in SIDES for i in debate.said(side)])
    decision = CHOICES.get(debate.winner, "for no side")
    answer = debate.answer("formal debate, two sides", sides, decision, f"{_in_words(debate)}.")
    cases = debate.cases(CLOSING, lambda side: f"The case {CHOICES[side]}, from its closing")
    return View(
        content=debate.content,
        choices=CHOICES,
        favoured=debate.winner,
        sureness=debate.sureness(_doubts(debate.winner, points)),
        shares={},
        data=dict(_data(debate, points)),
        answer=answer._replace(
            picture=_picture(points) if debate.value else None, cases=tuple(cases)
        ),
    )


def sections(debate: Decided) -> Iterator[Section]:
    """Yield how well each side spoke; the speeches and the ballot are all the rest."""
    if debate.value:
        yield Section("points", "Speaker points", (_picture(_points(debate)),))


def outcome(debate: Decided) -> Section | None:
    """Return the judge's ballot, as it stands on record; nothing while there is none."""
    winner = debate.content.names.get(debate.winner, debate.winner)
    return debate.section("Ballot", f"The {winner} wins.", f"{_in_words(debate)}.")


def _points(debate: Decided) -> Points:
    ballot = debate.value.id if debate.value else ""
    return {m.about: m.number for m in debate.content.marks if m.judgment == ballot}


def _apart(points: Points) -> Millis:
    """Return how many speaker points are between the sides."""
    return Millis(max(points.values(), default=0) - min(points.values(), default=0))


def _in_words(debate: Decided) -> str:
    names = debate.content.names
    each = (f"{names.get(side, side)} {to_number(n)}" for side, n in _points(debate).items())
    return f"Speaker points: {', '.join(each)}"


def _doubts(winner: str, points: Points) -> Iterator[Reason]:
    if points.get(winner, 0) < max(points.values(), default=0):
        yield Reason("The side that won has fewer speaker points", Level.LOW)
    elif not _apart(points):
        yield Reason("Both sides have the same speaker points", Level.LOW)
    elif _apart(points) <= _CLOSE:
        yield Reason(f"Only {to_number(_apart(points))} of 30 speaker points apart", Level.LOW)


def _picture(points: Points) -> Rows:
    return Rows(
        "points",
        "How well each side spoke",
        tuple(
            Row(CHOICES.get(side, side).capitalize(), (own / ONE,), str(to_number(own)), tone=tone)
            for tone, (side, own) in enumerate(points.items(), 1)
        ),
        unit=f"speaker points of {_MOST}; the ballot alone decides who wins",
        most=_MOST,
    )


def _data(debate: Decided, points: Points) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield from debate.counts(_SPEECHES, (*_SPEECHES, QUESTION, ANSWER))
    for side in SIDES:
        yield f"count:questions:{side}", str(len(debate.said(side, QUESTION)))
    if debate.value:
        for side, number in points.items():
            yield f"points:{side}", str(to_number(number))
        yield "points:apart", str(to_number(_apart(points)))


def notes(debate: Decided) -> Mapping[str, Note]:
    """Return the notes on each text that readers are shown, by id; the ballot's too."""

    def states(item: Item) -> Iterator[str]:
        if item.kind == QUESTION:
            answer = Slot(item.entry.exchange, OTHER[item.participant], ANSWER).id
            yield "answered" if answer in debate.content.ids else "unanswered"

    winner = debate.content.names.get(debate.winner, debate.winner)
    ballot = {debate.value.id: Note(states=(f"for the {winner}",))} if debate.value else {}
    return debate.notes(states) | ballot


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    by_id = {i: slot for slot in slots(debate.settings) for i in (slot.id, slot.absence_id)}

    def place(entry: Entry) -> str:
        return _round(by_id[entry.id]) if entry.id in by_id else entry.kind.capitalize()

    def private(entry: Entry) -> str:
        return _NOTES if entry.id in by_id and by_id[entry.id].kind == PREPARATION else ""

    judge = {JUDGE: "judge"} if debate.settings["judge"] == "one" else {}
    return Outline(
        participants={**SIDES, **judge},
        place=place,
        sides=tuple(SIDES),
        numbers=_numbers,
        private=private,
        shows_private=debate.settings.get("show_preparation") != "no",
    )


def _round(slot: Slot) -> str:
    pair = f", pair {slot.exchange - FIRST_PAIR + 1}" if slot.kind in PAIRED else ""
    return f"{KINDS[slot.kind].round.capitalize()}{pair}"


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield the speaker points of each side."""
    if value.kind == BALLOT:
        for side, points in mapping(value.data.get("speaker_points")).items():
            yield side, "speaker points", points
