"""The decision note of a debate of chairs: five lines, from the evaluations and the closing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from debate_ops.protocols.chairs.statistics import ChairStatistics
from debate_ops.reports.chairs import words
from debate_ops.reports.chairs.numbers import Numbers, Speech
from debate_ops.reports.chairs.reactions import MOST_ADHERENCE, plain
from debate_ops.reports.markdown import quoted, reference
from debate_ops.reports.parts import Line, Note
from debate_ops.reports.phrases import CHANGES, FEW, QUOTE, UNANSWERED, VERDICT, some
from debate_ops.reports.sentences import sentences
from debate_ops.reports.text import counted, inline, joined, shorten

_WHY = 160
_SHORT_QUOTE = 80
_BEST = re.compile(r"\b(?:best|strongest)\b", re.IGNORECASE)
_ASKS = re.compile(r"[?？][\"”’')]*$")  # noqa: RUF001  (the mark of other scripts)
_NOT_RIGHT = "It tells how they spoke, not who is right."


def note(numbers: Numbers) -> Note:
    """Return the decision note; it says where the record has nothing to tell."""
    return (
        Line(VERDICT, _verdict(numbers)),
        Line("Best points", _best_points(numbers)),
        Line("Adherence", _adherence(numbers)),
        Line(UNANSWERED, " ".join(_unanswered(numbers)) or _not_on_record(numbers)),
        Line(CHANGES, _changes(numbers)),
    )


def _verdict(numbers: Numbers) -> str:
    why = " ".join(inline(shorten(told, _WHY)) for told in words.why(numbers))
    return f"**{inline(words.result(numbers))}.** {why}"


def _best_points(numbers: Numbers) -> str:
    closing = numbers.closing
    if closing is None:
        return "Not on record: the arbiter, who names them, has not closed the debate."
    link = reference(closing.id)
    found = {chair.name: best_of(closing.text, chair.name) for chair in numbers.chairs}
    told = [f"{name}: {quoted(best, _SHORT_QUOTE)}" for name, best in found.items() if best]
    if not told or len(told) > FEW:
        return f"The arbiter alone names them, in {link}."
    return f"{'; '.join(told)} (the arbiter, in {link})."


def best_of(closing: str, chair: str) -> str:
    """Return the sentence of a closing that names a chair and its best point; empty for none.

    The arbiter is asked for each chair's best point, in prose: what does not say so is not taken.
    """
    name = re.compile(rf"(?<!\w){re.escape(chair)}(?!\w)", re.IGNORECASE)
    told = (s for s in sentences(closing) if name.search(s) and _BEST.search(s))
    return next(told, "")


def _adherence(numbers: Numbers) -> str:
    if numbers.is_relaxed:
        return "Nobody was asked to evaluate."
    ranked = _ranked(numbers)
    if not ranked:
        return "Not on record: no speech has been evaluated."
    top = [c for c in ranked if c.adherence == ranked[0].adherence]
    rest = [f"{c.name} {c.adherence}" for c in ranked[len(top) :]]
    against = f", against {some(rest)}" if rest else ""
    spoken = _best_speech(numbers, [c.name for c in top])
    names = joined([c.name for c in top])
    told = f"{names} {top[0].adherence} of {MOST_ADHERENCE}{against}"
    return f"{told}; best in {spoken}. {_NOT_RIGHT}"


def _ranked(numbers: Numbers) -> list[ChairStatistics]:
    """Return the chairs that were evaluated, the highest adherence first."""
    told = [chair for chair in numbers.statistics.chairs if chair.adherence is not None]
    return sorted(told, key=lambda chair: -(chair.adherence or 0))


def _best_speech(numbers: Numbers, names: Sequence[str]) -> str:
    own = [(s, s.evaluation) for s in numbers.speeches if s.chair in names and s.evaluation]
    speech, told = max(own, key=lambda pair: pair[1].adherence)
    return f"{reference(speech.id)} ({told.adherence})"


def _unanswered(numbers: Numbers) -> Iterator[str]:
    if numbers.closing and (asked := open_question(numbers.closing.text)):
        yield f"The arbiter leaves open: {quoted(asked, QUOTE)}"
    silent = [s for s in numbers.speeches if s.interruption and not s.reply]
    if silent:
        yield f"No reply to {_links([s.interruption.id for s in silent if s.interruption])}."
    elif numbers.cut_ins:
        yield "Every interruption has its reply."
    violated = [s for s in numbers.speeches if s.evaluation and s.evaluation.violation]
    if violated:
        yield f"Found wanting: {_violations(violated)}."
    missing = [s for s in numbers.speeches if s.is_absent]
    if missing:
        yield f"Not given: {counted(len(missing), 'speech', 'speeches')}."


def _not_on_record(numbers: Numbers) -> str:
    told = "Which points nobody took up is not on record as data"
    return f"{told}; see {reference(numbers.closing.id)}." if numbers.closing else f"{told}."


def open_question(closing: str) -> str:
    """Return the question with which a closing ends; empty for none.

    The last paragraph is asked to be the thanks: a question before it goes first.
    """
    paragraphs = [sentences(paragraph) for paragraph in closing.split("\n\n")]
    asked = [[s for s in told if _ASKS.search(s)] for told in paragraphs]
    found = next(filter(None, reversed(asked[:-1])), None) or asked[-1]
    return found[0] if found else ""


def _violations(violated: Sequence[Speech]) -> str:
    told = [
        f"{reference(s.id)} ({inline(plain(s.evaluation.violation))})"
        for s in violated
        if s.evaluation
    ]
    return some(told)


def _links(ids: Sequence[str]) -> str:
    return some([reference(i) for i in ids])


def _changes(numbers: Numbers) -> str:
    if not numbers.is_over:
        return "Everything still can: the debate is not over."
    told = ["No verdict can change: there is none."]
    if numbers.closing:
        link = reference(numbers.closing.id)
        told.append(f"The arbiter was asked what the answer depends on: {link}.")
    if number := numbers.statistics.evaluations:
        of = counted(number, "evaluation")
        told.append(f"The adherence rests on {of} by one evaluator.")
    return " ".join(told)
