"""A debate can be taken up at every turn: the same turn, the same prompts, the same record."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from debate_ops import engine
from tests.builders import ROOT, put
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    all_files,
    every_protocol,
    every_variant,
    go,
    history,
    mainly_the_first,
    prompts,
    prompts_of,
    restore,
)


@every_variant
def test_a_debate_is_resumed_at_every_turn_with_the_same_turn_and_prompts(
    protocol: str, name: str
) -> None:
    """PX-09: as it lies on the disk, and as git brings it, without its inbox."""
    for moment in history(protocol, name):
        folder = restore(moment)
        for has_inbox in (True, False):
            if not has_inbox:
                shutil.rmtree(folder.within("inbox"))
            position = engine.next_turn(folder)
            assert position.due == moment.due, moment.label
            assert [item.task for item in position.tasks] == [i.task for i in moment.position.tasks]
            assert all_files(folder) == moment.files, moment.label


@mainly_the_first
def test_a_turn_that_is_half_answered_is_resumed_with_the_same_prompts(
    protocol: str, name: str
) -> None:
    """The replies that are there stay; the prompts of the others do not change by them."""
    for moment in history(protocol, name):
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


@every_variant
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


HOLD = """
import json, sys
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import history
last = history(sys.argv[1], sys.argv[2])[-1]
print(json.dumps({name: data.decode() for name, data in last.files.items()}))
"""


@every_protocol
def test_the_record_does_not_depend_on_the_process(protocol: str, name: str) -> None:
    """PX-09: sets and hashes are in another order in every process."""
    told = {name: data.decode() for name, data in history(protocol, name)[-1].files.items()}
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        line = [sys.executable, "-c", HOLD, protocol, next(iter(ROWS[protocol].variants))]
        ended = subprocess.run(
            line, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        assert json.loads(ended.stdout) == told
