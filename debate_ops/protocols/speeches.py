"""Speeches in any order by two or more, and at the end a verdict if one is wanted.

Every speech is a step of its own, and everybody reads all that was said before. A debate that took
place elsewhere is imported into this protocol, because it asks nothing of a speech but its text.

A panel is such a debate: several read a whole debate once, blind, half of them in the other order,
and say what they think before and after. Speakers are letters to a member; `favours` has the name
behind the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core import values
from debate_ops.core.protocol import Script
from debate_ops.core.replies import Item, Optional, Reply, Said, text
from debate_ops.core.settings import Common, Name, Part, Whole, split_people
from debate_ops.core.texts import trimmed
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Task, Turn
from debate_ops.protocols.blinding import blind_text, even_percent, label_answers, show_panel
from debate_ops.protocols.shared import Citation, InTurn, find_naming_faults, record_citations

JUDGE, MEMBER = "judge", "member"
NOBODY, EVEN = "nobody", "even"
"""What a verdict names where none has the better of it; and what is said of such an issue."""
NEW_ROUND = "/"
"""Between two names of an order: the second one speaks in the next round."""


class Speaker(Part):
    """One who speaks, or an answer: a name, its position, and its name as it stood elsewhere."""

    name: Name
    position: Annotated[str, AfterValidator(trimmed)] = ""
    called: str = Field("", exclude_if=lambda called: not called)

    @property
    def described(self) -> str:
        """The name, and how it stood elsewhere."""
        return f"{self.name} ({self.called})" if self.called else self.name


def _split(value: Any) -> Any:
    """Return words as a list: from a line with commas, too."""
    if not isinstance(value, str):
        return value
    return [word.strip() for word in value.split(",") if word.strip()]


def _read_link(value: Any) -> Any:
    """Return the id of a speech: from a link as it stands on record, too."""
    return value.get("target_id", value) if isinstance(value, Mapping) else value


Speakers = Annotated[
    tuple[Speaker, ...],
    BeforeValidator(lambda value: split_people(value or (), "position")),
    Field(max_length=50),
]
Lines = Annotated[
    tuple[Annotated[Said, AfterValidator(trimmed)], ...],
    BeforeValidator(lambda value: [value] if isinstance(value, str) and value else value or ()),
    Field(max_length=100),
]


class Settings(Common):
    """The options of a debate in speeches."""

    IDLE = {"word_limits": ("word_limit", 0)} | dict.fromkeys(
        ("question", "choices", "issues", "personas"), ("panel", 0)
    )

    participants: Annotated[Speakers, Field(min_length=2)]
    """who speaks: names with what each speaks for (ann:yes,ben:no), or objects with name and
    position"""
    order: Annotated[tuple[str, ...], BeforeValidator(_split), Field(max_length=1000)] = ()
    """who gives which speech, as names in their order (ann,ben,ann), with / where a round ends that
    would go on; empty: everybody in turn"""
    rounds: Annotated[Whole, Field(ge=1, le=20)] = 2
    """how often everybody speaks, where no order is given"""
    judge: Literal["none", "one"] = "none"
    """whether a judge decides at the end"""
    question: Annotated[str, Field(max_length=200_000), AfterValidator(trimmed)] = ""
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
        """Yield names that cannot be, a single choice, and a judge beside a panel."""
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
        """The members of the panel, if there is one."""
        return tuple(f"{MEMBER}-{number}" for number in range(1, self.panel + 1))

    def list_speeches(self) -> Iterator[tuple[int, str]]:
        """Yield the round and the speaker of each speech: nobody speaks twice in a round."""
        order = self.order or chain.from_iterable(repeat(tuple(self.positions), self.rounds))
        number, spoken = 1, set[str]()
        for name in order:
            if name in spoken or name == NEW_ROUND:
                number, spoken = number + 1, set()
            if name != NEW_ROUND:
                spoken.add(name)
                yield number, name


# Replies.


Ids = Annotated[list[Said], Field(max_length=12)]
Links = list[Annotated[Said, BeforeValidator(_read_link)]]


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
        """Yield the speech with its links."""
        citations, sources = record_citations(self.citations)
        data = {
            "title": self.title or f"Speech of {by}",
            "words": len(self.text.split()),
            "attacks": [{"target_id": i, "type": "attack"} for i in self.attacks],
            "defends": [{"target_id": i, "type": "support"} for i in self.supports],
            "citations": citations,
        }
        yield Entry(by, turn.round, "speech", data, {"Speech": self.text, "Sources": sources})

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield links to no speech."""
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
        """Yield the decision with whom it is for, and what a ballot says beside it."""
        kind, data = turn.template(by), {"winner": self.winner, "percent": self.percent}
        answers = {said: name for name, said in label_answers(d.settings, by).items()}
        favours = answers.get(self.winner, NOBODY)
        title = f"For {favours}"
        if kind == "verdict":
            title = "No verdict for anybody" if favours == NOBODY else f"Verdict for {favours}"
            data["judges"] = [e.id for e in d.find("speech")]
        else:
            data["favours"] = favours
        if isinstance(self, Ballot):
            data["issues"] = [issue.model_dump() for issue in self.issues]
            data |= {"moved_by": self.moved_by, "steering": self.steering or None}
        data = {"title": title, **data}
        yield Entry(by, turn.round, kind, data, {"Reasons": self.reasons}, values.JUDGMENTS)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield a winner who is no answer, and less than chance gives."""
        known = label_answers(d.settings, by).values()
        yield from find_naming_faults("winner", [self.winner], [*known, NOBODY])
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
    moved_by: Ids = []
    """The ids, as read, of the speeches or arguments that moved the member most."""
    steering: Ids = []
    """The ids, as read, of what tries to steer the judges instead of arguing."""

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield issues that are left undecided, and ids of nothing that was said, too."""
        yield from super().find_faults(d, turn, by)
        known = [*label_answers(d.settings, by).values(), EVEN]
        for place, item in enumerate(self.issues):
            yield from find_naming_faults(f"issues.{place}.better", [item.better], known)
        numbers, decided = range(1, len(d.settings.issues) + 1), (i.issue for i in self.issues)
        yield from find_naming_faults("issues.{}.issue", decided, numbers, needs_all=True)
        said = {e.id: e.texts.get("Speech", "") for e in d.find("speech")}
        quoted = (an_id for text in said.values() for an_id in re.findall(r"\[([^\]\s]+)\]", text))
        ids = (blind_text(an_id, d.settings, by) for an_id in (*said, *quoted))
        as_read = [*dict.fromkeys(ids)]
        yield from find_naming_faults("moved_by.{}", self.moved_by, as_read, most=0)
        yield from find_naming_faults("steering.{}", self.steering, as_read, most=0)


# Rules.


class Speeches(InTurn):
    """The rules of `speeches`."""

    name = "speeches"
    Settings = Settings
    replies = {"speech": Speech, "verdict": Verdict, "view": Verdict, "ballot": Ballot}
    acts = {}
    may_shorten = frozenset({"statements"})
    filed = {kind: f"{kind}_filed" for kind in replies}

    def participants(self, settings: Any) -> Mapping[str, str]:
        """Return who speaks, and who decides: a judge, or the members of a panel."""
        judge = {JUDGE: "judge"} if settings.judge == "one" else {}
        members = dict.fromkeys(settings.members, "judge")
        return dict.fromkeys(settings.positions, "debater") | judge | members

    def list_turns(self, s: Any) -> Iterator[Turn]:
        """Yield every turn of a debate: speeches, and a verdict or the panel's two."""
        last = 1
        for last, name in s.list_speeches():
            yield Turn(last, "awaiting_speeches", (Task(name, "speech", values.STOP),))
        if s.judge == "one":
            yield Turn(last + 1, "awaiting_verdict", (Task(JUDGE, "verdict", values.STOP),))
        kinds = () if not s.panel else ("view", "ballot") if s.views == "on" else ("ballot",)
        for number, kind in enumerate(kinds, last + 1):
            tasks = tuple(Task(member, kind) for member in s.members)
            yield Turn(number, f"awaiting_{kind}s", tasks)

    def script(self, d: Debate) -> Script:
        """Tell the course of a debate: each turn once, whoever is absent."""
        s, turns, why = d.settings, [*self.list_turns(d.settings)], "every speech is given"
        yield from turns
        if s.panel:
            why += f"; {len(d.find('ballot'))} of {s.panel} members of the panel cast a ballot"
        elif s.judge == "one":
            winners = [e.data["winner"] for e in d.find("verdict")]
            why += f"; the judge decides for {winners[0]}" if winners else "; there is no verdict"
        yield Done(turns[-1].round, "completed", why)

    def name_turn(self, turn: Turn, by: str) -> str:
        """Return what readers call a speech, as in `speech of ann in round 1`."""
        return f"speech of {by} in round {turn.round}"

    # What each participant is shown.

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return the speeches so far; to a member of the panel as it is to read them."""
        s = d.settings
        if by in s.members:
            return show_panel(d, turn, by)
        lines = (
            f"{each.described}: {each.position or 'no position given'}" for each in s.participants
        )
        return {
            "positions": "\n".join(lines),
            "statements": [e.id for e in d.find("speech")],
            "absence_note": self.note_missing(d, {"speech"}),
            "speeches_left": sum(name == by for _, name in [*s.list_speeches()][d.step + 1 :]),
            "even": even_percent(len(s.positions)),
        }
