"""A debate of two sides for its readers: what the scores answer, how sure that is: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from math import gcd

from debate_ops.analysis.flow import MISSED, Reception, State
from debate_ops.model.debate import Debate
from debate_ops.model.score import Millis
from debate_ops.protocols.exchange import rules
from debate_ops.protocols.exchange.past import OPP, PROP, stayed_away
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Line, Quiet, line
from debate_ops.reports.exchange import record
from debate_ops.reports.exchange.record import lead_chart
from debate_ops.reports.exchange.scoreboard import (
    CHOICES,
    JUDGE,
    SIDES,
    Scoreboard,
    ahead,
    place_of,
)
from debate_ops.reports.provenance import alone
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Outline
from debate_ops.reports.text import counted, score, shorten, size
from debate_ops.reports.view import Answer, Case, View

ANSWER_RULE = (
    "Two sides argued and one judge scored every argument. The answer leans to a side, "
    "or it is too close to call; a lead in points is one judge's view and no proof. The issues are "
    "the questions on which the sides met."
)

read = Scoreboard
sections = record.sections
sheet = record.sheet
notes = record.notes

_LARGEST_STEP = 50
"""In thousandths: a judge who scores more coarsely still means a lead of more than this."""
_FEW = 3
_CLAIM = 320


def view(board: Scoreboard) -> View:
    """Return what readers are shown of a debate of two sides."""
    shares = {
        a.id: Millis(now if a.side == PROP else -now)
        for a in board.arguments
        if (now := board.scores[a.id]) is not None
    }
    sure = sureness.of(_reasons(board, shares))
    favoured = _leading(board) if sure.level > Level.TOO_CLOSE else ""
    return View(
        content=board.content,
        choices=CHOICES,
        favoured=favoured,
        sureness=sure,
        shares=shares,
        data=dict(_data(board)),
        answer=_answer(board, shares, favoured),
    )


def _reasons(board: Scoreboard, shares: Mapping[str, Millis]) -> Iterator[Reason]:
    if not board.rounds:
        yield Reason("No exchange has been judged", Level.NOT_JUDGED)
        return
    if abs(board.lead) <= smallest_step(board):
        lead = f"The lead of {size(board.lead)} is no more than the judge's smallest step"
        yield Reason(lead if board.lead else "The sides are level", Level.TOO_CLOSE)
    yield from _absent(board)
    if turning := reversing(shares):
        number = f"{len(turning)} of {len(shares)} scores"
        yield Reason(f"{number} would reverse the result if set aside", Level.LOW)
    judge = next(m for m in board.content.made if m.participant == JUDGE)
    yield Reason(alone("judge", judge), Level.MODERATE, is_alone=True)
    if late := _late(board):
        number = f"{late} of {counted(len(board.flow.attacks), 'attack')}"
        yield Reason(f"{number} came too late for a reply", Level.MODERATE)
    yield Reason("Nobody checked the facts that the arguments rest on", Level.MODERATE)


def _leading(board: Scoreboard) -> str:
    """Return the side that is ahead; empty where neither is."""
    return (PROP if board.lead > 0 else OPP) if board.lead else ""


def _is_untested(board: Scoreboard) -> bool:
    """Tell whether the side that is ahead ended the debate by staying away."""
    return _leading(board) in stayed_away(board.debate)


def _absent(board: Scoreboard) -> Iterator[Reason]:
    """Yield what a side that stayed away means for the result: its own lead was left untested."""
    leading = _leading(board)
    if _is_untested(board):
        text = f"It ended because the {SIDES[leading]}, which is ahead, stayed away"
        yield Reason(text, Level.TOO_CLOSE)
    for side, name in SIDES.items():
        if number := board.absent(side):
            which = ", which is ahead," if side == leading else ""
            of = counted(_exchanges(board) + 1, "exchange")
            text = f"The {name}{which} gave no argument in {number} of {of}"
            yield Reason(text, Level.LOW if which else Level.MODERATE)


def _late(board: Scoreboard) -> int:
    """Return how many attacks no reply was possible to, without those that missed anyway."""
    late = (attack for attack in board.flow.attacks if attack.state is State.NO_TURN)
    return sum(attack.effect != MISSED for attack in late)


def smallest_step(board: Scoreboard) -> int:
    """Return the largest amount of which every score is a multiple, or 0.05 if that is less."""
    every = (abs(mark.number) for marks in board.marks.values() for mark in marks)
    return min(reduce(gcd, every, 0) or _LARGEST_STEP, _LARGEST_STEP)


def reversing(shares: Mapping[str, Millis]) -> list[str]:
    """Return the arguments without whose score the other side would be ahead, the largest first."""
    lead = sum(shares.values())
    turning = [i for i, share in shares.items() if lead * (lead - share) < 0]
    return sorted(turning, key=lambda i: -abs(shares[i]))


def _answer(board: Scoreboard, shares: Mapping[str, Millis], favoured: str) -> Answer:
    number = counted(len(board.arguments), "argument")
    quiet = f"two sides, one judge · {_span(board)}, {number}"
    cases = tuple(_case(board, side) for side in CHOICES if board.of(side))
    is_open = bool(board.content.stops_at)
    if not board.rounds:
        why = "nothing has been judged" if board.arguments else "nobody has argued"
        return Answer(quiet, f"No answer{' yet' if is_open else ''}: {why}", cases=cases)
    leans = f"judge leans {'towards' if favoured == PROP else 'against'} the motion"
    leans = f"So far, the {leans}" if is_open else f"The {leans}"
    return Answer(
        quiet=quiet,
        text=leans if favoured else _undecided(board),
        why=tuple(_why(board, favoured)),
        picture=next(iter(lead_chart(board)), None),
        cases=cases,
        turns_on=tuple(_turns_on(board, shares)),
        next_steps=tuple(_next_steps(board, favoured)),
        is_reached=True,
        if_open=_answer(board, shares, "") if favoured else None,
    )


def _undecided(board: Scoreboard) -> str:
    if _is_untested(board):
        return "No result: the side that was ahead stayed away"
    if board.content.stops_at:
        return "Not finished: no side has a clear lead so far"
    return "Too close to call"


def _span(board: Scoreboard) -> str:
    rebuttals = _exchanges(board)
    span = f"the opening and {counted(rebuttals, 'exchange')}" if rebuttals else "the opening"
    absent = [f"{SIDES[s]} absent in {n}" for s in SIDES if (n := board.absent(s))]
    return ", ".join([span, *absent])


def _exchanges(board: Scoreboard) -> int:
    return max((item.entry.exchange for item in board.content.items), default=0)


def _why(board: Scoreboard, favoured: str) -> Iterator[Line]:
    if not favoured and _is_untested(board):
        yield line(f"{ahead(board.lead).capitalize()} points, and left the rest unanswered.")
        return
    if not favoured:
        yield line("The scores name no side that could be called the better one.")
        return
    yield line(f"{ahead(board.lead).capitalize()} points.")


def _case(board: Scoreboard, side: str) -> Case:
    own = [a for a in (*board.scored, *board.arguments) if a.side == side]
    best = next((a for a in own if board.standings[a.id].survives), own[0])
    reception = board.flow.receptions[best.id]
    untested = "" if reception is Reception.ATTACKED else f", {reception.value}"
    number = Quiet(f", score {score(board.scores[best.id])}{untested}")
    lines = (line(shorten(best.claim, _CLAIM)), line(board.named(best.id), number))
    return Case(side, f"Best surviving argument {CHOICES[side]}", lines)


def _turns_on(board: Scoreboard, shares: Mapping[str, Millis]) -> Iterator[Line]:
    for id_ in reversing(shares)[:_FEW]:
        without = ahead(board.lead - shares[id_])
        yield line("If ", board.named(id_), f" is set aside, {without}.")


def _next_steps(board: Scoreboard, favoured: str) -> Iterator[Line]:
    if not favoured:
        yield line("Do not decide on these scores.")
    if stayed_away(board.debate):
        yield line("Take the absences of the last exchanges back, so that both sides reply.")
    elif _late(board):
        yield line("Run one more exchange, so that the last attacks can be answered.")
    yield line("Look at the facts behind the arguments that the result hangs on.")


def _data(board: Scoreboard) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    for own in (a.id for a in board.scored):
        numbers = [score(mark.number) for mark in board.marks[own]]
        yield f"score:{own}", numbers[-1]
        for mark, number in zip(board.marks[own], numbers, strict=True):
            yield f"score:{own}@{mark.exchange}", number
        if len(numbers) > 1:
            yield f"change:{own}", f"from {numbers[0]} to {numbers[-1]}"
    for r in board.rounds:
        yield f"lead@{r.exchange}", size(r.lead)
        for side, total in r.totals.items():
            yield f"total:{side}@{r.exchange}", score(total)
    if board.rounds:
        yield "lead", size(board.lead)
    for side, total in board.totals.items():
        yield f"total:{side}", score(total)
        yield f"count:arguments:{side}", str(len(board.of(side)))
    yield "count:arguments", str(len(board.arguments))
    yield "count:exchanges", str(_exchanges(board))
    yield "count:attacks", str(len(board.flow.attacks))
    tally = board.flow.tally()
    for state in State:
        yield f"count:attacks:{state.code}", str(tally.get(state, 0))
    yield from ((f"count:attacks:{e}", str(n)) for e, n in board.flow.effects().items())


def outcome(_: Scoreboard) -> None:
    """Return nothing: the first screen says all."""


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    return Outline(
        participants={**SIDES, JUDGE: "judge"},
        place=lambda entry: place_of(entry.exchange).capitalize(),
        sides=tuple(SIDES),
        is_at_rest=_is_at_rest(debate),
    )


def _is_at_rest(debate: Debate) -> bool:
    """Tell whether a debate is over, or has all that it was asked for, and judged."""
    number, phase, _ = debate.state
    if phase == rules.AWAITING_ARGUMENTS and stayed_away(debate):
        return True
    asked_for = debate.request.until if debate.request else 1
    return phase == rules.AWAITING_ARGUMENTS and number >= asked_for
