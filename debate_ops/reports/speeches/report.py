"""A debate in speeches for its readers: verdict, how sure that is, every speech: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.protocols.speeches.rules import JUDGE, SPEECH, VERDICT
from debate_ops.protocols.speeches.settings import NOBODY, positions_of
from debate_ops.reports.blocks import Section
from debate_ops.reports.content import content_of
from debate_ops.reports.decided import Decided
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.text import counted
from debate_ops.reports.view import View

ANSWER_RULE = (
    "Two or more gave speeches. The answer is what the verdict says or, where there is none, that "
    "nobody judged. Give the issues on which they met, and who had the better of each."
)

_CLOSE = 60
"""In per cent: below it, a judge is hardly surer than of the opposite."""


def read(debate: Debate) -> Decided:
    """Return a debate with its verdict."""
    content, positions = content_of(debate), positions_of(debate.settings)
    choices = {name: text or name for name, text in positions.items()}
    return Decided(content, choices, next(iter(content.of(VERDICT)), None))


def view(debate: Decided) -> View:
    """Return what readers are shown of a debate in speeches."""
    choices, winner = debate.choices, debate.winner
    answer = debate.answer(
        f"debate in speeches, {counted(len(choices), 'speaker')}",
        len(debate.content.of(SPEECH)),
        f"for {_named(winner, choices)}",
        f"The judge is {_percent(debate)} % sure.",
    )
    cases = debate.cases(SPEECH, lambda name: f"The last word of {_named(name, choices)}")
    return View(
        content=debate.content,
        choices=choices,
        favoured=winner if winner in choices else "",
        sureness=debate.sureness(_doubts(debate)),
        shares={},
        data=dict(_data(debate)),
        answer=answer._replace(cases=tuple(cases)),
    )


def _named(name: str, choices: Mapping[str, str]) -> str:
    """Return a speaker with what it speaks for."""
    position = choices.get(name, name)
    return name if position == name else f"{name}: “{position}”"


def _percent(debate: Decided) -> int:
    """Return how sure the judge is."""
    return int(debate.value.data.get("percent") or 0) if debate.value else 0


def _doubts(debate: Decided) -> Iterator[Reason]:
    if debate.winner == NOBODY:
        yield Reason("The judge found for nobody", Level.TOO_CLOSE)
    elif _percent(debate) < _CLOSE:
        yield Reason(f"The judge is {_percent(debate)} % sure", Level.LOW)


def _data(debate: Decided) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield from debate.counts((SPEECH,), (SPEECH,))
    if debate.value:
        yield "percent:sure", str(_percent(debate))


def sections(_: Decided) -> tuple[Section, ...]:
    """Return nothing: the speeches and the verdict are the whole record."""
    return ()


def outcome(debate: Decided) -> Section | None:
    """Return the verdict as it stands on record; nothing while there is none."""
    title = debate.value.data["title"] if debate.value else ""
    return debate.section("Verdict", f"{title}, {_percent(debate)} % sure.")


def notes(debate: Decided) -> Mapping[str, Note]:
    """Return the notes on each text that readers are shown, by id."""
    return debate.notes()


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    judge = {JUDGE: "judge"} if debate.settings["judge"] == "one" else {}

    def place(entry: Entry) -> str:
        is_verdict = entry.participant == JUDGE and judge
        return "Verdict" if is_verdict else f"Round {entry.exchange}"

    return Outline({**positions_of(debate.settings), **judge}, place, numbers=_numbers)


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield how sure the judge is of the winner."""
    if value.kind == VERDICT:
        yield str(value.data.get("winner")), "sure", value.data.get("percent")
