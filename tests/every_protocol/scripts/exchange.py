"""The protocol `exchange`, held by a script."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from debate_ops.model.entries import ARGUMENTS
from debate_ops.protocols.exchange import effects
from debate_ops.protocols.exchange.past import scores_on_record
from tests.builders import argument, attack, defence, effect, ground, rescore, score
from tests.every_protocol.scripts.row import LONG, Effect, Row, Variant, entries, mark

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Task, Turn
    from tests.builders import Data


def _exchange_reply(debate: Debate, turn: Turn, task: Task, more: str = "") -> Data:
    if task.participant == "judge":
        return _judgment(debate, turn, task)
    naming = {"participant": task.participant, "exchange": turn.exchange}
    if turn.exchange == 0:
        return naming | {"arguments": [_argument(turn, task, n, more) for n in range(3)]}
    other = "opp" if task.participant == "prop" else "prop"
    letter = "a" if turn.exchange == 1 else ""
    last = f"{turn.exchange - 1:03d}{letter}"
    links: Data = {}
    if debate.record.get(f"{other}_{last}"):
        links["attacks"] = [attack(f"{other}_{last}")]
    if debate.record.get(f"{task.participant}_{last}"):
        links["defends"] = [defence(f"{task.participant}_{last}")]
    return naming | {"arguments": [_argument(turn, task, 0, more) | links]}


def _argument(turn: Turn, task: Task, place: int, more: str) -> Data:
    word = mark(turn, task, place)
    return argument(
        title=f"Five words make a {word}",
        claim=f"It is {word}.",
        grounds=[ground(content=word + more)],
    )


def _judgment(debate: Debate, turn: Turn, task: Task) -> Data:
    new = [e.id for e in entries(debate, ARGUMENTS) if e.exchange == turn.exchange]
    both = {i.partition("_")[0] for i in new} == {"prop", "opp"}
    numbers = dict.fromkeys(new, 0.0)
    if both:
        numbers[new[0]], numbers[new[-1]] = 0.25, -0.25
    earlier = scores_on_record(debate.record)
    rescores = [rescore(i, 0.125 + turn.exchange / 10) for i in list(earlier)[:1]]
    why = {"reasoning": mark(turn, task)}
    reply = {
        "participant": task.participant,
        "exchange": turn.exchange,
        "scores": [score(i, number) | why for i, number in numbers.items()],
        "rescores": rescores,
    }
    if effects.are_decided(debate.settings):
        did = ("landed", "partly", "missed")[turn.exchange % 3]
        met = effects.standing(effects.on_record(debate.record))
        reply["effects"] = [
            effect(*attack[:2], how, attack[2]) | why
            for how, attacks in ((did, effects.attacks_of(debate.record, new)), ("met", met))
            for attack in attacks
        ]
    return reply


def _exchange_sees(debate: Debate, turn: Turn, task: Task) -> Collection[str]:
    """Tell that debaters see earlier exchanges, the judge this one too, nobody the judgments."""
    up_to = turn.exchange + (task.participant == "judge")
    return [entry.id for entry in entries(debate, ARGUMENTS) if entry.exchange < up_to]


def _exchange_broken(debate: Debate, turn: Turn, task: Task) -> Data | None:
    good = _exchange_reply(debate, turn, task)
    if task.participant == "judge":
        first, *rest = good["scores"]
        return good | {"scores": [first | {"score": 0.001}, *rest]}  # no sum of zero
    if turn.exchange == 0:
        return None
    return good | {"arguments": [good["arguments"][0] | {"attacks": [attack("opp_777")]}]}


def _until_exchange(number: int) -> Callable[[Debate], bool]:
    return lambda debate: debate.state.exchange >= number


ROW = Row(
    {
        "two exchanges": Variant({}, _exchange_reply, is_over=_until_exchange(3)),
        "attacks decided": Variant(
            {"attack_effects": "on"}, _exchange_reply, is_over=_until_exchange(3)
        ),
        "long texts": Variant(
            {"history_characters": 3000},
            lambda d, t, k: _exchange_reply(d, t, k, f" {LONG}"),
            is_over=_until_exchange(2),
        ),
    },
    _exchange_sees,
    _exchange_broken,
    {
        "word_limits": Effect("reject", "checks", "long texts", {"history_characters": 90_000}),
        "web_search": Effect("forbidden", "prompts", "two exchanges"),
        "language": Effect("French", "prompts", "two exchanges"),
        "first_answer": Effect("on", "entries", "two exchanges"),
        "panel": Effect(3, "calls", "two exchanges"),
        "quotations": Effect("strict", "prompts", "two exchanges"),
        "history_characters": Effect(1000, "prompts", "two exchanges"),
        "absence_limit": Effect(1, "states", "two exchanges", away="opp"),
        "attack_effects": Effect("on", "entries", "two exchanges"),
        "read_first": Effect("opp", "prompts", "two exchanges"),
    },
)
