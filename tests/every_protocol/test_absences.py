"""Whoever gives no reply is recorded as absent, and the debate goes on; nothing is invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine, validation
from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats import entries
from debate_ops.model.turn import Done, Turn, Waiting
from debate_ops.model.views import Absence, absence_of
from debate_ops.protocols.table import rules_of
from debate_ops.storage import load
from tests.builders import put
from tests.conftest import NEW_YEAR_2026
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    Moment,
    all_files,
    every_moment,
    every_step,
    every_variant,
    finish,
    history,
    restore,
    swept,
    told,
)

if TYPE_CHECKING:
    from debate_ops.storage.folder import Folder

WHY = "Nothing was heard, said the person who waited."


def absent(folder: Folder, step: int) -> list[Absence]:
    """Return the absences that one step put on record."""
    record = load.load(folder).debate.record
    actual = [record.get(entry_id) for entry_id in record.ids("judgments")]
    values = [entries.parse(entry) for entry in actual if entry and entry.step == step]
    return list(filter(None, map(absence_of, values)))


def nothing_is_invented(folder: Folder, moment: Moment, gone: set[str]) -> None:
    """Tell of one step that it holds absences of `gone`, and entries of the others alone."""
    record = load.load(folder).debate.record
    names = [i for kind in ("arguments", "judgments") for i in record.ids(kind)]
    of_step = [e for i in names if (e := record.get(i)) and e.step == moment.step]
    added = ROWS[moment.position.debate.protocol].added
    for entry in of_step:
        if entry.kind in added:
            assert entry.participant not in moment.texts, moment.label
        elif entry.participant in gone:
            assert entry.is_absence, moment.label
        else:
            assert entry.participant in moment.texts, moment.label
            assert entry.header["made_by"]["by"] == "script", moment.label
    told_absent = {value.participant for value in absent(folder, moment.step)}
    assert gone <= told_absent, moment.label


def goes_on(folder: Folder, moment: Moment) -> None:
    """Hold the rest by the script: it comes to its end, or says what it waits for."""
    last, label = finish(folder, moment.variant), moment.label
    faults, _ = validation.validate(folder)
    assert faults == (), label
    debate = load.load(folder).debate
    rules = rules_of(debate.protocol)
    assert rules.derive(debate.record, last.position.debate.settings) == debate.state, label
    if isinstance(last.due, Waiting | Done):
        assert last.due.reason, label
    if isinstance(last.due, Waiting):
        assert set(last.due.acts) <= set(rules.ACTS), label
        assert last.due.acts, label
    if rules.last_exchange(last.position.debate.settings) is not None:
        assert not isinstance(last.due, Turn), label


@swept
def test_any_participant_may_be_absent_from_any_turn(protocol: str) -> None:
    for moment, _, _ in every_step(protocol):
        for who in moment.texts:
            label = f"{moment.label}, without {who}"
            folder = restore(moment)
            for other in moment.texts.keys() - {who}:
                put(folder, other, moment.texts[other], moment.step)
            _made_by_script(folder, moment, who)
            nothing_is_invented(folder, moment, {who})
            [absence] = [a for a in absent(folder, moment.step) if a.participant == who]
            assert (absence.how, absence.reason, absence.by) == ("skip", WHY, "user"), label
        if moment.texts:
            goes_on(folder, moment)


def _made_by_script(folder: Folder, moment: Moment, who: str) -> None:
    """Skip one task, and submit what the others said with a word on how it was made."""
    if len(moment.texts) > 1:
        marker = {"how": "skip", "reason": WHY, "by": "user"}
        from debate_ops.formats import json_text
        from debate_ops.storage import pending

        path = pending.skip(folder, moment.step, who)
        pending.keep(folder, path, json_text.dumps(marker) + "\n")
        engine.submit(folder, moment.step, {"by": "script"})
    else:
        assert isinstance(engine.skip(folder, who, WHY), engine.Outcome)


@swept
def test_a_turn_may_be_closed_with_nobodys_reply(protocol: str) -> None:
    for moment, _, _ in every_step(protocol):
        if not moment.texts:
            continue
        folder = restore(moment)
        outcome = engine.advance(folder, moment.step, WHY)
        assert outcome.position.debate.step == moment.step + 1
        nothing_is_invented(folder, moment, set(moment.texts))
        assert {a.how for a in absent(folder, moment.step)} == {"advance"}, moment.label
        goes_on(folder, moment)


@every_variant
def test_a_debate_in_which_nobody_ever_replies_comes_to_its_end(protocol: str, name: str) -> None:
    """Or goes on for as long as it is asked to, where it has none."""
    folder = restore(history(protocol, name)[0])
    for _ in range(20):
        position = engine.look(folder)
        if not isinstance(position.due, Turn):
            break
        engine.advance(folder, position.debate.step, WHY)
    faults, _ = validation.validate(folder)
    assert faults == ()
    rules, debate = rules_of(protocol), engine.look(folder).debate
    ends = rules.last_exchange(debate.settings) is not None
    assert isinstance(engine.look(folder).due, Turn) is not ends
    added = ROWS[protocol].added
    record = load.load(folder).debate.record
    actual = [record.get(i) for kind in ("arguments", "judgments") for i in record.ids(kind)]
    assert {e.kind for e in actual if e} <= {"absence"} | added


TIMED = [("formal", "no questions, no judge"), ("consensus", "strict")]


@pytest.mark.parametrize(("protocol", "name"), TIMED)
def test_a_turn_whose_time_is_over_is_closed_as_timed_out(
    protocol: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One second earlier it is not: the time counts from the last commit."""
    timed = [m for m in history(protocol, name) if isinstance(m.due, Turn) and m.due.seconds]
    assert timed
    for moment in timed:
        assert isinstance(moment.due, Turn)
        for early, how in ((1, "advance"), (0, "time-out")):
            folder = restore(moment)
            now = int(NEW_YEAR_2026) + int(moment.due.seconds) - early
            monkeypatch.setenv("SOURCE_DATE_EPOCH", str(now))
            assert engine.is_late(engine.look(folder).debate, moment.due) is not bool(early)
            assert engine.advance(folder, moment.step, WHY).position.debate.step == moment.step + 1
            assert {value.how for value in absent(folder, moment.step)} == {how}, moment.label


@swept
def test_a_skip_that_waits_can_be_taken_back(protocol: str) -> None:
    for moment, after, _ in every_step(protocol):
        for who in moment.texts if len(moment.texts) > 1 else ():
            folder = restore(moment)
            engine.skip(folder, who, WHY)
            position = engine.withdraw_skip(folder, who)
            assert [item.status for item in position.tasks] == [engine.WAITING] * len(moment.texts)
            for other, text in moment.texts.items():
                put(folder, other, text, moment.step)
            engine.submit(folder, moment.step)
            assert told(folder) == {k: v for k, v in after.record.items() if k != "events.jsonl"}


@swept
def test_nobody_is_skipped_who_is_not_awaited_or_without_a_reason(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        known = rules_of(protocol).participants(moment.position.debate.settings)
        for who in (*(n for n in known if n not in moment.names), "somebody"):
            with pytest.raises(RefusedError):
                engine.skip(folder, who, WHY)
        for who in moment.texts:
            with pytest.raises(UsageError, match="a reason is required"):
                engine.skip(folder, who, "  ")
        with pytest.raises(UsageError, match="a reason is required"):
            engine.advance(folder, moment.step, "")
        assert all_files(folder) == moment.files, moment.label


@swept
def test_a_skip_in_the_inbox_where_agents_write_is_not_believed(protocol: str) -> None:
    marker = json.dumps({"how": "skip", "reason": WHY, "by": "user"})
    for moment in every_moment(protocol):
        for who in list(moment.texts)[:1]:
            folder = restore(moment)
            forged = Path(folder.within("inbox", f"{moment.step}-{who}.skip.json"))
            forged.write_text(marker, encoding="utf-8")
            for other in moment.texts.keys() - {who}:
                put(folder, other, moment.texts[other], moment.step)
            position = engine.next_turn(folder)
            file = f"inbox/{forged.name}"
            assert [w.file for w in position.warnings if w.code == "skip_ignored"] == [file]
            assert {s.task.participant: s.status for s in position.tasks}[who] == engine.WAITING
            with pytest.raises(engine.RepliesRefusedError) as refused:
                engine.submit(folder, moment.step)
            assert [fault.code for fault in refused.value.faults] == ["reply_missing"]
            assert [w.file for w in refused.value.warnings if w.code == "skip_ignored"] == [file]
            put(folder, who, moment.texts[who], moment.step)
            outcome = engine.submit(folder, moment.step)
            assert "skip" not in {absence.how for absence in absent(folder, moment.step)}
            assert "skip_ignored" in {warning.code for warning in outcome.warnings}
            assert not forged.exists()


@swept
def test_a_skip_that_waits_lies_outside_of_the_inbox_and_of_git(protocol: str) -> None:
    for moment in every_moment(protocol):
        if len(moment.texts) < 2:
            continue
        folder = restore(moment)
        before = set(all_files(folder))
        engine.skip(folder, next(iter(moment.texts)), WHY)
        [new] = set(all_files(folder)) - before
        assert not new.startswith("inbox/"), moment.label
        ignored = Path(folder.path, new).parent / ".gitignore"
        assert ignored.read_text(encoding="utf-8") == "*\n"
        assert validation.validate(folder)[0] == ()
