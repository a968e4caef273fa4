"""A design debate as a transcript: exchange by exchange, phase by phase."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design import filing
from debate_ops.protocols.design import rules as design
from debate_ops.protocols.design.course import ENDS
from debate_ops.protocols.design.names import (
    ASSESSMENT,
    AWAITING_ANSWERS,
    AWAITING_JUDGE_SUMMARY,
    CLARIFICATION,
    CRITIQUE,
    JUDGE,
    PHASES,
    SUMMARY,
    SYNTHESIS,
)
from debate_ops.reports.made import whole
from debate_ops.reports.text import counted
from debate_ops.reports.transcript import from_record
from debate_ops.reports.transcript.values import Part, Passage, Transcript


def transcript(debate: Debate, *, preparation: bool | None = None) -> Transcript:  # noqa: ARG001
    """Return the transcript; there is no preparation that could be shown."""
    told = from_record.transcript(debate, names(debate.settings), _title, partial(debate))
    parts = tuple(
        Part(part.title, tuple(_passage(debate, passage) for passage in part.passages))
        for part in told.parts
    )
    return told._replace(parts=parts)


def names(settings: Settings) -> dict[str, str]:
    """Return what each participant is: its role."""
    return {item["name"]: item["role"] for item in settings["participants"]} | {JUDGE: JUDGE}


def partial(debate: Debate) -> str:
    """Return where a debate that is not over stops; empty for one that is."""
    number, phase, _ = debate.state
    if phase in ENDS:
        return ""
    if phase == AWAITING_ANSWERS:
        return "it waits for a person's answers"
    place = design.place(number, phase)
    return f"it is in {place}" if number else f"it is {place}"


def _title(entry: Entry) -> str:
    label = label_of(entry.id, entry.kind)
    return f"Exchange {entry.exchange}: {label}" if entry.exchange else label.capitalize()


def label_of(entry_id: str, kind: str) -> str:
    """Return the phase that an entry, or an absence, belongs to, in words."""
    if kind == CLARIFICATION:
        return "answers"
    if kind == SUMMARY and entry_id.startswith(f"{JUDGE}_"):
        return PHASES[AWAITING_JUDGE_SUMMARY].label
    if kind == "absence":
        number = order(entry_id)[-1] // 10
        return next((phase.label for phase in PHASES.values() if phase.number == number), kind)
    return next((phase.label for phase in PHASES.values() if phase.kind == kind), kind)


def _passage(debate: Debate, passage: Passage) -> Passage:
    entry = debate.record.get(passage.id)
    value = entries.parse(entry) if entry else None
    if not isinstance(value, Contribution):
        return passage
    levels = _levels(value)
    texts = [
        (f"{name} ({levels[name]})" if name in levels else name, text)
        for name, text in passage.texts
    ]
    return passage._replace(texts=(*_numbers(value), *texts))


def _levels(value: Contribution) -> dict[str, str]:
    """Return how grave each point of a critique is, by its heading."""
    given = value.data.get("points") if value.kind == CRITIQUE else None
    points = [p for p in given if isinstance(p, dict)] if isinstance(given, list) else []
    return {filing.point_heading(p.get("number", 0)): str(p.get("level")) for p in points}


def _numbers(value: Contribution) -> Iterator[tuple[str, str]]:
    """Yield what stands in the header of an entry alone, as a text."""
    data = value.data
    if value.kind == ASSESSMENT:
        yield "Confidence", f"{data.get('confidence')} of 100"
    elif value.kind == SUMMARY:
        before, after = (whole(data.get(key)) for key in ("before", "after"))
        yield "Size", f"{counted(before, 'character')} before, {after:,} after"
    elif value.kind == SYNTHESIS:
        yield "What stopped the debate", str(data.get("stopped_by", "")).replace("_", " ")
