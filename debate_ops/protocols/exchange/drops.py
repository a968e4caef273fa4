"""The attacks that nobody has answered yet, as prompts tell of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Argument, Link, Record
from debate_ops.model.turn import Own
from debate_ops.protocols.exchange.past import exchange_of
from debate_ops.semantics.flow import Attack, State, attacks, unanswered

NONE = "(none)"

MOST = 12
"""Lines of one list: those of the newest attacks; of earlier ones only their number is told."""

LOOK_BACK = 50
"""Exchanges that are looked through: what was attacked before is not told, so that a prompt of a
long debate needs no more files read."""

_COMPONENTS = ("claim", "grounds", "warrant", "backing")


def for_debater(record: Record, side: str, sides: Sequence[str], exchange: int) -> tuple[Own, Own]:
    """Return what nobody has answered before an exchange: attacks on a side, and attacks by it.

    Each is a list, oldest first, or `NONE`.
    """
    found = unanswered(_attacks(record, sides, exchange))
    return (
        _told([a for a in found if a.attacked_side == side], _since_yours),
        _told([a for a in found if a.side == side], _since_theirs),
    )


def for_judge(record: Record, sides: Mapping[str, str], exchange: int) -> Own:
    """Return what a side let pass now that an exchange was argued: not met or dropped, or `NONE`.

    `sides` are the names of the sides by participant. The list has the oldest first.
    """
    passed = [a for a in unanswered(_attacks(record, tuple(sides), exchange + 1)) if a.turns]
    return _told(passed, lambda a: _passed(a, f"the {sides[a.attacked_side]}"))


def _attacks(record: Record, sides: Sequence[str], before: int) -> tuple[Attack, ...]:
    """Return the attacks made before an exchange, from what the headers of the arguments say."""
    on_record = record.ids(ARGUMENTS)
    near = [i for i in on_record if before - LOOK_BACK <= exchange_of(i) < before]
    arguments = [_argument(record, i) for i in near]
    hit = {link.target_id for a in arguments for link in a.attacks}
    known = [_bare(i) for i in on_record if i in hit - set(near)]
    return attacks([*known, *arguments], _turns_of(record, sides, before), sides)


def _turns_of(record: Record, sides: Sequence[str], before: int) -> dict[str, set[int]]:
    """Return the exchanges in which each side spoke or, as an absence says, did not."""
    found: dict[str, set[int]] = {side: set() for side in sides}
    for entry_id in (*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)):
        exchange, participant = exchange_of(entry_id), entry_id.partition("_")[0]
        if participant in found and exchange < before:
            found[participant].add(exchange)
    return found


def _argument(record: Record, argument_id: str) -> Argument:
    entry = record.get(argument_id)
    header = entry.header if entry else {}
    made, own = (
        tuple(Link(str(i.get("target_id")), str(i.get("type"))) for i in header.get(key) or ())
        for key in ("attacks", "defends")
    )
    return _bare(argument_id)._replace(attacks=made, defends=own)


def _bare(argument_id: str) -> Argument:
    side = argument_id.partition("_")[0]
    return Argument(argument_id, side, exchange_of(argument_id), "", "", (), "")


def _told(found: Iterable[Attack], since: Callable[[Attack], str]) -> Own:
    """Return a line for each argument that attacks another, the oldest attack first."""
    by_pair: dict[tuple[str, str], list[Attack]] = {}
    for attack in sorted(found, key=lambda a: a.exchange):
        by_pair.setdefault((attack.attacker, attack.target), []).append(attack)
    lines = [f"- {_pair(hits)}: {since(hits[0])}" for hits in by_pair.values()]
    more = len(lines) - MOST
    earlier = [f"- and {more} earlier"] if more > 0 else []
    return Own("\n".join([*earlier, *lines[-MOST:]]) or NONE)


def _pair(hits: Sequence[Attack]) -> str:
    parts = [part for part in _COMPONENTS if part in {attack.component for attack in hits}]
    where = f"the {' and '.join(parts)} of " if parts else ""
    return f"{hits[0].attacker} on {where}{hits[0].target}"


def _since_yours(attack: Attack) -> str:
    if attack.turns:
        return _passed(attack, "you")
    return "this is your first turn since"


def _since_theirs(attack: Attack) -> str:
    if attack.turns:
        return _passed(attack, "the opponent")
    return "this is the opponent's first turn since"


def _passed(attack: Attack, side: str) -> str:
    """Return what a side did about an attack that it did not answer in its turns since."""
    turns = f"{attack.turns} turn{'s' if attack.turns > 1 else ''} since"
    if attack.state is State.NOT_MET:
        return f"not met directly by {side}, {turns}: {_only_countered(attack)}"
    return f"dropped by {side}, {turns}"


def _only_countered(attack: Attack) -> str:
    attackers = ", ".join(attack.countered_by)
    hit = "hits" if len(attack.countered_by) == 1 else "hit"
    return f"{attackers} only {hit} {attack.attacker}"
