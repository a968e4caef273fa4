"""The headless runner holds every protocol: scripted, replayed, and to the right end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from debate_ops import engine, runner
from debate_ops.errors import ParticipantFailedError, UsageError
from debate_ops.formats import entries
from debate_ops.model.debate import Debate, Request
from debate_ops.model.turn import Absent, Done, Turn, Waiting
from debate_ops.participants.base import Answer, Prompt
from debate_ops.participants.table import participant
from debate_ops.protocols.table import rules_of
from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from tests.builders import debate_at, header_of, hold_until, put
from tests.every_protocol.scripts import ROWS, Variant
from tests.every_protocol.stage import (
    EVENTS,
    Moment,
    begun,
    every_moment,
    every_protocol,
    every_variant,
    history,
    restore,
    swept,
    told,
)
from tests.participants.stage import run_to_end


class Scripted:
    """A participant that says what the script says."""

    name = "script"
    recorded = False

    def __init__(self, folder: Folder, variant: Variant) -> None:
        self._folder, self._variant = folder, variant
        self.calls = 0

    def reply(self, prompt: Prompt) -> Answer | Absent:
        self.calls += 1
        debate = engine.verified(load.load(self._folder).debate)
        reply = self._variant.reply(debate, prompt.turn, prompt.task)
        return Answer(json.dumps(reply, indent=1).encode())


class Held(NamedTuple):
    position: engine.Position
    calls: int


def number_for(debate: Debate, expected: Debate) -> int | None:
    """Return the N of a run to where the script ends; None where the debate ends by itself."""
    if rules_of(debate.protocol).last_exchange(debate.settings) is not None:
        return None
    return expected.state.exchange - max(debate.state.exchange, 1)


def run(folder: Folder, protocol: str, name: str) -> Held:
    """Run a debate as the script has it; a person does what the script has a person do."""
    variant, calls = ROWS[protocol].variants[name], 0
    last = history(protocol, name)[-1].position.debate
    while True:
        script = Scripted(folder, variant)
        number = number_for(engine.look(folder).debate, last)
        position = runner.run(folder, number, {"all": script})
        calls += script.calls
        act = variant.act(position.debate) if isinstance(position.due, Waiting) else None
        if act is None:
            return Held(position, calls)
        engine.act(folder, act)
        position = engine.look(folder)
        if not isinstance(position.due, Turn):
            return Held(position, calls)


def without_requests(record: dict[str, bytes]) -> dict[str, Any]:
    """Return a record without the request, which a run leaves in `debate.md`."""
    lines: dict[str, Any] = dict(record)
    header = json.loads(record["debate.md"].split(b"---\n")[1])
    header.pop("request", None)
    lines["debate.md"] = header, record["debate.md"].split(b"---\n", 2)[2]
    lines.pop(EVENTS, None)
    return lines


def acts_midway(moments: tuple[Moment, ...]) -> bool:
    """Tell whether a person acts while replies are awaited: no run waits for that."""
    return any(moment.act and isinstance(moment.due, Turn) for moment in moments)


@every_protocol
def test_a_run_makes_the_record_that_single_steps_make(protocol: str, name: str) -> None:
    moments = history(protocol, name)
    if acts_midway(moments):
        pytest.skip("a person acts while replies are awaited")
    debate = run(begun(protocol, name), protocol, name)
    record = told(debate.position.folder)
    assert without_requests(record) == without_requests(dict(moments[-1].record))
    assert debate.calls == sum(len(moment.texts) for moment in moments)


@every_protocol
def test_a_run_goes_on_from_every_step(protocol: str, name: str) -> None:
    moments = history(protocol, name)
    if acts_midway(moments):
        pytest.skip("a person acts while replies are awaited")
    for moment in moments[:-1:3]:
        if moment.act:
            continue
        debate = run(restore(moment), protocol, name)
        record = told(debate.position.folder)
        assert without_requests(record) == without_requests(dict(moments[-1].record))


@swept
def test_a_run_ends_with_8_where_a_person_is_awaited_and_with_0_at_an_end(protocol: str) -> None:
    for moment in every_moment(protocol):
        if isinstance(moment.due, Waiting):
            folder = restore(moment)
            script = Scripted(folder, moment.variant)
            assert run_to_end(folder, None, {"all": script}, quiet=True) == 8
            assert script.calls == 0
            assert told(folder) == {n: d for n, d in moment.record.items() if n != EVENTS}
        if isinstance(moment.due, Done):
            folder = restore(moment)
            script = Scripted(folder, moment.variant)
            with pytest.raises(UsageError, match="nothing is owed"):
                runner.run(folder, None, {"all": script})
            assert script.calls == 0


@every_variant
def test_after_so_many_exchanges_a_debate_without_a_number_goes_to_its_end(
    protocol: str, name: str
) -> None:
    moments, rules = history(protocol, name), rules_of(protocol)
    folder, script = begun(protocol, name), ROWS[protocol].variants[name]
    ends = rules.last_exchange(engine.look(folder).debate.settings) is not None
    if not (rules.CYCLE and ends) or any(moment.act for moment in moments):
        pytest.skip("no number counts here, or a person acts")
    debate = runner.run(folder, 1, {"all": Scripted(folder, script)})
    if isinstance(rules.next_turn(debate.debate, ""), Done):
        pytest.skip("it ends in its first exchange")
    assert isinstance(debate.due, Done)
    assert [isinstance(engine.look(folder).due, Done) for _ in range(2)] == [True, True]
    going_on = engine.next_turn(folder)
    assert isinstance(going_on.due, Turn)
    assert going_on.calls_left
    end = runner.run(folder, None, {"all": Scripted(folder, script)})
    assert end.due == rules.next_turn(end.debate, "")
    record = told(folder)
    assert without_requests(record) == without_requests(dict(moments[-1].record))


@pytest.mark.usefixtures("work")
def test_after_so_many_exchanges_a_debate_without_an_end_waits_for_a_number() -> None:
    folder = debate_at(1)
    engine.next_turn(folder, 1)
    hold_until(folder, 2)
    position = engine.next_turn(folder)
    assert isinstance(position.due, Done)
    assert position.debate.request == Request(1, 2)


@every_protocol
def test_a_number_counts_cycles_is_at_most_the_rest_and_is_refused_without_cycles(
    protocol: str, name: str
) -> None:
    folder = begun(protocol, name)
    rules, debate = rules_of(protocol), engine.look(folder).debate
    if not rules.CYCLE:
        before = told(folder)
        script = Scripted(folder, ROWS[protocol].variants[name])
        with pytest.raises(UsageError, match="held to its end"):
            engine.next_turn(folder, 2)
        with pytest.raises(UsageError, match="held to its end"):
            runner.run(folder, 2, {"all": script})
        assert told(folder) == before
        return
    position = engine.next_turn(folder, 1000)
    assert position.debate.request is not None
    last = rules.last_exchange(debate.settings)
    here = max(debate.state.exchange, 1)
    until = here + 1000 if last is None else last + 1
    assert position.debate.request.until == until
    codes = [w.code for w in position.warnings]
    assert codes == ([] if last is None else ["request_shortened"])


@every_protocol
def test_a_recorded_debate_is_replayed_entry_by_entry(protocol: str, name: str) -> None:
    """Its replies and its absences; what a person did has to be done again."""
    moments = history(protocol, name)
    restore(moments[-1])
    folder = begun(protocol, name, "replayed")
    number = number_for(engine.look(folder).debate, moments[-1].position.debate)
    try:
        position = runner.run(folder, number, {"all": participant("replay:x-debate")})
    except ParticipantFailedError:
        assert acts_midway(moments), "only where a person acted instead"
        position = engine.look(folder)
    stopped = moments[position.debate.step]
    assert stopped.act is not None or stopped is moments[-1]
    assert position.debate.state == stopped.position.debate.state
    _are_equal(restore(stopped, "original"), folder)


@every_protocol
def test_absences_are_replayed_as_absences(protocol: str, name: str) -> None:
    first = history(protocol, name)[0]
    recorded = restore(first)
    absent, *others = first.texts
    for who in others:
        put(recorded, who, first.texts[who], 0)
    engine.advance(recorded, 0, f"{absent} did not come")
    variant = ROWS[protocol].variants[name]
    for _ in range(2):
        position = engine.next_turn(recorded)
        for item in position.tasks:
            assert isinstance(position.due, Turn)
            reply = variant.reply(position.debate, position.due, item.task)
            Path(item.slot.reply).write_text(json.dumps(reply), encoding="utf-8")
        if position.tasks:
            engine.submit(recorded, position.debate.step)
    folder = begun(protocol, name, "replayed")
    ends = rules_of(protocol).last_exchange(engine.look(folder).debate.settings) is not None
    replaying = {"all": participant("replay:x-debate")}
    if isinstance(engine.look(recorded).due, Turn):
        with pytest.raises(ParticipantFailedError) as ended:
            runner.run(folder, None if ends else 2, replaying)
        assert "holds no reply" in str(ended.value.faults)  # the recorded one ends here
    else:  # a person is awaited, in both
        runner.run(folder, None, replaying)
    _are_equal(recorded, folder)


def _are_equal(recorded: Folder, replayed: Folder) -> None:
    one, other = load.load(recorded).debate, load.load(replayed).debate
    assert (one.step, one.state) == (other.step, other.state)
    for kind in ("arguments", "judgments"):
        assert one.record.ids(kind) == other.record.ids(kind)
        for entry_id in one.record.ids(kind):
            was, is_ = one.record.get(entry_id), other.record.get(entry_id)
            assert was is not None
            assert is_ is not None
            assert entries.parse(was) == entries.parse(is_), entry_id
            assert was.body == is_.body
            file = f"{kind}/{entry_id}.md"
            if not was.is_absence and "made_by" in header_of(replayed, file):
                assert header_of(replayed, file)["made_by"]["replay_of"]["debate"] == "x-debate"
