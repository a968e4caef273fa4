"""The commands by which a person intervenes: skip, advance, decide, escalate, cancel, undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.submit import not_running
from debate_ops.errors import UsageError
from debate_ops.model.texts import one_line
from debate_ops.model.turn import Act
from debate_ops.storage import folder


def skip(
    debate: str,
    participant: str,
    reason: str | None,
    step: int | None = None,
    *,
    withdraw: bool = False,
) -> Answer:
    """End a participant's task without a reply, or take that back while it is pending."""
    place = not_running(debate)
    if withdraw:
        return turn_answer(answers.standing(engine.withdraw_skip(place, participant)))
    done = engine.skip(place, participant, reason or "", step=step)
    if isinstance(done, engine.Outcome):
        return turn_answer(answers.outcome(done))
    return turn_answer(answers.standing(done, committed=[], pending=participant))


def advance(debate: str, step: int, reason: str | None) -> Answer:
    """Close the turn of a step with the replies that are there."""
    outcome = engine.advance(not_running(debate), step, reason or "")
    return turn_answer(answers.outcome(outcome))


def decide(debate: str, by: str, **parts: str | None) -> Answer:
    """Decide a debate that was escalated to a person."""
    return act(debate, "decide", by, parts)


def escalate(debate: str, by: str, **parts: str | None) -> Answer:
    """Hand a debate over to a person."""
    return act(debate, "escalate", by, parts)


def cancel(debate: str, by: str, **parts: str | None) -> Answer:
    """End a debate without a result."""
    return act(debate, "cancel", by, parts)


def act(debate: str, name: str, by: str, parts: Mapping[str, str | None]) -> Answer:
    """Put on record what a person decides about the whole debate."""
    action = Act(name, {key: part or "" for key, part in parts.items()}, by)
    return turn_answer(answers.outcome(engine.act(folder.find(debate), action)))


def turn_answer(result: dict[str, Any]) -> Answer:
    """Return an answer whose lines say what went on record, and which turn is due."""
    committed = ", ".join(result.get("committed", ()))
    tasks = [
        f"  {t['participant']}: {t['status']}, reply to {t['reply_file']}" for t in result["tasks"]
    ]
    lines = [f"On record: {committed}."] if committed else []
    lines += [f"{result['debate']}: {result['progress']}", *answers.about_lines(result), *tasks]
    return Answer(result, [*lines, *map(one_line, result["warnings"])])


def undo(debate: str, exchange: int | None = None, step: int | None = None) -> Answer:
    """Take the last exchange back, or all from a step on."""
    if exchange is not None and step is not None:
        raise UsageError("--exchange and --step exclude each other")
    position, ids = engine.undo(not_running(debate), exchange, step)
    result = answers.standing(position, taken_back=list(ids))
    lines = [
        f"Taken back: {', '.join(ids)} (now in set-aside/).",
        f"{result['debate']}: {result['progress']}",
        f"Next:  {answers.invocation()} status {result['debate']}",
    ]
    return Answer(result, lines)
