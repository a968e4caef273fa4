"""The flow of a debate: how each attack was answered."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Any, NamedTuple

from debate_ops.core.values import Entry

CONCESSION = "concede_and_pivot"
"""The type of a defence that gives up a part of what it defends."""
ANSWERED, CONCEDED = "answered", "partly conceded"

COMPONENTS = ("claim", "grounds", "warrant", "backing")
"""What an attack can hit; a warrant attack is an undercut: it hits the step, not the conclusion."""

LANDED, PARTLY, GRANTED, MISSED, MET = "landed", "partly", "granted", "missed", "met"
"""What an attack did by a judge: one that had landed may later be `MET`, or `PARTLY`."""

IDLE = frozenset({GRANTED, MISSED, MET})
"""The effects of an attack that takes nothing from its target now."""

RULE = (
    "An attack is *answered* if a later argument of the attacked side defends its target, and "
    "*partly conceded* if such a defence gives a part of the target up. It is *not met directly* "
    "if that side did neither and attacked the argument that the attack came from: this strikes "
    "at the attacker and leaves the attack as it is. It is *dropped* if the attacked side had a "
    "later turn, used or not, and did none of these. Without a later turn it is *open* as long as "
    "that turn is still to come; else it came *too late*: in the last exchange, where no reply was "
    "possible. A reply names arguments, not attacks, so what answers an attack is a defence of "
    "what it hits; links count alone, not words. An attack that was dropped or not met is not "
    "thereby right, nor an answered one wrong."
)
"""Printed wherever these states are shown: the convention of judges of spoken debates."""

EFFECT_RULE = (
    "Whether an attack *landed*, landed *in part*, is *granted* (right, and without weight for the "
    "motion) or *missed* is what the judge finds by the words of both arguments. "
    "One that landed, at least in part, *stands* until the judge finds that it "
    "has been *met*, whether or not it was answered."
)


class State(StrEnum):
    """What became of an attack: its code in data."""

    ANSWERED = "answered"
    NOT_MET = "not_met"
    DROPPED = "dropped"
    OPEN = "open"
    NO_TURN = "no_turn"

    @property
    def words(self) -> str:
        """It for readers."""
        return {"not_met": "not met directly", "no_turn": "too late"}.get(self, self.value)


def links_of(argument: Entry, key: str) -> Sequence[Mapping[str, Any]]:
    """Return what an argument attacks or defends: `target_id` and `type` of each link."""
    found: Sequence[Mapping[str, Any]] = argument.data.get(key) or ()
    return found


AttackKey = tuple[str, str, str]
"""An attack: the attacking argument, its target, and the component that is hit."""


class Attack(NamedTuple):
    """An attack on an argument, or a point of criticism of a text, and its outcome.

    `entry` makes it; `on` is what it hits, or how grave the point is. `outcome` is how it was
    answered in a word of its protocol, `effect` and `reason` the judge's last word about it, all
    empty where there is none. `replies` answer it or, where nothing does, only strike back. `turns`
    is how many the attacked side has had since. `said` is the text of a criticism.
    """

    entry: str
    exchange: int
    by: str
    target: str
    on: str
    state: State = State.OPEN
    outcome: str = ""
    effect: str = ""
    reason: str = ""
    replies: tuple[str, ...] = ()
    turns: int = 0
    said: str = ""

    @property
    def key(self) -> AttackKey:
        """Attacker, target and component: which attack it is to the judge."""
        return self.entry, self.target, self.on

    @property
    def word(self) -> str:
        """Its outcome or, where nobody answered, its state."""
        return self.outcome or self.state.words

    @property
    def stands(self) -> bool:
        """Whether the judge found that it landed, at least in part, and has not been met."""
        return self.effect in {LANDED, PARTLY}

    @property
    def found(self) -> str:
        """What it did, for readers; other words of a judge stand as they are."""
        return _FOUND.get(self.effect, self.effect.replace("_", " "))

    def as_data(self) -> dict[str, Any]:
        """Return it for programs, by `FLOW_COLUMNS`."""
        return {name: getattr(self, name) for name in FLOW_COLUMNS} | {"effect": self.found}


_FOUND = {PARTLY: "landed in part", GRANTED: "granted, without weight", MET: "met since"}
FLOW_COLUMNS = (
    *("entry", "exchange", "by", "target", "on"),
    *("state", "outcome", "replies", "effect", "reason"),
)


def find_attacks(
    entries: Sequence[Entry],
    *,
    is_over: bool = True,
    effects: Mapping[AttackKey, tuple[str, str]] = {},
) -> tuple[Attack, ...]:
    """Return every attack in arguments and its outcome, in the order given.

    Links to arguments that are not there, or to those of the own side, are left out. Absences are
    among the `entries`, as turns that were not used; unless the debate `is_over`, another one is
    still to come. `effects` are what the judge said last of attacks, with the reason.
    """
    sides = {e.id: e.by for e in entries if e.kind == "argument"}
    turns = defaultdict[str, list[int]](list)
    for side, exchange in sorted({(e.by, e.round) for e in entries}):
        turns[side].append(exchange)
    links = defaultdict[tuple[str, str], list[tuple[Entry, str]]](list)
    for a, key in product(entries, ("defends", "concedes", "attacks")):
        kind = "attacks" if key == "attacks" else "defends"  # who concedes answers, too
        for link in links_of(a, key):
            how = CONCESSION if key == "concedes" else link["type"]
            links[kind, link["target_id"]].append((a, how))
    found = list[Attack]()
    for attacker, link in ((e, link) for e in entries for link in links_of(e, "attacks")):
        target, on = link["target_id"], name_component(link["type"])
        side = sides.get(target, attacker.by)
        if side == attacker.by:
            continue
        defended, countered = (
            [(a.id, how) for a, how in links[each] if a.by == side and a.round > attacker.round]
            for each in (("defends", target), ("attacks", attacker.id))
        )
        left = len(turns[side]) - bisect_right(turns[side], attacker.round)
        state = State.NO_TURN if is_over else State.OPEN
        if defended:
            state = State.ANSWERED
        elif countered or left:
            state = State.NOT_MET if countered else State.DROPPED
        is_conceded = CONCESSION in (how for _, how in defended)
        effect, reason = effects.get((attacker.id, target, on), ("", ""))
        attack = Attack(
            *(attacker.id, attacker.round, attacker.by, target, on, state),
            outcome=CONCEDED if is_conceded else ANSWERED if defended else "",
            effect=effect,
            reason=reason,
            replies=tuple(dict.fromkeys(i for i, _ in defended or countered)),
            turns=left,
        )
        found.append(attack)
    return tuple(found)


def name_component(link_type: str) -> str:
    """Return what an attack of a type hits, in a word: claim, grounds, warrant or backing."""
    return link_type.removesuffix("_attack").replace("_", " ")
