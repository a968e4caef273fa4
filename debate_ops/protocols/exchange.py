"""Proposition against opposition, with a judge whose scores sum to zero.

Exchange 0 is the opening: three independent arguments a side. Every later exchange brings one
rebuttal a side, which may attack the opponent's earlier arguments and defend its own. After each
exchange a judge scores the new arguments and may rescore earlier ones. It goes on for as long as it
is asked to; a request may end with closing statements, which nobody scores.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from decimal import Decimal
from itertools import count
from operator import not_
from typing import Annotated, Any, Literal

from markupsafe import Markup
from pydantic import Field

from debate_ops.analysis import flow
from debate_ops.analysis.evidence import find_ground_faults
from debate_ops.core import values
from debate_ops.core.protocol import Protocol, Script
from debate_ops.core.replies import Item, Optional, Reply, Said, read_exact, text
from debate_ops.core.settings import Common, Whole
from debate_ops.core.texts import one_line, spell_number
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Task, Turn, author
from debate_ops.protocols.shared import STANCES, find_naming_faults, list_words

SIDES = {"prop": "proposition", "opp": "opposition"}
OTHER = {"prop": "opp", "opp": "prop"}
LETTERS = "abc"
AWAITING_ARGUMENTS, AWAITING_JUDGMENT = "awaiting_arguments", "awaiting_judgment"
AWAITING_CLOSINGS = "awaiting_closings"
LINKS = ("attacks", "defends", "concedes")
RESCORE_LIMIT = Decimal("0.5")
MOST_JUDGED, MOST_SCORES, MOST_STANDING = 3, 200, 12
"""What a judge is given, the newest: judgments of its targets, other scores, standing attacks."""
LOOK_BACK = 20
"""How many exchanges are followed in prompts, so that a long debate stays cheap."""


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


class Ground(Item):
    """One piece of evidence."""

    source: Said
    """Where the evidence comes from, so that a reader could find it."""
    content: Said = text(words=100)
    """The evidence itself."""
    relevance: Said = text(words=30)
    """What it does for the claim."""
    document: Optional = Field("", exclude_if=not_)
    """The document of the context, or the point of one, that it rests on."""
    quote: Optional = text(words=100, default="", exclude_if=not_)
    """The words of that document, copied exactly."""


class Link(Item):
    """What is said of one earlier argument."""

    target_id: str
    """The id of the argument."""
    content: Said = text(words=75)
    """What is wrong with it, or what answers that; and what is left of the argument then."""


class Hit(Link):
    """An attack on one component of an earlier argument of the other side."""

    type: Literal["claim_attack", "grounds_attack", "warrant_attack", "backing_attack"] = Field(
        alias="attack_type"
    )
    """Which component it hits."""


class Defence(Link):
    """A defence of one's own earlier argument."""

    type: Literal["reinforce", "clarify", "concede_and_pivot"] = Field(alias="defense_type")
    """New support, what it does say, or a part given up and the rest held."""


class Concession(Link):
    """A part of one's own earlier argument that is given up, without a defence of the rest."""

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
    concedes: list[Concession] = Field([], max_length=6, exclude_if=not_)
    """What it gives up; this takes no place from a defence."""

    @property
    def plain_claim(self) -> str:
        """Its claim as it is compared with others: without case, white space and full stop."""
        return " ".join(self.claim.casefold().split()).rstrip(".")


class Rebuttal(Reply):
    """Exactly one argument, which may attack, defend and concede earlier ones."""

    LIST = "arguments"
    arguments: list[Argument] = Field(min_length=1, max_length=1)
    """The argument."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        for letter, said in zip(LETTERS, self.arguments, strict=False):
            data, texts = said.record()
            texts, which = {"Claim": said.claim, **texts}, "" if turn.round else letter
            yield Entry(by, turn.round, "argument", data, texts, letter=which, is_usual=True)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        claims = set[str]()
        for number, argument in enumerate(self.arguments):
            path = f"arguments.{number}"
            if argument.plain_claim in claims:
                yield Fault(f"{path}.claim", "is made twice; expected a claim of its own")
            claims.add(argument.plain_claim)
            for place, ground in enumerate(argument.grounds):
                yield from find_ground_faults(d, ground.model_dump(), f"{path}.grounds.{place}")
            for key in LINKS:
                whose = OTHER[by] if key == "attacks" else by
                named = [link.target_id for link in getattr(argument, key)]
                targets = [d.entries.get(an_id) for an_id in named]
                if all(e and (e.kind, e.by) == ("argument", whose) for e in targets):
                    continue  # to list all that may be named, at each reply, takes minutes
                known = [e.id for e in reversed(list_arguments(d)) if e.by == whose]
                yield from find_naming_faults(f"{path}.{key}.{{}}.target_id", named, known, most=0)


class Opening(Rebuttal):
    """Exactly three independent arguments."""

    arguments: list[Argument] = Field(min_length=3, max_length=3)
    """The arguments."""


class Closing(Reply):
    """What a side's case comes to in the end; it is not scored."""

    text: Said = text("Statement", words=150)
    """The statement."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        data = {"title": f"Closing of the {SIDES[by]}"}
        yield Entry(by, turn.round, "closing", data, self.record()[1])


Points = Annotated[Decimal, read_exact(-1, 1)]


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
    previous: Annotated[Decimal, read_exact()] | None = Field(None, alias="old_score")
    """The score on record."""
    score: Points = Field(alias="new_score")
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


class Judgment(Reply):
    """A score for every new argument, rescores, and what each attack did."""

    LIST = "scores"
    scores: list[Score] = Field(min_length=1)
    """One for each new argument; together they sum to 0."""
    rescores: list[Rescore] = []
    """Earlier arguments whose standing has changed."""
    effects: list[Effect] = Field([], exclude_if=not_)
    """What each attack of this exchange did, and earlier ones that have been met."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        before = find_scores(d, (item.argument_id for item in self.rescores))
        data = self.model_dump()
        for item in data["rescores"]:
            item["previous"] = before[item["argument_id"]]
        if d.settings.attack_effects == "off":
            data.pop("effects", None)
        data["cumulative_scores"] = totals = find_totals(d)
        for item in (*data["scores"], *data["rescores"]):
            total = totals[SIDES[author(item["argument_id"])]]
            total["total"] += item["score"] - item.get("previous", 0)
            total["count"] += "previous" not in item
        yield Entry("judge", turn.round, "judgment", data, folder=values.JUDGMENTS, is_usual=True)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        new = [e.id for e in d.find("argument", round=turn.round)]
        scored = (item.argument_id for item in self.scores)
        yield from find_naming_faults("scores.{}.argument_id", scored, new, needs_all=True)
        total = sum((item.score for item in self.scores), Decimal(0))
        if len({*map(author, new)}) == 1 and any(item.score for item in self.scores):
            yield Fault("scores", "one side alone argued: expected 0 as every score")
        elif total:
            yield Fault("scores", f"scores must sum to exactly 0, they sum to {total:+}")
        yield from self._find_rescore_faults(d)
        if d.settings.attack_effects == "on":
            yield from self._find_effect_faults(d, turn)
        elif self.effects:
            message = "this debate's settings do not ask what attacks did; it is left out"
            yield Fault("effects", message, is_warning=True)

    def _find_rescore_faults(self, d: Debate) -> Faults:
        named = [item.argument_id for item in self.rescores]
        on_record = find_scores(d, named)
        for place, item in enumerate(self.rescores):
            where, name, new = f"rescores.{place}.", item.argument_id, item.score
            old = on_record.pop(name, None)
            if old is None:
                why = "is rescored twice" if name in named[:place] else "has no score on record"
                message = f"{one_line(name, 60)} {why}; expected earlier arguments, each once"
                yield Fault(where + "argument_id", message)
                continue
            if item.previous not in {None, old}:
                message = f"{name} has {old:+} on record, not {item.previous:+}"
                yield Fault(where + "old_score", message)
            if abs(new - old) > RESCORE_LIMIT:
                least, most = max(-1, old - RESCORE_LIMIT), min(1, old + RESCORE_LIMIT)
                message = f"{name} would change from {old:+} to {new:+}"
                yield Fault(where + "new_score", f"{message}; expected {least:+} to {most:+}")

    def _find_effect_faults(self, d: Debate, turn: Turn) -> Faults:
        """Yield effects that fit no attack; warn of attacks that stay undecided."""
        name_attack = "{0} on the {2} of {1}".format
        new = {
            name_attack(*a.key): a.exchange == turn.round
            for a in find_attacks(d, (item.attacker_id for item in self.effects))
            if a.exchange == turn.round or a.stands
        }
        named = [name_attack(i.attacker_id, i.target_id, i.component) for i in self.effects]
        yield from find_naming_faults("effects.{}", named, [*new])
        if missing := [each for each, is_new in new.items() if is_new and each not in named]:
            listed, why = "; ".join(sorted(missing)), "unless 'undo' takes the judgment back"
            message = f"it is not said what these attacks did, and stays so {why}: {listed}"
            yield Fault("effects", message, is_warning=True)


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
    sides = SIDES

    def participants(self, settings: Any) -> Mapping[str, str]:
        return dict.fromkeys(SIDES, "debater") | {"judge": "judge"}

    def script(self, d: Debate) -> Script:
        """Tell the course of a debate: it ends by itself only where a side stays away."""
        for number in count():
            first = number - d.settings.absence_limit
            recent = range(first, number) if first >= 0 else range(0)
            away = [
                f"the {name}"
                for side, name in SIDES.items()
                if recent and not any(d.find("argument", round=n, by=side) for n in recent)
            ]
            if away:
                why = f"over, because {' and '.join(away)} gave no argument since exchange {first}"
                yield Done(number, AWAITING_ARGUMENTS, why)
            template = "debater-rebuttal" if number else "debater-opening"
            sides = tuple(Task(side, template, values.STOP) for side in SIDES)
            yield Turn(number, AWAITING_ARGUMENTS, sides)
            if d.find("argument", round=number):
                yield Turn(number, AWAITING_JUDGMENT, (Task("judge", "judge", values.STOP),))
            if number and d.settings.closing == "on" and _ends_request(d, number):
                sides = tuple(Task(side, "debater-closing", values.EXCUSE) for side in SIDES)
                yield Turn(number, AWAITING_CLOSINGS, sides, number=1)

    def joint_faults(self, d: Debate, turn: Turn, replies: Mapping[str, Any]) -> Faults:
        made = {a.plain_claim for a in getattr(replies.get("prop"), "arguments", ())}
        for number, argument in enumerate(getattr(replies.get("opp"), "arguments", ())):
            if argument.plain_claim in made:
                where, why = f"arguments.{number}.claim", "the proposition makes the same claim"
                yield Fault(where, why, "opp", is_warning=True)

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what there is to see: debaters see no scores, and nobody a peer's new argument."""
        if by == "judge":
            return _show_judge(d, turn)
        earlier, attacks = [e.id for e in list_arguments(d)], find_attacks(d)
        open_ = [a for a in attacks if not a.outcome or (a.stands and a.outcome == flow.ANSWERED)]
        return {
            "arguments": earlier,
            "side_name": Markup(SIDES[by]),
            "stance": Markup(STANCES[[*SIDES].index(by)]),
            "own_ids": list_words(i for i in earlier if author(i) == by),
            "opponent_ids": list_words(i for i in earlier if author(i) != by),
            "unanswered_attacks": tuple(a for a in open_ if author(a.target) == by),
            "own_unanswered_attacks": tuple(a for a in open_ if a.by == by),
            "effects_known": d.settings.attack_effects == "on",
        }

    def describe_place(self, number: int, phase: str) -> str:
        if phase == AWAITING_CLOSINGS:
            return f"closing statements after exchange {number}"
        return name_exchange(number)

    def name_part(self, settings: Any, entry: Entry) -> str:
        is_closing = entry.kind == "closing" or (entry.kind == "absence" and entry.number)
        return "closing statements" if is_closing else name_exchange(entry.round)

    def explain_end(self, d: Debate, number: int) -> str:
        """Return what an exchange without an attack says: both concede, or no score is changed."""
        made, judged = d.find("argument", round=number), d.find("judgment", round=number)
        is_whole = number and judged and len(made) == len(SIDES)
        if not is_whole or any(e.data["attacks"] for e in made):
            return ""
        why = "" if judged[0].data["rescores"] else "no earlier score was changed"
        if all(e.data.get("concedes") for e in made):
            why = "both sides gave something up"
        return f"in exchange {number} nobody attacked anything, and {why}" if why else ""

    def count_calls(self, d: Debate, turn: Turn, until: int | None) -> int:
        """Return three to an exchange, and two for closing statements at the end of a request."""
        if until is None or until <= turn.round:
            return 0
        done = {AWAITING_JUDGMENT: 2, AWAITING_CLOSINGS: 3}.get(turn.phase, 0)
        closings = 2 if d.settings.closing == "on" and until > 1 else 0
        return 3 * (until - turn.round) - done + closings

    def statistics(self, d: Debate) -> dict[str, Any]:
        return {"cumulative_scores": find_totals(d)}


def name_exchange(number: int) -> str:
    """Return what an exchange of two sides is called."""
    return f"exchange {number}" if number else "opening"


def _ends_request(d: Debate, number: int) -> bool:
    """Tell whether closings come after an exchange: they are on record, or it is the last one."""
    closings = {f"{by}_{number:03d}-{kind}" for by in SIDES for kind in ("closing", "absence-1")}
    later = {f"{by}_{number + 1:03d}{kind}" for by in SIDES for kind in ("", "-absence")}
    is_last = number == d.last_exchange and later.isdisjoint(d.ahead)
    return is_last or not closings.isdisjoint(d.ahead)


def _show_judge(d: Debate, turn: Turn) -> dict[str, Any]:
    """Return the record, the new arguments, and those that they name or that stand against these.

    Scores stand apart from the record, so that a rescore leaves the beginning of prompts alike.
    """
    first = d.settings.read_first  # then sides take turns
    first = OTHER[first] if turn.round % 2 else first
    new = sorted(d.find("argument", round=turn.round), key=lambda e: (e.by != first, e.letter))
    attacks = find_attacks(d)
    unanswered = (a for a in attacks if a.turns and not a.outcome)
    decided = attacks if d.settings.attack_effects == "on" else []
    standing = [a for a in decided if a.stands][-MOST_STANDING:]
    named = [link["target_id"] for e in new for key in LINKS for link in flow.links_of(e, key)]
    attackers = [a.entry for a in standing if a.target in named]
    targets = [i for i in dict.fromkeys([*named, *attackers]) if d.entries.get(i)]
    earlier = [e.id for e in list_arguments(d) if e.round < turn.round]
    scores = find_scores(d, [*targets, *earlier[-MOST_SCORES:]])
    listed = (f"- {i}: {spell_number(scores[i])}" for i in earlier if i in scores)
    judged = [e.id for e in d.find("judgment") if read_scores(e).keys() & {*targets}]
    return {
        "arguments": earlier,
        "new_arguments": [e.id for e in new],
        "targets": targets,
        "target_ids": list_words(targets),
        "judgments": judged[-MOST_JUDGED:],
        "scores": Markup("\n".join(listed) or "(none)"),
        "new_ids": Markup(", ".join(e.id for e in new)),
        "absent": tuple(Markup(SIDES[side]) for side in {*SIDES} - {e.by for e in new}),
        "unanswered_attacks": tuple(a for a in unanswered if a.effect not in flow.IDLE),
        "new_attacks": tuple(dict.fromkeys(a.key for e in new for a in decided if a.entry == e.id)),
        "standing_attacks": tuple(a.key for a in standing),
    }


def list_arguments(d: Debate) -> list[Entry]:
    """Return all arguments, the oldest exchange first."""
    return sorted(d.find("argument"), key=lambda e: (e.round, e.by, e.letter))


def read_scores(judgment: Entry) -> dict[str, Decimal]:
    """Return the scores that a judgment gives, to new arguments and to earlier ones."""
    given = (*judgment.data["scores"], *judgment.data["rescores"])
    return {item["argument_id"]: Decimal(str(item["score"])) for item in given}


def find_scores(d: Debate, ids: Iterable[str]) -> dict[str, Decimal]:
    """Return the latest score of each of some arguments that has one; newest judgments first."""
    scores, wanted = dict[str, Decimal](), {*ids}
    for e in reversed(d.find("judgment")):
        if scores.keys() == wanted:
            break
        given = read_scores(e)
        scores = {name: given[name] for name in wanted & given.keys()} | scores
    return scores


def find_totals(d: Debate) -> dict[str, dict[str, Any]]:
    """Return the cumulative scores of both sides, and over how many arguments."""
    judged, none = d.find("judgment"), {name: {"total": 0, "count": 0} for name in SIDES.values()}
    return deepcopy(judged[-1].data["cumulative_scores"] if judged else none)


def find_attacks(d: Debate, named: Iterable[str] = ()) -> list[flow.Attack]:
    """Return the attacks of the last exchanges, and since what is named, and what came of each."""
    last = next(reversed(d.entries.values())).round if d.entries else 0
    since = min([max(0, last + 1 - LOOK_BACK), *(e.round for e in map(d.entries.get, named) if e)])
    rounds, kinds = range(since, last + 1), ("argument", "absence", "judgment")
    recent = [e for n in rounds for e in d.find(*kinds, round=n)]
    near = [e for e in recent if e.by in SIDES]
    hit = (d.entries.get(link["target_id"]) for e in near for link in flow.links_of(e, "attacks"))
    older = {e.id: e for e in hit if e and e.round < since}
    said = [item for e in recent for item in e.data.get("effects") or ()]
    effects = {(i["attacker_id"], i["target_id"], i["component"]): (i["effect"], "") for i in said}
    made = flow.find_attacks([*older.values(), *near], is_over=False, effects=effects)
    return [attack for attack in made if attack.exchange >= since]
