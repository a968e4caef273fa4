"""What the pages of all protocols say of the record: framing, provenance, absences, warnings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops import __version__
from debate_ops.errors import Finding
from debate_ops.model.debate import Framing, Word
from debate_ops.model.texts import one_line
from debate_ops.model.views import Absence
from debate_ops.reports.blocks import (
    Anchor,
    Block,
    Fold,
    Heading,
    Line,
    Listing,
    Paragraph,
    Quote,
    Ref,
    Said,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.items import Content
from debate_ops.reports.provenance import NOT_RECORDED, Provenance, in_seconds, in_tokens, makers
from debate_ops.reports.text import counted, in_words, shorten
from debate_ops.storage.folder import DEBATE_FILE

FRAMING, MADE = "motion", "record"
"""The keys of the two sections."""

_CELL, _REASON, _WARNING = 110, 240, 300


class Note(NamedTuple):
    """What a page says of an entry beside its own text.

    `side` is the place of its side among the sides, from 0, or None where there are none.
    `score` is a short number or word, `states` are words to filter by, `facts` are labels with
    what they say.
    """

    side: int | None = None
    score: str = ""
    states: tuple[str, ...] = ()
    facts: tuple[tuple[str, tuple[Line, ...]], ...] = ()


def framing(debated: Framing, *, context: bool) -> Section:
    """Return the motion in full, what defines it, and its context where it is asked for."""
    blocks: list[Block] = [Said(debated.motion)]
    if debated.definitions:
        terms = tuple(line(Strong(f"{d.term}: "), one_line(d.text)) for d in debated.definitions)
        blocks += [Heading("Definitions"), Listing(terms)]
    if debated.scope.strip():
        blocks += [Heading("Scope"), Said(debated.scope)]
    for document in debated.context if context else ():
        words = counted(len(document.text.split()), "word")
        blocks.append(Fold(f"{document.name} ({words})", (Said(document.text),)))
    return Section(FRAMING, "Motion and framing", tuple(blocks))


def made(content: Content, warnings: Sequence[Finding], set_aside: Sequence[str]) -> Section:
    """Return who debated and judged, with which settings, and what went wrong."""
    heads: tuple[str, ...] = ("Participant", "Replies", "Made by", "Time", "Tokens")
    rows = tuple(_participant(content.names, item) for item in content.made)
    if any(item.cost for item in content.made):
        heads = (*heads, "Cost")
        costs = (line(item.cost or NOT_RECORDED) for item in content.made)
        rows = tuple((*row, cost) for row, cost in zip(rows, costs, strict=True))
    blocks: list[Block] = [
        Table(heads, rows),
        Listing(tuple(_facts(content, set_aside))),
        *_words(content.debate.words),
        *_absences(content.names, content.absences),
        *_warnings(warnings),
        Paragraph(line(f"Rendered by debate-ops {__version__} from this folder.")),
    ]
    return Section(MADE, "How this was made", tuple(blocks))


def _words(words: Sequence[Word]) -> Iterator[Block]:
    """Yield what people said into the debate: it stood in prompts, and is nobody's argument."""
    if words:
        yield Paragraph(line("People who ran the debate said to its participants:"))
        yield Listing(
            tuple(
                line(f"{one_line(word.by)} to {word.to or 'all'}, at step {word.step}: ", word.text)
                for word in words
            )
        )


def _participant(names: Mapping[str, str], item: Provenance) -> tuple[Line, ...]:
    name = shorten(names.get(item.participant, item.participant), _CELL)
    time, tokens = in_seconds(item.latency_ms), in_tokens(item.tokens)
    return tuple(map(line, (name, f"{item.replies:,}", makers(item), time, tokens)))


def _facts(content: Content, set_aside: Sequence[str]) -> Iterator[Line]:
    debate = content.debate
    yield line("Motion, framing and state: ", Anchor(DEBATE_FILE, DEBATE_FILE), ".")
    if debate.older:
        yield line("Settings: not on record, because an older tool wrote this debate.")
    else:
        settings = (f"{k.replace('_', ' ')} {setting(v)}" for k, v in debate.settings.items())
        yield line(f"Settings: {'; '.join(settings)}.")
    if debate.created:
        yield line(f"Begun: {moment(debate.created)}.")
    if set_aside:
        yield line(f"Set aside, not part of the debate: {', '.join(set_aside)}.")


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MOMENT = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-3][0-9])T([0-9]{2}:[0-9]{2}):[0-9]{2}Z\Z")


def moment(at: str) -> str:
    """Return a time of the record for readers; one of another form as it is.

    >>> moment("2026-11-22T00:28:53Z"), moment("yesterday")
    ('22 Nov 2026, 00:28 UTC', 'yesterday')
    """
    match = _MOMENT.match(at)
    if match is None:
        return shorten(at, _CELL)
    year, month, day, time = match.groups()
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}, {time} UTC"


def setting(value: object) -> str:
    """Return a setting as readers write it, in a bounded length.

    >>> setting({"expert": 1.5, "tactics": ["red_herring", "strawman"]}), setting("")
    ('expert 1.5, tactics red herring and strawman', 'not set')
    """
    return "not set" if value == "" else shorten(in_words(value), _CELL)


def _absences(names: Mapping[str, str], absences: Sequence[Absence]) -> Iterator[Block]:
    if absences:
        yield Heading("Tasks that ended without a reply")
        yield Listing(tuple(_absence(names, absence) for absence in absences))


def _absence(names: Mapping[str, str], absence: Absence) -> Line:
    who, how, by = (
        shorten(text, _CELL)
        for text in (names.get(absence.participant, absence.participant), absence.how, absence.by)
    )
    return line(
        Ref(absence.id), f", {who}, {how} by {by}: ", Quote(shorten(absence.reason, _REASON))
    )


def _warnings(warnings: Sequence[Finding]) -> Iterator[Block]:
    if not warnings:
        return
    kinds = Counter(warning.code.replace("_", " ") for warning in warnings)
    tally = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    lines = tuple(line(shorten(_sentence(warning), _WARNING)) for warning in warnings)
    yield Fold(f"{counted(len(warnings), 'warning')}: {tally}", (Listing(lines),))


def _sentence(warning: Finding) -> str:
    """Return a warning for a reader of files: where it is in the file, not in a reply."""
    where = warning.where.removeprefix("$.")
    number = f"line {warning.line}" if warning.line else ""
    return ": ".join(filter(None, [warning.file, where, number, warning.message]))
