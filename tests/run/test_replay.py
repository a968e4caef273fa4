"""A recorded debate says again what was said, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

from debate_ops.core.values import Absent, Task, Turn
from debate_ops.engine.store import Folder
from debate_ops.run import runner
from debate_ops.run.replay import Replay
from tests.builders import header_of
from tests.run.asking import prompt
from tests.run.stage import Cast, case

MOTION = "This house would test.\n\nTwice, with a «blank» line | and { braces }."


pytestmark = pytest.mark.usefixtures("work")


def held(exchanges: int = 2, **acts: Any) -> Folder:
    folder = case("original", MOTION)
    runner.run(folder, exchanges, Cast(**acts))
    return folder


def again(original: Folder, exchanges: int = 2) -> Folder:
    folder = case("again", MOTION)
    runner.run(folder, exchanges, {"all": Replay(original)})
    return folder


def test_each_entry_says_what_it_replays_and_who_made_that() -> None:
    replayed = again(held())
    for name, maker in (("arguments/opp_001", "opp"), ("judgments/judge_002", "judge")):
        assert header_of(replayed, f"{name}.md")["made_by"] == {
            "replay_of": {"debate": "original", "made_by": {"by": maker}}
        }


def test_what_nobody_recorded_is_not_made_up() -> None:
    original = held()
    for path in Path(original.path, "arguments").iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"made_by"', '"unknown_key"'), encoding="utf-8")
    turn = Turn(0, "phase", (Task("prop", "debater-opening"),))
    said = Replay(original).reply(prompt(participant="prop")._replace(turn=turn))
    assert not isinstance(said, Absent)
    assert said.made_by == {"replay_of": {"debate": "original"}}
