"""The commands by which a person intervenes in the turns of a debate, or between them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.submit import not_running
from debate_ops.errors import UsageError
from debate_ops.formats.json_reply import MAX_BYTES
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


def act(debate: str, name: str, by: str, parts: Mapping[str, str | None]) -> Answer:
    """Put on record what a person decides about the whole debate."""
    action = Act(name, {key: part or "" for key, part in parts.items()}, by)
    return turn_answer(answers.outcome(engine.act(folder.find(debate), action)))


def _act(debate: str, by: str, *, name: str, **parts: str | None) -> Answer:
    return act(debate, name, by, parts)


decide = partial(_act, name="decide")
escalate = partial(_act, name="escalate")
cancel = partial(_act, name="cancel")


def pause(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn."""
    return _controlled(engine.pause(folder.find(debate), by, reason or ""))


def stop(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn, and end a run that is in it."""
    return _controlled(engine.stop(folder.find(debate), by, reason or ""))


def resume(debate: str, by: str) -> Answer:
    """Let a debate go on."""
    return _controlled(engine.resume(folder.find(debate), by))


def say(debate: str, text: str, by: str, to: str | None) -> Answer:
    """Put a person's word on record and into the prompts."""
    words = sys.stdin.read(MAX_BYTES) if text == "-" else text
    return _controlled(engine.say(folder.find(debate), words.strip(), by=by, to=to or ""))


def _controlled(position: engine.Position) -> Answer:
    hold, words = position.hold, position.debate.words
    more = {"on_hold": hold and hold._asdict(), "words": [word._asdict() for word in words]}
    return turn_answer(answers.standing(position, **more))


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
