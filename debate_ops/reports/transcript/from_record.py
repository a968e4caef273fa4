"""Any debate as a transcript, in the order in which its entries came on record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from debate_ops.formats import debate_file, entries
from debate_ops.formats.contribution import LINKS, headline, links
from debate_ops.model.debate import Debate
from debate_ops.model.entries import (
    Absence,
    Argument,
    Contribution,
    Entry,
    Judgment,
    Value,
)
from debate_ops.model.score import signed
from debate_ops.reports.reading import in_order
from debate_ops.reports.transcript.values import Part, Passage, Transcript, held


def transcript(
    debate: Debate,
    participants: Mapping[str, str],
    place: Callable[[Entry], str],
    partial: str,
) -> Transcript:
    """Return the transcript of a debate: a part for each place, in the order of the record."""
    read = in_order(debate)
    parts = [Part(title, tuple(map(passage, group))) for title, group in groupby(read, key=place)]
    return Transcript(
        debate=debate.slug,
        protocol=debate.protocol,
        motion=debate_file.framing(debate.body).motion,
        participants=tuple(participants.items()),
        phase=debate.state.phase,
        partial=partial,
        created=debate.created,
        rounds=held(entry.exchange for entry in read),
        parts=tuple(parts),
    )


def passage(entry: Entry) -> Passage:
    """Return one entry as a passage."""
    value = entries.parse(entry)
    told = Passage(
        id=entry.id,
        heading=_heading(value, entry),
        participant=entry.participant,
        kind=entry.kind,
        exchange=entry.exchange,
        at=at(entry),
        texts=tuple((name, text) for name, text in _texts(value) if text.strip()),
    )
    if isinstance(value, Absence):
        return told._replace(how=value.how, by=value.by)
    return told


def at(entry: Entry) -> str:
    """Return when an entry came on record; empty where that is not known."""
    return str(entry.header.get("at") or "")


def _heading(value: Value, entry: Entry) -> str:
    if isinstance(value, Contribution):
        return headline(value)
    if isinstance(value, Argument):
        return value.title
    return "No reply" if isinstance(value, Absence) else f"{entry.kind.capitalize()}"


def _texts(value: Value) -> Iterable[tuple[str, str]]:
    if isinstance(value, Argument):
        return _argument(value)
    if isinstance(value, Judgment):
        return [
            (f"{decision.argument_id}: {signed(decision.score)}", decision.reasoning)
            for decision in value.decisions
        ]
    if isinstance(value, Absence):
        return [("", value.reason)]
    linked = [
        (name, "\n".join(f"{target} ({kind})" for target, kind in links(value.data, key)))
        for key, name in LINKS.items()
    ]
    return [*value.texts.items(), *linked]


def _argument(value: Argument) -> list[tuple[str, str]]:
    told = [("Claim", value.claim)]
    for ground in value.grounds:
        told += [(f"Ground, from {ground.source}", ground.content), ("Why", ground.relevance)]
    told += [("Warrant", value.warrant), ("Backing", value.backing), ("Qualifier", value.qualifier)]
    for verb, given in (("Attacks", value.attacks), ("Defends", value.defends)):
        told += [
            (f"{verb} {link.target_id} ({link.type.replace('_', ' ')})", link.content)
            for link in given
        ]
    return told
