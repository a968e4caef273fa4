"""An exchange of two sides for its readers: the lead, what became of attacks, how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from math import gcd
from typing import Any

from markupsafe import Markup

from debate_ops.analysis.flow import (
    CONCESSION,
    EFFECT_RULE,
    IDLE,
    RULE,
    Answer,
    Attack,
    Reception,
    State,
    list_defences,
)
from debate_ops.core.protocol import Position
from debate_ops.protocols.exchange_record import SIDES
from debate_ops.report.argument_map import MOST, draw_map
from debate_ops.report.charts import Chart, Row, select_drawable
from debate_ops.report.markdown import compose, inline
from debate_ops.report.scoring import EFFECTS, Scoring, name_place
from debate_ops.report.verdict import Level, Note, Reason, Verdict, judge_alone, refer
from debate_ops.report.words import count, join, signed, size

CHOICES = {"prop": "for the motion", "opp": "against the motion"}
_LARGEST_STEP = Decimal("0.05")
"""A judge who scores more coarsely still means a lead of more than this."""
_FEW = 3


def make_verdict(at: Position, stops_at: str) -> Verdict:
    """Return what the scores answer, and how sure that is."""
    scoring = Scoring(at)
    scoring.set_flow(is_over=not stops_at)
    shares = {i: s if i.startswith("prop_") else -s for i, s in scoring.scores.items()}
    reasons = tuple(_list_reasons(scoring, shares))
    is_clear = min((r.at_most for r in reasons), default=Level.HIGH) > Level.TOO_CLOSE
    favoured = scoring.ahead if is_clear else ""
    undecided = _describe_undecided(scoring, stops_at)
    leans = f"judge leans {'towards' if favoured == 'prop' else 'against'} the motion"
    has_map = 1 < len(scoring.arguments) <= MOST and scoring.flow.attacks
    picture = draw_map(scoring) if has_map else None
    return Verdict(
        kind=f"two sides, one judge · {_describe_span(scoring)}, "
        f"{count(len(scoring.arguments), 'argument')}",
        answer=f"{'So far, the' if stops_at else 'The'} {leans}" if favoured else undecided,
        reasons=reasons,
        why=tuple(_list_why(scoring, favoured)),
        favoured=favoured,
        choices=CHOICES,
        sides=tuple(SIDES),
        lead=scoring.lead if scoring.rounds else None,
        charts=select_drawable(_draw_lead(scoring)),
        pictures={"map": picture} if picture else {},
        notes=dict(_list_notes(scoring)),
        names={**SIDES, "judge": "judge"},
        reached=bool(scoring.rounds),
        about={
            "scoring": scoring,
            "flow": [*_list_flow(scoring)],
            "rule": f"{RULE} {EFFECT_RULE}" if scoring.effects else RULE,
        },
    )


def _describe_span(scoring: Scoring) -> str:
    span = "the opening"
    if scoring.exchanges:
        span += f" and {count(scoring.exchanges, 'exchange')}"
    absent = [f"{SIDES[s]} absent in {n}" for s in SIDES if (n := scoring.count_absences(s))]
    return ", ".join([span, *absent])


def _list_reasons(scoring: Scoring, shares: Mapping[str, Decimal]) -> Iterator[Reason]:
    if not scoring.rounds:
        yield Reason("No exchange has been judged", Level.NOT_JUDGED)
        return
    if abs(scoring.lead) <= _find_smallest_step(scoring):
        lead = f"The lead of {size(scoring.lead)} is no more than the judge's smallest step"
        yield Reason(lead if scoring.lead else "The sides are level", Level.TOO_CLOSE)
    yield from _list_absences(scoring)
    if turning := _find_reversing(shares):
        number = f"{len(turning)} of {len(shares)} would do it"
        yield Reason(f"Without one argument the other side would be ahead ({number})", Level.LOW)
    yield judge_alone(scoring.d, "judge")
    if late := _list_late(scoring):
        number = f"{len(late)} of {count(len(scoring.flow.attacks), 'attack')}"
        yield Reason(f"{number} came too late for a reply", Level.MODERATE)
    yield Reason("Nobody checked the facts that the arguments rest on", Level.MODERATE)


def _list_absences(scoring: Scoring) -> Iterator[Reason]:
    """Yield what a side that stayed away means for the result: its own lead was left untested."""
    if _is_untested(scoring):
        text = f"It ended because the {SIDES[scoring.ahead]}, which is ahead, stayed away"
        yield Reason(text, Level.TOO_CLOSE)
    for side, name in SIDES.items():
        if number := scoring.count_absences(side):
            which = ", which is ahead," if side == scoring.ahead else ""
            of = count(scoring.exchanges + 1, "exchange")
            text = f"The {name}{which} gave no argument in {number} of {of}"
            yield Reason(text, Level.LOW if which else Level.MODERATE)


def _list_stayed_away(scoring: Scoring) -> list[str]:
    """Return the sides that ended the debate by giving no argument in so many exchanges."""
    limit = scoring.d.settings.absence_limit
    place = scoring.at.place.round
    missed = {side: {e.round for e in scoring.absences if e.by == side} for side in SIDES}
    last = set(range(place - limit, place))
    return [s for s in SIDES if 0 < limit <= place and last <= missed[s]]


def _is_untested(scoring: Scoring) -> bool:
    return scoring.ahead in _list_stayed_away(scoring)


def _list_late(scoring: Scoring) -> list[Attack]:
    """Return the attacks that no reply was possible to; none if all of them took nothing anyway."""
    late = [attack for attack in scoring.flow.attacks if attack.state is State.NO_TURN]
    return late if any(attack.effect not in IDLE for attack in late) else []


def _find_smallest_step(scoring: Scoring) -> Decimal:
    """Return the largest amount of which every score is a multiple, or 0.05 if that is less."""
    every = (abs(int(1000 * number)) for marks in scoring.marks.values() for _, number, _ in marks)
    return min(Decimal(gcd(*every)) / 1000 or _LARGEST_STEP, _LARGEST_STEP)


def _find_reversing(shares: Mapping[str, Decimal]) -> list[str]:
    """Return the arguments without whose score the other side would be ahead, the largest first."""
    lead = sum(shares.values())
    turning = [i for i, share in shares.items() if lead * (lead - share) < 0]
    return sorted(turning, key=lambda i: -abs(shares[i]))


def describe_lead(lead: Decimal) -> str:
    """Return who is ahead and by how much, as a clause."""
    if not lead:
        return "the sides are level"
    return f"the {SIDES['prop' if lead > 0 else 'opp']} is ahead by {size(lead)}"


def _describe_undecided(scoring: Scoring, stops_at: str) -> str:
    if not scoring.rounds:
        why = "nothing has been judged" if scoring.arguments else "nobody has argued"
        return f"No answer{' yet' if stops_at else ''}: {why}"
    if _is_untested(scoring):
        return "No result: the side that was ahead stayed away"
    return "Not finished: no side has a clear lead so far" if stops_at else "Too close to call"


def _list_why(scoring: Scoring, favoured: str) -> Iterator[str]:
    if not scoring.rounds:
        return
    if not favoured and not _is_untested(scoring):
        yield "The scores name no side that could be called the better one."
        return
    left = ", and left the rest unanswered" if not favoured else ""
    yield f"{describe_lead(scoring.lead).capitalize()} points{left}."


def _draw_lead(scoring: Scoring) -> Chart:
    return Chart(
        "lead",
        "How the lead changed",
        tuple(Row(name_place(r.exchange), (float(r.lead),), size(r.lead)) for r in scoring.rounds),
        "steps",
        unit="the judge's points for one side less those for the other, after each exchange",
        ends=(CHOICES["opp"].capitalize(), CHOICES["prop"].capitalize()),
    )


# What became of attacks.


def describe_outcome(scoring: Scoring, attack: Attack) -> Markup:
    """Return what became of an attack: how it was answered, by what, or that it was not."""

    def refer_all(ids: tuple[str, ...]) -> Markup:
        return Markup(join(map(scoring.refer, ids)))  # noqa: S704  (links of ours)

    if attack.state is State.ANSWERED:
        ways = zip(Answer, (attack.defended_by, attack.conceded_by), strict=True)
        return Markup(", ".join(f"{way.value} by {refer_all(ids)}" for way, ids in ways if ids))  # noqa: S704
    if attack.state is State.NOT_MET:
        by = refer_all(attack.countered_by)
        return compose("not met directly (only counter-attacked, by {by})", by=by)
    return inline(attack.state.value)


def _list_flow(scoring: Scoring) -> Iterator[dict[str, Any]]:
    """Yield each attack as a row: who attacks what, by the judge, and how it was answered."""
    for a in scoring.flow.attacks:
        yield {
            "attacker": a.attacker,
            "target": a.target,
            "component": a.component,
            "exchange": a.exchange,
            "outcome": describe_outcome(scoring, a),
            "effect": EFFECTS.get(a.effect, a.effect.replace("_", " ")),
            "state": a.state,
        }


def _list_notes(scoring: Scoring) -> Iterator[tuple[str, Note]]:
    conceded = {
        link["target_id"]
        for a in scoring.arguments
        for link in list_defences(a)
        if link["type"] == CONCESSION
    }
    for a in scoring.arguments:
        marks = scoring.marks.get(a.id, ())
        received = scoring.flow.receptions.get(a.id, Reception.ATTACKED)
        dropped = any(x.state is State.DROPPED for x in scoring.attacks_on.get(a.id, ()))
        tags = {
            "conceded in part": a.id in conceded,
            "an attack was dropped": dropped,
            received.value: received is not Reception.ATTACKED,
        }
        facts = [
            (
                f"Score {signed(number)}, {name_place(judgment.round)}",
                compose("{why} ({link})", why=why, link=refer(judgment, "judgment")),
            )
            for judgment, number, why in marks
        ]
        for x in scoring.attacks_on.get(a.id, ()):
            did = scoring.effects.get(x.key, ("", ""))
            effect = f"; the judge: {EFFECTS.get(did[0], did[0])}. {did[1]}" if did[0] else ""
            facts.append(
                (
                    f"Attack on its {x.component}",
                    compose(
                        "by {by}: {outcome}{effect}",
                        by=scoring.refer(x.attacker),
                        outcome=describe_outcome(scoring, x),
                        effect=effect,
                    ),
                )
            )
        shown = tuple(tag for tag, holds in tags.items() if holds)[:2]
        yield a.id, Note(tags=shown, facts=tuple(facts))
