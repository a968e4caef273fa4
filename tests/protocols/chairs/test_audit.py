"""A whole record held against the rules: all that they promise is looked at again."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import BadRecordError
from debate_ops.formats import headers
from debate_ops.protocols.chairs import names, statistics
from debate_ops.protocols.chairs.rules import RULES
from tests.protocols.chairs.stage import (
    STAGE,
    begun,
    cut_in,
    hold,
    is_asked,
    is_over,
    lively,
    straw_man,
    until,
)
from tests.protocols.stage import NOW, entry_map, with_entries, without
from tests.strategies import json_values

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate

INTERRUPTED = "ann_001-speech"
EVALUATION, FLOOR = "evaluator_001-evaluation-1", "moderator_001-floor-1"
INTERJECTION, INTERRUPTION = "arbiter_001-interjection-1", "ben_001-interruption-1"
REPLY, QUIET = "ann_001-reply-1", "moderator_001-floor-2"


@cache
def rich() -> Debate:
    """Return a debate that is over, in which ann was interjected and interrupted."""
    *_, last = lively(begun(max_exchanges=2))
    return hold(last)


def changed(debate: Debate, entry_id: str, **keys: Any) -> Debate:
    """Return a debate with other keys in the header of an entry; None takes a key away."""
    entry = entry_map(debate)[entry_id]
    header = {k: v for k, v in (dict(entry.header) | keys).items() if k not in keys or v != "gone"}
    return with_entries(debate, entry._replace(header=header))


def moved(debate: Debate, entry_id: str, other_id: str, **keys: Any) -> Debate:
    """Return a debate in which an entry has another id."""
    entry = entry_map(debate)[entry_id]
    header = dict(entry.header) | {"id": other_id} | keys
    return with_entries(without(debate, entry_id), entry._replace(id=other_id, header=header))


def test_a_skipped_interruption_and_a_skipped_interjection_are_no_faults() -> None:
    debate = until(begun(max_exchanges=1), names.FLOOR)
    debate = hold(debate, evaluator=straw_man(), moderator=cut_in("ben"))
    debate = hold(debate, arbiter=None)
    debate = hold(debate, ben=None)
    assert is_asked(debate, names.SPEECH, "ben")
    assert STAGE.audited(debate).faults == ()


@pytest.mark.parametrize(
    ("entry_id", "old", "new"),
    [
        (INTERRUPTED, "## Speech", "## Talk"),
        (INTERRUPTED, "to be heard", "to be read"),
        (FLOOR, "## Why", "## Because"),
        (INTERJECTION, "## Quote\n\nto be heard", "## Quote\n\nto be"),
        (INTERJECTION, "## Interjection", "## Remark"),
        (EVALUATION, "## Why the arbiter should step in", "## Other"),
    ],
)
def test_a_text_that_was_edited_is_a_fault_where_something_follows_from_it(
    entry_id: str, old: str, new: str
) -> None:
    entry = entry_map(rich())[entry_id]
    assert old in entry.body
    debate = with_entries(rich(), entry._replace(body=entry.body.replace(old, f"{new} of it")))
    assert entry_id in STAGE.faulty(debate)


def test_a_sign_is_looked_for_again_where_it_decides() -> None:
    debate = until(begun(aggressiveness=2, max_exchanges=1), names.SPEECH, "ben")
    assert entry_map(debate)[INTERRUPTED].header["sign"] == ""
    edited = changed(debate, INTERRUPTED, sign="pivotal_point")
    assert INTERRUPTED in STAGE.faulty(edited)
    assert STAGE.faulty(changed(rich(), INTERRUPTED, sign="pivotal_point")) == set()


@pytest.mark.parametrize(
    ("entry_id", "keys"),
    [
        (EVALUATION, {"interjection": False}),
        (FLOOR, {"granted": False}),
        (FLOOR, {"chair": "nobody"}),
        (FLOOR, {"chair": "ann"}),
    ],
)
def test_a_decision_that_would_not_have_called_for_what_followed_is_a_fault(
    entry_id: str, keys: dict[str, Any]
) -> None:
    assert entry_id in STAGE.faulty(changed(rich(), entry_id, **keys))


def test_an_interruption_by_a_chair_that_has_to_wait_is_a_fault() -> None:
    """With a cooldown of 2, of two chairs, ben could not cut in again in the next exchange."""
    debate = begun(max_exchanges=2, cooldown=0)
    while not is_over(debate):
        debate = hold(debate, moderator=cut_in("ben") if is_due_on(debate, "ann") else {})
    assert STAGE.audited(debate).faults == ()
    stricter = debate._replace(settings=dict(debate.settings) | {"cooldown": 2})
    assert "moderator_002-floor-1" in STAGE.faulty(stricter)


def is_due_on(debate: Debate, speaker: str) -> bool:
    if not is_asked(debate, names.FLOOR):
        return False
    speeches = [e for e in entry_map(debate).values() if e.kind == names.SPEECH]
    return max(speeches, key=lambda entry: entry.step).participant == speaker


def test_an_entry_beside_its_own_absence_is_a_fault() -> None:
    debate = until(begun(max_exchanges=1), names.SPEECH, "ben")
    skipped = hold(debate, ben=None)
    (absence,) = set(entry_map(skipped)) - set(entry_map(debate))
    spoken = hold(debate)
    both = with_entries(spoken, entry_map(skipped)[absence])
    assert absence in STAGE.faulty(both)


def test_a_cancelled_debate_has_no_fault_and_nothing_may_follow() -> None:
    debate = until(begun(max_exchanges=1), names.SPEECH, "ben")
    ended = STAGE.act(debate, "cancel")
    assert STAGE.audited(ended).faults == ()
    (cancellation,) = set(entry_map(ended)) - set(entry_map(debate))
    later = changed(ended, cancellation, step=debate.step - 2)
    assert STAGE.audited(later).faults
    by_ann = moved(ended, cancellation, "ann_001-cancellation")
    assert "ann_001-cancellation" in STAGE.faulty(by_ann)


KEYS = [
    (entry_id, key)
    for entry_id, entry in sorted(entry_map(rich()).items())
    for key in sorted(entry.header)
    if key
    not in {"id", "participant", "kind", "exchange", "step", "from", "at", "sources", "rests_on"}
]


def test_every_key_of_a_header_that_is_lost_is_a_fault() -> None:
    for entry_id, key in KEYS:
        if entry_map(rich())[entry_id].header[key] is not None:
            lost = changed(rich(), entry_id, **{key: "gone"})
            assert entry_id in STAGE.faulty(lost), (entry_id, key)


@pytest.mark.parametrize(
    ("part", "keys"),
    [
        ("steel_manning", {"points": 26}),
        ("steel_manning", {"attempted": True}),
        ("self_critique", {"points": 0.5}),
        ("framework_consistency", {"consistent": None}),
        ("intellectual_honesty", {"level": "none"}),
    ],
)
def test_a_part_that_no_reply_could_have_is_a_fault(part: str, keys: dict[str, Any]) -> None:
    parts = entry_map(rich())[EVALUATION].header["parts"]
    edited = parts | {part: parts[part] | keys}
    assert EVALUATION in STAGE.faulty(changed(rich(), EVALUATION, parts=edited))


@given(st.sampled_from(KEYS), json_values)
def test_whatever_stands_in_a_header_is_no_bug(at: tuple[str, str], value: Any) -> None:
    """The forms that every reader relies on are checked where a file is read."""
    entry_id, key = at
    debate = changed(rich(), entry_id, **{key: value})
    try:
        headers.checked(entry_map(debate)[entry_id], entry_id)
    except BadRecordError:
        return
    if not STAGE.audited(debate).faults:
        assert value == entry_map(rich())[entry_id].header[key]
    with contextlib.suppress(BadRecordError):
        RULES.derive(debate.record, debate.settings)
    with contextlib.suppress(BadRecordError):
        RULES.next_turn(debate, NOW)
    with contextlib.suppress(BadRecordError):
        statistics.of_past(RULES.past_of(debate))


@pytest.mark.parametrize(
    ("entry_id", "other_id", "keys"),
    [
        (INTERRUPTED, "eve_001-speech", {}),
        (INTERRUPTED, "ann_003-speech", {"exchange": 3}),
        (INTERRUPTED, "ann_001-song", {"kind": "song"}),
        ("arbiter_002-closing", "arbiter_001-closing", {"exchange": 1}),
        (EVALUATION, "evaluator_001-evaluation-3", {}),
        (INTERRUPTION, "ann_001-interruption-1", {}),
    ],
)
def test_an_entry_for_which_a_debate_has_no_place_is_a_fault(
    entry_id: str, other_id: str, keys: dict[str, Any]
) -> None:
    assert other_id in STAGE.faulty(moved(rich(), entry_id, other_id, **keys))
