"""The commands `pause`, `resume`, `stop` and `say`: what people do beside the turns."""

from __future__ import annotations

import sys

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.engine import Position
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.storage import folder


def pause(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn."""
    return _answer(engine.pause(folder.find(debate), by, reason or ""))


def stop(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn, and end a run that is in it."""
    return _answer(engine.stop(folder.find(debate), by, reason or ""))


def resume(debate: str, by: str) -> Answer:
    """Let a debate go on."""
    return _answer(engine.resume(folder.find(debate), by))


def say(debate: str, text: str, by: str, to: str | None) -> Answer:
    """Put a person's word on record and into the prompts."""
    words = sys.stdin.read(MAX_BYTES) if text == "-" else text
    return _answer(engine.say(folder.find(debate), words.strip(), by=by, to=to or ""))


def _answer(position: Position) -> Answer:
    result = answers.standing(position)
    hold = position.hold
    result |= {"on_hold": hold and hold._asdict()}
    words = [word._asdict() for word in position.debate.words]
    lines = [f"{result['debate']}: {result['progress']}"]
    return Answer(result | {"words": words}, lines)
