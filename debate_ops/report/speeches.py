"""A debate in speeches for its readers: the verdict, if one was asked for, and every speech."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.core.protocol import Position
from debate_ops.core.values import Entry
from debate_ops.protocols.speeches import NOBODY
from debate_ops.report.decided import decide
from debate_ops.report.verdict import Level, Reason, Verdict
from debate_ops.report.words import count, shorten

_CLOSE = 60
"""In per cent: below it, a judge is hardly surer than of the opposite."""


def make_verdict(at: Position, stops_at: str) -> Verdict:
    """Return what the verdict says, and how sure the judge is."""
    d = at.debate
    called = {each.name: each.called or each.name for each in d.settings.participants}
    choices = {name: text or called[name] for name, text in d.settings.positions.items()}
    decision = next(iter(d.find("verdict")), None)
    sure = int(decision.data.get("percent") or 0) if decision else 0

    def name_winner(name: str) -> str:
        position = shorten(choices.get(name, name), 200)
        who = called.get(name, name)
        return f"for {who}" if position == who else f"for {who}: “{position}”"

    return decide(
        at,
        stops_at,
        kind=f"debate in speeches, {count(len(choices), 'speaker')}",
        decision=decision,
        choices=choices,
        called={
            name: who if choices[name] == who else f"{who} ({shorten(choices[name], 60)})"
            for name, who in called.items()
        },
        name_winner=name_winner,
        fact=f"The judge is {sure} % sure.",
        doubts=_list_doubts(decision, sure),
        speeches=d.find("speech"),
        sides=tuple(choices) if len(choices) == 2 else (),  # noqa: PLR2004  (two have colours)
    )


def _list_doubts(decision: Entry | None, sure: int) -> Iterator[Reason]:
    if decision and decision.data.get("winner") == NOBODY:
        yield Reason("The judge found for nobody", Level.TOO_CLOSE)
    elif sure < _CLOSE:
        yield Reason(f"The judge is {sure} % sure", Level.LOW)
