"""Chairs argue from moral frameworks; an arbiter leads, an evaluator judges, others may cut in.

The arbiter introduces the debate; each chair gives an opening; in each exchange every chair speaks
once. After a speech it is judged by what it owes, and the moderator says whether another chair cuts
in; the arbiter steps in after a violation. At the end the arbiter sums up. Nobody wins.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from markupsafe import Markup
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    model_validator,
)
from pydantic_core import PydanticCustomError

from debate_ops.core import clock
from debate_ops.core.protocol import Acted, Protocol, Script, act_entry, refuse_act
from debate_ops.core.replies import Number, Optional, Reply, Said, text
from debate_ops.core.settings import Common, Name, Seconds, Whole, split_people, wrong
from debate_ops.core.texts import UNSEEN, is_blank, one_line, trimmed
from debate_ops.core.values import (
    ABSENCE,
    ARGUMENTS,
    JUDGMENTS,
    STOP,
    Act,
    Debate,
    Done,
    Entry,
    Fault,
    Faults,
    Place,
    Task,
    Turn,
    author,
)
from debate_ops.protocols import chairs_fairness as fairness
from debate_ops.protocols.chairs_fairness import Evaluation
from debate_ops.protocols.shared import Citation, note_absences, record_citations

ARBITER, EVALUATOR, MODERATOR = "arbiter", "evaluator", "moderator"
OFFICES = (ARBITER, EVALUATOR, MODERATOR)
"""Those who act beside the chairs; no chair can have such a name."""
FEWEST, MOST = 2, 6
ALWAYS_ASKED = 3
"""From which aggressiveness on the moderator is asked after every speech, whatever it says."""
THRESHOLDS = {level: Decimal(10 - level) / 10 for level in range(1, 6)}
"""By aggressiveness, the urgency from which a chair may cut in."""
PHASES = {
    "introduction": "awaiting_introduction",
    "opening": "awaiting_openings",
    "speech": "awaiting_speech",
    "evaluation": "awaiting_reactions",
    "floor": "awaiting_reactions",
    "interjection": "awaiting_interjection",
    "interruption": "awaiting_interruption",
    "reply": "awaiting_reply",
    "closing": "awaiting_closing",
}
"""By kind of entry, in order, the phase that waits for it."""
AFTER_A_SPEECH = ("evaluation", "floor", "interjection", "interruption", "reply")
ALOUD = ("introduction", "opening", "speech", "interjection", "interruption", "reply")
"""What is said aloud, but for the closing."""


# Frameworks: what chairs argue from.


class Reason(NamedTuple):
    """Why a chair may cut in: as a clause, what that is to the speech, and a way to begin.

    `link` is `attacks`, `defends`, or nothing.
    """

    clause: str
    link: str
    opener: str


def _list_texts(value: object) -> object:
    return [value] if isinstance(value, str) else [] if value is None else value


def _visible(said: str) -> str:
    if is_blank(said):
        raise wrong("is blank")
    return said.strip()


Visible = Annotated[str, AfterValidator(_visible)]
Trimmed = Annotated[str, BeforeValidator(lambda v: v or ""), AfterValidator(trimmed)]
Texts = Annotated[tuple[Visible, ...], BeforeValidator(_list_texts)]


class Framework(BaseModel):
    """A way of judging right and wrong: what it asks, and where it is strong and weak."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Visible
    question: Visible
    description: Trimmed = ""
    strengths: Texts = ()
    weaknesses: Annotated[Texts, Field(min_length=1)]

    def describe(self) -> str:
        """Return it in paragraphs, as the chair that argues from it reads it."""
        lists = {"Where it is strong": self.strengths, "Where it is weak": self.weaknesses}
        parts = [f"**{self.name}**. {self.description}".strip(), f"It asks: {self.question}"]
        parts += [
            "\n".join((f"{heading}:", "", *(f"- {each}" for each in listed)))
            for heading, listed in lists.items()
            if listed
        ]
        return "\n\n".join(parts)


_DATA = json.loads(Path(__file__).with_name("chairs_frameworks.json").read_text(encoding="utf-8"))
FRAMEWORKS = {name: Framework(**each) for name, each in _DATA["frameworks"].items()}
"""The frameworks that a chair can be given by a word."""
PRESETS: Mapping[str, list[str]] = _DATA["presets"]
"""Sets of chairs that go by one word."""
REASONS = {name: Reason(**each) for name, each in _DATA["reasons"].items()}
"""Why a chair may cut in."""
VIOLATIONS: Mapping[str, str] = _DATA["violations"]
"""The kinds of violation, as clauses for readers."""


def _known_framework(word: str) -> str:
    name = word.strip().replace("-", "_")
    if name not in FRAMEWORKS:
        raise wrong(f"is {word!r}, expected {', '.join(FRAMEWORKS)}, or an object")
    return name


def _chair_name(name: str) -> str:
    if name in OFFICES:
        raise wrong(f"{name} is reserved")
    return name


class Chair(BaseModel):
    """One chair: its framework, and what its organiser says of it.

    `persona` is whom it is to be, `position` what it stands for, `must_acknowledge` what it has to
    grant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[Name, AfterValidator(_chair_name)]
    framework: Annotated[
        Annotated[Framework, Tag("own")]
        | Annotated[str, AfterValidator(_known_framework), Tag("word")],
        Discriminator(lambda v: "own" if isinstance(v, dict | Framework) else "word"),
    ]
    persona: Trimmed = ""
    position: Trimmed = ""
    must_acknowledge: Trimmed = ""

    @property
    def is_own(self) -> bool:
        """Tell whether its framework is one that the user wrote for it."""
        return isinstance(self.framework, Framework)

    @property
    def view(self) -> Framework:
        """Its framework in full."""
        given = self.framework
        return given if isinstance(given, Framework) else FRAMEWORKS[given]

    @property
    def label(self) -> str:
        """Its framework in a word, or the name of the user's own."""
        given = self.framework
        return given.name if isinstance(given, Framework) else given


def _complete_chairs(value: Any) -> Any:
    """Return chairs as objects, from a preset, words or objects.

    A chair's name and its framework follow from each other where one of them is missing.
    """
    if isinstance(value, str) and value.strip() in PRESETS:
        value = ",".join(PRESETS[value.strip()])
    items = split_people(value, "framework")
    return [_complete_chair(item) for item in items] if isinstance(items, list) else items


def _complete_chair(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    chair = {key: value for key, value in item.items() if value is not None}
    name, framework = chair.get("name", ""), chair.get("framework", chair.get("name"))
    if isinstance(framework, str):
        chair["framework"] = word = framework.strip().replace("-", "_")
        if word in FRAMEWORKS and isinstance(name, str) and name.replace("-", "_") in {word, ""}:
            chair["name"] = word.replace("_", "-")
    return chair


def _check_chairs(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    names = [chair.name for chair in chairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if problems := [f"names {name} more than once" for name in twice] or [
        *_find_likenesses(chairs)
    ]:
        raise wrong("; ".join(problems))
    return chairs


def _find_likenesses(chairs: tuple[Chair, ...]) -> Iterator[str]:
    """Yield which chairs have the same position, or one framework and no position."""
    for one, other in combinations(chairs, 2):
        positions = {" ".join(chair.position.casefold().split()) for chair in (one, other)}
        both = f"{one.name} and {other.name}"
        if len(positions) == 1 and positions != {""}:
            yield f"{both} have the same position"
        elif len(positions) == 1 and one.label == other.label:
            yield f"{both} have the framework {one.label} and no positions that differ"


class Settings(Common):
    """The options of a debate of chairs."""

    participants: Annotated[
        tuple[Chair, ...],
        BeforeValidator(_complete_chairs),
        Field(min_length=FEWEST, max_length=MOST),
        AfterValidator(_check_chairs),
    ] = Field(
        "classic_clash",
        validate_default=True,
        description=f"the chairs: a preset ({', '.join(PRESETS)}); frameworks with a name before "
        "them if you like (utilitarian,ann:pragmatic); or objects with name, framework, persona, "
        "position (what this chair stands for) and must_acknowledge (what it has to grant)",
    )
    accountability: Literal["relaxed", "moderate", "strict"] = "moderate"
    """how strictly speeches are judged: not at all; or the arbiter steps in where one falls gravely
    short; or wherever something owed is left out"""
    steel_manning: Literal["required", "optional"] = "required"
    """whether a speech has to put the view it answers at its strongest, and is judged by it"""
    self_critique: Literal["required", "optional"] = "required"
    """whether a speech has to admit a limit of its own framework, and is judged by it"""
    interjections: Literal["allowed", "forbidden"] = "allowed"
    """whether the arbiter steps in after a violation"""
    interruptions: Literal["allowed", "forbidden"] = "allowed"
    """whether another chair may cut in after a speech"""
    aggressiveness: Annotated[Whole, Field(ge=1, le=5)] = 3
    """how easily a chair gets the floor to cut in: 1 hardly ever, 5 often; below 3 the moderator is
    asked only where the words of a speech invite it"""
    cooldown: Annotated[Whole, Field(le=50)] = 2
    """for how many speeches after one that it interrupted a chair cannot cut in again"""
    cooldown_seconds: Seconds = 0
    """for how many seconds after it cut in a chair cannot do so again, beside the former; 0 leaves
    it to that"""
    max_exchanges: Annotated[Whole, Field(ge=1, le=30)] = 4
    """how many exchanges there are; each chair speaks once in each"""
    tone: Literal["respectful", "spirited", "heated"] = "spirited"
    """how everybody speaks"""
    introduction: Literal["yes", "no"] = "yes"
    """whether the arbiter introduces the debate"""
    key_tensions: Annotated[
        tuple[Visible, ...], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)
    ] = ()
    """questions that every chair is to keep in view: a list, or one text"""

    @model_validator(mode="after")
    def _find_idle(self) -> Settings:
        """Refuse every setting that has no effect beside the others."""
        idle: dict[str, tuple[str, ...]] = {}
        if not self.has_interruptions:
            why = "interruptions are forbidden, so nobody ever cuts in"
            idle[why] = ("aggressiveness", "cooldown", "cooldown_seconds")
        if not self.is_evaluated:
            why = "accountability is relaxed, so no speech is judged and the arbiter never steps in"
            idle[why] = ("steel_manning", "self_critique", "interjections")
        found = [
            f"{name} is {getattr(self, name)}, but {why}; leave {name} out"
            for why, names in idle.items()
            for name in names
            if getattr(self, name) != type(self).model_fields[name].default
        ]
        if found:
            raise wrong("; ".join(found))
        return self

    @property
    def names(self) -> list[str]:
        """The chairs, in the order in which they speak."""
        return [chair.name for chair in self.participants]

    def chair(self, name: str) -> Chair:
        """Return the chair of a name."""
        return next(chair for chair in self.participants if chair.name == name)

    @property
    def is_evaluated(self) -> bool:
        """Tell whether speeches are judged in this debate."""
        return self.accountability != "relaxed"

    @property
    def has_interjections(self) -> bool:
        """Tell whether the arbiter may step in after a speech."""
        return self.is_evaluated and self.interjections == "allowed"

    @property
    def has_interruptions(self) -> bool:
        """Tell whether chairs may cut in."""
        return self.interruptions == "allowed"

    @property
    def heeds_signs(self) -> bool:
        """Tell whether the words of a speech decide if the moderator is asked about it."""
        return self.has_interruptions and self.aggressiveness < ALWAYS_ASKED

    @property
    def judged(self) -> tuple[str, ...]:
        """By what parts a speech is judged; nothing where nobody is."""
        optional = {n for n in ("steel_manning", "self_critique") if getattr(self, n) == "optional"}
        return tuple(n for n in fairness.PARTS if n not in optional) if self.is_evaluated else ()


# Replies.

FEWEST_CHARACTERS = 10
"""Of a text, those that nobody sees and the white space around it apart."""


def _long_enough(said: str) -> str:
    count = len(re.sub(f"[{UNSEEN}]", "", said).strip())
    if count < FEWEST_CHARACTERS:
        message = f"has {count} characters, expected at least {FEWEST_CHARACTERS}"
        raise PydanticCustomError("text", "{message}", {"message": message})
    return said


Spoken = Annotated[Said, AfterValidator(_long_enough), Field(min_length=FEWEST_CHARACTERS)]


class Introduction(Reply):
    """What the arbiter says before the chairs do."""

    text: Spoken = text("Introduction", words=350)


class Closing(Reply):
    """What the arbiter says at the end."""

    text: Spoken = text("Closing", words=500)


class Opening(Reply):
    """A chair's stand, given without having heard the others'."""

    text: Spoken = text("Opening", words=350)
    """What is said, word for word, in paragraphs."""
    citations: list[Citation] = []
    """The sources that the text rests on; empty if none."""


class Speech(Opening):
    """A chair's answer to the chair before it."""

    text: Spoken = text("Speech", words=300)


class Interruption(Opening):
    """What a chair says that cuts in on a speech."""

    text: Spoken = text("Interruption", words=250)


class Answer(Opening):
    """What the interrupted chair replies."""

    text: Spoken = text("Reply", words=180)


class Interjection(Reply):
    """What the arbiter says about a speech that broke the rules."""

    text: Spoken = text("Interjection", words=75)
    """What the arbiter says, in two to four sentences."""
    quote: Said
    """The words of the speech that it is about, exactly as they stand there."""


class Floor(Reply):
    """Whether a chair cuts in after a speech, which, and why."""

    interrupt: bool
    """Whether a chair should cut in now."""
    chair: Annotated[
        Optional,
        BeforeValidator(
            lambda v: re.sub(r"[\s_]+", "-", v.strip().lower()) if isinstance(v, str) else v
        ),
    ] = ""
    """The name of the chair that should; empty if none."""
    reason: Annotated[
        Literal[
            "factual_correction",
            "straw_man_detected",
            "direct_challenge",
            "clarification_needed",
            "strong_agreement",
            "pivotal_point",
        ]
        | None,
        BeforeValidator(lambda v: None if isinstance(v, str) and is_blank(v) else v),
    ] = None
    """For which reason; null if nobody should."""
    trigger: Optional = ""
    """The words of the speech that call for it, exactly as they stand there."""
    urgency: Annotated[Decimal, Number(0, 1)] | None = None
    """How much would be lost if it waited, with at most three decimals."""
    opener: Annotated[Optional, text(words=(2, 8))] = ""
    """With which two to eight words the interruption could begin."""
    why: Said = text("Why")
    """Why, or why nobody, in one to three sentences."""


# What is on record.


def find_kind(turn: Turn, by: str) -> str:
    """Return the kind of entry that somebody is asked for."""
    return next(task.template for task in turn.tasks if task.by == by)


def find_about(d: Debate, speech: Entry, kind: str) -> list[Entry]:
    """Return what of a kind is on record about a speech, or after it: one entry, or none."""
    return [e for e in d.find(kind, round=speech.round) if e.data["speech"] == speech.id]


def list_aloud(d: Debate, *kinds: str) -> list[Entry]:
    """Return what was said aloud, in the order in which it was; openings in that of the chairs."""
    places = {name: place for place, name in enumerate(d.settings.names)}
    said = d.find(*(kinds or ALOUD))
    return sorted(said, key=lambda e: (e.step, places[e.by] if e.kind == "opening" else 0))


def find_answered(d: Debate, speaker: str) -> str:
    """Return the id of what a new speech answers: the newest one, or opening, of another chair.

    Interruptions and replies are not answered. Empty where no other chair has said anything.
    """
    said = list_aloud(d, "opening", "speech")
    return next((e.id for e in reversed(said) if e.by != speaker), "")


def list_eligible(d: Debate) -> list[str]:
    """Return who may cut in on the newest speech: other chairs, but those who did too lately.

    Only speeches that were given count for the cooldown; seconds are those between the times at
    which an interruption and the speech came on record.
    """
    *earlier, speech = d.find("speech")
    recent = {e.id for e in earlier[max(0, len(earlier) - d.settings.cooldown) :]}

    def is_resting(name: str) -> bool:
        cuts = d.find("interruption", by=name)
        seconds = (
            clock.between(str(cut.header.get("at")), str(speech.header.get("at"))) for cut in cuts
        )
        limit = d.settings.cooldown_seconds
        return any(cut.data["speech"] in recent for cut in cuts) or any(s < limit for s in seconds)

    return [n for n in d.settings.names if n != speech.by and not is_resting(n)]


def explain_quiet(d: Debate) -> str:
    """Return why the moderator is not asked about the newest speech; empty where it is."""
    if not d.settings.has_interruptions:
        return "nobody may cut in in this debate"
    if not list_eligible(d):
        return "every other chair has cut in too lately to do so again"
    if d.settings.heeds_signs and not d.find("speech")[-1].data["sign"]:
        return "nothing in the words of the speech invites anybody to cut in"
    return ""


def ask(number: int, asked: list[tuple[str, str]], place: int = 0) -> Turn:
    """Return a turn of one phase: kinds of replies and who gives them.

    `place` is that of the chair whose speech it is about, from 1; with the kind's own it stands in
    the ids of absences.
    """
    order = [*PHASES]
    tasks = (
        Task(
            by,
            kind,
            ABSENCE if by in {EVALUATOR, MODERATOR} else STOP,
            number=10 * (order.index(kind) + 1) + place,
        )
        for kind, by in asked
    )
    return Turn(number, PHASES[asked[0][0]] if asked else "awaiting_reactions", tuple(tasks))


class Chairs(Protocol):
    """The rules of a debate of chairs."""

    name = "chairs"
    cycle = "exchange"
    Settings = Settings
    replies = {
        "introduction": Introduction,
        "opening": Opening,
        "speech": Speech,
        "evaluation": Evaluation,
        "floor": Floor,
        "interjection": Interjection,
        "interruption": Interruption,
        "reply": Answer,
        "closing": Closing,
    }
    acts = {"cancel": "cancellation", "close": "ending"}
    may_shorten = frozenset({"debate"})
    filed = {
        "introduction": "debate_introduced",
        "evaluation": "speech_evaluated",
        "floor": "floor_decided",
        "closing": "debate_closed",
        "cancellation": "debate_cancelled",
        "ending": "closing_requested",
        **{
            kind: f"{kind}_filed"
            for kind in ("opening", "speech", "interjection", "interruption", "reply")
        },
    }
    segments = {
        "awaiting_introduction": "introduction",
        "awaiting_openings": "opening",
        "awaiting_closing": "synthesis",
        **{PHASES[kind]: "exchange" for kind in ("speech", *AFTER_A_SPEECH)},
    }

    def participants(self, settings: Any) -> Mapping[str, str]:
        """Return the chairs, and the offices that are ever asked in this debate."""
        offices = {
            ARBITER: True,
            EVALUATOR: settings.is_evaluated,
            MODERATOR: settings.has_interruptions,
        }
        named = dict.fromkeys(settings.names, "debater")
        return named | {office: "judge" for office, is_asked in offices.items() if is_asked}

    # The course.

    def script(self, d: Debate) -> Script:
        """Hold all exchanges, or as many as a person lets there be; then the arbiter closes."""
        number, early = d.settings.max_exchanges, ""
        try:
            yield from self._hold_exchanges(d)
        except Acted as act:
            number, said = act.entry.round, act.entry.data
            early = f", as {said['by']} ended it early ({said['reason']})"
        yield ask(number, [("closing", ARBITER)])
        is_closed = "the arbiter has closed the debate"
        how = is_closed if d.find("closing") else "the debate has ended without a closing"
        counts = fairness.describe_counts(fairness.count_debate(d))
        yield Done(number, "completed", f"{how}{early}: {counts}")

    def _hold_exchanges(self, d: Debate) -> Script:
        s: Settings = d.settings
        if s.introduction == "yes":
            yield ask(0, [("introduction", ARBITER)])
        yield ask(0, [("opening", name) for name in s.names])
        for number in range(1, s.max_exchanges + 1):
            for place, name in enumerate(s.names, 1):
                yield ask(number, [("speech", name)])
                for speech in d.find("speech", round=number, by=name):
                    yield from self._react(d, speech, place)

    def _react(self, d: Debate, speech: Entry, place: int) -> Script:
        """Ask for what follows a speech: how fair it was, and who steps or cuts in."""
        reactions = [("evaluation", EVALUATOR)] * d.settings.is_evaluated
        reactions += [("floor", MODERATOR)] * (not explain_quiet(d))
        yield ask(speech.round, reactions, place)
        if any(e.data["interjection"] for e in find_about(d, speech, "evaluation")):
            yield ask(speech.round, [("interjection", ARBITER)], place)
        for floor in find_about(d, speech, "floor"):
            if floor.data["granted"] and floor.data["chair"] in list_eligible(d):
                yield ask(speech.round, [("interruption", floor.data["chair"])], place)
        if find_about(d, speech, "interruption"):
            yield ask(speech.round, [("reply", speech.by)], place)

    def act(self, d: Debate, place: Place, act: Act) -> list[Entry]:
        """Return what cancels a debate, or ends it early with the arbiter's closing."""
        if act.name != "close":
            return super().act(d, place, act)
        if not isinstance(place, Turn) or place.phase == "awaiting_closing":
            raise refuse_act(place, act, "The arbiter's closing is due as it is.")
        if not d.find("opening", "speech"):
            raise refuse_act(place, act, "No chair has said anything yet; 'cancel' ends it.")
        return [act_entry(place, act, "ending", "Ended early")]

    # What a reply becomes, and back.

    def entries(self, d: Debate, turn: Turn, by: str, reply: Any) -> Iterator[Entry]:
        """Yield the one entry that a reply becomes."""
        kind = find_kind(turn, by)
        title, data, texts = self._describe(d, turn, by, reply)
        if isinstance(reply, Opening | Interjection):
            data["words"] = len(reply.text.split())
        if isinstance(reply, Opening):
            data["citations"], texts["Sources"] = record_citations(reply.citations)
        folder = JUDGMENTS if kind in {"evaluation", "floor", "closing"} else ARGUMENTS
        is_about = kind in AFTER_A_SPEECH
        place = d.settings.names.index(d.find("speech")[-1].by) + 1 if is_about else 0
        yield Entry(by, turn.round, kind, {"title": title, **data}, texts, folder, place)

    def _describe(  # noqa: C901, PLR0911  (a case for each kind of entry)
        self, d: Debate, turn: Turn, by: str, reply: Any
    ) -> tuple[str, dict[str, Any], dict[str, str]]:
        """Return title, header and texts of an entry, but for words and sources."""
        s, kind = d.settings, find_kind(turn, by)
        texts = {kind.capitalize(): getattr(reply, "text", "")}
        speech = d.find("speech")[-1] if kind in AFTER_A_SPEECH else None
        data: dict[str, Any] = {"speech": speech.id} if speech else {}
        match kind, speech:
            case "opening", _:
                return f"Opening of {by}", {"framework": s.chair(by).label}, texts
            case "speech", _:
                data = {"framework": s.chair(by).label}
                if answers := find_answered(d, by):
                    data["answers"] = answers
                if s.heeds_signs:
                    data["sign"] = fairness.find_sign(reply.text)
                return f"Speech of {by}, exchange {turn.round}", data, texts
            case "evaluation", Entry():
                said, texts = fairness.record_evaluation(
                    reply, s.judged, s.accountability, may_step_in=s.has_interjections
                )
                data["judges"] = [*filter(None, (speech.id, speech.data.get("answers")))]
                title = f"Evaluation of {speech.id}: {said['adherence']} of 100"
                return title, data | said, texts
            case "floor", Entry():
                said = decide_floor(reply, THRESHOLDS[s.aggressiveness])
                verb = "cuts in" if said["granted"] else "would cut in"
                who = f"{said['chair']} {verb}" if reply.interrupt else "Nobody cuts in"
                return f"{who} on {speech.id}", data | said, {"Why": reply.why}
            case "interjection", Entry():
                data["violation"] = find_about(d, speech, "evaluation")[0].data["violation"]
                data["quote"] = reply.quote
                return f"The arbiter to {speech.by}", data, {"Quote": reply.quote, **texts}
            case "interruption", Entry():
                floor = find_about(d, speech, "floor")[0].data
                if link := REASONS[floor["reason"]].link:
                    data[link] = [{"target_id": speech.id, "type": floor["reason"]}]
                data |= {key: floor[key] for key in ("reason", "trigger", "opener")}
                return f"{by} cuts in on {speech.by}", data, texts
            case "reply", Entry():
                cut = find_about(d, speech, "interruption")[0]
                return f"{by} replies to {cut.by}", {"answers": cut.id, **data}, texts
        return kind.capitalize(), data, texts

    def recall(self, d: Debate, turn: Turn, entries: list[Entry]) -> Reply:
        """Return the reply that became an entry."""
        (said,) = entries
        if said.kind == "evaluation":
            return fairness.recall_evaluation(said)
        if said.kind == "floor":
            return Floor.from_entry(said, interrupt=said.data["interrupts"])
        return self.replies[find_kind(turn, said.by)].from_entry(said)

    # What may be wrong with a reply, beyond its form.

    def faults(self, d: Debate, turn: Turn, by: str, reply: Any) -> Faults:
        """Yield what breaks a rule of the debate."""
        match reply:
            case Evaluation():
                yield from fairness.find_evaluation_faults(reply, d.settings.judged)
            case Floor(interrupt=False):
                yield from _find_idle_floor(reply)
            case Floor():
                yield from _find_floor_faults(d, reply)
            case Interjection():
                yield from _find_quotation_faults(d, "quote", reply.quote)

    # What each participant is shown.

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what a template shows: entries by name, and what it says in its own words."""
        s, kind = d.settings, find_kind(turn, by)
        speech = d.find("speech")[-1] if kind in AFTER_A_SPEECH else None
        answered = speech.data.get("answers", "") if speech else find_answered(d, by)
        about = {"answered": [answered] if answered else []}
        if speech:
            about |= {"speech": [speech.id]}
            about |= {k: [e.id for e in find_about(d, speech, k)] for k in AFTER_A_SPEECH}
        shown: dict[str, Any] = {key: about[key] for key in SHOWN[kind] if key in about}
        if "debate" in SHOWN[kind]:
            apart = {i for ids in shown.values() for i in ids}
            rest = list_aloud(d, *ALOUD[kind != "closing" :])
            shown["debate"] = [e.id for e in rest if e.id not in apart]
        others = list_eligible(d) if kind == "floor" else [n for n in s.names if n != by]
        subject = speech.by if speech and by in OFFICES else by
        shown |= {
            "chairs": tuple(map(s.chair, others)),
            "chair": s.chair(subject) if subject in s.names else None,
            "speaker": Markup(speech.by if speech else ""),
            "answered_name": Markup(author(answered)),
            "absence_note": note_absences(list_absences(d)),
        }
        match kind:
            case "speech":
                shown["speaks_again"] = speaks_again(s, turn.round, by, author(answered))
            case "floor":
                shown["reasons"] = REASONS
            case "interjection":
                shown["violation"] = VIOLATIONS[d.entries[about["evaluation"][0]].data["violation"]]
                shown["speaks_again"] = speaks_again(s, turn.round, subject, subject)
            case "interruption":
                floor = d.entries[about["floor"][0]].data
                shown |= {key: floor[key] for key in ("trigger", "opener")}
                shown["clause"] = REASONS[floor["reason"]].clause
            case "reply":
                shown["interrupter"] = Markup(author(about["interruption"][0]))
            case "closing":
                shown["figures"] = figures = fairness.count_debate(d)
                shown["counts"] = fairness.describe_counts(figures)
                shown["endings"] = tuple(e.data for e in d.find("ending"))
        return shown

    # What readers and programs are given.

    def describe_place(self, number: int, phase: str) -> str:
        """Return what a debate waits for, as in `exchange 1, speech`."""
        what = phase.removeprefix("awaiting_")
        what = "reactions to a speech" if what == "reactions" else what
        is_within = number and phase in PHASES.values()
        return f"exchange {number}, {what}" if is_within else what

    def explain_absence_of_task(self, d: Debate, turn: Turn, by: str) -> str:
        """Return why a participant is not asked now, or what comes before its next task."""
        if turn.phase == PHASES["floor"] and by == MODERATOR:
            return explain_quiet(d)
        if any(by in {who, ""} for _, who in [*list_coming(d, turn)][len(turn.tasks) :]):
            return f"its turn comes after the {label_task(turn.tasks[0], turn.round)}"
        return "it has given all it has to give"

    def last_exchange(self, settings: Any) -> int:
        """Return the number of the last exchange there can be."""
        return int(settings.max_exchanges)

    def count_calls(self, d: Debate, place: Place, until: int | None) -> int:
        """Return how many replies there can be, at most: whoever may cut in is counted."""
        coming = list_coming(d, place) if isinstance(place, Turn) else ()
        return sum(until is None or number < until for number, _ in coming)

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        """Return who speaks of what: figures of an evaluation, why somebody cuts in, on whom."""
        told = {key: entry.data[key] for key in TOLD if entry.data.get(key) is not None}
        told["points"] = {n: part["points"] for n, part in entry.data.get("parts", {}).items()}
        told["speaker"] = author(entry.data.get("speech", ""))
        if entry.folder == ARGUMENTS:
            told["text"] = one_line(entry.texts.get(entry.kind.capitalize(), ""), MOST_TOLD)
        return {key: value for key, value in told.items() if value not in ("", {})}

    def statistics(self, d: Debate) -> dict[str, Any]:
        """Return the figures of the debate and of each chair."""
        return fairness.count_debate(d)


TOLD = (
    *("title", "speech", "answers", "adherence", "violation", "interjection", "reason", "by"),
    *("chair", "urgency", "granted", "trigger", "opener"),
)
"""Keys of an entry's header that its event has, too."""
MOST_TOLD = 200
"""Characters of a text that an event shows."""
SHOWN = {
    "introduction": (),
    "opening": (),
    "speech": ("answered", "debate"),
    "evaluation": ("speech", "answered", "debate"),
    "floor": ("speech", "answered"),
    "interjection": ("speech", "answered", "evaluation"),
    "interruption": ("speech", "debate"),
    "reply": ("speech", "interruption", "debate"),
    "closing": ("debate",),
}
"""Which entries a task shows; `debate` is the rest of what was said aloud."""


def list_coming(d: Debate, turn: Turn) -> Iterator[tuple[int, str]]:
    """Yield the exchange and the participant of all replies there can be from a turn on.

    Of an interruption to come nobody knows whose it is: it is nobody's.
    """
    s: Settings = d.settings
    yield from ((turn.round, task.by) for task in turn.tasks)
    asked = {task.template for task in turn.tasks}
    if "closing" in asked:
        return
    if "introduction" in asked:
        yield from ((0, name) for name in s.names)
    cut = ["", "speaker"] * s.has_interruptions
    after = [ARBITER] * s.has_interjections + cut
    every = [EVALUATOR] * s.is_evaluated + [MODERATOR] * s.has_interruptions + after
    now = {
        "speech": every,
        "evaluation": [ARBITER] * s.has_interjections + cut * ("floor" in asked),
        "floor": cut,
        "interjection": cut,
        "interruption": cut[1:],
    }
    here = 0
    if turn.round:
        speaker = turn.tasks[0].by if "speech" in asked else d.find("speech")[-1].by
        here = s.names.index(speaker) + 1
        due = next((now[kind] for kind in now if kind in asked), [])
        yield from ((turn.round, speaker if by == "speaker" else by) for by in due)
    for number in range(max(turn.round, 1), s.max_exchanges + 1):
        for name in s.names[here if number == turn.round else 0 :]:
            yield number, name
            yield from ((number, name if by == "speaker" else by) for by in every)
    yield s.max_exchanges, ARBITER


def label_task(task: Task, number: int) -> str:
    """Return what somebody is asked for, as readers call it."""
    return f"{task.template} of {task.by}" + (f" in exchange {number}" if number else "")


def list_absences(d: Debate) -> Iterator[str]:
    """Yield what chairs did not give, in order; nobody misses an interruption that is not made."""
    kinds = [*PHASES]
    places = {name: place for place, name in enumerate(d.settings.names)}
    missing = [e for e in d.find("absence") if e.by in places]
    for entry in sorted(missing, key=lambda e: (e.step, places[e.by])):
        kind = kinds[entry.number // 10 - 1]
        if kind != "interruption":
            yield f"the {label_task(Task(entry.by, kind), entry.round)}"


def speaks_again(s: Settings, number: int, speaker: str, listener: str) -> bool:
    """Tell whether the chair that is spoken to has a speech to come; if none is, any chair."""
    to_come = s.names[s.names.index(speaker) + 1 :]
    return number < s.max_exchanges or (listener in to_come if listener else bool(to_come))


def decide_floor(reply: Floor, threshold: Decimal) -> dict[str, Any]:
    """Return what a word on the floor comes to: who gets it, why, and whether that is enough."""
    keys = ("chair", "reason", "trigger", "urgency", "opener")
    floor = {key: (getattr(reply, key) or None) if reply.interrupt else None for key in keys}
    floor["urgency"] = reply.urgency if reply.interrupt else None
    if reply.interrupt and reply.reason:
        floor["opener"] = reply.opener or REASONS[reply.reason].opener
    granted = floor["urgency"] is not None and floor["urgency"] >= threshold
    return {"interrupts": reply.interrupt, **floor, "threshold": threshold, "granted": granted}


def _find_idle_floor(reply: Floor) -> Faults:
    if reply.chair:
        yield Fault("chair", f"is {one_line(reply.chair, 60)}, expected null where nobody cuts in")
    for key in ("reason", "trigger", "urgency", "opener"):
        if getattr(reply, key) not in {None, ""}:
            yield Fault(key, "is left out: nobody is to cut in", is_warning=True)


def _find_floor_faults(d: Debate, reply: Floor) -> Faults:
    eligible = list_eligible(d)
    if reply.chair not in eligible:
        problem = f"{one_line(reply.chair, 60)} is no chair of this debate"
        if not reply.chair:
            problem = "is missing, and a chair is to cut in"
        elif reply.chair == d.find("speech")[-1].by:
            problem = f"{reply.chair} has just spoken, and cannot cut in on itself"
        elif reply.chair in d.settings.names:
            problem = f"{reply.chair} has cut in too lately to do so again"
        yield Fault("chair", f"{problem}; expected one of {', '.join(eligible)}")
    for key in ("reason", "trigger", "urgency"):
        if getattr(reply, key) in {None, ""}:
            yield Fault(key, "is missing, and a chair is to cut in")
    if reply.trigger:
        yield from _find_quotation_faults(d, "trigger", reply.trigger)


def _find_quotation_faults(d: Debate, key: str, quote: str) -> Faults:
    speech = d.find("speech")[-1]
    if not fairness.is_quoted(quote, speech.texts["Speech"]):
        expected = "words of the speech, copied exactly and from one place"
        yield Fault(key, f"does not stand in {speech.id}, expected {expected}")
