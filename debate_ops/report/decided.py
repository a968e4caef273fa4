"""Debates of speeches that one judge decides at the end: formal ones, and those in any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from debate_ops.core.protocol import Replayed
from debate_ops.core.values import Entry
from debate_ops.protocols.formal import SIDES
from debate_ops.protocols.speeches import NOBODY
from debate_ops.report.markdown import compose, show_text
from debate_ops.report.verdict import (
    Level,
    Reason,
    Verdict,
    find_cancellation,
    judge_alone,
    name_participants,
)
from debate_ops.report.words import count, plain, shorten

JUDGE = "judge"
CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_SPEECHES = ("opening", "rebuttal", "question", "answer", "closing")
_CLOSE_POINTS = Decimal("0.5")
"""How few speaker points apart are close."""
_CLOSE_PERCENT = 60
"""In per cent: below it, a judge is hardly surer than of the opposite."""


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return what the judge decides, and how sure that is."""
    read = _read_ballot if at.protocol.name == "formal" else _read_verdict
    return read(at, stops_at)


def _read_ballot(at: Replayed, stops_at: str) -> Verdict:
    """Return what the ballot says, and how sure that is."""
    d = at.debate
    ballot = next(iter(d.find("ballot")), None)
    given = (ballot.data.get("speaker_points") or {}) if ballot else {}
    points = {side: Decimal(str(number)) for side, number in given.items()}
    winner = str(ballot.data.get("winner")) if ballot else ""
    best = max(points.values(), default=Decimal(0))
    apart = best - min(points.values(), default=best)
    doubts: tuple[Reason, ...] = ()
    if points.get(winner, best) < best:
        doubts = (Reason("The side that won has fewer speaker points", Level.LOW),)
    elif points and apart <= _CLOSE_POINTS:
        text = (
            f"Only {plain(apart)} speaker points apart" if apart else "The speaker points are equal"
        )
        doubts = (Reason(text, Level.LOW),)
    each = ", ".join(f"{SIDES.get(side, side)} {plain(n)}" for side, n in points.items())
    answered = {e.data.get("answers") for e in d.find("answer")}
    return _decide(
        at,
        stops_at,
        kind="formal debate, two sides",
        decision=ballot,
        answer=f"The judge decides {CHOICES.get(winner, 'for no side')}",
        fact=f"Speaker points: {each}.",
        doubts=doubts,
        speeches=d.find(*_SPEECHES),
        choices=CHOICES,
        called={**SIDES, "judge": "judge"},
        sides=tuple(SIDES),
        tags={
            e.id: ("answered" if e.id in answered else "unanswered",) for e in d.find("question")
        },
    )


def _read_verdict(at: Replayed, stops_at: str) -> Verdict:
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
    return _decide(
        at,
        stops_at,
        kind=f"debate in speeches, {count(len(choices), 'speaker')}",
        decision=decision,
        answer=f"The judge decides for {who}{position}"
        if winner == NOBODY or any(d.settings.positions.values())
        else f"By the judge, {who} had the better of it",
        fact=f"The judge is {sure} % sure.",
        doubts=(doubt,) if winner == NOBODY or sure < _CLOSE_PERCENT else (),
        speeches=d.find("speech"),
        choices=choices,
        called={
            name: who if choices[name] == who else f"{who} ({shorten(choices[name], 60)})"
            for name, who in called.items()
        },
        sides=tuple(choices) if len(choices) == 2 else (),  # noqa: PLR2004  (two have colours)
    )


def _decide(  # noqa: PLR0913  (what a protocol says of its own)
    at: Replayed,
    stops_at: str,
    *,
    kind: str,
    decision: Entry | None,
    answer: str,
    fact: str,
    doubts: tuple[Reason, ...],
    speeches: Sequence[Entry],
    called: Mapping[str, str],
    tags: Mapping[str, tuple[str, ...]] = {},
    **more: Any,
) -> Verdict:
    """Return what a debate comes to that a judge decides by one entry, if it does.

    `answer` and `fact` are what the decision says in words and numbers; `doubts` are the protocol's
    own.
    """
    if stops_at:
        lack = "A judge is to decide at the end"
    elif JUDGE not in at.protocol.participants(at.debate.settings):
        lack = "Nobody was asked to judge"
    else:
        lack = find_cancellation(at) or "The judge gave no decision"
    undecided = Verdict(
        kind=f"{kind} · {count(len(speeches), 'speech', 'speeches')}",
        answer="No answer yet: nobody has judged",
        reasons=(Reason(lack, Level.NOT_JUDGED, is_alone=True),),
        names=name_participants(at, called),
        tags={e.id: ("cut",) for e in speeches if e.data.get("cut")} | dict(tags),
        **more,
    )
    if decision is None:
        return undecided
    checked = Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)
    winner = str(decision.data.get("winner"))
    text = show_text(decision.texts.get("Reasons", ""))
    return replace(
        undecided,
        answer=answer,
        reasons=(*doubts, judge_alone(at.debate, JUDGE), checked),
        favoured=winner if winner in undecided.choices else "",
        outcome_title="The decision",
        outcome=compose("{fact}\n\n", fact=fact) + text,
        reached=True,
    )
