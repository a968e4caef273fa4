"""What the page tells of a text of a formal debate: its pair, and what the ballot says of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from debate_ops.protocols.formal.rules import (
    ANSWER,
    QUESTION,
    SIDES,
    question_of,
)
from debate_ops.protocols.schedule import Slot
from debate_ops.reports.blocks import Line, Quote, Ref, line
from debate_ops.reports.formal import words
from debate_ops.reports.formal.numbers import Ballot, Numbers, Speech
from debate_ops.reports.record import Note
from debate_ops.reports.sentences import sentences
from debate_ops.reports.text import counted, shorten

NAMED, CUT = "named in the ballot", "cut"
ANSWERED, UNANSWERED, NOT_GIVEN = "answered", "unanswered", "not given"
"""Words to filter by."""

_ID = re.compile(r"(?<![a-z])[a-z]++_[0-9]{3,6}-[a-z]+")
_MOST_SENTENCES = 3
_REASON = 300


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return what is told of each text that readers are shown, by id; the ballot's too."""
    by_id = {
        (s.slot.absence_id if s.is_absent else s.slot.id): _of_speech(numbers, s)
        for s in numbers.speeches
    }
    if ballot := numbers.ballot:
        by_id[ballot.id] = _of_ballot(numbers, ballot)
    return by_id


def _of_speech(numbers: Numbers, speech: Speech) -> Note:
    side = list(SIDES).index(speech.slot.participant)
    if speech.is_absent:
        return Note(side, states=(NOT_GIVEN,))
    facts = tuple(_facts(numbers, speech))
    return Note(side, states=tuple(_states(numbers, speech)), facts=facts)


def _states(numbers: Numbers, speech: Speech) -> Iterator[str]:
    if speech.slot.kind == QUESTION:
        yield ANSWERED if answer_of(numbers, speech.slot) else UNANSWERED
    if speech.words > speech.kept:
        yield CUT
    if numbers.ballot and named_in(numbers.ballot.reasons, {speech.slot.id}):
        yield NAMED


def _facts(numbers: Numbers, speech: Speech) -> Iterator[tuple[str, tuple[Line, ...]]]:
    slot = speech.slot
    if slot.kind == QUESTION:
        answer = answer_of(numbers, slot)
        yield "Answer", (line(Ref(answer)) if answer else line("not on record"),)
    if slot.kind == ANSWER:
        yield "Question", (line(Ref(question_of(slot).id)),)
    if speech.words > speech.kept:
        length = counted(speech.words, "word")
        yield "Cut", (line(f"{speech.kept:,} words kept; it had {length}"),)
    if numbers.ballot:
        own = [s for s in sentences(numbers.ballot.reasons) if named_in(s, {slot.id})]
        if own:
            said = (line(Quote(shorten(s, _REASON))) for s in own[:_MOST_SENTENCES])
            yield "In the ballot", tuple(said)


def _of_ballot(numbers: Numbers, ballot: Ballot) -> Note:
    winner = numbers.names.get(ballot.winner, ballot.winner)
    low = " (with fewer speaker points)" if ballot.is_low_point else ""
    facts = (
        ("Winner", (line(f"{winner}{low}"),)),
        ("Speaker points", (line(words.points(numbers, ballot)),)),
    )
    return Note(facts=facts, states=(f"for the {winner}",))


def named_in(text: str, ids: Collection[str]) -> tuple[str, ...]:
    """Return which of these entries a text names, in the order in which it does so first."""
    return tuple(dict.fromkeys(i for i in _ID.findall(text) if i in ids))


def answer_of(numbers: Numbers, question: Slot) -> str:
    """Return the id of the answer to a question; empty while there is none."""
    answers = (s.slot for s in numbers.speeches if s.slot.kind == ANSWER and not s.is_absent)
    return next((slot.id for slot in answers if question_of(slot) == question), "")
