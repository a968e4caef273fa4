"""The page of a design debate: the solution first, then what it meets and how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from debate_ops.model.entries import Absence
from debate_ops.reports.design import tables, transcript, words
from debate_ops.reports.design.numbers import Numbers, Synthesis
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import making, making_of
from debate_ops.reports.markdown import bullets, long
from debate_ops.reports.page import terms
from debate_ops.reports.parts import Parts
from debate_ops.reports.phrases import CELL, LONG_REASON
from debate_ops.reports.rich import beginning, rich
from debate_ops.reports.text import inline, paragraph, shorten

_MOST_TEXT = 16_000
_SHORT = {None: _MOST_TEXT, 150: 8000, 60: 4000, 25: 2400, 10: 1200, 3: 600}
_CAUTION = "A solution is one judge's view of the debate, not proof that it works."


def parts(given: Given[Numbers], rows: Rows) -> Parts:
    """Yield the parts of the page."""
    numbers = given.told
    yield from terms(numbers.framing, rows)
    if numbers.synthesis:
        yield from _solution(numbers.synthesis, rows)
    yield from tables.unmet(numbers)
    yield from tables.requirements(numbers, rows)
    yield from tables.clarifications(numbers, rows)
    if numbers.critiques:
        yield "## Who criticised whom, and what came of it"
        yield f"{words.points(numbers)}."
        yield from tables.critiques(numbers, rows)
    yield from tables.texts(numbers, rows, _SHORT[rows])
    yield from tables.assessments(numbers)
    yield from tables.summaries(numbers, rows)
    yield from tables.replaced(numbers, rows)
    made = making_of(given, _place, _CAUTION, told_elsewhere=("participants", "requirements"))
    yield from making(made, rows)


def _solution(told: Synthesis, rows: Rows) -> Iterator[str]:
    yield "## The solution"
    name = f"**{inline(shorten(told.title, CELL))}** " if told.title else ""
    yield f"{name}([{told.id}])"
    yield rich(beginning(told.solution, _SHORT[rows]))
    if len(told.solution) > _SHORT[rows]:
        yield f"*(shortened here; it stands in full in [its file][{told.id}])*"
    for heading, items in (
        ("Trade-offs", told.trade_offs),
        ("Recommendations", told.recommendations),
        ("Open questions", told.open_questions),
    ):
        yield from _list(heading, items)
    yield "## Confidence"
    yield "By the judge who wrote it:"
    yield long(told.why_so_sure, _SHORT[rows])


def _list(heading: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"**{heading}**"
        yield bullets(paragraph(shorten(item, LONG_REASON)) for item in items)


def _place(absence: Absence) -> str:
    label = transcript.label_of(absence.id, "absence")
    return f"exchange {absence.exchange}, {label}" if absence.exchange else label
