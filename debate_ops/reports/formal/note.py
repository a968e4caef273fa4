"""The decision note of a formal debate: five lines, from the ballot and the course on record."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from debate_ops.model.score import Millis
from debate_ops.protocols.formal.course import ANSWER, PAIRED, QUESTION, SIDES, Slot, question_of
from debate_ops.reports.formal import words
from debate_ops.reports.formal.numbers import Ballot, Numbers
from debate_ops.reports.markdown import linked, reference, references
from debate_ops.reports.parts import Line, Note
from debate_ops.reports.phrases import CHANGES, FEW, QUOTE, UNANSWERED, VERDICT, some
from debate_ops.reports.sentences import sentences
from debate_ops.reports.text import inline, shorten

_WHY = 200
_ID = re.compile(r"(?<![a-z])[a-z]++_[0-9]{3,6}-[a-z]+")
_CHANGED = "would have"
"""The ballot is asked what would have changed it; a sentence with these words says so."""


def note(numbers: Numbers) -> Note:
    """Return the decision note; it says where the record has nothing to tell."""
    return (
        Line(VERDICT, _verdict(numbers)),
        *(_of_side(numbers, side) for side in SIDES),
        Line(UNANSWERED, " ".join(_unanswered(numbers))),
        Line(CHANGES, _changes(numbers)),
    )


def _verdict(numbers: Numbers) -> str:
    link = f" ({reference(numbers.ballot.id)})" if numbers.ballot else ""
    why = inline(shorten(words.why(numbers), _WHY))
    return f"**{inline(words.result(numbers))}**{link}. {why}"


def own_ids(numbers: Numbers, side: str) -> tuple[str, ...]:
    """Return the texts of a side that readers are shown, in order."""
    shown = (p for p in numbers.transcript.passages if p.participant == side)
    return tuple(p.id for p in shown if not p.is_absence)


def named_in(text: str, ids: Collection[str]) -> tuple[str, ...]:
    """Return which of these entries a text names, in the order in which it does so first."""
    return tuple(dict.fromkeys(i for i in _ID.findall(text) if i in ids))


def of_ballot(ballot: Ballot, ids: Collection[str]) -> str:
    """Return the first clause of a ballot that begins with one of these ids; else that names one.

    Who begins a clause does something in it: as near as the record comes to a strong point.
    """
    clauses = [c.strip() for s in sentences(ballot.reasons) for c in s.split("; ")]
    begins = (c for c in clauses if (found := _ID.match(c)) and found[0] in ids)
    return next(begins, next((c for c in clauses if named_in(c, ids)), ""))


def _of_side(numbers: Numbers, side: str) -> Line:
    name = SIDES[side].capitalize()
    own = own_ids(numbers, side)
    if numbers.ballot is None:
        last = f" Its last word is {reference(own[-1])}." if own else " It has said nothing yet."
        return Line(name, f"Its strongest point is not on record: nobody has judged.{last}")
    label = f"{name}, by the ballot"
    named = named_in(numbers.ballot.reasons, own)
    if not named:
        return Line(label, "No text of it is named; its strongest point is not on record.")
    ids = [p.id for p in numbers.transcript.passages]
    said = linked(of_ballot(numbers.ballot, own), ids, QUOTE)
    how_many = "One of its texts is" if len(named) == 1 else f"{len(named)} of its texts are"
    return Line(label, f"{how_many} named: “{said}”")


def _unanswered(numbers: Numbers) -> Iterator[str]:
    asked = [s.slot for s in numbers.speeches if s.slot.kind == QUESTION and not s.is_absent]
    open_ = open_questions(numbers)
    if open_:
        more = len(open_) - FEW
        rest = f" and {more} more" if more > 0 else ""
        yield f"{references(open_[:FEW])}{rest}: no answer is on record."
    elif asked:
        told = "The one question has its answer." if len(asked) == 1 else ""
        yield told or f"All {len(asked)} questions have their answers."
    else:
        yield "No question has been asked."
    missing = [s.slot.label for s in numbers.speeches if s.is_absent and s.slot.kind not in PAIRED]
    if missing:
        yield f"Not given: {some(missing)}."
    yield "Which points nobody met is not on record as data."


def open_questions(numbers: Numbers) -> list[str]:
    """Return the questions on record that have no answer there, in order."""
    given = {s.slot: s for s in numbers.speeches if not s.is_absent}
    answered = {question_of(slot) for slot in given if slot.kind == ANSWER}
    return [slot.id for slot in given if slot.kind == QUESTION and slot not in answered]


def answer_of(numbers: Numbers, question: Slot) -> str:
    """Return the id of the answer to a question; empty while there is none."""
    answers = (s.slot for s in numbers.speeches if s.slot.kind == ANSWER and not s.is_absent)
    return next((slot.id for slot in answers if question_of(slot) == question), "")


def _changes(numbers: Numbers) -> str:
    ballot = numbers.ballot
    if ballot is None:
        if numbers.transcript.partial:
            return "Everything still can: the debate is not over."
        asked = "the judge gave none" if numbers.is_judged else "nobody was asked for one"
        return f"A ballot: {asked}."
    told = [s for s in sentences(ballot.reasons) if _CHANGED in s]
    apart = f"The speaker points are {words.number(_apart(ballot))} apart."
    if not told:
        return f"Another ballot could: this one does not say what would have changed it. {apart}"
    ids = [p.id for p in numbers.transcript.passages]
    return f"By the ballot: “{linked(told[-1], ids, QUOTE)}” {apart}"


def _apart(ballot: Ballot) -> Millis:
    points = ballot.points.values()
    return Millis(max(points, default=0) - min(points, default=0))
