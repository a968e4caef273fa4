"""What the page tells of a text of a debate of chairs: its adherence, and what was said into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.reports.blocks import Line, Ref, line
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
from debate_ops.reports.record import Note

INTERRUPTED, CALLED_TO_ORDER, FOUL = "interrupted", "called to order", "foul"
ANSWERED, UNANSWERED, NOT_EVALUATED = "answered", "unanswered", "not evaluated"
"""Words to filter by."""

Facts = Iterator[tuple[str, tuple[Line, ...]]]


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return what is told of each speech, and of what was said of it and into it, by id."""
    by_id: dict[str, Note] = {}
    for speech in numbers.speeches:
        if speech.is_absent:
            continue
        by_id[speech.id] = Note(
            score=_score(speech.evaluation),
            states=tuple(_states(numbers, speech)),
            facts=tuple(_facts(speech)),
        )
        by_id |= _around(speech)
    return by_id


def _score(evaluation: Evaluation | None) -> str:
    return f"{evaluation.adherence} of {MOST_ADHERENCE}" if evaluation else ""


def _states(numbers: Numbers, speech: Speech) -> Iterator[str]:
    if speech.interruption:
        yield INTERRUPTED
    if speech.interjection:
        yield CALLED_TO_ORDER
    if speech.evaluation and speech.evaluation.violation:
        yield FOUL
    if speech.evaluation is None and not numbers.is_relaxed:
        yield NOT_EVALUATED


def _facts(speech: Speech) -> Facts:
    if evaluation := speech.evaluation:
        score = _score(evaluation)
        yield "Adherence", (line(f"{score} (", Ref(evaluation.id), f"): {points(evaluation)}"),)
        if evaluation.violation:
            yield "Foul", (line(plain(evaluation.violation)),)
    if speech.interjection:
        yield "Called to order", (line(Ref(speech.interjection)),)
    if cut := speech.interruption:
        yield "Interrupted by", (line(f"{cut.by} (", Ref(cut.id), f"): {of_cut_in(cut)}"),)
        yield "Reply", (_reply(speech),)
    if speech.floor:
        yield "Moderator", (line(f"{of_floor(speech.floor)} (", Ref(speech.floor.id), ")"),)


def _reply(speech: Speech) -> Line:
    return line(Ref(speech.reply)) if speech.reply else line("none on record")


def _around(speech: Speech) -> Iterator[tuple[str, Note]]:
    """Yield what is told of the entries about a speech."""
    of = ("Of", (line(Ref(speech.id)),))
    if evaluation := speech.evaluation:
        states = (FOUL,) if evaluation.violation else ()
        yield evaluation.id, Note(score=_score(evaluation), states=states, facts=(of,))
    if speech.floor:
        yield speech.floor.id, Note(facts=(of,))
    if speech.interjection:
        yield speech.interjection, Note(facts=(of,))
    if cut := speech.interruption:
        yield cut.id, _of_cut_in(speech, cut)
    if speech.reply and speech.interruption:
        answers = (line(Ref(speech.interruption.id)),)
        yield speech.reply, Note(facts=(("Answers", answers),))


def _of_cut_in(speech: Speech, cut: CutIn) -> Note:
    facts = (
        ("Cuts into", (line(Ref(speech.id)),)),
        ("Why", (line(of_cut_in(cut)),)),
        ("Reply", (_reply(speech),)),
    )
    return Note(states=(ANSWERED if speech.reply else UNANSWERED,), facts=facts)
