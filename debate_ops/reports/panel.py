"""What a panel comes to: leans before and after, agreement, order, dissent, and its verdict."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution
from debate_ops.protocols.speeches.rules import BALLOT, VIEW
from debate_ops.protocols.speeches.settings import NAME, NOBODY, answers_of, choices_of, members_of
from debate_ops.reports import sureness
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import joined, shorten
from debate_ops.reports.view import Question, View

PANEL = "panel"
"""The protocol's setting, the folder inside of a debate, and the key of the section."""
TWO = 2
_NAME = 60


class Member(NamedTuple):
    """A member of the panel: the first of its sides, its view before it read, and its ballot."""

    name: str
    first: str
    view: Contribution | None
    ballot: Contribution

    @property
    def favours(self) -> str:
        """The name that its ballot is for, or `nobody`."""
        return str(self.ballot.data["favours"])


class Panel(NamedTuple):
    """The ballots of a panel.

    `choices` are the answers in the order of the debate, by name, and `words` how many words each
    of those who spoke said.
    """

    choices: Mapping[str, str]
    asked: int
    members: tuple[Member, ...]
    settings: Mapping[str, Any]
    words: Mapping[str, int] = {}

    @property
    def is_one(self) -> bool:
        """Tell whether there are enough ballots: with most members absent it is no panel."""
        return 2 * len(self.members) > self.asked

    def shares(self, name: str, *, before: bool = False) -> list[float]:
        """Return how likely each member holds one of the sides to be right, in [0, 1].

        What a member leaves for the other sides is theirs in equal parts.
        """
        said = [member.view if before else member.ballot for member in self.members]
        return [probability(entry, name, len(self.choices)) for entry in said if entry]

    def mean(self, name: str, *, before: bool = False) -> float:
        """Return how likely members hold a choice to be right, on average."""
        return statistics.mean(self.shares(name, before=before))

    def named(self, name: str) -> str:
        """Return a choice in short, between quotation marks; what is none as it stands."""
        short = self.choices.get(name)
        return (
            f"\N{LEFT DOUBLE QUOTATION MARK}{shorten(short, _NAME)}\N{RIGHT DOUBLE QUOTATION MARK}"
            if short
            else name
        )

    def for_(self, name: str) -> str:
        """Return what somebody decides who decides for a choice."""
        short = self.choices.get(name, "")
        is_said = short.startswith(("for ", "against "))
        return shorten(short, _NAME) if is_said else f"for {self.named(name)}"

    @property
    def votes(self) -> Counter[str]:
        """How many ballots are for whom."""
        return Counter(member.favours for member in self.members)

    @property
    def favours(self) -> str:
        """Whom more than half of all ballots are for; empty where there is no such side."""
        ((name, number),) = self.votes.most_common(1)
        return name if name != NOBODY and 2 * number > len(self.members) else ""

    @property
    def flips(self) -> bool:
        """Tell whether those who read the sides in one order decide otherwise than the others."""
        by_order = {
            first: {m.favours for m in self.members if m.first == first}
            for first in {m.first for m in self.members}
        }
        one_for_each = [next(iter(names)) for names in by_order.values() if len(names) == 1]
        return len(one_for_each) == len(by_order) > 1 and len(set(one_for_each)) > 1

    @property
    def is_even(self) -> bool:
        """Tell whether the mean lies within the spread of the members around even."""
        first = next(iter(self.choices))
        shares = self.shares(self.favours or first)
        spread = statistics.stdev(shares) if len(shares) > 1 else 0.0
        return statistics.mean(shares) - 1 / len(self.choices) <= spread

    def doubts(self, sitting: str | None) -> Iterator[str]:
        """Yield why this is not decisive; `sitting` is whom the debate's own judge favours.

        It is None where nobody else judged, and empty where that judge favours nobody.
        """
        if not self.is_one:
            yield f"only {len(self.members)} of {self.asked} members replied"
            return
        if not self.favours:
            yield "the panel has no majority"
        elif sitting is not None and sitting != self.favours:
            yield f"the judge of the debate decides {self.for_(sitting or NOBODY)}"
        if self.flips:
            yield "the decision goes with the order in which members read the sides"
        if self.favours and self.is_even:
            yield "their mean is no further from even than they are from each other"

    def verdict(self, sitting: str | None) -> str:
        """Return in a sentence what the panel comes to; `sitting` as for `doubts`."""
        votes = f"{self.votes[self.favours]} of {self.asked} members of a blind panel decide "
        votes = f"{votes}{self.for_(self.favours)}" if self.favours and self.is_one else ""
        if doubts := joined(list(self.doubts(sitting))):
            return f"Not decisive: {votes}, but {doubts}" if votes else f"Not decisive: {doubts}"
        return f"Decisive: {votes}{', and so does the judge of the debate' if sitting else ''}"

    def decided(self, member: Member) -> dict[int, str]:
        """Return by its number what a member says of each issue; empty where it is even."""
        names = {said: name for name, said in answers_of(self.settings, member.name).items()}
        return {i["issue"]: names.get(i["better"], "") for i in member.ballot.data["issues"]}

    @property
    def alpha(self) -> tuple[float, int] | None:
        """Krippendorff's alpha of the ballots on the issues, and how many issues there are.

        Interval data, 1 for one of two sides, -1 for the other, 0 for even; None where it is not
        defined: without issues, with one ballot, or where all say the same of every issue.
        """
        names = list(self.choices)
        values = []
        for member in self.members:
            for issue, better in self.decided(member).items():
                value = 1 - 2 * names.index(better) if better else 0
                values.append((member.name, str(issue), value))
        if len(names) > TWO or len(self.members) < TWO or len({v for *_, v in values}) < TWO:
            return None
        return _alpha(values), len({issue for _, issue, _ in values})


def _alpha(values: list[tuple[str, str, int]]) -> float:
    """Return alpha for interval data (Krippendorff, Content Analysis, 2004, chapter 11)."""
    units: dict[str, list[int]] = {}
    for _, unit, value in values:
        units.setdefault(unit, []).append(value)
    pairable = [unit for unit in units.values() if len(unit) > 1]
    every = [value for unit in pairable for value in unit]
    observed = sum(_distances(unit) / (len(unit) - 1) for unit in pairable) / len(every)
    return 1 - observed * len(every) * (len(every) - 1) / _distances(every)


def _distances(values: list[int]) -> int:
    return sum((one - other) ** 2 for one in values for other in values)


def probability(entry: Contribution, name: str, sides: int) -> float:
    """Return how likely a view, ballot or verdict holds a side to be right, in [0, 1]."""
    favours = str(entry.data.get("favours") or entry.data.get("winner"))
    if favours == NOBODY:
        return 1 / sides
    share = float(entry.data["percent"]) / 100
    return share if favours == name else (1 - share) / (sides - 1)


def of(debate: Debate) -> Panel | None:
    """Return the panel of a debate in speeches; None where no member has replied yet."""
    said: dict[tuple[str, str], Contribution] = {}
    words: Counter[str] = Counter()
    for speech in filter(None, map(debate.record.get, debate.record.ids(ARGUMENTS))):
        words[speech.participant] += int(speech.header.get("words") or 0)
    for entry_id in debate.record.ids(JUDGMENTS):
        entry = debate.record.get(entry_id)
        value = entries.parse(entry) if entry else None
        if entry and value and value.kind in {VIEW, BALLOT}:
            said[entry.participant, value.kind] = value
    settings, names = debate.settings, members_of(debate.settings)
    members = tuple(
        Member(name, next(iter(answers_of(settings, name))), said.get((name, VIEW)), ballot)
        for name in names
        if (ballot := said.get((name, BALLOT)))
    )
    choices = {n: text.partition("\n")[0] or n for n, text in choices_of(settings).items()}
    return Panel(choices, len(names), members, settings, words) if members else None


def is_own(debate: Debate) -> bool:
    """Tell whether a debate's panel is a part of it, and not held in a folder inside of it."""
    return debate.protocol == NAME and bool(debate.settings.get(PANEL))


def question(view: View) -> Question:
    """Return what a panel is asked of a debate: which of its choices is right, if nothing else."""
    if view.question:
        return view.question
    judged = view.favoured if view.answer.is_reached else None
    return Question(view.choices, view.choices, judged=judged)


def applied(view: View, panel: Panel | None) -> View:
    """Return a debate as readers see it once a panel has read it, or none has.

    Where the panel is not decisive, no choice is favoured.
    """
    sitting = question(view).judged
    if view.sureness is None:
        return view
    old = view.sureness.reasons
    if panel is None:
        is_high = view.sureness.level == Level.HIGH
        reasons = (*old, Reason("No panel has read it", Level.MODERATE)) if is_high else old
        return view._replace(sureness=sureness.of(reasons))
    doubts = any(panel.doubts(sitting))
    most = Level.HIGH
    if doubts:
        close = Level.TOO_CLOSE if view.choices else Level.LOW
        most = close if panel.is_one else Level.MODERATE
    if panel.is_one:  # which judged, and what is decisive is more than one judge
        gone = Level.NOT_JUDGED if doubts else Level.HIGH
        old = tuple(r for r in old if not r.is_alone or r.at_most > gone)
    after = sureness.of((Reason(panel.verdict(sitting), most), *old))
    means = {f"panel:{name}": percent(panel.mean(name)) for name in panel.choices}
    view = view._replace(
        sureness=after, data={**view.data, **means, "panel:asked": str(panel.asked)}
    )
    if most == Level.TOO_CLOSE and view.favoured:
        text = "Not decisive: the verdict does not stand up to a panel"
        left = view.answer.if_open or view.answer
        return view._replace(favoured="", answer=left._replace(text=text))
    if after.level <= Level.TOO_CLOSE or view.favoured or panel.favours not in view.choices:
        return view
    text = f"A panel decides {panel.for_(panel.favours)}"
    answer = view.answer._replace(text=text, next_steps=(), is_reached=True)
    return view._replace(favoured=panel.favours, answer=answer)


def percent(share: float) -> str:
    """Return a share in words of a page.

    >>> percent(0.705)
    '70 %'
    """
    return f"{100 * share:.0f} %"
