"""The flow of a debate of two sides: see `FlowSheet`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.reports.blocks import Line, Ref, line
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.exchange.words import (
    EFFECTS,
    SIDES,
    effects_in_words,
    outcome,
    place_of,
    tallied,
)
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.text import shorten, some
from debate_ops.semantics.flow import EFFECT_RULE, RULE, Attack, Flow, Reception, State

HEADS = (
    *("id", "exchange", "attacker", "side", "target", "component", "state", "how"),
    *("answered_by", "defended_by", "countered_by", "conceded_by", "later_turns"),
    *("effect", "reasoning"),
)
_MOST_NAMED = 12
_WORD = 40
"""Characters of a component that no rule knows."""


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    board = Scoreboard(debate)
    flow = board.flow
    rule = rule_of(flow)
    attacks = [
        dict(zip(HEADS, _row(board, attack, number), strict=True))
        for own in board.attacks_by.values()
        for number, attack in enumerate(own, 1)
    ]
    arguments = [
        {
            "id": a.id,
            "side": SIDES[a.side],
            "exchange": a.exchange,
            "title": a.title,
            "state": flow.receptions[a.id].code,
        }
        for a in board.arguments
    ]
    return FlowSheet(
        debate,
        hits={
            board.named(target): dict.fromkeys(map(_hit, own))
            for target, own in board.attacks_on.items()
        },
        tally=tuple(_tally(board)),
        rule=rule,
        heads=HEADS,
        rows=tuple(tuple(row.values()) for row in attacks),
        data={
            "tally": {state.code: number for state, number in flow.tally().items()},
            "effects": flow.effects(),
            "answers": {way.code: number for way, number in flow.answers().items()},
            "attacks": attacks,
            "arguments": arguments,
            "rule": rule,
        },
    )


def rule_of(flow: Flow) -> str:
    """Return what the words of a flow mean."""
    return f"{RULE} {EFFECT_RULE}".replace("*", "") if flow.effects() else RULE.replace("*", "")


def _row(board: Scoreboard, attack: Attack, number: int) -> tuple[Any, ...]:
    """Return an attack by the heads of the table; `number` is its place among its attacker's."""
    identified = (f"{attack.attacker}-attack-{number}", attack.exchange, attack.attacker)
    answers = (attack.answered_by, attack.defended_by, attack.countered_by, attack.conceded_by)
    return (
        *(*identified, SIDES[attack.side], attack.target, attack.component, attack.state.code),
        [answer.code for answer in attack.answers],
        *map(list, answers),
        attack.turns,
        attack.effect,
        "; ".join(decision.reasoning for decision in board.decisions.get(attack.key, ())),
    )


def _tally(board: Scoreboard) -> Iterator[str]:
    """Yield what became of the attacks, and the arguments that nobody attacks."""
    yield f"{tallied(board.flow)}."
    if effects := effects_in_words(board.flow):
        yield effects
    for reception in (Reception.NEVER_ATTACKED, Reception.NOT_YET, Reception.TOO_LATE):
        if ids := board.flow.received(reception):
            yield f"{reception.value.capitalize()}: {some(ids, _MOST_NAMED)}."


def _hit(attack: Attack) -> Line:
    state, fate = attack.state.value, outcome(attack)
    if attack.state is not State.ANSWERED:
        fate = fate.replace(state, state.upper(), 1)
    if attack.effect:
        did = EFFECTS[attack.effect]
        fate += f"; the judge: {did.upper() if attack.stands else did}"
    place, part = place_of(attack.exchange), shorten(attack.component, _WORD)
    return line(f"{place}: ", Ref(attack.attacker), f" attacks the {part}: {fate}")
