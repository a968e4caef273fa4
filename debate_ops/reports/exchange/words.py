"""What the numbers say, in sentences: the verdict, who judged, and what a picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from debate_ops.reports.exchange.flow_words import pairs, tallied
from debate_ops.reports.exchange.numbers import Numbers, Round, Standing, lead
from debate_ops.reports.text import counted, joined, score
from debate_ops.semantics.flow import live_drops

_FEW = 3


def result(numbers: Numbers) -> str:
    """Return the totals, as `Proposition +0.85, …`, or that there are none yet."""
    if not numbers.judged:
        return "Not judged yet"
    return ", ".join(
        f"{name.capitalize() if place == 0 else name} {score(numbers.totals[side])}"
        for place, (side, name) in enumerate(numbers.kind.sides.items())
    )


def extremes(numbers: Numbers) -> str:
    """Return the highest and the lowest score, short enough for the head of a picture."""
    if not numbers.scored:
        return "Not judged yet"
    best, worst = strongest(numbers.scored), weakest(numbers.scored)
    return f"Highest: {_named(best)}. Lowest: {_named(worst)}."


def standing(numbers: Numbers) -> str:
    """Return who is ahead and by how much, as a clause."""
    if not numbers.judged:
        return "no exchange has been judged yet"
    return in_points(numbers, lead(numbers.totals))


def in_points(numbers: Numbers, by: int, would_be: str = "") -> str:
    """Return whose a lead in thousandths is, and how large, as a clause."""
    return ahead(numbers, by, score(abs(by)).removeprefix("+"), would_be)


def ahead(numbers: Numbers, by: float, told: str, would_be: str = "") -> str:
    """Return whose a lead is and how large, as a clause; one above 0 is the first side's.

    `told` is the lead as readers see it; `would_be` stands in the place of the verb.
    """
    if not told.strip("0."):
        return f"the sides {would_be or 'are'} level"
    names = list(numbers.kind.sides.values())
    return f"the {names[0] if by > 0 else names[1]} {would_be or 'is'} ahead by {told}"


def span(numbers: Numbers) -> str:
    """Return how much has been judged: `the opening and 4 exchanges, 14 arguments`."""
    judged, scored = numbers.judged, counted(len(numbers.scored), "argument")
    left_out = [r for r in numbers.rounds if r.exchange < judged[-1].exchange and not r.judged]
    if not left_out:
        return f"{numbers.kind.span(len(judged))}, {scored}"
    missing = f"without a judgment of {_places(numbers, left_out)}"
    return f"{named(numbers, judged[-1].exchange)} ({missing}), {scored}"


def named(numbers: Numbers, exchange: int) -> str:
    """Return an exchange as a sentence names it: `the opening`, `exchange 3`."""
    place = numbers.kind.place(exchange)
    return place if place[-1].isdigit() else f"the {place}"


def lead_alt(numbers: Numbers) -> str:
    """Return what the first picture shows, for those who do not see it."""
    if not numbers.judged:
        return "The lead by exchange: no exchange has been judged yet."
    return (
        f"The lead by exchange: {standing(numbers)} after {span(numbers)}. {_lead_changes(numbers)}"
    )


def scores_alt(numbers: Numbers) -> str:
    """Return what the second picture shows, for those who do not see it."""
    scored = numbers.scored
    if not scored:
        return f"Score of each argument: none of {len(numbers.standings)} has been scored yet."
    waiting = len(numbers.standings) - len(scored)
    return (
        f"Score of each of {counted(len(scored), 'argument')}. {extremes(numbers)} "
        + _changed([s for s in scored if s.rescores])
        + (f" {counted(waiting, 'argument')} not scored." if waiting else "")
    )


def strongest(scored: Sequence[Standing]) -> list[Standing]:
    """Return the arguments with the highest score."""
    top = max(s.history[-1].score for s in scored)
    return [s for s in scored if s.score == top]


def weakest(scored: Sequence[Standing]) -> list[Standing]:
    """Return the arguments with the lowest score."""
    bottom = min(s.history[-1].score for s in scored)
    return [s for s in scored if s.score == bottom]


def _named(standings: Sequence[Standing]) -> str:
    number = len(standings)
    who = standings[0].argument.id if number == 1 else counted(number, "argument")
    return f"{score(standings[0].score)} ({who})"


def _changed(changed: Sequence[Standing]) -> str:
    if not changed:
        return "No score was changed afterwards."
    ids = [f"{s.argument.id} {_course(s)}" for s in changed]
    if len(ids) > _FEW:
        return f"{len(ids)} scores were changed afterwards."
    return f"Changed afterwards: {joined(ids)}."


def _course(standing: Standing) -> str:
    steps = len(standing.rescores)
    told = f"from {score(standing.history[0].score)} to {score(standing.score)}"
    return f"{told} in {steps} steps" if steps > 1 else told


def _lead_changes(numbers: Numbers) -> str:
    leads = [lead(r.totals) for r in numbers.judged]
    signs = [1 if ahead > 0 else -1 for ahead in leads if ahead]
    turns = sum(a != b for a, b in pairwise(signs))
    if len(leads) == 1:
        return "That is one exchange."
    return (
        "The lead never changed hands."
        if turns == 0
        else f"The lead changed hands {_times(turns)}."
    )


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _places(numbers: Numbers, rounds: Sequence[Round]) -> str:
    names = [named(numbers, r.exchange) for r in rounds]
    return joined(names) if len(names) <= _FEW else counted(len(names), "exchange")


def flow_result(numbers: Numbers) -> str:
    """Return what became of the attacks, short enough for the head of a picture."""
    return tallied(numbers.flow) if numbers.standings else "No arguments yet"


def map_alt(numbers: Numbers) -> str:
    """Return what the map shows, for those who do not see it."""
    if not numbers.standings:
        return "Map of the debate: no arguments yet."
    untouched = [*numbers.never_attacked]
    return (
        f"Map of {counted(len(numbers.standings), 'argument')} with {flow_result(numbers)}. "
        f"{_dropped(numbers)} Never attacked: {_ids(untouched, 'argument')}."
    )


def _dropped(numbers: Numbers) -> str:
    return f"Dropped: {_ids(pairs(live_drops(numbers.attacks)), 'pair')}."


def _ids(told: list[str], noun: str) -> str:
    return (joined(told) if len(told) <= _FEW else counted(len(told), noun)) or "none"
