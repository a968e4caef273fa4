"""A brief as blocks of a page, and as the text of its own file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    Span,
    Strong,
    Table,
    line,
    words,
)
from debate_ops.reports.brief.checks import SIDES
from debate_ops.reports.brief.values import Brief, Data
from debate_ops.reports.text import score
from debate_ops.reports.view import View

GUARANTEE = (
    "Every number, id, link and quotation was written by the program; the rest is the reporter's "
    "reading."
)
PROPOSALS = "Estimates, and the dates and numbers of the next steps, are the reporter's own."


def blocks(brief: Brief, view: View) -> Iterator[Block]:
    """Yield all that a brief says, for its own file."""
    data, view = brief.data, named(view, brief.data)
    yield Paragraph(_strong(data["answer"]))
    yield from map(Paragraph, (*lean(data), estimate(data)))
    for section in sections(brief, view):
        yield Heading(section.title)
        yield from section.blocks
    yield Paragraph((Quiet(f"{GUARANTEE} {PROPOSALS}"),))


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


def sections(brief: Brief, view: View) -> Iterator[Section]:
    """Yield what a brief says below its first lines: advice, then notes, then the story."""
    data, sources = brief.data, _Sources(view)
    title = "The best case of each" if len(view.choices) == SIDES else "Point by point"
    yield Section("cases", title, (Columns(tuple(_cases(data, view, sources))),))
    yield from _list(
        "options",
        "Other ways",
        (sources.point(o, "option", "assessment") for o in data.get("options", ())),
    )
    yield from _list(
        "light", "What should not weigh heavily", map(sources.point, data.get("light", ()))
    )
    yield from _list("turns", "What it turns on", (_crux(crux, view) for crux in data["cruxes"]))
    yield from _list("find", "Find out first", data.get("find_out", ()))
    steps = Listing(tuple(map(_step, data["next_steps"])), ordered=True)
    yield Section("steps", "What to do next", (steps,))
    if "changed" in data:
        yield Section("changed", "What the debate changed", (Paragraph(data["changed"]),))
    heads = ("Issue", "Who had the better of it", "Why")
    if rows := tuple(_issue(*each, view) for each in brief.sums):
        yield Section("issues", "The issues of the debate", (Table(heads, rows),))
    unchecked = ((*fact["fact"], *sources.numbers(fact["cites"])) for fact in data["unchecked"])
    yield from _list("unchecked", "Nobody checked", unchecked)
    unused = (line(f"{point['point']}: ", *point["why"]) for point in data.get("unused", ()))
    yield from _list("unused", "Facts that nobody used", unused)
    yield from _list("sources", "Sources", sources.listed, ordered=True)
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
        self._cited: list[Ref] = []
        self._has_one_document = len(view.told.framing.context) == 1

    @property
    def listed(self) -> Iterator[Line]:
        """Yield each of them."""
        return ((span,) for span in self._cited)

    def point(self, point: Data, lead: str = "lead", text: str = "text") -> Line:
        """Return a point with the numbers of what it cites."""
        *start, end = point[lead]
        if isinstance(end, str) and end[-1:].isalnum():
            end += "."
        return (*_strong((*start, end)), " ", *point[text], *self.numbers(point["cites"]))

    def _label(self, span: Ref | Anchor) -> str:
        if isinstance(span, Anchor):
            _, mark, number = span.text.rpartition("#")
            return f"{mark}{number}" if self._has_one_document else span.text
        if span not in self._cited:
            self._cited.append(span)
        return str(self._cited.index(span) + 1)

    def numbers(self, cites: tuple[Ref | Anchor, ...]) -> Line:
        """Return the numbers of what is cited, each a link, in brackets."""
        spans: list[Span] = []
        for span in cites:
            number = self._label(span)
            spans.append(", ")
            spans.append(
                Ref(span.id, number) if isinstance(span, Ref) else Anchor(number, span.target)
            )
        return (" [", *spans[1:], "]") if spans else ()


def _strong(spans: Line) -> Line:
    """Return a line whose words stand out."""
    return tuple(Strong(span) if isinstance(span, str) else span for span in spans)


def _cases(data: Data, view: View, sources: _Sources) -> Iterator[tuple[Block, ...]]:
    tones = {choice: tone for tone, choice in enumerate(view.choices, 1) if view.shares}
    for choice in dict.fromkeys(reason["for"] for reason in data["reasons"]):
        own = (r for r in data["reasons"] if r["for"] == choice)
        title = _choice(choice, view)
        yield (
            Heading(title[:1].upper() + title[1:], tones.get(choice, 0)),
            *(Paragraph(sources.point(point)) for point in own),
        )


def _choice(choice: str | Line, view: View) -> str:
    """Return a choice in a reader's words: by its key or, where there are none, as it was named."""
    return view.choices.get(choice, choice) if isinstance(choice, str) else words(choice)


def _issue(issue: Data, total: Millis, view: View) -> tuple[Line, ...]:
    better = _choice(issue["better"], view)
    by = f", by {score(abs(total)).lstrip('+')}" if total else ""
    items = view.items
    counting = [name for name in issue["arguments"] if name in view.shares]
    cites = [span for name in counting for span in (", ", Ref(name, items[name].title))]
    why = (*issue["why"], *((" (", *cites[1:], ")") if counting else ()))
    return issue["question"], line(f"{better}{by}"), why


def _crux(crux: Data, view: View) -> Line:
    favours = Quiet(f" A yes favours: {_choice(crux['yes_favours'], view).rstrip('.')}.")
    return (*_strong(crux["question"]), " ", *crux["evidence"], favours)


def step(next_step: Data) -> Line:
    """Return a step in short: its conditions stand below."""
    when = (Quiet(f" ({words(next_step['when']).rstrip('.')})"),) if "when" in next_step else ()
    return (*next_step["what"], *when)


def _step(next_step: Data) -> Line:
    conditions = _conditions(next_step)
    return (*step(next_step), *((" ", *conditions) if conditions else ()))


def _conditions(next_step: Data) -> Line:
    labels = (("Go on: ", "go"), ("Stop: ", "no_go"), ("Otherwise: ", "fallback"))
    parts = [(Strong(label), *next_step[key]) for label, key in labels if key in next_step]
    return tuple(span for part in parts for span in (*part, " "))[:-1]


def conditions(data: Data) -> Iterator[Section]:
    """Yield when to go on with the next steps, which stand elsewhere in short."""
    lines = ((number, _conditions(each)) for number, each in enumerate(data["next_steps"], 1))
    steps = (line(Quiet(f"Step {number}. "), *spans) for number, spans in lines if spans)
    yield from _list("conditions", "When to go on and when to stop", steps)


def leanings(data: Data, view: View) -> Table:
    """Return what an answer to each open question speaks for."""
    rows = ((crux["question"], line(_choice(crux["yes_favours"], view))) for crux in data["cruxes"])
    return Table(("Open question", "A yes favours"), tuple(rows))


def _story(story: Data) -> Iterator[Block]:
    titles = {"question": "The question", "clash": "The clash"}
    titles |= {"turning_points": "Turning points", "verdict": "The verdict"}
    for key, title in titles.items():
        yield Heading(title)
        yield from map(Paragraph, story[key])
