"""The page of a debate of chairs: what came of it, how the chairs kept to it, every speech."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.entries import Absence
from debate_ops.protocols.chairs.names import (
    INTERJECTION,
    INTERRUPTION,
    REPLY,
)
from debate_ops.reports.chairs import transcript, words
from debate_ops.reports.chairs.numbers import Numbers, Speech, phrases_of
from debate_ops.reports.chairs.reactions import CutIn, plain
from debate_ops.reports.chairs.transcript import ANSWERS, CUTS_IN, REACTIONS
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import making, making_of
from debate_ops.reports.markdown import bullets, fold, quoted, reference, table
from debate_ops.reports.page import terms
from debate_ops.reports.parts import Parts
from debate_ops.reports.phrases import CELL, REASON, left_out, newest
from debate_ops.reports.text import counted, inline, shorten
from debate_ops.reports.transcript import as_markdown
from debate_ops.reports.transcript.values import Part, Passage, spoken

_CHARACTERS = {None: None, 150: 2400, 60: 1200, 25: 600, 10: 300, 3: 120}
"""Of each text, by how many rows of a list the page has room for."""
_PARTS = {25: 12, 10: 4, 3: 1}
"""How many parts of the debate are shown, the newest, where there is little room."""
_WITHIN = frozenset({INTERJECTION, INTERRUPTION, REPLY})
"""What stands, with a heading of its own, under the speech that it is about."""
_CAUTION = "An evaluation is one reader's view of a speech, not proof of what it says."


def parts(given: Given[Numbers], rows: Rows) -> Parts:
    """Yield the parts of the page."""
    numbers = given.told
    yield from terms(numbers.framing, rows)
    yield from _facts(numbers)
    yield from _chairs(numbers)
    yield from _closing(numbers, rows)
    yield from _adherence(numbers)
    yield from _interruptions(numbers, rows)
    yield from _debate(numbers, rows)
    yield from as_markdown.sources(numbers.transcript.sources, reference, "##")
    caution = "" if numbers.is_relaxed else _CAUTION
    made = making_of(given, _place, caution, told_elsewhere=("participants", "key_tensions"))
    yield from making(made, rows)


def _facts(numbers: Numbers) -> Iterator[str]:
    if numbers.transcript.duration:
        duration = numbers.transcript.duration
        yield f"Duration: {spoken(duration)} ({counted(duration, 'second')})."


def _chairs(numbers: Numbers) -> Iterator[str]:
    yield "## The chairs"
    yield table(
        ["Chair", "Framework", "It asks"],
        [
            [
                chair.name,
                inline(shorten(chair.framework, CELL)),
                inline(shorten(chair.question, REASON)),
            ]
            for chair in numbers.chairs
        ],
    )
    own = [
        f"{chair.name}, {what}: {quoted(text, REASON)}"
        for chair in numbers.chairs
        for what, text in (
            ("persona", chair.persona),
            ("own position", chair.position),
            ("has to acknowledge", chair.must_acknowledge),
        )
        if text.strip()
    ]
    own += [
        f"Put to all of them: {quoted(each, REASON)}"
        for each in numbers.debate.settings["key_tensions"]
    ]
    if own:
        yield bullets(own)


def _closing(numbers: Numbers, rows: Rows) -> Iterator[str]:
    yield "## What they agreed and clashed on"
    if numbers.closing is None:
        yield words.NOT_CLOSED if numbers.is_over else words.TO_BE_CLOSED
        return
    yield "In the words of the arbiter, who alone wrote it:"
    passage = next(p for p in numbers.transcript.passages if p.id == numbers.closing.id)
    yield from as_markdown.content(passage, reference, _CHARACTERS[rows])


def _adherence(numbers: Numbers) -> Iterator[str]:
    yield "## How the chairs kept to it"
    if numbers.is_relaxed:
        yield from _phrases(numbers)
        return
    heads = ["Chair", "Speeches:", "Evaluated:", "Adherence:", "Steel-man rate:"]
    heads += ["Self-critique rate:", "Interrupted others:", "Was interrupted:", "Words:"]
    yield table(heads, [_row(numbers, chair.name) for chair in numbers.chairs])
    yield (
        "Adherence is the mean of 100 points over the evaluated speeches; a rate is the share of "
        f"them in which it was tried. {words.DASH} means that there was nothing to judge."
    )


def _row(numbers: Numbers, name: str) -> list[str]:
    told = next(c for c in numbers.statistics.chairs if c.name == name)
    percent = "\N{NO-BREAK SPACE}%"
    return [
        name,
        str(_given(numbers, name)),
        str(told.evaluated),
        words.rate(told.adherence),
        words.rate(told.steel_man_rate, percent),
        words.rate(told.self_critique_rate, percent),
        *_cuts(numbers, name),
        f"{numbers.words.get(name, 0):,}",
    ]


def _given(numbers: Numbers, name: str) -> int:
    return sum(s.chair == name and not s.is_absent for s in numbers.speeches)


def _cuts(numbers: Numbers, name: str) -> list[str]:
    told = next(c for c in numbers.statistics.chairs if c.name == name)
    if not numbers.has_interruptions:
        return [words.DASH, words.DASH]
    return [str(told.interruptions_made), str(told.interruptions_suffered)]


def _phrases(numbers: Numbers) -> Iterator[str]:
    """Yield what a list of phrases finds, where nobody evaluates: named as what it is."""
    yield words.RELAXED
    heads = ["Chair", "Speeches:", "With a steel-man phrase:", "With a self-critique phrase:"]
    heads += ["Interrupted others:", "Was interrupted:", "Words:"]
    yield table(
        heads,
        [
            [
                found.name,
                str(found.speeches),
                str(found.steel_man) if found.speeches else words.DASH,
                str(found.self_critique) if found.speeches else words.DASH,
                *_cuts(numbers, found.name),
                f"{numbers.words.get(found.name, 0):,}",
            ]
            for found in phrases_of(numbers)
        ],
    )
    yield (
        "Phrases found: in so many speeches stands one of a list of English phrases. That is a "
        "search for words, no score; who says the same in other words is not counted."
    )


def _interruptions(numbers: Numbers, rows: Rows) -> Iterator[str]:
    cuts = numbers.cut_ins
    if not numbers.has_interruptions:
        return
    yield "## Who interrupted whom"
    yield words.floor(numbers)
    if not cuts:
        return
    shown, more = newest(cuts, rows)
    yield table(
        ["Interruption", "By", "Of", "Reason", "At the words", "Reply"],
        [
            [
                f"[{cut.id}]",
                cut.by,
                f"[{speech.id}]",
                inline(plain(cut.reason)),
                quoted(cut.trigger, CELL),
                f"[{speech.reply}]" if speech.reply else words.DASH,
            ]
            for speech, cut in shown
        ],
    )
    yield from left_out(more, "interruption")


def _debate(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield every part of the debate in order, but for the closing, which stands above."""
    closing = numbers.closing.id if numbers.closing else ""
    parts = [p for p in numbers.transcript.parts if p.passages[0].id != closing]
    shown, more = newest(parts, _PARTS.get(rows) if rows else None)
    if more:
        yield "## The debate before that"
        yield from left_out(more, "part")
    for part in shown:
        yield from _part(part, numbers, rows)
    if numbers.transcript.partial:
        yield "## The record ends here"
        yield f"*Not completed:* {inline(numbers.transcript.partial)}."


def _part(part: Part, numbers: Numbers, rows: Rows) -> Iterator[str]:
    yield f"## {inline(part.title)}"
    speeches = {speech.id: speech for speech in numbers.speeches}
    for passage in part.passages:
        kind = transcript.kind_of(passage.id) if passage.is_absence else passage.kind
        if kind in REACTIONS:
            yield from _reaction(passage, kind, rows)
            continue
        if passage.heading != part.title:
            level = "####" if kind in _WITHIN else "###"
            heading = f"No {kind} of {passage.participant}"
            heading = heading if passage.is_absence else passage.heading
            yield f"{level} {inline(shorten(heading, CELL))}"
        yield from _marks(passage, speeches)
        told = tuple(each for each in passage.texts if each[0] not in {ANSWERS, CUTS_IN})
        shown = passage._replace(texts=told)
        yield from as_markdown.content(shown, reference, _CHARACTERS[rows])


def _marks(passage: Passage, speeches: Mapping[str, Speech]) -> Iterator[str]:
    """Yield what a passage answers, and by whom it was interrupted, with the reason."""
    for name, text in passage.texts:
        if name == ANSWERS:
            yield f"In answer to [{text}]."
    speech = speeches.get(passage.id)
    if speech and (cut := speech.interruption):
        yield f"**Interrupted by {cut.by}** ([{cut.id}]): {_why(cut)}"
    for speech in speeches.values():
        if speech.interruption and speech.interruption.id == passage.id:
            yield f"*Into [{speech.id}]*: {_why(speech.interruption)}"


def _why(cut: CutIn) -> str:
    return f"{inline(plain(cut.reason))}, at {quoted(cut.trigger, REASON)}"


def _reaction(passage: Passage, kind: str, rows: Rows) -> Iterator[str]:
    """Yield what an evaluation or the moderator says: the numbers open, the notes folded away."""
    if passage.is_absence:
        yield f"*No {kind}* ([{passage.id}]): {as_markdown.absence(passage)}"
        return
    (what, numbers), *notes = passage.texts
    yield f"*{what}* ([{passage.id}]): {inline(numbers)}"
    if notes and rows is None:
        told = passage._replace(texts=tuple(notes))
        yield fold(f"Notes of the {passage.participant}", *as_markdown.texts(told))


def _place(absence: Absence) -> str:
    what = transcript.kind_of(absence.id)
    return f"exchange {absence.exchange}, {what}" if absence.exchange else what
