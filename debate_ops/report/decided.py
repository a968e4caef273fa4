"""Debates of speeches that one judge decides at the end: what formal debates and speeches share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from debate_ops.core.protocol import Position
from debate_ops.core.values import Entry
from debate_ops.report.markdown import compose, show_text
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
    cut = [(e.id, Note(tags=("cut",))) for e in given if e.data.get("cut")]
    if is_cancelled(at):
        lack = "It was cancelled"
    elif not is_asked:
        lack = "Nobody was asked to judge: the record names no winner"
    elif stops_at:
        lack = "A judge is to decide at the end"
    else:
        lack = "A judge was to decide and gave no decision"
    number = count(len(given), "speech", "speeches")
    undecided = Verdict(
        kind=f"{kind}, {'one judge' if is_asked else 'no judge'} · {number}",
        answer="No answer yet: nobody has judged",
        reasons=(Reason(lack, Level.NOT_JUDGED, is_alone=True),),
        choices=choices,
        names=name_participants(at, called),
        notes=merge_notes([*cut, *more.pop("notes", ())]),
        **more,
    )
    if decision is None:
        return undecided
    winner, text = str(decision.data.get("winner")), decision.texts.get("Reasons", "")
    checked = Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)
    quote = compose("The judge: {q} ({link})", q=excerpt(text, _QUOTE), link=refer(decision))
    return replace(
        undecided,
        answer=f"The judge decides {name_winner(winner)}",
        reasons=(*doubts, judge_alone(at.debate, JUDGE), checked),
        why=(fact, quote),
        favoured=winner if winner in choices else "",
        outcome_title="The decision",
        outcome=compose("{fact}\n\n", fact=fact) + show_text(text),
        reached=True,
    )
