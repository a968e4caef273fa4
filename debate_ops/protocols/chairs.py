"""Chairs argue from moral frameworks; an arbiter leads, an evaluator judges, others may cut in.

The arbiter introduces the debate; each chair gives an opening; in each exchange every chair speaks
once. After a speech it is judged by what it owes, and the moderator says whether another chair cuts
in; the arbiter steps in after a violation. At the end the arbiter sums up. Nobody wins.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, create_model

from debate_ops.core import clock, values
from debate_ops.core.protocol import Acted, Protocol, Script
from debate_ops.core.replies import Optional, Reply, Said, Visible, read_exact, text
from debate_ops.core.settings import Common, Name, Part, Seconds, Whole, Words, split_people, wrong
from debate_ops.core.texts import count, is_blank, one_line
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Task, Turn, author
from debate_ops.protocols import chairs_fairness as fairness
from debate_ops.protocols.chairs_fairness import Evaluation
from debate_ops.protocols.shared import Citation, load_texts, note_absences, record_citations

ARBITER, EVALUATOR, MODERATOR = "arbiter", "evaluator", "moderator"
OFFICES = (ARBITER, EVALUATOR, MODERATOR)
"""Those who act beside the chairs; no chair can have such a name."""
ALWAYS_ASKED = 3
"""From which aggressiveness on the moderator is asked after every speech, whatever it says."""
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
_DATA = load_texts("chairs_frameworks.json")
PRESETS: Mapping[str, list[str]] = _DATA["presets"]
REASONS: Mapping[str, Mapping[str, str]] = _DATA["reasons"]
"""Why a chair may cut in: a clause, a link to the speech (`attacks`, `defends`), an opener."""


Texts = Annotated[tuple[Visible, ...], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)]


class Framework(Part):
    """A way of judging right and wrong: what it asks, and where it is strong and weak."""

    name: Visible
    question: Visible
    description: Words = ""
    strengths: Texts = ()
    weaknesses: Annotated[Texts, Field(min_length=1)]


FRAMEWORKS = {name: Framework(**each) for name, each in _DATA["frameworks"].items()}


def _read_framework(said: str) -> str:
    word = said.strip().replace("-", "_")
    if word not in FRAMEWORKS:
        raise wrong(f"is {word!r}, expected {', '.join(FRAMEWORKS)}, or an object")
    return word


class Chair(Part):
    """One chair: its framework, and what its organiser says of it."""

    name: Name
    framework: Annotated[
        Annotated[Framework, Tag("[own]")]
        | Annotated[str, AfterValidator(_read_framework), Tag("[word]")],
        Discriminator(lambda v: "[own]" if isinstance(v, dict | Framework) else "[word]"),
    ]
    persona: Words = ""
    position: Words = ""
    must_acknowledge: Words = ""

    @property
    def view(self) -> Framework:
        given = self.framework
        return given if isinstance(given, Framework) else FRAMEWORKS[given]

    @property
    def label(self) -> str:
        """Its framework in a word, or the name of the user's own."""
        return self.framework if isinstance(self.framework, str) else self.view.name


def _read_chairs(value: Any) -> Any:
    is_preset = isinstance(value, str) and value.strip() in PRESETS
    return split_people(PRESETS[value.strip()] if is_preset else value, "framework", is_both=True)


def _check_chairs(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    stands: dict[str, str] = {}
    for chair in chairs:
        stand = " ".join(chair.position.casefold().split()) or chair.label
        if chair.name in OFFICES:
            raise wrong(f"names {chair.name}, which is reserved")
        if other := stands.get(stand):
            raise wrong(f"{other} and {chair.name} stand for the same: give them positions")
        stands[stand] = chair.name
    return chairs


class Settings(Common):
    """The options of a debate of chairs."""

    IDLE = {
        ("interruptions", "forbidden"): ("aggressiveness", "cooldown", "cooldown_seconds"),
        ("accountability", "relaxed"): ("steel_manning", "self_critique", "interjections"),
    }

    participants: Annotated[
        tuple[Chair, ...],
        BeforeValidator(_read_chairs),
        Field(min_length=2, max_length=6),
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
    key_tensions: Texts = ()
    """questions that every chair is to keep in view: a list, or one text"""

    @property
    def is_evaluated(self) -> bool:
        return self.accountability != "relaxed"

    @property
    def has_interjections(self) -> bool:
        return self.is_evaluated and self.interjections == "allowed"

    @property
    def has_interruptions(self) -> bool:
        return self.interruptions == "allowed"

    @property
    def judged(self) -> tuple[str, ...]:
        every = fairness.PARTS if self.is_evaluated else ()
        return tuple(part for part in every if getattr(self, part, "required") == "required")


Spoken = Annotated[Said, Field(min_length=10)]


class Interjection(Reply):
    """What the arbiter says about a speech that broke the rules."""

    text: Spoken = text("Interjection", words=75)
    """What the arbiter says, in two to four sentences."""
    quote: Said
    """The words of the speech that it is about, exactly as they stand there."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        speech = d.find("speech")[-1]
        data = {
            "title": f"The arbiter to {speech.by}",
            "speech": speech.id,
            "violation": find_about(d, speech, "evaluation")[0].data["violation"],
            "quote": self.quote,
            "words": len(self.text.split()),
        }
        texts = {"Quote": self.quote, "Interjection": self.text}
        place = fairness.place_of(d, speech)
        yield Entry(by, turn.round, "interjection", data, texts, number=place)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        return find_quotation_faults(d, "quote", self.quote)


class Aloud(Reply):
    """What somebody says, word for word, in paragraphs."""

    text: Spoken

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        kind, place = turn.template(by), 0
        title, data, texts = kind.capitalize(), dict[str, Any](), {kind.capitalize(): self.text}
        if kind in {"opening", "speech"}:
            title += f" of {by}" + (f", exchange {turn.round}" if turn.round else "")
            data["framework"] = d.settings.participant(by).label
        if kind == "speech":
            data |= {"answers": answered} if (answered := find_answered(d, by)) else {}
            is_sign_asked = d.settings.aggressiveness < ALWAYS_ASKED
            data |= {"sign": fairness.find_sign(self.text)} if is_sign_asked else {}
        if kind in {"interruption", "reply"}:
            speech = d.find("speech")[-1]
            place, data["speech"] = fairness.place_of(d, speech), speech.id
            if kind == "interruption":
                floor = find_about(d, speech, "floor")[0].data
                title = f"{by} cuts in on {speech.by}"
                if link := REASONS[floor["reason"]]["link"]:
                    data[link] = [{"target_id": speech.id, "type": floor["reason"]}]
                data |= {key: floor[key] for key in ("reason", "trigger", "opener")}
            else:
                (cut,) = find_about(d, speech, "interruption")
                title, data = f"{by} replies to {cut.by}", {"answers": cut.id, **data}
        if isinstance(self, Cited):
            data["words"] = len(self.text.split())
            data["citations"], texts["Sources"] = record_citations(self.citations)
        folder = values.JUDGMENTS if kind == "closing" else values.ARGUMENTS
        yield Entry(by, turn.round, kind, {"title": title, **data}, texts, folder, place)


class Cited(Aloud):
    """What a chair says, with its sources."""

    citations: list[Citation] = []
    """The sources that the text rests on; empty if none."""


SPOKEN: Mapping[str, tuple[type[Aloud], int, str]] = {
    "introduction": (Aloud, 350, "What the arbiter says before the chairs do."),
    "opening": (Cited, 350, "A chair's stand, given without having heard the others'."),
    "speech": (Cited, 300, "A chair's answer to the chair before it."),
    "interruption": (Cited, 250, "What a chair says that cuts in on a speech."),
    "reply": (Cited, 180, "What a chair says to the one that cut in on its speech."),
    "closing": (Aloud, 500, "What the arbiter says at the end."),
}
"""By kind of entry, of what is a text alone: its form, its most words, and what it is."""


def make_form(kind: str) -> type[Reply]:
    """Return the form of a reply that is a text alone, with its heading and its limit."""
    form, most, says = SPOKEN[kind]
    fields: Any = {"text": (Spoken, text(kind.capitalize(), words=most))}
    return create_model(kind.capitalize(), __base__=form, __doc__=says, **fields)


def _read_chair(named: object) -> object:
    return re.sub(r"[\s_]+", "-", named.strip().lower()) if isinstance(named, str) else named


class Floor(Reply):
    """Whether a chair cuts in after a speech, which, and why."""

    KEYS = {"interrupt": "interrupts"}
    interrupt: bool
    """Whether a chair should cut in now."""
    chair: Annotated[Optional, BeforeValidator(_read_chair)] = ""
    """The name of the chair that should; empty if none."""
    reason: Annotated[
        Literal[(*REASONS,)] | None,  # type: ignore[valid-type]
        BeforeValidator(lambda v: None if isinstance(v, str) and is_blank(v) else v),
    ] = None
    """For which reason; null if nobody should."""
    trigger: Optional = ""
    """The words of the speech that call for it, exactly as they stand there."""
    urgency: Annotated[Decimal, read_exact(0, 1)] | None = None
    """How much would be lost if it waited, with at most three decimals."""
    opener: Optional = ""
    """With which two to eight words the interruption could begin."""
    why: Said = text("Why")
    """Why, or why nobody, in one to three sentences."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        speech, threshold = d.find("speech")[-1], 1 - Decimal(d.settings.aggressiveness) / 10
        said = self.model_dump(include={"chair", "reason", "trigger", "urgency", "opener"})
        floor = {key: said[key] if self.interrupt and said[key] != "" else None for key in said}
        if self.interrupt and self.reason:
            floor["opener"] = self.opener or REASONS[self.reason]["opener"]
        granted = floor["urgency"] is not None and floor["urgency"] >= threshold
        who = f"{self.chair} {'cuts' if granted else 'would cut'} in"
        title = f"{who if self.interrupt else 'Nobody cuts in'} on {speech.id}"
        data = {"title": title, "speech": speech.id, "interrupts": self.interrupt, **floor}
        data |= {"threshold": threshold, "granted": granted}
        texts, place = {"Why": self.why}, fairness.place_of(d, speech)
        yield Entry(by, turn.round, "floor", data, texts, values.JUDGMENTS, place)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        eligible = list_eligible(d) if self.interrupt else [""]
        if self.chair not in eligible:
            expected = " or ".join(eligible) or "null, as nobody cuts in"
            yield Fault("chair", f"is {one_line(self.chair, 60) or 'missing'}, expected {expected}")
        if not self.interrupt:
            return
        for key in ("reason", "trigger", "urgency"):
            if getattr(self, key) in {None, ""}:
                yield Fault(key, "is missing, and a chair is to cut in")
        if self.trigger:
            yield from find_quotation_faults(d, "trigger", self.trigger)
        if self.opener and (words := len(self.opener.split())) not in range(2, 9):
            yield Fault("opener", f"has {count(words, 'word')}, expected 2 to 8", is_warning=True)


def find_about(d: Debate, speech: Entry, kind: str) -> list[Entry]:
    """Return what of a kind is on record about a speech, or after it: one entry, or none."""
    return [e for e in d.find(kind, round=speech.round) if e.data["speech"] == speech.id]


def find_quotation_faults(d: Debate, key: str, quote: str) -> Faults:
    """Yield that what stands under a key is not in the newest speech."""
    speech = d.find("speech")[-1]
    if not fairness.is_quoted(quote, speech.texts["Speech"]):
        expected = "words of the speech, copied exactly and from one place"
        yield Fault(key, f"does not stand in {speech.id}, expected {expected}")


def list_said(d: Debate, *kinds: str) -> list[Entry]:
    """Return entries in the order in which they were said; openings in that of the chairs."""
    places = {name: place for place, name in enumerate(d.settings.names)}
    return sorted(d.find(*kinds), key=lambda e: (e.step, places.get(e.by, 0)))


def find_answered(d: Debate, speaker: str) -> str:
    """Return the id of the newest speech or opening of another chair: a new speech answers it."""
    said = list_said(d, "opening", "speech")
    return next((e.id for e in reversed(said) if e.by != speaker), "")


def list_eligible(d: Debate) -> list[str]:
    """Return who may cut in on the newest speech: other chairs, but those who did too lately.

    Speeches that were given count; seconds are between the times of interruption and speech.
    """
    s, (*earlier, speech) = d.settings, d.find("speech")
    recent = {e.id for e in earlier[max(0, len(earlier) - s.cooldown) :]}
    resting = {speech.by}
    for cut in d.find("interruption"):
        times = (str(entry.header.get("at", "")) for entry in (cut, speech))
        if cut.data["speech"] in recent or clock.count_seconds(*times) < s.cooldown_seconds:
            resting.add(cut.by)
    return [name for name in s.names if name not in resting]


def number_step(kind: str, place: int = 0) -> int:
    """Return where in its exchange a phase is: by the chair in that place, the closing last."""
    return 1_000 if kind == "closing" else 100 * place + [*PHASES].index(kind)


def ask(number: int, kinds: Mapping[str, str], place: int = 0) -> Turn:
    """Return a turn of one phase; `kinds` are those of the replies, by who gives them.

    `place` is that of the chair whose speech it is, from 1; the ids of absences have it, too.
    """
    tasks = list[Task]()
    for by, kind in kinds.items():
        on_failure = values.ABSENCE if by in {EVALUATOR, MODERATOR} else values.STOP
        absence = 10 * ([*PHASES].index(kind) + 1) + (0 if kind == "speech" else place)
        tasks.append(Task(by, kind, on_failure, number=absence))
    first = next(iter(kinds.values()), "floor")
    acts = ("close", "cancel") if place else ("cancel",)  # once the chairs have come to speak
    return Turn(number, PHASES[first], tuple(tasks), number_step(first, place), acts=acts)


SHOWN = {
    "speech": ("answered", "debate"),
    "evaluation": ("speech", "answered", "debate"),
    "floor": ("speech", "answered"),
    "interjection": ("speech", "answered", "evaluation"),
    "interruption": ("speech", "debate"),
    "reply": ("speech", "interruption", "debate"),
    "closing": ("debate",),
}
"""Which entries a task shows; `debate` is the rest of what was said aloud."""


class Chairs(Protocol):
    """The rules of a debate of chairs."""

    name = "chairs"
    cycle = "exchange"
    Settings = Settings
    replies: ClassVar[Mapping[str, type[Reply]]] = {
        "evaluation": Evaluation,
        "floor": Floor,
        "interjection": Interjection,
        **{kind: make_form(kind) for kind in SPOKEN},
    }
    acts = {**Protocol.acts, "close": ("ending", "Ended early")}
    may_shorten = frozenset({"debate"})
    last_phases = frozenset({PHASES["closing"]})
    filed = {
        "introduction": "debate_introduced",
        "evaluation": "speech_evaluated",
        "floor": "floor_decided",
        "closing": "debate_closed",
        "ending": "closing_requested",
    }
    segments = dict.fromkeys(PHASES.values(), "exchange") | {
        "awaiting_introduction": "introduction",
        "awaiting_openings": "opening",
        "awaiting_closing": "synthesis",
    }

    def participants(self, settings: Any) -> Mapping[str, str]:
        named = dict.fromkeys(settings.names, "debater") | {ARBITER: "judge"}
        named |= {EVALUATOR: "judge"} if settings.is_evaluated else {}
        return named | ({MODERATOR: "judge"} if settings.has_interruptions else {})

    def script(self, d: Debate) -> Script:
        s, number, early = d.settings, d.settings.max_exchanges, ""
        try:
            if s.introduction == "yes":
                yield ask(0, {ARBITER: "introduction"})
            yield ask(0, dict.fromkeys(s.names, "opening"))
            for number in range(1, s.max_exchanges + 1):
                for place, name in enumerate(s.names, 1):
                    yield ask(number, {name: "speech"}, place)
                    for speech in d.find("speech", round=number, by=name):
                        yield from self._react(d, speech, place)
        except Acted as act:
            number, said = act.entry.round, act.entry.data
            early = f", as {said['by']} ended it early ({said['reason']})"
        yield ask(number, {ARBITER: "closing"})
        is_closed = "the arbiter has closed the debate"
        how = is_closed if d.find("closing") else "the debate has ended without a closing"
        counts = fairness.describe_counts(fairness.count_debate(d))
        yield Done(number, "completed", f"{how}{early}: {counts}")

    def _react(self, d: Debate, speech: Entry, place: int) -> Script:
        """Ask for what follows a speech: how fair it was, and who steps or cuts in."""
        s = d.settings
        reactions = {EVALUATOR: "evaluation"} if s.is_evaluated else {}
        is_asked = s.aggressiveness >= ALWAYS_ASKED or speech.data["sign"]
        if s.has_interruptions and list_eligible(d) and is_asked:
            reactions[MODERATOR] = "floor"
        yield ask(speech.round, reactions, place)
        if any(e.data["interjection"] for e in find_about(d, speech, "evaluation")):
            yield ask(speech.round, {ARBITER: "interjection"}, place)
        for floor in find_about(d, speech, "floor"):
            if floor.data["granted"] and floor.data["chair"] in list_eligible(d):
                yield ask(speech.round, {floor.data["chair"]: "interruption"}, place)
        if find_about(d, speech, "interruption"):
            yield ask(speech.round, {speech.by: "reply"}, place)

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        s, kind = d.settings, turn.template(by)
        said: dict[str, Entry] = {}
        if kind in AFTER_A_SPEECH:
            said["speech"] = speech = d.find("speech")[-1]
            said |= {k: e for k in AFTER_A_SPEECH for e in find_about(d, speech, k)}
        answered = speech.data.get("answers", "") if said else find_answered(d, by)
        about = {"answered": [answered] if answered else []} | {k: [said[k].id] for k in said}
        shown: dict[str, Any] = {key: about[key] for key in SHOWN.get(kind, ()) if key in about}
        if "debate" in SHOWN.get(kind, ()):
            apart = {i for ids in shown.values() for i in ids}
            left_out = "" if kind == "closing" else "introduction"
            rest = list_said(d, *(k for k in (*SPOKEN, "interjection") if k != left_out))
            shown["debate"] = [e.id for e in rest if e.id not in apart]
        others = list_eligible(d) if kind == "floor" else [n for n in s.names if n != by]
        subject = speech.by if said and by in OFFICES else by
        to_come = s.names[s.names.index(subject) + 1 :] if subject in s.names else []
        to_come += s.names if turn.round < s.max_exchanges else []
        listener = subject if kind == "interjection" else author(answered)
        figures = fairness.count_debate(d)
        absent = ((e, [*PHASES][e.number // 10 - 1]) for e in list_said(d, "absence"))
        missing = (
            f"{what} of {e.by}" + f" in exchange {e.round}" * bool(e.round)
            for e, what in absent
            if e.by in s.names and what != "interruption"  # which nobody misses
        )
        return shown | {
            "said": said,
            "chairs": tuple(map(s.participant, others)),
            "chair": s.participant(subject) if subject in s.names else None,
            "answered_name": Markup(author(answered)),
            "absence_note": note_absences(missing),
            "reasons": REASONS,
            "violations": _DATA["violations"],
            "next_speaker": Markup(next(iter(to_come), "")),
            "speaks_again": listener in to_come if listener else bool(to_come),
            "figures": figures,
            "counts": fairness.describe_counts(figures),
            "endings": tuple(e.data for e in d.find("ending")),
        }

    def name_part(self, settings: Any, entry: Entry) -> str:
        apart = {"introduction": "introduction", "opening": "openings", "closing": "closing"}
        return apart.get(entry.kind) or super().name_part(settings, entry)

    def list_steps(self, settings: Any) -> Iterator[tuple[int, int, int]]:
        s = settings
        yield 0, number_step("introduction"), s.introduction == "yes"
        yield 0, number_step("opening"), len(s.names)
        places = range(1, len(s.names) + 1)
        for number, place in product(range(1, s.max_exchanges + 1), places):
            yield number, number_step("speech", place), 1
            yield number, number_step("evaluation", place), s.is_evaluated + s.has_interruptions
            yield number, number_step("interjection", place), s.has_interjections
            yield number, number_step("interruption", place), s.has_interruptions
            yield number, number_step("reply", place), s.has_interruptions
        yield s.max_exchanges, number_step("closing"), 1

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        data = entry.data
        shown = {key: data[key] for key in ("interjection", "granted", "trigger") if data.get(key)}
        if parts := data.get("parts"):
            shown["points"] = {name: part["points"] for name, part in parts.items()}
        if entry.kind == "interjection":
            shown["text"] = entry.texts["Interjection"]  # and not what it quotes
        return shown | ({"speaker": author(data["speech"])} if "speech" in data else {})

    def statistics(self, d: Debate) -> dict[str, Any]:
        return fairness.count_debate(d)
