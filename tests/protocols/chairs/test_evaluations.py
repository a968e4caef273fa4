"""What an evaluation and a word on the floor come to."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.protocols import words
from debate_ops.protocols.chairs import evaluations, frameworks
from debate_ops.protocols.chairs.floor import OPENER_WORDS
from tests.protocols.chairs.stage import settings

GOOD: dict[str, dict[str, Any]] = {
    "steel_manning": {"points": 20, "quality": "strong", "attempted": True},
    "self_critique": {"points": 20, "quality": "strong", "attempted": True},
    "framework_consistency": {"points": 20, "consistent": True},
    "intellectual_honesty": {"points": 20, "level": "high"},
}


def worse(**changes: Any) -> dict[str, dict[str, Any]]:
    """Return good parts of which some keys are otherwise, by the first word of the part."""
    parts = {name: dict(part) for name, part in GOOD.items()}
    for name, keys in changes.items():
        next(part for key, part in parts.items() if key.startswith(name)).update(keys)
    return parts


WEAK = worse(steel={"quality": "weak"})
ABSENT = worse(steel={"quality": "absent", "points": 0, "attempted": False})


@given(st.integers(0, 10**6), st.integers(1, 10**4))
def test_halves_are_rounded_up_and_nothing_else_is(over: int, under: int) -> None:
    rounded = evaluations.half_up(over, under)
    assert (2 * rounded - 1) * under <= 2 * over < (2 * rounded + 1) * under


@pytest.mark.parametrize(
    ("points", "adherence"),
    [
        ([25, 25, 25, 25], 100),
        ([0, 0, 0, 0], 0),
        ([20, 19, 18, 3], 60),
        ([25, 25, 25], 100),
        ([1, 0, 0], 1),
        ([10, 10, 11], 41),
        ([25, 0], 50),
        ([3, 0], 6),
    ],
)
def test_adherence_is_the_sum_of_what_is_judged_in_per_cent(
    points: list[int], adherence: int
) -> None:
    parts = {
        name: {"points": each}
        for name, each in zip([*frameworks.PARTS][::-1], points, strict=False)
    }
    assert evaluations.adherence(parts) == adherence


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        (GOOD, None),
        (WEAK, "straw_manning"),
        (ABSENT, "straw_manning"),
        (worse(steel={"quality": "adequate"}), None),
        (worse(self={"quality": "weak"}), None),
        (worse(self={"quality": "absent"}), "missing_self_critique"),
        (worse(framework={"consistent": False}), "framework_inconsistency"),
        (worse(intellectual={"level": "low"}), "rhetorical_evasion"),
        (worse(intellectual={"level": "medium"}), None),
        (
            worse(framework={"consistent": False}, intellectual={"level": "low"}),
            "framework_inconsistency",
        ),
        (
            worse(self={"quality": "absent"}, framework={"consistent": False}),
            "missing_self_critique",
        ),
        (worse(steel={"quality": "weak"}, self={"quality": "absent"}), "straw_manning"),
        ({"framework_consistency": {"points": 0, "consistent": True}}, None),
    ],
)
def test_of_several_violations_the_first_counts(parts: Any, kind: str | None) -> None:
    assert evaluations.violation(parts) == kind


def test_there_is_an_opener_of_fitting_length_for_every_reason() -> None:
    openers = {reason.opener for reason in frameworks.REASONS.values()}
    assert len(openers) == len(frameworks.REASONS)
    assert all(OPENER_WORDS[0] <= words.count(text) <= OPENER_WORDS[1] for text in openers)


def test_nothing_brings_an_interjection_where_they_are_forbidden() -> None:
    for level, flag in product(("moderate", "strict"), (True, False)):
        chosen = settings(accountability=level, interjections="forbidden")
        assert not evaluations.calls_for_interjection(ABSENT, is_required=flag, settings=chosen)
