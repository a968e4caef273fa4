"""What the report of a formal debate says, computed from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.audit import audit
from debate_ops.errors import Finding
from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Absence, Contribution, Value
from debate_ops.model.score import Millis, to_millis
from debate_ops.protocols.formal import rules as formal
from debate_ops.protocols.formal.rules import (
    ANSWER,
    BALLOT,
    JUDGE,
    KINDS,
    PREPARATION,
    QUESTION,
    SIDES,
    slots,
)
from debate_ops.protocols.schedule import Slot
from debate_ops.reports.formal import transcript as transcripts
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import entries_of
from debate_ops.reports.transcript.values import Transcript


class Speech(NamedTuple):
    """How long a speech is: the words on record, and those before it was cut.

    `is_absent` tells that it was due and was not given.
    """

    slot: Slot
    kept: int
    words: int
    is_absent: bool = False


class Side(NamedTuple):
    """What a side has said: speeches are openings, rebuttals and closings."""

    name: str
    speeches: int
    questions: int
    answers: int
    words: int


class Ballot(NamedTuple):
    """What the judge decided: the winning side, speaker points in thousandths, the reasons."""

    id: str
    winner: str
    points: Mapping[str, Millis]
    reasons: str

    @property
    def is_low_point(self) -> bool:
        """Whether the winner has fewer speaker points."""
        own = self.points.get(self.winner, 0)
        return any(points > own for points in self.points.values())


class Numbers(NamedTuple):
    """All that the report says of a formal debate."""

    debate: Debate
    framing: Framing
    names: Mapping[str, str]
    transcript: Transcript
    speeches: tuple[Speech, ...]
    sides: tuple[Side, ...]
    ballot: Ballot | None
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def limit(self) -> int:
        """How many words a speech may have; 0 where there is no limit."""
        return int(self.debate.settings["word_limit"])

    @property
    def is_judged(self) -> bool:
        """Whether a judge is asked at the end."""
        return JUDGE in self.names


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    read = [(entry, entries.parse(entry)) for entry in entries_of(debate)]
    told = transcripts.transcript(debate)
    names = transcripts.names(debate.settings)
    by_id = {entry.id: value for entry, value in read}
    speeches = tuple(_speeches(debate, by_id))
    shown = {passage.id for passage in told.passages}
    return Numbers(
        debate=debate,
        framing=debate_file.framing(debate.body),
        names=names,
        transcript=told,
        speeches=tuple(s for s in speeches if s.slot.kind != PREPARATION or s.slot.id in shown),
        sides=tuple(_side(side, name, speeches) for side, name in SIDES.items()),
        ballot=_ballot(by_id),
        absences=tuple(value for _, value in read if isinstance(value, Absence)),
        made=made(names, [entry for entry, _ in read]),
        warnings=audit(formal.RULES, read, debate.settings).warnings,
    )


def _speeches(debate: Debate, by_id: Mapping[str, Value]) -> Iterator[Speech]:
    for slot in slots(debate.settings):
        value = by_id.get(slot.id)
        if slot.kind == BALLOT:
            continue
        if isinstance(value, Contribution):
            kept = int(value.data.get("words") or 0)
            cut = value.data.get("cut")
            yield Speech(slot, kept, int(cut["words"]) if isinstance(cut, dict) else kept)
        elif slot.absence_id in by_id:
            yield Speech(slot, 0, 0, is_absent=True)


def _side(side: str, name: str, speeches: Sequence[Speech]) -> Side:
    own = [s for s in speeches if s.slot.participant == side and not s.is_absent]
    public = [s for s in own if s.slot.kind != PREPARATION]
    kinds = [s.slot.kind for s in public]
    questions, answers = kinds.count(QUESTION), kinds.count(ANSWER)
    words = sum(s.kept for s in public)
    return Side(name, len(kinds) - questions - answers, questions, answers, words)


def _ballot(by_id: Mapping[str, Value]) -> Ballot | None:
    found = (v for v in by_id.values() if isinstance(v, Contribution) and v.kind == BALLOT)
    value = next(found, None)
    if value is None:
        return None
    points = {
        side: to_millis(number) or Millis(0)
        for side, number in (value.data.get("speaker_points") or {}).items()
    }
    reasons = value.texts.get(KINDS[BALLOT].heading, "")
    return Ballot(value.id, str(value.data.get("winner")), points, reasons)
