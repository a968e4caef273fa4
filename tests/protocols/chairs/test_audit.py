"""A whole record held against the rules: all that they promise is looked at again."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops.protocols.chairs import names
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
from tests.protocols.stage import edited, entry_map

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate

INTERRUPTED, EVALUATION = "ann_001-speech", "evaluator_001-evaluation-1"


@cache
def rich() -> Debate:
    """Return a debate that is over, in which ann was interjected and interrupted."""
    *_, last = lively(begun(max_exchanges=2))
    return hold(last)


def test_a_skipped_interruption_and_a_skipped_interjection_are_no_faults() -> None:
    debate = until(begun(max_exchanges=1), names.FLOOR)
    debate = hold(debate, evaluator=straw_man(), moderator=cut_in("ben"))
    debate = hold(debate, arbiter=None)
    debate = hold(debate, ben=None)
    assert is_asked(debate, names.SPEECH, "ben")
    assert STAGE.audited(debate).faults == ()


def test_a_sign_is_looked_for_again_where_it_decides() -> None:
    debate = until(begun(aggressiveness=2, max_exchanges=1), names.SPEECH, "ben")
    assert entry_map(debate)[INTERRUPTED].header["sign"] == ""
    assert INTERRUPTED in STAGE.faulty(edited(debate, INTERRUPTED, sign="pivotal_point"))
    assert STAGE.faulty(edited(rich(), INTERRUPTED, sign="pivotal_point")) == set()


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


def test_a_cancelled_debate_has_no_fault_and_nothing_may_follow() -> None:
    debate = until(begun(max_exchanges=1), names.SPEECH, "ben")
    ended = STAGE.act(debate, "cancel")
    assert STAGE.audited(ended).faults == ()
    (cancellation,) = set(entry_map(ended)) - set(entry_map(debate))
    later = edited(ended, cancellation, step=debate.step - 2)
    assert STAGE.audited(later).faults


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
    other = parts | {part: parts[part] | keys}
    assert EVALUATION in STAGE.faulty(edited(rich(), EVALUATION, parts=other))
