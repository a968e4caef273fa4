"""How a debate of chairs is read: every speech, and what was said of it and into it."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.errors import BadRecordError
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
from debate_ops.reports.chairs.speeches import of_evaluation, of_floor, of_interruption
from debate_ops.reports.items import Item
from debate_ops.reports.outline import Number, Outline, mapping

_REACTIONS = frozenset({EVALUATION, FLOOR})
"""What is said of a speech: numbers first, then the notes."""


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    participants = _participants(debate.settings)
    return Outline(
        participants=participants,
        names={i: i if what == i else f"{i} ({what})" for i, what in participants.items()},
        place=_place,
        stops_at=_stops_at(debate),
        read=lambda item: _read(item, debate.settings),
        numbers=_numbers,
    )


def _participants(settings: Settings) -> dict[str, str]:
    """Return what each participant is: of a chair its framework."""
    return {
        **{c["name"]: frameworks.of(c["framework"]).name for c in settings["participants"]},
        **{name: name for name in chairs.participants(settings) if name in OFFICES},
    }


def _stops_at(debate: Debate) -> str:
    """Return where a debate that is not over stops; empty for one that is."""
    number, phase, _ = debate.state
    if phase in ENDS:
        return ""
    place = chairs.place(number, phase)
    is_between = number == 0 or phase == AWAITING_CLOSING
    return f"it waits for the {place}" if is_between else f"it is in {place}"


def _place(entry: Entry) -> str:
    """Return the part of the debate that an entry belongs to."""
    kind = kind_of(entry.id) if entry.is_absence else entry.kind
    if kind == OPENING:
        return "Openings"
    if entry.exchange and kind not in {CLOSING, CANCELLATION}:
        return f"Exchange {entry.exchange}"
    return kind.capitalize()


def kind_of(absence: str) -> str:
    """Return the kind of entry in whose place an absence stands."""
    number = order(absence)[-1] // 10
    return next((kind for kind, row in KINDS.items() if row.number == number), ABSENCE)


def _read(item: Item, settings: Settings) -> Item:
    """Return an entry with what only its header says, as a text."""
    value = item.value
    if not isinstance(value, Contribution):
        return item
    is_speech = value.kind in KINDS and value.kind not in _REACTIONS
    own = KINDS[value.kind].heading if is_speech else ""
    texts = (("" if name == own else name, text) for name, text in item.texts)
    said = (text for text in texts if text[0] != LINKS["attacks"])
    return item._replace(texts=(*_facts(value, settings), *said))


def _facts(value: Contribution, settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield what stands in the header of an entry alone.

    Raises:
        BadRecordError: an evaluation was edited so that its numbers cannot be told.
    """
    if value.kind == EVALUATION:
        _refuse_edited(value, settings)
        yield "Adherence", of_evaluation(value)
    elif value.kind == FLOOR:
        yield "Floor", of_floor(value)
    elif value.kind == INTERRUPTION:
        yield "Cuts in", f"{value.data.get('speech')}: {of_interruption(value)}"
    elif answers := value.data.get("answers"):
        yield "Answers", str(answers)


def _refuse_edited(value: Contribution, settings: Settings) -> None:
    problems = [*evaluations.problems(value.data, settings)]
    if problems:
        raise BadRecordError(
            f"{value.folder}/{value.id}.md: {'; '.join(problems)}",
            hint="Bring back the file as it was written; entries are never changed.",
        )


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield how far a speech keeps to its framework: the points of each part, then their sum."""
    if value.kind == EVALUATION:
        speech = str(value.data.get("speech") or "")
        for part, judged in mapping(value.data.get("parts")).items():
            yield speech, part, mapping(judged).get("points")
        yield speech, "adherence", value.data.get("adherence")
