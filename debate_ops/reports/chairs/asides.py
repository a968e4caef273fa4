"""What the page tells of a text of a debate of chairs: its adherence, and what was said into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.reports.chairs.numbers import Numbers, Speech
from debate_ops.reports.chairs.reactions import (
    MOST_ADHERENCE,
    CutIn,
    Evaluation,
    of_cut_in,
    of_floor,
    plain,
    points,
)
from debate_ops.reports.markdown import reference
from debate_ops.reports.parts import Aside
from debate_ops.reports.text import inline

INTERRUPTED, CALLED_TO_ORDER, VIOLATION = "interrupted", "called to order", "violation"
ANSWERED, UNANSWERED, NOT_EVALUATED = "answered", "unanswered", "not evaluated"
"""Words to filter by."""


def asides(numbers: Numbers) -> Mapping[str, Aside]:
    """Return what is told of each speech, and of what was said of it and into it, by id."""
    told: dict[str, Aside] = {}
    for speech in numbers.speeches:
        if speech.is_absent:
            continue
        told[speech.id] = Aside(
            score=_score(speech.evaluation),
            states=tuple(_states(numbers, speech)),
            facts=tuple(_facts(speech)),
        )
        told |= _around(speech)
    return told


def _score(evaluation: Evaluation | None) -> str:
    return f"{evaluation.adherence} of {MOST_ADHERENCE}" if evaluation else ""


def _states(numbers: Numbers, speech: Speech) -> Iterator[str]:
    if speech.interruption:
        yield INTERRUPTED
    if speech.interjection:
        yield CALLED_TO_ORDER
    if speech.evaluation and speech.evaluation.violation:
        yield VIOLATION
    if speech.evaluation is None and not numbers.is_relaxed:
        yield NOT_EVALUATED


def _facts(speech: Speech) -> Iterator[tuple[str, str]]:
    if told := speech.evaluation:
        yield "Adherence", f"{_score(told)} ({reference(told.id)}): {inline(points(told))}"
        if told.violation:
            yield "Violation", inline(plain(told.violation))
    if speech.interjection:
        yield "Called to order", reference(speech.interjection)
    if cut := speech.interruption:
        yield "Interrupted by", f"{cut.by} ({reference(cut.id)}): {inline(of_cut_in(cut))}"
        yield "Reply", reference(speech.reply) if speech.reply else "none on record"
    if speech.floor:
        yield "Moderator", f"{inline(of_floor(speech.floor))} ({reference(speech.floor.id)})"


def _around(speech: Speech) -> Iterator[tuple[str, Aside]]:
    """Yield what is told of the entries about a speech."""
    of = ("Of", reference(speech.id))
    if told := speech.evaluation:
        states = (VIOLATION,) if told.violation else ()
        yield told.id, Aside(score=_score(told), states=states, facts=(of,))
    if speech.floor:
        yield speech.floor.id, Aside(facts=(of,))
    if speech.interjection:
        yield speech.interjection, Aside(facts=(of,))
    if cut := speech.interruption:
        yield cut.id, _of_cut_in(speech, cut)
    if speech.reply and speech.interruption:
        yield speech.reply, Aside(facts=(("Answers", reference(speech.interruption.id)),))


def _of_cut_in(speech: Speech, cut: CutIn) -> Aside:
    reply = reference(speech.reply) if speech.reply else "none on record"
    facts = (
        ("Cuts into", reference(speech.id)),
        ("Why", inline(of_cut_in(cut))),
        ("Reply", reply),
    )
    return Aside(states=(ANSWERED if speech.reply else UNANSWERED,), facts=facts)
