"""What the numbers say, in sentences: who is ahead, what became of attacks, what pictures show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from debate_ops.reports.exchange.kind import SIDES, place_of, span_of
from debate_ops.reports.exchange.numbers import Numbers, Round, Standing, lead
from debate_ops.reports.phrases import of_each
from debate_ops.reports.text import counted, joined, score
from debate_ops.semantics.flow import Answer, Attack, Flow, State, live_drops

_FEW = 3


def result(numbers: Numbers) -> str:
    """Return the totals, as `Proposition +0.85, …`, or that there are none yet."""
    if not numbers.judged:
        return "Not judged yet"
    sides = SIDES.items()
    totals = ", ".join(f"{name} {score(numbers.totals[side])}" for side, name in sides)
    return totals[0].upper() + totals[1:]


def standing(numbers: Numbers) -> str:
    """Return who is ahead and by how much, as a clause."""
    if not numbers.judged:
        return "no exchange has been judged yet"
    return in_points(lead(numbers.totals))


def in_points(by: int, would_be: str = "") -> str:
    """Return whose a lead in thousandths is, and how large, as a clause."""
    return ahead(by, score(abs(by)).removeprefix("+"), would_be)


def ahead(by: float, size: str, would_be: str = "") -> str:
    """Return whose a lead is and how large, as a clause; one above 0 is the first side's.

    `size` is the lead as readers see it; `would_be` stands in the place of the verb.
    """
    if not size.strip("0."):
        return f"the sides {would_be or 'are'} level"
    names = list(SIDES.values())
    return f"the {names[0] if by > 0 else names[1]} {would_be or 'is'} ahead by {size}"


# ---------------------------------------------------------------- attacks


def tallied(flow: Flow) -> str:
    """Return how many attacks there are of each outcome, as a clause."""
    each = of_each(flow.outcomes())
    return f"{counted(len(flow.attacks), 'attack')}{each and ': '}{each}"


def outcome(attack: Attack, name: Callable[[str], str] = str) -> str:
    """Return what became of an attack: how it was answered, by what, or that it was not."""

    def named(ids: Iterable[str]) -> str:
        return joined([name(id_) for id_ in ids])

    if attack.state is State.ANSWERED:
        ways = zip(Answer, (attack.defended_by, attack.conceded_by), strict=True)
        return ", ".join(f"{way.value} by {named(ids)}" for way, ids in ways if ids)
    if attack.state is State.NOT_MET:
        return f"{attack.state.value} (only counter-attacked, by {named(attack.countered_by)})"
    return attack.state.value


# ---------------------------------------------------------------- pictures


def extremes(numbers: Numbers) -> str:
    """Return the highest and the lowest score, short enough for the head of a picture."""
    if not numbers.scored:
        return "Not judged yet"
    scores = [s.history[-1].score for s in numbers.scored]
    highest, lowest = (
        _named([s for s in numbers.scored if s.score == end]) for end in (max(scores), min(scores))
    )
    return f"Highest: {highest}. Lowest: {lowest}."


def _named(standings: Sequence[Standing]) -> str:
    number = len(standings)
    who = standings[0].argument.id if number == 1 else counted(number, "argument")
    return f"{score(standings[0].score)} ({who})"


def lead_alt(numbers: Numbers) -> str:
    """Return what the first picture shows, for those who do not see it."""
    if not numbers.judged:
        return "The lead by exchange: no exchange has been judged yet."
    signs = [by > 0 for r in numbers.judged if (by := lead(r.totals))]
    turns = sum(a != b for a, b in pairwise(signs))
    hands = f"changed hands {counted(turns, 'time')}" if turns else "never changed hands"
    return f"The lead by exchange: {standing(numbers)} after {_span(numbers)}. The lead {hands}."


def _span(numbers: Numbers) -> str:
    """Return how much has been judged: `the opening and 4 exchanges, 14 arguments`."""
    judged, scored = numbers.judged, counted(len(numbers.scored), "argument")
    left_out = [r for r in numbers.rounds if r.exchange < judged[-1].exchange and not r.judged]
    if not left_out:
        return f"{span_of(len(judged))}, {scored}"
    return f"{_place(judged[-1])} (without a judgment of {_places(left_out)})"


def _places(rounds: Sequence[Round]) -> str:
    names = [_place(r) for r in rounds]
    return joined(names) if len(names) <= _FEW else counted(len(names), "exchange")


def _place(of: Round) -> str:
    place = place_of(of.exchange)
    return place if of.exchange else f"the {place}"


def scores_alt(numbers: Numbers) -> str:
    """Return what the second picture shows, for those who do not see it."""
    scored, total = len(numbers.scored), len(numbers.standings)
    if not scored:
        return f"Score of each argument: none of {total} has been scored yet."
    changed = [f"{s.argument.id} {_course(s)}" for s in numbers.scored if s.rescores]
    what = joined(changed) if len(changed) <= _FEW else counted(len(changed), "score")
    waiting = f" {counted(total - scored, 'argument')} not scored." if scored < total else ""
    each = f"Score of each of {counted(scored, 'argument')}. {extremes(numbers)}"
    return f"{each} Changed afterwards: {what or 'none'}.{waiting}"


def _course(standing: Standing) -> str:
    steps = len(standing.rescores)
    ends = f"from {score(standing.history[0].score)} to {score(standing.score)}"
    return f"{ends} in {steps} steps" if steps > 1 else ends


def flow_result(numbers: Numbers) -> str:
    """Return what became of the attacks, short enough for the head of a picture."""
    return tallied(numbers.flow) if numbers.standings else "No arguments yet"


def map_alt(numbers: Numbers) -> str:
    """Return what the map shows, for those who do not see it."""
    if not numbers.standings:
        return "Map of the debate: no arguments yet."
    drops = dict.fromkeys(f"{a.attacker} on {a.target}" for a in live_drops(numbers.attacks))
    return (
        f"Map of {counted(len(numbers.standings), 'argument')} with {flow_result(numbers)}. "
        f"Dropped: {_few([*drops], 'pair')}. "
        f"Never attacked: {_few([*numbers.never_attacked], 'argument')}."
    )


def _few(ids: list[str], noun: str) -> str:
    return (joined(ids) if len(ids) <= _FEW else counted(len(ids), noun)) or "none"
