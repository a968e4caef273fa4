"""Processes and debates that get in each other's way: one works, the others wait or are refused."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine, repair, validation
from debate_ops.errors import BusyError, DebateError, UsageError
from debate_ops.model.turn import Act
from debate_ops.protocols.table import rules_of
from debate_ops.storage import inbox, lock
from tests.builders import put, record_of
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    RICH,
    all_files,
    aside,
    begun,
    each_protocol,
    every_protocol,
    every_step,
    finish,
    go,
    here,
    restore,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from debate_ops.storage.folder import Folder


@each_protocol
def test_who_cannot_have_the_lock_is_told_so_and_changes_nothing(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PX-03: every command that writes, at every moment."""
    monkeypatch.setattr(lock.held.__wrapped__, "__defaults__", (0.0,))  # type: ignore[attr-defined]
    for moment, _, _ in every_step(protocol):
        folder = restore(moment)
        for who, text in moment.texts.items():
            put(folder, who, text, moment.step)
        before = all_files(folder)
        who = next(iter(moment.texts), "somebody")
        act = moment.act or Act("cancel", {"reason": "enough"})
        with lock.held(inbox.write_lock(folder), "is writing in this debate"):
            for command in (
                lambda: engine.next_turn(folder),  # noqa: B023
                lambda: engine.submit(folder, moment.step),  # noqa: B023
                lambda: engine.skip(folder, who, "no answer"),  # noqa: B023
                lambda: engine.advance(folder, moment.step, "time is over"),  # noqa: B023
                lambda: engine.act(folder, act),  # noqa: B023
                lambda: engine.undo(folder, step=0),  # noqa: B023
                lambda: repair.fix(folder),  # noqa: B023
            ):
                with pytest.raises(BusyError, match=f"process {os.getpid()}"):
                    command()
        assert all_files(folder) == before, moment.label


@each_protocol
def test_of_two_processes_that_submit_a_step_at_once_one_commits(protocol: str) -> None:
    """PX-03, PX-02: the other one is answered that it is done already."""
    for moment, after, _ in every_step(protocol)[:2]:
        if not moment.texts:
            continue
        folder = restore(moment)
        for who, text in moment.texts.items():
            put(folder, who, text, moment.step)
        act = partial(_submitted, folder, moment.step)
        codes = _at_once(act, act)
        assert codes == Counter({0: 1, 1: 1}), moment.label
        assert told(folder) == {n: d for n, d in after.record.items() if n != "events.jsonl"}
        assert validation.validate(folder)[0] == ()


@each_protocol
def test_of_a_submission_and_a_skip_at_once_one_counts(protocol: str) -> None:
    for moment in [step.moment for step in every_step(protocol) if step.moment.texts][:2]:
        who = next(iter(moment.texts))
        for _ in range(2):
            folder = restore(moment)
            for other, text in moment.texts.items():
                put(folder, other, text, moment.step)
            codes = _at_once(
                partial(_skipped, folder, moment.step, who),
                partial(_submitted, folder, moment.step),
            )
            assert codes[0] >= 1, moment.label
            assert engine.look(folder).debate.step == moment.step + 1
            assert validation.validate(folder)[0] == ()


def _at_once(*acts: Callable[[], bool]) -> Counter[int]:
    """Do things in a process each; count 0 for a success, 1 for a repeat, 2 for an error."""
    children = []
    for act in acts:
        child = os.fork()
        if not child:
            code = 3
            try:
                code = int(act())
            except DebateError:
                code = 2
            finally:
                os._exit(code)
        children.append(child)
    return Counter(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)


def _submitted(folder: Folder, step: int) -> bool:
    return engine.submit(folder, step).already_applied


def _skipped(folder: Folder, step: int, who: str) -> bool:
    outcome = engine.skip(folder, who, "no answer", step=step)
    return isinstance(outcome, engine.Outcome) and outcome.already_applied


@pytest.mark.parametrize(
    "protocols", [("formal", "exchange"), pytest.param(tuple(ROWS), marks=pytest.mark.slow)]
)
@pytest.mark.slow
def test_debates_held_by_turns_are_the_same_as_held_alone(protocols: tuple[str, ...]) -> None:
    """PX-04: one of each protocol and two of one, all at once."""
    slugs = {
        f"{protocol}-{n}": (protocol, name)
        for protocol, name in RICH
        for n in (1, 2)
        if protocol in protocols and (n == 1 or protocol == "formal")
    }
    folders = {slug: (begun(*case, slug), case) for slug, case in slugs.items()}
    going = dict(folders)
    while going:
        for slug, (folder, (protocol, name)) in list(going.items()):
            moment = here(folder, ROWS[protocol].variants[name])
            if not moment.texts and moment.act is None:
                del going[slug]
            else:
                go(folder, moment)
    for slug, (folder, case) in folders.items():
        files = all_files(folder)
        with aside():
            finish(begun(*case, slug), ROWS[case[0]].variants[case[1]])
            assert files == all_files(folder)


@every_protocol
def test_a_participants_name_never_leads_out_of_the_inbox(protocol: str, name: str) -> None:
    """PX-05: whatever a protocol's names are, they are file names and ids."""
    settings = begun(protocol, name)
    known = rules_of(protocol).participants(engine.look(settings).debate.settings)
    for who in known:
        assert Path(inbox.slot(settings, 0, who).reply).parent == Path(settings.within("inbox"))
    if any(setting.name == "participants" for setting in rules_of(protocol).SETTINGS):
        for bad in ("../x,ann", "a/b,ann", "a_b,ann", "A,ann", "..,ann", ".x,ann"):
            with pytest.raises(UsageError) as refused:
                begun(protocol, name, "other", settings={"participants": bad})
            assert [f.where for f in refused.value.faults] == ["participants"]
    assert record_of(settings)
