"""What rules and prompts of `exchange` look up in its record: arguments, scores, attacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from debate_ops.analysis import flow
from debate_ops.analysis.flow import Attack, AttackKey
from debate_ops.core.values import Debate, Entry

SIDES = {"prop": "proposition", "opp": "opposition"}
OTHER = {"prop": "opp", "opp": "prop"}
NO_SCORES = {name: {"total": 0, "count": 0} for name in SIDES.values()}
LOOK_BACK = 20
"""How many exchanges are followed in prompts, so that a long debate stays cheap."""
MOST_IDS = 100
"""How many ids a debater is given one by one; of those before them the first and the last."""


def list_arguments(d: Debate) -> list[Entry]:
    """Return all arguments, the oldest exchange first."""
    return sorted(d.find("argument"), key=lambda e: (e.round, e.by, e.letter))


def list_new(d: Debate, number: int, first: str = "prop") -> list[Entry]:
    """Return the arguments of an exchange, those of one side first."""
    return sorted(d.find("argument", round=number), key=lambda e: (e.by != first, e.letter))


def list_scores(judgment: Entry) -> list[dict[str, Any]]:
    """Return the scores that a judgment gives, to new arguments and to earlier ones."""
    return [*judgment.data["scores"], *judgment.data["rescores"]]


def find_scores(d: Debate, ids: Iterable[str]) -> dict[str, Decimal]:
    """Return the latest score of each of some arguments that has one; newest judgments first."""
    scores: dict[str, Decimal] = {}
    left = {*ids}
    for e in reversed(d.find("judgment")):
        given = {item["argument_id"]: Decimal(str(item["score"])) for item in list_scores(e)}
        scores |= {name: given[name] for name in left & given.keys()}
        left -= given.keys()
        if not left:
            break
    return scores


def find_totals(d: Debate) -> dict[str, dict[str, Any]]:
    """Return the cumulative scores of both sides, and over how many arguments."""
    judged = d.find("judgment")[-1:]
    known = judged[0].data["cumulative_scores"] if judged else NO_SCORES
    return {
        name: {"total": Decimal(str(known[name]["total"])), "count": known[name]["count"]}
        for name in SIDES.values()
    }


def find_attacks(d: Debate, named: Iterable[str] = ()) -> list[Attack]:
    """Return the attacks of the last exchanges, the oldest first, and what became of each.

    It looks back further where an argument that is named by its id is older.
    """
    last = next(reversed(d.entries.values())).round if d.entries else 0
    since = min([max(0, last + 1 - LOOK_BACK), *(e.round for e in map(d.get, named) if e)])
    turns = [e for n in range(since, last + 1) for e in d.find("argument", "absence", round=n)]
    near = [e for e in turns if e.by in SIDES]
    hit = (d.get(link["target_id"]) for e in near for link in flow.links_of(e, "attacks"))
    older = {e.id: e for e in hit if e and e.round < since}
    effects: dict[AttackKey, str] = {}
    for number in range(since, last + 1):
        for e in d.find("judgment", round=number):
            for item in e.data.get("effects") or ():
                attack = item["attacker_id"], item["target_id"], item["component"]
                effects[attack] = item["effect"]
    made = flow.find_attacks([*older.values(), *near], flow.list_turns(near), tuple(SIDES), effects)
    return [attack for attack in made if attack.exchange >= since]


def list_ids(ids: Sequence[str]) -> Markup:
    """Return the newest ids in a row, and how far back those before them go."""
    newest, older = ids[-MOST_IDS:], ids[:-MOST_IDS]
    first = f"; and {len(older)} older ones, {older[0]} to {older[-1]}" if older else ""
    return Markup(", ".join(newest) + first)
