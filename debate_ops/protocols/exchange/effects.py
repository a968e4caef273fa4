"""What attacks did, as the judge decides it: which are to be decided, and what is on record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from debate_ops.analysis.flow import (
    COMPONENTS,
    CONCESSION,
    MET,
    STANDING,
    AttackKey,
    Effects,
    component,
)
from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.score import to_millis
from debate_ops.protocols.base import Settings
from debate_ops.protocols.exchange.past import (
    exchange_of,
    header_of,
    new_ids,
    scores_on_record,
)
from debate_ops.protocols.replies import objects
from debate_ops.protocols.settings import choice

SETTING = choice(
    "attack_effects",
    "off",
    "whether the judge says of each attack if it landed, partly or not at all",
    "on",
    "off",
)._replace(usual="on")

Item = Mapping[str, Any]
_KEYS = ("attacker_id", "target_id", "component")


def are_decided(settings: Settings) -> bool:
    """Tell whether the judge of a debate with these settings decides what attacks did."""
    return settings.get(SETTING.name) == "on"


def attacks_of(record: Record, ids: Iterable[str]) -> tuple[AttackKey, ...]:
    """Return the attacks that arguments make, each once."""
    made = (
        (i, str(link.get("target_id")), component(str(link.get("type"))))
        for i in ids
        for link in header_of(record, i).get("attacks") or ()
    )
    return tuple(
        dict.fromkeys(a for a in made if a[2] in COMPONENTS and _is_argument(record, a[1]))
    )


def on_record(record: Record, since: int = 0) -> dict[AttackKey, str]:
    """Return what each attack did by the last judgment about it, of those since an exchange."""
    latest: dict[AttackKey, str] = {}
    for entry_id in reversed(record.ids(JUDGMENTS)):
        if exchange_of(entry_id) < since:
            break
        for item in header_of(record, entry_id).get("effects") or ():
            if item["component"] in COMPONENTS:
                latest.setdefault(_attack(item), item["effect"])
    return latest


def standing(effects: Effects) -> list[AttackKey]:
    """Return the attacks that landed, or did partly, and have not been met; the oldest first."""
    ordered = sorted(effects, key=lambda attack: exchange_of(attack[0]))
    return [attack for attack in ordered if effects[attack] in STANDING]


def to_decide(attacks: Iterable[AttackKey], effect: str = "") -> str:
    """Return what a judge fills in about attacks: an object on a line for each."""
    return "\n".join(
        f'{{"attacker_id": "{attacker}", "target_id": "{target}", "component": "{part}", '
        f'"effect": "{effect}", "reasoning": ""}}'
        for attacker, target, part in attacks
    )


def faults(debate: Debate, exchange: int, value: Item) -> Iterator[Finding]:
    """Yield what is wrong with what a judgment says that attacks did."""
    decided = objects(value.get("effects"))
    if not are_decided(debate.settings):
        if decided:
            message = "this debate's settings do not ask what attacks did; it is left out"
            yield Finding("effects_not_asked", message, where="$.effects")
        return
    ids = new_ids(debate.record, exchange)
    new = attacks_of(debate.record, ids)
    named = [_attack(item) for _, item in decided]
    if missing := [name(attack) for attack in new if attack not in named]:
        message = f"what these attacks did stays undecided: {'; '.join(missing)}"
        each = f"{len(new)} effects"
        yield Finding("effect_missing", message, where="$.effects", expected=each)
    before = on_record(debate.record, min((exchange_of(a[0]) for a in named), default=0))
    seen: set[AttackKey] = set()
    for place, item in decided:
        attack, where = _attack(item), f"$.effects[{place}]"
        if not all(isinstance(item.get(key), str) for key in _KEYS):
            continue  # the schema says so
        if attack in seen:
            message = f"{messages.name(name(attack))} is decided twice"
            yield Finding("effect_twice", message, where=where)
        elif attack not in new and attack not in before:
            message = f"{messages.name(name(attack))}: no such attack is to be decided"
            expected = "; ".join(map(name, new)) or "none: this exchange has no attack"
            yield Finding("effect_unknown", message, where=where, expected=expected)
        elif problem := _misfit(item.get("effect"), before.get(attack), is_new=attack in new):
            message, expected = f"{name(attack)} {problem[0]}", problem[1]
            is_ = str(item.get("effect"))
            where = f"{where}.effect"
            yield Finding("effect_unfit", message, where=where, actual=is_, expected=expected)
        seen.add(attack)
    yield from _unexplained(debate.record, ids, value)


def name(attack: AttackKey) -> str:
    """Return an attack in words.

    >>> name(("opp_002", "prop_001", "warrant"))
    'opp_002 on the warrant of prop_001'
    """
    attacker, target, part = attack
    return f"{attacker} on the {part} of {target}"


def _attack(item: Item) -> AttackKey:
    attacker, target, part = (str(item.get(key)) for key in _KEYS)
    return attacker, target, part


def _is_argument(record: Record, entry_id: str) -> bool:
    entry = record.get(entry_id)
    return entry is not None and entry.folder == ARGUMENTS


def _misfit(effect: Any, before: str | None, *, is_new: bool) -> tuple[str, str] | None:
    """Return why an effect does not fit an attack, and what would; None where it does."""
    if is_new:
        fits = effect != MET
        return None if fits else ("is new: nothing can have met it yet", "landed, partly or missed")
    if before not in STANDING:
        return f"was decided before, and {before} is the last word", "no effect for this attack"
    return None if effect == MET else ("was decided before, and can only be met", MET)


def _unexplained(record: Record, new: Iterable[str], value: Item) -> Iterator[Finding]:
    """Yield a warning for each score that is lowered although no attack that landed hits it.

    What its own side has given up a part of needs none.
    """
    rescored = objects(value.get("rescores"))
    recorded = scores_on_record(record, {str(item.get("argument_id")) for _, item in rescored})
    lowered = {
        target: place
        for place, item in rescored
        for target in (str(item.get("argument_id")),)
        for score in (to_millis(item.get("new_score")),)
        if score is not None and score < recorded.get(target, score)
    }
    if not lowered:
        return
    now = {_attack(item): str(item.get("effect")) for _, item in objects(value.get("effects"))}
    latest = on_record(record, min(map(exchange_of, lowered))) | now
    hit = {attack[1] for attack, effect in latest.items() if effect in STANDING}
    hit |= {
        str(link.get("target_id"))
        for i in new
        for link in header_of(record, i).get("defends") or ()
        if link.get("type") == CONCESSION
    }
    for target, place in lowered.items():
        if target not in hit:
            message = f"{target} is lowered, but no attack on it has landed, or still stands"
            yield Finding("rescore_unexplained", message, where=f"$.rescores[{place}]")
