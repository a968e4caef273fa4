"""The record of a debate of chairs on its page: fair play, interruptions, notes on each text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.entries import Contribution
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import phrases, statistics
from debate_ops.protocols.chairs.names import FLOOR
from debate_ops.protocols.chairs.settings import has_interruptions, is_evaluated
from debate_ops.protocols.chairs.statistics import ChairStatistics
from debate_ops.reports.blocks import Line, Listing, Paragraph, Quote, Ref, Section, Table, line
from debate_ops.reports.chairs.speeches import (
    Speech,
    adherence,
    of_floor,
    of_interruption,
    plain,
    points,
    speeches,
    text_of,
    violation,
)
from debate_ops.reports.chairs.transcript import kind_of
from debate_ops.reports.items import Content
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, shorten

_SHORT, _LONG = 110, 240
_DASH = "\N{EN DASH}"
"""Where there was nothing to judge: that is not the same as a zero."""
_PER_CENT = "\N{NO-BREAK SPACE}%"
_ADHERENCE = (
    "Adherence is the mean of 100 points over the evaluated speeches; a rate is the share of them "
    "in which it was tried. An evaluation is one reader's view of a speech, not proof of it."
)
_PHRASES = (
    "Counted are speeches with a phrase of an English list. That is a search for words, no score; "
    "who says the same in other words is not counted."
)
_PARTICULARS = {
    "persona": "persona",
    "position": "own position",
    "must_acknowledge": "has to acknowledge",
}


def sections(content: Content) -> Iterator[Section]:
    """Yield the record: what each chair was given, fair play, interruptions."""
    settings = content.debate.settings
    particulars = tuple(_particulars(settings))
    if particulars:
        yield Section("chairs", "What each chair was given", (Listing(particulars),))
    note = Paragraph(line(_ADHERENCE if is_evaluated(settings) else _PHRASES))
    yield Section("fair-play", "Fair play", (_fair_play(content), note))
    if has_interruptions(settings):
        cuts = [(s, s.interruption) for s in speeches(content) if s.interruption]
        table = (_interruptions(cuts),) if cuts else ()
        floor = Paragraph(line(_floor(content)))
        yield Section("interruptions", "Who interrupted whom", (floor, *table))


def _particulars(settings: Settings) -> Iterator[Line]:
    for chair in settings["participants"]:
        for key, what in _PARTICULARS.items():
            if chair[key].strip():
                yield line(f"{chair['name']}, {what}: ", Quote(shorten(chair[key], _LONG)))
    for tension in settings["key_tensions"]:
        yield line("Put to all of them: ", Quote(shorten(tension, _LONG)))


def _fair_play(content: Content) -> Table:
    """Return how each chair argued: by its evaluations, or by its words where there are none."""
    debate = content.debate
    heads: tuple[str, ...] = ("With a steel-man phrase", "With a self-critique phrase")
    if is_evaluated(debate.settings):
        heads = ("Evaluated", "Adherence", "Steel-man rate", "Self-critique rate")
    rows = tuple(
        tuple(map(line, (chair.name, *_fairness(content, chair), *_counts(content, chair))))
        for chair in statistics.of_record(debate.record, debate.settings).chairs
    )
    ends = ("Interrupted others", "Was interrupted", "Words")
    return Table(("Chair", "Speeches", *heads, *ends), rows)


def _fairness(content: Content, chair: ChairStatistics) -> Iterator[str]:
    own = [text_of(speech.value) for speech in speeches(content, chair.name)]
    yield str(len(own))
    if is_evaluated(content.debate.settings):
        yield str(chair.evaluated)
        yield _rate(chair.adherence)
        yield _rate(chair.steel_man_rate, _PER_CENT)
        yield _rate(chair.self_critique_rate, _PER_CENT)
    else:
        for has_phrase in (phrases.has_steel_man, phrases.has_self_critique):
            yield str(sum(map(has_phrase, own))) if own else _DASH


def _rate(number: int | None, unit: str = "") -> str:
    return _DASH if number is None else f"{number}{unit}"


def _counts(content: Content, chair: ChairStatistics) -> Iterator[str]:
    for cuts in (chair.interruptions_made, chair.interruptions_suffered):
        yield str(cuts) if has_interruptions(content.debate.settings) else _DASH
    own = (value for value in content.contributions if value.participant == chair.name)
    yield f"{sum(int(value.data.get('words') or 0) for value in own):,}"


def _floor(content: Content) -> str:
    """Return how often the moderator was asked, and with which outcome."""
    replies = [s.floor.data for s in speeches(content) if s.floor]
    silent = sum(kind_of(absence.id) == FLOOR for absence in content.absences)
    if not replies and not silent:
        return "The moderator was never asked who would cut in."
    asked = counted(len(replies) + silent, "speech", "speeches")
    question = f"The moderator was asked after {asked} who would cut in"
    if not replies:
        return f"{question}, and no reply is on record."
    replied = f", and replied after {len(replies)}" if silent else ""
    would, was_let = (
        sum(bool(data.get(key)) for data in replies) for key in ("interrupts", "granted")
    )
    return f"{question}{replied}: somebody would have after {would}, and was let after {was_let}."


def _interruptions(cuts: list[tuple[Speech, Contribution]]) -> Table:
    rows = tuple(
        (
            line(Ref(cut.id)),
            line(cut.participant),
            line(Ref(speech.value.id)),
            line(plain(cut.data.get("reason"))),
            line(Quote(shorten(str(cut.data.get("trigger")), _SHORT))),
            line(Ref(speech.reply.id) if speech.reply else _DASH),
        )
        for speech, cut in cuts
    )
    return Table(("Interruption", "By", "Of", "Reason", "At the words", "Reply"), rows)


# ---------------------------------------------------------------- notes on each text


def notes(content: Content) -> Mapping[str, Note]:
    """Return what readers learn of each speech, and of what was said of it and into it, by id."""
    return dict(note for speech in speeches(content) for note in _notes(content, speech))


def _notes(content: Content, speech: Speech) -> Iterator[tuple[str, Note]]:
    evaluation, cut, reply = speech.evaluation, speech.interruption, speech.reply
    score = adherence(evaluation) if evaluation else ""
    states = tuple(_states(content, speech))
    yield speech.value.id, Note(score=score, states=states, facts=tuple(_facts(speech)))
    if evaluation:
        foul = ("foul",) if violation(evaluation) else ()
        yield evaluation.id, Note(score=score, states=foul)
    for about in filter(None, (speech.floor, speech.interjection)):
        yield about.id, Note(facts=(("Of", (line(Ref(speech.value.id)),)),))
    if cut:
        facts = (("Why", (line(of_interruption(cut)),)),)
        yield cut.id, Note(states=("answered" if reply else "unanswered",), facts=facts)


def _states(content: Content, speech: Speech) -> Iterator[str]:
    """Yield words to filter by."""
    if speech.interruption:
        yield "interrupted"
    if speech.interjection:
        yield "called to order"
    if violation(speech.evaluation):
        yield "foul"
    if speech.evaluation is None and is_evaluated(content.debate.settings):
        yield "not evaluated"


def _facts(speech: Speech) -> Iterator[tuple[str, tuple[Line, ...]]]:
    if evaluation := speech.evaluation:
        of = (f"{adherence(evaluation)} (", Ref(evaluation.id))
        yield "Adherence", (line(*of, f"): {points(evaluation)}"),)
    if foul := violation(speech.evaluation):
        yield "Foul", (line(foul),)
    if speech.interjection:
        yield "Called to order", (line(Ref(speech.interjection.id)),)
    if cut := speech.interruption:
        by = (f"{cut.participant} (", Ref(cut.id))
        yield "Interrupted by", (line(*by, f"): {of_interruption(cut)}"),)
    if floor := speech.floor:
        yield "Moderator", (line(f"{of_floor(floor)} (", Ref(floor.id), ")"),)
