"""The page of a formal debate: the ballot, the counts, and the whole transcript."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from debate_ops.model.entries import Absence
from debate_ops.protocols.formal.course import KINDS as COURSE
from debate_ops.protocols.formal.course import PAIRED, PREPARATION
from debate_ops.reports.formal import words
from debate_ops.reports.formal.numbers import Numbers, Side
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import making, making_of
from debate_ops.reports.markdown import fold, reference, table
from debate_ops.reports.page import terms
from debate_ops.reports.parts import Parts
from debate_ops.reports.phrases import newest
from debate_ops.reports.text import counted, inline
from debate_ops.reports.transcript import as_markdown
from debate_ops.reports.transcript.values import Part, Passage, spoken

_CHARACTERS = {None: None, 150: 2400, 60: 1200, 25: 600, 10: 300, 3: 120}
"""Of each text, by how many rows of a list the page has room for."""
_PAIRS = {10: 60, 3: 20}
_CAUTION = "A ballot is one judge's view of the speeches, not proof of what they say."


def parts(given: Given[Numbers], rows: Rows) -> Parts:
    """Yield the parts of the page."""
    numbers = given.told
    if numbers.transcript.partial:
        yield as_markdown.partial(numbers.transcript)
    yield from terms(numbers.framing, rows)
    yield from _counts(numbers)
    yield from _ballot(numbers, rows)
    yield from _transcript(numbers, rows)
    yield from as_markdown.sources(numbers.transcript.sources, reference, "##")
    caution = _CAUTION if numbers.is_judged else ""
    yield from making(making_of(given, _place, caution), rows)


def _counts(numbers: Numbers) -> Iterator[str]:
    heads = ["Side", "Speeches:", "Questions asked:", "Answers given:", "Words:"]
    yield table(heads, [[side.name, *_cells(side)] for side in numbers.sides])
    told = [f"State: {words.state(numbers).lower()}"]
    told.append(f"rounds on record: {numbers.transcript.rounds}")
    if numbers.transcript.duration:
        duration = numbers.transcript.duration
        told.append(f"duration: {spoken(duration)} ({counted(duration, 'second')})")
    limit = f"{numbers.limit} words to a text" if numbers.limit else "no word limit"
    yield f"{'; '.join([*told, limit])}."


def _cells(side: Side) -> Iterator[str]:
    return (f"{n:,}" for n in (side.speeches, side.questions, side.answers, side.words))


def _ballot(numbers: Numbers, rows: Rows) -> Iterator[str]:
    ballot = numbers.ballot
    if ballot is None:
        return
    yield "## Ballot"
    passage = next(p for p in numbers.transcript.passages if p.id == ballot.id)
    reasons = passage._replace(texts=(("Reasons", ballot.reasons),))
    yield from as_markdown.content(reasons, reference, _CHARACTERS[rows])


def _transcript(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield every round; the cross-examination as pairs under one heading."""
    for round_, group in groupby(numbers.transcript.parts, key=_round):
        parts = list(group)
        if round_ == COURSE[PREPARATION].round:
            yield from _notes(parts[0], rows)
        elif parts[0].passages[0].kind in PAIRED:
            yield from _pairs(round_, parts, rows)
        elif not numbers.ballot or parts[0].passages[0].id != numbers.ballot.id:
            yield f"## {round_.capitalize()}"
            for passage in parts[0].passages:
                yield f"### {passage.heading}"
                yield from as_markdown.content(passage, reference, _CHARACTERS[rows])
    yield from _end(numbers)


def _round(part: Part) -> str:
    return COURSE[part.passages[0].kind].round


def _notes(part: Part, rows: Rows) -> Iterator[str]:
    """Yield what both sides noted before the debate, folded away: nobody else saw it."""
    blocks = [block for passage in part.passages for block in _under(passage, rows)]
    yield "## Preparation"
    yield fold("Notes that each side made for itself alone", *blocks)


def _pairs(round_: str, parts: list[Part], rows: Rows) -> Iterator[str]:
    yield f"## {round_.capitalize()}"
    shown, more = newest(parts, _PAIRS.get(rows) if rows else None)
    if more:
        yield f"The first {counted(more, 'pair')} are left out here: the page would be too long."
    for number, part in enumerate(shown, more + 1):
        yield f"### Pair {number}"
        for passage in part.passages:
            yield from _under(passage, rows)


def _under(passage: Passage, rows: Rows) -> Iterator[str]:
    yield f"**{passage.heading.partition(', pair ')[0]}**"
    yield from as_markdown.content(passage, reference, _CHARACTERS[rows])


def _end(numbers: Numbers) -> Iterator[str]:
    if numbers.transcript.partial:
        yield "## The record ends here"
        yield f"*Partial:* {inline(numbers.transcript.partial)}."
    for kind in numbers.transcript.hidden:
        yield f"*Left out here, but on record: {kind}.*"


def _place(absence: Absence) -> str:
    return f"round {absence.exchange}"
