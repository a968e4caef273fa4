"""Putting a checked turn on record: what is written, and the one commit."""

from __future__ import annotations

from typing import Any

from debate_ops import clock
from debate_ops.engine.position import Held, Outcome, position_of, remarks
from debate_ops.engine.replies import Found
from debate_ops.formats import debate_file, entries, json_text
from debate_ops.formats.digest import sha256
from debate_ops.model.debate import Debate
from debate_ops.model.entries import (
    Judgment,
    Value,
)
from debate_ops.model.turn import Absent, Reply, Turn
from debate_ops.protocols.base import Replies
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events
from debate_ops.storage import load as loading
from debate_ops.storage.commit import commit


def file_turn(held: Held, turn: Turn, found: Found) -> Outcome:
    """Put the checked replies of a turn on record.

    Raises:
        BadRecordError, DiskError, RunAgainError: see `storage.commit.commit`.
    """
    folder, debate, seen, recovered = held
    replies = found.replies
    rules = rules_of(debate.protocol)
    step = rules.record(debate, turn, replies)
    at = clock.now()
    stamp = entries.Stamp(
        step=turn.step,
        source=source_of(debate, turn.step, replies),
        at=at,
        made_by={},
        totals=step.state.totals,
        digests={},
    )
    texts = {
        folder.entry(entries.folder(value), value.id): entries.render(
            value, _own(stamp, debate, replies, value)
        )
        for value in step.entries
    }
    after = debate._replace(step=debate.step + 1, state=step.state, undone=())
    commit(folder, seen, debate_file.render(after), texts)
    events.append(folder, events.of_step(debate, step, at))
    later = loading.load(folder).debate
    position = position_of(folder, later, remarks(folder, later))
    return Outcome(
        position,
        committed=tuple(value.id for value in step.entries),
        already_applied=False,
        warnings=(*recovered, *found.warnings),
    )


def _own(stamp: entries.Stamp, debate: Debate, replies: Replies, value: Value) -> entries.Stamp:
    """Return the stamp with what is peculiar to one entry: its maker, and what it judges."""
    reply = replies.get(value.id.partition("_")[0])
    judged = [s.argument_id for s in value.scores] if isinstance(value, Judgment) else []
    return stamp._replace(
        made_by=reply.made_by if isinstance(reply, Reply) else {},
        digests={entry_id: debate.record.digest(entry_id) for entry_id in judged},
    )


def source_of(debate: Debate, step: int, replies: Replies) -> str:
    """Return the digest that names a submission: SHA-256 over debate, step and replies.

    White space, fences, wrappers and the naming of participant and exchange make no difference.
    """
    data = {
        "debate": debate.slug,
        "step": step,
        "replies": {name: _plain(reply) for name, reply in replies.items()},
    }
    return sha256(json_text.canonical(data).encode("utf-8"))


def _plain(reply: Reply | Absent) -> dict[str, Any]:
    if isinstance(reply, Absent):
        return {"absent": reply.how, "reason": reply.reason}
    return {k: v for k, v in reply.value.items() if k not in {"participant", "exchange"}}
