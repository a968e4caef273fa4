"""The second opinion on the page: strength first, what stands, and how far to trust it."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.what_stands import what_stands
from debate_ops.semantics.influence import LAST_WORD_RULE, RULE
from tests.reports.debates import OPENING, argument, debate, judgment, long_debate, short_debate


def section(of: Debate, rows: int | None = None) -> str:
    return "\n\n".join(what_stands(numbers.of(of), rows))


def answered(scores: dict[str, int]) -> Debate:
    """Return a debate in which prop_001 attacks opp_000a, and nothing answers that."""
    arguments = [argument(i) for i in OPENING]
    later = [argument("prop_001", attacks=("opp_000a",)), argument("opp_001")]
    first = judgment(0, dict.fromkeys(OPENING, 0) | scores)
    return debate(*arguments, first, *later, judgment(1, {"prop_001": 400, "opp_001": -400}))


def test_without_attacks_there_is_no_second_opinion() -> None:
    assert not section(debate(*(argument(i) for i in OPENING)))


def test_the_rules_stand_beside_the_numbers() -> None:
    text = section(short_debate())
    assert RULE in text
    assert LAST_WORD_RULE in text


def test_arguments_are_listed_by_strength_with_score_and_whether_they_stand() -> None:
    rows = [line for line in section(answered({})).split("\n") if line.startswith("| [")]
    assert (
        rows[0]
        == "| [prop_001] | proposition | The title of prop_001 here | 0.70 | +0.40 | stands |"
    )
    assert rows[-1] == "| [opp_000a] | opposition | The title of opp_000a here | 0.15 | 0.00 |  |"


def test_a_lead_by_strength_against_the_judges_is_told_as_such() -> None:
    against = section(answered({"prop_000a": -700, "opp_000b": 100, "opp_000a": 600}))
    judge = "but by the judge's totals the opposition is ahead by 0.60."
    assert f"**By strength:** **the proposition is ahead by 0.26**, {judge}" in against
    agreed = section(answered({}))
    assert "**By strength:** the proposition is ahead by" in agreed


def test_the_last_word_is_told_with_and_without_it() -> None:
    text = section(answered({}))
    assert "nobody could answer exchange 1. Without it 3 of the proposition and 3 of the" in text
    assert "4 of 4 of the proposition" in text
    assert "3 of 4 of the opposition" in text


def test_an_argument_that_judge_and_graph_see_differently_is_named() -> None:
    text = section(answered({"opp_000a": 300, "prop_000a": -300}))
    assert "disagree about 1 argument: [opp_000a] was scored +0.30, but does not stand" in text


def test_an_attack_that_turns_the_lead_is_named_or_the_strongest_one() -> None:
    assert "no single attack turns the lead" in section(answered({}))
    close = section(answered({"prop_000a": -700, "opp_000b": 400, "opp_000a": 300}))
    assert "without the attack of [prop_001] on [opp_000a]" in close


def test_a_long_list_keeps_the_strongest_and_says_so() -> None:
    text = section(long_debate(27), rows=10)
    assert text.count("\n| [") == 10
    assert "50 weaker arguments left out here" in text
