"""A debate of chairs for its readers: no winner, but where the chairs stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.protocols.chairs import frameworks
from debate_ops.reports import made
from debate_ops.reports.blocks import Line, Quote, Ref, Strong, Table, line
from debate_ops.reports.chairs.numbers import Numbers, text_of
from debate_ops.reports.document import document
from debate_ops.reports.text import capitalised, counted, excerpt, joined, shorten
from debate_ops.reports.view import Answer, Case, View

_QUOTE = 420
_LAST = 300


def view(numbers: Numbers) -> View:
    """Return what readers are told of a debate of chairs."""
    return View(
        content=numbers.content,
        choices={c["name"]: numbers.names[c["name"]] for c in _chairs(numbers)},
        favoured="",
        sureness=None,
        shares={},
        data=dict(_data(numbers)),
        answer=Answer(
            quiet=_quiet(numbers),
            text=_text(numbers),
            why=tuple(_why(numbers)),
            picture=_picture(numbers),
            cases=tuple(_cases(numbers)),
            is_reached=numbers.closing is not None,
        ),
    )


def outcome(numbers: Numbers) -> str:
    """Return the arbiter's closing, as it stands on record; empty while there is none."""
    return document("", [("", text_of(numbers.closing))]) if numbers.closing else ""


def _chairs(numbers: Numbers) -> list[Mapping[str, Any]]:
    return list(numbers.debate.settings["participants"])


def _quiet(numbers: Numbers) -> str:
    held = counted(numbers.statistics.exchanges, "exchange")
    return f"chairs with an arbiter, no winner · {counted(len(_chairs(numbers)), 'chair')}, {held}"


def _text(numbers: Numbers) -> str:
    names = joined([chair["name"] for chair in _chairs(numbers)])
    if numbers.closing is None:
        return f"No closing yet: {names} argue, nobody has summed up"
    return f"No winner: {names} answer from different principles"


def _why(numbers: Numbers) -> Iterator[Line]:
    if numbers.closing:
        said = Quote(excerpt(text_of(numbers.closing), _QUOTE), numbers.closing.id)
        yield line("The arbiter closes: ", said)
        return
    if numbers.content.stops_at:
        yield line(f"{capitalised(numbers.content.stops_at)}.")
    if numbers.cancelled:
        yield line(numbers.cancelled)
    yield line("Nobody wins such a debate.")
    yield line(_evaluated(numbers))


def _evaluated(numbers: Numbers) -> str:
    """Return who evaluated, and that nobody has evaluated it again."""
    if numbers.is_relaxed:
        return "Nobody was evaluated: accountability is relaxed."
    by = numbers.evaluator
    return made.alone("evaluator", by) if by else "No speech has been evaluated."


def _picture(numbers: Numbers) -> Table:
    heads: tuple[str, ...] = ("Chair", "Judges by", "Its question")
    rows = [
        (line(Strong(chair["name"])), line(framework.name), line(framework.question))
        for chair in _chairs(numbers)
        for framework in (frameworks.of(chair["framework"]),)
    ]
    positions = [shorten(chair["position"], _LAST) for chair in _chairs(numbers)]
    if not any(positions):
        return Table(heads, tuple(rows))
    return Table(
        (*heads, "Its position"),
        tuple((*row, line(p)) for row, p in zip(rows, positions, strict=True)),
    )


def _cases(numbers: Numbers) -> Iterator[Case]:
    """Yield how each chair spoke last: the nearest to its best case that the record has as data."""
    for name in (chair["name"] for chair in _chairs(numbers)):
        for last in numbers.speeches_of(name)[-1:]:
            said = line(excerpt(text_of(last), _LAST))
            yield Case(name, f"{name}, in its last speech", (said, line(Ref(last.id))))


def _data(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    for name in ("exchanges", "speeches", "interruptions"):
        yield f"count:{name}", str(getattr(numbers.statistics, name))
    for chair in numbers.statistics.chairs:
        if chair.adherence is not None:
            yield f"adherence:{chair.name}", str(chair.adherence)
