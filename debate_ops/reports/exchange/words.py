"""What readers call the parts of a debate of two sides, its leads, and the outcomes of attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from debate_ops.model import debate
from debate_ops.model.score import ONE, Millis
from debate_ops.protocols.exchange import past
from debate_ops.reports.text import counted, joined, of_each, size
from debate_ops.semantics.flow import LANDED, MET, MISSED, PARTLY, Answer, Attack, Flow, State

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


def in_points(strength: float) -> Millis:
    """Return a lead by strength in thousandths, as exactly as readers are shown it.

    >>> in_points(0.5894)
    590
    """
    return Millis(round(strength * 100) * ONE // 100)


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
