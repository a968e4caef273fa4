"""What a debate of chairs came to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.chairs.names import FLOOR
from debate_ops.reports import made
from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.chairs.transcript import kind_of
from debate_ops.reports.text import capitalised, counted

NOBODY_WINS = "Nobody wins such a debate."
RELAXED = "Nobody was evaluated: accountability is relaxed."
DASH = "\N{EN DASH}"
"""Where there was nothing to judge: that is not the same as a zero."""


def state(numbers: Numbers) -> str:
    """Return how far the debate is."""
    if numbers.debate.state.phase == CANCELLED:
        return "Cancelled"
    return "Completed" if numbers.is_over else "Not completed"


def why(numbers: Numbers) -> Iterator[str]:
    """Yield what a reader should know of that result."""
    if numbers.transcript.partial:
        told = numbers.transcript.partial
        yield f"{capitalised(told)}."
    if numbers.cancelled:
        yield numbers.cancelled
    yield NOBODY_WINS
    yield RELAXED if numbers.is_relaxed else evaluator(numbers)


def evaluator(numbers: Numbers) -> str:
    """Return who evaluated, and that nobody has evaluated it again."""
    told = numbers.evaluator
    return made.alone("evaluator", told) if told else "No speech has been evaluated."


def rate(number: int | None, unit: str = "") -> str:
    """Return a rate, or a dash where there was nothing to judge."""
    return DASH if number is None else f"{number}{unit}"


def floor(numbers: Numbers) -> str:
    """Return how often the moderator was asked, and what came of it."""
    told = [s.floor for s in numbers.speeches if s.floor]
    silent = sum(kind_of(absence.id) == FLOOR for absence in numbers.absences)
    if not told and not silent:
        return "The moderator was never asked who would cut in."
    asked = counted(len(told) + silent, "speech", "speeches")
    question = f"The moderator was asked after {asked} who would cut in"
    if not told:
        return f"{question}, and no reply is on record."
    replied = f", and replied after {len(told)}" if silent else ""
    wanted = sum(floor.interrupts for floor in told)
    granted = sum(floor.granted for floor in told)
    return f"{question}{replied}: somebody would have after {wanted}, and was let after {granted}."
