"""What is taken back can be done again, from every step, and gives the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from debate_ops import engine, validation
from debate_ops.errors import RefusedError
from tests.builders import spread
from tests.every_protocol.stage import (
    EVENTS,
    all_files,
    every_moment,
    every_protocol,
    every_step,
    go,
    history,
    prompts,
    prompts_of,
    restore,
    swept,
    told,
    without_undone,
)


@every_protocol
def test_a_debate_goes_back_to_any_step_and_forward_to_the_same_bytes(
    protocol: str, name: str
) -> None:
    *moments, last = history(protocol, name)
    for place, moment in spread(list(enumerate(moments)), 4):
        folder = restore(last)
        position, taken_back = engine.undo(folder, step=moment.step)
        assert position.due == moment.due, moment.label
        expected = {n: data for n, data in moment.record.items() if n != EVENTS}
        now = told(folder)
        now["debate.md"] = without_undone(now["debate.md"])
        assert now == expected, moment.label
        assert prompts(folder) == prompts_of(moment), moment.label
        aside = {path.name for path in Path(folder.within("set-aside")).iterdir()}
        assert aside == {f"1-{entry_id}.md" for entry_id in taken_back}, moment.label
        assert validation.validate(folder)[0] == ()
        for later in moments[place:]:
            go(folder, later)
        assert told(folder) == {n: data for n, data in last.record.items() if n != EVENTS}


@swept
def test_an_undo_of_a_step_repeated_is_answered_and_not_done_twice(protocol: str) -> None:
    for moment, _, last in every_step(protocol):
        folder = restore(last)
        first, ids = engine.undo(folder, step=moment.step)
        done = all_files(folder)
        again, same = engine.undo(folder, step=moment.step)
        assert (again.due, set(same)) == (first.due, set(ids)), moment.label
        assert all_files(folder) == done, moment.label


@swept
def test_undo_without_a_number_takes_the_last_exchange_back(protocol: str) -> None:
    for _, moment, _ in every_step(protocol):
        folder = restore(moment)
        position, ids = engine.undo(folder)
        exchanges = {entry_id.partition("_")[2][:3] for entry_id in ids}
        assert len(exchanges) == 1, moment.label
        [number] = map(int, exchanges)
        left = [n for n in told(folder) if f"_{number:03d}" in n]
        assert left == [], moment.label
        assert position.debate.step < moment.step


@swept
def test_a_step_that_is_not_there_cannot_be_taken_back(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        with pytest.raises(RefusedError, match="nothing to take back"):
            engine.undo(folder, step=moment.step)
        with pytest.raises(RefusedError):
            engine.undo(folder, exchange=77)
        assert all_files(folder) == moment.files, moment.label
