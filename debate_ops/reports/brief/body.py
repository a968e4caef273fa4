"""A brief as blocks of a page, and as the text of its own file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from debate_ops.model.score import Millis
from debate_ops.reports.blocks import (
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
from debate_ops.reports.brief.values import EVEN, Brief, Crux, Issue, Point, Step, Story
from debate_ops.reports.text import score
from debate_ops.reports.view import View

GUARANTEE = (
    "Every number, id, link and quotation was written by the program; the rest is the reporter's "
    "reading."
)
PROPOSALS = "Dates and numbers of the next steps are the reporter's proposals."


def blocks(brief: Brief, view: View) -> Iterator[Block]:
    """Yield all that a brief says, for its own file."""
    data = brief.data
    yield Paragraph(_strong(data.answer))
    yield from map(Paragraph, data.why)
    if data.changed:
        yield Paragraph((Quiet("What the debate changed: "), *data.changed))
    yield Heading("What to do next")
    yield Listing(tuple(map(step, data.next_steps)), ordered=True)
    for section in sections(brief, view):
        yield Heading(section.title)
        yield from section.blocks
    yield Paragraph((Quiet(f"{GUARANTEE} {PROPOSALS}"),))


def sections(brief: Brief, view: View) -> Iterator[Section]:
    """Yield what a brief says below the first screen."""
    data = brief.data
    yield Section("cases", "The best case of each", (Columns(tuple(_cases(brief, view))),))
    heads = ("Open question", "A yes favours", "What would settle it")
    yield Section("turns", "What would settle it", (Table(heads, tuple(map(_crux, data.cruxes))),))
    heads = ("Issue", "Who had the better of it", "Why")
    rows = tuple(_issue(*each, view) for each in brief.sums)
    yield from _section("issues", "The issues", [Table(heads, rows)] if rows else [])
    yield from _section(
        "conditions", "When to go on and when to stop", _conditions(data.next_steps)
    )
    more = tuple(
        (Heading(title), Listing(lines))
        for title, lines in (
            ("What should not weigh heavily", tuple(map(_point, data.light))),
            ("Other ways", tuple(map(_point, data.options))),
            ("Find out first", data.find_out),
            ("Nobody checked", tuple((*c.text, *_cites(c.cites)) for c in data.unchecked)),
            ("Facts that nobody used", tuple(line(f"{u.point}: ", *u.why) for u in data.unused)),
        )
        if lines
    )
    yield from _section("more", "More to consider", [Columns(more)] if more else [])
    yield Section("story", "The story of the debate", (Fold("Read it", tuple(_story(data.story))),))


def _section(key: str, title: str, blocks_: Iterable[Block]) -> Iterator[Section]:
    if shown := tuple(blocks_):
        yield Section(key, title, shown)


def _strong(spans: Line) -> Line:
    """Return a line whose words stand out."""
    return tuple(Strong(span) if isinstance(span, str) else span for span in spans)


def _cases(brief: Brief, view: View) -> Iterator[tuple[Block, ...]]:
    tones = {choice: tone for tone, choice in enumerate(view.choices, 1) if view.shares}
    for choice in dict.fromkeys(reason.choice for reason in brief.data.reasons):
        own = (r.point for r in brief.data.reasons if r.choice == choice)
        title = view.choices.get(choice, choice)
        yield (
            Heading(title[:1].upper() + title[1:], tones.get(choice, 0)),
            *(Paragraph(_point(point)) for point in own),
        )


def _point(point: Point) -> Line:
    return (*_strong(point.lead), " ", *point.text, *_cites(point.cites))


def _cites(cites: Line) -> Line:
    if not cites:
        return ()
    first, *others = cites
    return (" (", first, *(span for cite in others for span in (", ", cite)), ")")


def _issue(issue: Issue, total: Millis, view: View) -> tuple[Line, ...]:
    better = EVEN if issue.better == EVEN else view.choices.get(issue.better, issue.better)
    by = f", by {score(abs(total)).lstrip('+')}" if total else ""
    items = view.items
    counting = (name for name in issue.arguments if name in view.shares)
    cites = tuple(Ref(name, items[name].title) for name in counting)
    return issue.question, line(f"{better}{by}"), (*issue.why, *_cites(cites))


def _crux(crux: Crux) -> tuple[Line, ...]:
    return crux.question, crux.yes_favours, crux.evidence


def step(next_step: Step) -> Line:
    """Return a step in short: its conditions stand below."""
    when = (Quiet(f" ({words(next_step.when).rstrip('.')})"),) if next_step.when else ()
    return (*next_step.what, *when)


def _conditions(steps: tuple[Step, ...]) -> Iterator[Block]:
    rows = tuple(
        (line(f"{number}."), s.go, s.no_go, s.fallback)
        for number, s in enumerate(steps, 1)
        if s.go or s.no_go or s.fallback
    )
    if rows:
        yield Table(("Step", "Go on if", "Stop if", "Else"), rows)


def _story(story: Story) -> Iterator[Block]:
    titles = ("The question", "The clash", "Turning points", "The verdict")
    for title, paragraphs in zip(titles, story, strict=True):
        yield Heading(title)
        yield from map(Paragraph, paragraphs)
