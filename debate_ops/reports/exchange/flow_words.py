"""What became of the attacks, in sentences: for a page and for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.reports.phrases import OPEN_LIST, newest
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
    live_drops,
)

_WORD = 40
"""Characters of a component that no rule knows."""

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
    """Yield how many attacks there are of each state, and the arguments that nobody attacks."""
    yield f"{counted(len(flow.attacks), 'attack')}{_states(flow)}."
    for reception in (Reception.NEVER_ATTACKED, Reception.NOT_YET, Reception.TOO_LATE):
        if ids := flow.received(reception):
            yield f"{reception.value.capitalize()}: {_few(ids, refer)}."


def _states(flow: Flow) -> str:
    states = flow.tally()
    if not states:
        return ""
    told = [
        f"{number} {state.value}{_ways(flow) if state is State.ANSWERED else ''}"
        for state, number in states.items()
    ]
    return ": " + ", ".join(told if State.DROPPED in states else [*told, "none dropped"])


def _ways(flow: Flow) -> str:
    """Return how attacks were answered, as what stands in brackets."""
    ways = [f"{number} {way.value}" for way, number in flow.answers().items()]
    alone = sum(attack.answers == (Answer.COUNTERED,) for attack in flow.attacks)
    if alone and len(ways) > 1:
        ways.append(f"{alone} by a counter-attack alone")
    return f" ({', '.join(ways)})"


def drops(flow: Flow, sides: Mapping[str, str], refer: Refer) -> Iterator[str]:
    """Yield each attack that stands dropped, by whom, and for how many turns."""
    for attack in live_drops(flow.attacks):
        yield (
            f"{refer([attack.attacker])} on the {attack.component} of {refer([attack.target])}: "
            f"dropped by the {sides.get(attack.attacked_side, attack.attacked_side)} "
            f"({counted(attack.turns, 'later turn')})"
        )


def pairs(attacks: Iterable[Attack], link: Callable[[str], str] = str) -> list[str]:
    """Return who attacks whom, as `prop_002 on opp_001`, each pair once."""
    told = (f"{link(attack.attacker)} on {link(attack.target)}" for attack in attacks)
    return list(dict.fromkeys(told))


def answered_by(attack: Attack, refer: Refer) -> str:
    """Return how an attack was answered, and by what; empty where it was not."""
    by = (attack.defended_by, attack.countered_by, attack.conceded_by)
    ways = zip(Answer, by, strict=True)
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
    return f"attacks {what}{style.refer([hits[0].target])}: {_came(hits[0], style)}"


def _came(attack: Attack, style: Style) -> str:
    if attack.state is not State.ANSWERED:
        return style.strong(attack.state.value)
    return answered_by(attack, style.refer) if style.by else attack.words


def came_of(thread: Thread, sides: Mapping[str, str]) -> str:
    """Return the state of a thread in words; of a dropped one also who dropped an attack in it."""
    if thread.state is not State.DROPPED:
        return thread.state.value
    dropped = dict.fromkeys(attack.attacked_side for attack in live_drops(thread.attacks))
    return f"dropped by the {joined([sides.get(side, side) for side in dropped])}"


def _few(ids: tuple[str, ...], refer: Refer) -> str:
    shown, more = newest(ids, OPEN_LIST)
    return refer(shown) + (f" and {more} earlier ones" if more else "")
