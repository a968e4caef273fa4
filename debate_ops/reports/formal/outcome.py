"""The outcome of a formal debate: the judge's ballot, as it stands on record."""

from __future__ import annotations

from debate_ops.reports.document import document
from debate_ops.reports.formal import words
from debate_ops.reports.formal.numbers import Numbers


def outcome(told: Numbers) -> str:
    """Return the ballot; empty while there is none."""
    ballot = told.ballot
    if ballot is None:
        return ""
    points = f"Speaker points: {words.points(told, ballot)}."
    facts = "\n\n".join([f"{words.result(told)}.", points, words.judge(told)])
    return document("Ballot", [("", facts), ("Reasons", ballot.reasons)])
