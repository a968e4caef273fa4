"""What each entry cost: only what is on record, a reply of several entries counted once."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.reports import provenance
from tests.reports.debates import OPENING, argument, debate, judgment

SCORES = dict.fromkeys(OPENING, 100)


def lines(made_by: dict[str, Any]) -> list[str]:
    """Return the costs of an opening of three arguments each, and its judgment."""
    opened = debate(*(argument(i) for i in OPENING), judgment(0, SCORES), made_by=made_by)
    return list(provenance.costs(opened))


def test_what_is_known_stands_with_each_entry_and_a_reply_of_three_entries_counts_once() -> None:
    made_by = {"model": "m-1", "client": "c-2", "latency_ms": 1500, "tokens": {"in": 900, "out": 1}}
    first, *_, last = lines(made_by)
    assert all(part in first for part in ("prop_000a", "1.5 s", "tokens 901", "m-1, client c-2"))
    assert all(part in last for part in ("3 replies", "4.5 s", "2,703"))


@pytest.mark.parametrize("made_by", [{}, {"latency_ms": "fast", "tokens": True}, {"tokens": None}])
def test_what_is_no_number_is_not_known_and_never_zero(made_by: dict[str, Any]) -> None:
    assert lines(made_by)[0].count(provenance.NOT_RECORDED) == 3
    assert lines(made_by)[-1].count(provenance.NOT_RECORDED) == 2
