"""The first screen of a debate: what, why, how sure, what it turns on and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.model.debate import Framing
from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import (
    Bar,
    Bars,
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
from debate_ops.reports.brief.values import EVEN, Brief
from debate_ops.reports.sureness import Sureness
from debate_ops.reports.text import score, shorten
from debate_ops.reports.view import View

TITLE_LENGTH = 200
NO_MOTION = "(no motion)"
HOW_SURE, NO_VERDICT = "How sure is this?", "No verdict is sought"


class Screen(NamedTuple):
    """The first screen; `sections` come below it, before the record.

    `remark` says where its words come from. `sureness` is None where no verdict is sought.
    `estimate` is the reporter's own. `turns_on` are open questions, which stand with what would
    settle them in a section.
    """

    quiet: str
    motion: str
    answer: Line
    why: tuple[Line, ...]
    picture: Bars | Table | None
    sureness: Sureness | None
    estimate: Line
    turns_on: tuple[Line, ...]
    next_steps: tuple[Line, ...]
    sections: tuple[Section, ...]
    remark: Line


def screen(view: View, brief: Brief | None = None) -> Screen:
    """Return the first screen of a debate: from its brief, where there is one for this record."""
    if brief is None or brief.out_of_date:
        return _of_record(view, brief)
    data = brief.data
    view = body.named(view, data)
    sections = {section.key: section for section in body.sections(brief, view)}
    picture = _by_issue(view, brief) or _picture(view, brief, sections) or view.answer.picture
    del sections["steps"]
    place = list(sections).index("turns") + 1
    shown = list(sections.values())
    shown[place:place] = body.conditions(data)
    return Screen(
        quiet=view.answer.quiet,
        motion=motion(view.content.framing),
        answer=data["answer"],
        why=tuple(body.lean(data)),
        picture=picture,
        sureness=view.sureness,
        estimate=body.estimate(data),
        turns_on=tuple(crux["question"] for crux in data["cruxes"]) if view.sureness else (),
        next_steps=tuple(map(body.step, data["next_steps"])),
        sections=tuple(shown),
        remark=line(f"{body.GUARANTEE} {body.PROPOSALS}"),
    )


def _of_record(view: View, brief: Brief | None) -> Screen:
    answer, slug = view.answer, view.debate.slug
    missing = (
        f"The brief was written after step {brief.step}, for another record, and is not shown."
        if brief
        else "No brief has been written."
    )
    return Screen(
        quiet=answer.quiet,
        motion=motion(view.content.framing),
        answer=line(answer.text),
        why=answer.why,
        picture=answer.picture,
        sureness=view.sureness,
        estimate=(),
        turns_on=answer.turns_on,
        next_steps=answer.next_steps,
        sections=tuple(_sections(view)),
        remark=line(
            f"This page is made from the record alone. {missing} "
            f"“debate-ops report {slug}” says how to have one written."
        ),
    )


def motion(framing: Framing) -> str:
    """Return the first line of the motion."""
    lines = (text for text in framing.motion.split("\n") if one_line(text))
    return shorten(next(lines, NO_MOTION), TITLE_LENGTH)


def _picture(view: View, brief: Brief, sections: dict[str, Section]) -> Table | None:
    """Return the table that shows most at a glance, where nothing is added up.

    That of the issues is taken out of the sections: nothing stands twice.
    """
    if view.shares:
        return None
    if not view.sureness:
        return body.leanings(brief.data, view)
    if "issues" not in sections:
        return None
    (table,) = sections.pop("issues").blocks
    return table if isinstance(table, Table) else None


def _by_issue(view: View, brief: Brief) -> Bars | None:
    """Return the lead split by issue."""
    if not brief.sums or not view.shares:
        return None
    first, second = list(view.choices.values())[:2]
    lead = sum(total for _, total in brief.sums)
    bars = tuple(
        Bar(
            words(issue["question"]),
            total,
            score(abs(total)).removeprefix("+") if total else EVEN,
            tone=(total > 0) + 2 * (total < 0),
            decides=lead * (lead - total) < 0,
        )
        for issue, total in brief.sums
    )
    dashed = " Dashed: without it the result reverses." if any(b.decides for b in bars) else ""
    return Bars(
        "Where the result comes from",
        bars,
        ends=(second, first),
        total=f"Together, {_together(view)}",
        caption=f"The judge's points for each side, added up by issue.{dashed}",
    )


def _together(view: View) -> str:
    size = score(abs(view.lead)).removeprefix("+")
    if not view.favoured:
        return f"{size} points apart, too close to call"
    return f"{size} points: {view.choices[view.favoured]}"


def _sections(view: View) -> Iterator[Section]:
    answer = view.answer
    if len(answer.cases) == 1:
        yield Section("cases", answer.cases[0].title, tuple(map(Paragraph, answer.cases[0].lines)))
    elif answer.cases:
        tones = {choice: tone for tone, choice in enumerate(view.choices, 1) if view.shares}
        columns: tuple[tuple[Block, ...], ...] = tuple(
            (Heading(case.title, tones.get(case.choice, 0)), *map(Paragraph, case.lines))
            for case in answer.cases
        )
        yield Section("cases", "The best case of each", (Columns(columns),))


def in_blocks(shown: Screen) -> Iterator[Block]:
    """Yield the first screen as blocks one below the other, its answer left out."""
    yield Paragraph(line(Strong("Motion: "), shown.motion))
    yield from map(Paragraph, shown.why)
    if shown.picture:
        yield shown.picture
    yield from _sureness(shown.sureness)
    if shown.estimate:
        yield Paragraph(shown.estimate)
    if shown.turns_on:
        yield Heading("What it turns on")
        yield Listing(shown.turns_on)
    if shown.next_steps:
        yield Heading("What to do next")
        yield Listing(shown.next_steps, ordered=True)
    yield Paragraph(line(Quiet(f"{shown.quiet}. "), *shown.remark))


def below(shown: Screen) -> Iterator[Block]:
    """Yield what comes below the first screen, before the record."""
    for section in shown.sections:
        yield Heading(section.title)
        yield from section.blocks


def _sureness(sure: Sureness | None) -> Iterator[Block]:
    """Yield how sure the answer is, and why."""
    if sure is None:
        yield Heading(f"{HOW_SURE} {NO_VERDICT}")
        return
    yield Heading(f"{HOW_SURE} {sure.level.words.capitalize()}")
    yield Listing(tuple(line(reason.text) for reason in sure.reasons))


def warning(text: str) -> Block:
    """Return words that stand out above everything else."""
    return Paragraph(line(Strong(text)))
