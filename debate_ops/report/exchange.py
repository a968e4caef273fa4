"""An exchange of two sides for its readers: the lead, what became of attacks, how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from math import gcd

from debate_ops.analysis.flow import EFFECT_RULE, IDLE, RULE, State
from debate_ops.core.protocol import Replayed
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.protocols.shared import STANCES
from debate_ops.report.argument_map import MOST, draw_map
from debate_ops.report.charts import Chart, Row
from debate_ops.report.scoring import UNATTACKED, Scoring
from debate_ops.report.verdict import (
    Flow,
    Level,
    Reason,
    Section,
    Verdict,
    judge_alone,
    note_unchecked,
)
from debate_ops.report.words import count, signed, size

CHOICES = dict(zip(SIDES, STANCES, strict=True))
_LARGEST_STEP = Decimal("0.05")
"""A judge who scores more coarsely still means a lead of more than this."""
_OF_SCORES = (
    "The points of each exchange sum to zero, so one argument's number says how it stood beside "
    "the others and not that it was good or bad; later corrections of earlier scores need not sum "
    "to zero. A lead is one judge's view and no proof."
)


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return what the scores answer, and how sure that is."""
    scoring = Scoring(at)
    scoring.set_flow(is_over=not stops_at)
    reasons = tuple(_list_reasons(scoring))
    is_clear = min(r.at_most for r in reasons) > Level.TOO_CLOSE
    favoured = scoring.ahead if is_clear else ""
    if not scoring.rounds:
        answer = "No answer yet: nothing has been judged"
    elif favoured:
        towards = "towards" if favoured == "prop" else "against"
        answer = f"{'So far, the' if stops_at else 'The'} judge leans {towards} the motion"
    elif scoring.ahead in _list_stayed_away(scoring):
        answer = "No result: the side that was ahead stayed away"
    elif stops_at:
        answer = "Not finished: no side has a clear lead so far"
    else:
        answer = "Too close to call"
    has_map = 1 < len(scoring.arguments) <= MOST and scoring.attacks
    later = f" and {count(scoring.exchanges, 'exchange')}" if scoring.exchanges else ""
    rule = f"{RULE} {EFFECT_RULE}" if scoring.effects else RULE
    steps = (Row(name_exchange(r.exchange), (float(r.lead),), size(r.lead)) for r in scoring.rounds)
    lead = Chart(
        "lead",
        "How the lead changed",
        tuple(steps),
        "steps",
        unit="points for one side less those for the other, after each exchange; 0 is even, and "
        "one argument gets from \N{MINUS SIGN}1 to +1",
        ends=(STANCES[1].capitalize(), STANCES[0].capitalize()),
    )
    return Verdict(
        kind=f"two sides, one judge · the opening{later}, "
        f"{count(len(scoring.arguments), 'argument')}",
        answer=answer,
        reasons=reasons,
        favoured=favoured,
        choices=CHOICES,
        sides=tuple(SIDES),
        lead=scoring.lead if scoring.rounds else None,
        charts=(lead,),
        pictures={"map": cache(lambda: draw_map(scoring))} if has_map else {},
        tags={a.id: _list_tags(scoring, a.id) for a in scoring.arguments},
        names={**SIDES, "judge": "judge"},
        reached=bool(scoring.rounds),
        sections=tuple(_list_sections(scoring, has_map=bool(has_map))),
        flow=Flow("attacks", scoring.attacks, rule),
    )


def _list_reasons(scoring: Scoring) -> Iterator[Reason]:
    if not scoring.rounds:
        yield Reason("No exchange has been judged", Level.NOT_JUDGED)
        return
    every = (abs(int(1000 * number)) for marks in scoring.marks.values() for number in marks)
    step = Decimal(gcd(*every)) / 1000 or _LARGEST_STEP  # of which every score is a multiple
    if abs(scoring.lead) <= min(step, _LARGEST_STEP):
        lead = f"The lead of {size(scoring.lead)} is no more than the judge's smallest step"
        yield Reason(lead, Level.TOO_CLOSE)
    yield from _list_absences(scoring)
    skipped = {e.round for e in scoring.d.find("absence", by="judge")}
    unscored = [e for e in scoring.arguments if e.round in skipped and e.id not in scoring.scores]
    if unscored:
        number = f"{len(unscored)} of {count(len(scoring.arguments), 'argument')}"
        yield Reason(f"The judge was left out and never scored {number}", Level.LOW)
    shares = [s if i.startswith("prop_") else -s for i, s in scoring.scores.items()]
    if turning := sum(scoring.lead * (scoring.lead - share) < 0 for share in shares):
        number = f"{turning} of {len(shares)} would do it"
        yield Reason(f"Without one argument the other side would be ahead ({number})", Level.LOW)
    yield judge_alone(scoring.d, "judge")
    late = [attack for attack in scoring.attacks if attack.state is State.NO_TURN]
    if any(attack.effect not in IDLE for attack in late):
        number = f"{len(late)} of {count(len(scoring.attacks), 'attack')}"
        yield Reason(f"{number} came too late for a reply", Level.MODERATE)
    yield note_unchecked(scoring.d, "arguments")


def _list_absences(scoring: Scoring) -> Iterator[Reason]:
    """Yield what a side that stayed away means for the result: its own lead was left untested."""
    if scoring.ahead in _list_stayed_away(scoring):
        text = f"It ended because the {SIDES[scoring.ahead]}, which is ahead, stayed away"
        yield Reason(text, Level.TOO_CLOSE)
    for side, name in SIDES.items():
        if missed := {e.round for e in scoring.absences if e.by == side}:
            is_ahead = side == scoring.ahead
            which = f"The {name}{', which is ahead,' if is_ahead else ''} gave no argument"
            number = f"{which} in {len(missed)} of {count(scoring.exchanges + 1, 'exchange')}"
            yield Reason(number, Level.LOW if is_ahead else Level.MODERATE)


def _list_stayed_away(scoring: Scoring) -> list[str]:
    """Return the sides that ended the debate by giving no argument in so many exchanges."""
    place, limit = scoring.at.place.round, scoring.d.settings.absence_limit
    missed = {(e.by, e.round) for e in scoring.absences}
    last = range(place - limit, place)
    return [s for s in SIDES if 0 < limit <= place and all((s, n) in missed for n in last)]


def _list_sections(scoring: Scoring, *, has_map: bool) -> Iterator[Section]:
    if scoring.rounds:
        heads = ("After", *(name.capitalize() for name in SIDES.values()), "Lead")
        rows = tuple(
            (name_exchange(r.exchange), *map(signed, (*r.totals.values(), r.lead)))
            for r in scoring.rounds
        )
        yield Section("How the judge scored it", _OF_SCORES, "lead", heads, rows, "The numbers")
    if has_map:
        strong = "landed whole by the judge's finding, and has not been met"
        text = (
            "On the map, arrows attack. A strong arrow and a thick frame are an attack that "
            f"{strong if scoring.effects else 'was dropped'}. A number is the judge's score."
        )
        yield Section("The map of attacks", text, "map")


def _list_tags(scoring: Scoring, an_id: str) -> tuple[str, ...]:
    """Return what became of the attacks on an argument, in the words of the table of all."""
    own = scoring.attacks_on.get(an_id, ())
    words = dict.fromkeys(word for a in own for word in (a.found, a.word) if word)
    return tuple(f"attack {word}" for word in words) or (UNATTACKED,)
