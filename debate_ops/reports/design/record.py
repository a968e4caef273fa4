"""The record of a design debate: its sections, and the notes on its cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.entries import Contribution
from debate_ops.protocols.design import filing
from debate_ops.protocols.design.names import (
    ASSESSMENT,
    FULL,
    MOST_CONFIDENCE,
    QUESTION,
    SUMMARY,
)
from debate_ops.reports import critiques
from debate_ops.reports.blocks import (
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
from debate_ops.reports.design.numbers import Numbers, coverage
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, shorten

_TEXT = 600
_REASON = 240


def sections(numbers: Numbers) -> Iterator[Section]:
    """Yield the record, the solution first."""
    if numbers.solution:
        yield Section("solution", "The solution", tuple(_solution(numbers, numbers.solution)))
    if numbers.requirements:
        yield Section("requirements", "Requirements", tuple(_requirements(numbers)))
    if questions := numbers.of(QUESTION):
        rows = tuple(_question(numbers, question) for question in questions)
        table = Table(("Question", "Asked by", "Answer"), rows)
        fold = Fold(counted(len(rows), "question"), (table,))
        yield Section("clarifications", "Clarifications", (fold,))
    if numbers.points:
        accepted, rejected, open_ = numbers.tally()
        each = f"{accepted} accepted, {rejected} rejected"
        each += f", {open_} not answered" if open_ else ""
        points = (Paragraph(line(f"{each}.")), critiques.fold(numbers.points))
        yield Section("critiques", "Critiques and their outcome", points)
    changes = tuple(_changes(numbers))
    if changes:
        yield Section("provided", "What agents were given instead", changes)


def _solution(numbers: Numbers, solution: Contribution) -> Iterator[Block]:
    yield Said(solution.texts.get(filing.SOLUTION, ""))
    for title, key in (
        (filing.TRADE_OFFS, "trade_offs"),
        (filing.RECOMMENDATIONS, "recommendations"),
        (filing.OPEN_QUESTIONS, "open_questions"),
    ):
        if items := numbers.listed(key):
            yield Heading(title)
            yield Listing(tuple(map(line, items)))


def _requirements(numbers: Numbers) -> Iterator[Block]:
    claims = {
        (item["requirement"], text.participant): str(item["coverage"])
        for text in numbers.current
        for item in coverage(text)
    }
    judged = ("By the judge",) if numbers.solution else ()
    rows = []
    for r in numbers.requirements:
        says = line("not met, or in part" if r in numbers.unmet else "met")
        claimed = [claims.get((r["id"], name), "\N{EN DASH}") for name in numbers.authors]
        head = (line(r["id"]), line(r["level"]), line(shorten(r["text"], _TEXT)))
        rows.append((*head, *((says,) if judged else ()), *map(line, claimed)))
    authors = tuple(f"{name} claims" for name in numbers.authors)
    yield Table(("Id", "Level", "Requirement", *judged, *authors), tuple(rows))
    hows = tuple(
        line(
            Strong(f"{text.participant}, {item['requirement']}, {item['coverage']}: "),
            shorten(str(item["how"]), _REASON),
        )
        for text in numbers.current
        for item in coverage(text)
        if str(item.get("how") or "").strip()
    )
    if hows:
        yield Fold("How each text claims to meet them", (Listing(hows),))


def _question(numbers: Numbers, question: Contribution) -> tuple[Line, ...]:
    asked = shorten(question.texts.get(filing.QUESTION_TEXT, ""), _TEXT)
    answer = numbers.answers.get(question.id)
    said = line("not answered")
    if answer:
        words = answer.texts.get("Answer", "") if answer.data.get("applies") else "not applicable"
        by = Ref(answer.id, shorten(str(answer.data.get("by", "")), _REASON))
        said = line(f"{shorten(words, _TEXT)} (", by, ")")
    return line(Ref(question.id, asked)), line(question.participant), said


def _changes(numbers: Numbers) -> Iterator[Block]:
    if sure := tuple(map(_assessment, numbers.of(ASSESSMENT))):
        yield Fold("How sure the judge was after each exchange", (Listing(sure),))
    if sizes := tuple(map(_summary, numbers.of(SUMMARY))):
        yield Fold("Summaries that agents read instead of the full history", (Listing(sizes),))
    if replaced := tuple(_replaced(numbers)):
        yield Fold("Role texts and prompts of the user's own", (Listing(replaced),))


def _sure(judged: Contribution) -> str:
    return f"{judged.data['confidence']} of {MOST_CONFIDENCE}"


def _assessment(value: Contribution) -> Line:
    reasons = shorten(value.texts.get(filing.REASONS, ""), _REASON)
    name = Ref(value.id, f"Exchange {value.exchange}")
    return line(name, f": {_sure(value)}. ", Quote(reasons))


def _summary(value: Contribution) -> Line:
    before, after = (int(value.data.get(key) or 0) for key in ("before", "after"))
    return line(Ref(value.id), f": {before:,} characters became {after:,}")


def _replaced(numbers: Numbers) -> Iterator[Line]:
    """Yield which built-in texts the user replaced: whose, which, and by which file, if by one."""
    for item in numbers.debate.settings["participants"]:
        prompts = {
            f"prompt for: {what}": text for what, text in (item.get("prompts") or {}).items()
        }
        for what, text in {"role text": item.get("description"), **prompts}.items():
            if text:
                file = str(text["file"]) if isinstance(text, dict) else ""
                by = shorten(file, _REASON) or "the settings"
                yield line(f"{item['name']}: {what}, from {by}")


# ---------------------------------------------------------------- what cards say


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return the notes on texts, critiques, questions and the solution, by id."""
    by_id = {**critiques.notes(numbers.points)}
    by_id |= {text.id: _of_text(numbers, text) for text in numbers.texts}
    for question in numbers.of(QUESTION):
        answered = question.id in numbers.answers
        by_id[question.id] = Note(states=("answered" if answered else "unanswered",))
    for answer in numbers.answers.values():
        by = line(str(answer.data.get("by", "")))
        by_id[answer.id] = Note(facts=(("By", (by,)),))
    if solution := numbers.solution:
        by_id[solution.id] = Note(score=_sure(solution))
    return by_id


def _of_text(numbers: Numbers, text: Contribution) -> Note:
    states = ["last text" if text in numbers.current else "replaced"]
    if any(point.target == text.id for point in numbers.points):
        states.append("criticised")
    met = sum(item["coverage"] == FULL for item in coverage(text))
    total = len(numbers.requirements)
    score = f"claims {met} of {total}" if total and coverage(text) else ""
    return Note(score=score, states=tuple(states))
