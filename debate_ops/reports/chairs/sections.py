"""The record of a debate of chairs: how fairly each argued, and who interrupted whom."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.reports.blocks import Line, Listing, Paragraph, Quote, Ref, Section, Table, line
from debate_ops.reports.chairs import words
from debate_ops.reports.chairs.numbers import Numbers, phrases_of
from debate_ops.reports.chairs.reactions import plain
from debate_ops.reports.text import shorten

_SHORT, _LONG = 110, 240
_ADHERENCE = (
    "Adherence is the mean of 100 points over the evaluated speeches; a rate is the share of them "
    "in which it was tried. An evaluation is one reader's view of a speech, not proof of it."
)
_PHRASES = (
    "Counted are speeches with a phrase of an English list. That is a search for words, no score; "
    "who says the same in other words is not counted."
)


def sections(numbers: Numbers) -> Iterator[Section]:
    """Yield the record: what each chair was given, fair play, interruptions."""
    given = tuple(_given(numbers))
    if given:
        yield Section("chairs", "What each chair was given", (Listing(given),))
    fair = _phrases(numbers) if numbers.is_relaxed else _adherence(numbers)
    told = Paragraph(line(_PHRASES if numbers.is_relaxed else _ADHERENCE))
    yield Section("fair-play", "Fair play", (fair, told))
    if numbers.has_interruptions:
        table = (_interruptions(numbers),) if numbers.cut_ins else ()
        floor = Paragraph(line(words.floor(numbers)))
        yield Section("interruptions", "Who interrupted whom", (floor, *table))


def _given(numbers: Numbers) -> Iterator[Line]:
    for chair in numbers.chairs:
        for what, text in (
            ("persona", chair.persona),
            ("own position", chair.position),
            ("has to acknowledge", chair.must_acknowledge),
        ):
            if text.strip():
                yield line(f"{chair.name}, {what}: ", Quote(shorten(text, _LONG)))
    for tension in numbers.debate.settings["key_tensions"]:
        yield line("Put to all of them: ", Quote(shorten(tension, _LONG)))


def _adherence(numbers: Numbers) -> Table:
    heads = ("Chair", "Speeches", "Evaluated", "Adherence", "Steel-man rate", "Self-critique rate")
    rows = tuple(
        (
            line(chair.name),
            line(str(_speeches(numbers, chair.name))),
            line(str(chair.evaluated)),
            line(words.rate(chair.adherence)),
            line(words.rate(chair.steel_man_rate, "\N{NO-BREAK SPACE}%")),
            line(words.rate(chair.self_critique_rate, "\N{NO-BREAK SPACE}%")),
            *_counts(numbers, chair.name),
        )
        for chair in numbers.statistics.chairs
    )
    return Table((*heads, *_COUNTS), rows)


_COUNTS = ("Interrupted others", "Was interrupted", "Words")


def _counts(numbers: Numbers, name: str) -> tuple[Line, ...]:
    chair = next(c for c in numbers.statistics.chairs if c.name == name)
    cuts = (chair.interruptions_made, chair.interruptions_suffered)
    shown = map(str, cuts) if numbers.has_interruptions else (words.DASH, words.DASH)
    return (*map(line, shown), line(f"{numbers.words.get(name, 0):,}"))


def _speeches(numbers: Numbers, name: str) -> int:
    return sum(s.chair == name and not s.is_absent for s in numbers.speeches)


def _phrases(numbers: Numbers) -> Table:
    heads = ("Chair", "Speeches", "With a steel-man phrase", "With a self-critique phrase")
    rows = tuple(
        (
            line(item.name),
            line(str(item.speeches)),
            line(str(item.steel_man) if item.speeches else words.DASH),
            line(str(item.self_critique) if item.speeches else words.DASH),
            *_counts(numbers, item.name),
        )
        for item in phrases_of(numbers)
    )
    return Table((*heads, *_COUNTS), rows)


def _interruptions(numbers: Numbers) -> Table:
    rows = tuple(
        (
            line(Ref(cut.id)),
            line(cut.by),
            line(Ref(speech.id)),
            line(plain(cut.reason)),
            line(Quote(shorten(cut.trigger, _SHORT))),
            line(Ref(speech.reply)) if speech.reply else line(words.DASH),
        )
        for speech, cut in numbers.cut_ins
    )
    return Table(("Interruption", "By", "Of", "Reason", "At the words", "Reply"), rows)
