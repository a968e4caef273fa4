"""Debates of speeches that one judge decides at the end: formal ones, and those in any order."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import spell_number
from debate_ops.protocols.formal import SIDES
from debate_ops.protocols.shared import STANCES
from debate_ops.protocols.speeches import NOBODY
from debate_ops.report.markdown import inline, show_text
from debate_ops.report.verdict import (
    Level,
    Reason,
    Verdict,
    find_cancellation,
    judge_alone,
    name_participants,
    note_unchecked,
)
from debate_ops.report.words import count, shorten

JUDGE = "judge"
CHOICES = dict(zip(SIDES, STANCES, strict=True))
_SPEECHES = ("opening", "rebuttal", "question", "answer", "closing")
_CLOSE_PERCENT = 60
"""In per cent: below it, a judge is hardly surer than of the opposite."""


def make_verdict(at: Replayed, stops_at: str) -> Verdict:
    """Return what the judge decides, and how sure that is."""
    is_formal = at.protocol.name == "formal"
    kind, spoken = ("ballot", _SPEECHES) if is_formal else ("verdict", ("speech",))
    decision, speeches = next(iter(at.debate.find(kind)), None), at.debate.find(*spoken)
    own = (_read_ballot if is_formal else _read_verdict)(at, decision.data if decision else {})
    unchecked = note_unchecked(at.debate, "speeches")
    found = replace(own, kind=f"{own.kind} · {count(len(speeches), 'speech', 'speeches')}")
    if decision:
        return replace(
            found,
            reasons=(*own.reasons, judge_alone(at.debate, JUDGE), unchecked),
            outcome_title="The decision",
            outcome=own.outcome + "\n\n" + show_text(decision.texts.get("Reasons", "")),
            reached=True,
        )
    lack = find_cancellation(at) or "The judge gave no decision"
    if stops_at:
        lack = "A judge is to decide at the end"
    elif JUDGE not in at.protocol.participants(at.debate.settings):
        lack = "Nobody was asked to judge"
    return replace(
        found,
        answer="No answer yet: nobody has judged",
        reasons=(Reason(lack, Level.NOT_JUDGED, is_alone=True), unchecked),
        outcome=Markup(),
    )


def _read_ballot(at: Replayed, ballot: Mapping[str, Any]) -> Verdict:
    """Return a formal debate by its ballot: what that says in numbers, and its own doubt."""
    given = (ballot.get("speaker_points") or {}).items()
    points = {side: Decimal(str(number)) for side, number in given}
    winner = str(ballot.get("winner"))
    is_behind = winner in points and points[winner] < max(points.values())
    doubt = Reason("The side that won has fewer speaker points", Level.LOW)
    each = ", ".join(f"{SIDES.get(side, side)} {spell_number(n)}" for side, n in points.items())
    return Verdict(
        "formal debate, two sides",
        f"The judge decides {CHOICES.get(winner, 'for no side')}",
        reasons=(doubt,) * is_behind,
        favoured=winner if winner in CHOICES else "",
        choices=CHOICES,
        sides=tuple(SIDES),
        names=name_participants(at, {**SIDES, "judge": "judge"}),
        outcome=inline(f"Speaker points: {each}."),
    )


def _read_verdict(at: Replayed, verdict: Mapping[str, Any]) -> Verdict:
    """Return a debate in speeches by its verdict: how sure the judge is, and its own doubt."""
    settings = at.debate.settings
    called = {each.name: each.called or each.name for each in settings.participants}
    choices = {name: text or called[name] for name, text in settings.positions.items()}
    sure, winner = int(verdict.get("percent") or 0), str(verdict.get("winner"))
    doubt = Reason(
        f"The judge is {sure} % sure", Level.TOO_CLOSE if winner == NOBODY else Level.LOW
    )
    who, what = called.get(winner, winner), choices.get(winner, "")
    position = f": “{shorten(what, 200)}”" if what not in {who, ""} else ""
    answer = f"The judge decides for {who}{position}"
    return Verdict(
        f"debate in speeches, {count(len(choices), 'speaker')}",
        answer,
        reasons=(doubt,) * (winner == NOBODY or sure < _CLOSE_PERCENT),
        favoured=winner if winner in choices else "",
        choices=choices,
        sides=tuple(choices) if len(choices) == 2 else (),  # noqa: PLR2004  (two have colours)
        names=name_participants(at, called, {n: shorten(text, 60) for n, text in choices.items()}),
        outcome=inline(f"{answer}, {sure} % sure."),
    )
