"""What goes beyond a bound is refused, and what reaches it is read."""

from __future__ import annotations

import pytest

from debate_ops.formats import bounded_json
from debate_ops.formats.bounded_json import MAX_DEPTH


def test_a_value_may_be_as_deep_as_the_bound_and_no_deeper() -> None:
    assert bounded_json.read_whole("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    with pytest.raises(ValueError, match=str(MAX_DEPTH)):
        bounded_json.read_whole("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
