"""The word limit of a judge's reasons, by the command that takes a file."""

from __future__ import annotations

import pytest

from tests.builders import (
    JUDGING,
    debate_at,
    judgment,
    process_judge,
)

pytestmark = pytest.mark.usefixtures("work")


def words(count: int) -> str:
    return " ".join(["word"] * count)


@pytest.mark.parametrize(("count", "warnings"), [(75, 0), (76, 1)])
def test_a_judges_reasons_have_75_words_at_most(count: int, warnings: int) -> None:
    debate_at(1, JUDGING)
    reply = judgment(1, {"prop_001": 0, "opp_001": 0})
    reply["scores"][1]["reasoning"] = words(count)
    assert len(process_judge(reply).result["warnings"]) == warnings
