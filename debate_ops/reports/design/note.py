"""The decision note of a design debate: five lines, from the solution and the critiques."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.design.names import FULL, MAJOR, REJECTED
from debate_ops.reports.design import words
from debate_ops.reports.design.numbers import Critique, Numbers, Point, Text, tally
from debate_ops.reports.markdown import quoted, reference
from debate_ops.reports.parts import Line, Note
from debate_ops.reports.phrases import CHANGES, QUOTE, UNANSWERED, VERDICT, some
from debate_ops.reports.sentences import first
from debate_ops.reports.text import capitalised, counted, inline, shorten

_WHY = 130
_CORE = 200


def note(numbers: Numbers) -> Note:
    """Return the decision note; it says where the record has nothing to tell."""
    return (
        Line(VERDICT, _verdict(numbers)),
        Line("Core of the solution", _core(numbers)),
        Line("Not taken", _alternative(numbers)),
        Line(UNANSWERED, " ".join(_unanswered(numbers))),
        Line(CHANGES, _changes(numbers)),
    )


def _verdict(numbers: Numbers) -> str:
    link = f" ({reference(numbers.synthesis.id)})" if numbers.synthesis else ""
    return f"**{inline(words.result(numbers))}**{link}. {' '.join(_why(numbers))}"


def _why(numbers: Numbers) -> Iterator[str]:
    """Yield what ended the debate and who judged; what is unmet has a line of its own."""
    if numbers.synthesis:
        yield f"{words.stopped(numbers)}."
        yield inline(shorten(words.judge(numbers), _WHY))
    else:
        yield from (inline(shorten(told, _WHY)) for told in words.why(numbers))


def _core(numbers: Numbers) -> str:
    found = numbers.synthesis
    if found is None:
        return "No solution is on record."
    core = first(found.solution)
    return quoted(core, _CORE) if core else "The solution has no sentence to quote."


def _alternative(numbers: Numbers) -> str:
    """Return which text says to meet the most requirements: by its author's word, not a rank."""
    unranked = "The judge ranks no text."
    if not numbers.current:
        return "No text is on record." if numbers.synthesis is None else unranked
    if not numbers.requirements:
        links = [reference(text.id) for text in numbers.current]
        return f"{unranked} The last ones are {some(links)}."
    most = max(map(fully_met, numbers.current))
    best = [text for text in numbers.current if fully_met(text) == most]
    links = [f"{reference(text.id)} by {text.author}" for text in best]
    total = counted(len(numbers.requirements), "requirement")
    own = "says of itself" if len(best) == 1 else "say of themselves"
    return f"{unranked} {some(links)} {own} to meet the most: {most} of {total}."


def fully_met(text: Text) -> int:
    """Return how many requirements a text says to meet fully."""
    return sum(covered.coverage == FULL for covered in text.covered)


def _unanswered(numbers: Numbers) -> Iterator[str]:
    if numbers.synthesis and numbers.requirements:
        yield inline(words.unmet(numbers))
    if numbers.critiques:
        _, rejected, open_ = tally(numbers.critiques)
        yield (
            f"Points of critique that nobody answered: {open_ or 'none'}; that only those "
            f"criticised rejected: {rejected or 'none'}."
        )
    silent = [each for each in numbers.questions if not each.answer_id]
    if silent:
        yield f"Questions without an answer: {some([reference(q.id) for q in silent])}."
    if numbers.synthesis and numbers.synthesis.open_questions:
        number = counted(len(numbers.synthesis.open_questions), "question")
        yield f"The judge leaves {number} open."
    if not numbers.critiques and not numbers.synthesis:
        yield "Nothing has been criticised yet."


def _changes(numbers: Numbers) -> str:
    if numbers.debate.state.phase == CANCELLED:
        return "Nothing any more: the debate was cancelled."
    if not numbers.is_over:
        return "Everything still can: the debate is not over."
    unmet = numbers.synthesis.unmet if numbers.synthesis else ()
    gravest = sorted(
        (r for r in numbers.requirements if r.id in unmet), key=lambda r: r.level != MAJOR
    )
    if gravest:
        worst = gravest[0]
        told = f"Meeting {inline(worst.id)} ({inline(worst.level)}), which the judge calls unmet"
        return f"{told}: {quoted(worst.text, QUOTE)}"
    if found := standing(numbers):
        critique, point = found
        state = "rejected by the author" if point.verdict else "never answered"
        where = f"point {point.number} ({inline(point.level)}) of {reference(critique.id)}"
        return f"{capitalised(where)}, {state}: {quoted(point.text, QUOTE)}"
    return "Nothing that is on record: no requirement is unmet, and every point was accepted."


def standing(numbers: Numbers) -> tuple[Critique, Point] | None:
    """Return the gravest point of a critique that stands: not answered, else rejected.

    Of several the newest; None where every point was accepted.
    """
    every = [(critique, point) for critique in numbers.critiques for point in critique.points]
    left = [pair for pair in every if pair[1].verdict in {"", REJECTED}]
    if not left:
        return None
    return max(
        left, key=lambda pair: (pair[1].verdict == "", pair[1].level == MAJOR, pair[0].exchange)
    )
