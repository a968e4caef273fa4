"""Create, next, submit, intervene: load, decide, commit, in one place.

Agent client, headless runner and tests all go through these functions.
"""

from debate_ops.engine.create import create
from debate_ops.engine.digests import digests_of_record, edits, of_whole_record
from debate_ops.engine.filing import source_of
from debate_ops.engine.intervene import absences, act, advance, skip, undo, withdraw_skip
from debate_ops.engine.placing import misplaced, refuse_misplaced
from debate_ops.engine.position import (
    REFUSED,
    REPLIED,
    SKIPPED,
    WAITING,
    Outcome,
    Position,
    TaskStatus,
    deadline,
    differences,
    glance,
    is_late,
    look,
    prepared,
    verified,
    where,
)
from debate_ops.engine.replies import (
    RawReply,
    RepliesAwaitedError,
    RepliesRefusedError,
    check_reply,
    with_faults,
)
from debate_ops.engine.settings import (
    checked_settings,
    refused,
    shown,
    usual_settings,
    with_settings,
)
from debate_ops.engine.submit import submit, submit_replies
from debate_ops.engine.turns import next_turn

__all__ = [
    "REFUSED",
    "REPLIED",
    "SKIPPED",
    "WAITING",
    "Outcome",
    "Position",
    "RawReply",
    "RepliesAwaitedError",
    "RepliesRefusedError",
    "TaskStatus",
    "absences",
    "act",
    "advance",
    "check_reply",
    "checked_settings",
    "create",
    "deadline",
    "differences",
    "digests_of_record",
    "edits",
    "glance",
    "is_late",
    "look",
    "misplaced",
    "next_turn",
    "of_whole_record",
    "prepared",
    "refuse_misplaced",
    "refused",
    "shown",
    "skip",
    "source_of",
    "submit",
    "submit_replies",
    "undo",
    "usual_settings",
    "verified",
    "where",
    "with_faults",
    "with_settings",
    "withdraw_skip",
]
