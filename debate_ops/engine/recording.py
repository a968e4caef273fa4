"""Putting a checked turn on record: what is written, and the one commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from debate_ops import clock
from debate_ops.engine import digests
from debate_ops.engine.checking import CheckedReplies
from debate_ops.engine.position import Locked, Outcome, due_now, position_of
from debate_ops.engine.settings import with_settings
from debate_ops.errors import Finding
from debate_ops.formats import debate_file, entries, json_text
from debate_ops.formats.digest import sha256
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ADVICE, ARGUMENTS, JUDGMENTS
from debate_ops.model.ids import order
from debate_ops.model.turn import Absent, Act, Done, Reply, Step, Turn
from debate_ops.protocols import first_answer
from debate_ops.protocols.base import Replies
from debate_ops.protocols.replies import NAMING
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events, inbox
from debate_ops.storage import load as loading
from debate_ops.storage.commit import commit


def file_turn(
    locked: Locked, turn: Turn, result: CheckedReplies, used: Mapping[str, bytes] | None = None
) -> Outcome:
    """Put the checked replies of a turn on record.

    `used` are, by participant, those that were read from the inbox, which is cleared of them.

    Raises:
        BadRecordError, DiskError, RunAgainError: see `storage.commit.commit`.
    """
    debate, replies = locked.debate, result.replies
    step = rules_of(debate.protocol).record(debate, turn, replies)
    step = step._replace(
        entries=(*step.entries, *(first_answer.entry(turn, reply) for reply in result.beside))
    )
    made = [*(r for r in replies.values() if isinstance(r, Reply)), *result.beside]
    made_by = {reply.participant: reply.made_by for reply in made}
    source = source_of(debate, turn.step, replies)
    return file_step(locked, step, source, made_by, result.warnings, used)


def file_step(  # noqa: PLR0913, PLR0917  (a step has that many parts)
    locked: Locked,
    step: Step,
    source: str,
    made_by: Mapping[str, Mapping[str, Any]],
    warnings: Sequence[Finding],
    used: Mapping[str, bytes] | None = None,
) -> Outcome:
    """Commit one step; `made_by` says by participant how its entries were made."""
    folder, debate, seen, recovered = locked
    at = clock.now()
    stamp = entries.Stamp(step=debate.step, source=source, at=at, made_by={}, rests_on={})
    edited = digests.newest_edits(debate)
    ids = [value.id for value in step.entries if value.folder != ADVICE]
    rests_on = {min(ids, key=order): digests.before_next(debate)}
    texts = {
        value.id: entries.render(
            value,
            stamp._replace(
                made_by=made_by.get(value.id.partition("_")[0], {}),
                rests_on=rests_on.get(value.id, {}),
            ),
        )
        for value in step.entries
    }
    after = debate._replace(
        step=debate.step + 1,
        state=step.state,
        undone=(),
        digests=digests.after_turn(debate.body, texts),
    )
    files = {folder.entry(v.folder, v.id): texts[v.id] for v in step.entries}
    commit(folder, seen, debate_file.render(after), files)
    later = with_settings(loading.load(folder).debate)
    rules = rules_of(debate.protocol)
    names = {**first_answer.event_names(rules), **rules.MILESTONES}
    of = rules.last_exchange(debate.settings)
    if debate.request:
        of = debate.request.until - 1
    events.append(folder, events.of_step(debate, step, at, names, of, _ended(later, at)))
    if used is not None:
        inbox.clear(folder, debate.step, used)
    position = position_of(folder, later)
    return Outcome(
        position,
        committed=tuple(value.id for value in step.entries),
        already_applied=False,
        warnings=(*recovered, *edited, *warnings),
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


def source_of_act(debate: Debate, step: int, act: Act) -> str:
    """Return the digest that names an act at a step, as `source_of` does for replies."""
    data = {"debate": debate.slug, "step": step, "act": act.name, "given": dict(act.values)}
    return sha256(json_text.canonical(data | {"by": act.by}).encode("utf-8"))


def _plain(reply: Reply | Absent) -> dict[str, Any]:
    if isinstance(reply, Absent):
        return {"absent": reply.how, "reason": reply.reason}
    return {k: v for k, v in reply.value.items() if k not in NAMING}


def _ended(debate: Debate, at: str) -> dict[str, Any] | None:
    """Return what there is to tell of a debate that has come to its own end; None of others."""
    if not isinstance(due_now(debate), Done):
        return None
    spoken = debate.record.ids(ARGUMENTS)
    return {
        "entries": len(spoken) + len(debate.record.ids(JUDGMENTS)),
        "spoken": Counter(entry_id.partition("_")[0] for entry_id in spoken),
        "seconds": clock.between(debate.created, at),
    }
