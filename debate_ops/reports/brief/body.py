"""A brief as blocks of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from debate_ops.model.score import Millis
from debate_ops.reports.blocks import (
    Block,
    Heading,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Ref,
    Strong,
)
from debate_ops.reports.brief.values import EVEN, Brief, Crux, Issue, Point, Step, Story
from debate_ops.reports.text import score
from debate_ops.reports.view import View

GUARANTEE = (
    "Every number, id, link and quotation was written by the program; the rest is the reporter's "
    "reading."
)
PROPOSALS = "Dates and numbers here are the reporter's proposals."


def blocks(brief: Brief, view: View) -> Iterator[Block]:
    """Yield all that a brief says."""
    data = brief.data
    yield Paragraph(_strong(data.answer))
    yield from map(Paragraph, data.why)
    if data.changed:
        yield Paragraph((Quiet("What the debate changed: "), *data.changed))
    yield from _reasons(brief, view)
    yield from _listing("What should not weigh heavily", map(_point, data.light))
    yield from _listing("The issues", (_issue(*each, view) for each in brief.sums))
    yield from _listing("What it turns on", map(_crux, data.cruxes), ordered=True)
    yield from _listing("Other ways", map(_point, data.options))
    yield from _listing("Find out first", data.find_out)
    yield from _listing("Next steps", map(_step, data.next_steps), ordered=True)
    yield Paragraph((Quiet(PROPOSALS),))
    yield from _listing("Nobody checked", ((*c.text, *_cites(c.cites)) for c in data.unchecked))
    yield from _listing("Facts that nobody used", ((f"{u.point}: ", *u.why) for u in data.unused))
    yield from _story(data.story)
    yield Paragraph((Quiet(GUARANTEE),))


def _strong(spans: Line) -> Line:
    """Return a line whose words stand out."""
    return tuple(Strong(span) if isinstance(span, str) else span for span in spans)


def _listing(title: str, lines: Iterable[Line], *, ordered: bool = False) -> Iterator[Block]:
    shown = tuple(lines)
    if shown:
        yield Heading(title)
        yield Listing(shown, ordered=ordered)


def _reasons(brief: Brief, view: View) -> Iterator[Block]:
    tones = {choice: tone for tone, choice in enumerate(view.choices, 1) if view.shares}
    for choice in dict.fromkeys(reason.choice for reason in brief.data.reasons):
        own = (r.point for r in brief.data.reasons if r.choice == choice)
        yield Heading(f"Best case: {view.choices.get(choice, choice)}", tones.get(choice, 0))
        yield Listing(tuple(map(_point, own)))


def _point(point: Point) -> Line:
    return (*_strong(point.lead), " ", *point.text, *_cites(point.cites))


def _cites(cites: Line) -> Line:
    if not cites:
        return ()
    first, *others = cites
    return (" (", first, *(span for cite in others for span in (", ", cite)), ")")


def _issue(issue: Issue, total: Millis, view: View) -> Line:
    better = EVEN if issue.better == EVEN else view.choices.get(issue.better, issue.better)
    by = f", by {score(abs(total)).lstrip('+')}" if total else ""
    items = view.items
    cites = tuple(Ref(name, items[name].title) for name in issue.arguments if name in items)
    verdict = Quiet(f" {better}{by}. ")
    return (*_strong(issue.question), verdict, *issue.why, *_cites(cites))


def _crux(crux: Crux) -> Line:
    favours, settles = Quiet(" A yes favours: "), Quiet(". What would settle it: ")
    return (*_strong(crux.question), favours, *crux.yes_favours, settles, *crux.evidence)


def _step(step: Step) -> Line:
    named = (("When", step.when), ("Go", step.go), ("No go", step.no_go), ("Else", step.fallback))
    more = (span for name, said in named if said for span in (Quiet(f" ({name}: "), *said, ")"))
    return (*step.what, *more)


def _story(story: Story) -> Iterator[Block]:
    titles = ("The question", "The clash", "Turning points", "The verdict")
    for title, paragraphs in zip(titles, story, strict=True):
        yield Heading(title)
        yield from map(Paragraph, paragraphs)
