"""An exchange of two sides for its readers: scores, attacks, the answer, how sure."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from math import gcd
from typing import NamedTuple

from debate_ops.analysis.flow import (
    EFFECT_RULE,
    IDLE,
    RULE,
    Attack,
    AttackKey,
    State,
    find_attacks,
    list_turns,
)
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import author
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.protocols.shared import STANCES
from debate_ops.report.argument_map import MOST, draw_map
from debate_ops.report.charts import Chart, Row
from debate_ops.report.verdict import Flow, Level, Reason, Section, Verdict, View
from debate_ops.report.words import count, signed, size

UNATTACKED = "not attacked"
CHOICES = dict(zip(SIDES, STANCES, strict=True))
_LARGEST_STEP = Decimal("0.05")
"""A judge who scores more coarsely still means a lead of more than this."""
_OF_SCORES = (
    "The points of each exchange sum to zero, so one argument's number says how it stood beside "
    "the others and not that it was good or bad; later corrections of earlier scores need not sum "
    "to zero. A lead is one judge's view and no proof."
)


class Round(NamedTuple):
    """A judged exchange, and each side's total and the lead after it."""

    exchange: int
    totals: Mapping[str, Decimal]
    lead: Decimal


class Scoring(View):
    """A debate of two sides, with what its scores and links come to.

    `marks` are all scores of an argument, the last one counts; `effects` what the judge said last
    of each attack, with the reason. That a side gave no closing is no absence.
    """

    def __init__(self, at: Replayed) -> None:
        super().__init__(at)
        d = self.d
        self.arguments = sorted(
            d.find("argument"), key=lambda e: (e.round, e.by != "prop", e.letter)
        )
        self.absences = [e for e in d.find("absence") if e.by in SIDES and not e.number]
        self.judgments = sorted(d.find("judgment"), key=lambda e: e.round)
        self.marks: dict[str, list[Decimal]] = {}
        self.effects: dict[AttackKey, tuple[str, str]] = {}
        self.scores: dict[str, Decimal] = {}
        self.totals, self.lead = dict.fromkeys(SIDES, Decimal(0)), Decimal(0)
        self.rounds: list[Round] = []
        for e in self.judgments:
            for item in (*(e.data.get("scores") or ()), *(e.data.get("rescores") or ())):
                an_id, score = str(item["argument_id"]), Decimal(str(item["score"]))
                if author(an_id) not in SIDES:  # edited by hand, which is warned of
                    continue
                self.marks.setdefault(an_id, []).append(score)
                self.totals[author(an_id)] += score - self.scores.get(an_id, 0)
                self.scores[an_id] = score
            for item in e.data.get("effects") or ():
                attack = (item["attacker_id"], item["target_id"], item["component"])
                self.effects[attack] = (str(item["effect"]), str(item.get("reasoning") or ""))
            self.lead = self.totals["prop"] - self.totals["opp"]
            self.rounds.append(Round(e.round, {**self.totals}, self.lead))

    def set_flow(self, *, is_over: bool) -> None:
        """Find what became of each attack; until a debate is over both sides have turns to come."""
        turns = list_turns([*self.arguments, *self.absences])
        self.attacks = find_attacks(self.arguments, turns, is_over=is_over, effects=self.effects)
        self.attacks_on: dict[str, list[Attack]] = {}
        for attack in self.attacks:
            self.attacks_on.setdefault(attack.target, []).append(attack)

    @property
    def ahead(self) -> str:
        """The side that is ahead; empty where neither is."""
        return ("prop" if self.lead > 0 else "opp") if self.lead else ""

    @property
    def exchanges(self) -> int:
        """How many exchanges there were, the opening not counted."""
        return max((e.round for e in self.d.entries.values()), default=0)


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
    place, limit = scoring.at.place.round, scoring.d.settings.absence_limit
    for side, name in SIDES.items():
        if missed := {e.round for e in scoring.absences if e.by == side}:
            is_ahead = side == scoring.ahead
            has_ended_it = 0 < limit <= place and missed.issuperset(range(place - limit, place))
            level = (Level.TOO_CLOSE if has_ended_it else Level.LOW) if is_ahead else Level.MODERATE
            who = f"The {name}, which is ahead," if is_ahead else f"The {name}"
            number = f"{len(missed)} of {count(scoring.exchanges + 1, 'exchange')}"
            ended = "; the debate ended because of that" * has_ended_it
            yield Reason(f"{who} gave no argument in {number}{ended}", level)
    skipped = {e.round for e in scoring.d.find("absence", by="judge")}
    unscored = [e for e in scoring.arguments if e.round in skipped and e.id not in scoring.scores]
    if unscored:
        number = f"{len(unscored)} of {count(len(scoring.arguments), 'argument')}"
        yield Reason(f"The judge was left out and never scored {number}", Level.LOW)
    shares = [s if i.startswith("prop_") else -s for i, s in scoring.scores.items()]
    if turning := sum(scoring.lead * (scoring.lead - share) < 0 for share in shares):
        number = f"{turning} of {len(shares)} would do it"
        yield Reason(f"Without one argument the other side would be ahead ({number})", Level.LOW)
    yield scoring.judge_alone("judge")
    late = [attack for attack in scoring.attacks if attack.state is State.NO_TURN]
    if any(attack.effect not in IDLE for attack in late):
        number = f"{len(late)} of {count(len(scoring.attacks), 'attack')}"
        yield Reason(f"{number} came too late for a reply", Level.MODERATE)
    yield scoring.note_unchecked("arguments")


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
