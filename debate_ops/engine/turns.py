"""The turn that is due, and how many exchanges were asked for."""

from __future__ import annotations

from debate_ops.engine.position import Position, due_now, obeying, owed, position_of, writing
from debate_ops.engine.prepare import prepared
from debate_ops.errors import Finding, UsageError
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate, Request
from debate_ops.model.ids import order
from debate_ops.model.turn import Turn
from debate_ops.protocols.table import rules_of
from debate_ops.storage.commit import commit
from debate_ops.storage.folder import RECORD_FOLDERS, Folder


def next_turn(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what the debate waits for, with the prompts of its tasks written.

    `exchanges` asks for that many more exchanges; 0 gives an unfinished request up; None goes on
    with what was asked for, and where all of that is held, to the end of a debate that has one.

    Raises:
        BadRecordError, BusyError, DiskError, RunAgainError: see `errors`.
    """
    with writing(folder) as locked:
        debate, result = _with_request(locked.debate, exchanges)
        if debate is not locked.debate:
            commit(folder, locked.seen, debate_file.render(debate), {})
        return obeying(prepared(position_of(folder, debate, (*locked.recovered, *result))))


def preview(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what `next_turn` would; prompts are written, and nothing goes on record."""
    with writing(folder) as locked:
        debate, _ = _with_request(locked.debate, exchanges)
        return prepared(position_of(folder, debate, locked.recovered))


def _with_request(debate: Debate, exchanges: int | None) -> tuple[Debate, list[Finding]]:
    if exchanges is None:
        return _to_its_end(debate), []
    old = debate.request if debate.request and owed(debate) else None
    if exchanges == 0:
        given_up = [Finding("request_given_up", "the unfinished request was given up")]
        return (_without_request(debate), given_up) if old else (debate, [])
    if old is not None and old.exchanges == exchanges:
        return debate, []
    if not isinstance(due_now(debate), Turn):
        return debate, []
    request, warnings = _new_request(debate, exchanges)
    if request.exchanges < 1:
        return debate, warnings
    if old is not None and request != old:
        cycle = rules_of(debate.protocol).CYCLE
        message = (
            f"the unfinished request for {old.exchanges} {cycle}s is replaced by one for "
            f"{request.exchanges}"
        )
        warnings.append(Finding("request_replaced", message))
    return debate._replace(request=request), warnings


def _without_request(debate: Debate) -> Debate:
    """Return `debate` without its request; between two exchanges it is finished as it is."""
    here = debate.state.exchange
    ids = (ids[-1] for ids in map(debate.record.ids, RECORD_FOLDERS) if ids)
    is_begun = any(order(entry_id)[0] == here for entry_id in ids)
    goes_on = rules_of(debate.protocol).last_exchange(debate.settings) is not None
    held = None if is_begun or goes_on or here <= 1 else Request(here - 1, here)
    return debate._replace(request=held)


def _to_its_end(debate: Debate) -> Debate:
    """Return `debate` without a request that is fulfilled, if it can go on to an end of its own."""
    rules = rules_of(debate.protocol)
    is_complete = debate.request is not None and not owed(debate)
    goes_on = is_complete and rules.last_exchange(debate.settings) is not None
    if goes_on and isinstance(due_now(debate), Turn):
        return debate._replace(request=None)
    return debate


def _new_request(debate: Debate, exchanges: int) -> tuple[Request, list[Finding]]:
    """Return a request for so many more, at most the rest of a debate that ends by itself.

    Raises:
        UsageError: there is nothing that the number could count.
    """
    rules = rules_of(debate.protocol)
    if not rules.CYCLE:
        raise UsageError(
            f"a debate of the protocol {debate.protocol!r} is held to its end: there is nothing "
            f"that {exchanges} could count",
            hint="Leave the number out.",
        )
    here = max(debate.state.exchange, 1)
    last = rules.last_exchange(debate.settings)
    rest = exchanges if last is None else max(0, min(exchanges, last + 1 - here))
    less = f"at most {rest} more {rules.CYCLE}{'s' if rest != 1 else ''} can follow"
    warnings = [Finding("request_shortened", f"{less}; the request is for that")]
    return Request(rest, here + rest), warnings if rest < exchanges else []
