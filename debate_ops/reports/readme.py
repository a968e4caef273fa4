"""The page: README.md of a debate folder, from the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.entries import ARGUMENTS
from debate_ops.reports import words
from debate_ops.reports.decided import decided
from debate_ops.reports.files_drawn import GRAPH, TUG_OF_WAR
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import making
from debate_ops.reports.markdown import STORY_BYTES, definitions, fold, picture, story
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.numbers import Numbers
from debate_ops.reports.tables import arguments, attacks, cited_sources, rescores, rounds
from debate_ops.reports.text import counted, inline, one_line, paragraph, shorten

MOST_BYTES = 64_000
"""A page of more than 64 KB is slow to read and, in places, cut."""

_ROWS: tuple[Rows, ...] = (None, 150, 60, 25, 10, 3)
"""Tried in this order until the page is small enough."""

_TITLE_LENGTH = 140
_MOTION_LENGTH = 4000
_ARROWS = "Solid arrows attack, dashed arrows defend."
_UNBALANCED = (
    "The totals do not mirror each other, because a rescore changes one side's total alone."
)


def page(given: Given) -> str:
    """Return the page, with lists shortened where it would be too long: it says so there."""
    text = ""
    for rows in _ROWS:
        text = _page(given, rows)
        if len(text.encode("utf-8")) < MOST_BYTES:
            break
    return text


def _page(given: Given, rows: Rows) -> str:
    numbers = given.numbers
    blocks = [
        *_title(numbers),
        *_verdict(numbers),
        picture(TUG_OF_WAR, words.tug_of_war_alt(numbers)),
        *rounds(numbers, rows),
        *decided(numbers),
        *_story(given),
        *arguments(numbers, rows),
        *attacks(numbers, rows),
        *rescores(numbers, rows),
        *cited_sources(numbers, rows),
        *_graph(given.graph, rows),
        *making(given, rows),
    ]
    text = "\n\n".join(blocks)
    return f"{text}\n\n{definitions(_targets(numbers), text)}".rstrip("\n") + "\n"


def _targets(numbers: Numbers) -> dict[str, str]:
    """Return where the references of the page lead."""
    ids = [standing.argument.id for standing in numbers.standings]
    return {entry_id: f"{ARGUMENTS}/{entry_id}.md" for entry_id in ids} | dict(numbers.judgments)


def _title(numbers: Numbers) -> Iterator[str]:
    """Yield the motion as the title; one that is no single line stands in full below it."""
    motion = numbers.framing.motion
    lines = [line for line in motion.split("\n") if one_line(line)] or ["(no motion)"]
    title = shorten(lines[0], _TITLE_LENGTH)
    yield f"# {inline(title)}"
    if len(lines) == 1 and not title.endswith("…"):
        return
    if len(motion) <= _MOTION_LENGTH:
        yield "\\\n".join(f"> {paragraph(line)}" for line in lines)
        return
    yield f"> {paragraph(shorten(motion, _MOTION_LENGTH))}"
    yield "The motion is shortened here; it stands in full in [debate.md](debate.md)."


def _verdict(numbers: Numbers) -> Iterator[str]:
    if label := words.replay(numbers):
        yield (
            f"> **This is {inline(label)}.** Its replies come from that record; "
            "nobody was asked anew."
        )
    if not numbers.judged:
        yield f"> **{words.result(numbers)}.** {words.under_way(numbers)}".rstrip()
        return
    parts = [
        f"> **{words.result(numbers)}** after {words.span(numbers)}; {words.standing(numbers)}.",
        inline(words.judges(numbers)),
        words.under_way(numbers),
        _UNBALANCED if sum(numbers.totals.values()) else "",
    ]
    yield " ".join(filter(None, parts))


def _story(given: Given) -> Iterator[str]:
    told = given.story
    if told is None:
        return
    if told.turns_since > 0:
        yield (
            "> The account that follows was written before the latest part of the debate: "
            f"{counted(told.turns_since, 'turn')} came after it."
        )
    if len(told.text.encode()) > STORY_BYTES:
        yield "The account of this debate is long: read it in [narrative.md](narrative.md)."
        return
    yield story(told.text, _targets(given.numbers))
    if told.faults:
        places = counted(told.faults, "place")
        yield f"*This account differs from the record in {places}: see the warnings below.*"
    else:
        yield "*Ids, numbers and longer quotations of this account were held against the record.*"


def _graph(graph: Graph, rows: Rows) -> Iterator[str]:
    """Yield the graph; a page that is too long only names its file."""
    link = f"[{GRAPH}]({GRAPH})"
    if not graph.of:
        return
    if rows is not None:
        yield f"The graph of attacks and defences is in {link}. {graph.note}".rstrip()
        return
    yield fold(
        "Graph of attacks and defences",
        f"```mermaid\n{graph.text}```",
        " ".join(filter(None, [_ARROWS, graph.note, f"As a file: {link}."])),
    )
