"""The facts that a narrator is given, and the argument texts, as plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from debate_ops.model.entries import Argument
from debate_ops.model.score import signed
from debate_ops.model.texts import one_line
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.flow_words import pairs
from debate_ops.reports.exchange.numbers import Numbers, Round, Standing
from debate_ops.reports.phrases import of_each
from debate_ops.reports.text import NOT_SCORED, counted
from debate_ops.semantics.flow import Reception, State


def facts(numbers: Numbers) -> list[str]:
    """Return the facts, a line each; scores as they may be written."""
    return [
        *_overview(numbers),
        *_rounds(numbers),
        *(line for standing in numbers.standings for line in _standing(numbers, standing)),
        *_attacks(numbers),
        *_absences(numbers),
    ]


def argument_lines(argument: Argument) -> list[str]:
    """Return an argument in full, every text on a line that says what it is."""
    lines = [f"Title: {argument.title}", f"Claim: {argument.claim}"]
    for ground in argument.grounds:
        lines += [f"Ground, from {ground.source}: {ground.content}", f"Why: {ground.relevance}"]
    lines.append(f"Warrant: {argument.warrant}")
    if argument.backing:
        lines.append(f"Backing: {argument.backing}")
    if argument.qualifier:
        lines.append(f"Qualifier: {argument.qualifier}")
    for verb, links in (("Attacks", argument.attacks), ("Defends", argument.defends)):
        lines += [f"{verb} {link.target_id} ({link.type}): {link.content}" for link in links]
    return lines


def _overview(numbers: Numbers) -> Iterator[str]:
    if label := words.replay(numbers):
        yield f"This is {label}."
    yield f"Arguments on record: {len(numbers.standings)}, of which scored: {len(numbers.scored)}."
    if not numbers.judged:
        yield "No exchange has been judged yet."
        return
    yield f"Judged so far: {words.span(numbers)}. {words.judges(numbers)}"
    totals = ", ".join(
        f"{name} {signed(numbers.totals[side])}" for side, name in numbers.kind.sides.items()
    )
    yield f"Totals now: {totals}; {words.standing(numbers)}."
    if waiting := words.under_way(numbers):
        yield waiting


def _rounds(numbers: Numbers) -> Iterator[str]:
    for r in numbers.rounds:
        place = words.named(numbers, r.exchange).capitalize()
        told = "; ".join(_gain(numbers, r, side) for side in numbers.kind.sides)
        yield f"{place}: {told if r.judged else 'not judged'}."


def _gain(numbers: Numbers, r: Round, side: str) -> str:
    rescored = f" (of which {signed(r.rescored[side])} by rescores)" if r.rescored[side] else ""
    name = numbers.kind.sides[side]
    return f"{name} {signed(r.change(side))}{rescored}, total {signed(r.totals[side])}"


def _standing(numbers: Numbers, standing: Standing) -> Iterator[str]:
    argument = standing.argument
    side = numbers.kind.sides.get(argument.side, argument.side)
    place = numbers.kind.place(argument.exchange)
    now = NOT_SCORED if standing.score is None else signed(standing.score)
    yield f"{argument.id} ({side}, {place}), “{one_line(argument.title)}”: {now}."
    for mark in standing.history:
        verb = "scored" if mark is standing.history[0] else "rescored to"
        yield (
            f"  {verb} {signed(mark.score)} in {words.named(numbers, mark.exchange)}; "
            f"the judge: {one_line(mark.reason)}"
        )


def _attacks(numbers: Numbers) -> Iterator[str]:
    states, ways = numbers.flow.tally(), numbers.flow.answers()
    yield f"{counted(len(numbers.attacks), 'attack')}{f': {of_each(states)}' if states else ''}."
    if ways:
        yield f"Of those answered: {of_each(ways)} (one attack may be answered in several ways)."
    for state in (State.NOT_MET, State.DROPPED, State.OPEN, State.NO_TURN):
        if found := pairs(a for a in numbers.attacks if a.state is state):
            yield f"{state.value.capitalize()}: {', '.join(found)}."
    for reception in (Reception.NEVER_ATTACKED, Reception.NOT_YET, Reception.TOO_LATE):
        if ids := numbers.flow.received(reception):
            yield f"{reception.value.capitalize()}: {', '.join(ids)}."


def _absences(numbers: Numbers) -> Iterator[str]:
    for absence in numbers.absences:
        side = numbers.kind.sides.get(absence.participant, absence.participant)
        yield (
            f"{absence.id}: no reply of the {side} in {words.named(numbers, absence.exchange)} "
            f"({absence.how}, by {absence.by}): {one_line(absence.reason)}"
        )


def in_full(standings: Sequence[Standing], characters: int) -> set[str]:
    """Return the ids of the newest arguments whose texts together fit into so many characters."""
    chosen: set[str] = set()
    for standing in reversed(standings):
        characters -= sum(map(len, argument_lines(standing.argument)))
        if characters < 0:
            break
        chosen.add(standing.argument.id)
    return chosen


def said(numbers: Numbers) -> Iterable[str]:
    """Return every text on record that a narrative may quote."""
    framing = numbers.framing
    yield framing.motion
    yield framing.scope
    yield from (f"{item.term}: {item.text}" for item in framing.definitions)
    yield from (item.text for item in framing.context)
    for standing in numbers.standings:
        yield from argument_lines(standing.argument)
        yield from (mark.reason for mark in standing.history)
    yield from (absence.reason for absence in numbers.absences)
