"""The attacks that nobody has answered yet, as the prompts list them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from debate_ops.analysis.flow import (
    COMPONENTS,
    LANDED,
    MET,
    MISSED,
    NO_EFFECTS,
    PARTLY,
    STANDING,
    Attack,
    Effects,
    State,
    attacks,
)
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.turn import Own
from debate_ops.model.views import Argument, Link
from debate_ops.protocols.exchange.past import exchange_of, header_of, participant_of

NONE = "(none)"

MOST = 12
"""Lines of one list: those of the newest attacks; the earlier ones are only counted."""

LOOK_BACK = 50
"""How many exchanges are searched, so that a prompt of a long debate needs no more files read."""

_BY_THE_JUDGE = {
    LANDED: "; the judge found that it landed",
    PARTLY: "; the judge found that it landed in part",
    MISSED: "; the judge found that it missed",
    MET: "; the judge found that it has been met since",
}


def for_debater(
    record: Record,
    side: str,
    sides: Sequence[str],
    exchange: int,
    effects: Effects = NO_EFFECTS,
) -> tuple[Own, Own]:
    """Return what nobody has answered before an exchange: attacks on a side, and attacks by it.

    Those too that were answered and have not been met by what the judge says of their `effects`.
    Each is a list, oldest first, or `NONE`.
    """
    made = _attacks(record, sides, exchange, effects)
    open_attacks = [a for a in made if a.state is not State.ANSWERED or a.effect in STANDING]
    return (
        _listed(
            (a for a in open_attacks if a.attacked_side == side), lambda a: _since(a, "you", "your")
        ),
        _listed(
            (a for a in open_attacks if a.side == side),
            lambda a: _since(a, "the opponent", "the opponent's"),
        ),
    )


def for_judge(
    record: Record, sides: Mapping[str, str], exchange: int, effects: Effects = NO_EFFECTS
) -> Own:
    """Return what a side let pass now that an exchange was argued: not met or dropped, or `NONE`.

    `sides` are the names of the sides by participant. The list has the oldest first, and none that
    missed or has been met by what the judge says of their `effects`.
    """
    made = _attacks(record, tuple(sides), exchange + 1, effects)
    unanswered = (attack for attack in made if attack.state is not State.ANSWERED)
    passed = (a for a in unanswered if a.turns and a.effect not in {MISSED, MET})
    return _listed(passed, lambda a: _since(a, f"the {sides[a.attacked_side]}"))


def _attacks(
    record: Record, sides: Sequence[str], before: int, effects: Effects
) -> tuple[Attack, ...]:
    """Return the attacks made before an exchange, from what the headers of the arguments say."""
    on_record = record.ids(ARGUMENTS)
    near = [i for i in on_record if before - LOOK_BACK <= exchange_of(i) < before]
    arguments = [_argument(i, record) for i in near]
    targets = {link.target_id for a in arguments for link in a.attacks}
    older = [_argument(i) for i in on_record if i in targets - set(near)]
    turns: dict[str, set[int]] = {side: set() for side in sides}
    for entry_id in (*on_record, *record.ids(JUDGMENTS)):  # an absence was a turn, too
        exchange, participant = exchange_of(entry_id), participant_of(entry_id)
        if participant in turns and exchange < before:
            turns[participant].add(exchange)
    return attacks([*older, *arguments], turns, sides, effects)


def _argument(argument_id: str, record: Record | None = None) -> Argument:
    """Return an argument by its id alone or, with the record, with its links."""
    header = header_of(record, argument_id) if record else {}
    hits, defends = (
        tuple(Link(str(i.get("target_id")), str(i.get("type"))) for i in header.get(key) or ())
        for key in ("attacks", "defends")
    )
    side, exchange = participant_of(argument_id), exchange_of(argument_id)
    return Argument(argument_id, side, exchange, "", "", (), "", attacks=hits, defends=defends)


def _listed(listed: Iterable[Attack], since: Callable[[Attack], str]) -> Own:
    """Return a line for each argument that attacks another, the oldest attack first.

    Where the judge says different things of its attacks, there is one for each.
    """
    alike: dict[tuple[str, str, str], list[Attack]] = {}
    for attack in sorted(listed, key=lambda a: a.exchange):
        alike.setdefault((attack.attacker, attack.target, attack.effect), []).append(attack)
    lines = [
        f"- {_pair(hits)}: {since(hits[0])}{_BY_THE_JUDGE.get(hits[0].effect, '')}"
        for hits in alike.values()
    ]
    more = len(lines) - MOST
    earlier = [f"- and {more} earlier"] if more > 0 else []
    return Own("\n".join([*earlier, *lines[-MOST:]]) or NONE)


def _pair(hits: Sequence[Attack]) -> str:
    parts = [part for part in COMPONENTS if part in {attack.component for attack in hits}]
    where = f"the {' and '.join(parts)} of " if parts else ""
    return f"{hits[0].attacker} on {where}{hits[0].target}"


def _since(attack: Attack, side: str, whose: str = "") -> str:
    """Return what a side did about an attack in its turns since."""
    if attack.state is State.ANSWERED:
        return f"answered by {', '.join(attack.answered_by)}, which did not meet it"
    if not attack.turns:
        return f"this is {whose} first turn since"
    turns = f"{attack.turns} turn{'s' if attack.turns > 1 else ''} since"
    if attack.state is not State.NOT_MET:
        return f"dropped by {side}, {turns}"
    attackers = ", ".join(attack.countered_by)
    hit = "hits" if len(attack.countered_by) == 1 else "hit"
    return f"not met directly by {side}, {turns}: {attackers} only {hit} {attack.attacker}"
