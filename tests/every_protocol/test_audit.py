"""Whatever is changed in a record that something follows from, the audit finds in its file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.audit import audit
from debate_ops.errors import BadRecordError
from debate_ops.formats import entries, headers
from debate_ops.model.entries import Entry
from debate_ops.model.ids import entry_id
from debate_ops.model.turn import Absent
from debate_ops.protocols import filing
from debate_ops.protocols.acts import PERSON
from debate_ops.protocols.table import rules_of
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import debate_at
from tests.protocols.memory import MemoryRecord
from tests.protocols.stage import NOW, entry_of
from tests.strategies import json_values

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Checked


def audited(debate: Debate, *changed: Entry, lost: str = "") -> Checked:
    """Return what the audit says of a debate with other entries, and without one of its own."""
    assert isinstance(debate.record, MemoryRecord)
    now = {**debate.record.entries, **{entry.id: entry for entry in changed}}
    now.pop(lost, None)
    values = [(headers.checked(entry, entry.id), entries.parse(entry)) for entry in now.values()]
    return audit(rules_of(debate.protocol), values, debate.settings)


def faulty(debate: Debate, *changed: Entry, lost: str = "") -> set[str]:
    """Return the ids of the entries that have a fault, or of those that cannot be read."""
    try:
        return {Path(fault.file).stem for fault in audited(debate, *changed, lost=lost).faults}
    except BadRecordError:
        return {entry.id for entry in changed}


def one_of_each_kind(protocol: str) -> Iterator[tuple[Debate, Entry]]:
    seen = set()
    for name in ROWS[protocol].variants:
        debate = debate_at(protocol, name)
        assert isinstance(debate.record, MemoryRecord)
        for entry in debate.record.entries.values():
            if entry.kind not in seen:
                seen.add(entry.kind)
                yield debate, entry


NUMBERS = (0, 6, 30, 60)
"""Of ids of absences: of formal or exchange debates, of votes, of speeches, of refinements."""
STAMP = {"id", "participant", "side", "kind", "exchange", "step", "from", "at", "rests_on"}
"""Keys of a header that say whose an entry is, and when it was made."""
OTHER: dict[type, Any] = {str: "zz", bool: None, list: [7], dict: {"zz": 7}, type(None): "zz"}
WORDS = {"title", "by", "how", "reason", "opener"}
"""Keys under which other words may stand: nothing follows from them."""
MAY_LACK = {"attacks", "defends", "steering"}
MAY_LACK_A_TITLE = {"revision"}


def other_value(value: Any) -> Any:
    return not value if isinstance(value, bool) else OTHER.get(type(value), 987654)


@pytest.mark.parametrize("protocol", ROWS)
def test_every_key_of_a_header_that_is_lost_or_changed_is_a_fault_of_its_file(
    protocol: str,
) -> None:
    for debate, entry in one_of_each_kind(protocol):
        for key in entry.header.keys() - STAMP:
            lost = {name: value for name, value in entry.header.items() if name != key}
            is_free = key in MAY_LACK or (key == "title" and entry.kind in MAY_LACK_A_TITLE)
            assert is_free or entry.id in faulty(debate, entry._replace(header=lost)), key
            changed = {**entry.header, key: other_value(entry.header[key])}
            is_free = key in WORDS and key in entry.header
            assert is_free or entry.id in faulty(debate, entry._replace(header=changed)), key


@pytest.mark.parametrize("protocol", ROWS)
def test_a_section_that_is_lost_is_a_fault(protocol: str) -> None:
    for debate, entry in one_of_each_kind(protocol):
        for heading in (line for line in entry.body.splitlines() if line.startswith("## ")):
            changed = entry._replace(body=entry.body.replace(heading, "## Other"))
            assert faulty(debate, changed), (entry.id, heading)


@pytest.mark.parametrize("protocol", ROWS)
def test_an_entry_that_is_lost_is_a_fault_unless_it_is_the_last(protocol: str) -> None:
    for debate, entry in one_of_each_kind(protocol):
        if entry.step < debate.step - 1 and entry.participant != PERSON:
            assert faulty(debate, lost=entry.id), entry.id


@pytest.mark.parametrize("protocol", ROWS)
def test_an_entry_of_somebody_elses_or_of_another_time_is_a_fault_where_it_has_no_place(
    protocol: str,
) -> None:
    for debate, entry in one_of_each_kind(protocol):
        number = entry.exchange + 7
        name, _, rest = entry.id.partition("_")
        for changes in (
            {"id": f"zed_{rest}", "participant": "zed"},
            {"id": f"{name}_{number:03d}{rest[3:]}", "exchange": number},
            {"id": f"{name}_{rest[:3]}-song", "kind": "song"},
        ):
            header = {**entry.header, **changes}
            assert faulty(debate, entry._replace(id=str(changes["id"]), header=header)), changes


@pytest.mark.parametrize("protocol", ROWS)
def test_an_absence_beside_what_it_stands_for_is_a_fault(protocol: str) -> None:
    for debate, spoken in one_of_each_kind(protocol):
        absent = Absent(spoken.participant, "skip", "why")
        for number in NUMBERS if spoken.participant != PERSON else ():
            identity = entry_id(spoken.participant, spoken.exchange, "absence", number)
            value = filing.absence(identity, spoken.exchange, absent)
            assert identity in faulty(debate, entry_of(value, debate._replace(step=spoken.step)))


@settings(max_examples=40)
@given(st.data())
@pytest.mark.slow
def test_whatever_stands_in_a_header_is_no_bug(data: st.DataObject) -> None:
    """The forms that every reader relies on are checked where a file is read."""
    every = [each for protocol in ROWS for each in one_of_each_kind(protocol)]
    debate, entry = data.draw(st.sampled_from(every))
    key = data.draw(st.sampled_from(sorted(entry.header.keys() - STAMP)))
    changed = entry._replace(header={**entry.header, key: data.draw(json_values)})
    faulty(debate, changed)
    assert isinstance(debate.record, MemoryRecord)
    now = debate._replace(record=MemoryRecord({**debate.record.entries, entry.id: changed}))
    rules = rules_of(debate.protocol)
    with contextlib.suppress(BadRecordError):
        headers.checked(changed, entry.id)
        rules.derive(now.record, now.settings)
        rules.next_turn(now, NOW)
