"""The scripts cover the table: every protocol has a row, and its rows reach all there is in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from debate_ops.formats import entries, schema
from debate_ops.model.turn import Turn
from debate_ops.prompts.build import skill_folder
from debate_ops.protocols.table import rules_of
from debate_ops.storage import load
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    Moment,
    history,
    restore,
)


def moments(protocol: str) -> list[Moment]:
    return [m for name in ROWS[protocol].variants for m in history(protocol, name)]


@pytest.mark.parametrize("protocol", ROWS)
def test_the_scripts_use_every_template_and_schema(protocol: str) -> None:
    asked = [item.task for m in moments(protocol) for item in m.position.tasks]
    folder = Path(skill_folder(), "templates", protocol)
    assert {task.template for task in asked} == {p.stem for p in folder.glob("*.md")}
    own = {path.stem for path in Path(schema.__file__).parent.glob(f"schemas/{protocol}-*.json")}
    assert {task.schema for task in asked} == own


@pytest.mark.parametrize("protocol", ROWS)
def test_the_scripts_put_every_kind_of_entry_on_record_and_do_every_act(protocol: str) -> None:
    kinds, acts = set(), set()
    for name in ROWS[protocol].variants:
        last = history(protocol, name)[-1]
        record = load.load(restore(last)).debate.record
        actual = [record.get(i) for kind in ("arguments", "judgments") for i in record.ids(kind)]
        kinds |= {entries.parse(entry).kind for entry in actual if entry}
        acts |= {moment.act.name for moment in history(protocol, name) if moment.act}
    rules = rules_of(protocol)
    assert kinds - {"absence", "judgment"} == set(rules.EVENTS)  # a judgment's scores are events
    assert acts == set(rules.ACTS)


@pytest.mark.parametrize("protocol", ROWS)
def test_every_name_in_a_turn_is_a_participants(protocol: str) -> None:
    """And its kind of agent is the participant's."""
    rules = rules_of(protocol)
    for moment in moments(protocol):
        known = rules.participants(moment.position.debate.settings)
        for item in moment.position.tasks:
            assert item.task.agent == known[item.task.participant], moment.label
        if isinstance(moment.due, Turn):
            assert moment.due.step == moment.step
            assert moment.due.phase == moment.position.debate.state.phase
            assert len(set(moment.names)) == len(moment.names) > 0


@pytest.mark.parametrize("protocol", ROWS)
def test_whoever_is_not_asked_is_told_why(protocol: str) -> None:
    rules = rules_of(protocol)
    for name in ROWS[protocol].variants:
        for moment in history(protocol, name):
            folder = restore(moment)
            debate, turn = load.load(folder).debate, moment.due
            debate = debate._replace(settings=moment.position.debate.settings)
            if isinstance(turn, Turn):
                others = [
                    who for who in rules.participants(debate.settings) if who not in moment.names
                ]
                for who in others:
                    why = rules.why_not_asked(debate, turn, who)
                    assert why, moment.label
                    assert not why.endswith("."), "it is a clause"
