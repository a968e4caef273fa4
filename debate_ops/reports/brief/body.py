"""A brief as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from debate_ops.model.score import Millis
from debate_ops.reports.blocks import (
    Anchor,
    Block,
    Columns,
    Fold,
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
    words,
)
from debate_ops.reports.brief.checks import SIDES, Data
from debate_ops.reports.text import score
from debate_ops.reports.view import View

GUARANTEE = (
    "The program wrote every score, id and link. Every other figure in digits and every quotation "
    "stands in the framing, the first answer or a text cited beside it. The rest is the reporter's "
    "reading."
)
ISSUE_HEADS = ("Issue", "Who had the better of it", "Why")
PROPOSALS = "Estimates, and the dates and numbers of the next steps, are the reporter's own."


class Brief(NamedTuple):
    """A brief as it lies in the folder, taken in after so many `step`s.

    One that is `out_of_date` was written for another record than the one that is there now, and
    must not be shown as what the debate comes to.
    """

    data: Data
    step: int
    out_of_date: bool = False


def named(view: View, data: Data) -> View:
    """Return a view whose choices have the names that a brief gives them."""
    names = {item["for"]: words(item["name"]) for item in data.get("names", ())}
    return view._replace(choices={**view.choices, **names})


def lean(data: Data) -> Iterator[Line]:
    """Yield why, in one paragraph, and what to do until more is known."""
    yield tuple(span for sentence in data["why"] for span in (*sentence, " "))[:-1]
    if "meanwhile" in data:
        yield (Strong("Until more is known: "), *data["meanwhile"])


def estimate(data: Data) -> Line:
    """Return how sure the reporter is."""
    return (Strong("The reporter's estimate: "), *data["confidence"])


def sums(data: Data, view: View) -> list[tuple[Data, Millis]]:
    """Return with each issue by how much its entries move the lead towards the first choice."""
    return [(issue, view.moved_by(issue["arguments"])) for issue in data.get("issues", ())]


def sections(data: Data, view: View) -> Iterator[Section]:
    """Yield what a brief says below the first screen: advice, then notes, then the story."""
    sources = _Sources(view)
    tones = {choice: tone for tone, choice in enumerate(view.choices, 1) if view.shares}
    parts = [(each, _points(each["points"], sources)) for each in data["sections"]]
    for number, (is_case, group) in enumerate(groupby(parts, lambda part: "for" in part[0])):
        own = tuple(group)
        if is_case and len(own) == len(view.choices) == SIDES:  # side by side
            columns = tuple(
                (Heading(words(part["title"]), tones.get(part["for"], 0)), points)
                for part, points in own
            )
            yield Section(f"page-{number}", "For and against", (Columns(columns),))
            continue
        for place, (part, points) in enumerate(own):
            yield Section(f"page-{number}-{place}", words(part["title"]), (points,))
    yield from _list("turns", "What it turns on", (_crux(crux, view) for crux in data["cruxes"]))
    steps = ((n, step) for n, step in enumerate(data["next_steps"], 1) if "text" in step)
    details = ((Quiet(f"Step {n}. "), *step["text"], *sources.of(step)) for n, step in steps)
    yield from _list("details", "The next steps in detail", details)
    if "changed" in data:
        yield Section("changed", "What the debate changed", (Paragraph(data["changed"]),))
    if rows := tuple(issue(*each, view) for each in sums(data, view)):
        yield Section("issues", "The issues of the debate", (Table(ISSUE_HEADS, rows),))
    unchecked = ((*fact["fact"], *sources.of(fact)) for fact in data["unchecked"])
    yield from _list("unchecked", "Nobody checked", unchecked)
    unused = (line(f"{point['point']}: ", *point["why"]) for point in data.get("unused", ()))
    yield from _list("unused", "Facts that nobody used", unused)
    yield from _list("sources", "Sources", ((span,) for span in sources.cited), ordered=True)
    yield Section(
        "story", "The story of the debate", (Fold("Read it", tuple(_story(data["story"]))),)
    )


def _list(
    key: str, title: str, lines: Iterable[Line], *, ordered: bool = False
) -> Iterator[Section]:
    if items := tuple(lines):
        yield Section(key, title, (Listing(items, ordered),))


class _Sources:
    """The entries that a brief cites, numbered in the order in which it does.

    A point of the context has its own number, behind the name of its document if there are more.
    """

    def __init__(self, view: View) -> None:
        self.cited: list[Ref] = []
        self._has_one_document = len(view.content.framing.context) == 1

    def _number(self, span: Ref | Anchor) -> Ref | Anchor:
        if isinstance(span, Anchor):
            _, mark, number = span.text.rpartition("#")
            return Anchor(f"{mark}{number}", span.target) if self._has_one_document else span
        if span not in self.cited:
            self.cited.append(span)
        return Ref(span.id, str(self.cited.index(span) + 1))

    def of(self, point: Data) -> Line:
        """Return the numbers of what a point cites, each a link, in brackets."""
        cites = point.get("cites", ())
        spans = [each for span in cites for each in (", ", self._number(span))]
        return (" [", *spans[1:], "]") if spans else ()


def _strong(spans: Line) -> Line:
    """Return a line whose words stand out."""
    return tuple(Strong(span) if isinstance(span, str) else span for span in spans)


def _lead(point: Data) -> Line:
    """Return the first words of a point, if it has any, and what parts them from the rest."""
    if "lead" not in point:
        return ()
    *start, end = point["lead"]
    if isinstance(end, str) and end[-1:].isalnum():
        end += "."
    return (*_strong((*start, end)), " " if "text" in point else "")


def _points(points: Iterable[Data], sources: _Sources) -> Block:
    lines = tuple((*_lead(p), *p.get("text", ()), *sources.of(p)) for p in points)
    return Listing(lines) if len(lines) > 1 else Paragraph(*lines)


def _choice(choice: str | Line, view: View) -> str:
    """Return a choice in a reader's words: by its key or, where there are none, as it was named."""
    return view.choices.get(choice, choice) if isinstance(choice, str) else words(choice)


def issue(issue: Data, total: Millis, view: View) -> tuple[Line, ...]:
    """Return an issue as a row below `ISSUE_HEADS`."""
    better = _choice(issue["better"], view)
    by = f", by {score(abs(total)).lstrip('+')}" if total else ""
    items = view.items
    counting = [name for name in issue["arguments"] if name in view.shares]
    cites = [span for name in counting for span in (", ", Ref(name, items[name].title))]
    why = (*issue["why"], *((" (", *cites[1:], ")") if counting else ()))
    return issue["question"], line(f"{better}{by}"), why


def _crux(crux: Data, view: View) -> Line:
    answer = crux["yes_favours"]
    begin = (
        "A yes leans this way" if isinstance(answer, str) and answer in view.choices else "If yes"
    )
    favours = Quiet(f" {begin}: {_choice(answer, view).rstrip('.')}.")
    return (*_strong(crux["question"]), " ", *crux["evidence"], favours)


def leanings(data: Data, view: View) -> Table:
    """Return what an answer to each open question speaks for."""
    rows = ((crux["question"], line(_choice(crux["yes_favours"], view))) for crux in data["cruxes"])
    return Table(("Open question", "If yes"), tuple(rows))


def _story(story: Data) -> Iterator[Block]:
    titles = {"question": "The question", "clash": "The clash"}
    titles |= {"turning_points": "Turning points", "verdict": "The verdict"}
    for key, title in titles.items():
        yield Heading(title)
        yield from map(Paragraph, story[key])
