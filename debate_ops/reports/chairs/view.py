"""A debate of chairs for its readers: no winner, but where the chairs stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.model.entries import Contribution
from debate_ops.protocols.chairs import frameworks
from debate_ops.protocols.chairs.names import CLOSING, EVALUATOR
from debate_ops.protocols.chairs.settings import is_evaluated
from debate_ops.protocols.chairs.statistics import Statistics, of_record
from debate_ops.reports import made
from debate_ops.reports.blocks import Line, Quote, Ref, Strong, Table, line
from debate_ops.reports.cancelled import cancelled
from debate_ops.reports.chairs.speeches import speeches, text_of
from debate_ops.reports.document import document
from debate_ops.reports.items import Content
from debate_ops.reports.text import capitalised, counted, excerpt, joined, shorten
from debate_ops.reports.view import Answer, Case, View

_QUOTE = 420
_LAST = 300


def view(content: Content) -> View:
    """Return what readers are shown of a debate of chairs."""
    closing, statistics = _closing(content), _statistics(content)
    return View(
        content=content,
        choices={c["name"]: content.names[c["name"]] for c in _chairs(content)},
        favoured="",
        sureness=None,
        shares={},
        data=dict(_data(statistics)),
        answer=Answer(
            quiet=_quiet(content, statistics),
            text=_text(content, closing),
            why=tuple(_why(content, closing)),
            picture=_picture(content),
            cases=tuple(_cases(content)),
            is_reached=closing is not None,
        ),
    )


def outcome(content: Content) -> str:
    """Return the arbiter's closing, as it stands on record; empty while there is none."""
    closing = _closing(content)
    return document("", [("", text_of(closing))]) if closing else ""


def _closing(content: Content) -> Contribution | None:
    return next((value for value in content.contributions if value.kind == CLOSING), None)


def _statistics(content: Content) -> Statistics:
    return of_record(content.debate.record, content.debate.settings)


def _chairs(content: Content) -> list[Mapping[str, Any]]:
    return list(content.debate.settings["participants"])


def _quiet(content: Content, statistics: Statistics) -> str:
    size = f"{counted(len(_chairs(content)), 'chair')}, {counted(statistics.exchanges, 'exchange')}"
    return f"chairs with an arbiter, no winner · {size}"


def _text(content: Content, closing: Contribution | None) -> str:
    names = joined([chair["name"] for chair in _chairs(content)])
    if closing is None:
        return f"No closing yet: {names} argue, nobody has summed up"
    return f"No winner: {names} answer from different principles"


def _why(content: Content, closing: Contribution | None) -> Iterator[Line]:
    if closing:
        said = Quote(excerpt(text_of(closing), _QUOTE), closing.id)
        yield line("The arbiter closes: ", said)
        return
    if content.stops_at:
        yield line(f"{capitalised(content.stops_at)}.")
    if ended := cancelled(content.contributions):
        yield line(ended)
    yield line("Nobody wins such a debate.")
    yield line(_evaluated(content))


def _evaluated(content: Content) -> str:
    """Return who evaluated, and that nobody has evaluated it again."""
    if not is_evaluated(content.debate.settings):
        return "Nobody was evaluated: accountability is relaxed."
    by = next((m for m in content.made if m.participant == EVALUATOR and m.replies), None)
    return made.alone("evaluator", by) if by else "No speech has been evaluated."


def _picture(content: Content) -> Table:
    heads = ("Chair", "Judges by", "Its question", "Its position")
    shown = len(heads) if any(chair["position"] for chair in _chairs(content)) else len(heads) - 1
    return Table(heads[:shown], tuple(_row(chair)[:shown] for chair in _chairs(content)))


def _row(chair: Mapping[str, Any]) -> tuple[Line, ...]:
    framework = frameworks.of(chair["framework"])
    position = line(shorten(chair["position"], _LAST))
    return line(Strong(chair["name"])), line(framework.name), line(framework.question), position


def _cases(content: Content) -> Iterator[Case]:
    """Yield how each chair spoke last: the nearest to its best case that the record has as data."""
    for name in (chair["name"] for chair in _chairs(content)):
        for last in speeches(content, name)[-1:]:
            said = line(excerpt(text_of(last.value), _LAST))
            yield Case(name, f"{name}, in its last speech", (said, line(Ref(last.value.id))))


def _data(statistics: Statistics) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield "count:exchanges", str(statistics.exchanges)
    yield "count:speeches", str(statistics.speeches)
    yield "count:interruptions", str(statistics.interruptions)
    for chair in statistics.chairs:
        if chair.adherence is not None:
            yield f"adherence:{chair.name}", str(chair.adherence)
