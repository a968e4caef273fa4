"""The flow of a debate: how each attack was answered, and which arguments nobody attacked."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from debate_ops.core.values import Entry

CONCESSION = "concede_and_pivot"
"""The type of a defence that gives up a part of what it defends."""

COMPONENTS = ("claim", "grounds", "warrant", "backing")
"""What an attack can hit; a warrant attack is an undercut: it hits the step, not the conclusion."""

LANDED, PARTLY, GRANTED, MISSED, MET = "landed", "partly", "granted", "missed", "met"
"""What an attack did, as a judge may decide it.

`GRANTED` is right in what it says, and changes nothing for the motion. `MET` is said of an earlier
one that had landed, and `PARTLY` may be: then it has been met in part.
"""

EFFECTS = (LANDED, PARTLY, GRANTED, MISSED, MET)

IDLE = frozenset({GRANTED, MISSED, MET})
"""The effects of an attack that takes nothing from its target now."""

STANDING = frozenset({LANDED, PARTLY})
"""The effects of an attack that stands: it hit something, and has not been met."""

RULE = (
    "An attack is *answered* if a later argument of the attacked side defends its target, and "
    "*partly conceded* if such a defence gives a part of the target up. It is *not met directly* "
    "if that side did neither and attacked the argument that the attack came from: this strikes "
    "at the attacker and leaves the attack as it is. It is *dropped* if the attacked side had a "
    "later turn, used or not, and did none of these. Without a later turn it is *open* as long as "
    "that turn is still to come; else it came *too late*: in the last exchange, where no reply was "
    "possible. A reply names arguments, not attacks, so what answers an attack is a defence of "
    "what it hits; links count alone, not words. An attack that was dropped or not met is not "
    "thereby right, nor an answered one wrong. "
    "An argument that no attack names was *never attacked* if the other side had a later turn. "
    "Without such a turn it is *not attacked yet* as long as the turn is still to come; else it "
    "came *too late to be answered*."
)
"""Printed wherever these states are shown; the code does what the texts say.

The convention is that of judges of spoken debates: an argument is dropped if the first speech that
had to answer it did not, and a drop is weighed, never won automatically.
"""


EFFECT_RULE = (
    "Whether an attack *landed*, landed *in part*, is *granted* (right, and without weight for the "
    "motion) or *missed* is what the judge finds by the words of both arguments. "
    "One that landed, at least in part, *stands* until the judge finds that it "
    "has been *met*, whether or not it was answered."
)
"""Printed beside `RULE` where a judge decides what attacks did."""


class Word(StrEnum):
    """Something that readers are given in words; data have its code instead."""

    @property
    def code(self) -> str:
        """What stands for it in data."""
        return self.name.lower()


Said = TypeVar("Said", bound=Word)


class State(Word):
    """What became of an attack."""

    ANSWERED = "answered"
    NOT_MET = "not met directly"
    DROPPED = "dropped"
    OPEN = "open"
    NO_TURN = "too late"


class Answer(Word):
    """How an attack was answered; both may hold at once."""

    DEFENDED = "defended"
    CONCEDED = "partly conceded"


class Reception(Word):
    """Whether an argument was attacked and, if it was not, whether it could have been."""

    ATTACKED = "attacked"
    NEVER_ATTACKED = "never attacked"
    TOO_LATE = "too late to be answered"
    NOT_YET = "not attacked yet"


OUTCOMES = (
    *(State.ANSWERED, Answer.CONCEDED),
    *(State.NOT_MET, State.DROPPED, State.OPEN, State.NO_TURN),
)
"""The outcomes of an attack, in this order: each has one of them."""


Link = Mapping[str, Any]
"""A link of an argument as its header has it: `target_id` and `type`."""


def links_of(argument: Entry, key: str) -> Sequence[Link]:
    """Return what an argument attacks or defends."""
    found: Sequence[Link] = argument.data.get(key) or ()
    return found


def list_defences(argument: Entry) -> list[Link]:
    """Return what an argument defends and, as defences of their type, what it concedes."""
    conceded = ({**link, "type": CONCESSION} for link in links_of(argument, "concedes"))
    return [*links_of(argument, "defends"), *conceded]


AttackKey = tuple[str, str, str]
"""An attack: the attacking argument, its target, and the component that is hit."""

Effects = Mapping[AttackKey, str]
"""What attacks did by the judge's last word about each."""

NO_EFFECTS: Effects = {}


class Attack(NamedTuple):
    """One link of one argument to an argument of the other side, and its outcome.

    `side` is the attacker's. `countered_by` are the arguments that attack the attacker's: they
    answer nothing. `turns` is the number of turns that the attacked side has had since. `effect`
    is what it did by the judge's last word about it; empty where the judge has said nothing.
    """

    attacker: str
    target: str
    type: str
    exchange: int
    side: str
    attacked_side: str
    state: State
    defended_by: tuple[str, ...]
    countered_by: tuple[str, ...]
    conceded_by: tuple[str, ...]
    turns: int
    effect: str = ""

    @property
    def key(self) -> AttackKey:
        """Attacker, target and component: which attack it is to the judge."""
        return self.attacker, self.target, self.component

    @property
    def answers(self) -> tuple[Answer, ...]:
        """How it was answered; empty where it was not."""
        ways = {Answer.DEFENDED: self.defended_by, Answer.CONCEDED: self.conceded_by}
        return tuple(answer for answer, ids in ways.items() if ids)

    @property
    def answered_by(self) -> tuple[str, ...]:
        """The arguments that answer it, each once."""
        return tuple(dict.fromkeys((*self.defended_by, *self.conceded_by)))

    @property
    def outcome(self) -> State | Answer:
        """Its state, but for an answer that gives a part of the target up: see `OUTCOMES`."""
        return Answer.CONCEDED if self.conceded_by else self.state

    @property
    def stands(self) -> bool:
        """Whether the judge found that it landed, at least in part, and has not been met."""
        return self.effect in STANDING

    @property
    def component(self) -> str:
        """What it hits, in a word: claim, grounds, warrant or backing."""
        return name_component(self.type)


class Flow(NamedTuple):
    """What became of every attack, and which arguments were attacked."""

    attacks: tuple[Attack, ...]
    receptions: Mapping[str, Reception]

    def tally(self) -> dict[State, int]:
        """Return how many attacks there are of each state, those with none left out."""
        return _numbers(State, (attack.state for attack in self.attacks))

    def outcomes(self, side: str = "") -> dict[State | Answer, int]:
        """Return how many attacks, of one side if given, have each of `OUTCOMES`, if any has."""
        return _numbers(OUTCOMES, (a.outcome for a in self.attacks if side in {"", a.side}))

    def answers(self) -> dict[Answer, int]:
        """Return how many attacks were answered in each way; one may count in several."""
        return _numbers(Answer, (way for attack in self.attacks for way in attack.answers))

    def effects(self) -> dict[str, int]:
        """Return how many attacks have each effect, those with none and the undecided left out."""
        numbers = Counter(attack.effect for attack in self.attacks)
        return {effect: numbers[effect] for effect in EFFECTS if numbers[effect]}

    def received(self, reception: Reception) -> tuple[str, ...]:
        """Return the arguments with this reception."""
        return tuple(i for i, had in self.receptions.items() if had is reception)


def _numbers(words: Iterable[Said], values: Iterable[Said]) -> dict[Said, int]:
    numbers = Counter(values)
    return {word: numbers[word] for word in words if numbers[word]}


Turns = Mapping[str, Collection[int]]
"""The exchanges in which each side had a turn, used or not."""


def list_turns(entries: Iterable[Entry]) -> dict[str, list[int]]:
    """Return the exchanges in which each side had a turn; one that was not used was a turn."""
    had = {(entry.by, entry.round) for entry in entries}
    turns: dict[str, list[int]] = {}
    for side, exchange in sorted(had):
        turns.setdefault(side, []).append(exchange)
    return turns


def find_flow(
    arguments: Sequence[Entry],
    turns: Turns,
    coming: Collection[str] = (),
    effects: Effects = NO_EFFECTS,
) -> Flow:
    """Return the flow of a debate: attacks and receptions, each in the order given.

    `turns` are the exchanges in which each side had a turn, used or not (see `list_turns`),
    `coming` the sides whose next turn is still to come.
    """
    made = find_attacks(arguments, turns, coming, effects)
    hit = {attack.target for attack in made}
    last = {side: max(own, default=-1) for side, own in turns.items()}

    def receive(argument: Entry) -> Reception:
        if argument.id in hit:
            return Reception.ATTACKED
        if any(turn > argument.round for side, turn in last.items() if side != argument.by):
            return Reception.NEVER_ATTACKED
        is_coming = any(side != argument.by for side in coming)
        return Reception.NOT_YET if is_coming else Reception.TOO_LATE

    return Flow(made, {a.id: receive(a) for a in arguments})


def find_attacks(
    arguments: Sequence[Entry],
    turns: Turns,
    coming: Collection[str] = (),
    effects: Effects = NO_EFFECTS,
) -> tuple[Attack, ...]:
    """Return every attack in the order given, and its outcome.

    Links to arguments that are not there, or to those of the own side, are left out. `coming` are
    the sides whose next turn is still to come; without them, the debate is taken as it ended.
    """
    sides = {argument.id: argument.by for argument in arguments}
    defences = _by_target((a, link) for a in arguments for link in list_defences(a))
    counters = _by_target((a, link) for a in arguments for link in links_of(a, "attacks"))
    later_turns = {side: sorted(own) for side, own in turns.items()}

    def outcome(attacker: Entry, link: Link, side: str) -> Attack:
        """Return what became of an attack on this side, by what it has said since."""
        defended, countered = (
            [(a.id, its["type"]) for a, its in links if a.by == side and a.round > attacker.round]
            for links in (defences.get(link["target_id"], ()), counters.get(attacker.id, ()))
        )
        own_turns = later_turns.get(side, [])
        left = len(own_turns) - bisect_right(own_turns, attacker.round)
        unanswered = State.OPEN if side in coming else State.NO_TURN
        unanswered = State.DROPPED if left else unanswered
        unanswered = State.NOT_MET if countered else unanswered
        return Attack(
            attacker=attacker.id,
            target=link["target_id"],
            type=link["type"],
            exchange=attacker.round,
            side=attacker.by,
            attacked_side=side,
            state=State.ANSWERED if defended else unanswered,
            defended_by=_ids(i for i, kind in defended if kind != CONCESSION),
            countered_by=_ids(i for i, _ in countered),
            conceded_by=_ids(i for i, kind in defended if kind == CONCESSION),
            turns=left,
            effect=effects.get((attacker.id, link["target_id"], name_component(link["type"])), ""),
        )

    return tuple(
        outcome(attacker, link, sides[link["target_id"]])
        for attacker in arguments
        for link in links_of(attacker, "attacks")
        if sides.get(link["target_id"], attacker.by) != attacker.by
    )


def name_component(link_type: str) -> str:
    """Return what an attack hits, in a word.

    >>> name_component("warrant_attack")
    'warrant'
    """
    return link_type.removesuffix("_attack").replace("_", " ")


def _by_target(links: Iterable[tuple[Entry, Link]]) -> dict[str, list[tuple[Entry, Link]]]:
    by_target: dict[str, list[tuple[Entry, Link]]] = {}
    for argument, link in links:
        by_target.setdefault(link["target_id"], []).append((argument, link))
    return by_target


def _ids(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
