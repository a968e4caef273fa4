"""The page: README.md of a debate folder, from the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.entries import ARGUMENTS
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.decided import decided
from debate_ops.reports.exchange.kind import TUG_OF_WAR
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.exchange.phrases import reasons
from debate_ops.reports.exchange.tables import (
    arguments,
    attacks,
    cited_sources,
    rescores,
    rounds,
)
from debate_ops.reports.given import Given, Rows, Story
from debate_ops.reports.making import Making, making
from debate_ops.reports.markdown import STORY_BYTES, picture, story
from debate_ops.reports.page import composed, fitting, graph_of, replayed, terms, title
from debate_ops.reports.phrases import newest
from debate_ops.reports.text import counted, inline

_ARROWS = "Solid arrows attack, dashed arrows defend."
_UNBALANCED = (
    "The totals do not mirror each other, because a rescore changes one side's total alone."
)
_CAUTION = "A score is one judge's view of an argument, not proof of what it says."
_LINKED_JUDGMENTS = 40


def page(given: Given[Numbers]) -> str:
    """Return the page."""
    return fitting(lambda rows: _page(given, rows))


def _page(given: Given[Numbers], rows: Rows) -> str:
    return composed(_blocks(given, rows), _targets(given.told))


def _blocks(given: Given[Numbers], rows: Rows) -> Iterator[str]:
    numbers = given.told
    yield from title(numbers.framing)
    yield from _verdict(numbers)
    yield from terms(numbers.framing, rows)
    yield picture(TUG_OF_WAR, words.tug_of_war_alt(numbers))
    yield from rounds(numbers, rows)
    yield from decided(numbers)
    yield from _story(given)
    yield from arguments(numbers, rows)
    yield from attacks(numbers, rows)
    yield from rescores(numbers, rows)
    yield from cited_sources(numbers, rows)
    yield from graph_of("attacks and defences", _ARROWS, given.graph, rows)
    yield from making(_making(given), rows)


def _targets(numbers: Numbers) -> dict[str, str]:
    """Return where the references of the page lead."""
    ids = [standing.argument.id for standing in numbers.standings]
    return {entry_id: f"{ARGUMENTS}/{entry_id}.md" for entry_id in ids} | dict(numbers.judgments)


def _verdict(numbers: Numbers) -> Iterator[str]:
    yield from replayed(numbers.debate.replay_of, numbers.kind.sides)
    if not numbers.judged:
        yield f"> **{words.result(numbers)}.** {words.under_way(numbers)}".rstrip()
        return
    parts = [
        f"> **{words.result(numbers)}** after {words.span(numbers)}; {words.standing(numbers)}.",
        inline(words.judges(numbers)),
        words.under_way(numbers),
        _UNBALANCED if sum(numbers.totals.values()) else "",
    ]
    yield " ".join(filter(None, parts))


def _making(given: Given[Numbers]) -> Making:
    numbers = given.told
    return Making(
        debate=numbers.debate,
        framing=numbers.framing,
        names=numbers.kind.sides,
        place=lambda absence: numbers.kind.place(absence.exchange),
        made=numbers.made,
        absences=numbers.absences,
        set_aside=given.set_aside,
        warnings=given.warnings,
        more=tuple(_reasons(numbers)),
        caution=_CAUTION,
    )


def _reasons(numbers: Numbers) -> Iterator[str]:
    if numbers.judged:
        shown, more = newest(numbers.judged, _LINKED_JUDGMENTS)
        earlier = f"; {more} earlier ones stand beside them" if more else ""
        yield f"The judge's reasons: {', '.join(reasons(numbers, r) for r in shown)}{earlier}."


def _story(given: Given[Numbers]) -> Iterator[str]:
    told = given.story
    if told is None:
        return
    if told.turns_since > 0:
        yield (
            "> The account that follows was written before the latest part of the debate: "
            f"{counted(told.turns_since, 'turn')} came after it."
        )
    yield f"*{_origin(told)}*"
    if len(told.text.encode()) > STORY_BYTES:
        yield "The account of this debate is long: read it in [narrative.md](narrative.md)."
        return
    yield story(told.text, _targets(given.told))


def _origin(told: Story) -> str:
    """Return who wrote the narrative, and whether it agrees with the record."""
    who = "was put into this folder by hand" if told.by_hand else "was written by an agent"
    text = (
        f"The account from here to “Arguments” {who}. Its numbers, ids and longer quotations were "
        "checked against the record"
    )
    if told.faults:
        return f"{text} and differ from it in {counted(told.faults, 'place')}: see the warnings."
    return f"{text}."
