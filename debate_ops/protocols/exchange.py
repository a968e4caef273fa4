"""Proposition against opposition, with a judge whose scores sum to zero.

Exchange 0 is the opening: three independent arguments a side. Every later exchange brings one
rebuttal a side, which may attack the opponent's earlier arguments and defend its own. After each
exchange a judge scores the new arguments and may rescore earlier ones. It goes on for as long as it
is asked to; a request may end with closing statements, which nobody scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import count
from typing import Annotated, Any, Literal, Self

from markupsafe import Markup
from pydantic import Field

from debate_ops.analysis import flow
from debate_ops.analysis.evidence import load_documents
from debate_ops.analysis.flow import STANDING, AttackKey, State, links_of, list_defences
from debate_ops.core import values
from debate_ops.core.protocol import Protocol, Script
from debate_ops.core.replies import Item, Number, Optional, Reply, Said, text
from debate_ops.core.settings import Common, Whole
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Place, Task, Turn
from debate_ops.protocols import exchange_record as past
from debate_ops.protocols.exchange_record import SIDES, find_scores, list_new, name_attack
from debate_ops.protocols.shared import find_naming_faults

LETTERS = "abc"
AWAITING_ARGUMENTS, AWAITING_JUDGMENT = "awaiting_arguments", "awaiting_judgment"
AWAITING_CLOSINGS = "awaiting_closings"
RESCORE_LIMIT = Decimal("0.5")
MOST_JUDGED, MOST_SCORES, MOST_STANDING = 3, 200, 12
"""What a judge is given, the newest: judgments of its targets, other scores, standing attacks."""


class Settings(Common):
    """The options of an exchange debate."""

    OLDER = Common.OLDER | {"quotations": "mark", "attack_effects": "off", "absence_limit": 0}

    quotations: Literal["strict", "mark"] = "strict"
    """what a quotation does that does not stand in the context document that it is said to be
    from: reject the reply, or only bear a mark that readers and participants see"""
    attack_effects: Literal["on", "off"] = "on"
    """whether the judge is asked of each attack if it landed, partly or not at all"""
    absence_limit: Whole = 2
    """after how many exchanges in a row without an argument of one side the debate ends; 0 is
    never"""
    read_first: Literal["prop", "opp"] = "prop"
    """whose openings the judge reads first; then sides take turns"""
    closing: Literal["on", "off"] = "off"
    """whether a request ends with a closing statement of each side, which nobody scores"""


# Replies.


class Ground(Item):
    """One piece of evidence."""

    source: Said
    """Where the evidence comes from, so that a reader could find it."""
    content: Said = text(words=100)
    """The evidence itself."""
    relevance: Said = text(words=30)
    """What it does for the claim."""
    document: Optional = ""
    """The document of the context, or the point of one, that it rests on."""
    quote: Optional = text(words=100, default="")
    """The words of that document, copied exactly."""


class Hit(Item):
    """An attack on one component of an earlier argument of the other side."""

    target_id: str
    """The id of the argument."""
    content: Said = text(words=75)
    """What is wrong with it, and what is left of the argument then."""
    type: Literal["claim_attack", "grounds_attack", "warrant_attack", "backing_attack"] = Field(
        alias="attack_type"
    )
    """Which component it hits."""


class Defence(Item):
    """A defence of one's own earlier argument."""

    target_id: str
    """The id of the argument."""
    content: Said = text(words=75)
    """The defence."""
    type: Literal["reinforce", "clarify", "concede_and_pivot"] = Field(alias="defense_type")
    """New support, what it does say, or a part given up and the rest held."""


class Concession(Item):
    """A part of one's own earlier argument that is given up, without a defence of the rest."""

    target_id: str
    """The id of the argument."""
    content: Said = text(words=40)
    """What is given up."""


class Argument(Item):
    """A claim with its grounds and the reasoning that ties them together."""

    title: Said = text(words=(5, 7))
    """A short name for the argument."""
    claim: Said = text(words=25)
    """What the argument asserts: one declarative sentence."""
    grounds: list[Ground] = Field(min_length=1, max_length=3)
    """The facts that the claim rests on."""
    warrant: Said = text("Warrant", words=50)
    """Why the grounds support the claim."""
    backing: Optional = text("Backing", words=50, default="")
    """What supports the warrant itself."""
    qualifier: Optional = text("Qualifier", words=10, default="")
    """Under which conditions the claim holds."""
    attacks: list[Hit] = Field([], max_length=3)
    """What it attacks."""
    defends: list[Defence] = Field([], max_length=2)
    """What it defends."""
    concedes: list[Concession] = Field([], max_length=6)
    """What it gives up; this takes no place from a defence."""


class Arguments(Reply):
    """What a side argues in one exchange."""

    LIST = "arguments"
    arguments: list[Argument]

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the arguments of a side; those of the opening have letters."""
        for letter, said in zip(LETTERS, self.arguments, strict=False):
            parts = said.model_dump()
            data = {key: parts[key] for key in ("title", "claim", "attacks", "defends")}
            data["grounds"] = [
                {key: part for key, part in ground.items() if part} for ground in parts["grounds"]
            ]
            data |= {"concedes": parts["concedes"]} if said.concedes else {}
            texts = {"Claim": said.claim, **said.record()[1]}
            which = "" if turn.round else letter
            yield Entry(by, turn.round, "argument", data, texts, letter=which, is_usual=True)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield claims made twice, quotations that do not stand, and targets that cannot be."""
        documents, claims = load_documents(d), list[str]()
        for number, argument in enumerate(self.arguments):
            path = f"arguments.{number}"
            if (claim := _fold(argument.claim)) in claims:
                message = f"is the claim of argument {claims.index(claim) + 1} again"
                yield Fault(f"{path}.claim", f"{message}: each argument makes a claim of its own")
            claims.append(claim)
            for place, ground in enumerate(argument.grounds):
                for fault in documents.find_faults(ground.model_dump(), f"{path}.grounds.{place}"):
                    is_marked = d.settings.quotations == "mark" and fault.where.endswith("quote")
                    yield Fault(fault.where, fault.message, is_warning=is_marked)
            for key in ("attacks", "defends", "concedes"):
                seen = set()
                for place, link in enumerate(getattr(argument, key)):
                    where, what = (
                        f"{path}.{key}.{place}.target_id",
                        getattr(link, "type", "concession"),
                    )
                    if problem := _find_target_problem(d, turn, by, link.target_id, key):
                        whose = "the opponent's" if key == "attacks" else "your own"
                        expected = (
                            f"expected the id of one of {whose} arguments of an earlier exchange"
                        )
                        yield Fault(where, f"{link.target_id[:60]} {problem}; {expected}")
                    if (link.target_id, what) in seen:
                        message = f"{link.target_id} is named twice with {what}"
                        yield Fault(where, message, is_warning=True)
                    seen.add((link.target_id, what))


class Opening(Arguments):
    """Exactly three independent arguments."""

    arguments: list[Argument] = Field(min_length=3, max_length=3)
    """The arguments."""


class Rebuttal(Arguments):
    """Exactly one argument, which may attack, defend and concede earlier ones."""

    arguments: list[Argument] = Field(min_length=1, max_length=1)
    """The argument."""


class Closing(Reply):
    """What a side's case comes to in the end; it is not scored."""

    text: Said = text("Statement", words=150)
    """The statement."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the closing."""
        data = {"title": f"Closing of the {SIDES[by]}"}
        yield Entry(by, turn.round, "closing", data, self.record()[1])


Points = Annotated[Decimal, Number(-1, 1)]


class Score(Item):
    """How strong one new argument is, against the others."""

    argument_id: Said
    """The id of a new argument."""
    score: Points
    """From -1 to 1, with at most three decimals."""
    reasoning: Said = text(words=75)
    """Why."""


class Rescore(Item):
    """A new score for one earlier argument, at most 0.5 away from the one on record."""

    argument_id: Said
    """The id of an earlier argument."""
    old_score: Annotated[Decimal, Number()] | None = None
    """The score on record."""
    new_score: Points
    """From -1 to 1, with at most three decimals."""
    reasoning: Said = text(words=75)
    """What in this exchange changed its standing."""


class Effect(Item):
    """What one attack did."""

    attacker_id: Said
    """The argument that makes the attack."""
    target_id: Said
    """The argument that is attacked."""
    component: Literal[flow.COMPONENTS]  # type: ignore[valid-type]
    """What it hits."""
    effect: Literal["landed", "partly", "granted", "missed", "met"]
    """Of a new one landed, partly, granted or missed; of one that stands met, or partly met."""
    reasoning: Said = text(words=30)
    """Why, in a clause."""

    @property
    def attack(self) -> AttackKey:
        """Which attack it is about."""
        return self.attacker_id, self.target_id, self.component


class Judgment(Reply):
    """A score for every new argument, rescores, and what each attack did."""

    LIST = "scores"
    scores: list[Score] = Field(min_length=1)
    """One for each new argument; together they sum to 0."""
    rescores: list[Rescore] = []
    """Earlier arguments whose standing has changed."""
    effects: list[Effect] = []
    """What each attack of this exchange did, and earlier ones that have been met."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the judgment; a rescore that changes nothing is left out."""
        before = find_scores(d, (item.argument_id for item in self.rescores))
        rescores = [
            {
                "argument_id": item.argument_id,
                "previous": before[item.argument_id],
                "score": item.new_score,
                "reasoning": item.reasoning,
            }
            for item in self.rescores
            if item.new_score != before[item.argument_id]
        ]
        said = self.model_dump()
        data: dict[str, Any] = {"scores": said["scores"], "rescores": rescores}
        if d.settings.attack_effects == "on" and self.effects:
            data["effects"] = said["effects"]
        totals = past.find_totals(d)
        for item in (*data["scores"], *rescores):
            total = totals[SIDES[values.author(item["argument_id"])]]
            total["total"] += item["score"] - item.get("previous", 0)
            total["count"] += "previous" not in item
        data["cumulative_scores"] = totals
        yield Entry("judge", turn.round, "judgment", data, folder=values.JUDGMENTS, is_usual=True)

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        """Return the judgment, each rescore with the score that it changed."""
        data = entries[0].data
        rescores = [
            {**r, "old_score": r["previous"], "new_score": r["score"]} for r in data["rescores"]
        ]
        return cls.model_validate(cls.prepare({**data, "rescores": rescores}))

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield what is wrong with scores, rescores and effects."""
        new = [e.id for e in list_new(d, turn.round)]
        named = [(f"scores.{n}.argument_id", i.argument_id) for n, i in enumerate(self.scores)]
        missing = f"scores: {len(new)} new arguments must be scored; no score for"
        why = "{} is not a new argument of this exchange".format
        yield from find_naming_faults(named, new, why, missing)
        total = sum((item.score for item in self.scores), Decimal(0))
        if len({*map(values.author, new)}) == 1:
            if any(item.score for item in self.scores):
                message = (
                    "the other side gave no argument in this exchange, so every score must be 0"
                )
                yield Fault("scores", message)
        elif total:
            listed = ", ".join(f"{item.argument_id[:60]} {item.score:+}" for item in self.scores)
            message = f"scores must sum to exactly 0, they sum to {total:+} ({listed})"
            yield Fault("scores", message)
        yield from _find_rescore_faults(d, turn, self)
        yield from _find_effect_faults(d, turn, self)


# Rules.


class Exchange(Protocol):
    """The rules of `exchange`."""

    name = "exchange"
    cycle = "exchange"
    Settings = Settings
    replies = {
        "debater-opening": Opening,
        "debater-rebuttal": Rebuttal,
        "judge": Judgment,
        "debater-closing": Closing,
    }
    acts = {}
    named_by = ("participant", "exchange")
    may_shorten = frozenset({"arguments"})
    full_names = {name: side for side, name in SIDES.items()}
    no_scores = past.NO_SCORES
    filed = {"argument": "argument_filed", "closing": "closing_filed"}

    def participants(self, settings: Any) -> Mapping[str, str]:
        """Return both sides and the judge."""
        return dict.fromkeys(SIDES, "debater") | {"judge": "judge"}

    def script(self, d: Debate) -> Script:
        """Tell the course of a debate: it ends by itself only where a side stays away."""
        for number in count():
            if away := _find_away(d, number):
                yield Done(number, AWAITING_ARGUMENTS, away)
            template = "debater-rebuttal" if number else "debater-opening"
            sides = tuple(Task(side, template, values.STOP) for side in SIDES)
            yield Turn(number, AWAITING_ARGUMENTS, sides)
            if d.find("argument", round=number):
                yield Turn(number, AWAITING_JUDGMENT, (Task("judge", "judge", values.STOP),))
            if number and d.settings.closing == "on" and _ends_request(d, number):
                sides = tuple(Task(side, "debater-closing", values.EXCUSE) for side in SIDES)
                yield Turn(number, AWAITING_CLOSINGS, sides, number=1)

    # What may be wrong with replies together.

    def joint_faults(self, d: Debate, turn: Turn, replies: Mapping[str, Any]) -> Faults:
        """Yield a warning for each claim that both sides make."""
        claims: dict[str, str] = {}
        for by, reply in replies.items():
            for number, argument in enumerate(getattr(reply, "arguments", ())):
                other = claims.setdefault(_fold(argument.claim), by)
                if other != by:
                    message = f"the {SIDES[other]} makes the same claim"
                    yield Fault(f"arguments.{number}.claim", message, by, is_warning=True)

    # What each participant is shown.

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what a prompt is made from.

        Debaters see no scores, and nobody sees a peer's argument of the exchange under way.
        """
        if by == "judge":
            return _show_judge(d, turn)
        earlier = [e.id for e in past.list_arguments(d)]
        made = [
            a
            for a in past.find_latest_attacks(d)
            if a.state is not State.ANSWERED or (a.effect in STANDING and a.defended_by)
        ]
        return {
            "arguments": earlier,
            "side_name": Markup(SIDES[by]),
            "stance": Markup("for the motion" if by == "prop" else "against the motion"),
            "own_ids": past.list_ids([i for i in earlier if values.author(i) == by]),
            "opponent_ids": past.list_ids([i for i in earlier if values.author(i) != by]),
            "unanswered_attacks": past.group_attacks(a for a in made if a.attacked_side == by),
            "own_unanswered_attacks": past.group_attacks(a for a in made if a.side == by),
            "effects_known": d.settings.attack_effects == "on",
        }

    # What readers and programs are given.

    def describe_place(self, number: int, phase: str) -> str:
        """Return in words where a debate is, as in `exchange 3`."""
        if phase == AWAITING_CLOSINGS:
            return f"closing statements after exchange {number}"
        return f"exchange {number}" if number else "opening"

    def explain_end(self, d: Debate, number: int) -> str:
        """Return what an exchange without an attack says: both concede, or no score is changed."""
        made, judged = d.find("argument", round=number), d.find("judgment", round=number)
        sides = {e.by for e in made}
        if not (number and judged and sides == {*SIDES}) or any(e.data["attacks"] for e in made):
            return ""
        if {e.by for e in made if e.data.get("concedes")} == sides:
            return (
                f"in exchange {number} both sides gave something up, and nobody attacked anything"
            )
        if judged[0].data["rescores"]:
            return ""
        return f"in exchange {number} nobody attacked anything, and no earlier score was changed"

    def count_calls(self, d: Debate, place: Place, until: int | None) -> int:
        """Return three to an exchange, and two for closing statements at the end of a request."""
        until = place.round if until is None else until
        if isinstance(place, Done) or until <= place.round:
            return 0
        done = {AWAITING_JUDGMENT: 2, AWAITING_CLOSINGS: 3}.get(place.phase, 0)
        closings = 2 if d.settings.closing == "on" and until > 1 else 0
        return 3 * (until - place.round) - done + closings

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        """Return an argument's title, or what a judgment decides."""
        if entry.kind == "judgment":
            scores = {item["argument_id"]: item["score"] for item in entry.data["scores"]}
            return {"scores": scores, "cumulative_scores": entry.data["cumulative_scores"]}
        return {"title": entry.title} if entry.kind in self.filed else {}

    def statistics(self, d: Debate) -> dict[str, Any]:
        """Return the totals of both sides, and over how many arguments."""
        return {"cumulative_scores": past.find_totals(d)}


def _find_away(d: Debate, number: int) -> str:
    """Return why it is over, where a side gave no argument in so many exchanges."""
    limit = d.settings.absence_limit
    last = range(number - limit, number)
    away = " and ".join(
        f"the {name}"
        for side, name in SIDES.items()
        if 0 < limit <= number and not any(d.find("argument", round=n, by=side) for n in last)
    )
    often = "the last exchange" if limit == 1 else f"{limit} exchanges in a row"
    return f"over, because {away} gave no argument in {often}" if away else ""


def _ends_request(d: Debate, number: int) -> bool:
    """Tell whether closings come after an exchange: they are on record, or it is the last one."""
    on_record, after = (
        any(f"{side}_{n:03d}{kind}" in d.ahead for side in SIDES for kind in kinds)
        for n, kinds in ((number, ("-closing", "-absence-1")), (number + 1, ("", "-absence")))
    )
    return on_record or (number == d.last_exchange and not after)


# Faults.


def _fold(claim: str) -> str:
    return " ".join(claim.casefold().split()).rstrip(".")


def _find_target_problem(d: Debate, turn: Turn, by: str, target: str, key: str) -> str:
    parts, entry = values.parse_id(target), d.get(target)
    if parts and int(parts["round"]) == turn.round and parts["by"] in SIDES:
        return f"is not from an earlier exchange: this is exchange {turn.round}"
    if entry is None or entry.kind != "argument":
        return "does not exist in this debate"
    if key == "attacks" and entry.by == by:
        return "is your own argument; only the opponent's can be attacked"
    if key != "attacks" and entry.by != by:
        verb = "defended" if key == "defends" else "conceded"
        return f"belongs to the opponent; only own arguments can be {verb}"
    return ""


def _find_rescore_faults(d: Debate, turn: Turn, reply: Judgment) -> Faults:
    on_record = find_scores(d, (item.argument_id for item in reply.rescores))
    named = [item.argument_id for item in reply.rescores]
    for place, item in enumerate(reply.rescores):
        name, where, entry = item.argument_id, f"rescores.{place}", d.get(item.argument_id)
        problem = ""
        if name in named[:place]:
            problem = "is rescored twice"
        elif entry is None or entry.kind != "argument":
            problem = "does not exist in this debate"
        elif entry.round == turn.round:
            problem = "is new: give it a score, not a rescore"
        elif name not in on_record:
            problem = "has no score on record that could be changed"
        if problem:
            yield Fault(f"{where}.argument_id", f"{name[:60]} {problem}")
            continue
        now, new, old = on_record[name], item.new_score, item.old_score
        if old not in {None, now}:
            yield Fault(f"{where}.old_score", f"{name} has {now:+} on record, not {old:+}")
        least, most = max(Decimal(-1), now - RESCORE_LIMIT), min(Decimal(1), now + RESCORE_LIMIT)
        if not least <= new <= most:
            message = f"{name} would change by {new - now:+}, from {now:+} to {new:+}; at most "
            message += f"{RESCORE_LIMIT} either way is allowed: expected {least:+} to {most:+}"
            yield Fault(f"{where}.new_score", message)
        if new == now:
            message = f"{name} keeps its score of {now:+}; the rescore is left out"
            yield Fault(where, message, is_warning=True)


def _find_effect_faults(d: Debate, turn: Turn, reply: Judgment) -> Faults:
    if d.settings.attack_effects == "off":
        if reply.effects:
            message = "this debate's settings do not ask what attacks did; it is left out"
            yield Fault("effects", message, is_warning=True)
        return
    new, before = past.list_made(d, list_new(d, turn.round)), past.find_effects(d)
    named = [item.attack for item in reply.effects]
    if missing := [name_attack(attack) for attack in new if attack not in named]:
        message = f"what these attacks did stays undecided: {'; '.join(missing)}"
        yield Fault("effects", message, is_warning=True)
    for place, item in enumerate(reply.effects):
        where, attack = f"effects.{place}", name_attack(item.attack)
        if item.attack in named[:place]:
            yield Fault(where, f"{attack} is decided twice")
        elif item.attack not in (*new, *before):
            those = "; ".join(map(name_attack, new)) or "none: this exchange has no attack"
            yield Fault(where, f"{attack}: no such attack is to be decided; expected {those}")
        elif problem := _find_misfit(item.effect, before.get(item.attack)):
            yield Fault(f"{where}.effect", f"{attack} {problem}")
    yield from _find_unexplained(d, turn, reply)


def _find_misfit(effect: str, before: str | None) -> str:
    """Return why an effect does not fit an attack; empty where it does."""
    if before is None:
        fits = f"expected {flow.LANDED}, {flow.PARTLY}, {flow.GRANTED} or {flow.MISSED}"
        return f"is new: nothing can have met it yet; {fits}" if effect == flow.MET else ""
    if before not in STANDING:
        return f"was decided before, and {before} is the last word"
    fits = f"expected {flow.MET}, or {flow.PARTLY} where it has been met in part"
    return "" if effect in {flow.MET, flow.PARTLY} else f"was decided before; {fits}"


def _find_unexplained(d: Debate, turn: Turn, reply: Judgment) -> Faults:
    """Yield a warning for each score that is lowered although no attack that landed hits it.

    What its own side has given up a part of needs none.
    """
    on_record = find_scores(d, (item.argument_id for item in reply.rescores))
    latest = past.find_effects(d) | {item.attack: item.effect for item in reply.effects}
    given_up = {
        link["target_id"]
        for e in list_new(d, turn.round)
        for link in list_defences(e)
        if link["type"] == flow.CONCESSION
    }
    hit = given_up | {attack[1] for attack, did in latest.items() if did in STANDING}
    for place, item in enumerate(reply.rescores):
        name = item.argument_id
        if name not in hit and item.new_score < on_record.get(name, item.new_score):
            message = f"{name} is lowered, but no attack on it has landed, or still stands"
            yield Fault(f"rescores.{place}", message, is_warning=True)


# What the judge is shown.


def _show_judge(d: Debate, turn: Turn) -> dict[str, Any]:
    """Return the record, the new arguments, and those that they name or that stand against these.

    Scores stand apart from the record, so that a rescore leaves the beginning of prompts alike.
    """
    new, decides = list_new(d, turn.round), d.settings.attack_effects == "on"
    if (turn.round + (d.settings.read_first == "opp")) % 2:  # sides take turns
        new = sorted(new, key=lambda e: e.by == "prop")
    effects = past.find_effects(d, turn.round - past.LOOK_BACK) if decides else {}
    by_age = sorted(effects, key=lambda attack: d.entries[attack[0]].round)
    standing = [attack for attack in by_age if effects[attack] in STANDING][-MOST_STANDING:]
    linked = [i["target_id"] for e in new for i in (*links_of(e, "attacks"), *list_defences(e))]
    defended = {link["target_id"] for e in new for link in list_defences(e)}
    attackers = (attack[0] for attack in standing if attack[1] in defended)
    targets = [i for i in dict.fromkeys([*linked, *attackers]) if d.get(i)]
    earlier = [e.id for e in past.list_arguments(d) if e.round < turn.round]
    scored = [i for i in earlier if i in {*targets, *earlier[-MOST_SCORES:]}]
    scores = find_scores(d, scored)
    absent = (name for side, name in SIDES.items() if not any(e.by == side for e in new))
    passed = (
        a
        for a in past.find_latest_attacks(d)
        if a.state is not State.ANSWERED and a.turns and a.effect not in flow.IDLE
    )
    return {
        "arguments": earlier,
        "new_arguments": [e.id for e in new],
        "targets": targets,
        "target_ids": past.list_ids(targets),
        "judgments": [e.id for e in d.find("judgment") if past.is_about(e, targets)][-MOST_JUDGED:],
        "scores": Markup(
            "\n".join(f"- {i}: {scores[i].normalize() + 0:f}" for i in scored if i in scores)
            or past.NONE
        ),
        "new_ids": Markup(", ".join(e.id for e in new)),
        "absent": tuple(map(Markup, absent)),
        "unanswered_attacks": past.group_attacks(passed),
        "new_attacks": tuple(past.list_made(d, new) if decides else ()),
        "standing_attacks": tuple(standing),
    }
