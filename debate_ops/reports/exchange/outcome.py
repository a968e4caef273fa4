"""The outcome of a debate of the protocol exchange: the verdict so far."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.reports.document import document, listed
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.text import score


def outcome(told: Numbers) -> str:
    """Return the totals and every score; empty while nothing has been judged."""
    return document("Verdict so far", _sections(told)) if told.judged else ""


def _sections(told: Numbers) -> Iterator[tuple[str, str]]:
    so_far = f"{words.result(told)} after {words.span(told)}; {words.standing(told)}."
    parts = [so_far, words.judges(told), words.under_way(told)]
    yield "", "\n\n".join(filter(None, parts))
    scores = (f"{s.argument.id}, {score(s.score)}: {s.argument.title}" for s in told.standings)
    yield "Scores", listed(scores)
