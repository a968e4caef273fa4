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
    line,
)
from debate_ops.reports.brief.values import EVEN, Brief, Cited, Crux, Issue, Point, Step, Story
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
        yield Paragraph(line(Quiet("What the debate changed: "), data.changed))
    yield from _reasons(brief, view)
    yield from _listing("What should not weigh heavily", map(_point, data.light))
    yield from _listing("The issues", (_issue(*each, view) for each in brief.sums))
    yield from _listing("What it turns on", map(_crux, data.cruxes), ordered=True)
    yield from _listing("Other ways", map(_point, data.options))
    yield from _listing("Find out first", data.find_out)
    yield from _listing("Next steps", map(_step, data.next_steps), ordered=True)
    yield Paragraph(line(Quiet(PROPOSALS)))
    yield from _listing("Nobody checked", map(_cited, data.unchecked))
    unused = (line(each.point, ": ", each.why) for each in data.unused)
    yield from _listing("Facts that nobody used", unused)
    yield from _story(data.story)
    yield Paragraph(line(Quiet(GUARANTEE)))


def _strong(spans: Line) -> Line:
    """Return a line whose words stand out; spaces at their ends stay outside of the marks."""
    return line(*(_strong_words(span) if isinstance(span, str) else (span,) for span in spans))


def _strong_words(words: str) -> Line:
    core = words.strip()
    before, _, after = words.partition(core) if core else (words, "", "")
    return tuple(part for part in (before, Strong(core) if core else "", after) if part)


def _listing(title: str, lines: Iterable[Line], *, ordered: bool = False) -> Iterator[Block]:
    shown = tuple(lines)
    if shown:
        yield Heading(title)
        yield Listing(shown, ordered=ordered)


def _reasons(brief: Brief, view: View) -> Iterator[Block]:
    tones = {choice: number for number, choice in enumerate(view.choices, 1)}
    for choice in dict.fromkeys(reason.choice for reason in brief.data.reasons):
        own = (r.point for r in brief.data.reasons if r.choice == choice)
        title = f"Best case: {view.choices.get(choice, choice)}"
        yield Heading(title, tones.get(choice, 0) if len(tones) == 2 else 0)  # noqa: PLR2004
        yield Listing(tuple(map(_point, own)))


def _point(point: Point) -> Line:
    return line(_strong(point.lead), " ", point.text, _cites(point.cites))


def _cited(cited: Cited) -> Line:
    return line(cited.text, _cites(cited.cites))


def _cites(cites: Line) -> Line:
    if not cites:
        return ()
    first, *others = cites
    return line(" (", first, *(line(", ", cite) for cite in others), ")")


def _issue(issue: Issue, total: Millis, view: View) -> Line:
    better = "even" if issue.better == EVEN else view.choices.get(issue.better, issue.better)
    by = f" ({score(abs(total))})" if view.shares else ""
    items = view.items
    refs = tuple(Ref(name, items[name].title) for name in issue.arguments if name in items)
    return line(_strong(issue.question), f" {better}{by}. ", issue.why, _cites(refs))


def _crux(crux: Crux) -> Line:
    return line(
        _strong(crux.question),
        " A yes favours: ",
        crux.yes_favours,
        ". Would settle it: ",
        crux.evidence,
    )


def _step(step: Step) -> Line:
    named = (("When", step.when), ("Go", step.go), ("No go", step.no_go), ("Else", step.fallback))
    shown = [line(f" {name}: ", said) for name, said in named if said]
    return line(step.what, *shown)


def _story(story: Story) -> Iterator[Block]:
    titles = ("The question", "The clash", "Turning points", "The verdict")
    for title, paragraphs in zip(titles, story, strict=True):
        yield Heading(title)
        yield from map(Paragraph, paragraphs)
