"""What the page tells of a text of a design debate: its critiques, requirements and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.design.names import ACCEPTED, FULL, MOST_CONFIDENCE, REJECTED
from debate_ops.reports.design.note import fully_met
from debate_ops.reports.design.numbers import Critique, Numbers, Point, Question, Synthesis, Text
from debate_ops.reports.markdown import quoted, reference, references
from debate_ops.reports.parts import Aside
from debate_ops.reports.phrases import REASON
from debate_ops.reports.text import counted, inline, joined

LAST_TEXT, REPLACED, CRITICISED = "last text", "replaced", "criticised"
ANSWERED, UNANSWERED, NOT_ANSWERED = "answered", "unanswered", "not answered"
"""Words to filter by, beside the verdicts on points."""


def asides(numbers: Numbers) -> Mapping[str, Aside]:
    """Return what is told of texts, critiques, questions and the solution, by id."""
    told = {text.id: _of_text(numbers, text) for text in numbers.texts}
    told |= {critique.id: _of_critique(critique) for critique in numbers.critiques}
    for question in numbers.questions:
        told |= _of_question(question)
    for each in numbers.assessments:
        told[each.id] = Aside(score=f"{each.confidence} of {MOST_CONFIDENCE}")
    for summary in numbers.summaries:
        covers = counted(len(summary.covers), "entry", "entries")
        told[summary.id] = Aside(facts=(("In the place of", covers),))
    if found := numbers.synthesis:
        told[found.id] = _of_synthesis(numbers, found)
    return told


# ---------------------------------------------------------------- texts


def _of_text(numbers: Numbers, text: Text) -> Aside:
    total = len(numbers.requirements)
    score = f"{fully_met(text)} of {total} met" if total and text.covered else ""
    return Aside(
        score=score,
        states=tuple(_states(numbers, text)),
        facts=tuple(_facts(numbers, text)),
    )


def _states(numbers: Numbers, text: Text) -> Iterator[str]:
    yield LAST_TEXT if text in numbers.current else REPLACED
    if any(critique.target == text.id for critique in numbers.critiques):
        yield CRITICISED


def _facts(numbers: Numbers, text: Text) -> Iterator[tuple[str, str]]:
    if text.covered:
        yield "Requirements, by its author's word", inline(_coverage(text))
    if text.refines:
        yield "Refines", reference(text.refines)
        yield "Points answered", f"{text.accepted} accepted, {text.rejected} rejected"
    if later := [other.id for other in numbers.texts if other.refines == text.id]:
        yield "Refined in", references(later)
    for critique in numbers.critiques:
        if critique.target == text.id:
            yield (
                "Criticised by",
                f"{critique.critic} ({reference(critique.id)}): {_came(critique)}",
            )


def _coverage(text: Text) -> str:
    rest = [f"{c.requirement} {c.coverage}" for c in text.covered if c.coverage != FULL]
    told = f"{fully_met(text)} fully met"
    return f"{told}; {joined(rest)}" if rest else told


def _came(critique: Critique) -> str:
    named = ((ACCEPTED, "accepted"), (REJECTED, "rejected"), ("", NOT_ANSWERED))
    told = [f"{n} {word}" for verdict, word in named if (n := critique.came(verdict))]
    return f"{counted(len(critique.points), 'point')}: {', '.join(told)}" if told else "no points"


# ---------------------------------------------------------------- critiques and questions


def _of_critique(critique: Critique) -> Aside:
    states = tuple(dict.fromkeys(p.verdict or NOT_ANSWERED for p in critique.points))
    return Aside(
        states=states,
        facts=(
            ("Of", f"{reference(critique.target)} by {critique.author}"),
            *(_point(point) for point in critique.points),
        ),
    )


def _point(point: Point) -> tuple[str, str]:
    label = f"Point {point.number} ({point.level})"
    if not point.verdict:
        return label, NOT_ANSWERED
    reason = f": {quoted(point.reason, REASON)}" if point.reason else ""
    return label, f"{inline(point.verdict)} in {reference(point.answer)}{reason}"


def _of_question(each: Question) -> Iterator[tuple[str, Aside]]:
    if not each.answer_id:
        yield each.id, Aside(states=(UNANSWERED,), facts=(("Answer", "none on record"),))
        return
    does = "" if each.applies else " (not applicable)"
    answer = ("Answer", f"{reference(each.answer_id)}{does}")
    yield each.id, Aside(states=(ANSWERED,), facts=(answer,))
    facts = (("Question", reference(each.id)), ("By", inline(each.answered_by)))
    yield each.answer_id, Aside(facts=facts)


def _of_synthesis(numbers: Numbers, found: Synthesis) -> Aside:
    unmet = [f"{r.id} ({r.level})" for r in numbers.requirements if r.id in found.unmet]
    facts = (("Unmet requirements", inline(joined(unmet)) or "none, by the judge's word"),)
    return Aside(score=f"{found.confidence} of {MOST_CONFIDENCE}", facts=facts)
