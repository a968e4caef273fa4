"""An exchange of two sides for its readers: scores, attacks, the answer, how sure."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from math import gcd
from typing import NamedTuple

from debate_ops.analysis.flow import EFFECT_RULE, IDLE, RULE, Attack, AttackKey, State, find_attacks
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Entry, author
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.protocols.shared import STANCES
from debate_ops.report.argument_map import MOST, draw_map
from debate_ops.report.charts import Chart, Row
from debate_ops.report.verdict import Flow, Level, Reason, Section, Verdict, View
from debate_ops.report.words import count, signed, size

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


class Scoring:
    """What the judgments of two sides come to.

    `marks` are all scores of all arguments, `scores` the last of each; `effects` what the judge
    said last of each attack, with the reason.
    """

    def __init__(self, at: Replayed) -> None:
        self.arguments = sorted(
            at.debate.find("argument"), key=lambda e: (e.round, e.by != "prop", e.letter)
        )
        self.marks: list[Decimal] = []
        self.scores: dict[str, Decimal] = {}
        self.effects: dict[AttackKey, tuple[str, str]] = {}
        self.lead, self.rounds = Decimal(0), list[Round]()
        totals = dict.fromkeys(SIDES, Decimal(0))
        for e in sorted(at.debate.find("judgment"), key=lambda e: e.round):
            for item in (*(e.data.get("scores") or ()), *(e.data.get("rescores") or ())):
                an_id, score = str(item["argument_id"]), Decimal(str(item["score"]))
                if author(an_id) in SIDES:  # else edited by hand, which is warned of
                    self.marks.append(score)
                    totals[author(an_id)] += score - self.scores.get(an_id, 0)
                    self.scores[an_id] = score
            for item in e.data.get("effects") or ():
                attack = (item["attacker_id"], item["target_id"], item["component"])
                self.effects[attack] = (str(item["effect"]), str(item.get("reasoning") or ""))
            self.lead = totals["prop"] - totals["opp"]
            self.rounds.append(Round(e.round, {**totals}, self.lead))

    @property
    def ahead(self) -> str:
        """The side that is ahead; empty where neither is."""
        return ("prop" if self.lead > 0 else "opp") if self.lead else ""


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return what the scores answer, and how sure that is."""
    view, scoring = View(at), Scoring(at)
    # That a side gave no closing is no absence.
    absences = [e for e in view.d.find("absence") if e.by in SIDES and not e.number]
    given = [*scoring.arguments, *absences]
    attacks = find_attacks(given, is_over=not stops_at, effects=scoring.effects)
    reasons = tuple(_list_reasons(view, scoring, attacks, absences))
    is_clear = min(r.at_most for r in reasons) > Level.TOO_CLOSE
    favoured = scoring.ahead if is_clear else ""
    if not scoring.rounds:
        answer = "No answer yet: nothing has been judged"
    elif favoured:
        towards = "towards" if favoured == "prop" else "against"
        answer = f"{'So far, the' if stops_at else 'The'} judge leans {towards} the motion"
    else:
        undecided = "Not finished: no side has a clear lead so far"
        answer = undecided if stops_at else "Too close to call"
    later = f" and {count(view.exchanges, 'exchange')}" if view.exchanges else ""
    has_map = 1 < len(scoring.arguments) <= MOST and bool(attacks)
    totals = scoring.rounds[-1].totals if scoring.rounds else {}
    draw = partial(draw_map, scoring.arguments, attacks, scoring.scores, totals)
    return Verdict(
        kind=f"two sides, one judge · the opening{later}, "
        f"{count(len(scoring.arguments), 'argument')}",
        answer=answer,
        reasons=reasons,
        favoured=favoured,
        choices=dict(zip(SIDES, STANCES, strict=True)),
        sides=tuple(SIDES),
        lead=scoring.lead if scoring.rounds else None,
        charts=(_draw_lead(scoring.rounds),),
        pictures={"map": cache(draw)} if has_map else {},
        tags=_list_tags(scoring.arguments, attacks),
        names={**SIDES, "judge": "judge"},
        reached=bool(scoring.rounds),
        sections=tuple(_list_sections(scoring, has_map=has_map)),
        flow=Flow("attacks", attacks, f"{RULE} {EFFECT_RULE}" if scoring.effects else RULE),
    )


def _list_reasons(
    view: View, scoring: Scoring, attacks: Sequence[Attack], absences: Sequence[Entry]
) -> Iterator[Reason]:
    if not scoring.rounds:
        yield Reason("No exchange has been judged", Level.NOT_JUDGED)
        return
    d, lead = view.d, scoring.lead
    smallest = Decimal(gcd(*(abs(int(1000 * mark)) for mark in scoring.marks))) / 1000
    if abs(lead) <= min(smallest or _LARGEST_STEP, _LARGEST_STEP):
        text = f"The lead of {size(lead)} is no more than the judge's smallest step"
        yield Reason(text, Level.TOO_CLOSE)
    place, limit = view.at.place.round, d.settings.absence_limit
    for side, name in SIDES.items():
        if missed := {e.round for e in absences if e.by == side}:
            is_ahead = side == scoring.ahead
            has_ended_it = 0 < limit <= place and missed.issuperset(range(place - limit, place))
            level = (Level.TOO_CLOSE if has_ended_it else Level.LOW) if is_ahead else Level.MODERATE
            who = f"The {name}, which is ahead," if is_ahead else f"The {name}"
            number = f"{len(missed)} of {count(view.exchanges + 1, 'exchange')}"
            ended = "; the debate ended because of that" if has_ended_it else ""
            yield Reason(f"{who} gave no argument in {number}{ended}", level)
    skipped = {e.round for e in d.find("absence", by="judge")}
    unscored = [e for e in scoring.arguments if e.round in skipped and e.id not in scoring.scores]
    if unscored:
        number = f"{len(unscored)} of {count(len(scoring.arguments), 'argument')}"
        yield Reason(f"The judge was left out and never scored {number}", Level.LOW)
    shares = [s if i.startswith("prop_") else -s for i, s in scoring.scores.items()]
    if turning := sum(lead * (lead - share) < 0 for share in shares):
        number = f"{turning} of {len(shares)} would do it"
        yield Reason(f"Without one argument the other side would be ahead ({number})", Level.LOW)
    yield view.judge_alone("judge")
    late = [attack for attack in attacks if attack.state is State.NO_TURN]
    if any(attack.effect not in IDLE for attack in late):
        number = f"{len(late)} of {count(len(attacks), 'attack')}"
        yield Reason(f"{number} came too late for a reply", Level.MODERATE)
    yield view.note_unchecked("arguments")


def _draw_lead(rounds: Sequence[Round]) -> Chart:
    steps = (Row(name_exchange(r.exchange), (float(r.lead),), size(r.lead)) for r in rounds)
    return Chart(
        "lead",
        "How the lead changed",
        tuple(steps),
        "steps",
        unit="points for one side less those for the other, after each exchange; 0 is even, and "
        "one argument gets from \N{MINUS SIGN}1 to +1",
        ends=(STANCES[1].capitalize(), STANCES[0].capitalize()),
    )


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


def _list_tags(arguments: Sequence[Entry], attacks: Sequence[Attack]) -> dict[str, tuple[str, ...]]:
    """Return what became of the attacks on each argument, in the words of the table of all."""
    tags = {a.id: dict[str, None]() for a in arguments}
    for attack in attacks:
        found = (f"attack {word}" for word in (attack.found, attack.word) if word)
        tags[attack.target] |= dict.fromkeys(found)
    return {an_id: tuple(own) or ("not attacked",) for an_id, own in tags.items()}
