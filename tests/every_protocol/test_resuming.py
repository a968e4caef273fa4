"""A debate can be taken up at every turn: the same turn, the same prompts, the same record."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from debate_ops import engine
from tests.builders import ROOT, put
from tests.every_protocol.stage import (
    RICH,
    all_files,
    every_moment,
    every_protocol,
    go,
    history,
    prompts,
    prompts_of,
    restore,
    swept,
)


@swept
def test_a_debate_is_resumed_at_every_turn_with_the_same_turn_and_prompts(protocol: str) -> None:
    """PX-09: as it lies on the disk, and as git brings it, without its inbox."""
    for moment in every_moment(protocol):
        folder = restore(moment)
        for has_inbox in (True, False):
            if not has_inbox:
                shutil.rmtree(folder.within("inbox"))
            position = engine.next_turn(folder)
            assert position.due == moment.due, moment.label
            assert [item.task for item in position.tasks] == [i.task for i in moment.position.tasks]
            assert all_files(folder) == moment.files, moment.label


@swept
def test_a_turn_that_is_half_answered_is_resumed_with_the_same_prompts(protocol: str) -> None:
    """The replies that are there stay; the prompts of the others do not change by them."""
    for moment in every_moment(protocol):
        folder = restore(moment)
        for done in moment.texts:
            put(folder, done, moment.texts[done], moment.step)
            Path(folder.within("inbox", f"{moment.step}-{done}.prompt.md")).unlink()
            position = engine.next_turn(folder)
            replied = {i.task.participant for i in position.tasks if i.status == engine.REPLIED}
            left = [who for who in moment.names if who not in replied]
            assert done in replied
            assert prompts(folder) == {
                f"{moment.step}-{who}.prompt.md": moment.prompts[who].encode() for who in left
            }, moment.label


@every_protocol
def test_the_record_is_the_same_whoever_asks_for_the_turn(protocol: str, name: str) -> None:
    """PX-09: `submit` gives the next turn itself; nobody has to ask for it in between."""
    first, *rest = history(protocol, name)
    folder = restore(first)
    before = first
    for moment in rest:
        outcome = go(folder, before)
        assert outcome.position.due == moment.due, before.label
        assert prompts(folder) == prompts_of(moment), before.label
        before = moment
    assert all_files(folder) == before.files


DEBATES = """
from tests.every_protocol.stage import RICH, history
print([sorted(history(*case)[-1].files.items()) for case in RICH])
"""


@pytest.mark.slow
def test_the_record_does_not_depend_on_the_process() -> None:
    """PX-09: sets and hashes are in another order in every process."""
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-c", DEBATES]
    printed = subprocess.run(line, env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == str([sorted(history(*c)[-1].files.items()) for c in RICH])
