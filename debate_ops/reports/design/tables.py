"""The parts of the page: requirements, questions, critiques, texts, summaries, prompts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from debate_ops.protocols.design.names import ACCEPTED, MAJOR, REJECTED
from debate_ops.reports.design import words
from debate_ops.reports.design.numbers import Critique, Numbers, Point, Question, Text
from debate_ops.reports.given import Rows
from debate_ops.reports.markdown import bullets, fold, long, quoted, table
from debate_ops.reports.phrases import CELL, LONG_REASON, REASON, folded, left_out, newest
from debate_ops.reports.text import counted, inline, shorten

_REQUIREMENT = 200


def unmet(numbers: Numbers) -> Iterator[str]:
    """Yield the requirements that the solution leaves unmet, by the judge's word."""
    if numbers.synthesis is None or not numbers.requirements:
        return
    yield "## Unmet requirements"
    names = numbers.synthesis.unmet
    found = [r for r in numbers.requirements if r.id in names]
    if not found:
        yield "None, by the judge's word."
        return
    yield bullets(
        f"{inline(r.id)} ({'**major**' if r.level == MAJOR else inline(r.level)}): "
        f"{inline(shorten(r.text, LONG_REASON))}"
        for r in found
    )


def requirements(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield each requirement, and how far each text that stands says to meet it."""
    yield "## Requirements, and how far each text says to meet them"
    if not numbers.requirements:
        yield words.NO_REQUIREMENTS
        return
    claims = {
        (covered.requirement, text.author): covered.coverage
        for text in numbers.current
        for covered in text.covered
    }
    yield table(
        ["Id", "Level", "Requirement", *numbers.authors],
        [
            [
                inline(r.id),
                inline(r.level),
                inline(shorten(r.text, _REQUIREMENT)),
                *(inline(claims.get((r.id, name), words.DASH)) for name in numbers.authors),
            ]
            for r in numbers.requirements
        ],
    )
    if numbers.current and rows is None:
        yield fold("How each text says to meet them", *_hows(numbers))


def _hows(numbers: Numbers) -> Iterator[str]:
    for text in numbers.current:
        lines = [
            f"{inline(c.requirement)}, {inline(c.coverage)}: {quoted(c.how, REASON)}"
            for c in text.covered
            if c.how.strip()
        ]
        if lines:
            yield f"{text.author} ([{text.id}]):"
            yield bullets(lines)


def clarifications(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield every question, and what a person answered."""
    if not numbers.questions:
        return
    yield "## Clarifications"
    shown, more = newest(numbers.questions, rows)
    yield table(["Question", "By", "Asked", "Answer"], [_question(each) for each in shown])
    yield from left_out(more, "question")


def _question(each: Question) -> list[str]:
    answer = "*not answered*"
    if each.answer_id:
        told = inline(shorten(each.answer, LONG_REASON)) if each.applies else "*not applicable*"
        answer = f"{told} ([{inline(shorten(each.answered_by, CELL))}][{each.answer_id}])"
    return [f"[{each.id}]", each.by, inline(shorten(each.text, LONG_REASON)), answer]


def critiques(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield each critique of each exchange with what came of its points."""
    for number, group in groupby(sorted(numbers.critiques, key=_exchange), key=_exchange):
        held = list(group)
        shown, more = newest(held, rows)
        heads = ["Critic", "Of", "Points:", "Major:", "Accepted:", "Rejected:", "Not answered:"]
        content = [table(heads, [_critique(each) for each in shown]), *left_out(more, "critique")]
        yield f"### Exchange {number}"
        yield from folded(counted(len(held), "critique"), content, len(shown))
        lines = [
            line for each in shown for line in _in_words(each, REASON if rows is None else CELL)
        ]
        if lines:
            yield fold(f"{counted(len(lines), 'point')} in their own words", bullets(lines))


def _exchange(critique: Critique) -> int:
    return critique.exchange


def _critique(each: Critique) -> list[str]:
    major = sum(point.level == MAJOR for point in each.points)
    numbers = (len(each.points), major, each.came(ACCEPTED), each.came(REJECTED), each.came(""))
    return [f"[{each.critic}][{each.id}]", f"[{each.target}]", *map(str, numbers)]


def _in_words(each: Critique, length: int) -> Iterator[str]:
    for point in each.points:
        yield (
            f"[{each.id}], point {point.number} ({inline(point.level)}), of [{each.target}]: "
            f"{quoted(point.text, length)} {_came(point, length)}"
        )


def _came(point: Point, length: int) -> str:
    if not point.verdict:
        return "**Not answered.**"
    reason = f": {quoted(point.reason, length)}" if point.reason else ""
    return f"**{inline(point.verdict.capitalize())}** ([{point.answer}]){reason}"


def texts(numbers: Numbers, rows: Rows, most: int) -> Iterator[str]:
    """Yield how each text changed, and as it stands now."""
    if not numbers.texts:
        return
    yield "## How the texts changed"
    ordered = sorted(numbers.texts, key=lambda t: (numbers.authors.index(t.author), t.exchange))
    shown, more = newest(ordered, rows)
    heads = ["Author", "Exchange:", "Text", "Characters:", "Accepted:", "Rejected:"]
    heads += ["Fully met:"] if numbers.requirements else []
    yield table(heads, [_text(numbers, text) for text in shown])
    yield from left_out(more, "text")
    for text in numbers.current:
        yield fold(f"The last text of {text.author}", *_in_full(text, most))


def _text(numbers: Numbers, text: Text) -> list[str]:
    answered = [str(text.accepted), str(text.rejected)] if text.refines else [words.DASH] * 2
    cells = [text.author, str(text.exchange), f"[{text.id}]", f"{len(text.solution):,}", *answered]
    if numbers.requirements:
        full = sum(covered.coverage == "full" for covered in text.covered)
        cells.append(f"{full} of {len(numbers.requirements)}")
    return cells


def _in_full(text: Text, most: int) -> Iterator[str]:
    if text.title:
        yield f"**{inline(shorten(text.title, CELL))}** ([{text.id}])"
    else:
        yield f"[{text.id}]"
    yield long(text.solution, most)


def assessments(numbers: Numbers) -> Iterator[str]:
    """Yield how sure the judge was after each exchange, where it was asked."""
    if numbers.assessments:
        yield "## How sure the judge was after each exchange"
        yield bullets(
            f"[Exchange {each.exchange}][{each.id}]: **{each.confidence} of 100** "
            f"(the debate ends at {numbers.debate.settings['stop_at_confidence']}): "
            f"{quoted(each.reasons, REASON)}"
            for each in numbers.assessments
        )


def summaries(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield which histories were summarised, and how long they were before and after."""
    if not numbers.summaries:
        return
    yield "## Summaries"
    yield "What somebody had in the place of its history, in characters."
    shown, more = newest(numbers.summaries, rows)
    yield table(
        ["Summary", "By", "Exchange:", "Before:", "After:", "In the place of"],
        [
            [
                f"[{each.id}]",
                each.by,
                str(each.exchange),
                f"{each.before:,}",
                f"{each.after:,}",
                counted(len(each.covers), "entry", "entries"),
            ]
            for each in shown
        ],
    )
    yield from left_out(more, "one")


def replaced(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield which built-in texts were replaced, and by which files."""
    if not numbers.replaced:
        return
    yield "## Role texts and prompts of the user's own"
    yield "In the place of the built-in ones."
    shown, more = newest(numbers.replaced, rows)
    yield table(
        ["Participant", "Text", "From"],
        [
            [
                each.name,
                inline(each.what),
                f"the file {inline(shorten(each.file, CELL))}" if each.file else "the settings",
            ]
            for each in shown
        ],
    )
    yield from left_out(more, "one")
