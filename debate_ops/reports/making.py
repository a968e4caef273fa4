"""How a debate and its report were made: by whom, with which settings, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from debate_ops import __version__
from debate_ops.errors import Finding
from debate_ops.reports import words
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.markdown import bullets, fold, quoted, table
from debate_ops.reports.numbers import Made, Numbers
from debate_ops.reports.phrases import CELL, REASON, left_out, newest, reasons
from debate_ops.reports.text import counted, inline, joined, shorten

_LINKED_JUDGMENTS = 40
_WARNING = 300


def making(given: Given, rows: Rows) -> Iterator[str]:
    """Yield the last part of the page."""
    numbers = given.numbers
    yield "## How this was made"
    yield table(
        ["Participant", "Replies:", "Made by", "Time:", "Tokens:"],
        [_participant(numbers, made) for made in numbers.made],
    )
    yield bullets(_facts(given))
    yield from _absences(numbers, rows)
    yield from _warnings(given.warnings, rows)
    yield (
        f"Drawn by debate-ops {__version__} from the record in this folder. "
        "A score is one judge's view of an argument, not proof of what it says."
    )


def _participant(numbers: Numbers, made: Made) -> list[str]:
    return [
        numbers.kind.sides.get(made.participant, made.participant),
        f"{made.replies:,}",
        inline(words.made_by(made, CELL)),
        f"{made.latency_ms / 1000:,.1f} s" if made.latency_ms else words.NOT_RECORDED,
        f"{made.tokens:,}" if made.tokens else words.NOT_RECORDED,
    ]


def _facts(given: Given) -> Iterator[str]:
    numbers, debate = given.numbers, given.numbers.debate
    framing = numbers.framing
    given_too = {
        "definitions": framing.definitions,
        "scope": framing.scope,
        "context": framing.context,
    }
    parts = joined(["motion", *(name for name, there in given_too.items() if there), "state"])
    yield f"{parts.capitalize()}: [debate.md](debate.md)."
    if numbers.judged:
        shown, more = newest(numbers.judged, _LINKED_JUDGMENTS)
        earlier = f"; {more} earlier ones stand beside them" if more else ""
        yield f"The judge's reasons: {', '.join(reasons(numbers, r) for r in shown)}{earlier}."
    if debate.older:
        yield "Settings: not on record, because an older tool wrote this debate."
    else:
        told = (f"{key.replace('_', ' ')} {_setting(v)}" for key, v in debate.settings.items())
        yield f"Settings: {inline('; '.join(told))}."
    if debate.created:
        yield f"Begun: {inline(shorten(debate.created, CELL))}."
    if given.set_aside:
        yield f"Set aside, not part of the debate: {inline(', '.join(given.set_aside))}."


def _setting(value: object) -> str:
    return "not set" if value == "" else shorten(str(value), CELL)


def _absences(numbers: Numbers, rows: Rows) -> Iterator[str]:
    if not numbers.absences:
        return
    shown, more = newest(numbers.absences, rows)
    yield "Replies that never came:"
    yield bullets(
        f"[{a.id}], {numbers.kind.sides.get(a.participant, a.participant)}, "
        f"{numbers.kind.place(a.exchange)} ({inline(shorten(a.how, CELL))}, by "
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
