"""What the page tells of an entry of a design debate: requirements, critiques and answers."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.model.entries import Contribution
from debate_ops.protocols.design.names import (
    ASSESSMENT,
    FULL,
    MOST_CONFIDENCE,
    QUESTION,
    SUMMARY,
    SYNTHESIS,
)
from debate_ops.reports import critiques
from debate_ops.reports.blocks import line
from debate_ops.reports.design.numbers import Numbers, coverage, fully_met
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, joined

LAST_TEXT, REPLACED, CRITICISED = "last text", "replaced", "criticised"
ANSWERED, UNANSWERED = "answered", "unanswered"
"""Words to filter by, beside the levels and verdicts of points."""


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return what is told of texts, critiques, questions and the solution, by id."""
    by_id = {**critiques.notes(numbers.points)}
    by_id |= {text.id: _of_text(numbers, text) for text in numbers.texts}
    for question in numbers.of(QUESTION):
        answered = question.id in numbers.answers
        by_id[question.id] = Note(states=(ANSWERED if answered else UNANSWERED,))
    for answer in numbers.answers.values():
        by_id[answer.id] = _fact("By", str(answer.data.get("by", "")))
    for summary in numbers.of(SUMMARY):
        covers = counted(len(summary.data.get("covers") or ()), "entry", "entries")
        by_id[summary.id] = _fact("Read instead of", covers)
    for judged in (*numbers.of(ASSESSMENT), *numbers.of(SYNTHESIS)):
        by_id[judged.id] = Note(score=f"{judged.data['confidence']} of {MOST_CONFIDENCE}")
    if numbers.solution:
        unmet = joined([f"{r['id']} ({r['level']})" for r in numbers.unmet])
        fact = _fact("Unmet requirements", unmet or "none, by the judge's word")
        by_id[numbers.solution.id] = by_id[numbers.solution.id]._replace(facts=fact.facts)
    return by_id


def _fact(label: str, text: str) -> Note:
    return Note(facts=((label, (line(text),)),))


def _of_text(numbers: Numbers, text: Contribution) -> Note:
    states = [LAST_TEXT if text in numbers.current else REPLACED]
    if any(point.target == text.id for point in numbers.points):
        states.append(CRITICISED)
    covered, met = coverage(text), fully_met(text)
    if not covered:
        return Note(states=tuple(states))
    rest = [f"{c['requirement']} {c['coverage']}" for c in covered if c["coverage"] != FULL]
    claims = "; ".join(filter(None, [f"{met} fully met", joined(rest)]))
    return _fact("Requirements, by its author's word", claims)._replace(
        score=f"claims {met} of {len(numbers.requirements)}" if numbers.requirements else "",
        states=tuple(states),
    )
