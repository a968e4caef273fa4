"""A debate of chairs as a transcript: every speech, and what was said of it and into it."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.errors import BadRecordError
from debate_ops.formats import entries
from debate_ops.formats.contribution import LINKS
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import evaluations, frameworks
from debate_ops.protocols.chairs import rules as chairs
from debate_ops.protocols.chairs.course import ENDS
from debate_ops.protocols.chairs.names import (
    ABSENCE,
    AWAITING_CLOSING,
    CLOSING,
    EVALUATION,
    FLOOR,
    INTERRUPTION,
    KINDS,
    OFFICES,
    OPENING,
)
from debate_ops.reports.chairs import reactions
from debate_ops.reports.transcript import from_record
from debate_ops.reports.transcript.citations import Numbering, bibliography
from debate_ops.reports.transcript.values import Part, Passage, Transcript

REACTIONS = frozenset({EVALUATION, FLOOR})
"""What is said of a speech: numbers first, then the notes."""
ANSWERS, CUTS_IN = "Answers", "Cuts in"
"""What stands above a text that is an answer, and above an interruption."""

_OPENINGS = "Openings"


def transcript(debate: Debate, *, preparation: bool | None = None) -> Transcript:  # noqa: ARG001
    """Return the transcript; there is no preparation that could be shown."""
    told = from_record.transcript(debate, names(debate.settings), _title, partial(debate))
    numbering = Numbering()
    parts = tuple(
        Part(part.title, tuple(_passage(debate, p, numbering) for p in part.passages))
        for part in told.parts
    )
    told = told._replace(parts=parts)
    return told._replace(sources=bibliography(told.passages))


def names(settings: Settings) -> dict[str, str]:
    """Return what each participant is: of a chair its framework."""
    given = settings["participants"]
    return {
        **{item["name"]: frameworks.of(item["framework"]).name for item in given},
        **{name: name for name in chairs.participants(settings) if name in OFFICES},
    }


def partial(debate: Debate) -> str:
    """Return where a debate that is not over stops; empty for one that is."""
    number, phase, _ = debate.state
    if phase in ENDS:
        return ""
    place = chairs.place(number, phase)
    is_between = number == 0 or phase == AWAITING_CLOSING
    return f"it waits for the {place}" if is_between else f"it is in {place}"


def _title(entry: Entry) -> str:
    """Return the part of the debate that an entry belongs to."""
    kind = kind_of(entry.id) if entry.is_absence else entry.kind
    if kind == OPENING:
        return _OPENINGS
    if kind in {CLOSING, CANCELLATION}:
        return kind.capitalize()
    return f"Exchange {entry.exchange}" if entry.exchange else kind.capitalize()


def kind_of(absence: str) -> str:
    """Return the kind of entry in whose place an absence stands."""
    number = order(absence)[-1] // 10
    return next((kind for kind, row in KINDS.items() if row.number == number), ABSENCE)


def _passage(debate: Debate, passage: Passage, numbering: Numbering) -> Passage:
    entry = debate.record.get(passage.id)
    value = entries.parse(entry) if entry else None
    if not isinstance(value, Contribution):
        return passage
    cited = numbering(value.data.get("citations"))
    told_elsewhere = {LINKS["attacks"], chairs.SOURCES if cited else ""}
    has_one = value.kind in KINDS and value.kind not in REACTIONS
    own = KINDS[value.kind].heading if has_one else ""
    texts = [("" if n == own else n, t) for n, t in passage.texts if n not in told_elsewhere]
    numbers = _numbers(value, debate.settings)
    return passage._replace(texts=(*numbers, *texts), citations=cited)


def _numbers(value: Contribution, settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield what stands in the header of an entry alone, as a text.

    Raises:
        BadRecordError: an evaluation was edited so that its numbers cannot be told.
    """
    if value.kind == EVALUATION:
        _refuse_edited(value, settings)
        yield "Adherence", reactions.of_evaluation(reactions.evaluation(value))
    elif value.kind == FLOOR:
        yield "Floor", reactions.of_floor(reactions.floor(value))
    elif value.kind == INTERRUPTION:
        yield CUTS_IN, f"{value.data.get('speech')}: {reactions.of_cut_in(reactions.cut_in(value))}"
    elif answered := value.data.get("answers"):
        yield ANSWERS, str(answered)


def _refuse_edited(value: Contribution, settings: Settings) -> None:
    problems = [*evaluations.problems(value.data, settings)]
    if problems:
        raise BadRecordError(
            f"{value.folder}/{value.id}.md: {'; '.join(problems)}",
            hint="Bring back the file as it was written; entries are never changed.",
        )
