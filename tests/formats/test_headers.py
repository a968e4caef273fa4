"""Headers of entries: numbers read back exactly, and checked for the forms readers rely on."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import BadRecordError
from debate_ops.formats.headers import (
    checked,
    totals_as_data,
    totals_from_data,
)
from debate_ops.model.debate import Total
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Entry
from tests.strategies import totals

ARGUMENT: dict[str, Any] = {
    "id": "prop_001",
    "side": "prop",
    "kind": "argument",
    "exchange": 1,
    "title": "t",
    "claim": "c",
    "attacks": [{"target_id": "opp_000a", "type": "claim_attack"}],
    "defends": [],
    "step": 2,
    "from": "f",
    "at": "2026-01-01T00:00:00Z",
    "made_by": {"model": "m"},
}
JUDGMENT: dict[str, Any] = {
    "id": "judge_001",
    "participant": "judge",
    "kind": "judgment",
    "exchange": 1,
    "scores": [{"argument_id": "prop_001", "score": Decimal("0.35")}],
    "rescores": [{"argument_id": "opp_000a", "previous": 0, "score": Decimal("0.1")}],
    "judged": [{"id": "prop_001", "digest": "d"}],
    "cumulative_scores": {"proposition": {"total": 0, "count": 4}},
    "step": 3,
}
ABSENCE: dict[str, Any] = {"id": "judge_001-absence", "kind": "absence", "exchange": 1, "step": 3}

GOOD = {"argument": (ARGUMENTS, ARGUMENT), "judgment": (JUDGMENTS, JUDGMENT)}
GOOD["absence"] = (JUDGMENTS, ABSENCE)


def entry(kind: str, **changes: Any) -> Entry:
    folder, header = GOOD[kind]
    changed = {key: value for key, value in (header | changes).items() if value is not ...}
    return Entry(str(header["id"]), folder, changed)


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("argument", "side", ...),
        ("argument", "attacks", None),
        ("argument", "mine", {"any": ["thing"]}),
        ("judgment", "rescores", None),
        ("absence", "step", 3),
    ],
)
def test_what_may_be_missing_may_be_missing(kind: str, key: str, value: Any) -> None:
    made = entry(kind, **{key: value})
    assert checked(made, "f") == made


BAD: dict[tuple[str, str], list[Any]] = {
    ("argument", "side"): [1],
    ("argument", "title"): [["t"]],
    ("argument", "attacks"): [1, ["x"], [{}], [{"target_id": 1, "type": "x"}]],
    ("argument", "defends"): [[{"target_id": "prop_000a"}]],
    ("argument", "made_by"): [[]],
    ("judgment", "scores"): [1, ["x"], [{"argument_id": "x", "score": 0}]],
    ("judgment", "rescores"): [[{"argument_id": "prop_001", "score": 0}], {"a": 1}],
    ("judgment", "judged"): ["x", [{"id": "prop_001"}]],
    ("judgment", "cumulative_scores"): [..., None, [], {"proposition": 1}],
}


@pytest.mark.parametrize(
    ("kind", "key", "value"), [(*place, value) for place, values in BAD.items() for value in values]
)
def test_another_form_is_refused_by_file_and_key(kind: str, key: str, value: Any) -> None:
    with pytest.raises(BadRecordError, match=rf"^arguments/x\.md: {key} is .*expected ") as caught:
        checked(entry(kind, **{key: value}), "arguments/x.md")
    assert caught.value.hint


@pytest.mark.parametrize("score", ["0.5", True, None, Decimal("0.0001"), [], Decimal("NaN")])
def test_a_score_that_is_none_is_refused(score: Any) -> None:
    scores = [{"argument_id": "prop_001", "score": score}]
    with pytest.raises(BadRecordError, match="scores is"):
        checked(entry("judgment", scores=scores), "f")


@given(st.dictionaries(st.text(), totals))
def test_totals_are_read_back_exactly(shown: dict[str, Total]) -> None:
    assert totals_from_data(totals_as_data(shown)) == shown


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"proposition": 1},
        {"proposition": {"total": 1}},
        {"proposition": {"total": "1", "count": 1}},
        {"proposition": {"total": 1, "count": True}},
        {"proposition": {"total": Decimal("0.0001"), "count": 1}},
    ],
)
def test_totals_of_another_form_are_not_guessed_at(data: Any) -> None:
    assert totals_from_data(data) is None
