"""What the page says of a panel: its verdict first, then each member, then the reasons."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.protocols.speeches.rules import EVEN, named, unblinded
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
from debate_ops.reports.charts import Chart, Row, Rows, worth_drawing
from debate_ops.reports.panel import PANEL, TWO, Member, Panel, percent, probability, question
from debate_ops.reports.text import counted, excerpt, joined, shorten
from debate_ops.reports.view import Question, View

_REASONS, _ISSUE, _WHY = 700, 300, 240


def section(panel: Panel, view: View) -> Section:
    """Return what the page says of the panel of a debate, as it was without one."""
    return Section(PANEL, "What a panel says", tuple(_Page(panel, question(view), view).blocks()))


class _Page(NamedTuple):
    panel: Panel
    question: Question
    view: View

    def blocks(self) -> Iterator[Block]:
        """Yield all that is said, the shortest first."""
        panel = self.panel
        yield Paragraph(line(Strong(f"{panel.verdict(self.question.judged)}.")))
        if asked := panel.settings["question"]:
            yield Paragraph(line(f"It was asked: {asked.partition(chr(10))[0]}"))
        sentences = filter(None, (self._moved(), self._order(), self._dissent()))
        yield from (Paragraph(line(sentence)) for sentence in sentences)
        if steering := list(self._steering()):
            yield Listing(tuple(steering))
        yield from self._chart()
        yield Table(
            ("member", "read first", "before", "after", "decides", "moved most by"),
            tuple(map(self._row, panel.members)),
        )
        if panel.settings["issues"]:
            yield Heading("Issue by issue")
            yield Paragraph(line(self._agreement()))
            judge = ("The judge of the debate",) if self.question.judged_issues else ()
            yield Table(("Issue", "The panel", *judge), tuple(self._issues()))
            if whys := tuple(self._whys()):
                yield Listing(whys)
        yield Heading("Reasons")
        yield Listing(tuple(map(self._reason, sorted(panel.members, key=self._agrees))))
        if len(panel.choices) == TWO and panel.words.keys() == panel.choices.keys():
            said = (f"{panel.words[name]:,} words of {panel.named(name)}" for name in panel.choices)
            yield Paragraph(line(Quiet(f"They read {joined(list(said))}.")))

    @property
    def _for(self) -> str:
        """The choice whose shares are shown."""
        return self.panel.favours or next(iter(self.panel.choices))

    def _agrees(self, member: Member) -> bool:
        return member.favours == self.panel.favours or not self.panel.favours

    def _moved(self) -> str:
        panel, for_ = self.panel, self._for
        shares, before = panel.shares(for_), panel.shares(for_, before=True)
        now = panel.mean(for_)
        spread = f" ({100 * statistics.stdev(shares):.0f} points of spread)" if shares[1:] else ""
        text = f"On average members hold {panel.named(for_)} to be {percent(now)} likely{spread}"
        if not before:
            return f"{text}; they were not asked before they read the debate."
        was = panel.mean(for_, before=True)
        points = round(100 * now) - round(100 * was)
        way = "towards it" if points > 0 else "away from it"
        by = f"moved them {abs(points)} points {way}" if points else "did not move them on average"
        return f"{text}. Before they read the debate it was {percent(was)}: the debate {by}."

    def _order(self) -> str:
        if len({member.first for member in self.panel.members}) == 1:
            return "All members who replied read the same side first."
        if self.panel.flips:
            return ""  # the verdict has said it
        return "The decision does not go with the order in which members read the sides."

    def _dissent(self) -> str:
        dissent = [member for member in self.panel.members if not self._agrees(member)]
        if not self.panel.favours:
            return ""  # the verdict has said it
        if not dissent:
            return "Nobody dissents."
        said = (f"{m.name} decides {self.panel.for_(m.favours)}" for m in dissent)
        return f"Dissent: {joined(list(said))}."

    def _steering(self) -> Iterator[Line]:
        """Yield what members say tries to steer the judges."""
        members = self.panel.members
        accused = Counter(
            named(i, self.panel.settings, m.name)
            for m in members
            for i in m.ballot.data.get("steering", ())
        )
        for an_id, number in accused.most_common():
            by = f"{number} of {len(members)} members say that this tries to steer the judges: "
            yield line(by, self._ref(an_id))

    def _ref(self, an_id: str) -> str | Ref:
        items = self.view.items
        return Ref(an_id, items[an_id].title) if an_id in items else an_id

    def _chart(self) -> tuple[Chart, ...]:
        """Return a chart of how sure each member is, before and after it read the debate."""
        panel, for_, sides = self.panel, self._for, len(self.panel.choices)
        rows = []
        for member in panel.members:
            shares = [
                probability(entry, for_, sides) for entry in (member.view, member.ballot) if entry
            ]
            said = " \N{RIGHTWARDS ARROW} ".join(map(percent, shares))
            values = tuple(100 * share for share in shares)
            tone = 1 + (list(panel.choices).index(for_) > 0) if sides == TWO else 1
            rows.append(Row(member.name, values, said, tone=tone))
        asked = any(member.view for member in panel.members)
        rings = "; a ring is before, a dot after it read the debate" if asked else ""
        chart = Rows(
            "panel",
            f"How likely each member holds {panel.named(for_)} to be right",
            tuple(rows),
            unit=f"in per cent{rings}",
            form="course",
            limit=(100 / sides, "even"),
            most=100,
        )
        return worth_drawing(chart)

    def _row(self, member: Member) -> tuple[Line, ...]:
        panel, for_, sides = self.panel, self._for, len(self.panel.choices)
        before = percent(probability(member.view, for_, sides)) if member.view else "not asked"
        moving = (named(i, panel.settings, member.name) for i in member.ballot.data["moved_by"])
        refs = tuple(part for each in moving for part in ("; ", self._ref(each)))[1:]
        return (
            line(member.name),
            line(panel.named(member.first)),
            line(before),
            line(percent(probability(member.ballot, for_, sides))),
            line(panel.for_(member.favours)),
            refs or line("nothing named"),
        )

    def _agreement(self) -> str:
        if (measured := self.panel.alpha) is None:
            return "Agreement on issues cannot be measured here."
        alpha, number = measured
        on = f"{counted(number, 'issue')} by {counted(len(self.panel.members), 'member')}"
        return f"Agreement on {on}: Krippendorff's alpha {alpha:.2f} (1 is full, 0 is chance)."

    def _said(self, number: int) -> Counter[str]:
        return Counter(self.panel.decided(member)[number] for member in self.panel.members)

    def _issues(self) -> Iterator[tuple[Line, ...]]:
        judged = self.question.judged_issues
        for number, text in enumerate(self.panel.settings["issues"], 1):
            said = self._said(number).most_common()
            votes = ", ".join(f"{self._short(name)}: {votes}" for name, votes in said)
            cells = [line(f"{number}. {shorten(text, _ISSUE)}"), line(votes)]
            if judged:
                own = self._short(judged[number - 1])
                cells.append(line(own) if judged[number - 1] == said[0][0] else line(Strong(own)))
            yield tuple(cells)

    def _short(self, name: str) -> str:
        """Return what a member says of an issue: of answers that are no speakers, their names."""
        return (name if self.panel.settings["choices"] else self.panel.named(name)) or EVEN

    def _whys(self) -> Iterator[Line]:
        """Yield why a member says otherwise of an issue than most, or than the debate's judge."""
        judged = dict(enumerate(self.question.judged_issues, 1))
        said = [
            (item["issue"], member, item["why"])
            for member in self.panel.members
            for item in member.ballot.data["issues"]
        ]
        for number, member, why in sorted(said, key=lambda each: each[0]):
            own = self.panel.decided(member)[number]
            if own != (judged.get(number) or self._usual(number)):
                who = Strong(f"Issue {number}, {member.name}: {self._short(own)}. ")
                yield line(who, excerpt(self._text(member, why), _WHY))

    def _usual(self, number: int) -> str:
        """Return what is said of an issue where nothing is to be explained."""
        if self.panel.settings["choices"]:
            return next(iter(self.panel.choices))
        return self._said(number).most_common(1)[0][0]

    def _reason(self, member: Member) -> Line:
        text = self._text(member, member.ballot.texts.get("Reasons", ""))
        who = Quiet(f" {self.panel.for_(member.favours)}: ")
        return line(Strong(member.name), who, excerpt(text, _REASONS))

    def _text(self, member: Member, text: str) -> str:
        content = self.view.content
        called = {side: f"the {content.names[side]}" for side in content.sides}
        return unblinded(text, self.panel.settings, member.name, called)
