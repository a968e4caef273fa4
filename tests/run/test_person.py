"""A person as a participant: waits for a whole file, and is marked as its author."""

import json
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from debate_ops import engine
from debate_ops.core.errors import RefusedError, UsageError
from debate_ops.core.values import Done, Waiting
from debate_ops.engine import inbox
from debate_ops.engine.store import Folder
from debate_ops.report import track_record
from debate_ops.run import person as persons
from debate_ops.run import runner
from debate_ops.run.base import Participant, StoppedError, TimedOutError
from debate_ops.run.person import Person
from debate_ops.run.spending import Limits
from tests.builders import header_of
from tests.run.asking import prompt, wait_for
from tests.run.stage import Cast, Listener, case

NEW = (
    [f"{side}_000{letter}" for side in ("prop", "opp") for letter in "abc"],
    ["prop_001", "opp_001"],
)
"""The ids that are judged in the opening, and in the first exchange."""


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(persons, "_SECONDS_BETWEEN_LOOKS", 0.02)


KIM = {"person": "kim"}


def is_at(folder: Folder, step: int) -> bool:
    return engine.load(folder).debate.step == step


def judge_all(folder: Folder) -> None:
    """Judge the opening and an exchange with filled-in forms."""
    for exchange, ids in enumerate(NEW):
        step = 2 * exchange + 1
        wait_for(partial(is_at, folder, step))
        position = engine.next_turn(folder)
        scores = [{"argument_id": i, "score": 0, "reasoning": "Even."} for i in ids]
        named = {"participant": "judge", "exchange": exchange}
        draft = engine.RawReply(json.dumps(named | {"scores": scores}).encode(), "draft")
        engine.take_reply(position, engine.find_task(position, "judge"), draft, KIM)


def test_a_person_judges_with_a_form_and_is_named_on_record() -> None:
    folder = case()
    judge = Thread(target=judge_all, args=(folder,), daemon=True)
    judge.start()
    limits, shown = Limits(tokens=10_000_000, cost=None), Listener()
    cast: dict[str, Participant] = {**Cast(), "judge": Person("kim?minutes=1")}
    position = runner.run(folder, 1, cast, limits=limits, display=shown)
    judge.join()
    assert isinstance(position.due, Done)
    made = header_of(folder, "judgments/judge_000.md")["made_by"]
    assert made == {"person": "kim"}
    assert [*track_record.list_judges(engine.load(folder).at, None, [])] == [], "no model"
    assert "debate-ops reply case --as judge" in shown.texts("asked")[0]
    assert "agent calls" not in shown.texts("launch")[0]


def test_a_run_that_is_stopped_waits_for_people_no_longer() -> None:
    folder = case()
    stop = [lambda: is_at(folder, 1) and engine.stop(folder, "kim")]
    stopping = Thread(target=wait_for, args=stop, daemon=True)
    stopping.start()
    limits = Limits(tokens=10_000_000, cost=None)
    cast: dict[str, Participant] = {**Cast(), "judge": Person("kim?minutes=1")}
    position = runner.run(folder, 1, cast, limits=limits, display=Listener())
    stopping.join()
    assert isinstance(position.due, Waiting)
    assert getattr(position.hold, "by", "") == "kim"
    assert position.debate.step == 1


def test_a_person_is_asked_once_and_not_awaited_once_the_turn_is_over(tmp_path: Path) -> None:
    asked = prompt(file=str(tmp_path / "inbox/0-prop.prompt.md"))
    with pytest.raises(TimedOutError) as result:
        Person("kim?minutes=0.001").reply(asked)
    assert result.value.tries == 1
    asked.stop.set()
    with pytest.raises(StoppedError):
        Person("kim").reply(asked)


def test_a_file_that_is_still_written_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "inbox/0-prop.reply.json"
    place.parent.mkdir()
    place.write_text('{"a')
    writing = Thread(
        target=lambda: [place.write_text('{"a' + "b" * n) for n in range(300)], daemon=True
    )
    writing.start()
    answer = Person("kim").reply(prompt(file=str(tmp_path / "inbox/0-prop.prompt.md")))
    writing.join()
    assert answer.raw == place.read_bytes()
    assert answer.made_by == {"person": "kim"}


@pytest.mark.parametrize(("said", "recorded"), [("ann", "ann"), (inbox.SOMEBODY, "kim")])
def test_the_name_that_a_person_gave_goes_before_that_of_the_run(said: str, recorded: str) -> None:
    folder = case()
    item = engine.find_task(engine.next_turn(folder, 1), "prop")
    inbox.put(item.slot, b"{}", {"person": said})
    assert Person("kim").reply(prompt(file=item.slot.prompt)).made_by == {"person": recorded}


def test_a_refused_reply_is_not_filed_and_a_good_one_once() -> None:
    folder = case()
    position = engine.next_turn(folder, 1)
    with pytest.raises(UsageError):
        engine.find_task(position, None)
    item = engine.find_task(position, "prop")
    with pytest.raises(engine.RepliesRefusedError) as result:
        engine.take_reply(position, item, engine.RawReply(b'{"arguments": []}', "draft"), KIM)
    assert {fault.by for fault in result.value.faults} == {"prop"}
    assert not Path(item.slot.reply).exists()
    good = Cast()["prop"].reply(prompt(file=item.slot.prompt))
    reply = engine.RawReply(good.raw, "draft")  # type: ignore[union-attr]
    engine.take_reply(position, item, reply, KIM)
    assert json.loads(Path(item.slot.made).read_text())["made_by"] == {"person": "kim"}
    again = engine.load(folder)
    with pytest.raises(RefusedError):
        engine.take_reply(again, engine.find_task(again, "prop"), reply, KIM)
