"""How a debate and its report were made: by whom, with which settings, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from debate_ops import __version__
from debate_ops.errors import Finding
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Absence
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.made import NOT_RECORDED, Made, makers
from debate_ops.reports.markdown import bullets, fold, quoted, table
from debate_ops.reports.phrases import CELL, REASON, left_out, newest
from debate_ops.reports.text import counted, inline, joined, shorten

_WARNING = 300


class Making(NamedTuple):
    """What is told of how a debate was held and its page was drawn.

    `names` are what readers call the participants, `place` names where an absence is; `more` are
    further sentences, `settings` what is told of the settings besides; `caution` stands last.
    """

    debate: Debate
    framing: Framing
    names: Mapping[str, str]
    place: Callable[[Absence], str]
    made: tuple[Made, ...]
    absences: Sequence[Absence]
    set_aside: tuple[str, ...]
    warnings: tuple[Finding, ...]
    more: tuple[str, ...]
    caution: str
    told_elsewhere: frozenset[str] = frozenset()


class Held(Protocol):
    """What the numbers of every protocol say of how a debate was held."""

    @property
    def debate(self) -> Debate:
        """The debate itself."""
        ...  # pragma: no cover

    @property
    def framing(self) -> Framing:
        """What it is about."""
        ...  # pragma: no cover

    @property
    def names(self) -> Mapping[str, str]:
        """What readers call the participants."""
        ...  # pragma: no cover

    @property
    def made(self) -> tuple[Made, ...]:
        """By whom and how the replies were made."""
        ...  # pragma: no cover

    @property
    def absences(self) -> Sequence[Absence]:
        """Who did not reply."""
        ...  # pragma: no cover


AnyHeld = TypeVar("AnyHeld", bound=Held)


def making_of(
    given: Given[AnyHeld],
    place: Callable[[Absence], str],
    caution: str,
    *,
    more: tuple[str, ...] = (),
    told_elsewhere: Iterable[str] = (),
) -> Making:
    """Return how a debate and its report were made; `told_elsewhere` are settings shown above."""
    numbers = given.told
    return Making(
        debate=numbers.debate,
        framing=numbers.framing,
        names=numbers.names,
        place=place,
        made=numbers.made,
        absences=numbers.absences,
        set_aside=given.set_aside,
        warnings=given.warnings,
        more=more,
        caution=caution,
        told_elsewhere=frozenset(told_elsewhere),
    )


def making(told: Making, rows: Rows) -> Iterator[str]:
    """Yield the last part of the page."""
    yield "## How this was made"
    yield table(
        ["Participant", "Replies:", "Made by", "Time:", "Tokens:"],
        [_participant(told.names, item) for item in told.made],
    )
    yield bullets(_facts(told))
    yield from _absences(told, rows)
    yield from _warnings(told.warnings, rows)
    drawn = f"Drawn by debate-ops {__version__} from the record in this folder. {told.caution}"
    yield drawn.rstrip()


def _participant(names: Mapping[str, str], item: Made) -> list[str]:
    return [
        _named(names, item.participant),
        f"{item.replies:,}",
        inline(makers(item, CELL)),
        f"{item.latency_ms / 1000:,.1f} s" if item.latency_ms else NOT_RECORDED,
        f"{item.tokens:,}" if item.tokens else NOT_RECORDED,
    ]


def _named(names: Mapping[str, str], participant: str) -> str:
    return inline(shorten(names.get(participant, participant), CELL))


def _facts(told: Making) -> Iterator[str]:
    debate, framing = told.debate, told.framing
    given_too = {
        "definitions": framing.definitions,
        "scope": framing.scope,
        "context": framing.context,
    }
    parts = joined(["motion", *(name for name, there in given_too.items() if there), "state"])
    yield f"{parts.capitalize()}: [debate.md](debate.md)."
    yield from told.more
    if debate.older:
        yield "Settings: not on record, because an older tool wrote this debate."
    else:
        yield f"Settings: {inline('; '.join(_settings(told)))}."
    if debate.created:
        yield f"Begun: {inline(shorten(debate.created, CELL))}."
    if told.set_aside:
        yield f"Set aside, not part of the debate: {inline(', '.join(told.set_aside))}."


def _settings(told: Making) -> Iterable[str]:
    return (
        f"{key.replace('_', ' ')} {_setting(value)}"
        for key, value in told.debate.settings.items()
        if key not in told.told_elsewhere
    )


def _setting(value: object) -> str:
    return "not set" if value == "" else shorten(_plain(value), CELL)


def _plain(value: object) -> str:
    """Return a setting as readers write it.

    >>> _plain({"expert": 1.5, "tactics": ["red_herring", "strawman"]})
    'expert 1.5, tactics red herring and strawman'
    """
    if isinstance(value, dict):
        return ", ".join(f"{str(key).replace('_', ' ')} {_plain(v)}" for key, v in value.items())
    if isinstance(value, list | tuple):
        return joined([_plain(item).replace("_", " ") for item in value]) or "none"
    return str(value)


def _absences(told: Making, rows: Rows) -> Iterator[str]:
    if not told.absences:
        return
    shown, more = newest(told.absences, rows)
    yield "Tasks that ended without a reply on record:"
    yield bullets(
        f"[{a.id}], {_named(told.names, a.participant)}, "
        f"{told.place(a)} ({inline(shorten(a.how, CELL))}, by "
        f"{inline(shorten(a.by, CELL))}): "
        f"{quoted(a.reason, REASON)}"
        for a in shown
    )
    yield from left_out(more, "absence")


def _warnings(warnings: Sequence[Finding], rows: Rows) -> Iterator[str]:
    if not warnings:
        yield "No warnings."
        return
    shown, more = newest(warnings, rows)
    kinds = Counter(warning.code.replace("_", " ") for warning in warnings)
    tally = ", ".join(f"{number} {inline(kind)}" for kind, number in kinds.items())
    yield fold(
        f"{counted(len(warnings), 'warning')}: {tally}",
        bullets(inline(shorten(_sentence(warning), _WARNING)) for warning in shown),
        *left_out(more, "warning"),
    )


def _sentence(warning: Finding) -> str:
    """Return a warning for a reader of files: where it is in the file, not in a reply."""
    where = warning.where.removeprefix("$.")
    line = f"line {warning.line}" if warning.line else ""
    return ": ".join(filter(None, [warning.file, where, line, warning.message]))
