"""What the report of a debate of chairs is written from: every speech, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Absence, Contribution
from debate_ops.protocols.chairs import rules as chairs
from debate_ops.protocols.chairs import statistics
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
)
from debate_ops.protocols.chairs.settings import is_evaluated
from debate_ops.reports.cancelled import cancelled
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import by_exchange


class Speech(NamedTuple):
    """A speech, and what was said of it and into it; None where nothing was, or not yet."""

    value: Contribution
    evaluation: Contribution | None
    floor: Contribution | None
    interjection: Contribution | None
    interruption: Contribution | None
    reply: Contribution | None


class Numbers(NamedTuple):
    """All that the report of a debate of chairs is written from.

    `words` is how many words each participant said in public, by the counts on record.
    """

    content: Content
    names: Mapping[str, str]
    speeches: tuple[Speech, ...]
    words: Counter[str]
    statistics: statistics.Statistics
    closing: Contribution | None
    cancelled: str
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def debate(self) -> Debate:
        """The debate itself."""
        return self.content.debate

    @property
    def is_relaxed(self) -> bool:
        """Whether nobody is evaluated."""
        return not is_evaluated(self.debate.settings)

    @property
    def evaluator(self) -> Made | None:
        """How the evaluations were made, if there are any."""
        return next((m for m in self.made if m.participant == EVALUATOR and m.replies), None)

    def speeches_of(self, chair: str) -> list[Contribution]:
        """Return the speeches that a chair gave."""
        return [s.value for s in self.speeches if s.value.participant == chair]


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    content = content_of(debate)
    values = [item.value for item in content.items if isinstance(item.value, Contribution)]
    names = {
        name: name if what == name else f"{name} ({what})"
        for name, what in content.participants.items()
    }
    words: Counter[str] = Counter()
    for value in values:
        words[value.participant] += int(value.data.get("words") or 0)
    read = by_exchange((item.entry, item.value) for item in content.items)
    return Numbers(
        content=content,
        names=names,
        speeches=_speeches(values),
        words=words,
        statistics=statistics.of_record(debate.record, debate.settings),
        closing=next((value for value in values if value.kind == CLOSING), None),
        cancelled=cancelled(values),
        absences=tuple(item.absence for item in content.items if item.absence),
        made=made(names, [item.entry for item in content.items]),
        warnings=chairs.audit(read, debate.settings).warnings,
    )


def _speeches(values: Iterable[Contribution]) -> tuple[Speech, ...]:
    about = {(v.kind, str(v.data["speech"])): v for v in values if "speech" in v.data}
    kinds = (EVALUATION, FLOOR, INTERJECTION, INTERRUPTION, REPLY)
    return tuple(
        Speech(value, *(about.get((kind, value.id)) for kind in kinds))
        for value in values
        if value.kind == SPEECH
    )


def text_of(value: Contribution) -> str:
    """Return what was said, without its sources."""
    return value.texts.get(KINDS[value.kind].heading, "")
