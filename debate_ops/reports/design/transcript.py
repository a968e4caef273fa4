"""How a design debate is read: exchange by exchange, phase by phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
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
from debate_ops.reports.items import Item
from debate_ops.reports.made import whole
from debate_ops.reports.outline import Number, Outline, mapping
from debate_ops.reports.text import counted


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    roles = {item["name"]: item["role"] for item in debate.settings["participants"]}
    return Outline(
        participants=roles | {JUDGE: JUDGE},
        names={n: n if n == role else f"{n} ({role})" for n, role in roles.items()}
        | {JUDGE: JUDGE},
        place=_place,
        stops_at=_stops_at(debate),
        read=_read,
        numbers=_numbers,
    )


def _stops_at(debate: Debate) -> str:
    number, phase, _ = debate.state
    if phase in ENDS:
        return ""
    if phase == AWAITING_ANSWERS:
        return "it waits for a person's answers"
    place = design.place(number, phase)
    return f"it is in {place}" if number else f"it is {place}"


def _place(entry: Entry) -> str:
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


def _read(item: Item) -> Item:
    """Return an entry with what only its header says: of a critique how grave each point is."""
    if not isinstance(item.value, Contribution):
        return item
    levels = _levels(item.value)
    texts = (
        (f"{name} ({levels[name]})" if name in levels else name, text) for name, text in item.texts
    )
    return item._replace(texts=(*_facts(item.value), *texts))


def _levels(value: Contribution) -> Mapping[str, str]:
    points = value.data.get("points") if value.kind == CRITIQUE else None
    return {
        filing.point_heading(point.get("number", 0)): str(point.get("level"))
        for point in map(mapping, points if isinstance(points, list) else ())
    }


def _facts(value: Contribution) -> Iterator[tuple[str, str]]:
    data = value.data
    if value.kind == ASSESSMENT:
        yield "Confidence", f"{data.get('confidence')} of 100"
    elif value.kind == SUMMARY:
        before, after = (whole(data.get(key)) for key in ("before", "after"))
        yield "Size", f"{counted(before, 'character')} before, {after:,} after"
    elif value.kind == SYNTHESIS:
        yield "What stopped the debate", str(data.get("stopped_by", "")).replace("_", " ")


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield how sure the judge is, from 0 to 100; about the state of the whole design."""
    if value.kind in {ASSESSMENT, SYNTHESIS}:
        yield "", "confidence", value.data.get("confidence")
