"""What people do beside the turns of a debate: hold it back, let it go on, say a word."""

from __future__ import annotations

from debate_ops import clock
from debate_ops.engine.position import Locked, Position, due_now, obeying, position_of, writing
from debate_ops.engine.prepare import prepared
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import debate_file
from debate_ops.model.debate import Word
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Done
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events, pending
from debate_ops.storage.commit import commit
from debate_ops.storage.folder import Folder
from debate_ops.storage.pending import PAUSED, STOPPED, Hold

MOST_OF_A_WORD = 4_000
"""Characters that a person may say at once; all of it stands in every prompt from then on."""


def pause(folder: Folder, by: str, reason: str = "") -> Position:
    """Hold a debate back before its next turn; a run waits. Harmless where it is on hold."""
    return _hold(folder, PAUSED, by, reason)


def stop(folder: Folder, by: str, reason: str = "") -> Position:
    """The same, and a run ends after its turn; the next run lifts it."""
    return _hold(folder, STOPPED, by, reason)


def _hold(folder: Folder, state: str, by: str, reason: str) -> Position:
    _refuse_nobody(by)
    with writing(folder) as locked:
        old = pending.hold(folder)
        if not isinstance(due_now(locked.debate), Done) and (old is None or old.state != state):
            new = Hold(state, clock.now(), by, reason)
            pending.put_hold(folder, new)
            _append(locked, f"debate_{state}", new.at, by=by, reason=reason)
        return obeying(position_of(folder, locked.debate, locked.recovered))


def is_paused(position: Position) -> bool:
    """Tell whether a debate is paused, and not stopped."""
    return position.hold is not None and position.hold.state == PAUSED


def lift_stop(folder: Folder) -> None:
    """Let a debate go on that was stopped; one that is paused stays so."""
    kept = pending.hold(folder)
    if kept and kept.state == STOPPED:
        resume(folder, "run")


def resume(folder: Folder, by: str) -> Position:
    """Let a debate go on; harmless where nothing holds it back."""
    _refuse_nobody(by)
    with writing(folder) as locked:
        if pending.hold(folder):
            pending.end_hold(folder)
            _append(locked, "debate_resumed", clock.now(), by=by)
        return prepared(position_of(folder, locked.debate, locked.recovered))


def say(folder: Folder, text: str, *, by: str, to: str = "") -> Position:
    """Put a person's word on record; it stands in the prompts from now on of those it is said to.

    `to` is a participant, or a role; empty is everybody. To say it twice at the same step is
    harmless.

    Raises:
        UsageError: it is blank or too long, or said to nobody in this debate.
        RefusedError: the debate has ended.
    """
    _refuse_nobody(by)
    if is_blank(text):
        raise UsageError("there is nothing to say", hint="Say it in quotation marks.")
    if len(text) > MOST_OF_A_WORD:
        raise UsageError(
            f"this is {len(text)} characters long, expected at most {MOST_OF_A_WORD}",
            hint="Put the rest into another word.",
        )
    with writing(folder) as locked:
        debate = locked.debate
        roles = rules_of(debate.protocol).participants(debate.settings)
        if to and to not in {*roles, *roles.values()}:
            known = ", ".join(dict.fromkeys((*roles, *roles.values())))
            raise UsageError(f"{to!r} is nobody in this debate", hint=f"Say it to one of {known}.")
        if isinstance(due := due_now(debate), Done):
            raise RefusedError(f"nobody would read it: {due.reason}")
        word = Word(text, by, to, debate.step, clock.now())
        if not any(word[:4] == old[:4] for old in debate.words):
            debate = debate._replace(words=(*debate.words, word))
            commit(folder, locked.seen, debate_file.render(debate), {})
            _append(locked, "said", word.at, by=by, to=to)
        return obeying(prepared(position_of(folder, debate, locked.recovered)))


def _refuse_nobody(by: str) -> None:
    if is_blank(by):
        raise UsageError("--by is blank", hint="Say with --by who it is; it goes on record.")


def _append(locked: Locked, name: str, at: str, **data: str) -> None:
    where = {"debate": locked.debate.slug, "step": locked.debate.step}
    events.append(locked.folder, [{"event": name, **where, **data, "at": at}])
