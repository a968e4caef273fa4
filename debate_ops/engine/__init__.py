# ruff: noqa: I001  (one statement for each module, and not one for each name)
"""Create, next, submit, act: load, decide, commit, in one place for clients, runner and tests."""

from debate_ops.engine.debate_file import Framing as Framing
from debate_ops.engine.position import (
    REFUSED as REFUSED,
    REPLIED as REPLIED,
    SKIPPED as SKIPPED,
    WAITING as WAITING,
    Position as Position,
    RawReply as RawReply,
    RepliesRefusedError as RepliesRefusedError,
    TaskStatus as TaskStatus,
    check_task_reply as check_task_reply,
    load as load,
)
from debate_ops.engine.steps import (
    act as act,
    close_turn as close_turn,
    create as create,
    next_turn as next_turn,
    pause as pause,
    plan as plan,
    preview as preview,
    remove_new as remove_new,
    resume as resume,
    say as say,
    skip as skip,
    stop as stop,
    submit as submit,
    submit_files as submit_files,
    take_reply as take_reply,
    undo as undo,
)
