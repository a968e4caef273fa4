"""A debate of two sides for its readers: what the scores answer, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from math import gcd

from debate_ops.model.score import Millis
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Bar, Bars, Line, Quiet, Ref, line
from debate_ops.reports.content import content_of
from debate_ops.reports.exchange.kind import JUDGE, place_of, span_of
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.made import LENGTH, makers
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import counted, score, shorten
from debate_ops.reports.view import Answer, Case, View
from debate_ops.semantics.flow import State

CHOICES = {"prop": "for the motion", "opp": "against the motion"}
_LARGEST_STEP = 50
"""In thousandths: a judge who scores more coarsely still means a lead of more than this."""
_FEW = 3
_CLAIM = 320


def view(numbers: Numbers) -> View:
    """Return what readers are shown of a debate of two sides."""
    shares = {s.argument.id: _share(s) for s in numbers.scored}
    lead = sum(shares.values())
    sure = sureness.of(_reasons(numbers, shares))
    favoured = ""
    if sure.level > Level.TOO_CLOSE:
        favoured = "prop" if lead > 0 else "opp"
    return View(
        content=content_of(numbers.debate),
        choices=CHOICES,
        favoured=favoured,
        sureness=sure,
        shares=shares,
        data=dict(_data(numbers)),
        answer=_answer(numbers, shares, favoured),
    )


def _share(standing: Standing) -> Millis:
    now = standing.score or 0
    return Millis(now if standing.argument.side == "prop" else -now)


def size(number: int) -> str:
    """Return how large a lead is, for readers.

    >>> size(-450)
    '0.45'
    """
    return score(abs(number)).removeprefix("+")


def ahead(lead: int) -> str:
    """Return which side a lead is of, as a clause."""
    if not lead:
        return "the sides are level"
    return f"the case {CHOICES['prop' if lead > 0 else 'opp']} is ahead by {size(lead)}"


# ---------------------------------------------------------------- how sure


def _reasons(numbers: Numbers, shares: dict[str, Millis]) -> Iterator[Reason]:
    if not numbers.judged:
        yield Reason("No exchange has been judged yet", Level.TOO_CLOSE)
        return
    lead = sum(shares.values())
    smallest = smallest_step(numbers)
    if not lead:
        yield Reason("The totals are level", Level.TOO_CLOSE)
    elif abs(lead) <= smallest:
        yield Reason(
            f"The lead of {size(lead)} is no more than the judge's smallest step", Level.TOO_CLOSE
        )
    turning = reversing(shares)
    if turning:
        number = f"{len(turning)} of {len(shares)} scores"
        reverse = "reverses" if len(turning) == 1 else "reverse"
        yield Reason(f"{number} {reverse} the result if set aside", Level.LOW)
    judge = next(m for m in numbers.made if m.participant == JUDGE)
    who = makers(judge, LENGTH) if judge.by else "model unknown"
    yield Reason(f"One judge, one run ({who})", Level.MODERATE)
    late = [a for a in numbers.attacks if a.state is State.NO_TURN]
    if late:
        yield Reason(
            f"{len(late)} of {counted(len(numbers.attacks), 'attack')} came in the last exchange, "
            "with no chance to reply",
            Level.MODERATE,
        )
    yield Reason("Nobody checked the facts that the arguments rest on", Level.MODERATE)


def smallest_step(numbers: Numbers) -> int:
    """Return the largest amount of which every score is a multiple, or 0.05 if that is less."""
    given = [abs(mark.score) for s in numbers.scored for mark in s.history]
    return min(reduce(gcd, given, 0) or _LARGEST_STEP, _LARGEST_STEP)


def reversing(shares: dict[str, Millis]) -> list[str]:
    """Return the arguments without whose score the other side would be ahead, the largest first."""
    lead = sum(shares.values())
    found = [i for i, share in shares.items() if lead * (lead - share) < 0]
    return sorted(found, key=lambda i: -abs(shares[i]))


# ---------------------------------------------------------------- what the record answers


def _answer(numbers: Numbers, shares: dict[str, Millis], favoured: str) -> Answer:
    return Answer(
        quiet=_quiet(numbers),
        text=_text(numbers, favoured),
        why=tuple(_why(numbers, shares, favoured)),
        picture=_picture(numbers, favoured),
        cases=tuple(_case(numbers, side) for side in CHOICES if _own(numbers, side)),
        turns_on=tuple(_turns_on(numbers, shares)),
        next_steps=tuple(_next_steps(numbers, favoured)),
        is_reached=bool(numbers.judged),
    )


def _quiet(numbers: Numbers) -> str:
    span = span_of(len(numbers.rounds)) if numbers.rounds else "not begun"
    return f"two sides, one judge · {span}, {counted(len(numbers.standings), 'argument')}"


def _text(numbers: Numbers, favoured: str) -> str:
    if not numbers.judged:
        return "No answer yet: nothing has been judged"
    if not favoured:
        return "Too close to call"
    return f"The judge leans {'towards' if favoured == 'prop' else 'against'} the motion"


def _why(numbers: Numbers, shares: dict[str, Millis], favoured: str) -> Iterator[Line]:
    lead = sum(shares.values())
    if not numbers.judged:
        return
    if favoured:
        opening = numbers.judged[0].totals
        begun = opening["prop"] - opening["opp"]
        after = lead - begun
        since = ""
        if len(numbers.judged) > 1 and not numbers.judged[0].exchange:
            since = (
                f"; after the opening {ahead(begun)}, and the exchanges moved it by {size(after)}"
            )
        yield line(f"{ahead(lead).capitalize()} points{since}.")
    else:
        yield line("The scores name no side that could be called the better one.")
    for standing in _highest(numbers, favoured):
        yield line(
            "The highest score of all went to ", _named(standing), f" ({score(standing.score)})."
        )
    for turning in reversing(shares)[:1] if favoured else ():
        yield line(
            "Set aside ", _reference(numbers, turning), f", and {ahead(lead - shares[turning])}."
        )


def _highest(numbers: Numbers, favoured: str) -> list[Standing]:
    if not favoured or not numbers.scored:
        return []
    return [max(numbers.scored, key=lambda s: s.score or 0)]


def _picture(numbers: Numbers, favoured: str) -> Bars | None:
    if not numbers.judged:
        return None
    changes = [(r, r.change("prop") - r.change("opp")) for r in numbers.judged]
    lead = sum(by for _, by in changes)
    return Bars(
        "Where the lead comes from, by exchange",
        tuple(
            Bar(
                place_of(r.exchange),
                Millis(by),
                size(by) if by else "even",
                tone=_tone(by),
            )
            for r, by in changes
        ),
        ends=("against ahead", "for ahead"),
        total=f"Together {ahead(lead)}" if favoured else f"Together {size(lead)} apart",
        caption="What each exchange added to the lead, by the judge's scores.",
    )


def _tone(number: int) -> int:
    return (number > 0) + 2 * (number < 0)


def _own(numbers: Numbers, side: str) -> list[Standing]:
    return [s for s in numbers.standings if s.argument.side == side]


def _case(numbers: Numbers, side: str) -> Case:
    own = _own(numbers, side)
    surviving = [s for s in own if numbers.weighing.stands(s.argument.id)]
    best = max(surviving or own, key=lambda s: (s.score is not None, s.score or 0))
    title = f"Best surviving argument {CHOICES[side]}"
    return Case(side, title, (line(shorten(best.argument.claim, _CLAIM)), _scored(numbers, best)))


def _scored(numbers: Numbers, standing: Standing) -> Line:
    on = [a for a in numbers.attacks if a.target == standing.argument.id]
    is_last = standing.argument.exchange == max(s.argument.exchange for s in numbers.standings)
    untested = "; made in the last exchange, no reply was possible" if is_last and not on else ""
    return line(_named(standing), Quiet(f", score {score(standing.score)}{untested}"))


def _turns_on(numbers: Numbers, shares: dict[str, Millis]) -> Iterator[Line]:
    lead = sum(shares.values())
    for id_ in reversing(shares)[:_FEW]:
        yield line("If ", _reference(numbers, id_), f" is set aside, {ahead(lead - shares[id_])}.")


def _reference(numbers: Numbers, id_: str) -> Ref:
    standing = numbers.standing(id_)
    return _named(standing) if standing else Ref(id_)


def _named(standing: Standing) -> Ref:
    return Ref(standing.argument.id, standing.argument.title)


def _next_steps(numbers: Numbers, favoured: str) -> Iterator[Line]:
    if not numbers.judged:
        return
    if not favoured:
        yield line("Do not decide on these scores.")
    if any(a.state is State.NO_TURN for a in numbers.attacks):
        yield line("Run one more exchange, so that the last attacks can be answered.")
    yield line("Look at the facts behind the arguments that the result hangs on.")


# ---------------------------------------------------------------- data


def _data(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    for standing in numbers.scored:
        own = standing.argument.id
        yield f"score:{own}", score(standing.score)
        for mark in standing.history:
            yield f"score:{own}@{mark.exchange}", score(mark.score)
        if standing.rescores:
            first, last = standing.history[0].score, standing.history[-1].score
            yield f"change:{own}", f"from {score(first)} to {score(last)}"
    for r in numbers.judged:
        by = r.totals["prop"] - r.totals["opp"]
        yield f"lead@{r.exchange}", size(by)
        for side, total in r.totals.items():
            yield f"total:{side}@{r.exchange}", score(total)
    if numbers.judged:
        yield "lead", size(numbers.totals["prop"] - numbers.totals["opp"])
    for side, total in numbers.totals.items():
        yield f"total:{side}", score(total)
        yield f"count:arguments:{side}", str(len(_own(numbers, side)))
    yield "count:arguments", str(len(numbers.standings))
    yield "count:exchanges", str(max(0, len(numbers.rounds) - 1))
    yield "count:attacks", str(len(numbers.attacks))
    for state in State:
        number = sum(a.state is state for a in numbers.attacks)
        yield f"count:attacks:{state.name.lower()}", str(number)
