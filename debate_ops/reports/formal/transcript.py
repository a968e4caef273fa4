"""How a formal debate is read: round by round, in the order of its course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution, Entry
from debate_ops.protocols.formal.rules import (
    BALLOT,
    FIRST_PAIR,
    JUDGE,
    KINDS,
    PAIRED,
    PREPARATION,
    SIDES,
    slots,
    to_do,
)
from debate_ops.protocols.schedule import COMPLETED, Slot
from debate_ops.reports.items import Item
from debate_ops.reports.outline import Number, Outline, mapping
from debate_ops.reports.text import capitalised

_NOTES = "the notes of both sides (preparation)"


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    by_id = {i: slot for slot in slots(debate.settings) for i in (slot.id, slot.absence_id)}

    def place(entry: Entry) -> str:
        return _round(by_id[entry.id]) if entry.id in by_id else entry.kind.capitalize()

    def read(item: Item) -> Item:
        return _read(item, by_id[item.id]) if item.id in by_id else item

    def private(entry: Entry) -> str:
        return _NOTES if entry.id in by_id and by_id[entry.id].kind == PREPARATION else ""

    return Outline(
        participants=names(debate.settings),
        place=place,
        stops_at=_stops_at(debate),
        sides=tuple(SIDES),
        read=read,
        numbers=_numbers,
        private=private,
        shows_private=debate.settings.get("show_preparation") != "no",
    )


def names(settings: Mapping[str, object]) -> dict[str, str]:
    """Return what readers call each participant."""
    return dict(SIDES) | ({JUDGE: "judge"} if settings["judge"] == "one" else {})


def _round(slot: Slot) -> str:
    pair = f", pair {slot.exchange - FIRST_PAIR + 1}" if slot.kind in PAIRED else ""
    return f"{KINDS[slot.kind].round.capitalize()}{pair}"


def _read(item: Item, slot: Slot) -> Item:
    """Return an entry under the name of its place; a single text needs no heading."""
    single = len(item.texts) == 1
    texts = tuple(("" if single else name, text) for name, text in item.texts)
    return item._replace(kind=slot.kind, title=capitalised(slot.label), texts=texts)


def _stops_at(debate: Debate) -> str:
    """Return where a debate that is not completed stops; empty for one that is."""
    if debate.state.phase == COMPLETED:
        return ""
    record = debate.record
    done = {*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)}
    first, *rest = to_do(done, debate.settings)
    due = "the preparation" if first.kind == PREPARATION else f"the {first.label}"
    are = "is" if len(rest) == 1 else "are"
    return f"it waits for {due}; {len(rest)} more {are} to come after that"


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield the speaker points of each side."""
    if value.kind == BALLOT:
        for side, points in mapping(value.data.get("speaker_points")).items():
            yield side, "speaker points", points
