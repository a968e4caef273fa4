"""What is on disk at every step: whole, without a fault, and contradicted by no hand edit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine, validation
from debate_ops.errors import BadRecordError
from debate_ops.model.turn import Turn
from debate_ops.protocols.table import rules_of
from debate_ops.storage import load
from debate_ops.storage.record import FolderRecord
from tests.builders import edit_header, header_of
from tests.every_protocol.stage import (
    EVENTS,
    each_protocol,
    every_moment,
    every_step,
    every_variant,
    history,
    restore,
)


@each_protocol
def test_the_state_is_what_the_record_leads_to_after_every_commit(protocol: str) -> None:
    """The state that `record` gave stands in `debate.md`; `derive` reads the entries alone."""
    rules = rules_of(protocol)
    for moment in every_moment(protocol):
        folder = restore(moment)
        debate = load.load(folder).debate
        settings = moment.position.debate.settings
        assert rules.derive(debate.record, settings) == debate.state, moment.label
        whole = FolderRecord(folder, debate.step, 0, may_lack_steps=False)
        assert rules.derive(whole, settings) == debate.state, moment.label


@each_protocol
def test_validate_finds_no_fault_at_any_step(protocol: str) -> None:
    for moment in every_moment(protocol):
        faults, warnings = validation.validate(restore(moment))
        assert faults == (), moment.label
        assert {w.code for w in warnings} <= {"word_limit"}, moment.label


@each_protocol
def test_every_step_puts_at_least_one_entry_on_record(protocol: str) -> None:
    for before, after, _ in every_step(protocol):
        assert after.step == before.step + 1
        new = set(after.record) - set(before.record) - {EVENTS}
        assert new, before.label
        assert all(header_of(restore(after), entry)["step"] == before.step for entry in new)
        kept = set(before.record) - {"debate.md", EVENTS}
        assert all(after.record[entry] == before.record[entry] for entry in kept)


@each_protocol
@pytest.mark.parametrize("key", ["current_exchange", "current_phase", "step"])
def test_a_debate_md_edited_by_hand_is_refused_with_both_values(protocol: str, key: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        state = moment.position.debate.state
        right: Any = {
            "current_exchange": state.exchange,
            "current_phase": state.phase,
            "step": moment.step,
        }[key]
        wrong = "awaiting_nothing" if isinstance(right, str) else right + 1
        edit_header(folder, "debate.md", lambda header: header.update({key: wrong}))  # noqa: B023
        edited = Path(folder.debate_file).read_bytes()
        for command in (
            engine.next_turn,
            engine.look,
            lambda f, k=moment.step: engine.submit(f, k),
        ):
            with pytest.raises(BadRecordError) as refused:
                command(folder)
            result = f"{key} is {wrong} in debate.md, {right} by the record"
            assert result in refused.value.message, moment.label
        assert Path(folder.debate_file).read_bytes() == edited


@every_variant
def test_the_calls_left_are_enough_and_none_are_left_at_the_end(protocol: str, name: str) -> None:
    """Of a debate that ends by itself they are told at every step, and are never too few."""
    asked = history(protocol, name)
    for place, moment in enumerate(asked):
        left = moment.position.calls_left
        if left is not None:
            assert left >= sum(len(later.texts) for later in asked[place:]), moment.label
        if not isinstance(moment.due, Turn):
            assert left in {None, 0}


@every_variant
def test_events_tell_of_every_entry_once(protocol: str, name: str) -> None:
    last = history(protocol, name)[-1]
    lines = [json.loads(line) for line in last.record[EVENTS].splitlines()]
    assert lines[0] == {
        "at": "2026-01-01T00:00:00Z",
        "debate": "x-debate",
        "event": "debate_created",
        "protocol": protocol,
    }
    result = [line["id"] for line in lines if "id" in line]
    entries = [Path(file).stem for file in last.record if file.endswith(".md") and "/" in file]
    assert set(result) <= set(entries)
    if protocol != "exchange":  # its judgments are told by the scores in them
        assert sorted(result) == sorted(entries)
    phases = [(e["event"], e["phase"]) for e in lines if e["event"].startswith("phase_")]
    started = [phase for event, phase in phases if event == "phase_started"]
    completed = [phase for event, phase in phases if event == "phase_completed"]
    assert started[:-1] == completed
    assert started[-1] == last.position.debate.state.phase
