"""What a panel comes to: leans before and after, agreement, order, dissent, and its verdict."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import parse_id
from debate_ops.protocols.speeches.panel import BALLOT, EVEN, VIEW, named
from debate_ops.protocols.speeches.settings import NOBODY, labels_of, members_of, positions_of
from debate_ops.reports import sureness
from debate_ops.reports.blocks import (
    Block,
    Heading,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Ref,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.items import Item
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import counted, excerpt, joined, shorten
from debate_ops.reports.view import View
from debate_ops.startup import NamedTuple

PANEL = "panel"
"""The protocol's setting, the folder inside of a debate, and the key of the section."""
TWO = 2
_DISSENT, _NAME = 700, 60


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
    """The ballots of a panel. `choices` are its sides in the order of the debate, by name."""

    choices: Mapping[str, str]
    asked: int
    members: tuple[Member, ...]
    settings: Mapping[str, Any]

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
            yield f"only {len(self.members)} of {self.asked} members of the panel replied"
            return
        if not self.favours:
            yield "the panel has no majority"
        elif sitting == "":
            yield "the panel has a majority, and the judge of the debate favours nobody"
        elif sitting is not None and sitting != self.favours:
            yield "the panel and the judge of the debate differ"
        if self.flips:
            yield "the panel's decision goes with the order in which it read the sides"
        if self.favours and self.is_even:
            yield "the panel's mean is no further from even than its members are from each other"

    @property
    def alpha(self) -> tuple[float, int] | None:
        """Krippendorff's alpha of the ballots on the issues, and how many issues there are.

        Interval data, 1 for one of two sides, -1 for the other, 0 for even; None where it is not
        defined: without issues, with one ballot, or where all say the same of every issue.
        """
        names = list(self.choices)
        values = []
        for member in self.members:
            labels = {label: name for name, label in labels_of(self.settings, member.name).items()}
            for item in member.ballot.data["issues"]:
                better = labels.get(item["better"])
                value = 0 if better is None else 1 - 2 * names.index(better)
                values.append((member.name, str(item["issue"]), value))
        if len(names) > TWO or len(self.members) < TWO or len({v for *_, v in values}) < TWO:
            return None
        return _alpha(tuple(values)), len({issue for _, issue, _ in values})


@cache
def _alpha(values: tuple[tuple[str, str, int], ...]) -> float:
    # Krippendorff, Content Analysis (2004), chapter 11. The library takes seconds to import.
    from nltk.metrics import interval_distance  # type: ignore[import-untyped]
    from nltk.metrics.agreement import AnnotationTask  # type: ignore[import-untyped]

    return float(AnnotationTask(data=list(values), distance=interval_distance).alpha())


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
    for entry_id in debate.record.ids(JUDGMENTS):
        entry = debate.record.get(entry_id)
        value = entries.parse(entry) if entry else None
        if entry and isinstance(value, Contribution) and value.kind in {VIEW, BALLOT}:
            said[entry.participant, value.kind] = value
    settings, names = debate.settings, members_of(debate.settings)
    members = tuple(
        Member(name, next(iter(labels_of(settings, name))), said.get((name, VIEW)), ballot)
        for name in names
        if (ballot := said.get((name, BALLOT)))
    )
    choices = {name: text or name for name, text in positions_of(settings).items()}
    return Panel(choices, len(names), members, settings) if members else None


def names(view: View) -> dict[str, str]:
    """Return by choice the participant that stands for it: an option's author, or a side itself."""
    return {key: parts.participant if (parts := parse_id(key)) else key for key in view.choices}


def applied(view: View, panel: Panel | None, sitting: str | None) -> View:
    """Return a debate as readers see it once a panel has read it, or none has.

    `sitting` as for `Panel.doubts`. Where the panel is not decisive, no choice is favoured.
    """
    if view.sureness is None:
        return view
    old = view.sureness.reasons
    if panel is None:
        is_high = view.sureness.level == Level.HIGH
        reasons = (*old, Reason("No panel has read it", Level.MODERATE)) if is_high else old
        return view._replace(sureness=sureness.of(reasons))
    doubts = list(panel.doubts(sitting))
    if doubts:
        most = Level.TOO_CLOSE if panel.is_one else Level.MODERATE
        added = [Reason(f"Not decisive: {doubt}", most) for doubt in doubts]
    else:
        number = f"{panel.votes[panel.favours]} of {panel.asked} members of a blind panel"
        agree = f"{number} agree with the judge" if sitting else f"{number} agree"
        added = [Reason(agree)]
        old = tuple(reason for reason in old if not reason.is_alone)
    after = sureness.of((*added, *old))
    is_open = after.level == Level.TOO_CLOSE
    answer = view.answer
    if is_open and view.favoured:
        answer = answer._replace(text="Not decisive: the verdict does not stand up to a panel")
    mean = {f"panel:{name}": percent(statistics.mean(panel.shares(name))) for name in panel.choices}
    return view._replace(
        sureness=after,
        answer=answer,
        favoured="" if is_open else view.favoured,
        data={**view.data, **mean, "panel:asked": str(panel.asked)},
    )


def percent(share: float) -> str:
    """Return a share in words of a page.

    >>> percent(0.705)
    '70 %'
    """
    return f"{100 * share:.0f} %"


def verdict(panel: Panel, sitting: str | None) -> str:
    """Return in a sentence what the panel comes to; `sitting` as for `Panel.doubts`."""
    if doubts := list(panel.doubts(sitting)):
        return f"Not decisive: {'; '.join(doubts)}."
    votes = panel.votes[panel.favours]
    return f"Decisive: {votes} of {panel.asked} decide for {_named(panel, panel.favours)}."


def _named(panel: Panel, name: str) -> str:
    """Return a side by what it is for, where that is known."""
    return shorten(panel.choices.get(name, name), _NAME)


def section(panel: Panel, sitting: str | None, items: Mapping[str, Item]) -> Section:
    """Return what the page says of a panel; `sitting` as for `Panel.doubts`.

    `items` are the entries of the debate that it read, by id.
    """
    return Section(PANEL, "What a panel says", tuple(_blocks(panel, sitting, items)))


def _blocks(panel: Panel, sitting: str | None, items: Mapping[str, Item]) -> Iterator[Block]:
    yield Paragraph(line(Strong(verdict(panel, sitting))))
    for_ = panel.favours or next(iter(panel.choices))
    shares, before = panel.shares(for_), panel.shares(for_, before=True)
    about = f"How likely members hold the side “{_named(panel, for_)}” to be right"
    mean = f"{about}: {percent(statistics.mean(shares))} on average after reading"
    spread = f", with a spread of {100 * statistics.stdev(shares):.0f} points" if shares[1:] else ""
    was = f"; {percent(statistics.mean(before))} before" if before else ""
    yield Paragraph(line(f"{mean}{spread}{was}."))
    yield Table(
        ("member", "read first", "before", "after", "decides for", "moved most by"),
        tuple(_row(panel, member, for_, items) for member in panel.members),
    )
    yield Paragraph(line(_agreement(panel)))
    if panel.settings["issues"]:
        yield Heading("Issue by issue")
        yield Table(("issue", *(m.name for m in panel.members)), tuple(_issues(panel)))
    yield from _reasons(panel)


def _row(panel: Panel, member: Member, for_: str, items: Mapping[str, Item]) -> tuple[Line, ...]:
    sides = len(panel.choices)
    before = percent(probability(member.view, for_, sides)) if member.view else "not asked"
    moved = [named(i, panel.settings, member.name) for i in member.ballot.data["moved_by"]]
    moving = [Ref(i, items[i].title) if i in items else i for i in moved]
    refs = tuple(part for each in moving for part in ("; ", each))[1:]
    return (
        line(member.name),
        line(_named(panel, member.first)),
        line(before),
        line(percent(probability(member.ballot, for_, sides))),
        line(_named(panel, member.favours)),
        refs or line("nothing named"),
    )


def _agreement(panel: Panel) -> str:
    flips = "goes with the order" if panel.flips else "does not go with the order"
    first = f"The decision {flips} in which members read the sides."
    if panel.alpha is None:
        return f"{first} Agreement on issues cannot be measured here."
    alpha, number = panel.alpha
    on = f"{counted(number, 'issue')} by {counted(len(panel.members), 'member')}"
    return f"{first} Agreement on {on}: Krippendorff's alpha {alpha:.2f} (1 is full, 0 is chance)."


def _issues(panel: Panel) -> Iterator[tuple[Line, ...]]:
    for number, text in enumerate(panel.settings["issues"], 1):
        cells = []
        for member in panel.members:
            item = next(i for i in member.ballot.data["issues"] if i["issue"] == number)
            names = {v: k for k, v in labels_of(panel.settings, member.name).items()}
            better = names.get(item["better"])
            cells.append(line(_named(panel, better) if better else EVEN))
        yield (line(text), *cells)


def _reasons(panel: Panel) -> Iterator[Block]:
    """Yield the reasons of every member, of those first who dissent."""
    dissent = [m for m in panel.members if panel.favours and m.favours != panel.favours]
    for title, members in (
        ("Dissent", dissent),
        ("Reasons", [m for m in panel.members if m not in dissent]),
    ):
        if members:
            yield Heading(title)
            yield Listing(tuple(_reason(panel, member) for member in members))


def _reason(panel: Panel, member: Member) -> Line:
    labels = labels_of(panel.settings, member.name)
    read = joined([f"“{_named(panel, name)}” as Side {label}" for name, label in labels.items()])
    text = excerpt(member.ballot.texts.get("Reasons", ""), _DISSENT)
    return line(Strong(member.name), Quiet(f", who read {read}: "), text)
