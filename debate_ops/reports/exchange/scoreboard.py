"""What the record of a debate of two sides comes to: scores, totals, outcomes, strengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from debate_ops.analysis.flow import (
    CONCESSION,
    LANDED,
    MET,
    MISSED,
    PARTLY,
    Answer,
    Attack,
    AttackKey,
    Flow,
    Standing,
    State,
    flow,
    standings,
    turns_of,
)
from debate_ops.model import debate
from debate_ops.model.debate import Debate
from debate_ops.model.score import ONE, Millis
from debate_ops.model.views import Argument, Judgment, absence_of, judgment_of
from debate_ops.protocols.exchange import past, rules
from debate_ops.protocols.exchange.past import OPP, PROP, stayed_away
from debate_ops.reports.blocks import Ref
from debate_ops.reports.content import content_of
from debate_ops.reports.text import counted, joined, of_each, size

SIDES = debate.SIDES
"""The participants that argue and the names of their sides, as readers meet them."""
JUDGE = past.JUDGE
CHOICES = {past.PROP: "for the motion", past.OPP: "against the motion"}
"""What each side argues for."""


def place_of(number: int) -> str:
    """Return what readers call an exchange."""
    return f"exchange {number}" if number else "opening"


def ahead(lead: int) -> str:
    """Return which side a lead in thousandths is of, as a clause; one above 0 is the proposition's.

    >>> ahead(450), ahead(0)
    ('the case for the motion is ahead by 0.45', 'the sides are level')
    """
    if not lead:
        return "the sides are level"
    case = CHOICES[past.PROP if lead > 0 else past.OPP]
    return f"the case {case} is ahead by {size(lead)}"


def tallied(flow: Flow) -> str:
    """Return how many attacks there are of each outcome, as a clause."""
    each = of_each(flow.outcomes())
    return f"{counted(len(flow.attacks), 'attack')}{each and ': '}{each}"


EFFECTS = {LANDED: "landed", PARTLY: "landed in part", MISSED: "missed", MET: "met since"}
"""What an attack did, for readers."""


def effects_in_words(flow: Flow) -> str:
    """Return how many attacks the judge says did what, as a sentence; empty where it says none."""
    effects = flow.effects()
    if not effects:
        return ""
    each = joined([f"{number} {EFFECTS[effect]}" for effect, number in effects.items()])
    return f"The judge found: {each}."


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


Kind = TypeVar("Kind")
Sums = Mapping[str, Millis]
"""A number for each side."""


class Round(NamedTuple):
    """A judged exchange: what its judgment added to each side, the totals and the lead after it.

    `new` comes from new arguments, `revised` from changed scores of earlier ones. `change` is by
    how much it changed the lead; a lead above 0 is the proposition's.
    """

    exchange: int
    judgment: str
    new: Sums
    revised: Sums
    totals: Sums
    lead: Millis
    change: Millis


class Decision(NamedTuple):
    """What a judge said that an attack did: in which exchange, and why."""

    exchange: int
    effect: str
    reasoning: str


class Scoreboard:
    """A debate of two sides, with what its scores and links come to.

    `arguments` stand in reading order, `marks` are all scores of each of them, the last one
    counts: see `scores`. Of every attack `flow` says what became of it; `attacks_on` and
    `attacks_by` are the same attacks by their target and by their attacker. `decisions` are all
    that the judge said of each attack, where it was asked, the last one at the end.
    """

    def __init__(self, debate: Debate) -> None:
        self.debate = debate
        self.content = content_of(debate)
        values = [item.value for item in self.content.items]
        self.arguments = tuple(item.argument for item in self.content.items if item.argument)
        self.absences = tuple(filter(None, map(absence_of, values)))
        self.marks = grouped((mark.about, mark) for mark in self.content.marks)
        self.scores = {item.id: item.score for item in self.content.items}
        judgments = tuple(filter(None, map(judgment_of, values)))
        self.rounds = tuple(_rounds(judgments))
        self.totals = self.rounds[-1].totals if self.rounds else _sums(())
        self.lead = _lead(self.totals)
        absent = (absence for absence in self.absences if absence.participant in SIDES)
        decisions: dict[AttackKey, list[Decision]] = {}
        for judgment in judgments:
            for item in (effect for effect in judgment.effects if effect.effect in EFFECTS):
                decision = Decision(judgment.exchange, item.effect, item.reasoning)
                decisions.setdefault(item.attack, []).append(decision)
        self.decisions = decisions
        self._effects = {attack: made[-1].effect for attack, made in self.decisions.items()}
        turns = turns_of(self.arguments, absent)
        self.flow = flow(self.arguments, turns, _coming(debate), self._effects)
        self.attacks_on = grouped((attack.target, attack) for attack in self.flow.attacks)
        self.attacks_by = grouped((attack.attacker, attack) for attack in self.flow.attacks)
        self._titles = {item.id: item.title for item in self.content.items}

    @cached_property
    def scored(self) -> list[Argument]:
        """The arguments that have a score, the highest first."""
        own = [a for a in self.arguments if a.id in self.marks]
        return sorted(own, key=lambda a: -self.marks[a.id][-1].number)

    def absent(self, side: str) -> int:
        """Return in how many exchanges a side gave no argument."""
        return len({a.exchange for a in self.absences if a.participant == side})

    def of(self, side: str) -> list[Argument]:
        """Return the arguments of a side."""
        return [a for a in self.arguments if a.side == side]

    def named(self, argument_id: str) -> Ref:
        """Return a link to an argument by its title."""
        return Ref(argument_id, self._titles.get(argument_id, ""))

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        """How strong each argument is, and whether it survives."""
        return standings(self.arguments, self.scores, self._effects)

    @cached_property
    def lead_by_strength(self) -> Millis:
        """The strengths of the proposition minus those of the opposition, as readers see it."""
        signs = {PROP: 1, OPP: -1}
        lead = sum(signs[a.side] * self.standings[a.id].strength for a in self.arguments)
        return Millis(round(lead * 100) * ONE // 100)

    @cached_property
    def conceded(self) -> frozenset[str]:
        """The arguments that their own side has given up in part."""
        own = {(a.side, a.id) for a in self.arguments}
        links = [(a.side, link) for a in self.arguments for link in a.defends]
        given_up = {(side, link.target_id) for side, link in links if link.type == CONCESSION}
        return frozenset(target for _, target in given_up & own)


def grouped(pairs: Iterable[tuple[str, Kind]]) -> dict[str, list[Kind]]:
    """Return what goes with each key, in its order."""
    groups: dict[str, list[Kind]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def _rounds(judgments: Iterable[Judgment]) -> Iterator[Round]:
    totals = _sums(())
    for judgment in judgments:
        new = _sums([(s.argument_id, s.score) for s in judgment.scores])
        revised = _sums([(r.argument_id, r.score - r.previous) for r in judgment.rescores])
        before = _lead(totals)
        totals = {side: Millis(totals[side] + new[side] + revised[side]) for side in SIDES}
        lead = _lead(totals)
        change = Millis(lead - before)
        yield Round(judgment.exchange, judgment.id, new, revised, totals, lead, change)


def _sums(changes: Sequence[tuple[str, int]]) -> Sums:
    """Return by how much these changes of single scores change each total."""
    return {
        side: Millis(sum(by for argument_id, by in changes if argument_id.startswith(f"{side}_")))
        for side in SIDES
    }


def _lead(sums: Sums) -> Millis:
    return Millis(sums[PROP] - sums[OPP])


def _coming(debate: Debate) -> tuple[str, ...]:
    """Return the sides whose next turn is still to come.

    It is until all that was asked for has been debated; where nothing was asked for, as long as
    the judge is awaited: nobody has said yet that this was the last exchange.
    """
    request, (exchange, phase, _) = debate.request, debate.state
    is_judged = phase != rules.AWAITING_JUDGMENT
    if is_judged and stayed_away(debate):
        return ()
    is_coming = exchange + (not is_judged) < request.until if request else not is_judged
    return tuple(SIDES) if is_coming else ()
