"""A panel: what it is given to read, what its ballots come to, and what that does to a verdict.

A panel is a debate in speeches inside of the folder of the debate that it reads. Its members read
once, blind, half of them in the other order.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from markupsafe import Markup

from debate_ops.analysis.evidence import CHECKED
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Replayed
from debate_ops.core.values import ARGUMENTS, PERSON, PRIVATE, Debate, Entry
from debate_ops.protocols.shared import COMMON_SIDES
from debate_ops.protocols.speeches import NEW_ROUND, NOBODY, Reader
from debate_ops.report.charts import Chart, Row
from debate_ops.report.markdown import inline, link, render
from debate_ops.report.record import count_shortened, name_entries, sort_entries, spell_texts
from debate_ops.report.verdict import Level, Question, Reason, Verdict, name_decision
from debate_ops.report.words import percent, shorten

TWO = 2
_ORGANISER = {PERSON: "organiser"}
"""What a person who answers is called in a debate in speeches."""
_DECIDING = frozenset({"ballot", "closing_statement", "straw", "advice", "absence"})
"""Kinds beside the arguments of a debate that a panel does not read."""


class Speech(NamedTuple):
    """What one participant said in one step, as a panel reads it, with quotations compared then."""

    by: str
    text: str
    step: int
    checked: Sequence[Mapping[str, str]] = ()


class Member(NamedTuple):
    """A member: the first of the sides it read, its ballot, and whom that is for, or `nobody`.

    `courses` are how likely it holds each answer to be right, in [0, 1]: before it read, if it was
    asked then, and after.
    """

    name: str
    first: str
    ballot: Entry
    favours: str
    courses: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Panel:
    """The ballots of a panel: `choices` are the answers by name, `asked` is how many members are.

    `judged` is whom the debate's own judge favours, empty for nobody, None where nobody judged.
    """

    d: Debate
    choices: Mapping[str, str]
    asked: int
    members: tuple[Member, ...]
    judged: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_one(self) -> bool:
        """Tell whether there are enough ballots: with most members absent it is no panel."""
        return 2 * len(self.members) > self.asked

    @cached_property
    def favours(self) -> str:
        """Whom more than half of all ballots are for; empty where there is no such side."""
        ((name, number),) = Counter(m.favours for m in self.members).most_common(1)
        return name if name != NOBODY and 2 * number > len(self.members) else ""

    @cached_property
    def shown(self) -> str:
        """The answer whose shares are shown: the favoured one, or the first."""
        return self.favours or next(iter(self.choices))

    def list_shares(self, name: str) -> list[float]:
        """Return how likely each member holds an answer to be right after it read."""
        return [member.courses[name][-1] for member in self.members]

    @property
    def mean(self) -> str:
        """How likely its members hold the answer that is shown, on average."""
        return percent(statistics.mean(self.list_shares(self.shown)))

    @property
    def is_flipping(self) -> bool:
        """Tell whether those who read the sides in one order decide otherwise than the others."""
        firsts = {m.first for m in self.members}
        orders = [{m.favours for m in self.members if m.first == first} for first in firsts]
        return all(len(each) == 1 for each in orders) and len(set.union(*orders)) > 1

    def name_decision(self, name: str) -> str:
        """Return what somebody decides who decides for a choice, or for none."""
        return name_decision(self.choices[name]) if name in self.choices else f"for {NOBODY}"

    @cached_property
    def doubts(self) -> str:
        """Why it is not decisive, without the last full stop; empty where it is."""
        doubts, shares = list[str](), self.list_shares(self.shown)
        if not self.is_one:
            doubts.append(f"Only {len(self.members)} of {self.asked} members replied")
        elif not self.favours:
            doubts.append("The panel has no majority")
        elif self.judged not in {None, self.favours}:
            decides = self.name_decision(self.judged or NOBODY)
            doubts.append(f"The judge of the debate decides {decides}")
        if self.is_one and self.is_flipping:
            doubts.append(
                "Who read the sides in one order decides otherwise than who read the other"
            )
        spread = statistics.stdev(shares) if len(shares) > 1 else 0.0
        is_apart = statistics.mean(shares) - 1 / len(self.choices) <= spread
        if self.is_one and self.favours and is_apart:
            doubts.append("The members differ more from each other than they lean to one side")
        return ". ".join(doubts) + ", so the panel is not decisive" if doubts else ""

    @property
    def decision(self) -> tuple[str, str]:
        """What it decides and by how many; without a majority the latter is empty."""
        if not self.favours or not self.is_one:
            return "no decision", ""
        number = [m.favours for m in self.members].count(self.favours)
        return self.name_decision(self.favours), f"{number} of {self.asked}"

    @property
    def verdict(self) -> str:
        """What the panel comes to, in a few short sentences, the last without its full stop."""
        decides, share = self.decision
        found = f"A blind panel decides {decides} by {share}" if share else ""
        return ". ".join(filter(None, (found, self.doubts)))

    def refer(self, an_id: str, member: Member) -> Markup:
        """Return a link to an entry of the debate that was read, by the id a member knows."""
        named = Reader(self.d.settings, member.name).unblind(an_id)
        return link(named, self.titles[named]) if named in self.titles else inline(named)


def rate_answers(e: Entry, choices: Mapping[str, str]) -> dict[str, float]:
    """Return how likely a view or a ballot holds each answer; what it leaves is the others'."""
    favours = str(e.data.get("favours") or e.data.get("winner"))
    share = 1 / len(choices) if favours == NOBODY else float(e.data["percent"]) / 100
    rest = (1 - share) / (len(choices) - 1)
    return {name: share if favours in {name, NOBODY} else rest for name in choices}


def read_panel(
    d: Debate, question: Question | None = None, titles: Mapping[str, str] = {}
) -> Panel | None:
    """Return the panel of a debate in speeches; None where no member has replied yet.

    `question` is what it was asked of another debate, whose entries have `titles`.
    """
    views, ballots = ({e.by: e for e in d.find(kind)} for kind in ("view", "ballot"))
    answers = d.settings.answers
    if question and question.choices.keys() == answers.keys():
        answers = question.choices  # in the words of today
    choices, members = {n: t.partition("\n")[0] or n for n, t in answers.items()}, list[Member]()
    for name in filter(ballots.get, d.settings.members):
        ballot, first = ballots[name], next(iter(Reader(d.settings, name).answers))
        rated = [rate_answers(e, choices) for e in (views.get(name), ballot) if e]
        courses = {answer: [each[answer] for each in rated] for answer in choices}
        members.append(Member(name, first, ballot, str(ballot.data["favours"]), courses))
    judged, asked = question.judged if question else None, len(d.settings.members)
    return Panel(d, choices, asked, tuple(members), judged, titles) if members else None


def apply_panel(verdict: Verdict, panel: Panel | None) -> Verdict:
    """Return a verdict once a panel has read the debate, or none has.

    Where the panel is not decisive, no choice is favoured.
    """
    if not verdict.is_sought:
        return verdict
    reasons = verdict.reasons
    if panel is None:
        if verdict.level is Level.HIGH:
            reasons = (*reasons, Reason("No panel has read it", Level.MODERATE))
        return replace(verdict, reasons=reasons)
    most = gone = Level.HIGH
    if panel.doubts:
        close = Level.TOO_CLOSE if verdict.choices else Level.LOW
        most, gone = close if panel.is_one else Level.MODERATE, Level.NOT_JUDGED
    if panel.is_one:  # which judged, and what is decisive is more than one judge
        reasons = tuple(r for r in reasons if not r.is_alone or r.at_most > gone)
    own = Reason(panel.doubts or panel.verdict, most, raises=not panel.doubts)
    after = replace(verdict, reasons=(own, *reasons))
    if most is Level.TOO_CLOSE and verdict.favoured:
        text = f"{verdict.answer}; a panel does not bear it out"
        return replace(after, favoured="", answer=text)
    undecided = after.level > Level.TOO_CLOSE and not verdict.favoured
    if undecided and panel.favours in verdict.choices:
        text = f"A panel decides {panel.name_decision(panel.favours)}"
        return replace(after, favoured=panel.favours, answer=text, reached=True, stops_at="")
    return after


def ask_panel(verdict: Verdict) -> Question:
    """Return what a panel is asked of a debate: which of its choices is right, if nothing else."""
    judged = verdict.favoured if verdict.reached else None
    return verdict.question or Question(verdict.choices, verdict.choices, judged=judged)


def list_speeches(at: Replayed, question: Question) -> Iterator[Speech]:
    """Yield what was said in a debate by those whom a panel hears, in order.

    What one participant says in one step is one speech, and that one who speaks elsewhere gave no
    reply is one, too. Of the oldest entries the title alone is given where it would be too much.
    """
    voices = question.voices
    own = [e for e in sort_entries(at) if e.by in voices and e.kind not in PRIVATE]
    heard = {
        e.id: e.by
        for e in own
        if e.id in question.also_heard
        or (e.kind not in _DECIDING and (e.folder == ARGUMENTS or e.by == PERSON))
    }
    silent, speaking = (e for e in own if e.kind == "absence"), {*heard.values()}
    short = {e.id for e in silent if e.by in speaking and e.data.get("how") != "pass"}
    listed = [e for e in own if e.id in heard or e.id in short]
    short |= {e.id for e in listed[: count_shortened(listed)]}
    for (step, who), group in groupby(listed, key=lambda e: (e.step, e.by)):
        texts, checked = list[str](), list[Mapping[str, str]]()
        for e in group:
            said = [] if e.id in short else spell_texts(e)
            said = [re.sub(CHECKED, r"said to be \g<0>", t, flags=re.IGNORECASE) for t in said]
            title = "No reply" if e.kind == "absence" else e.title
            texts.append("\n".join([f"[{e.id}] {title}", *said]))
            checked += e.header.get("checked", ())
        yield Speech(_ORGANISER.get(who, who), "\n\n".join(texts), step, checked)


def make_settings(at: Replayed, verdict: Verdict, members: int) -> dict[str, Any]:
    """Return the settings of the debate in which a panel reads this one.

    A `RefusedError` where there is nothing to decide between.
    """
    question, order = ask_panel(verdict), list[str]()
    for _, speeches in groupby(list_speeches(at, question), key=lambda s: s.step):
        # Who could hear another one speaks in a later round.
        order += [*([NEW_ROUND] if order else []), *(speech.by for speech in speeches)]
    voices = {_ORGANISER.get(name, name): what for name, what in question.voices.items()}
    heard = {name: what for name, what in voices.items() if name in order}
    if len(heard) < TWO or not question.choices:
        raise RefusedError(
            "there is nothing that a panel could decide about this debate yet",
            hint="It needs two who have spoken; of a design debate, the solution.",
        )
    are_choices = heard.keys() <= question.choices.keys() <= voices.keys()
    people, choices = (
        [{"name": name, "position": what} for name, what in named.items()]
        for named in (heard, {} if are_choices else question.choices)
    )
    return {
        "participants": people,
        "order": order,
        "word_limit": 0,
        "panel": members,
        "views": "on" if question.views else "off",
        "question": question.text,
        "choices": choices,
        "issues": [*question.issues],
        "language": at.debate.settings.language,
        "first_answer": "off",
    }


def is_current(held: Debate, at: Replayed, question: Question) -> bool:
    """Tell whether what a panel reads is what is on record now, remarks of the program aside."""

    def strip(text: str) -> str:
        return "\n".join(r for r in text.split("\n") if not r.startswith(CHECKED)).strip()

    read = [
        (e.by, strip(e.texts.get("Speech", "")))
        for e in sorted(held.find("speech"), key=lambda e: e.step)
    ]
    return read == [(s.by, strip(s.text)) for s in list_speeches(at, question)]


def write_panel(panel: Panel, names: Mapping[str, str] = {}) -> str:
    """Return what the page says of a panel, the shortest first."""
    called = {side: f"the {names[side]}" for side in names if side in COMMON_SIDES}
    reasons = []  # those first who are outvoted
    for m in sorted(panel.members, key=lambda m: m.favours == panel.favours):
        reader = Reader(panel.d.settings, m.name)
        text = reader.unblind(m.ballot.texts.get("Reasons", ""), called)
        reasons.append((m, name_entries(text, panel.titles, lambda i: f"“{panel.titles[i]}”")))
    named = ((m, m.ballot.header.get("steering")) for m in panel.members)  # by older versions
    accused = Counter(
        panel.refer(str(i), m) for m, ids in named if isinstance(ids, list) for i in ids
    )
    question = panel.d.settings.question.partition("\n")[0]
    what = {"question": question, "accused": accused.most_common(), "reasons": reasons}
    return render("panel.md.jinja", p=panel, **what)


def draw_panel(panel: Panel) -> Chart:
    """Return a chart of how sure each member is, before and after it read the debate."""
    tone, rows = 1, list[Row]()
    if len(panel.choices) == TWO and panel.shown != next(iter(panel.choices)):
        tone = 2
    for m in panel.members:
        course = m.courses[panel.shown]
        said = " → ".join(map(percent, course))
        rows.append(Row(m.name, tuple(100 * share for share in course), said, tone=tone))
    asked = any(len(row.values) > 1 for row in rows)
    rings = "; a ring is before, a dot after it read the debate"
    return Chart(
        "panel",
        f"How likely each member holds “{shorten(panel.choices[panel.shown], 60)}” to be right",
        tuple(rows),
        unit=f"in per cent{rings if asked else ''}",
        form="course",
        limit=(100 / len(panel.choices), "even"),
        most=100,
    )
