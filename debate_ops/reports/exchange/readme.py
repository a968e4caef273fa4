"""The page: README.md of a debate folder, from the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.decided import decided
from debate_ops.reports.exchange.kind import MAP, TUG_OF_WAR
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.exchange.phrases import reasons
from debate_ops.reports.exchange.tables import (
    arguments,
    attacks,
    cited_sources,
    rescores,
    rounds,
)
from debate_ops.reports.exchange.what_stands import what_stands
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import making, making_of
from debate_ops.reports.page import graph_of, terms
from debate_ops.reports.parts import Parts, Shown
from debate_ops.reports.phrases import newest

_ARROWS = "Solid arrows attack, dashed arrows defend."
_SCORES = (
    "A score runs from \N{MINUS SIGN}1 to +1 and says how far an argument stands above or below "
    "the others of its exchange, whose scores sum to 0. So only the difference between the sides "
    "counts: a total below 0 does not mean that a side was wrong."
)
_UNBALANCED = (
    "The totals do not mirror each other, because a rescore changes one side's total alone."
)
_CAUTION = "A score is one judge's view of an argument, not proof of what it says."
_LINKED_JUDGMENTS = 40


def parts(given: Given[Numbers], rows: Rows) -> Parts:
    """Yield the parts of the page."""
    numbers = given.told
    yield from _of_the_totals(numbers)
    yield from terms(numbers.framing, rows)
    yield Shown(TUG_OF_WAR, words.tug_of_war_alt(numbers))
    yield from rounds(numbers, rows)
    yield from decided(numbers)
    yield from _map(numbers)
    yield from arguments(numbers, rows)
    yield from attacks(numbers, rows)
    yield from what_stands(numbers, rows)
    yield from rescores(numbers, rows)
    yield from cited_sources(numbers, rows)
    yield from graph_of("attacks and defences", _ARROWS, given.graph)
    more = tuple(_reasons(numbers))
    yield from making(
        making_of(given, lambda absence: numbers.kind.place(absence.exchange), _CAUTION, more=more),
        rows,
    )


def _map(numbers: Numbers) -> Parts:
    """Yield the map, where there is something on it."""
    if numbers.standings:
        yield "## Map of the debate"
        yield Shown(MAP, words.map_alt(numbers))


def _of_the_totals(numbers: Numbers) -> Iterator[str]:
    """Yield what a reader of the totals has to know besides."""
    told = [
        _SCORES if numbers.judged else "",
        _UNBALANCED if sum(numbers.totals.values()) else "",
    ]
    if any(told):
        yield " ".join(filter(None, told))


def _reasons(numbers: Numbers) -> Iterator[str]:
    if numbers.judged:
        shown, more = newest(numbers.judged, _LINKED_JUDGMENTS)
        earlier = f"; {more} earlier ones stand beside them" if more else ""
        yield f"The judge's reasons: {', '.join(reasons(numbers, r) for r in shown)}{earlier}."
