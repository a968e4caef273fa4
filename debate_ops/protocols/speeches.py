"""Speeches in any order by two or more, and at the end a verdict if one is wanted.

Every speech is a step of its own, and everybody reads all that was said before. A debate that took
place elsewhere is imported into this protocol, because it asks nothing of a speech but its text.

A panel is such a debate: several read a whole debate once, blind, and say what they think before
and after. They read letters in the place of names; `favours` has the name behind the letter. Every
second member reads the sides in the other order, so that what comes first decides nothing.
"""

import re
from collections.abc import Iterator, Mapping
from operator import not_
from string import ascii_uppercase
from typing import Annotated, Any, Literal

from markupsafe import Markup
from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core import values
from debate_ops.core.protocol import Script
from debate_ops.core.replies import Item, Optional, Reply, Said, as_list, text
from debate_ops.core.settings import Common, Name, Part, Whole, Words, split_people
from debate_ops.core.texts import one_line
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Task, Turn
from debate_ops.protocols.shared import Citation, InTurn, find_naming_faults, record_citations

NOBODY, EVEN = "nobody", "even"
"""What a verdict names where none has the better of it; and what is said of such an issue."""
NEW_ROUND = "/"
"""Between two names of an order: the second one speaks in the next round."""


class Speaker(Part):
    """One who speaks, or an answer: a name, its position, and its name as it stood elsewhere."""

    name: Name
    position: Words = ""
    called: str = Field("", exclude_if=not_)


Speakers = Annotated[
    tuple[Speaker, ...],
    BeforeValidator(lambda value: split_people(value or (), "position")),
    Field(max_length=50),
]
Lines = Annotated[
    tuple[Annotated[Said, AfterValidator(str.strip)], ...],
    BeforeValidator(as_list),
    Field(max_length=100),
]
Order = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda v: v.replace(",", " ").split() if isinstance(v, str) else v),
    Field(max_length=1000),
]


class Settings(Common):
    """The options of a debate in speeches."""

    IDLE = {
        ("word_limit", 0): ("word_limits",),
        ("panel", 0): ("question", "choices", "issues", "personas"),
    }

    participants: Annotated[Speakers, Field(min_length=2)]
    """who speaks: names with what each speaks for (ann:yes,ben:no), or objects with name and
    position"""
    order: Order = ()
    """who gives which speech, as names in their order (ann,ben,ann), with / where a round ends that
    would go on; empty: everybody in turn"""
    rounds: Annotated[Whole, Field(ge=1, le=20)] = 2
    """how often everybody speaks, where no order is given"""
    judge: Literal["none", "one"] = "none"
    """whether a judge decides at the end"""
    question: Annotated[Words, Field(max_length=200_000)] = ""
    """what a panel decides, its first line in short; empty: which side is right"""
    choices: Speakers = ()
    """the answers between which a panel decides, as names with what each says, or as objects with
    name and position; empty: those who spoke"""
    issues: Lines = ()
    """questions on each of which a panel says who had the better of it"""
    personas: Lines = ()
    """how members of a panel are to look at the debate, one after the other"""
    views: Literal["on", "off"] = "on"
    """whether a panel is asked before it reads the debate, too"""
    word_limit: Whole = 400
    """words to a speech at most; 0 sets no limit"""

    def find_clashes(self) -> Iterator[str]:
        if strangers := sorted({*self.order} - {NEW_ROUND, *self.positions}):
            yield f"order names {', '.join(strangers)}, who is no participant"
        if NOBODY in {*self.positions, *self.answers}:
            yield f"participants and choices cannot have the name {NOBODY}"
        if len(self.choices) == 1:
            yield "choices has 1 item, expected at least 2"
        if self.panel and self.judge == "one":
            yield "judge is one, but a panel decides: set one of them"

    @property
    def positions(self) -> Mapping[str, str]:
        """By name what each participant speaks for; empty where that is not said."""
        return {each.name: each.position for each in self.participants}

    @property
    def answers(self) -> Mapping[str, str]:
        """By name what a panel decides between; the first line of each is its short form."""
        return {each.name: each.position for each in self.choices} or self.positions

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(f"member-{number}" for number in range(1, self.panel + 1))


def even_percent(answers: int) -> int:
    """Return how sure, in per cent, somebody is at least of the likeliest of some answers."""
    return -(-100 // answers)  # rounded up


class Reader:
    """How a member of a panel reads a debate; a judge who is no member reads names.

    `letters` are what it reads in the place of the names of those who spoke, where those are no
    letters themselves, and `called` what it reads in texts, as in `Side A`. `answers` are what its
    ballot has for each answer. Every second member reads them in the other order.
    """

    def __init__(self, s: Settings, name: str) -> None:
        self.settings, is_member = s, name in s.members
        order = slice(None, None, -1 if name[-1] in "02468" else 1)
        names, answers = [*s.positions][order], [*s.answers][order]
        letters = [*ascii_uppercase, *(f"A{letter}" for letter in ascii_uppercase)]
        if all(len(each) == 1 for each in names):
            letters = [each.upper() for each in names]
        self.letters = dict(zip(names, letters, strict=False))
        voice = "Speaker" if s.choices else "Side"
        self.called = {each: f"{voice} {letter}" for each, letter in self.letters.items()}
        labels = self.letters if is_member else {}
        self.answers = {each: labels.get(each, each) for each in answers}

    def name_answer(self, said: str) -> str:
        """Return an answer as the ballot has it, where it is named as the prompt shows it."""
        s = self.settings
        known = {each.called.lower(): each.name for each in s.choices or s.participants}
        known |= {label.lower(): label for label in (*self.answers.values(), NOBODY)}
        return known.get(said.strip().lower(), said)

    def blind(self, said: str) -> str:
        """Return a text with the names of participants, alone and in ids, as a member reads them.

        A name that may be a word stays alone: a short one, and a word of its own position.
        """
        as_read: dict[str, str] = {}
        for each in self.settings.participants:
            as_read[f"{each.name}_"] = f"{self.letters[each.name]}_"
            short = each.position.partition("\n")[0].casefold()
            for name in (each.called, each.name, each.name.capitalize()):
                if name[2:] and name.casefold() not in short:
                    as_read[name] = self.called[each.name]
        names = "|".join(map(re.escape, sorted(as_read, key=len, reverse=True)))
        found = rf"(?<![\w-])(?:{names})(?:(?<=_)(?=[0-9]{{3}})|(?![\w-]))"
        return re.sub(found, lambda name: as_read[name[0]], said)

    def unblind(self, said: str, called: Mapping[str, str] = {}) -> str:
        """Return what a member wrote with those who spoke as readers call them, and ids on record.

        Letters that stand alone may be words (A and I are), so they stay, with a key in front.
        """
        before_a_sentence = "(?:\\A|[.!?\u2026\\n])[ \\-*_(\"'\u201c\u2018]*"
        names = {letter: called.get(name, name) for name, letter in self.letters.items()}
        for name, letter in self.letters.items():
            said = re.sub(rf"\b{letter}_(?=[0-9]{{3}})", f"{name}_", said)
            spoken, who = rf"\b(?:[Tt]he )?(?:Side|Speaker) {letter}\b", names[letter]
            start = rf"\g<1>{who[:1].upper()}{who[1:]}"
            said = re.sub(spoken, who, re.sub(f"({before_a_sentence}){spoken}", start, said))
        ends = {letter: "(?='s)" if letter in {"A", "I"} else r"(?![\w-])" for letter in names}
        if any(re.search(rf"(?<![\w-]){letter}{end}", said) for letter, end in ends.items()):
            return f"({', '.join(f'{letter}: {who}' for letter, who in names.items())}) {said}"
        return said


Links = list[
    Annotated[  # an id, on record with what it links to
        Said, BeforeValidator(lambda v: v.get("target_id", v) if isinstance(v, Mapping) else v)
    ]
]


class Speech(Reply):
    """What one participant says in its turn, and which earlier speeches it is about."""

    KEYS = {"supports": "defends"}

    title: Optional = text(words=12, default="")
    """What the speech says, in a few words; empty if it has no title."""
    text: Said = text("Speech", words="word_limit")
    """The whole speech, in paragraphs."""
    attacks: Links = []
    """The ids of earlier speeches that this one speaks against."""
    supports: Links = []
    """The ids of earlier speeches that this one speaks for."""
    citations: list[Citation] = []
    """The sources that the text rests on."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the speech with its links; a title that is not given is how it begins."""
        words = self.text.split()
        citations, sources = record_citations(self.citations)
        data = {
            "title": self.title or one_line(" ".join(words[:8] + ["…"] * bool(words[8:]))),
            "words": len(words),
            "attacks": [{"target_id": i, "type": "attack"} for i in self.attacks],
            "defends": [{"target_id": i, "type": "support"} for i in self.supports],
            "citations": citations,
        }
        yield Entry(by, turn.round, "speech", data, {"Speech": self.text, "Sources": sources})

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        known = [e.id for e in d.find("speech")]
        yield from find_naming_faults("attacks.{}", self.attacks, known, most=0)
        yield from find_naming_faults("supports.{}", self.supports, known, most=0)


class Verdict(Reply):
    """Who had the better of the debate, how sure the judge is, and why."""

    winner: Said
    """Who had the better of it: a name, or for a panel the letter or the word of an answer; or
    nobody."""
    percent: int = Field(ge=1, le=100)
    """How sure of that, in per cent: 100 is certain, and chance alone gives one of two answers 50,
    one of four 25."""
    reasons: Said = text("Reasons")
    """Why, by what was said in the debate."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        reader, kind = Reader(d.settings, by), turn.template(by)
        winner = reader.name_answer(self.winner)
        favours = next((each for each, said in reader.answers.items() if said == winner), NOBODY)
        own, texts = self.model_copy(update={"winner": winner}).record()
        title, more = f"For {favours}", dict[str, Any](favours=favours)
        if kind == "verdict":
            title = "No verdict for anybody" if favours == NOBODY else f"Verdict for {favours}"
            more = {"judges": [e.id for e in d.find("speech")]}
        data = {"title": title, "winner": winner, "percent": self.percent, **more, **own}
        yield Entry(by, turn.round, kind, data, texts, values.JUDGMENTS)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        reader = Reader(d.settings, by)
        known, winner = reader.answers.values(), reader.name_answer(self.winner)
        yield from find_naming_faults("winner", [winner], [*known, NOBODY])
        if self.percent < (least := even_percent(len(known))):
            message = f"is {self.percent}, less than chance gives one of {len(known)} answers"
            yield Fault("percent", f"{message}, expected {least} to 100")


class Issue(Item):
    """What is said of one issue that is set."""

    issue: int = Field(ge=1)
    """The number of the issue."""
    better: Said
    """The letter or the word of an answer, or even."""
    why: Said
    """Why, in a sentence."""


class Ballot(Verdict):
    """Who had the better of the debate and of each issue, and what moved the member."""

    issues: list[Issue] = []
    """What is to be said of each issue that is set, once for each."""
    moved_by: list[Said] = Field([], max_length=12)
    """The ids, as read, of the speeches or arguments that moved the member most."""

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        yield from super().find_faults(d, turn, by)
        reader = Reader(d.settings, by)
        known = [*reader.answers.values(), EVEN]
        better = (item.better for item in self.issues)
        yield from find_naming_faults("issues.{}.better", better, known, most=0)
        numbers, decided = range(1, len(d.settings.issues) + 1), (i.issue for i in self.issues)
        yield from find_naming_faults("issues.{}.issue", decided, numbers, needs_all=True)
        said = {e.id: e.texts.get("Speech", "") for e in d.find("speech")}
        ids = (*said, *re.findall(r"\[([^\]\s]+)\]", "\n".join(said.values())))
        as_read = [*dict.fromkeys(map(reader.blind, ids))]
        yield from find_naming_faults("moved_by.{}", self.moved_by, as_read, most=0)


class Speeches(InTurn):
    """The rules of `speeches`."""

    name = "speeches"
    Settings = Settings
    replies = {"speech": Speech, "verdict": Verdict, "view": Verdict, "ballot": Ballot}
    acts = {}
    may_shorten = frozenset({"statements"})
    has_panel_within = True

    def participants(self, settings: Any) -> Mapping[str, str]:
        judges = ["judge"] * (settings.judge == "one") + [*settings.members]
        return dict.fromkeys(settings.positions, "debater") | dict.fromkeys(judges, "judge")

    def other_names(self, settings: Any) -> Mapping[str, str]:
        return {each.called.lower(): each.name for each in settings.participants if each.called}

    def list_turns(self, s: Any) -> Iterator[Turn]:
        number, spoken = 1, list[str]()
        for name in s.order or [*s.positions] * s.rounds:
            if name in spoken or NEW_ROUND in spoken:  # nobody speaks twice in a round
                number, spoken = number + 1, []
            spoken.append(name)
            if name != NEW_ROUND:
                yield Turn(number, "awaiting_speeches", (Task(name, "speech", values.STOP),))
        if s.judge == "one":
            yield Turn(number + 1, "awaiting_verdict", (Task("judge", "verdict", values.STOP),))
        kinds = () if not s.panel else ("view", "ballot") if s.views == "on" else ("ballot",)
        for later, kind in enumerate(kinds, number + 1):
            tasks = tuple(Task(member, kind) for member in s.members)
            yield Turn(later, f"awaiting_{kind}s", tasks)

    def script(self, d: Debate) -> Script:
        s, turns, why = d.settings, [*self.list_turns(d.settings)], "every speech is given"
        yield from turns
        if s.panel:
            why += f"; {len(d.find('ballot'))} of {s.panel} members of the panel cast a ballot"
        elif s.judge == "one":
            winners = [e.data["winner"] for e in d.find("verdict")]
            why += f"; the judge decides for {winners[0]}" if winners else "; there is no verdict"
        yield Done(turns[-1].round, "completed", why)

    def name_part(self, settings: Any, entry: Entry) -> str:
        return f"round {entry.round}" if entry.kind == "speech" else f"{entry.kind}s"

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return the speeches so far; to a member of the panel blind, and none before its view."""
        s, reader, given = d.settings, Reader(d.settings, by), d.find("speech")
        called = {p.name: f"{p.name} ({p.called})" if p.called else p.name for p in s.participants}
        if is_member := by in s.members:
            called = reader.answers | reader.called
        texts = s.positions | (s.answers if is_member else {})
        lines = (f"{said}: {texts[name] or 'no position given'}" for name, said in called.items())
        shown: dict[str, Any] = {
            "even": even_percent(len(reader.answers)),
            "answers": Markup(", ".join(f"`{said}`" for said in reader.answers.values())),
            "positions": "\n".join(lines),
        }
        if not is_member:
            turns = [*self.list_turns(s)][d.step + 1 :]
            return shown | {
                "statements": [e.id for e in given],
                "absence_note": self.note_missing(d, {"speech"}),
                "speeches_left": sum(turn.tasks[0].by == by for turn in turns),
            }
        foreign = {"question": s.question, "positions": shown["positions"]}
        if turn.phase != "awaiting_views":
            given.sort(key=lambda e: (e.round, [*called].index(e.by)))
            issues = (f"{number}. {said}" for number, said in enumerate(s.issues, 1))
            foreign |= {"speeches": "\n\n".join(map(_spell, given)), "issues": "\n".join(issues)}
        persona = s.personas[s.members.index(by) % len(s.personas)] if s.personas else ""
        blind = {key: reader.blind(said) for key, said in foreign.items()}
        return shown | blind | {"persona": persona}


def _spell(e: Entry) -> str:
    """Return a speech with its id, unless it is made of entries that begin with their own."""
    said = e.texts.get("Speech", "")
    if re.match(r"\[[a-z][a-z0-9-]*_[0-9]{3}", said):
        return said
    return "\n".join([f"[{e.id}]", f"Title: {e.title}", *(f"{k}: {v}" for k, v in e.texts.items())])
