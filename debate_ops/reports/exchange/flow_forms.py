"""The flow of a debate of the protocol exchange in every form: see `FlowSheet`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.reports.blocks import Block, Paragraph, Ref, Table, line
from debate_ops.reports.exchange import numbers, words
from debate_ops.reports.exchange.kind import SIDES, place_of
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.flow_sheet import FlowSheet, in_lines
from debate_ops.reports.page import alone
from debate_ops.reports.phrases import OPEN_LIST, some
from debate_ops.reports.text import shorten
from debate_ops.semantics.flow import RULE, Attack, Reception, State

HEADS = (
    *("id", "exchange", "attacker", "side", "target", "component", "state", "how"),
    *("answered_by", "defended_by", "countered_by", "conceded_by", "later_turns"),
)
_RULE = RULE.replace("*", "")
_WORD = 40
"""Characters of a component that no rule knows."""


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    own = numbers.of(debate)
    attacks = list(_attacks(own))
    return FlowSheet(
        lines=lambda columns: _lines(own, columns),
        page=lambda: alone(debate, _page(own)),
        heads=HEADS,
        rows=tuple(
            tuple(" ".join(v) if isinstance(v, list) else v for v in row.values())
            for row in attacks
        ),
        data={
            "tally": {state.code: number for state, number in own.flow.tally().items()},
            "answers": {way.code: number for way, number in own.flow.answers().items()},
            "attacks": attacks,
            "arguments": [
                {
                    "id": s.argument.id,
                    "side": SIDES[s.argument.side],
                    "exchange": s.argument.exchange,
                    "title": s.argument.title,
                    "state": own.flow.receptions[s.argument.id].code,
                }
                for s in own.standings
            ],
            "rule": _RULE,
        },
    )


def _attacks(own: Numbers) -> Iterator[dict[str, Any]]:
    """Yield each attack by the heads of the table."""
    counts: dict[str, int] = {}
    for attack in own.attacks:
        number = counts[attack.attacker] = counts.get(attack.attacker, 0) + 1
        values = (
            f"{attack.attacker}-attack-{number}",
            attack.exchange,
            attack.attacker,
            SIDES[attack.side],
            attack.target,
            attack.component,
            attack.state.code,
            [answer.code for answer in attack.answers],
            *map(list, (attack.answered_by, attack.defended_by)),
            *map(list, (attack.countered_by, attack.conceded_by)),
            attack.turns,
        )
        yield dict(zip(HEADS, values, strict=True))


def _tally(own: Numbers) -> Iterator[str]:
    """Yield what became of the attacks, and the arguments that nobody attacks."""
    every = " Every attack got a reply." if set(own.flow.tally()) == {State.ANSWERED} else ""
    yield f"{words.tallied(own.flow)}.{every}"
    for reception in (Reception.NEVER_ATTACKED, Reception.NOT_YET, Reception.TOO_LATE):
        if ids := own.flow.received(reception):
            yield f"{reception.value.capitalize()}: {some(ids, OPEN_LIST)}."


def _page(own: Numbers) -> Iterator[Block]:
    yield Paragraph(line(" ".join(_tally(own))))
    rows = tuple(
        (
            line(place_of(attack.exchange)),
            line(Ref(attack.attacker)),
            line(f"{attack.component} of ", Ref(attack.target)),
            line(words.outcome(attack)),
        )
        for attack in own.attacks
    )
    yield Table(("Exchange", "Attack", "On", "Outcome"), rows)
    yield Paragraph(line(_RULE))


def _lines(own: Numbers, columns: int) -> list[str]:
    """Return every argument that was attacked, and the attacks on it, for a terminal."""
    hits: dict[str, dict[str, None]] = {}
    for attack in own.attacks:
        done = f"{place_of(attack.exchange)}: {attack.attacker} attacks the "
        text = f"{done}{shorten(attack.component, _WORD)}: {_outcome(attack)}"
        hits.setdefault(_target(own, attack.target, columns), {})[text] = None
    return in_lines(own.framing.motion, hits, _tally(own), _RULE, columns)


def _target(own: Numbers, id_: str, columns: int) -> str:
    standing = own.standing(id_)
    room = max(columns - len(id_) - 2, 10)
    return f"{id_}  {shorten(standing.argument.title, room) if standing else ''}"


def _outcome(attack: Attack) -> str:
    state, text = attack.state.value, words.outcome(attack)
    return text if attack.state is State.ANSWERED else text.replace(state, state.upper(), 1)
