"""The first screen of a debate: what, why, how sure, what it turns on and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.debate import Framing
from debate_ops.model.score import ONE, Millis
from debate_ops.model.texts import one_line
from debate_ops.reports import record
from debate_ops.reports.blocks import (
    Block,
    Columns,
    Heading,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Section,
    Strong,
    Table,
    line,
    words,
)
from debate_ops.reports.brief import body
from debate_ops.reports.brief.body import Brief
from debate_ops.reports.brief.checks import EVEN, Data
from debate_ops.reports.charts import Chart, Row, Rows, worth_drawing
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Sureness
from debate_ops.reports.table import ReportData
from debate_ops.reports.text import capitalised, shorten, size
from debate_ops.reports.view import View

TITLE_LENGTH = 200
NO_MOTION = "(no motion)"
HOW_SURE, NO_VERDICT = "How sure is this?", "No verdict is sought"


class Screen(NamedTuple):
    """The first screen; `sections` come below it, before the record.

    `remark` says where its words come from. `sureness` is None where no verdict is sought.
    `estimate` is the reporter's own. `turns_on` are open questions, which are with what would
    settle them in a section; a picture where no verdict is sought has them already, so they are
    listed on phones alone.
    """

    quiet: str
    motion: str
    answer: Line
    why: tuple[Line, ...]
    picture: Chart | Table | None
    sureness: Sureness | None
    estimate: Line
    turns_on: tuple[Line, ...]
    next_steps: tuple[Line, ...]
    sections: tuple[Section, ...]
    remark: Line


def screen(view: View, brief: Brief | None = None) -> Screen:
    """Return the first screen of a debate: from its brief, where there is one for this record."""
    answer = view.answer
    missing = "No brief has been written."
    if brief:
        missing = (
            f"The brief was written after step {brief.step}, for another record, or before a panel."
        )
    of_record = Screen(
        quiet=answer.quiet,
        motion=motion(view.content.framing),
        answer=line(answer.text),
        why=answer.why,
        picture=view.picture,
        sureness=view.sureness,
        estimate=(),
        turns_on=answer.turns_on,
        next_steps=answer.next_steps,
        sections=tuple(_cases(view)),
        remark=line(
            f"This page is made from the record alone. {missing} "
            f"“debate-ops report {view.debate.slug}” says how to have one written."
        ),
    )
    shown = of_record
    if brief and not brief.out_of_date:
        shown = _of_brief(of_record, body.named(view, brief.data), brief.data)
    return shown._replace(why=(*_due(view), *shown.why))


def _due(view: View) -> Iterator[Line]:
    """Yield what is still to come of a debate."""
    if view.content.stops_at:
        yield line(Strong("This debate is not over. "), f"{capitalised(view.content.stops_at)}.")
    if view.panel_due:
        yield line(Strong(f"A panel of {view.panel_due} is still to read it."))


def _of_brief(of_record: Screen, view: View, data: Data) -> Screen:
    return of_record._replace(
        answer=data["answer"],
        why=tuple(body.lean(data)),
        picture=_picture(view, data),
        estimate=body.estimate(data),
        turns_on=tuple(crux["question"] for crux in data["cruxes"]),
        next_steps=tuple(step["lead"] for step in data["next_steps"]),
        sections=tuple(body.sections(data, view)),
        remark=line(f"{body.GUARANTEE} {body.PROPOSALS}"),
    )


def motion(framing: Framing) -> str:
    """Return the first line of the motion."""
    lines = (text for text in framing.motion.split("\n") if one_line(text))
    return shorten(next(lines, NO_MOTION), TITLE_LENGTH)


def _picture(view: View, data: Data) -> Chart | Table | None:
    """Return the picture that shows most at a glance: the lead by issue, where one is added up."""
    sums = body.sums(data, view)
    if not view.shares and not view.sureness:
        return body.leanings(data, view)
    if not sums:
        return view.picture
    if not view.shares:
        return Table(body.ISSUE_HEADS[:2], tuple(body.issue(*each, view)[:2] for each in sums))
    return next(iter(worth_drawing(_by_issue(view, sums))), None)


def _by_issue(view: View, sums: Sequence[tuple[Data, Millis]]) -> Rows:
    """Return the lead split by issue."""
    first, second = list(view.choices.values())[:2]
    lead = sum(total for _, total in sums)
    rows = tuple(
        Row(
            words(issue["question"]),
            (total / ONE,),
            size(total) if total else EVEN,
            tone=(total > 0) + 2 * (total < 0),
            dashed=lead * (lead - total) < 0,
        )
        for issue, total in sums
    )
    dashed = " Dashed: without it the result reverses." if any(row.dashed for row in rows) else ""
    sure = view.sureness.level.words if view.sureness else ""
    by = f": {view.choices[view.favoured]}" if view.favoured else f" apart, {sure}"
    return Rows(
        "issues",
        "Where the result comes from",
        rows,
        unit="the judge's points for each side, added up by issue",
        ends=(second, first),
        below=(f"Together, {size(view.lead)} points{by}.{dashed}",),
    )


def _cases(view: View) -> Iterator[Section]:
    """Yield the best case of each choice beside the others."""
    cases = view.answer.cases
    if len(cases) == 1:
        yield Section("cases", cases[0].title, tuple(map(Paragraph, cases[0].lines)))
    elif cases:
        tones = {choice: tone for tone, choice in enumerate(view.choices, 1) if view.shares}
        columns: Iterator[tuple[Block, ...]] = (
            (Heading(case.title, tones.get(case.choice, 0)), *map(Paragraph, case.lines))
            for case in cases
        )
        yield Section("cases", "The best case of each", (Columns(tuple(columns)),))


def in_blocks(shown: Screen) -> Iterator[Block]:
    """Yield the first screen and what is below it, one below the other, without its answer."""
    yield Paragraph(line(Strong("Motion: "), shown.motion))
    yield from map(Paragraph, shown.why)
    if shown.picture:
        yield shown.picture
    sure = shown.sureness
    yield Heading(f"{HOW_SURE} {sure.level.words.capitalize() if sure else NO_VERDICT}")
    if sure:
        yield Listing(tuple(line(reason.text) for reason in sure.reasons))
    if shown.estimate:
        yield Paragraph(shown.estimate)
    if shown.turns_on and sure:
        yield Heading("What it turns on")
        yield Listing(shown.turns_on)
    if shown.next_steps:
        yield Heading("What to do next")
        yield Listing(shown.next_steps, ordered=True)
    yield Paragraph(line(Quiet(f"{shown.quiet}. "), *shown.remark))
    for section in shown.sections:
        yield Heading(section.title)
        yield from section.blocks


Findings = tuple[Finding, ...]
BriefOf = Callable[[View], tuple[Brief | None, Findings]]
"""Finds the brief of a debate, and what to warn of."""


class PageData(NamedTuple):
    """A debate as its pages show it.

    `sections` are the protocol's own part of the record, `notes` what it says of entries, by id;
    `made` says how the debate came about. `warnings` are for readers; `edits` are entries that were
    changed after others came to rest on them.
    """

    view: View
    screen: Screen
    sections: tuple[Section, ...]
    notes: Mapping[str, Note]
    made: Section
    warnings: Findings
    brief: Brief | None = None
    edits: Findings = ()


def page_data(
    data: ReportData,
    *,
    brief_of: BriefOf = lambda _: (None, ()),
    set_aside: tuple[str, ...] = (),
    edits: Findings = (),
) -> PageData:
    """Return what the pages of a debate are made from.

    `brief_of` finds its brief; `set_aside` are files that were taken out of the record.
    """
    report, computed, view, _ = data
    brief, doubts = brief_of(view)
    notes = report.notes(computed)
    warnings = (*view.content.warnings, *doubts)
    shown = screen(view, brief)
    return PageData(
        view=view,
        screen=shown,
        sections=tuple(
            section._replace(blocks=blocks)
            for section in (*data.result, *report.sections(computed))
            if (blocks := tuple(b for b in section.blocks if b != shown.picture))
        ),
        notes=notes,
        made=record.made(view.content, warnings, set_aside),
        warnings=warnings,
        brief=brief,
        edits=edits,
    )
