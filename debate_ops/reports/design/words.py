"""What a design debate came to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.protocols.design.names import (
    BY_CONFIDENCE,
    BY_COUNT,
    BY_NOTHING_NEW,
    JUDGE,
    MAJOR,
)
from debate_ops.reports import made
from debate_ops.reports.design.numbers import Numbers, tally
from debate_ops.reports.text import capitalised, counted, joined

DASH = "\N{EN DASH}"


def why(numbers: Numbers) -> Iterator[str]:
    """Yield what a reader should know of that result, a sentence each."""
    if numbers.stops_at:
        told = numbers.stops_at
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
