"""What a design debate came to, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.design.names import (
    BY_CONFIDENCE,
    BY_COUNT,
    BY_NOTHING_NEW,
    COVERAGES,
    FULL,
    JUDGE,
    MAJOR,
)
from debate_ops.reports import made
from debate_ops.reports.design.numbers import Numbers, tally
from debate_ops.reports.text import capitalised, counted, joined, shorten

DASH = "\N{EN DASH}"
NO_REQUIREMENTS = "None are on record."
NO_COVERAGE = "There are no requirements, or no text that says how it meets them, yet."
_TITLE = 90
_NAMED = 4
"""So many names fit into a heading."""


def result(numbers: Numbers) -> str:
    """Return what came of the debate in a few words, for the head of the page."""
    if numbers.synthesis:
        title = shorten(numbers.synthesis.title, _TITLE)
        named = f"The solution: {title}" if title else "A solution"
        return f"{named} (confidence {numbers.synthesis.confidence} of 100)"
    if numbers.debate.state.phase == CANCELLED:
        return "Cancelled: no solution"
    return "Completed, without a solution" if numbers.is_over else "Not completed"


def why(numbers: Numbers) -> Iterator[str]:
    """Yield what a reader should know of that result, a sentence each."""
    if numbers.transcript.partial:
        told = numbers.transcript.partial
        yield f"{capitalised(told)}."
    elif numbers.cancelled:
        yield numbers.cancelled
    elif numbers.synthesis is None:
        yield "The judge was to write the solution and did not."
    else:
        yield f"{stopped(numbers)}."
        yield unmet(numbers)
        yield judge(numbers)


def stopped(numbers: Numbers) -> str:
    """Return what ended the exchanges."""
    held = counted(numbers.exchange, "exchange")
    by = numbers.synthesis.stopped_by if numbers.synthesis else ""
    threshold = numbers.debate.settings["stop_at_confidence"]
    return {
        BY_COUNT: f"The debate ended after {held}, which is the limit",
        BY_CONFIDENCE: f"The debate ended after {held}: the judge's confidence reached {threshold}",
        BY_NOTHING_NEW: f"The debate ended after {held}: nothing new came, no point was accepted",
    }.get(by, f"The debate ended after {held}")


def unmet(numbers: Numbers) -> str:
    """Return which requirements the judge says are unmet."""
    names = numbers.synthesis.unmet if numbers.synthesis else ()
    if not names:
        return "No requirement is unmet, by the judge's word."
    major = sum(r.level == MAJOR and r.id in names for r in numbers.requirements)
    level = f", {major} of them major" if major else ", none of them major"
    return f"Unmet: {joined(list(names))}{level}."


def judge(numbers: Numbers) -> str:
    """Return who judged, and that nobody has judged it again."""
    return made.alone("judge", next(m for m in numbers.made if m.participant == JUDGE))


def points(numbers: Numbers) -> str:
    """Return how many points were made, and what came of them."""
    total = sum(len(critique.points) for critique in numbers.critiques)
    accepted, rejected, open_ = tally(numbers.critiques)
    told = [f"{accepted} accepted", f"{rejected} rejected"]
    told += [f"{open_} not answered"] if open_ else []
    return f"{counted(total, 'point')}: {', '.join(told)}" if total else "No points were made"


def critiques_alt(numbers: Numbers) -> str:
    """Return what the first picture shows, for those who do not see it."""
    if not numbers.critiques:
        return "Who criticised whom: there are no critiques."
    told = points(numbers)
    return f"Who criticised whom: {counted(len(numbers.critiques), 'critique')}. {told}."


def coverage_alt(numbers: Numbers) -> str:
    """Return what the second picture shows, for those who do not see it."""
    if not numbers.requirements or not numbers.current:
        return "Requirements and who meets them: there is nothing to show yet."
    told = []
    for text in numbers.current:
        found = Counter(covered.coverage for covered in text.covered)
        parts = [f"{found[name]} {name}" for name in COVERAGES if found[name]]
        told.append(f"{text.author} {joined(parts) or 'no claims'}")
    number = counted(len(numbers.requirements), "requirement")
    return f"{number}, and how far each text says to meet them: {'; '.join(told)}."


def coverage_of(numbers: Numbers) -> str:
    """Return in a few words what the texts claim, for the head of the picture."""
    total = len(numbers.requirements)
    full = {t.author: sum(c.coverage == FULL for c in t.covered) for t in numbers.current}
    if not full or not total:
        return "Nothing to show yet"
    if len(full) > _NAMED:
        found = sorted(full.values())
        return f"Fully met: {found[0]} to {found[-1]} of {total}, in {len(full)} texts"
    return f"Fully met: {', '.join(f'{name} {number} of {total}' for name, number in full.items())}"
