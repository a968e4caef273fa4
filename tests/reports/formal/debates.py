"""Formal debates run through the engine: short, long, cut, with gaps, half-way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Task, Turn
from debate_ops.storage.folder import Folder
from tests.reports.held import Reply, Script, run_debate

MOTION = "This house would give every tenant a right to keep a pet"
HOSTILE = (
    '# Heading\n\n- list <script>alert("x")</script> ![x](http://evil.example/a.png)\n'
    "| a | b |\n|---|---|\n```\nfence\n[ref]: http://evil.example\n<!-- debate-ops:end -->\n"
    "> quote *bold* $math$ `code` </details> [aff_001-opening] 1. one\n---\n===\n\u202eevil\u202c"
)
SURVEY = {"source": "Survey of 2024, https://example.org/survey", "detail": "Table 3"}
REPORT = {"source": "Report on housing", "detail": "Page 12"}
_SAID = (
    "A home is where people live their whole lives, and animals are part of them [1]. Landlords "
    "fear damage, but a deposit already answers that fear [2], and habit is no reason. "
)
_WORDS = {"preparation": 120, "answer": 90}


def plain(_: Debate, __: Turn, task: Task) -> Reply:
    """Return a good reply to any task; the two sides cite one source in common."""
    if task.template == "judge":
        points = {"aff": 27.5, "neg": 28}
        return {"winner": "aff", "reasons": "The affirmative answered.", "speaker_points": points}
    if task.template == "question":
        return {"text": "Would you say the same of a family with a loud child?"}
    words = (_SAID * 12).split()[: _WORDS.get(task.template, 300)]
    third = len(words) // 3
    text = "\n\n".join(" ".join(words[i : i + third]) for i in range(0, len(words), third))
    mine = [SURVEY, REPORT] if task.participant == "aff" else [REPORT, SURVEY]
    return {"text": text, "citations": mine}


def with_gaps(*places: str) -> Script:
    """Return a script that skips some tasks, each named as in `aff opening`."""

    def script(debate: Debate, turn: Turn, task: Task) -> Reply:
        skipped = f"{task.participant} {task.template}" in places
        return None if skipped else plain(debate, turn, task)

    return script


def hostile(debate: Debate, turn: Turn, task: Task) -> Reply:
    """Return replies whose every text tries to be structure."""
    good = plain(debate, turn, task)
    assert isinstance(good, Mapping)
    changed: dict[str, Any] = {key: HOSTILE for key in ("text", "reasons") if key in good}
    if "citations" in good:
        changed["citations"] = [{"source": HOSTILE, "detail": HOSTILE}]
    return {**good, **changed}


def tamed(debate: Debate, turn: Turn, task: Task) -> Reply:
    """Return replies of the same form as the hostile ones, with texts that try nothing."""
    good = plain(debate, turn, task)
    assert isinstance(good, Mapping)
    cited = {"citations": [{"source": "One", "detail": "Two"}]} if "citations" in good else {}
    return {**good, **cited}


def formal(
    script: Script = plain, *, motion: str = MOTION, turns: int | None = None, **settings: Any
) -> Folder:
    slug = settings.pop("slug", "x-debate")
    framing = Framing(motion)
    return run_debate("formal", script, slug=slug, framing=framing, settings=settings, turns=turns)
