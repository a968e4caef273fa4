"""Debates of speeches that one judge decides at the end: formal ones, and those in any order."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import spell_number
from debate_ops.core.values import Entry
from debate_ops.protocols.formal import SIDES
from debate_ops.protocols.shared import STANCES
from debate_ops.protocols.speeches import NOBODY
from debate_ops.report.markdown import compose, show_text
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
    own, fact, doubts = (_read_ballot if is_formal else _read_verdict)(at, decision)
    found = replace(
        own,
        kind=f"{own.kind} · {count(len(speeches), 'speech', 'speeches')}",
        tags={e.id: ("cut",) for e in speeches if e.data.get("cut")} | dict(own.tags),
    )
    if decision:
        winner = str(decision.data.get("winner"))
        text = show_text(decision.texts.get("Reasons", ""))
        return replace(
            found,
            reasons=(*doubts, judge_alone(at.debate, JUDGE), note_unchecked(at.debate, "speeches")),
            favoured=winner if winner in found.choices else "",
            outcome_title="The decision",
            outcome=compose("{fact}\n\n", fact=fact) + text,
            reached=True,
        )
    if stops_at:
        lack = "A judge is to decide at the end"
    elif JUDGE not in at.protocol.participants(at.debate.settings):
        lack = "Nobody was asked to judge"
    else:
        lack = find_cancellation(at) or "The judge gave no decision"
    unjudged = Reason(lack, Level.NOT_JUDGED, is_alone=True)
    reasons = (unjudged, note_unchecked(at.debate, "speeches"))
    return replace(found, answer="No answer yet: nobody has judged", reasons=reasons)


def _read_ballot(at: Replayed, ballot: Entry | None) -> tuple[Verdict, str, tuple[Reason, ...]]:
    """Return a formal debate by its ballot, what that says in numbers, and the doubts of it."""
    given = (ballot.data.get("speaker_points") or {}) if ballot else {}
    points = {side: Decimal(str(number)) for side, number in given.items()}
    winner = str(ballot.data.get("winner")) if ballot else ""
    doubts: tuple[Reason, ...] = ()
    if winner in points and points[winner] < max(points.values()):
        doubts = (Reason("The side that won has fewer speaker points", Level.LOW),)
    each = ", ".join(f"{SIDES.get(side, side)} {spell_number(n)}" for side, n in points.items())
    answered = {e.data.get("answers") for e in at.debate.find("answer")}
    questions = at.debate.find("question")
    verdict = Verdict(
        "formal debate, two sides",
        f"The judge decides {CHOICES.get(winner, 'for no side')}",
        choices=CHOICES,
        sides=tuple(SIDES),
        tags={q.id: ("answered" if q.id in answered else "unanswered",) for q in questions},
        names=name_participants(at, {**SIDES, "judge": "judge"}),
    )
    return verdict, f"Speaker points: {each}.", doubts


def _read_verdict(at: Replayed, decision: Entry | None) -> tuple[Verdict, str, tuple[Reason, ...]]:
    """Return a debate in speeches by its verdict, how sure the judge is, and the doubts of it."""
    settings = at.debate.settings
    called = {each.name: each.called or each.name for each in settings.participants}
    choices = {name: text or called[name] for name, text in settings.positions.items()}
    sure = int(decision.data.get("percent") or 0) if decision else 0
    winner = str(decision.data.get("winner")) if decision else ""
    fact, is_nobody = f"The judge is {sure} % sure", winner == NOBODY
    doubt = Reason(fact, Level.TOO_CLOSE if is_nobody else Level.LOW)
    who, what = called.get(winner, winner), choices.get(winner, "")
    position = f": “{shorten(what, 200)}”" if what not in {who, ""} else ""
    answer = f"The judge decides for {who}{position}"
    views = {name: shorten(text, 60) for name, text in choices.items()}
    verdict = Verdict(
        f"debate in speeches, {count(len(choices), 'speaker')}",
        answer,
        choices=choices,
        sides=tuple(choices) if len(choices) == 2 else (),  # noqa: PLR2004  (two have colours)
        names=name_participants(at, called, views),
    )
    doubts = (doubt,) if is_nobody or sure < _CLOSE_PERCENT else ()
    return verdict, f"{answer}, {sure} % sure.", doubts
