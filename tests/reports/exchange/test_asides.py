"""What a card tells of an argument beside its text: score history, attacks both ways, states."""

from __future__ import annotations

from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.asides import asides
from debate_ops.reports.parts import Aside
from tests.reports.debates import absence, argument, debate, judgment, short_debate

TOLD = asides(numbers.of(short_debate()))


def facts(of: Aside) -> dict[str, str]:
    return dict(of.facts)


def test_every_argument_has_its_side_its_score_and_its_states() -> None:
    assert (TOLD["prop_000b"].side, TOLD["prop_000b"].score) == (0, "+0.15")
    assert TOLD["opp_000a"].side == 1
    assert "rescored" in TOLD["prop_000b"].states
    assert "rescored" not in TOLD["prop_000a"].states


def test_scores_stand_with_their_judgment_and_reason_the_newest_first() -> None:
    assert facts(TOLD["prop_000b"])["Scores, the newest first"].split("\n") == [
        "- **+0.15** in [exchange 1][judge_001]: “Why prop_000b changed.”",
        "- **+0.40** in [the opening][judge_000]: “Why prop_000b has it.”",
    ]
    assert facts(TOLD["prop_001"])["Score"] == (
        "- **+0.35** in [exchange 1][judge_001]: “Why prop_001 has it.”"
    )


def test_an_attack_says_on_both_cards_what_became_of_it() -> None:
    on = facts(TOLD["prop_000a"])["Attacked by"]
    by = facts(TOLD["opp_001"])["Attacks"]
    assert on == "- [opp_001] The title of opp_001 here (claim): defended by [prop_002]"
    assert "[prop_000a] The title of prop_000a here (claim): defended by [prop_002]" in by
    assert "(claim): **not met directly** (only counter-attacked, by [prop_002])" in by


def test_an_attack_is_dropped_with_the_number_of_turns_that_could_have_met_it() -> None:
    told = facts(TOLD["opp_000b"])["Attacked by"]
    assert told == "- [prop_001] The title of prop_001 here (claim): **dropped** in 1 later turn"
    assert "dropped" in TOLD["opp_000b"].states


def test_what_nobody_attacked_says_whether_somebody_could_have() -> None:
    assert "never attacked" in TOLD["opp_000c"].states
    assert "too late to be answered" in TOLD["opp_002"].states


def test_a_reason_stands_in_full() -> None:
    told = judgment(0, {"prop_000a": 0})
    long = told._replace(scores=(told.scores[0]._replace(reasoning="reason " * 400),))
    found = asides(numbers.of(debate(argument("prop_000a"), long)))
    assert facts(found["prop_000a"])["Score"].count("reason") == 400


def test_an_argument_without_a_score_says_so() -> None:
    found = asides(numbers.of(debate(argument("prop_000a"))))
    assert found["prop_000a"].score == "not scored"
    assert "Score" not in facts(found["prop_000a"])


def test_a_ruling_tells_the_totals_after_it_and_what_it_changed() -> None:
    told = facts(TOLD["judge_001"])
    assert set(told) == {"Totals after it", "What it changed"}
    assert told["What it changed"].startswith("proposition ")


def test_an_absent_side_has_its_colour() -> None:
    given = debate(argument("prop_000a"), argument("opp_000a"), absence("opp_001"))
    assert asides(numbers.of(given))["opp_001"] == Aside(side=1)
