"""The first screen of a debate: what, why, how sure, what it turns on and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.model.debate import Framing
from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import (
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
)
from debate_ops.reports.sureness import Sureness
from debate_ops.reports.text import shorten
from debate_ops.reports.view import View

TITLE_LENGTH = 200
NO_MOTION = "(no motion)"


class Screen(NamedTuple):
    """The first screen; `sections` come below it, before the record.

    `remark` says where its words come from. `sureness` is None where no verdict is sought.
    """

    quiet: str
    motion: str
    answer: str
    why: tuple[Line, ...]
    picture: Bars | Table | None
    sureness: Sureness | None
    next_steps: tuple[Line, ...]
    sections: tuple[Section, ...]
    remark: Line


def screen(view: View) -> Screen:
    """Return the first screen of a debate."""
    answer = view.answer
    return Screen(
        quiet=answer.quiet,
        motion=motion(view.told.framing),
        answer=answer.text,
        why=answer.why,
        picture=answer.picture,
        sureness=view.sureness,
        next_steps=answer.next_steps,
        sections=tuple(_sections(view)),
        remark=line(
            "This page is made from the record alone: no brief has been written. "
            f"“debate-ops report {view.debate.slug}” says how to have one written."
        ),
    )


def motion(framing: Framing) -> str:
    """Return the first line of the motion."""
    lines = (text for text in framing.motion.split("\n") if one_line(text))
    return shorten(next(lines, NO_MOTION), TITLE_LENGTH)


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
    if answer.turns_on:
        yield Section("turns", "What it turns on", (Listing(answer.turns_on),))


def in_blocks(shown: Screen) -> Iterator[Block]:
    """Yield the first screen as blocks one below the other, its answer and motion left out."""
    yield Paragraph(line(Strong("Motion: "), shown.motion))
    yield from map(Paragraph, shown.why)
    if shown.picture:
        yield shown.picture
    yield from sureness(shown.sureness)
    if shown.next_steps:
        yield Heading("What to do next")
        yield Listing(shown.next_steps, ordered=True)
    for section in shown.sections:
        yield Heading(section.title)
        yield from section.blocks
    yield Paragraph(line(Quiet(f"{shown.quiet}. "), *shown.remark))


def sureness(sure: Sureness | None) -> Iterator[Block]:
    """Yield how sure the answer is, and why."""
    if sure is None:
        return
    yield Heading(f"How sure is this? {sure.level.words.capitalize()}")
    yield Listing(tuple(line(reason.text) for reason in sure.reasons))


def warning(text: str) -> Block:
    """Return words that stand out above everything else."""
    return Paragraph(line(Strong(text)))
