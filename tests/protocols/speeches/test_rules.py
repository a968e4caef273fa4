"""The rules of `speeches`: order and rounds, links, the verdict, absences."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops import engine
from debate_ops.engine import RepliesRefusedError
from debate_ops.errors import UsageError
from debate_ops.model.debate import Framing
from debate_ops.model.entries import ARGUMENTS
from debate_ops.protocols.speeches.rules import RULES, slots
from debate_ops.storage.folder import Folder
from tests.builders import header_of, put
from tests.reports.speeches.debates import PEOPLE, speeches

pytestmark = pytest.mark.usefixtures("work")


def settings(**chosen: Any) -> dict[str, Any]:
    return dict(engine.checked_settings(RULES, {"participants": PEOPLE} | chosen))


def begun(**chosen: Any) -> Folder:
    made = engine.create("x", Framing("M?"), protocol="speeches", settings=settings(**chosen))
    return engine.prepared(made).folder


def answer(folder: Folder, name: str, **reply: Any) -> engine.Outcome:
    step = engine.look(folder).debate.step
    due = engine.look(folder).due
    naming = {"participant": name, "exchange": due.exchange, "phase": due.phase}  # type: ignore[union-attr]
    put(folder, name, naming | reply)
    return engine.submit(folder, step)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["ann_001", "ben_001", "ann_002", "ben_002"]),
        ({"rounds": 1, "judge": "one"}, ["ann_001", "ben_001", "judge_002"]),
        ({"order": "ben,ann,ben,ben,ann"}, ["ben_001", "ann_001", "ben_002", "ben_003", "ann_003"]),
    ],
)
def test_nobody_speaks_twice_in_a_round(chosen: Any, expected: list[str]) -> None:
    assert [f"{s.participant}_{s.exchange:03}" for s in slots(settings(**chosen))] == expected


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ({"participants": "ann"}, "participants"),
        ({"participants": "ann,nobody"}, "participants"),
        ({"participants": [{"name": "ann", "side": "x"}, {"name": "ben"}]}, "participants"),
        ({"participants": [{"name": "ann", "position": 5}, {"name": "ben"}]}, "participants"),
        ({"order": "ann,zoe"}, "order"),
        ({"order": ["ann"] * 1001}, "order"),
        ({"order": [1]}, "order"),
        ({"word_limit": 0, "word_limits": "reject"}, "word_limits"),
    ],
)
def test_settings_that_fit_no_debate_are_refused_by_name(chosen: Any, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        settings(**chosen)
    assert name in refused.value.message + str(refused.value.faults)


def test_a_link_leads_to_a_speech_that_was_given_and_stands_on_record() -> None:
    folder = begun()
    with pytest.raises(RepliesRefusedError) as refused:
        answer(folder, "ann", text="One.", attacks=["ben_001-speech"], supports=["x"])
    places = [(f.code, f.where) for f in refused.value.faults]
    assert places == [("unknown_target", "$.attacks[0]"), ("unknown_target", "$.supports[0]")]
    answer(folder, "ann", text="One two.", supports=None)
    with pytest.raises(RepliesRefusedError):
        answer(folder, "ben", text="No.", attacks=["ann_001-speech", "ann_002-speech"])
    answer(folder, "ben", text="No.", attacks=["ann_001-speech"])
    header = header_of(folder, "arguments/ben_001-speech.md")
    assert header["attacks"] == [{"target_id": "ann_001-speech", "type": "attack"}]
    assert header_of(folder, "arguments/ann_001-speech.md")["words"] == 2


@pytest.mark.parametrize(("name", "fits"), [("ann", True), ("nobody", True), ("zoe", False)])
def test_a_verdict_is_for_one_who_spoke_or_for_nobody(name: str, fits: bool) -> None:  # noqa: FBT001
    folder = speeches(turns=4)
    verdict = {"winner": name, "percent": 55, "reasons": "Because."}
    if fits:
        answer(folder, "judge", **verdict)
        assert name in engine.look(folder).due.reason  # type: ignore[union-attr]
    else:
        with pytest.raises(RepliesRefusedError) as refused:
            answer(folder, "judge", **verdict)
        assert [fault.code for fault in refused.value.faults] == ["unknown_winner"]


def test_who_is_absent_is_named_to_those_who_speak_later() -> None:
    folder = begun()
    skipped = engine.skip(folder, "ann", "no answer")
    assert isinstance(skipped, engine.Outcome)
    (task,) = skipped.position.tasks
    with open(task.slot.prompt, encoding="utf-8") as prompt:
        assert "Not given: the speech of ann in round 1." in prompt.read()


def test_without_a_judge_a_debate_ends_with_its_last_speech() -> None:
    folder = speeches(judge="none")
    position = engine.look(folder)
    assert position.due.reason == "every speech is given"  # type: ignore[union-attr]
    assert len(position.debate.record.ids(ARGUMENTS)) == 4
