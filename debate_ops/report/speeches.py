"""A debate in speeches for its readers: the verdict, if one was asked for, and every speech."""

from __future__ import annotations

from debate_ops.core.protocol import Position
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
    winner = str(decision.data.get("winner")) if decision else ""
    doubt = Reason(
        f"The judge is {sure} % sure", Level.TOO_CLOSE if winner == NOBODY else Level.LOW
    )
    who, what = called.get(winner, winner), choices.get(winner, "")
    position = f": “{shorten(what, 200)}”" if what != who and what else ""
    return decide(
        at,
        stops_at,
        kind=f"debate in speeches, {count(len(choices), 'speaker')}",
        decision=decision,
        answer=f"The judge decides for {who}{position}",
        fact=f"The judge is {sure} % sure.",
        doubts=(doubt,) if winner == NOBODY or sure < _CLOSE else (),
        speeches=d.find("speech"),
        choices=choices,
        called={
            name: who if choices[name] == who else f"{who} ({shorten(choices[name], 60)})"
            for name, who in called.items()
        },
        sides=tuple(choices) if len(choices) == 2 else (),  # noqa: PLR2004  (two have colours)
    )
