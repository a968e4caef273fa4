"""The course of a formal debate: every place for an entry, in order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from debate_ops.model.ids import EntryId
from debate_ops.model.turn import Turn
from debate_ops.protocols.base import Settings

AFF, NEG, JUDGE = "aff", "neg", "judge"
SIDES: Mapping[str, str] = {AFF: "affirmative", NEG: "negative"}
OTHER: Mapping[str, str] = {AFF: NEG, NEG: AFF}

PREPARATION, OPENING, REBUTTAL = "preparation", "opening", "rebuttal"
QUESTION, ANSWER, CLOSING, BALLOT = "question", "answer", "closing", "ballot"
COMPLETED = "completed"


class Kind(NamedTuple):
    """A kind of entry: the phase that waits for it, its round, its text's heading, its schema."""

    phase: str
    round: str
    heading: str
    schema: str


KINDS: Mapping[str, Kind] = {
    PREPARATION: Kind("awaiting_preparation", "preparation", "Notes", "formal-preparation"),
    OPENING: Kind("awaiting_openings", "openings", "Statement", "formal-statement"),
    REBUTTAL: Kind("awaiting_rebuttals", "rebuttals", "Statement", "formal-statement"),
    QUESTION: Kind("awaiting_questions", "cross-examination", "Question", "formal-question"),
    ANSWER: Kind("awaiting_answers", "cross-examination", "Answer", "formal-statement"),
    CLOSING: Kind("awaiting_closings", "closings", "Statement", "formal-statement"),
    BALLOT: Kind("awaiting_ballot", "ballot", "Reasons", "formal-ballot"),
}
KIND_OF_PHASE: Mapping[str, str] = {kind.phase: name for name, kind in KINDS.items()}
PAIRED = (QUESTION, ANSWER)
FIRST_PAIR = 3


class Slot(NamedTuple):
    """A place in the course of a debate for one entry, or for an absence."""

    exchange: int
    participant: str
    kind: str

    @property
    def id(self) -> str:
        """The id of the entry."""
        return str(EntryId(self.participant, self.exchange, kind=self.kind))

    @property
    def absence_id(self) -> str:
        """The id of the absence: a side has two places in a pair of the cross-examination."""
        number = PAIRED.index(self.kind) + 1 if self.kind in PAIRED else 0
        return str(EntryId(self.participant, self.exchange, kind="absence", number=number))

    @property
    def label(self) -> str:
        """What readers call it: its round and its side."""
        if self.kind == BALLOT:
            return "ballot"
        pair = f", pair {self.exchange - FIRST_PAIR + 1}" if self.kind in PAIRED else ""
        return f"{self.kind} of the {SIDES[self.participant]}{pair}"


def slot_of(turn: Turn, participant: str) -> Slot:
    """Return the place that a participant fills in a turn."""
    return Slot(turn.exchange, participant, KIND_OF_PHASE[turn.phase])


def slots(settings: Settings) -> tuple[Slot, ...]:
    """Return the whole course of a debate, in order."""
    return tuple(_slots(settings))


def _slots(settings: Settings) -> Iterator[Slot]:
    for exchange, kind in enumerate((PREPARATION, OPENING, REBUTTAL)):
        yield from (Slot(exchange, side, kind) for side in SIDES)
    closing = FIRST_PAIR + int(settings["cross_exam_questions"])
    for exchange in range(FIRST_PAIR, closing):
        for side, other in OTHER.items():
            yield Slot(exchange, side, QUESTION)
            yield Slot(exchange, other, ANSWER)
    yield from (Slot(closing, side, CLOSING) for side in SIDES)
    if settings["judge"] == "one":
        yield Slot(closing + 1, JUDGE, BALLOT)


def question_of(answer: Slot) -> Slot:
    """Return the place of the question that an answer answers."""
    return Slot(answer.exchange, OTHER[answer.participant], QUESTION)


def to_do(done: Collection[str], settings: Settings) -> Iterator[Slot]:
    """Yield what is still to come, in order, where `done` are the ids on record.

    A question that was not asked has no answer.
    """
    for slot in _slots(settings):
        if slot.id in done or slot.absence_id in done:
            continue
        if slot.kind != ANSWER or question_of(slot).absence_id not in done:
            yield slot
