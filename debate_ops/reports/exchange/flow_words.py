"""What became of the attacks, in sentences: for a page and for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.reports.phrases import OPEN_LIST, newest, of_each
from debate_ops.reports.text import counted, joined, shorten
from debate_ops.semantics.flow import (
    CONCESSION,
    Answer,
    Attack,
    Flow,
    Reception,
    Reply,
    State,
    Thread,
)

_WORD = 40
"""Characters of a component that no rule knows."""

_LET_PASS = frozenset({State.DROPPED, State.NOT_MET})

LATE = "Made in the last exchange; no reply was possible"

Refer = Callable[[Iterable[str]], str]
"""How ids are written: as links on a page, plain in a terminal."""


class Style(NamedTuple):
    """How words are written in one place: ids, texts of the record, and what is to stand out.

    `by` says whether to name what answers an attack.
    """

    refer: Refer
    text: Callable[[str], str]
    strong: Callable[[str], str]
    by: bool


PLAIN = Style(", ".join, str, str.upper, by=True)


def tally(flow: Flow, refer: Refer) -> Iterator[str]:
    """Yield what became of the attacks, and the arguments that nobody attacks."""
    yield outcomes(flow)
    for reception in (Reception.NEVER_ATTACKED, Reception.NOT_YET):
        if ids := flow.received(reception):
            yield f"{reception.value.capitalize()}: {_few(ids, refer)}."
    if ids := flow.received(Reception.TOO_LATE):
        late = flow.tally().get(State.NO_TURN)
        attacks = f", with {counted(late, 'attack')}" if late else ""
        yield f"{LATE}: {_few(ids, refer)}{attacks}."


def outcomes(flow: Flow) -> str:
    """Return how many attacks there are, and what became of them, as sentences."""
    every = " Every attack got a reply." if set(flow.tally()) == {State.ANSWERED} else ""
    return f"{tallied(flow)}.{every}"


def tallied(flow: Flow) -> str:
    """Return how many attacks there are of each outcome, as a clause."""
    told = of_each(flow.outcomes())
    return f"{counted(len(flow.attacks), 'attack')}{told and ': '}{told}"


def let_pass(flow: Flow, sides: Mapping[str, str], refer: Refer) -> Iterator[str]:
    """Yield each attack that was dropped or not met, by whom, and for how many turns."""
    for attack in flow.attacks:
        if attack.state in _LET_PASS:
            yield (
                f"{refer([attack.attacker])} on the {attack.component} of "
                f"{refer([attack.target])}: {attack.state.value} by the "
                f"{sides.get(attack.attacked_side, attack.attacked_side)} "
                f"({counted(attack.turns, 'later turn')})"
            )


def pairs(attacks: Iterable[Attack], link: Callable[[str], str] = str) -> list[str]:
    """Return who attacks whom, as `prop_002 on opp_001`, each pair once."""
    told = (f"{link(attack.attacker)} on {link(attack.target)}" for attack in attacks)
    return list(dict.fromkeys(told))


def _answered_by(attack: Attack, refer: Refer) -> str:
    """Return how an attack was answered, and by what."""
    ways = zip(Answer, (attack.defended_by, attack.conceded_by), strict=True)
    return ", ".join(f"{way.value} by {refer(ids)}" for way, ids in ways if ids)


def reply(said: Reply, style: Style) -> str:
    """Return what an argument does in a thread; empty for one that only opens it."""
    by_target: dict[str, list[Attack]] = {}
    for attack in said.attacks:
        by_target.setdefault(attack.target, []).append(attack)
    done = [_attacks(hits, style) for hits in by_target.values()]
    for verb, given_up in (("defends", False), ("concedes a part of", True)):
        targets = [d.target_id for d in said.defends if (d.type == CONCESSION) is given_up]
        done += [f"{verb} {style.refer(dict.fromkeys(targets))}"] if targets else []
    return "; ".join(done)


def _attacks(hits: Sequence[Attack], style: Style) -> str:
    """Return one argument's attacks on another: they have the same answers."""
    parts = dict.fromkeys(style.text(shorten(attack.component, _WORD)) for attack in hits)
    what = f"the {joined(list(parts))} of " if any(parts) else ""
    return f"attacks {what}{style.refer([hits[0].target])}: {came(hits[0], style)}"


def came(attack: Attack, style: Style) -> str:
    """Return what became of an attack: how it was answered, or that it was not."""
    if attack.state is State.ANSWERED:
        return _answered_by(attack, style.refer) if style.by else attack.words
    told = style.strong(attack.state.value)
    if attack.state is State.NOT_MET and style.by:
        return f"{told} (only counter-attacked, by {style.refer(attack.countered_by)})"
    return told


def came_of(thread: Thread, sides: Mapping[str, str]) -> str:
    """Return the state of a thread in words, and who let an attack pass, where somebody did."""
    if thread.state not in _LET_PASS:
        return thread.state.value
    by = dict.fromkeys(a.attacked_side for a in thread.attacks if a.state is thread.state)
    return f"{thread.state.value} by the {joined([sides.get(side, side) for side in by])}"


def _few(ids: tuple[str, ...], refer: Refer) -> str:
    shown, more = newest(ids, OPEN_LIST)
    return refer(shown) + (f" and {more} earlier ones" if more else "")
