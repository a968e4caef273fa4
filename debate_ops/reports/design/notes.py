"""What the page tells of a text of a design debate: its critiques, requirements and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.design.names import ACCEPTED, FULL, MOST_CONFIDENCE, REJECTED
from debate_ops.reports.blocks import Line, Quote, Ref, line
from debate_ops.reports.design.numbers import Critique, Numbers, Point, Question, Synthesis, Text
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, joined, shorten

LAST_TEXT, REPLACED, CRITICISED = "last text", "replaced", "criticised"
ANSWERED, UNANSWERED, NOT_ANSWERED = "answered", "unanswered", "not answered"
"""Words to filter by, beside the verdicts on points."""

_REASON = 240

Fact = tuple[str, tuple[Line, ...]]


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return what is told of texts, critiques, questions and the solution, by id."""
    by_id = {text.id: _of_text(numbers, text) for text in numbers.texts}
    by_id |= {critique.id: _of_critique(critique) for critique in numbers.critiques}
    for question in numbers.questions:
        by_id |= _of_question(question)
    for each in numbers.assessments:
        by_id[each.id] = Note(score=f"{each.confidence} of {MOST_CONFIDENCE}")
    for summary in numbers.summaries:
        covers = counted(len(summary.covers), "entry", "entries")
        by_id[summary.id] = Note(facts=(("Read instead of", (line(covers),)),))
    if numbers.synthesis:
        by_id[numbers.synthesis.id] = _of_synthesis(numbers, numbers.synthesis)
    return by_id


# ---------------------------------------------------------------- texts


def _of_text(numbers: Numbers, text: Text) -> Note:
    total = len(numbers.requirements)
    score = f"claims {fully_met(text)} of {total}" if total and text.covered else ""
    facts = tuple(_facts(numbers, text))
    return Note(score=score, states=tuple(_states(numbers, text)), facts=facts)


def fully_met(text: Text) -> int:
    """Return how many requirements a text claims to meet in full."""
    return sum(covered.coverage == FULL for covered in text.covered)


def _states(numbers: Numbers, text: Text) -> Iterator[str]:
    yield LAST_TEXT if text in numbers.current else REPLACED
    if any(critique.target == text.id for critique in numbers.critiques):
        yield CRITICISED


def _facts(numbers: Numbers, text: Text) -> Iterator[Fact]:
    if text.covered:
        rest = [f"{c.requirement} {c.coverage}" for c in text.covered if c.coverage != FULL]
        claims = "; ".join(filter(None, [f"{fully_met(text)} fully met", joined(rest)]))
        yield "Requirements, by its author's word", (line(claims),)
    if text.refines:
        yield "Refines", (line(Ref(text.refines)),)
        yield "Points answered", (line(f"{text.accepted} accepted, {text.rejected} rejected"),)
    later = tuple(line(Ref(other.id)) for other in numbers.texts if other.refines == text.id)
    if later:
        yield "Refined in", later
    criticised = tuple(
        line(f"{c.critic} (", Ref(c.id), f"): {_outcome(c)}")
        for c in numbers.critiques
        if c.target == text.id
    )
    if criticised:
        yield "Criticised by", criticised


def _outcome(critique: Critique) -> str:
    named = ((ACCEPTED, "accepted"), (REJECTED, "rejected"), ("", NOT_ANSWERED))
    parts = [f"{n} {word}" for verdict, word in named if (n := critique.came(verdict))]
    return f"{counted(len(critique.points), 'point')}: {', '.join(parts)}" if parts else "no points"


# ---------------------------------------------------------------- critiques and questions


def _of_critique(critique: Critique) -> Note:
    states = tuple(dict.fromkeys(p.verdict or NOT_ANSWERED for p in critique.points))
    of = ("Of", (line(Ref(critique.target), f" by {critique.author}"),))
    return Note(states=states, facts=(of, *map(_point, critique.points)))


def _point(point: Point) -> Fact:
    label = f"Point {point.number} ({point.level})"
    if not point.verdict:
        return label, (line(NOT_ANSWERED),)
    verdict = line(f"{point.verdict} in ", Ref(point.answer))
    why = line(": ", Quote(shorten(point.reason, _REASON))) if point.reason else ()
    return label, (verdict + why,)


def _of_question(each: Question) -> Iterator[tuple[str, Note]]:
    if not each.answer_id:
        nothing = ("Answer", (line("none on record"),))
        yield each.id, Note(states=(UNANSWERED,), facts=(nothing,))
        return
    does = "" if each.applies else " (not applicable)"
    answer = ("Answer", (line(Ref(each.answer_id), does),))
    yield each.id, Note(states=(ANSWERED,), facts=(answer,))
    facts = (("Question", (line(Ref(each.id)),)), ("By", (line(each.answered_by),)))
    yield each.answer_id, Note(facts=facts)


def _of_synthesis(numbers: Numbers, solution: Synthesis) -> Note:
    unmet = [f"{r.id} ({r.level})" for r in numbers.requirements if r.id in solution.unmet]
    facts = (("Unmet requirements", (line(joined(unmet) or "none, by the judge's word"),)),)
    return Note(score=f"{solution.confidence} of {MOST_CONFIDENCE}", facts=facts)
