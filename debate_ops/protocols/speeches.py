"""Speeches in any order by two or more, and at the end a verdict if one is wanted.

Every speech is a step of its own, and everybody reads all that was said before. A debate that took
place elsewhere is imported into this protocol, because it asks nothing of a speech but its text.

A panel is such a debate: several read a whole debate once, blind, half of them in the other order,
and say what they think before and after. Speakers are letters to a member; `favours` has the name
behind the letter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core import values
from debate_ops.core.protocol import Script
from debate_ops.core.replies import Item, Optional, Reply, Said, text
from debate_ops.core.settings import Common, Name, Part, Whole, split_people, wrong
from debate_ops.core.texts import is_blank, one_line, trimmed
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Task, Turn
from debate_ops.protocols.blinding import blind_text, even_percent, label_answers, show_panel
from debate_ops.protocols.shared import Citation, InTurn, record_citations

JUDGE, MEMBER = "judge", "member"
NOBODY, EVEN = "nobody", "even"
"""What a verdict names where none has the better of it; and what is said of such an issue."""
NO_POSITION = "no position given"
NEW_ROUND = "/"
"""Between two names of an order: the second one speaks in the next round."""
MOST_SPEAKERS, MOST_SPEECHES, MOST_LINES = 50, 1000, 100


class Speaker(Part):
    """One who speaks, or an answer: a name, its position, and its name as it stood elsewhere."""

    name: Name
    position: Annotated[str, AfterValidator(trimmed)] = ""
    called: str = Field("", exclude_if=lambda called: not called)

    @property
    def described(self) -> str:
        """The name, and how it stood elsewhere."""
        return f"{self.name} ({self.called})" if self.called else self.name


def _check_speakers(speakers: tuple[Speaker, ...]) -> tuple[Speaker, ...]:
    if not 2 <= len(speakers) <= MOST_SPEAKERS:  # noqa: PLR2004  (a debate is between two)
        raise wrong(f"has {len(speakers)}, expected 2 to {MOST_SPEAKERS}")
    if any(each.name == NOBODY for each in speakers):
        raise wrong(f"names {NOBODY}, which is reserved")
    return speakers


def _read_order(value: Any) -> Any:
    if not isinstance(value, str | list | tuple):
        return value
    words = value.split(",") if isinstance(value, str) and value.strip() else value or ()
    words = [word.strip() if isinstance(word, str) else word for word in words]
    if (number := sum(word != NEW_ROUND for word in words)) > MOST_SPEECHES:
        raise wrong(f"has {number} speeches, expected at most {MOST_SPEECHES}")
    return words


def _check_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    if any(is_blank(line) for line in lines):
        raise wrong("has a blank text")
    return tuple(trimmed(line) for line in lines)


Speakers = Annotated[
    tuple[Speaker, ...], BeforeValidator(lambda value: split_people(value or (), "position"))
]
Lines = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda value: [value] if isinstance(value, str) and value else value or ()),
    Field(max_length=MOST_LINES),
    AfterValidator(_check_lines),
]


class Settings(Common):
    """The options of a debate in speeches."""

    IDLE = {"word_limits": ("word_limit", 0)} | dict.fromkeys(
        ("question", "choices", "issues", "personas"), ("panel", 0)
    )

    participants: Annotated[Speakers, AfterValidator(_check_speakers)]
    """who speaks: names with what each speaks for (ann:yes,ben:no), or objects with name and
    position"""
    order: Annotated[tuple[str, ...], BeforeValidator(_read_order)] = ()
    """who gives which speech, as names in their order (ann,ben,ann), with / where a round ends that
    would go on; empty: everybody in turn"""
    rounds: Annotated[Whole, Field(ge=1, le=20)] = 2
    """how often everybody speaks, where no order is given"""
    judge: Literal["none", "one"] = "none"
    """whether a judge decides at the end"""
    question: Annotated[str, Field(max_length=200_000), AfterValidator(trimmed)] = ""
    """what a panel decides, its first line in short; empty: which side is right"""
    choices: Annotated[Speakers, AfterValidator(lambda v: _check_speakers(v) if v else v)] = ()
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
        """Yield strangers in the order, and a judge beside a panel."""
        if strangers := sorted({*self.order} - {NEW_ROUND, *self.positions}):
            yield f"order names {', '.join(strangers)}, who is no participant"
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


class Speech(Reply):
    """What one participant says in its turn, and which earlier speeches it is about."""

    title: Optional = text(words=12, default="")
    """What the speech says, in a few words; empty if it has no title."""
    text: Said = text("Speech", words="word_limit")
    """The whole speech, in paragraphs."""
    attacks: list[Said] = []
    """The ids of earlier speeches that this one speaks against."""
    supports: list[Said] = []
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

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        """Return the speech, with no title where it had none."""
        (said,) = entries
        attacks, supports = (
            [link["target_id"] for link in said.data.get(key, ())] for key in ("attacks", "defends")
        )
        title = said.data["title"] if said.data["title"] != f"Speech of {said.by}" else ""
        return cls.from_entry(said, title=title, attacks=attacks, supports=supports)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield links to no speech."""
        for key in ("attacks", "supports"):
            yield from _check_ids(key, getattr(self, key), {e.id for e in d.find("speech")})


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
        if kind == "verdict":
            is_none = self.winner == NOBODY
            title = "No verdict for anybody" if is_none else f"Verdict for {self.winner}"
            data["judges"] = [e.id for e in d.find("speech")]
        else:
            answers = {said: name for name, said in label_answers(d.settings, by).items()}
            data["favours"] = answers.get(self.winner, NOBODY)
            title = f"For {data['favours']}"
        if isinstance(self, Ballot):
            data["issues"] = [issue.model_dump() for issue in self.issues]
            data |= {"moved_by": self.moved_by, "steering": self.steering or None}
        data = {"title": title, **data}
        yield Entry(by, turn.round, kind, data, {"Reasons": self.reasons}, values.JUDGMENTS)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        """Yield a winner who is no answer, and less than chance gives."""
        is_verdict = turn.template(by) == "verdict"
        known = d.settings.positions if is_verdict else label_answers(d.settings, by).values()
        yield from _check_winner("winner", self.winner, [*known, NOBODY])
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
            yield from _check_winner(f"issues.{place}.better", item.better, known)
        numbers = list(range(1, len(d.settings.issues) + 1))
        if sorted(item.issue for item in self.issues) != numbers:
            expected = ", ".join(map(str, numbers)) or "an empty list"
            yield Fault("issues", f"each issue that is set is decided once, expected {expected}")
        spoken = d.find("speech")
        said = {i for e in spoken for i in re.findall(r"\[([^\]\s]+)\]", e.texts.get("Speech", ""))}
        said |= {e.id for e in spoken}
        said |= {blind_text(an_id, d.settings, by) for an_id in said}
        yield from _check_ids("moved_by", self.moved_by, said)
        yield from _check_ids("steering", self.steering, said)


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
        turns = list(self.list_turns(d.settings))
        yield from turns
        yield Done(turns[-1].round, "completed", f"every speech is given{_explain_end(d)}")

    def name_turn(self, turn: Turn, by: str) -> str:
        """Return what readers call what somebody gives in a turn, as in `speech of ann`."""
        kind = turn.tasks[0].template
        if kind == "verdict":
            return kind
        return f"{kind} of {by}" + (f" in round {turn.round}" if kind == "speech" else "")

    # What each participant is shown.

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return the speeches so far; to a member of the panel as it is to read them."""
        s = d.settings
        if by in s.members:
            return show_panel(d, turn, by)
        lines = (f"{each.described}: {each.position or NO_POSITION}" for each in s.participants)
        return {
            "positions": "\n".join(lines),
            "statements": [e.id for e in d.find("speech")],
            "absence_note": self.note_missing(d, {"speech"}),
            "speeches_left": sum(name == by for _, name in [*s.list_speeches()][d.step + 1 :]),
            "even": even_percent(len(s.positions)),
        }


def _explain_end(d: Debate) -> str:
    if members := d.settings.panel:
        return f"; {len(d.find('ballot'))} of {members} members of the panel cast a ballot"
    if d.settings.judge != "one":
        return ""
    winners = [e.data["winner"] for e in d.find("verdict")]
    return f"; the judge decides for {winners[0]}" if winners else "; the judge gave no verdict"


def _check_winner(where: str, said: str, known: Collection[str]) -> Faults:
    if said not in known:
        *others, last = known
        expected = f"{', '.join(others)} or {last}"
        yield Fault(where, f"is {one_line(said, 60)}, which is no answer, expected {expected}")


def _check_ids(key: str, ids: list[str], known: Collection[str]) -> Faults:
    for place, an_id in enumerate(ids):
        if an_id not in known:
            yield Fault(f"{key}.{place}", f"{one_line(an_id, 60)} is nothing that was said before")
