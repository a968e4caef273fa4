"""A slice of the fuzzer: `python -m tests.hostile.fuzz --minutes 60` is the whole of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile import fuzz


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_found_in_replies_and_headers_changed_at_random(
    seed: int, tmp_path: Path
) -> None:
    done = fuzz.run(seed, 10, tmp_path)
    assert done.steps > 0
    assert done.findings == {}


def test_a_step_follows_from_its_seed_and_number_alone() -> None:
    first, again = ([fuzz.step_of(3, number) for number in range(200)] for _ in range(2))
    assert [(step.name, step.data) for step in first] == [(s.name, s.data) for s in again]
    assert len({step.data for step in first}) > 100
    assert {step.is_reply for step in first} == {True, False}
