"""The turn that is due, and how many exchanges were asked for."""

from __future__ import annotations

from debate_ops.engine.position import Position, owed, position_of, prepared, remarks, writing
from debate_ops.errors import (
    Finding,
)
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate, Request
from debate_ops.storage.commit import commit
from debate_ops.storage.folder import Folder


def next_turn(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what the debate waits for, with the prompts of its tasks written.

    `exchanges` asks for that many more exchanges; 0 gives an unfinished request up; None goes on
    with what was asked for.

    Raises:
        BadRecordError, BusyError, DiskError, RunAgainError: see `errors`.
    """
    with writing(folder) as held:
        debate, told = _with_request(held.debate, exchanges)
        if debate is not held.debate:
            commit(folder, held.seen, debate_file.render(debate), {})
        warnings = (*held.recovered, *told, *remarks(folder, debate))
        return prepared(position_of(folder, debate, warnings))


def _with_request(debate: Debate, exchanges: int | None) -> tuple[Debate, list[Finding]]:
    if exchanges is None:
        return debate, []
    old = debate.request if debate.request and owed(debate) else None
    if exchanges == 0:
        given_up = [Finding("request_given_up", "the unfinished request was given up")]
        return (debate._replace(request=None), given_up) if debate.request else (debate, [])
    if old is not None and old.exchanges == exchanges:
        return debate, []
    request = Request(exchanges, max(debate.state.exchange, 1) + exchanges)
    remark = (
        f"the unfinished request for {old.exchanges} exchanges is replaced by one for {exchanges}"
        if old
        else ""
    )
    warnings = [Finding("request_replaced", remark)] if remark else []
    return debate._replace(request=request), warnings
