"""A transcript as plain text of 80 columns; what participants said is indented, nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.model.texts import one_line
from debate_ops.reports.text import columns, counted
from debate_ops.reports.transcript.citations import loose, renumbered
from debate_ops.reports.transcript.values import Citation, Passage, Source, Transcript, spoken

WIDTH = 80
_INDENT = "    "
_FURTHER = "  "
"""What begins the second line of what is not indented, and those after it."""
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")


def render(told: Transcript) -> str:
    """Return the whole transcript."""
    return "\n\n".join(_blocks(told)) + "\n"


def _blocks(told: Transcript) -> Iterator[str]:
    head = "PARTIAL TRANSCRIPT" if told.partial else "TRANSCRIPT"
    yield f"{head}\n{'=' * len(head)}"
    yield body(told.motion)
    if told.partial:
        yield wrapped(f"This debate is not over: {told.partial}.")
    yield "\n".join(wrapped(line) for line in _facts(told))
    for part in told.parts:
        title = one_line(part.title).upper()
        yield f"{title}\n{'-' * sum(map(columns, title))}"
        for passage in part.passages:
            yield from _passage(passage)
    if told.partial:
        yield wrapped(f"THE RECORD ENDS HERE: {told.partial}.")
    yield from _sources(told.sources)


def _facts(told: Transcript) -> Iterator[str]:
    names = ", ".join(f"{name} ({what})" if what else name for name, what in told.participants)
    yield f"Debate: {told.debate}, protocol {told.protocol}"
    yield f"Participants: {names}"
    if told.created:
        yield f"Begun: {told.created}"
    if told.duration:
        yield f"Duration: {spoken(told.duration)} ({counted(told.duration, 'second')})"
    yield f"Rounds on record: {told.rounds}"
    yield from (f"Left out here, but on record: {kind}" for kind in told.hidden)


def _passage(passage: Passage) -> Iterator[str]:
    where = ", ".join(filter(None, (passage.id, passage.at)))
    yield f"{wrapped(passage.heading)}\n{wrapped(f'({where})')}"
    if passage.is_absence:
        yield wrapped(f"No reply ({passage.how}, by {passage.by}):")
    for name, text in passage.texts:
        if name:
            yield wrapped(f"{name}:")
        yield body(renumbered(text, passage.citations))
    if passage.cut:
        words, kept, _ = passage.cut
        yield wrapped(
            f"(Cut at the word limit: {kept} of {counted(words, 'word')} stand here; the rest is "
            "in the file of this entry.)"
        )
    if passage.citations:
        yield "\n".join(map(_citation, passage.citations))
    markers = [m for _, text in passage.texts for m in loose(text, passage.citations)]
    if markers:
        named = ", ".join(dict.fromkeys(markers))
        yield wrapped(f"(No source of this passage belongs to {named}.)")


def _citation(citation: Citation) -> str:
    detail = f": {citation.detail}" if citation.detail.strip() else ""
    return wrapped(f"[{citation.number}] {citation.source}{detail}")


def _sources(found: tuple[Source, ...]) -> Iterator[str]:
    if not found:
        return
    yield "SOURCES\n-------"
    yield "As cited by the speakers, not checked."
    for source in found:
        details = f": {'; '.join(source.details)}" if source.details else ""
        yield wrapped(f"[{source.number}] {source.source}{details} ({', '.join(source.cited_by)})")


def body(text: str) -> str:
    """Return what a participant said: every line of it indented, its paragraphs kept."""
    paragraphs = _BLANK.split(text.replace("\r\n", "\n").strip("\n"))
    return "\n\n".join(
        "\n".join(wrapped(line, _INDENT) for line in paragraph.split("\n") if one_line(line))
        for paragraph in paragraphs
        if one_line(paragraph)
    )


def wrapped(text: str, indent: str = "") -> str:
    """Return one line of text as lines of at most 80 columns; a long address stays in one piece.

    None but the first begins where the lines of this program begin: the words may be foreign.
    """
    further = indent or _FURTHER
    lines = [indent]
    for piece in _pieces(one_line(text), WIDTH - len(further)):
        used = sum(map(columns, lines[-1]))
        space = " " if lines[-1] != indent and not piece.startswith(_GLUED) else ""
        word = piece.removeprefix(_GLUED)
        if lines[-1] != indent and used + len(space) + sum(map(columns, word)) > WIDTH:
            lines.append(further + word)
        else:
            lines[-1] += space + word
    return "\n".join(lines)


_GLUED = "\0"
"""Marks a piece of a word: no space belongs before it."""


def _pieces(text: str, room: int) -> Iterator[str]:
    """Yield words; one in a script without spaces comes letter by letter."""
    for word in text.split():
        wide = sum(map(columns, word)) > max(room, len(word))
        if not wide:
            yield word
            continue
        for place, letter in enumerate(word):
            yield f"{_GLUED}{letter}" if place else letter
