"""Pause, resume, stop and say: idempotent, kept, obeyed by whoever goes on with the debate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine, repair, validation
from debate_ops.engine import Position
from debate_ops.errors import RefusedError, UsageError
from debate_ops.model.debate import Framing
from debate_ops.model.turn import Act, Turn, Waiting
from debate_ops.storage.folder import PENDING, Folder
from tests.builders import events_of, prompt_of
from tests.participants.stage import case, reply_of

HOLDS = pytest.mark.parametrize("hold", [engine.pause, engine.stop])


pytestmark = pytest.mark.usefixtures("work")


@pytest.fixture
def folder() -> Folder:
    folder = case()
    engine.next_turn(folder, 2)
    return folder


def reply_to_all(position: Position) -> None:
    """Put a good reply of everybody who is due into the inbox."""
    for item in position.tasks:
        Path(item.slot.reply).write_bytes(reply_of(position.folder, item.task.participant))


@HOLDS
def test_p1_07_a_debate_on_hold_waits_for_a_person_before_its_next_turn(
    folder: Folder, hold: Any
) -> None:
    turn = engine.next_turn(folder)
    hold(folder, "kim", "lunch")
    reply_to_all(turn)

    after = engine.submit(folder, 0).position

    assert after.debate.step == 1, "what was asked for before is still taken"
    assert isinstance(after.due, Waiting)
    assert after.due.acts == ("resume",)
    assert after.hold is not None
    assert after.hold.by == "kim"
    assert engine.next_turn(folder).tasks == ()
    assert isinstance(engine.resume(folder, "kim").due, Turn)
    assert isinstance(engine.next_turn(folder).due, Turn)


@HOLDS
def test_to_hold_and_to_resume_twice_is_harmless(folder: Folder, hold: Any) -> None:
    first = hold(folder, "kim", "lunch").hold
    assert hold(folder, "ann", "tea").hold == first
    engine.resume(folder, "kim")
    engine.resume(folder, "kim")

    assert [event["event"] for event in events_of(folder)][-2:] == [
        f"debate_{first.state}",
        "debate_resumed",
    ]


def test_p1_07_a_debate_that_has_ended_is_not_held_and_nobody_is_spoken_to() -> None:
    names = {"participants": "ann,ben,cara"}
    folder = engine.create("c", Framing("Q"), protocol="consensus", settings=names).folder
    engine.act(folder, Act("cancel", {"reason": "no need"}))

    assert engine.pause(folder, "kim").hold is None
    with pytest.raises(RefusedError):
        engine.say(folder, "Too late.", by="kim")


def test_a_stop_can_follow_a_pause_and_a_run_lifts_a_stop_alone(folder: Folder) -> None:
    engine.pause(folder, "kim")
    engine.lift_stop(folder)
    assert engine.look(folder).hold is not None
    assert engine.stop(folder, "ann").hold is not None
    engine.lift_stop(folder)
    assert engine.look(folder).hold is None
    last = events_of(folder)[-1]
    assert (last["event"], last["by"]) == ("debate_resumed", "run")


def test_a_word_stands_in_the_prompts_of_those_it_is_said_to(folder: Folder) -> None:
    before = prompt_of(folder, "prop")
    engine.say(folder, "The budget is fixed.\n# Motion", by="kim")
    engine.say(folder, "Name your sources.", by="kim", to="opp")

    prop, opp = prompt_of(folder, "prop"), prompt_of(folder, "opp")
    assert prop.startswith(before), "what is new comes last"
    assert "> kim: The budget is fixed.\n> # Motion\n" in prop
    assert "Name your sources." not in prop
    assert "> kim: Name your sources.\n" in opp


def test_a_word_stays_on_record_through_turns_undo_and_repair(folder: Folder) -> None:
    for _ in range(2):  # to say the same twice is harmless
        position = engine.say(folder, "The budget is fixed.", by="kim", to="debater")
    assert [event["event"] for event in events_of(folder)].count("said") == 1
    reply_to_all(position)
    engine.submit(folder, 0)
    (word,) = engine.look(folder).debate.words
    assert word[:4] == ("The budget is fixed.", "kim", "debater", 0)

    engine.undo(folder)
    path = Path(folder.debate_file)
    path.write_text(path.read_text(encoding="utf-8").replace('"step": 0', '"step": 7', 1))
    repair.fix(folder)
    assert engine.look(folder).debate.words == (word,)
    assert validation.validate(folder)[0] == ()
    assert "The budget is fixed." in prompt_of(folder, "prop")


@pytest.mark.parametrize(
    "value",
    [
        {"text": " "},
        {"text": "x" * 4001},
        {"by": ""},
        {"to": "nobody"},
    ],
)
def test_what_cannot_be_said_changes_nothing(folder: Folder, value: dict[str, str]) -> None:
    before = Path(folder.debate_file).read_bytes()
    with pytest.raises(UsageError):
        engine.say(folder, **{"text": "Hello.", "by": "kim", "to": "", **value})
    assert Path(folder.debate_file).read_bytes() == before


@pytest.mark.parametrize("text", ["", '{"state": "paused"}', "[1]"])
def test_a_damaged_hold_holds_nothing(folder: Folder, text: str) -> None:
    engine.pause(folder, "kim")
    Path(folder.within(PENDING, "hold.json")).write_text(text, encoding="utf-8")

    assert isinstance(engine.next_turn(folder).due, Turn)
