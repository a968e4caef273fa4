"""The argument graph of a debate: which arguments survive, and how strong each of them is.

A second opinion beside the judge's, whose scores it starts from and never changes. In a debate
links lead to earlier arguments, so one pass from the newest to the oldest gives both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from debate_ops.analysis.flow import MET, MISSED, NO_EFFECTS, Effects, component
from debate_ops.model.score import ONE, Millis
from debate_ops.model.views import Argument

SUPPORTING = frozenset({"reinforce", "clarify"})
"""The types of a defence that supports its target."""


class Standing(NamedTuple):
    """How strong an argument is, from 0 to 1, and whether it survives."""

    strength: float
    survives: bool


def standings(
    arguments: Sequence[Argument],
    scores: Mapping[str, Millis | None],
    effects: Effects = NO_EFFECTS,
) -> dict[str, Standing]:
    """Return how each argument fares; they are given oldest first, `scores` in thousandths.

    An argument survives if it is unattacked, or defended by what survives: the grounded extension
    (Dung 1995). Its strength is that of DF-QuAD (Rago, Toni, Aurisicchio and Baroni 2016).

    Attacks of one argument on another count once, however many components they hit; not at all if
    the judge said that each of them missed or has been met. A concession is no support: a part of
    its target is given up. Links to arguments that do not come before are left out.
    """
    fared: dict[str, Standing] = {}
    attackers: dict[str, list[str]] = {a.id: [] for a in arguments}
    supporters: dict[str, list[str]] = {a.id: [] for a in arguments}
    earlier: set[str] = set()
    for a in arguments:
        attacked = {
            link.target_id
            for link in a.attacks
            if effects.get((a.id, link.target_id, component(link.type))) not in {MISSED, MET}
        }
        supported = {link.target_id for link in a.defends if link.type in SUPPORTING}
        for target in attacked & earlier:
            attackers[target].append(a.id)
        for target in supported & earlier:
            supporters[target].append(a.id)
        earlier.add(a.id)
    for a in reversed(arguments):
        against, behind = ([fared[i] for i in ids[a.id]] for ids in (attackers, supporters))
        fared[a.id] = Standing(
            strength_of(
                base_of(scores.get(a.id)),
                [other.strength for other in against],
                [other.strength for other in behind],
            ),
            survives=not any(other.survives for other in against),
        )
    return {a.id: fared[a.id] for a in arguments}


def base_of(score: Millis | None) -> float:
    """Return the strength that a score starts from: 0 for -1, the middle for 0 and for none.

    >>> base_of(Millis(500)), base_of(Millis(-1000)), base_of(None)
    (0.75, 0.0, 0.5)
    """
    return min(1.0, max(0.0, ((score or 0) + ONE) / (2 * ONE)))


def strength_of(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by DF-QuAD: several together weigh by noisy-or, the rest pulls the base.

    With A = 1 - product of (1 - a) over the attackers and S the same over the supporters, it is
    base - base (A - S) where A >= S, and base + (1 - base) (S - A) otherwise.

    >>> round(strength_of(0.5, [0.2, 0.6, 0.5], []), 3)
    0.08
    """
    against = 1 - prod(1 - strength for strength in attackers)
    pull = 1 - prod(1 - strength for strength in supporters) - against
    return base + pull * (1 - base if pull > 0 else base)
