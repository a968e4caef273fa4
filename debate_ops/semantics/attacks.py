"""How each attack was answered: what a judge's flow sheet shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from debate_ops.model.entries import Argument

RULE = (
    "An attack is *defended* if a later argument of the attacked side defends its target, and "
    "*counter-attacked* if one attacks the argument that it came from. It is *unanswered* if the "
    "attacked side had a later turn and did neither, and came with *no turn left* if it had none."
)
"""Printed wherever these states are shown; the code below does what it says."""


class State(StrEnum):
    """How an attack was answered."""

    DEFENDED = "defended"
    COUNTERED = "counter-attacked"
    BOTH = "defended and counter-attacked"
    UNANSWERED = "unanswered"
    NO_TURN = "no turn left"


class Attack(NamedTuple):
    """One link of one argument to an argument of the other side, and what became of it."""

    attacker: str
    target: str
    type: str
    exchange: int
    state: State
    defended_by: tuple[str, ...]
    countered_by: tuple[str, ...]


def attacks(arguments: Sequence[Argument], last_turns: Mapping[str, int]) -> tuple[Attack, ...]:
    """Return every attack in the order given; links to arguments that are not there are left out.

    `last_turns` says in which exchange each side had its last turn, used or not.
    """
    sides = {argument.id: argument.side for argument in arguments}
    defenders = _by_target((a, link.target_id) for a in arguments for link in a.defends)
    attackers = _by_target((a, link.target_id) for a in arguments for link in a.attacks)
    found = []
    for attacker in arguments:
        for target, kind, _ in attacker.attacks:
            side = sides.get(target)
            if side is None:
                continue
            defended = _later(defenders.get(target, ()), attacker, side)
            countered = _later(attackers.get(attacker.id, ()), attacker, side)
            had_turn = last_turns.get(side, -1) > attacker.exchange
            state = _state(bool(defended), bool(countered), had_turn)
            found.append(
                Attack(attacker.id, target, kind, attacker.exchange, state, defended, countered)
            )
    return tuple(found)


def never_attacked(arguments: Sequence[Argument]) -> tuple[str, ...]:
    """Return the ids of the arguments that no argument attacks."""
    hit = {link.target_id for argument in arguments for link in argument.attacks}
    return tuple(argument.id for argument in arguments if argument.id not in hit)


def _by_target(links: Iterable[tuple[Argument, str]]) -> dict[str, list[Argument]]:
    found: dict[str, list[Argument]] = {}
    for argument, target in links:
        found.setdefault(target, []).append(argument)
    return found


def _later(candidates: Iterable[Argument], attacker: Argument, side: str) -> tuple[str, ...]:
    found = [a.id for a in candidates if a.side == side and a.exchange > attacker.exchange]
    return tuple(dict.fromkeys(found))


def _state(defended: bool, countered: bool, had_turn: bool) -> State:  # noqa: FBT001
    if defended and countered:
        return State.BOTH
    if defended:
        return State.DEFENDED
    if countered:
        return State.COUNTERED
    return State.UNANSWERED if had_turn else State.NO_TURN
