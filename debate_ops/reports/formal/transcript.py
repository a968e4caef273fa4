"""A formal debate as a transcript: round by round, in the order of its course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, LEFT_OUT, Absence, Contribution, Entry
from debate_ops.protocols.formal import rules as formal
from debate_ops.protocols.formal.rules import (
    FIRST_PAIR,
    JUDGE,
    PAIRED,
    PREPARATION,
    SIDES,
    slots,
    to_do,
)
from debate_ops.protocols.formal.rules import KINDS as COURSE
from debate_ops.protocols.schedule import COMPLETED, Slot
from debate_ops.reports.text import capitalised
from debate_ops.reports.transcript.citations import Numbering, bibliography
from debate_ops.reports.transcript.from_record import at
from debate_ops.reports.transcript.values import Cut, Part, Passage, Transcript, held

_NOTES = "the notes of both sides (preparation)"


def transcript(debate: Debate, *, preparation: bool | None = None) -> Transcript:
    """Return the transcript; the debate's own setting says whether it shows the preparation.

    `preparation` goes before that setting.
    """
    if preparation is None:
        preparation = debate.settings.get("show_preparation") != "no"
    found = dict(_found(debate))
    shown = {s: e for s, e in found.items() if preparation or s.kind != PREPARATION}
    numbering = Numbering()
    parts = tuple(
        Part(title, tuple(_passage(slot, shown[slot], numbering) for slot in group))
        for title, group in groupby(shown, key=_title)
    )
    told = Transcript(
        debate=debate.slug,
        protocol=debate.protocol,
        motion=debate_file.framing(debate.body).motion,
        participants=tuple(names(debate.settings).items()),
        phase=debate.state.phase,
        partial=partial(debate),
        created=debate.created,
        rounds=held(slot.exchange for slot in shown),
        parts=parts,
        hidden=(_NOTES,) if len(shown) < len(found) else (),
    )
    return told._replace(sources=bibliography(told.passages))


def names(settings: Mapping[str, object]) -> dict[str, str]:
    """Return what readers call each participant."""
    return dict(SIDES) | ({JUDGE: "judge"} if settings["judge"] == "one" else {})


def partial(debate: Debate) -> str:
    """Return where a debate that is not completed stops; empty for one that is."""
    if debate.state.phase == COMPLETED:
        return ""
    record = debate.record
    done = {*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)}
    coming = list(to_do(done, debate.settings))
    due = "the preparation" if coming[0].kind == PREPARATION else f"the {coming[0].label}"
    rest = len(coming) - 1
    return f"it waits for {due}; {rest} more {'is' if rest == 1 else 'are'} to come after that"


def _found(debate: Debate) -> Iterator[tuple[Slot, Entry]]:
    """Yield every place that something is on record for, in order."""
    for slot in slots(debate.settings):
        entry = debate.record.get(slot.id) or debate.record.get(slot.absence_id)
        if entry is not None:
            yield slot, entry


def _title(slot: Slot) -> str:
    pair = f", pair {slot.exchange - FIRST_PAIR + 1}" if slot.kind in PAIRED else ""
    return f"{COURSE[slot.kind].round.capitalize()}{pair}"


def _passage(slot: Slot, entry: Entry, numbering: Numbering) -> Passage:
    value = entries.parse(entry)
    told = Passage(
        id=entry.id,
        heading=capitalised(slot.label),
        participant=slot.participant,
        kind=slot.kind,
        exchange=slot.exchange,
        at=at(entry),
        texts=(),
    )
    if isinstance(value, Absence):
        return told._replace(texts=(("", value.reason),), how=value.how, by=value.by)
    if not isinstance(value, Contribution):
        return told
    shown = {n: t for n, t in value.texts.items() if n not in {formal.SOURCES, LEFT_OUT}}
    single = len(shown) == 1
    return told._replace(
        texts=tuple(("" if single else name, text) for name, text in shown.items()),
        citations=numbering(value.data.get("citations")),
        cut=_cut(value),
    )


def _cut(value: Contribution) -> Cut | None:
    told = value.data.get("cut")
    if not isinstance(told, dict):
        return None
    return Cut(int(told["words"]), int(told["kept"]), value.texts.get(LEFT_OUT, ""))
