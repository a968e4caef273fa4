"""The decision note: five lines, each from the record alone."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Link
from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.flow_words import LATE
from debate_ops.reports.exchange.note import note
from tests.reports.debates import OPENING, argument, debate, judgment, short_debate

LABELS = [
    "Verdict",
    "Strongest of the proposition that stands",
    "Strongest of the opposition that stands",
    "Unanswered",
    "Would change it",
]


def lines(of: Debate) -> dict[str, str]:
    return {line.label: line.text for line in note(numbers.of(of))}


def opened(*more: object, scores: dict[str, int] | None = None) -> Debate:
    given = dict.fromkeys(OPENING, 0) | (scores or {})
    arguments = [argument(i) for i in OPENING]
    return debate(*arguments, judgment(0, given), *more)  # type: ignore[arg-type]


def test_the_note_has_five_lines_whatever_the_state_of_the_debate() -> None:
    for of in (debate(), debate(argument("prop_001")), opened(), short_debate()):
        assert list(lines(of)) == LABELS


def test_the_strongest_is_the_one_with_most_strength_of_those_that_stand() -> None:
    hit = argument("opp_001", attacks=("prop_000a",))
    told = lines(opened(hit, scores={"prop_000a": 900, "prop_000b": 200, "opp_000a": -1100}))
    assert told[LABELS[1]].startswith("[prop_000b] ")
    assert "score +0.20, strength 0.60" in told[LABELS[1]]


def test_a_side_of_which_nothing_stands_has_that_said() -> None:
    hits = [argument(f"opp_001{letter}", attacks=(f"prop_000{letter}",)) for letter in "abc"]
    told = lines(opened(*hits, scores={"prop_000b": 300, "opp_000a": -300}))
    assert told[LABELS[1]].startswith("None stands by the links; the strongest is [prop_000b]")


def test_a_point_that_nobody_could_answer_is_marked() -> None:
    late = "(made in the last exchange, "
    assert late in lines(opened())[LABELS[1]]
    gone_on = opened(
        argument("prop_001"), argument("opp_001"), scores={"prop_000a": 600, "opp_000a": -600}
    )
    assert lines(gone_on)[LABELS[1]].startswith("[prop_000a]")
    assert late not in lines(gone_on)[LABELS[1]]


def test_dropped_attacks_are_named_and_told_from_those_that_came_too_late() -> None:
    early, late = (
        argument("opp_001", attacks=("prop_000a",)),
        argument("opp_002", attacks=("prop_001",)),
    )
    waiting = [early, argument("prop_001"), late, argument("prop_002")]
    assert "Still to be answered: [opp_002] on [prop_001]." in lines(opened(*waiting))["Unanswered"]
    told = lines(opened(*waiting, judgment(2, {"prop_002": 0, "opp_002": 0})))
    assert told["Unanswered"].startswith(
        f"2 attacks: 1 dropped, 1 too late. Dropped: [opp_001] on [prop_000a]. {LATE}: [opp_002] on"
    )


def test_an_attack_that_was_only_countered_is_no_attack_that_got_a_reply() -> None:
    hit = argument("opp_001", attacks=("prop_000a",))
    counter, answer = (
        argument("prop_002", attacks=("opp_001",)),
        argument("opp_003", defends=("opp_001",)),
    )
    countered = lines(opened(hit, counter, answer))["Unanswered"]
    assert countered.startswith("2 attacks: 1 answered, 1 not met directly.")
    assert "Not met directly: [opp_001] on [prop_000a]." in countered
    assert "very attack got a reply" not in countered
    defended = lines(opened(hit, argument("prop_002", defends=("prop_000a",))))["Unanswered"]
    assert defended.startswith("1 attack: 1 answered. Every attack got a reply.")


def test_attacks_on_several_parts_of_an_argument_count_each_and_are_named_once() -> None:
    parts = (Link("prop_000a", "claim_attack", "No."), Link("prop_000a", "warrant_attack", "No."))
    hit = argument("opp_001", attacks=parts)
    told = lines(opened(hit, argument("prop_001"), argument("prop_002")))["Unanswered"]
    assert told.startswith("2 attacks: 2 dropped. Dropped: [opp_001] on [prop_000a]. ")


def test_a_debate_without_attacks_says_so() -> None:
    assert lines(opened())["Unanswered"] == "No attack has been made."


def test_the_score_that_carries_the_lead_is_named() -> None:
    told = lines(opened(scores={"prop_000a": 500, "prop_000b": -400, "opp_000a": -100}))
    assert (
        "[prop_000a] (+0.50) counted for nothing, the opposition would be ahead by 0.30"
        in told["Would change it"]
    )


def test_a_lead_that_no_score_carries_is_told_with_the_most_that_one_adds() -> None:
    told = lines(opened(scores={"prop_000a": 300, "prop_000b": 300, "opp_000a": -600}))
    assert (
        "No single score carries the lead (the most that one adds to it is +0.60, [opp_000a])"
        in told["Would change it"]
    )


def test_the_attack_that_turns_the_lead_by_strength_is_named() -> None:
    hit = argument("prop_001", attacks=("opp_000a",))
    of = opened(
        hit,
        argument("opp_001"),
        judgment(1, {"prop_001": 0, "opp_001": 0}),
        scores={"prop_000a": 200, "opp_000a": -200, "opp_000b": 300, "prop_000b": -300},
    )
    assert (
        "without the attack of [prop_001] on [opp_000a] the opposition would be ahead by"
        in lines(of)["Would change it"]
    )


def test_a_lead_by_strength_of_the_other_side_stands_in_the_verdict() -> None:
    hits = [argument("opp_001", attacks=("prop_000a", "prop_000b", "prop_000c"))]
    of = opened(*hits, scores={"prop_000a": 100, "opp_000a": -100})
    assert lines(of)["Verdict"].endswith("By strength the opposition is ahead by 1.18.")


def test_arguments_that_are_still_to_be_judged_stand_in_the_verdict() -> None:
    told = lines(opened(argument("prop_001"), argument("opp_001")))["Verdict"]
    assert "Exchange 1 is still to be judged: its 2 arguments are not in these totals." in told


def test_an_exchange_that_nobody_judged_is_named() -> None:
    of = debate(
        *(argument(i) for i in OPENING),
        argument("prop_001"),
        argument("opp_001"),
        judgment(1, {"prop_001": 200, "opp_001": -200}),
    )
    told = lines(of)["Verdict"]
    assert "after exchange 1 (without a judgment of the opening), 2 arguments" in told


def test_an_argument_without_a_score_does_not_go_before_one_that_has_one() -> None:
    of = opened(
        argument("prop_001"), argument("opp_001"), scores={"prop_000a": -100, "opp_000a": 100}
    )
    assert lines(of)[LABELS[1]].startswith("[prop_000b] ")
    assert "not scored" not in lines(of)[LABELS[1]]


def test_an_argument_that_waits_for_the_judge_is_not_too_late_to_be_answered() -> None:
    waiting = debate(*(argument(i) for i in OPENING))
    assert "made in the last exchange" not in lines(waiting)[LABELS[1]]
