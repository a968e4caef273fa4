"""Debates of speeches that one judge decides at the end: what formal debates and speeches share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Position
from debate_ops.core.values import Entry
from debate_ops.report.markdown import compose, said
from debate_ops.report.verdict import (
    Level,
    Note,
    Reason,
    Verdict,
    is_cancelled,
    judge_alone,
    merge_notes,
    name_participants,
    refer,
)
from debate_ops.report.words import count, excerpt

JUDGE = "judge"
_QUOTE = 360


def decide(  # noqa: PLR0913  (what a protocol says of its own)
    at: Position,
    stops_at: str,
    *,
    kind: str,
    decision: Entry | None,
    choices: Mapping[str, str],
    called: Mapping[str, str],
    name_winner: Callable[[str], str],
    fact: str,
    doubts: Iterable[Reason],
    speeches: Iterable[Entry],
    **more: Any,
) -> Verdict:
    """Return what a debate comes to that a judge decides by one entry, if it does.

    `fact` is what the decision says in numbers; `doubts` are the protocol's own.
    """
    given = [*speeches]
    is_asked = JUDGE in at.protocol.participants(at.debate.settings)
    winner = str(decision.data.get("winner")) if decision else ""
    named = f"The judge decides {name_winner(winner)}"
    if decision:
        checked = Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)
        reasons = [*doubts, judge_alone(at.debate, JUDGE), checked]
    else:
        reasons = [Reason(_explain_lack(at, stops_at), Level.NOT_JUDGED, is_alone=True)]
    why: tuple[str, ...] = ()
    outcome = Markup()
    if decision:
        text = decision.texts.get("Reasons", "")
        quote = compose("The judge: {q} ({link})", q=excerpt(text, _QUOTE), link=refer(decision))
        why = (fact, quote)
        outcome = compose("{fact}\n\n", fact=fact) + said(text)
    notes = merge_notes([(e.id, note_speech(e)) for e in given] + [*more.pop("notes", ())])
    number = count(len(given), "speech", "speeches")
    return Verdict(
        kind=f"{kind}, {'one judge' if is_asked else 'no judge'} · {number}",
        answer=named if decision else "No answer yet: nobody has judged",
        reasons=tuple(reasons),
        why=why,
        favoured=winner if winner in choices else "",
        choices=choices,
        next_steps=() if decision else ("Ask somebody to judge: nobody has.",),
        names=name_participants(at, called),
        outcome_title="The decision" if decision else "",
        outcome=outcome,
        reached=decision is not None,
        notes=notes,
        **more,
    )


def _explain_lack(at: Position, stops_at: str) -> str:
    if is_cancelled(at):
        return "It was cancelled"
    if JUDGE not in at.protocol.participants(at.debate.settings):
        return "Nobody was asked to judge: the record names no winner"
    if stops_at:
        return "A judge is to decide at the end"
    return "A judge was to decide and gave no decision"


def note_speech(e: Entry) -> Note:
    """Return what the page says of a speech: whether it was cut, and its length."""
    cut = e.data.get("cut")
    tags = ("cut",) if cut else ()
    return Note(tags=tags)
