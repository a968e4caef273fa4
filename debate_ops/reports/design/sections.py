"""The record of a design debate: the solution, requirements, clarifications, critiques."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.reports.blocks import (
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
from debate_ops.reports.design import words
from debate_ops.reports.design.notes import fully_met
from debate_ops.reports.design.numbers import Critique, Numbers, Question
from debate_ops.reports.text import counted, shorten

_TEXT = 600
_REASON = 240


def sections(numbers: Numbers) -> Iterator[Section]:
    """Yield the record, the solution first."""
    if numbers.synthesis:
        yield Section("solution", "The solution", tuple(_solution(numbers)))
    if numbers.requirements:
        yield Section("requirements", "Requirements", tuple(_requirements(numbers)))
    if numbers.questions:
        table = Table(("Question", "Asked by", "Answer"), tuple(map(_question, numbers.questions)))
        title = counted(len(numbers.questions), "question")
        yield Section("clarifications", "Clarifications", (Fold(title, (table,)),))
    if numbers.critiques:
        yield Section("critiques", "Critiques and their outcome", tuple(_critiques(numbers)))
    changes = tuple(_changes(numbers))
    if changes:
        yield Section("provided", "What agents were given instead", changes)


def _solution(numbers: Numbers) -> Iterator[Fold | Said | Heading | Listing]:
    solution = numbers.synthesis
    if solution is None:
        return
    yield Said(solution.solution)
    for title, items in (
        ("Trade-offs", solution.trade_offs),
        ("Recommendations", solution.recommendations),
        ("Open questions", solution.open_questions),
    ):
        if items:
            yield Heading(title)
            yield Listing(tuple(map(line, items)))


def _requirements(numbers: Numbers) -> Iterator[Table | Paragraph | Fold]:
    claims = {
        (covered.requirement, text.author): covered
        for text in numbers.current
        for covered in text.covered
    }
    solution = numbers.synthesis
    judged = ("By the judge",) if solution else ()
    rows = []
    for r in numbers.requirements:
        unmet = solution is not None and r.id in solution.unmet
        says = [line("not met, or in part" if unmet else "met")] if solution else []
        by_author = [claims.get((r.id, name)) for name in numbers.authors]
        cells = [line(c.coverage if c else words.DASH) for c in by_author]
        rows.append((line(r.id), line(r.level), line(shorten(r.text, _TEXT)), *says, *cells))
    authors = tuple(f"{name} claims" for name in numbers.authors)
    yield Table(("Id", "Level", "Requirement", *judged, *authors), tuple(rows))
    total = len(numbers.requirements)
    claimed = [f"{t.author} {fully_met(t)}" for t in numbers.current if t.covered]
    if claimed:
        yield Paragraph(line(f"Claimed to be fully met, of {total}: {', '.join(claimed)}."))
    hows = tuple(
        line(Strong(f"{text.author}, {c.requirement}, {c.coverage}: "), shorten(c.how, _REASON))
        for text in numbers.current
        for c in text.covered
        if c.how.strip()
    )
    if hows:
        yield Fold("How each text claims to meet them", (Listing(hows),))


def _question(each: Question) -> tuple[Line, ...]:
    answer = line("not answered")
    if each.answer_id:
        said = shorten(each.answer, _TEXT) if each.applies else "not applicable"
        answer = line(f"{said} (", Ref(each.answer_id, shorten(each.answered_by, _REASON)), ")")
    return line(Ref(each.id, shorten(each.text, _TEXT))), line(each.by), answer


def _critiques(numbers: Numbers) -> Iterator[Paragraph | Fold]:
    yield Paragraph(line(f"{words.points(numbers)}."))
    lines = tuple(spans for critique in numbers.critiques for spans in _points(critique))
    if lines:
        yield Fold(f"{counted(len(lines), 'point')} and how each was answered", (Listing(lines),))


def _points(critique: Critique) -> Iterator[Line]:
    for point in critique.points:
        outcome = line(Strong(f" {point.verdict or 'not answered'}".capitalize()))
        why = line(": ", Quote(shorten(point.reason, _REASON))) if point.reason else ()
        head = line(
            f"{critique.critic} on ",
            Ref(critique.target),
            f" ({point.level}): ",
            Quote(shorten(point.text, _REASON), critique.id),
            " ",
        )
        yield head + outcome + why


def _changes(numbers: Numbers) -> Iterator[Paragraph | Fold]:
    if numbers.assessments:
        lines = tuple(
            line(
                Ref(a.id, f"Exchange {a.exchange}"),
                f": {a.confidence} of 100. ",
                Quote(shorten(a.reasons, _REASON)),
            )
            for a in numbers.assessments
        )
        yield Fold("How sure the judge was after each exchange", (Listing(lines),))
    if numbers.summaries:
        lines = tuple(
            line(Ref(s.id), f": {s.before:,} characters became {s.after:,}")
            for s in numbers.summaries
        )
        yield Fold("Summaries that agents read instead of the full history", (Listing(lines),))
    if numbers.replaced:
        lines = tuple(
            line(f"{r.name}: {r.what}, from {shorten(r.file, _REASON) or 'the settings'}")
            for r in numbers.replaced
        )
        yield Fold("Role texts and prompts of the user's own", (Listing(lines),))
