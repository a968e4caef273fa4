"""The rows of a flow sheet: each opening argument, and all that followed from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from debate_ops.model.entries import Argument, Link
from debate_ops.semantics.flow import (
    Attack,
    Flow,
    Reception,
    Reply,
    State,
    Thread,
    Turns,
    attacks,
    receptions,
)

_WORST_FIRST = (State.DROPPED, State.NOT_MET, State.OPEN, State.NO_TURN, State.ANSWERED)


def flow(arguments: Sequence[Argument], turns: Turns, coming: Collection[str] = ()) -> Flow:
    """Return the flow of a debate: attacks, receptions and threads, each in the order given.

    `turns` are the exchanges in which each side had a turn, used or not (see `turns_of`), `coming`
    the sides whose next turn is still to come.
    """
    found = attacks(arguments, turns, coming)
    had = receptions(arguments, turns, coming)
    return Flow(
        attacks=found,
        receptions=had,
        threads=tuple(_threads(arguments, found, had)),
        exchanges=tuple(sorted({argument.exchange for argument in arguments})),
    )


def roots(arguments: Sequence[Argument]) -> dict[str, str]:
    """Return of each argument the one that opened its thread: see `THREAD_RULE`.

    Only links to arguments of earlier exchanges count, so that no thread can run in a circle. Of
    several targets of the same exchange the one named first counts.
    """
    known = {argument.id: argument for argument in arguments}
    found: dict[str, str] = {}
    for argument in sorted(arguments, key=lambda a: a.exchange):
        latest = _latest(argument, argument.attacks, known) or _latest(
            argument, argument.defends, known
        )
        found[argument.id] = found[latest] if latest else argument.id
    return {argument.id: found[argument.id] for argument in arguments}


def _latest(argument: Argument, links: Iterable[Link], known: Mapping[str, Argument]) -> str:
    """Return the latest argument that these links hit, or an empty string."""
    targets = [known[link.target_id] for link in links if link.target_id in known]
    earlier = [target for target in targets if target.exchange < argument.exchange]
    return max(earlier, key=lambda t: t.exchange).id if earlier else ""


def _threads(
    arguments: Sequence[Argument], found: Iterable[Attack], had: Mapping[str, Reception]
) -> Iterator[Thread]:
    home = roots(arguments)
    members: dict[str, list[str]] = {}
    for argument_id, root in home.items():
        members.setdefault(root, []).append(argument_id)
    made: dict[str, list[Attack]] = {}
    for attack in found:
        made.setdefault(attack.attacker, []).append(attack)
    cells: dict[str, dict[int, list[Reply]]] = {root: {} for root in members}
    for argument in arguments:
        for root, reply in _replies(argument, made.get(argument.id, ()), home):
            cells[root].setdefault(argument.exchange, []).append(reply)
    sides = {argument.id: argument.side for argument in arguments}
    for root, own in members.items():
        rows = {exchange: tuple(cells[root][exchange]) for exchange in sorted(cells[root])}
        thread = Thread(root, sides[root], tuple(_first(root, own)), rows, had[root])
        yield thread._replace(state=_state(thread))


def _replies(
    argument: Argument, made: Iterable[Attack], home: Mapping[str, str]
) -> Iterator[tuple[str, Reply]]:
    """Yield what an argument does in each thread that it has to do with, its own first."""
    own = home[argument.id]
    attacked: dict[str, list[Attack]] = {own: []}
    for attack in made:
        attacked.setdefault(home[attack.target], []).append(attack)
    defended: dict[str, list[Link]] = {}
    for link in argument.defends:
        if link.target_id in home:
            defended.setdefault(home[link.target_id], []).append(link)
    for root in dict.fromkeys((*attacked, *defended)):
        yield (
            root,
            Reply(
                argument=argument.id,
                side=argument.side,
                exchange=argument.exchange,
                home=own,
                attacks=tuple(attacked.get(root, ())),
                defends=tuple(defended.get(root, ())),
            ),
        )


def _first(root: str, members: Iterable[str]) -> Iterator[str]:
    yield root
    yield from (member for member in members if member != root)


def _state(thread: Thread) -> State | Reception:
    states = {attack.state for attack in thread.attacks}
    return next((state for state in _WORST_FIRST if state in states), thread.state)
