"""Debates of speeches that one judge decides at the end: what formal debates and speeches share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from debate_ops.core.protocol import Position
from debate_ops.core.values import Entry
from debate_ops.report.markdown import compose, show_text
from debate_ops.report.verdict import (
    Level,
    Reason,
    Verdict,
    find_cancellation,
    judge_alone,
    name_participants,
)
from debate_ops.report.words import count

JUDGE = "judge"


def decide(  # noqa: PLR0913  (what a protocol says of its own)
    at: Position,
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
