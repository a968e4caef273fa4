"""What the pictures of a debate show: its attacks and defences as edges, and words for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from debate_ops.model.texts import one_line
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.semantics.flow import CONCESSION, Answer, Attack, Reception, State

_ORDER = (
    *(State.DROPPED, State.NOT_MET, State.OPEN, State.NO_TURN),
    *(Answer.CONCEDED, State.ANSWERED),
)
"""In which order words are told: what fits is cut at the end."""


class Edge(NamedTuple):
    """All attacks of one argument on another: they have the same answers.

    `components` are what they hit, in words, each once.
    """

    attacker: str
    target: str
    components: tuple[str, ...]
    state: State

    @property
    def letters(self) -> str:
        """The first letter of each component: C, G, W, B."""
        return "".join(dict.fromkeys(one_line(part)[:1].upper() for part in self.components))


class Support(NamedTuple):
    """A defence of an argument by a later one of its own side."""

    defender: str
    target: str
    is_concession: bool


def edges(attacks: Iterable[Attack]) -> tuple[Edge, ...]:
    """Return the edges of these attacks, in their order."""
    pairs: dict[tuple[str, str], list[Attack]] = {}
    for attack in attacks:
        pairs.setdefault((attack.attacker, attack.target), []).append(attack)
    return tuple(
        Edge(*pair, tuple(dict.fromkeys(a.component for a in made)), made[0].state)
        for pair, made in pairs.items()
    )


def supports(numbers: Numbers) -> tuple[Support, ...]:
    """Return the defences inside each side, one for each pair of arguments."""
    sides = {s.argument.id: s.argument.side for s in numbers.standings}
    found: dict[tuple[str, str], bool] = {}
    for standing in numbers.standings:
        own = standing.argument
        for link in own.defends:
            if sides.get(link.target_id) == own.side and link.target_id != own.id:
                pair = (own.id, link.target_id)
                found[pair] = found.get(pair, False) or link.type == CONCESSION
    return tuple(Support(*pair, is_concession) for pair, is_concession in found.items())


class Fate(NamedTuple):
    """What became of the attacks on an argument, in words.

    `is_dropped`: an attack on it stands dropped; `is_untouched`: it was never attacked, though the
    other side had a later turn.
    """

    words: str
    is_dropped: bool
    is_untouched: bool


def fates(numbers: Numbers) -> Mapping[str, Fate]:
    """Return of each argument what became of the attacks on it."""
    found: dict[str, Counter[State | Answer]] = {}
    for attack in numbers.attacks:
        found.setdefault(attack.target, Counter())[attack.outcome] += 1
    return {
        argument_id: _fate(found.get(argument_id, Counter()), reception)
        for argument_id, reception in numbers.flow.receptions.items()
    }


def _fate(states: Mapping[State | Answer, int], reception: Reception) -> Fate:
    words = ", ".join(f"{states[way]} {way.value}" for way in _ORDER if states.get(way))
    is_untouched = reception is Reception.NEVER_ATTACKED
    return Fate(words or reception.value, bool(states.get(State.DROPPED)), is_untouched)
