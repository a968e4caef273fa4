"""What the report of a debate of chairs says, computed from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.audit import audit
from debate_ops.errors import Finding
from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Absence, Contribution, Value
from debate_ops.model.ids import entry_id
from debate_ops.protocols.chairs import frameworks, phrases, statistics
from debate_ops.protocols.chairs import rules as chairs
from debate_ops.protocols.chairs.course import ENDS
from debate_ops.protocols.chairs.names import (
    CLOSING,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    INTERJECTION,
    INTERRUPTION,
    KINDS,
    REPLY,
    SPEECH,
    absence_id,
)
from debate_ops.protocols.chairs.settings import has_interruptions, is_evaluated
from debate_ops.reports.cancelled import cancelled
from debate_ops.reports.chairs import reactions
from debate_ops.reports.chairs import transcript as transcripts
from debate_ops.reports.chairs.reactions import CutIn, Evaluation, Floor
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import in_order
from debate_ops.reports.transcript.values import Transcript


class Chair(NamedTuple):
    """A chair: its framework and what that asks, and what the user gave it besides."""

    name: str
    framework: str
    question: str
    persona: str
    position: str
    must_acknowledge: str


class Speech(NamedTuple):
    """A speech, and what came of it; nothing where nothing did, or has not yet.

    `is_absent` tells that it was due and was not given.
    """

    id: str
    chair: str
    exchange: int
    words: int = 0
    text: str = ""
    is_absent: bool = False
    evaluation: Evaluation | None = None
    floor: Floor | None = None
    interjection: str = ""
    interruption: CutIn | None = None
    reply: str = ""


class Phrases(NamedTuple):
    """In how many of its speeches a chair has phrases of a steel-man, and of self-critique."""

    name: str
    speeches: int
    steel_man: int
    self_critique: int


class Closing(NamedTuple):
    """The arbiter's closing."""

    id: str
    text: str


class Numbers(NamedTuple):
    """All that the report says of a debate of chairs."""

    debate: Debate
    framing: Framing
    chairs: tuple[Chair, ...]
    names: Mapping[str, str]
    transcript: Transcript
    speeches: tuple[Speech, ...]
    words: Mapping[str, int]
    statistics: statistics.Statistics
    closing: Closing | None
    cancelled: str
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def is_relaxed(self) -> bool:
        """Whether nobody is evaluated."""
        return not is_evaluated(self.debate.settings)

    @property
    def has_interruptions(self) -> bool:
        """Whether chairs may cut in."""
        return has_interruptions(self.debate.settings)

    @property
    def is_over(self) -> bool:
        """Whether nothing is awaited any more."""
        return self.debate.state.phase in ENDS

    @property
    def cut_ins(self) -> tuple[tuple[Speech, CutIn], ...]:
        """Every interruption with the speech that it cut into."""
        return tuple((s, s.interruption) for s in self.speeches if s.interruption)

    @property
    def evaluator(self) -> Made | None:
        """How the evaluations were made, if there are any."""
        return next((m for m in self.made if m.participant == EVALUATOR and m.replies), None)


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    read = [(entry, entries.parse(entry)) for entry in in_order(debate)]
    by_id = {entry.id: value for entry, value in read}
    names = _names(debate)
    values = [v for v in by_id.values() if isinstance(v, Contribution)]
    return Numbers(
        debate=debate,
        framing=debate_file.framing(debate.body),
        chairs=tuple(map(_chair, debate.settings["participants"])),
        names=names,
        transcript=transcripts.transcript(debate),
        speeches=tuple(_speeches(debate, by_id)),
        words=_words(values),
        statistics=statistics.of_record(debate.record, debate.settings),
        closing=next((Closing(v.id, _said(v)) for v in values if v.kind == CLOSING), None),
        cancelled=cancelled(values),
        absences=tuple(v for v in by_id.values() if isinstance(v, Absence)),
        made=made(names, [entry for entry, _ in read]),
        warnings=audit(chairs, read, debate.settings).warnings,
    )


def _names(debate: Debate) -> dict[str, str]:
    """Return what readers call each participant: its name, of a chair also its framework."""
    told = transcripts.names(debate.settings)
    return {name: name if what == name else f"{name} ({what})" for name, what in told.items()}


def _chair(given: Mapping[str, Any]) -> Chair:
    own = frameworks.of(given["framework"])
    return Chair(
        given["name"],
        own.name,
        own.question,
        given["persona"],
        given["position"],
        given["must_acknowledge"],
    )


def _said(value: Contribution) -> str:
    return value.texts.get(KINDS[value.kind].heading, "")


def _words(values: Sequence[Contribution]) -> dict[str, int]:
    """Return how many words each participant said in public, by the counts on record."""
    told: dict[str, int] = {}
    for value in values:
        if number := int(value.data.get("words") or 0):
            told[value.participant] = told.get(value.participant, 0) + number
    return told


def _speeches(debate: Debate, by_id: Mapping[str, Value]) -> Iterator[Speech]:
    """Yield every speech that was given or skipped, in order."""
    about: dict[tuple[str, str], Contribution] = {
        (value.kind, str(value.data["speech"])): value
        for value in by_id.values()
        if isinstance(value, Contribution) and "speech" in value.data
    }
    names = [item["name"] for item in debate.settings["participants"]]
    for number in range(1, debate.state.exchange + 1):
        for name in names:
            own = entry_id(name, number, SPEECH)
            value = by_id.get(own)
            absent = absence_id(name, number, SPEECH) in by_id
            if isinstance(value, Contribution):
                yield _speech(value, about)
            elif absent:
                yield Speech(own, name, number, is_absent=True)


def _speech(value: Contribution, about: Mapping[tuple[str, str], Contribution]) -> Speech:
    evaluation = about.get((EVALUATION, value.id))
    floor = about.get((FLOOR, value.id))
    cut_in = about.get((INTERRUPTION, value.id))
    interjection, reply = (about.get((kind, value.id)) for kind in (INTERJECTION, REPLY))
    return Speech(
        id=value.id,
        chair=value.participant,
        exchange=value.exchange,
        words=int(value.data.get("words") or 0),
        text=_said(value),
        evaluation=reactions.evaluation(evaluation) if evaluation else None,
        floor=reactions.floor(floor) if floor else None,
        interjection=interjection.id if interjection else "",
        interruption=reactions.cut_in(cut_in) if cut_in else None,
        reply=reply.id if reply else "",
    )


def phrases_of(numbers: Numbers) -> tuple[Phrases, ...]:
    """Return in how many speeches of each chair the protocol's phrases are found."""
    return tuple(_phrases(numbers, chair.name) for chair in numbers.chairs)


def _phrases(numbers: Numbers, name: str) -> Phrases:
    own = [s.text for s in numbers.speeches if s.chair == name and not s.is_absent]
    return Phrases(
        name,
        len(own),
        sum(map(phrases.has_steel_man, own)),
        sum(map(phrases.has_self_critique, own)),
    )
