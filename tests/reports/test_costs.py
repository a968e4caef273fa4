"""What each entry cost: only what is on record, a reply of several entries counted once."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.reports import costs
from tests.reports.debates import OPENING, argument, debate, judgment

SCORES = dict.fromkeys(OPENING, 100)


def lines(made_by: dict[str, Any]) -> list[str]:
    """Return the costs of an opening of three arguments each, and its judgment."""
    opened = debate(*(argument(i) for i in OPENING), judgment(0, SCORES), made_by=made_by)
    return list(costs.lines(opened))


def test_what_is_known_stands_with_each_entry() -> None:
    made_by = {"model": "m-1", "client": "c-2", "latency_ms": 1500, "tokens": {"in": 900, "out": 1}}
    first, *_, last = lines(made_by)
    assert first == (
        "prop_000a: at 2026-01-01T00:00:00Z, time 1.5 s, tokens 901, made by m-1, client c-2"
    )
    assert last == "in total, 3 replies: time 4.5 s (known of 3), tokens 2,703 (known of 3)"


def test_what_is_not_known_is_said_to_be_so_and_never_zero() -> None:
    first, *_, last = lines({})
    assert first.endswith("time not known, tokens not known, made by not known")
    assert last == "in total, 3 replies: time not known, tokens not known"


@pytest.mark.parametrize("made_by", [{"latency_ms": "fast", "tokens": True}, {"tokens": None}])
def test_what_is_no_number_is_not_known(made_by: dict[str, Any]) -> None:
    assert lines(made_by)[0].endswith("time not known, tokens not known, made by not known")


def test_a_model_that_would_steer_a_terminal_is_told_without_that() -> None:
    assert "\x1b" not in lines({"model": "m\x1b[31m\nred"})[0]
