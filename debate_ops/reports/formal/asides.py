"""What the page tells of a text of a formal debate: its length, its pair, what the ballot says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.formal.course import ANSWER, QUESTION, SIDES, question_of
from debate_ops.reports.formal import words
from debate_ops.reports.formal.note import answer_of, named_in
from debate_ops.reports.formal.numbers import Ballot, Numbers, Speech
from debate_ops.reports.markdown import linked, reference
from debate_ops.reports.parts import Aside
from debate_ops.reports.phrases import REASON
from debate_ops.reports.sentences import sentences
from debate_ops.reports.text import counted, inline

NAMED, CUT = "named in the ballot", "cut"
ANSWERED, UNANSWERED, NOT_GIVEN = "answered", "unanswered", "not given"
"""Words to filter by."""

_MOST_SENTENCES = 3


def asides(numbers: Numbers) -> Mapping[str, Aside]:
    """Return what is told of each text that readers are shown, by id; the ballot's too."""
    told = {
        (s.slot.absence_id if s.is_absent else s.slot.id): _of_speech(numbers, s)
        for s in numbers.speeches
    }
    if ballot := numbers.ballot:
        told[ballot.id] = _of_ballot(numbers, ballot)
    return told


def _of_speech(numbers: Numbers, speech: Speech) -> Aside:
    side = list(SIDES).index(speech.slot.participant)
    if speech.is_absent:
        return Aside(side, states=(NOT_GIVEN,))
    return Aside(side, states=tuple(_states(numbers, speech)), facts=tuple(_facts(numbers, speech)))


def _states(numbers: Numbers, speech: Speech) -> Iterator[str]:
    if speech.slot.kind == QUESTION:
        yield ANSWERED if answer_of(numbers, speech.slot) else UNANSWERED
    if speech.words > speech.kept:
        yield CUT
    if numbers.ballot and named_in(numbers.ballot.reasons, {speech.slot.id}):
        yield NAMED


def _facts(numbers: Numbers, speech: Speech) -> Iterator[tuple[str, str]]:
    slot = speech.slot
    if slot.kind == QUESTION:
        answer = answer_of(numbers, slot)
        yield "Answer", reference(answer) if answer else "not on record"
    if slot.kind == ANSWER:
        yield "Question", reference(question_of(slot).id)
    yield "Words", _length(numbers, speech)
    if numbers.ballot:
        ids = [p.id for p in numbers.transcript.passages]
        own = [s for s in sentences(numbers.ballot.reasons) if named_in(s, {slot.id})]
        for sentence in own[:_MOST_SENTENCES]:
            yield "In the ballot", f"“{linked(sentence, ids, REASON)}”"


def _length(numbers: Numbers, speech: Speech) -> str:
    limit = f" of {numbers.limit:,}" if numbers.limit else ""
    told = f"{speech.kept:,}{limit}"
    if speech.words == speech.kept:
        return told
    return f"{told}, cut at the word limit: it had {counted(speech.words, 'word')}"


def _of_ballot(numbers: Numbers, ballot: Ballot) -> Aside:
    winner = numbers.names.get(ballot.winner, ballot.winner)
    low = " (with fewer speaker points)" if ballot.is_low_point else ""
    facts = (
        ("Winner", inline(f"{winner}{low}")),
        ("Speaker points", inline(words.points(numbers, ballot))),
        ("Judge", inline(words.judge(numbers))),
    )
    return Aside(facts=facts, states=(f"for the {winner}",))
