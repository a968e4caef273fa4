"""The page: README.md of a debate folder, from the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.entries import ARGUMENTS
from debate_ops.reports import words
from debate_ops.reports.decided import decided
from debate_ops.reports.files_drawn import GRAPH, TUG_OF_WAR
from debate_ops.reports.given import Given, Rows, Story
from debate_ops.reports.making import making
from debate_ops.reports.markdown import (
    STORY_BYTES,
    bullets,
    definitions,
    fold,
    picture,
    story,
)
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.numbers import Numbers
from debate_ops.reports.phrases import CELL
from debate_ops.reports.tables import arguments, attacks, cited_sources, rescores, rounds
from debate_ops.reports.text import counted, inline, joined, one_line, paragraph, shorten

MOST_BYTES = 64_000
"""A page of more than 64 KB is slow to read and, in places, cut."""

_ROWS: tuple[Rows, ...] = (None, 150, 60, 25, 10, 3)
"""Tried in this order until the page is small enough."""

_TITLE_LENGTH = 140
_MOTION_LENGTH = 4000
_TERM_LENGTH = 600
_MOST_TERMS = 12
_OPEN_TERMS = 700
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
        *_terms(numbers, rows),
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


def _terms(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield the definitions and the scope, folded away where they are long."""
    framing = numbers.framing
    most = _MOST_TERMS if rows is None else min(rows, _MOST_TERMS)
    lines = [
        f"**{inline(shorten(item.term, CELL))}:** {inline(shorten(item.text, _TERM_LENGTH))}"
        for item in framing.definitions[:most]
    ]
    if len(framing.definitions) > most:
        more = counted(len(framing.definitions) - most, "more definition")
        lines.append(f"{more}: see [debate.md](debate.md)")
    if framing.scope.strip():
        lines.append(f"**Scope:** {inline(shorten(framing.scope, _TERM_LENGTH))}")
    if not lines:
        return
    given = {"definitions": framing.definitions, "scope": framing.scope.strip()}
    what = joined([name for name, there in given.items() if there]).capitalize()
    text = bullets(lines)
    yield text if len(text) <= _OPEN_TERMS else fold(what, text)


def _story(given: Given) -> Iterator[str]:
    told = given.story
    if told is None:
        return
    if told.turns_since > 0:
        yield (
            "> The account that follows was written before the latest part of the debate: "
            f"{counted(told.turns_since, 'turn')} came after it."
        )
    yield f"*{_origin(told)}*"
    if len(told.text.encode()) > STORY_BYTES:
        yield "The account of this debate is long: read it in [narrative.md](narrative.md)."
        return
    yield story(told.text, _targets(given.numbers))


def _origin(told: Story) -> str:
    """Return who wrote the narrative, and whether it agrees with the record."""
    who = "was put into this folder by hand" if told.by_hand else "was written by an agent"
    text = (
        f"The account from here to “Arguments” {who}. Its numbers, ids and longer quotations were "
        "checked against the record"
    )
    if told.faults:
        return f"{text} and differ from it in {counted(told.faults, 'place')}: see the warnings."
    return f"{text}."


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
