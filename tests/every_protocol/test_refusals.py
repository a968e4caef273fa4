"""A reply that is refused changes nothing, loses nothing, and does not stand in the way (PX-06)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine
from debate_ops.engine import REFUSED, REPLIED, RepliesRefusedError
from debate_ops.formats import schema
from debate_ops.model.turn import Turn
from debate_ops.storage import load
from tests.builders import put, record_of
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    Moment,
    all_files,
    data_of,
    every_step,
    go,
    restore,
    swept,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from debate_ops.model.turn import Task


def _with(key: str, value: object) -> Callable[[Moment, Task], str | None]:
    return lambda moment, task: json.dumps(data_of(moment.texts[task.participant]) | {key: value})


def _of_another_phase(moment: Moment, task: Task) -> str | None:
    if "phase" not in schema.load(task.schema)["properties"]:
        return None
    return _with("phase", "awaiting_nothing")(moment, task)


def _unnamed(moment: Moment, task: Task) -> str | None:
    data = data_of(moment.texts[task.participant])
    return json.dumps({key: value for key, value in data.items() if key != "participant"})


def _out_of_shape(moment: Moment, task: Task) -> str | None:
    key = _content(task)
    return _with(key, [[7]])(moment, task)


def _incomplete(moment: Moment, task: Task) -> str | None:
    naming = {"participant", "exchange", "phase"}
    kept = {k: v for k, v in data_of(moment.texts[task.participant]).items() if k in naming}
    return json.dumps(kept)


def _content(task: Task) -> str:
    expected: list[str] = schema.load(task.schema)["required"]
    return expected[0]


def _against_the_rules(moment: Moment, task: Task) -> str | None:
    assert isinstance(moment.due, Turn)
    debate = moment.position.debate
    here = load.load(moment.position.folder).debate._replace(settings=debate.settings)
    broken = ROWS[debate.protocol].broken(here, moment.due, task)
    return None if broken is None else json.dumps(broken)


BROKEN: dict[str, Callable[[Moment, Task], str | None]] = {
    "empty": lambda _moment, _task: "",
    "no JSON": lambda _moment, _task: "I would rather not.",
    "cut off": lambda moment, task: moment.texts[task.participant][:-3],
    "of nobody": _unnamed,
    "of another participant": _with("participant", "somebody"),
    "of another exchange": _with("exchange", 77),
    "of another phase": _of_another_phase,
    "out of shape": _out_of_shape,
    "incomplete": _incomplete,
    "against the rules": _against_the_rules,
}


@swept
def test_a_refused_reply_is_kept_with_its_reasons_and_a_good_one_goes_through(
    protocol: str,
) -> None:
    """Each way to break a reply, at every third sort of step."""
    steps = [step for step in every_step(protocol) if step.moment.texts]
    for place, (kind, broken) in enumerate(BROKEN.items()):
        for moment, after, _ in steps[place % 3 :: 3]:
            folder = restore(moment)
            task = moment.position.tasks[-1].task
            text, who = broken(moment, task), task.participant
            if text is None:
                continue
            for other, good in {**moment.texts, who: text}.items():
                put(folder, other, good, moment.step)
            with pytest.raises(RepliesRefusedError) as refused:
                engine.submit(folder, moment.step)
            label = f"{moment.label}, {who}: {kind}"
            _is_kept(moment, who, text, refused.value, label)
            go(folder, moment)
            assert record_of(folder) == after.record, label


def _is_kept(moment: Moment, who: str, text: str, error: RepliesRefusedError, label: str) -> None:
    now = all_files(moment.position.folder)
    assert {n: now.get(n) for n in moment.files} == dict(moment.files), label
    inbox = {n.removeprefix("inbox/"): d.decode() for n, d in now.items() if n not in moment.files}
    stem = f"{moment.step}-{who}"
    assert inbox.pop(f"refused/{stem}-1.reply.json") == text, label
    reasons, repair = inbox.pop(f"refused/{stem}-1.reasons.md"), inbox.pop(f"{stem}.repair.md")
    own = [fault for fault in error.faults if fault.participant == who]
    assert own == list(error.faults), "nobody else's reply has a fault"
    for fault in own:
        assert fault.message in reasons, label
        assert fault.message in repair, label
    assert repair.count("{{") == 0, label
    good = {f"{moment.step}-{o}.reply.json": t for o, t in moment.texts.items() if o != who}
    assert inbox == good, label
    assert error.position is not None
    statuses = {i.task.participant: i.status for i in error.position.tasks}
    assert statuses == dict.fromkeys(moment.texts, REPLIED) | {who: REFUSED}, label


@swept
def test_every_fault_of_every_reply_is_told_at_once(protocol: str) -> None:
    for moment, _, _ in every_step(protocol):
        folder = restore(moment)
        for who in moment.texts:
            put(folder, who, '{"participant": "somebody", "exchange": 77}', moment.step)
        if not moment.texts:
            continue
        with pytest.raises(RepliesRefusedError) as refused:
            engine.submit(folder, moment.step)
        for who in moment.texts:
            own = {fault.code for fault in refused.value.faults if fault.participant == who}
            assert {"wrong_participant", "wrong_exchange"} < own, moment.label


@swept
def test_a_reply_that_is_missing_is_named_and_the_others_wait(protocol: str) -> None:
    for moment, _, _ in every_step(protocol):
        for who in moment.texts:
            folder = restore(moment)
            for other in moment.texts.keys() - {who}:
                put(folder, other, moment.texts[other], moment.step)
            before = all_files(folder)
            with pytest.raises(RepliesRefusedError) as refused:
                engine.submit(folder, moment.step)
            missing = [(f.code, f.participant) for f in refused.value.faults]
            assert missing == [("reply_missing", who)], moment.label
            assert all_files(folder) == before, moment.label


@swept
def test_a_reply_of_somebody_without_a_task_is_kept_and_told_of(protocol: str) -> None:
    for moment, after, _ in every_step(protocol):
        if not moment.texts:
            continue
        folder = restore(moment)
        path = put(folder, "somebody", "{}", moment.step)
        warnings = engine.next_turn(folder).warnings
        assert [(w.code, w.participant) for w in warnings] == [("not_asked", "somebody")]
        go(folder, moment)
        assert told(folder) == {k: v for k, v in after.record.items() if k != "events.jsonl"}
        assert path.read_text(encoding="utf-8") == "{}"
        assert {w.code for w in engine.look(folder).warnings} == {"late_reply"}
        Path(path).unlink()
