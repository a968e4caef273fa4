"""What a debate of chairs came to in numbers: by chair and as a whole, from its record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.ids import EntryId, parse_id
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.evaluations import half_up, header_of
from debate_ops.protocols.chairs.names import (
    EVALUATION,
    INTERJECTION,
    INTERRUPTION,
    SELF_CRITIQUE,
    SPEECH,
    STEEL_MANNING,
)
from debate_ops.protocols.chairs.settings import names_of
from debate_ops.protocols.schedule import Past


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
    evaluations: int
    interruptions: int
    interjections: int
    chairs: tuple[ChairStatistics, ...]


Headers = Sequence[Mapping[str, Any]]


def of_record(record: Record, settings: Settings) -> Statistics:
    """Return the numbers of a record, as far as the debate has come.

    Raises:
        BadRecordError: an evaluation was edited and cannot be counted.
    """

    def look(entry_id: str) -> Mapping[str, Any]:
        entry = record.get(entry_id)
        return header_of(entry) if entry else {}

    ids = frozenset((*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)))
    return of_past(Past(settings, ids, look=look))


def of_past(past: Past) -> Statistics:
    """Return the numbers of what is on record."""
    by_kind: dict[str, list[EntryId]] = {}
    for parts in filter(None, map(parse_id, past.ids)):
        by_kind.setdefault(parts.kind, []).append(parts)
    names = names_of(past.settings)
    evaluated: dict[str, list[Mapping[str, Any]]] = {name: [] for name in names}
    for each in by_kind.get(EVALUATION, ()):
        header = past.look(str(each))
        if header and 1 <= each.number <= len(names):
            evaluated[names[each.number - 1]].append(header)
    speeches, interruptions = by_kind.get(SPEECH, []), by_kind.get(INTERRUPTION, [])
    return Statistics(
        len({speech.exchange for speech in speeches}),
        len(speeches),
        len(by_kind.get(EVALUATION, ())),
        len(interruptions),
        len(by_kind.get(INTERJECTION, ())),
        tuple(
            _of_chair(name, evaluated[name], interruptions, place)
            for place, name in enumerate(names, 1)
        ),
    )


def _of_chair(
    name: str, evaluations: Headers, interruptions: Iterable[EntryId], place: int
) -> ChairStatistics:
    cuts = list(interruptions)
    return ChairStatistics(
        name,
        len(evaluations),
        _mean([int(header["adherence"]) for header in evaluations]),
        _rate(evaluations, STEEL_MANNING),
        _rate(evaluations, SELF_CRITIQUE),
        sum(cut.participant == name for cut in cuts),
        sum(cut.number == place for cut in cuts),
    )


def _mean(numbers: Sequence[int]) -> int | None:
    return half_up(sum(numbers), len(numbers)) if numbers else None


def _rate(evaluations: Headers, part: str) -> int | None:
    """Return in how many of the evaluations that judge a part it was attempted, in per cent."""
    parts = [header["parts"][part] for header in evaluations if part in header["parts"]]
    return _mean([100 * bool(part.get("attempted")) for part in parts])


def counts(debate: Statistics) -> str:
    """Return the numbers of a whole debate in words, as in `4 exchanges, 12 speeches`."""
    named = (
        (debate.exchanges, "exchange"),
        (debate.speeches, "speech"),
        (debate.interruptions, "interruption"),
        (debate.interjections, "interjection"),
    )
    return ", ".join(_number(number, word) for number, word in named)


def _number(number: int, word: str) -> str:
    if number == 1:
        return f"1 {word}"
    return f"{number} {word}{'es' if word.endswith('ch') else 's'}"


def lines(debate: Statistics) -> str:
    """Return all numbers for a prompt: the debate, then each chair on a line."""
    return "\n".join((f"- The debate: {counts(debate)}.", *(_line(each) for each in debate.chairs)))


def _line(chair: ChairStatistics) -> str:
    parts = [
        "not evaluated"
        if chair.adherence is None
        else f"adherence {chair.adherence} of 100 in {_number(chair.evaluated, 'speech')}"
    ]
    for rate, what in (
        (chair.steel_man_rate, "tried to put the other view at its strongest"),
        (chair.self_critique_rate, "admitted a limit of its own"),
    ):
        parts += [] if rate is None else [f"{what} in {rate} per cent of them"]
    parts.append(
        f"interrupted {_times(chair.interruptions_made)}, was interrupted "
        f"{_times(chair.interruptions_suffered)}"
    )
    return f"- {chair.name}: {'; '.join(parts)}."


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
