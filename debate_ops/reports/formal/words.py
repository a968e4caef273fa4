"""What a formal debate came to, in sentences."""

from __future__ import annotations

from debate_ops.model.score import Millis, to_number
from debate_ops.protocols.formal.rules import JUDGE
from debate_ops.reports import made
from debate_ops.reports.formal.numbers import Ballot, Numbers

NOBODY_JUDGED = "Nobody was asked to judge: the record names no winner."


def result(numbers: Numbers) -> str:
    """Return what was decided, or why nothing was, as a sentence."""
    if numbers.ballot:
        return f"The {_name(numbers, numbers.ballot.winner)} wins"
    if numbers.transcript.partial:
        return "Not completed"
    return "Completed, without a winner"


def why(numbers: Numbers) -> str:
    """Return who decided that, or that nobody was asked to, or did."""
    ballot = numbers.ballot
    if ballot:
        low = " The winner has fewer speaker points." if ballot.is_low_point else ""
        return f"{judge(numbers)} Speaker points: {points(numbers, ballot)}.{low}"
    if not numbers.is_judged:
        return NOBODY_JUDGED
    if numbers.transcript.partial:
        return "A judge is to decide at the end."
    return "A judge was to decide and gave no ballot."


def judge(numbers: Numbers) -> str:
    """Return who judged, and that nobody has judged it again."""
    return made.alone("judge", next(m for m in numbers.made if m.participant == JUDGE))


def points(numbers: Numbers, ballot: Ballot) -> str:
    """Return the speaker points, the sides in the order of readers."""
    return ", ".join(
        f"{_name(numbers, side)} {number(given)}" for side, given in ballot.points.items()
    )


def number(thousandths: Millis) -> str:
    """Return speaker points as they were given.

    >>> number(Millis(27500)), number(Millis(28000))
    ('27.5', '28')
    """
    return str(to_number(thousandths))


def _name(numbers: Numbers, side: str) -> str:
    return numbers.names.get(side, side)
