"""A participant writes the brief: asked, handed back what is refused, and given up in the end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from debate_ops.formats import brief_file
from debate_ops.report.view import View
from debate_ops.reports import brief, table

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.core.errors import ParticipantFailedError
from debate_ops.engine.store import Folder
from debate_ops.run import reporter
from debate_ops.run.base import Answer, FailedError
from debate_ops.run.replay import Replay
from tests.builders import debate_at, hold, record_of
from tests.reports.brief.stage import brief_of
from tests.run.stage import Act, Actor, Listener

pytestmark = pytest.mark.usefixtures("work", "impatient")


def view_of(folder: Folder) -> View:
    return table.view_of(engine.load(folder).debate)


def answer(folder: Folder, **changes: object) -> Answer:
    return Answer(json.dumps(brief_of(view_of(folder)) | changes).encode(), {"model": "m-1"})


def is_there(folder: Folder) -> bool:
    kept, _ = brief.of(folder, view_of(folder))
    return kept is not None and not kept.out_of_date


def made_by(folder: Folder) -> Mapping[str, Any]:
    text = Path(folder.within(brief_file.NAME)).read_text(encoding="utf-8")
    return brief_file.parse(text).made_by


def test_nobody_is_asked_for_another_brief_until_the_debate_has_gone_on() -> None:
    folder, result = debate_at(2), Listener()
    actor = Actor(answer(folder))
    reporter.write_brief(folder, actor, display=result)
    reporter.write_brief(folder, actor, display=result)
    assert made_by(folder) == {"model": "m-1"}
    assert len(actor.asked) == 1
    assert result.names() == ["brief"]
    hold(folder)
    hold(folder)
    assert not is_there(folder)
    reporter.write_brief(folder, Actor(answer(folder)))
    assert is_there(folder)


def test_a_refused_brief_is_handed_back_with_its_faults() -> None:
    folder, result = debate_at(2), Listener()
    actor = Actor(answer(folder, answer="By 77."), FailedError("gone"), answer(folder))
    reporter.write_brief(folder, actor, display=result)
    first, *again = [prompt.text for prompt in actor.asked]
    assert all(text.startswith(first) and "77" in text[len(first) :] for text in again)
    assert result.names() == ["refused", "retry", "brief"]
    assert is_there(folder)


@pytest.mark.parametrize("acts", [["false"] * 3, ["fail"] * 2], ids=["refused", "failed"])
def test_one_who_gives_no_usable_brief_leaves_the_debate_as_it_is(acts: list[str]) -> None:
    folder = debate_at(2)
    before = record_of(folder)
    said: dict[str, Act] = {"false": answer(folder, answer="By 77."), "fail": FailedError("gone")}
    actor = Actor(*(said[act] for act in acts))
    with pytest.raises(ParticipantFailedError) as failed:
        reporter.write_brief(folder, actor)
    assert {fault.code for fault in failed.value.faults} <= {"loose_number", "participant_failed"}
    assert len(actor.asked) == len(acts)
    assert record_of(folder) == before


def test_a_replay_gives_the_brief_of_its_debate_and_is_asked_once() -> None:
    folder = debate_at(2)
    with pytest.raises(ParticipantFailedError):
        reporter.write_brief(folder, Replay(folder))
    reporter.write_brief(folder, Actor(answer(folder)))
    Path(folder.path).rename("debates/other")
    again = debate_at(2)
    reporter.write_brief(again, Replay(Folder("debates/other")))
    assert made_by(again)["replay_of"] == {"debate": folder.slug, "made_by": {"model": "m-1"}}


STUB = """
import sys
prompt = sys.stdin.read()
sys.stdout.write(open("bad.json" if "repair it" not in prompt else "good.json").read())
"""


def spec(folder: Folder) -> str:
    Path("good.json").write_bytes(answer(folder).raw)
    Path("bad.json").write_text('{"answer": 1}', encoding="utf-8")
    Path("stub.py").write_text(STUB, encoding="utf-8")
    return "cmd:python3 stub.py"


def test_a_run_has_the_brief_written_once_the_debate_is_held(
    capsys: pytest.CaptureFixture[str],
) -> None:
    recorded = debate_at(3)
    Path(recorded.path).rename("debates/recorded")
    folder = debate_at(2)
    words = ["run", folder.slug, "1", "--all", "replay:recorded"]
    assert app.main([*words, "--reporter", spec(Folder("debates/recorded")), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["event"] for e in events[-3:]] == ["done", "refused", "brief"]
    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
    assert is_there(folder)


@pytest.mark.parametrize("others", [[], ["--all", "cmd:false"]], ids=["alone", "with others"])
def test_of_a_debate_that_is_held_a_run_without_a_number_asks_for_the_brief(
    others: list[str],
) -> None:
    folder = debate_at(2)
    assert app.main(["run", folder.slug, *others, "--reporter", spec(folder)]) == 0
    assert is_there(folder)


def test_a_failing_reporter_ends_the_run_with_its_own_code_and_keeps_the_debate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = debate_at(2)
    before = record_of(folder)
    assert app.main(["run", folder.slug, "--reporter", "cmd:false", "--json"]) == 3
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["event"], last["exit"], last["code"]) == ("done", 3, "participant_failed")
    assert record_of(folder) == before
