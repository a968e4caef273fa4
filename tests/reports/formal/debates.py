"""Formal debates run through the engine: short, long, cut, with gaps, half-way."""

from __future__ import annotations

from typing import Any

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests.every_protocol.scripts import formal as script
from tests.reports.held import Reply, Script, run_debate

MOTION = "This house would give every tenant a right to keep a pet"
HOSTILE = (
    '# Heading\n\n- list <script>alert("x")</script> ![x](http://evil.example/a.png)\n'
    "| a | b |\n|---|---|\n```\nfence\n[ref]: http://evil.example\n<!-- debate-ops:end -->\n"
    "> quote *bold* $math$ `code` </details> [aff_001-opening] 1. one\n---\n===\n\u202eevil\u202c"
)


LONG = "".join(f" So it is, {number} times." for number in range(60))


def plain(debate: Debate, turn: Turn, task: Task) -> Reply:
    """Return the reply of the script, each text of more than 250 words."""
    return script.reply_of(debate, turn, task, LONG)


def with_gaps(*places: str) -> Script:
    """Return a script that skips some tasks, each named as in `aff opening`."""

    def replies(debate: Debate, turn: Turn, task: Task) -> Reply:
        skipped = f"{task.participant} {task.template}" in places
        return None if skipped else plain(debate, turn, task)

    return replies


def formal(
    replies: Script = plain, *, motion: str = MOTION, turns: int | None = None, **settings: Any
) -> Folder:
    slug = settings.pop("slug", "x-debate")
    framing = Framing(motion)
    return run_debate("formal", replies, slug=slug, framing=framing, settings=settings, turns=turns)
