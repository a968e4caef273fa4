"""Word limits of arguments and reasons, by the commands that take files."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from tests.builders import (
    JUDGING,
    Data,
    argument,
    attack,
    debate_at,
    defence,
    ground,
    judgment,
    process_exchange,
    process_judge,
)

pytestmark = pytest.mark.usefixtures("work")


def words(count: int) -> str:
    return " ".join(["word"] * count)


LIMITS: list[tuple[str, int, Callable[[str], Data]]] = [
    ("title", 7, lambda text: {"title": text}),
    ("claim", 25, lambda text: {"claim": text}),
    ("warrant", 50, lambda text: {"warrant": text}),
    ("backing", 50, lambda text: {"backing": text}),
    ("qualifier", 10, lambda text: {"qualifier": text}),
    ("grounds[0].content", 100, lambda text: {"grounds": [ground(content=text)]}),
    ("grounds[0].relevance", 30, lambda text: {"grounds": [ground(relevance=text)]}),
    ("attacks[0].content", 75, lambda text: {"attacks": [attack("opp_000a", content=text)]}),
    ("defends[0].content", 75, lambda text: {"defends": [defence("prop_000a", content=text)]}),
]


@pytest.mark.parametrize(("field", "most", "changes"), LIMITS, ids=[row[0] for row in LIMITS])
def test_a_text_over_its_limit_is_reported_and_where_the_limits_are_strict_refused(
    field: str, most: int, changes: Callable[[str], Data]
) -> None:
    place = f"$.arguments[0].{field}"
    exact, longer = argument(**changes(words(most))), argument(**changes(words(most + 1)))
    debate_at(1, word_limits="reject")
    refused = process_exchange(1, longer, argument())
    assert (refused.codes, refused.places) == (["word_limit"], [("prop", place)])
    assert process_exchange(1, exact, argument()).result["warnings"] == []
    shutil.rmtree("debates")
    debate_at(1)
    (detail,) = process_exchange(1, longer, argument()).result["warning_details"]
    assert (detail["code"], detail["where"]) == ("word_limit", place)
    assert f"{most + 1} words" in detail["message"]
    assert str(most) in detail["expected"]


@pytest.mark.parametrize(("count", "warnings"), [(75, 0), (76, 1)])
def test_a_judges_reasons_have_75_words_at_most(count: int, warnings: int) -> None:
    debate_at(1, JUDGING)
    reply = judgment(1, {"prop_001": 0, "opp_001": 0})
    reply["scores"][1]["reasoning"] = words(count)
    assert len(process_judge(reply).result["warnings"]) == warnings
