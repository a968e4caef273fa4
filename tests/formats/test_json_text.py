"""JSON as it is written: read back equal by json and YAML, the same bytes for equal values."""

from __future__ import annotations

import json
import random
import re
from decimal import Decimal
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats.json_text import canonical, dumps, printed
from debate_ops.model.texts import shown
from tests.strategies import as_floats, json_values, numbers


@given(json_values)
def test_a_value_is_read_back_by_json(value: Any) -> None:
    for text in (dumps(value), canonical(value)):
        assert json.loads(text, parse_float=Decimal) == value


@given(json_values)
def test_a_value_is_read_back_by_yaml(value: Any) -> None:
    assert yaml.safe_load(dumps({"value": value})) == as_floats({"value": value})


@given(json_values, st.randoms())
def test_equal_values_have_equal_canonical_texts(value: Any, chance: random.Random) -> None:
    assert canonical(_shuffled(value, chance)) == canonical(value)
    assert "\n" not in canonical(value)


def _shuffled(value: Any, chance: random.Random) -> Any:
    """Return an equal value with other key orders and other spellings of its numbers."""
    if isinstance(value, dict):
        pairs = [(key, _shuffled(item, chance)) for key, item in value.items()]
        chance.shuffle(pairs)
        return dict(pairs)
    if isinstance(value, list):
        return [_shuffled(item, chance) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(f"{value}.00")
    return value


@given(json_values, json_values)
def test_different_values_have_different_canonical_texts(one: Any, other: Any) -> None:
    if canonical(one) == canonical(other):
        assert _with_floats_alone(one) == _with_floats_alone(other)


def _with_floats_alone(value: Any) -> str:
    """Return a value as JSON in which 0 and 0.0, but not 0 and false, are the same."""
    plain = json.loads(json.dumps(as_floats(value)), parse_int=float)
    return json.dumps(plain, sort_keys=True)


TURNING = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069\x9b\x7f\ud800\ufffe\U000e0041"


@given(json_values)
def test_what_is_printed_is_read_back_equal(value: Any) -> None:
    assert json.loads(printed(value), parse_float=Decimal) == value


@pytest.mark.parametrize("character", TURNING, ids=ascii)
def test_what_is_printed_holds_nothing_that_a_terminal_would_obey(character: str) -> None:
    value = {f"a{character}": [f"b{character}c"]}
    text = printed(value)
    assert shown(text) == text
    assert json.loads(text) == value


@given(numbers | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_written_without_exponents(number: float | Decimal) -> None:
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", dumps(number))
    assert Decimal(dumps(number)) == Decimal(str(number))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("0.350"), "0.35"),
        (Decimal("-1.000"), "-1"),
        (Decimal("1E+3"), "1000"),
        (Decimal("-0.00"), "0"),
        (1e22, "10000000000000000000000.0"),
        ({}, "{}"),
        ((), "[]"),
        (True, "true"),
        ("\x85\u2028\ufeff", r'"\u0085\u2028\ufeff"'),
        ("é\U0001f600\u202e", '"é\U0001f600\u202e"'),
        ("</script>", '"</script>"'),
    ],
)
def test_a_value_has_one_spelling(value: Any, text: str) -> None:
    assert dumps(value) == text
    assert canonical(value) == text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), Decimal("-Infinity")])
def test_what_json_has_no_number_for_is_refused(number: Any) -> None:
    with pytest.raises(ValueError, match="no number"):
        dumps(number)


def test_keys_stay_in_the_order_given() -> None:
    assert list(json.loads(dumps({"b": 1, "a": 2, "c": 3}))) == ["b", "a", "c"]
