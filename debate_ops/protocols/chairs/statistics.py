"""What a debate of chairs came to in numbers: by chair and as a whole, from its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.model.turn import Own
from debate_ops.protocols.chairs import course, names
from debate_ops.protocols.chairs.evaluations import half_up
from debate_ops.protocols.chairs.settings import names_of
from debate_ops.protocols.schedule import Header, Past


class ChairStatistics(NamedTuple):
    """One chair in numbers; None where no evaluation says anything, which is not the same as 0.

    `evaluated` is how many of its speeches were; `adherence` their mean, from 0 to 100; the rates
    say in per cent in how many of them a part was attempted. Halves are rounded up.
    """

    name: str
    evaluated: int
    adherence: int | None
    steel_man_rate: int | None
    self_critique_rate: int | None
    interruptions_made: int
    interruptions_suffered: int


class Statistics(NamedTuple):
    """A debate in numbers; `exchanges` are those in which anybody spoke."""

    exchanges: int
    speeches: int
    interruptions: int
    interjections: int
    chairs: tuple[ChairStatistics, ...]


def of_past(past: Past) -> Statistics:
    """Return the numbers of what is on record, as far as the debate has come.

    Raises:
        BadRecordError: an evaluation was edited and cannot be counted.
    """
    heard = course.heard(past)
    speeches = [slot for slot in heard if slot.kind == names.SPEECH]
    return Statistics(
        len({speech.exchange for speech in speeches}),
        len(speeches),
        sum(slot.kind == names.INTERRUPTION for slot in heard),
        sum(slot.kind == names.INTERJECTION for slot in heard),
        tuple(_of_chair(past, name) for name in names_of(past.settings)),
    )


def _of_chair(past: Past, name: str) -> ChairStatistics:
    own = [speech for speech in course.speeches(past) if speech.participant == name]
    every = (
        past.look(course.about(speech, names.EVALUATOR, names.EVALUATION).id) for speech in own
    )
    evaluations = [header for header in every if header]
    cuts = [slot for slot in course.heard(past) if slot.kind == names.INTERRUPTION]
    return ChairStatistics(
        name,
        len(evaluations),
        _mean([int(header["adherence"]) for header in evaluations]),
        _rate(evaluations, names.STEEL_MANNING),
        _rate(evaluations, names.SELF_CRITIQUE),
        sum(cut.participant == name for cut in cuts),
        sum(course.speaker_of(past, cut) == name for cut in cuts),
    )


def _mean(numbers: Sequence[int]) -> int | None:
    return half_up(sum(numbers), len(numbers)) if numbers else None


def _rate(evaluations: Sequence[Header], part: str) -> int | None:
    """Return in how many of the evaluations that judge a part it was attempted, in per cent."""
    parts = [header["parts"][part] for header in evaluations if part in header["parts"]]
    return _mean([100 * bool(part.get("attempted")) for part in parts])


def counts(debate: Statistics) -> str:
    """Return the numbers of a whole debate in words, as in `4 exchanges, 12 speeches`."""
    words = ("exchange", "speech", "interruption", "interjection")
    return ", ".join(_number(number, word) for number, word in zip(debate[:4], words, strict=True))


def _number(number: int, word: str) -> str:
    if number == 1:
        return f"1 {word}"
    return f"{number} {word}{'es' if word.endswith('ch') else 's'}"


def lines(debate: Statistics) -> Own:
    """Return all numbers for a prompt: the debate, then each chair on a line."""
    return Own("\n".join((f"- The debate: {counts(debate)}.", *map(_line, debate.chairs))))


def _line(chair: ChairStatistics) -> str:
    parts = ["not evaluated"]
    if chair.adherence is not None:
        speeches = _number(chair.evaluated, "speech")
        parts = [f"adherence {chair.adherence} of 100 in {speeches}"]
    if chair.steel_man_rate is not None:
        tried = "tried to put the other view at its strongest"
        parts.append(f"{tried} in {chair.steel_man_rate} per cent of them")
    if chair.self_critique_rate is not None:
        parts.append(f"admitted a limit of its own in {chair.self_critique_rate} per cent of them")
    made, suffered = map(_times, (chair.interruptions_made, chair.interruptions_suffered))
    return f"- {chair.name}: {'; '.join(parts)}; interrupted {made}, was interrupted {suffered}."


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
