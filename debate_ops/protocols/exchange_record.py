"""What rules and prompts of `exchange` look up in its record: scores, effects, open attacks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from debate_ops.analysis import flow
from debate_ops.analysis.flow import Attack, AttackKey, links_of
from debate_ops.core.values import Debate, Entry

SIDES = {"prop": "proposition", "opp": "opposition"}
LOOK_BACK = 50
"""How many exchanges are searched for attacks, so that prompts of a long debate stay cheap."""
MOST_IDS = 100
"""How many ids a debater is given one by one; of those before them the first and the last."""
NO_SCORES = {name: {"total": 0, "count": 0} for name in SIDES.values()}
NONE = Markup("(none)")


# What is looked up in the record: the newest judgments first, so that a long debate stays cheap.


def list_arguments(d: Debate) -> list[Entry]:
    """Return all arguments, the oldest exchange first."""
    return sorted(d.find("argument"), key=lambda e: (e.round, e.by, e.letter))


def list_new(d: Debate, number: int) -> list[Entry]:
    """Return the arguments of an exchange, those of the proposition first."""
    return sorted(d.find("argument", round=number), key=lambda e: ([*SIDES].index(e.by), e.letter))


def find_scores(d: Debate, ids: Iterable[str]) -> dict[str, Decimal]:
    """Return the latest score of each of some arguments that has one."""
    scores: dict[str, Decimal] = {}
    left = {*ids}
    for e in reversed(d.find("judgment")):
        for item in (*e.data["rescores"], *e.data["scores"]):
            if item["argument_id"] in left:
                left.remove(item["argument_id"])
                scores[item["argument_id"]] = Decimal(str(item["score"]))
        if not left:
            break
    return scores


def is_about(judgment: Entry, ids: Collection[str]) -> bool:
    """Tell whether a judgment gives one of some arguments a score."""
    items = (*judgment.data["scores"], *judgment.data["rescores"])
    return any(item["argument_id"] in ids for item in items)


def find_totals(d: Debate) -> dict[str, dict[str, Any]]:
    """Return the cumulative scores of both sides, and over how many arguments."""
    judged = d.find("judgment")[-1:]
    known = NO_SCORES | dict(judged[0].data["cumulative_scores"] if judged else {})
    return {
        name: {"total": Decimal(str(known[name]["total"])), "count": known[name]["count"]}
        for name in SIDES.values()
    }


def find_effects(d: Debate, since: int = 0) -> dict[AttackKey, str]:
    """Return what each attack did by the last judgment about it, of those since an exchange."""
    latest: dict[AttackKey, str] = {}
    for e in reversed(d.find("judgment")):
        for item in e.data.get("effects") or () if e.round >= since else ():
            attack = item["attacker_id"], item["target_id"], item["component"]
            latest.setdefault(attack, item["effect"])
    return latest


def list_made(d: Debate, arguments: Iterable[Entry]) -> list[AttackKey]:
    """Return the attacks that arguments make, each once."""
    made = (
        (e.id, link["target_id"], flow.name_component(link["type"]))
        for e in arguments
        for link in links_of(e, "attacks")
    )
    return [a for a in dict.fromkeys(made) if a[2] in flow.COMPONENTS and d.get(a[1])]


def find_latest_attacks(d: Debate) -> tuple[Attack, ...]:
    """Return the attacks that were made in the last exchanges, with their outcomes."""
    every = [e for e in d.find("argument", "absence") if e.by in SIDES]
    since = max((e.round for e in every), default=0) + 1 - LOOK_BACK
    near = [e for e in every if e.kind == "argument" and e.round >= since]
    hit = {link["target_id"] for e in near for link in links_of(e, "attacks")}
    older = [
        Entry(e.by, e.round, e.kind, letter=e.letter, is_usual=True)
        for e in every
        if e.round < since and e.id in hit
    ]
    effects = find_effects(d, since) if d.settings.attack_effects == "on" else {}
    return flow.find_attacks([*older, *near], flow.list_turns(every), tuple(SIDES), effects)


def name_attack(attack: AttackKey) -> str:
    """Return an attack in words, as in `opp_002 on the warrant of prop_001`."""
    return f"{attack[0][:60]} on the {attack[2]} of {attack[1][:60]}"


def list_ids(ids: Sequence[str]) -> Markup:
    """Return the newest ids in a row, and how far back those before them go."""
    newest, older = ids[-MOST_IDS:], ids[:-MOST_IDS]
    first = f"; and {len(older)} older ones, {older[0]} to {older[-1]}" if older else ""
    return Markup(", ".join(newest) + first)


def group_attacks(attacks: Iterable[Attack]) -> tuple[tuple[Attack, ...], ...]:
    """Return attacks, oldest first: those of one argument on another that did the same together."""
    alike: dict[tuple[str, str, str], list[Attack]] = {}
    for attack in sorted(attacks, key=lambda a: a.exchange):
        alike.setdefault((attack.attacker, attack.target, attack.effect), []).append(attack)
    return tuple(map(tuple, alike.values()))
