"""What a debate comes to, for readers: its answer, how sure that is, and why.

Each protocol has a module here that makes a `Verdict` of a position, or shares one (`_MODULES`);
templates show it. What stands in the fields of a verdict is plain text unless it is `Markup`: then
it is Markdown of ours, whose links lead to `ref:ID` and whose charts are `chart:NAME`, put right
for each page by `markdown`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from importlib import import_module
from typing import Any, NamedTuple

from markupsafe import Markup

from debate_ops.analysis.evidence import list_remarks
from debate_ops.analysis.flow import Attack, State
from debate_ops.analysis.usage import made_by
from debate_ops.core.protocol import CANCELLED, Replayed
from debate_ops.core.values import PERSON, Done, Entry, Turn, Waiting
from debate_ops.protocols.shared import STANCES
from debate_ops.report.charts import Chart, Picture
from debate_ops.report.provenance import describe_makers
from debate_ops.report.words import capitalise, count, shorten


class Level(IntEnum):
    """How sure an answer is, the least first."""

    NOT_FINISHED = -2
    NOT_JUDGED = -1
    TOO_CLOSE = 0
    LOW = 1
    MODERATE = 2
    HIGH = 3

    @property
    def words(self) -> str:
        """The level for readers."""
        return (
            "too close to call" if self is Level.TOO_CLOSE else self.name.lower().replace("_", " ")
        )


class Reason(NamedTuple):
    """A fact of the record, as a sentence, and the highest level that it leaves possible.

    One that says that somebody judged alone, once, or is still to, or nobody did, `is_alone`: a
    panel that is decisive lifts it. One that `raises` trust stands behind those that lower it.
    """

    text: str
    at_most: Level = Level.HIGH
    is_alone: bool = False
    raises: bool = False

    @property
    def sentence(self) -> str:
        """It as a sentence of its own."""
        said = capitalise(self.text.strip())
        return said if said.endswith((".", "!", "?", "…")) else f"{said}."


RULE = (
    "Sureness begins at *high*, and each reason in the list may lower it; the lowest counts. "
    "*Not finished*: the debate is not over, and nothing decides it so far. "
    "*Not judged*: no judge, vote or panel decided. "
    "*Too close to call*: the lead is at most the judge's smallest step, the judge or the vote "
    "found for nobody, the side that is ahead ended the debate by staying away, a panel is not "
    "decisive, or most who judged again find for the other side. "
    "*Low*: the debate is not over and leans one way, without one score the other side would be "
    "ahead, the side that is ahead was absent once, arguments were left unscored, the judge's own "
    "confidence is below 50 (60 of a debate in speeches), a major requirement is not met, a panel "
    "is not decisive about a design, one who judged again does not find the same, one agent "
    "decided where no vote did, or a group agreed without a majority, without a new argument, or "
    "with changes of mind that name nothing new. "
    "*Moderate*: one judge or group alone decided, the other side was absent, attacks came too "
    "late for a reply, critiques are not resolved, or nobody checked the facts. "
    "Where the memo advises another choice than the debate came out for, that stands in its place."
)
"""Printed on the page, and in the docs to the letter; `Verdict.level` does what it says."""


class Flow(NamedTuple):
    """What became of all `attacks` or `critiques`, and the rule that says what the words mean."""

    what: str
    rows: tuple[Attack, ...]
    rule: str

    @property
    def tally(self) -> str:
        """How many there are, and how many came to what."""
        words = Counter(r.word for r in self.rows), Counter(r.found for r in self.rows if r.effect)
        answers, found = (", ".join(f"{n} {word}" for word, n in each.items()) for each in words)
        judged = f"; by the judge: {found}" if found else ""
        return f"{count(len(self.rows), self.what[:-1])}: {answers or 'none'}{judged}"

    @property
    def tags(self) -> dict[str, tuple[str, ...]]:
        """The tags of each critique: how grave its gravest point is, and what came of that."""
        by_gravity = sorted(self.rows, key=lambda row: row.on, reverse=True)  # minor to blocking
        return {row.entry: (row.on.partition(",")[0], row.word) for row in by_gravity}


class Section(NamedTuple):
    """A section of the page: a sentence, a chart or picture by its name, and a table.

    The table is folded below the words of `fold`, if there are any.
    """

    title: str
    text: str = ""
    chart: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    fold: str = ""


class Question(NamedTuple):
    """What a panel is asked: `choices` are answers by name, `voices` those whose words it reads.

    `judged` is whom the debate itself favours: empty for nobody, None where nobody judged.
    `also_heard` are ids of what is no argument and is read all the same. Without `views` members
    are not asked before they read.
    """

    choices: Mapping[str, str]
    voices: Mapping[str, str]
    text: str = ""
    issues: tuple[str, ...] = ()
    judged: str | None = None
    also_heard: tuple[str, ...] = ()
    views: bool = True


@dataclass(frozen=True)
class Verdict:
    """What a debate comes to.

    `kind` says what sort of debate it is and how long, `answer` the outcome by the rules.
    `favoured` is one of `choices`, empty where none is; `sides` are the two who have colours, in
    order. `finding` is what its `decider` says, whatever a panel does. `reasons` say how sure it
    is; where `is_sought` is false nobody is to win. `outcome` is the result in full, under
    `outcome_title`; `reached` tells whether there is one. `tags` are words about an entry, by its
    id. `pictures` are drawn where they are shown.
    """

    kind: str
    answer: str
    reasons: tuple[Reason, ...] = ()
    decider: str = "judge"
    finding: str = ""
    favoured: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    sides: tuple[str, ...] = ()
    lead: Any = None
    charts: tuple[Chart, ...] = ()
    pictures: Mapping[str, Callable[[], Picture]] = field(default_factory=dict)
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    outcome_title: str = ""
    outcome: Markup = field(default_factory=Markup)
    reached: bool = False
    is_sought: bool = True
    question: Question | None = None
    stops_at: str = ""
    sections: tuple[Section, ...] = ()
    flow: Flow | None = None

    def name_author(self, e: Entry) -> str:
        """Return whose an entry is, for readers; of what a person did, the person's name too."""
        name, by = self.names.get(e.by, e.by), str(e.data.get("by") or "")
        return f"{name} ({by})" if e.by == PERSON and by not in {"", name} else name

    @property
    def level(self) -> Level:
        """How sure the answer is, by `RULE`."""
        return min((reason.at_most for reason in self.reasons), default=Level.HIGH)

    @property
    def sureness(self) -> str:
        """How sure the answer is, in a word or three."""
        return self.level.words if self.is_sought else "no verdict is sought"

    @property
    def ordered_reasons(self) -> list[Reason]:
        """The reasons, those first that limit the answer most, last those that raise trust."""
        return sorted(self.reasons, key=lambda reason: (reason.raises, reason.at_most))


_MODULES = dict.fromkeys(("chairs", "formal", "speeches"), "spoken")
"""Where the verdict of a protocol is made, if not in a module of its name."""


def find_verdict(at: Replayed, *, until: int | None = None) -> Verdict:
    """Return what a debate comes to by its own rules, whatever a panel says.

    `until` is the exchange that was asked for, where that is known.
    """
    name = _MODULES.get(at.protocol.name, at.protocol.name)
    module = import_module(f"debate_ops.report.{name}")
    verdict: Verdict = module.make_verdict(at, stops_at := _find_stop(at, until))
    reasons = verdict.reasons
    if stops_at and verdict.is_sought:
        most = Level.NOT_FINISHED if verdict.level <= Level.TOO_CLOSE else Level.LOW
        lacks_judge = at.place.phase in {"awaiting_verdict", "awaiting_ballot"}  # and nothing else
        reasons = (Reason("The debate is not over", most, is_alone=lacks_judge), *reasons)
    found = verdict.choices.get(verdict.favoured)
    finding = name_decision(found) if found else verdict.answer
    return replace(verdict, reasons=reasons, stops_at=stops_at, finding=finding)


IS_MET = ("that the solution does what was asked", "that the solution does not do what was asked")
"""What a panel may decide of a design."""


def name_decision(choice: str) -> str:
    """Return a choice as what somebody decides who decides for it; words of others are quoted."""
    return choice if choice in {*STANCES, *IS_MET} else f"for “{shorten(choice, 60)}”"


def _find_stop(at: Replayed, until: int | None) -> str:
    """Return where a debate stops as long as anything is due; empty where it is over."""
    place = at.place
    if isinstance(place, Done) or (
        isinstance(place, Turn)
        and at.protocol.last_exchange(at.debate.settings) is None
        and place.phase == "awaiting_arguments"
        and place.round >= (1 if until is None else until)
    ):
        return ""
    where = f"it stops here: {at.protocol.describe_place(place.round, place.phase)}"
    return f"{where}; it waits for a person" if isinstance(place, Waiting) else where


class View:
    """A debate as its readers look at it, with what several protocols say."""

    def __init__(self, at: Replayed) -> None:
        self.at, self.d = at, at.debate
        self.exchanges = max((e.round for e in self.d.entries.values()), default=0)

    def judge_alone(self, what: str, by: str | None = None) -> Reason:
        """Return that somebody alone judged, once, and who it was."""
        own = [made_by(e) for e in self.d.entries.values() if e.by == (by or what)]
        makers = describe_makers(own)
        return Reason(f"One {what}, one run ({makers})", Level.MODERATE, is_alone=True)

    def note_unchecked(self, what: str) -> Reason:
        """Return that nobody checked the facts, and which quotations the program compared."""
        remarks = (r.is_good for e in self.d.entries.values() for r in list_remarks(self.d, e))
        if known := [is_good for is_good in remarks if is_good is not None]:
            good = f"{sum(known)} of {count(len(known), 'quotation')}"
            rest = f"nobody checked whether those are right, or what else the {what} rest on"
            text = f"{good} stand word for word in their sources; {rest}"
        else:
            text = f"Nobody checked the facts that the {what} rest on"
        return Reason(text, Level.MODERATE)

    @property
    def cancellation(self) -> str:
        """By whom it was cancelled and why; empty where it was not."""
        acts = self.d.find("cancellation") if self.at.place.phase == CANCELLED else ()
        return "".join(
            f"It was cancelled by {e.data.get('by', '')}: {e.data.get('reason', '')}"
            for e in acts[-1:]
        )

    def name_participants(
        self, called: Mapping[str, str], roles: Mapping[str, str] = {}
    ) -> dict[str, str]:
        """Return what readers call each participant: by name, and a role that says more."""
        kinds = self.at.protocol.participants(self.d.settings)
        names = {n: called.get(n, n) for n in (*kinds, PERSON)} | dict(called)
        telling = {n: role for n, role in roles.items() if role not in {"", "member", n, names[n]}}
        return names | {n: f"{names[n]} ({role})" for n, role in telling.items()}

    def follow_critiques(self, critiques: Iterable[Attack]) -> Flow:
        """Return the critiques of a debate, each with its state by `CRITIQUE_RULE`.

        The turn to answer is the next one: it is over once anything but an act of a person came on
        record later.
        """
        entries = self.d.entries
        last = max((e.step for e in entries.values()), default=0)
        last_turn = max((e.step for e in entries.values() if e.by != PERSON), default=0)

        def find_state(critique: Attack) -> State:
            if critique.outcome:
                return State.ANSWERED
            step = entries[critique.entry].step
            if step < last_turn:
                return State.DROPPED
            return State.NO_TURN if step < last else State.OPEN

        rows = tuple(each._replace(state=find_state(each)) for each in critiques)
        return Flow("critiques", rows, CRITIQUE_RULE)


CRITIQUE_RULE = (
    "A critique is answered if the author of what it is about says something to it, dropped if its "
    "turn to do so is over, and open as long as that turn is still to come; it came too late if "
    "the debate ended before. An answer is not thereby right, nor is a critique that was dropped."
)
