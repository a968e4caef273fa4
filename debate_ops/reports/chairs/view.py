"""A debate of chairs for its readers: no winner, but where the chairs stand."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.reports.blocks import Line, Quote, Ref, Strong, Table, line
from debate_ops.reports.chairs import words
from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.exports import from_record
from debate_ops.reports.text import counted, excerpt, joined, shorten
from debate_ops.reports.view import Answer, Case, View

_QUOTE = 420
_LAST = 300


def view(numbers: Numbers) -> View:
    """Return what readers are told of a debate of chairs."""
    return View(
        told=from_record.told(numbers.debate),
        choices={c.name: f"{c.name} ({c.framework})" for c in numbers.chairs},
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


def _quiet(numbers: Numbers) -> str:
    held = counted(numbers.statistics.exchanges, "exchange")
    return f"chairs with an arbiter, no winner · {counted(len(numbers.chairs), 'chair')}, {held}"


def _text(numbers: Numbers) -> str:
    names = joined([c.name for c in numbers.chairs])
    if numbers.closing is None:
        return f"No closing yet: {names} argue, nobody has summed up"
    return f"No winner: {names} answer from different principles"


def _why(numbers: Numbers) -> Iterator[Line]:
    if numbers.closing:
        said = Quote(excerpt(numbers.closing.text, _QUOTE), numbers.closing.id)
        yield line("The arbiter closes: ", said)
    else:
        yield from (line(sentence) for sentence in words.why(numbers))


def _picture(numbers: Numbers) -> Table:
    heads: tuple[str, ...] = ("Chair", "Judges by", "Its question")
    rows = [(line(Strong(c.name)), line(c.framework), line(c.question)) for c in numbers.chairs]
    if not any(c.position for c in numbers.chairs):
        return Table(heads, tuple(rows))
    positions = (line(shorten(c.position, _LAST)) for c in numbers.chairs)
    return Table(
        (*heads, "Its position"), tuple((*r, p) for r, p in zip(rows, positions, strict=True))
    )


def _cases(numbers: Numbers) -> Iterator[Case]:
    """Yield how each chair spoke last: the nearest to its best case that the record has as data."""
    for chair in numbers.chairs:
        own = [s for s in numbers.speeches if s.chair == chair.name and not s.is_absent]
        if own:
            last = own[-1]
            said = line(excerpt(last.text, _LAST))
            yield Case(chair.name, f"{chair.name}, in its last speech", (said, line(Ref(last.id))))


def _data(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield "count:exchanges", str(numbers.statistics.exchanges)
    yield "count:speeches", str(numbers.statistics.speeches)
    yield "count:interruptions", str(numbers.statistics.interruptions)
    for chair in numbers.statistics.chairs:
        if chair.adherence is not None:
            yield f"adherence:{chair.name}", str(chair.adherence)
