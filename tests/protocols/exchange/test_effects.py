"""What the judge says that attacks did: each decided once, and kept until it has been met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from debate_ops.formats import entries
from debate_ops.protocols.exchange import effects
from tests.builders import (
    JUDGING,
    Data,
    argument,
    attack,
    defence,
    effect,
    judgment,
    opening,
    rebuttal,
    rescore,
    score,
    scores_of,
)
from tests.protocols.stage import Stage, edited, header, value_of

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Task, Turn

ATTACK = ("opp_001", "prop_000a", "claim")
UNDERCUT = ("opp_001", "prop_000a", "warrant")
BOTH = [effect(*ATTACK[:2]), effect(*UNDERCUT[:2], "missed", "warrant")]


def good(debate: Debate, turn: Turn, task: Task) -> Data:
    """Return a good reply: in exchange 1 the opposition attacks twice, and nobody else does."""
    if task.participant == "judge":
        decided = BOTH if turn.exchange == 1 and effects.are_decided(debate.settings) else []
        return judgment(turn.exchange, scores_of(turn.exchange), effects=decided)
    if not turn.exchange:
        return opening(task.participant)
    hits = [attack("prop_000a"), attack("prop_000a", "warrant_attack")]
    is_hitting = (task.participant, turn.exchange) == ("opp", 1)
    return rebuttal(task.participant, turn.exchange, attacks=hits if is_hitting else [])


STAGE = Stage("exchange", good)


def judged(exchange: int, **chosen: Any) -> Debate:
    """Return a debate that awaits the judgment of an exchange."""
    settings = {"attack_effects": "on"} | chosen
    return STAGE.until(STAGE.begun(**settings), JUDGING, exchange)


def codes(debate: Debate, decided: list[Data], *rescores: Data) -> tuple[list[str], list[str]]:
    return STAGE.codes(debate, judge={"effects": decided, "rescores": list(rescores)})


@pytest.mark.parametrize(
    ("decided", "code"),
    [
        ([*BOTH, BOTH[0]], "effect_twice"),
        ([*BOTH, effect("prop_001", "opp_000a")], "effect_unknown"),
        ([*BOTH, effect("opp_001", "prop_000a", component="grounds")], "effect_unknown"),
        ([*BOTH, effect("opp_000a", "prop_000a", "met")], "effect_unknown"),
        ([*BOTH, effect("x", "y")], "effect_unknown"),
        ([effect(*ATTACK[:2], "met"), BOTH[1]], "effect_unfit"),
    ],
)
def test_an_attack_is_decided_once_and_no_other(decided: list[Data], code: str) -> None:
    assert codes(judged(1), decided) == ([code], [])
    for fewer in ([], BOTH[:1]):
        assert codes(judged(1), fewer) == ([], ["effect_missing"])
    assert codes(judged(1), BOTH) == ([], [])


@pytest.mark.parametrize("before", ["landed", "partly"])
def test_an_earlier_attack_that_landed_can_be_met_once_and_nothing_else(before: str) -> None:
    first = [effect(*ATTACK[:2], before), BOTH[1]]
    debate = STAGE.until(judged(1), JUDGING, 2, judge={"effects": first})
    met = effect(*ATTACK[:2], "met")
    assert codes(debate, [met]) == codes(debate, []) == ([], [])
    for other in ("landed", "partly", "missed"):
        assert codes(debate, [met | {"effect": other}]) == (["effect_unfit"], [])
    assert codes(debate, [effect(*UNDERCUT[:2], "met", "warrant")]) == (["effect_unfit"], [])
    after = STAGE.until(STAGE.hold(debate, judge={"effects": [met]}), JUDGING, 3)
    assert effects.standing(effects.on_record(debate.record)) == [ATTACK]
    assert effects.standing(effects.on_record(after.record)) == []
    assert codes(after, [met]) == (["effect_unfit"], [])


def test_what_is_decided_is_data_of_the_judgment_with_its_reasons_in_the_body() -> None:
    debate = STAGE.hold(judged(1))
    decided = header(debate, "judge_001")["effects"]
    assert [tuple(item.values()) for item in decided] == [
        (*ATTACK, "landed"),
        (*UNDERCUT, "missed"),
    ]
    value = value_of(debate, "judge_001")
    assert [e["reasoning"] for e in value.data["effects"]] == ["It shows that."] * 2
    assert entries.body(value).count("(../arguments/opp_001.md)") == 3  # its score, two attacks
    assert STAGE.audit_codes(debate) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([{"effect": "met"}], "effect_unfit"),
        ([{"effect": "lost"}], "not_allowed"),
    ],
)
def test_a_judgment_edited_by_hand_is_found_by_the_audit(changes: list[Data], code: str) -> None:
    debate = STAGE.hold(judged(1))
    first, second = header(debate, "judge_001")["effects"]
    now = [first | changes[0], second]
    found = STAGE.audit_codes(edited(debate, "judge_001", effects=now))
    assert code in found


def test_a_debate_that_does_not_ask_for_it_has_nothing_of_it_on_record() -> None:
    """A debate that an older version began goes on as it was."""
    debate = judged(1, attack_effects="off")
    assert codes(debate, []) == ([], [])
    assert codes(debate, BOTH) == ([], ["effects_not_asked"])
    assert "effects" not in header(STAGE.hold(debate, judge={"effects": BOTH}), "judge_001")
    values = values_of(debate, "judge")
    assert values["new_attacks"] == values["standing_attacks"] == ""


def test_a_score_is_lowered_only_where_an_attack_landed_or_its_side_gave_way() -> None:
    lower, up = rescore("prop_000a", 0.2), rescore("prop_000a", 0.4)
    missed = [effect(*ATTACK[:2], "missed"), BOTH[1]]
    assert codes(judged(1), BOTH, lower) == codes(judged(1), missed, up) == ([], [])
    assert codes(judged(1), missed, lower) == ([], ["rescore_unexplained"])
    assert codes(judged(1), BOTH, rescore("opp_000a", -0.2)) == ([], ["rescore_unexplained"])
    later = STAGE.until(judged(1), JUDGING, 2)
    assert codes(later, [], lower) == ([], [])  # it still stands
    met = effect(*ATTACK[:2], "met")
    assert codes(later, [met], lower) == ([], ["rescore_unexplained"])
    gives = {"arguments": [argument(defends=[defence("prop_000a", "concede_and_pivot")])]}
    given = STAGE.until(STAGE.until(judged(1), "awaiting_arguments", 2), JUDGING, 2, prop=gives)
    assert codes(given, [met], lower) == ([], [])


def values_of(debate: Debate, participant: str) -> dict[str, str]:
    return dict(STAGE.context(debate, participant).values)


def test_the_judge_is_given_what_it_has_to_decide_and_what_may_have_been_met() -> None:
    assert values_of(judged(0), "judge")["new_attacks"] == ""
    first = values_of(judged(1), "judge")
    assert [line.count("opp_001") for line in first["new_attacks"].split("\n")] == [1, 1]
    assert first["standing_attacks"] == ""
    second = values_of(STAGE.until(judged(1), JUDGING, 2), "judge")
    assert second["new_attacks"] == "(none)"
    assert '"met"' in second["standing_attacks"]
    assert "warrant" not in second["standing_attacks"]  # that one missed


def test_the_judge_of_a_defence_is_shown_the_attack_that_it_answers() -> None:
    answers = {"arguments": [argument(defends=[defence("prop_000a")])]}
    debate = STAGE.until(judged(1), "awaiting_arguments", 2)
    for prop, has_it in ((answers, True), ({}, False)):
        of = STAGE.until(debate, JUDGING, 2, prop=prop)
        assert ("opp_001" in STAGE.context(of).shown["targets"]) is has_it


@pytest.mark.parametrize(
    ("did", "said"),
    [("landed", "landed"), ("partly", "landed in part"), ("missed", "missed")],
)
def test_debaters_learn_what_the_judge_found_of_each_open_attack(did: str, said: str) -> None:
    first = [effect(*ATTACK[:2], did), effect(*UNDERCUT[:2], did, "warrant")]
    debate = STAGE.until(judged(1), "awaiting_arguments", 2, judge={"effects": first})
    on_own = values_of(debate, "prop")["unanswered_attacks"]
    assert on_own.endswith(f"your first turn since; the judge found that it {said}")
    assert on_own == values_of(debate, "opp")["own_unanswered_attacks"].replace(
        "the opponent's", "your"
    )


def test_an_attack_that_was_answered_and_not_met_stays_on_the_lists_until_it_is() -> None:
    answers = {"arguments": [argument(defends=[defence("prop_000a")])]}
    debate = STAGE.until(judged(1), "awaiting_arguments", 2)
    debate = STAGE.until(debate, JUDGING, 2, prop=answers)
    stands = STAGE.hold(debate)
    assert (
        "answered by prop_002, which did not meet it"
        in values_of(stands, "prop")["unanswered_attacks"]
    )
    met = STAGE.hold(debate, judge={"effects": [effect(*ATTACK[:2], "met")]})
    assert values_of(met, "prop")["unanswered_attacks"] == "(none)"


def test_a_single_decision_reads_as_a_reply_beside_its_scores() -> None:
    debate = judged(1)
    scores = [score(i, number) for i, number in scores_of(1).items()]
    assert STAGE.codes(debate, judge={"scores": scores, "effects": BOTH, "rescores": None}) == (
        [],
        [],
    )


def test_the_judge_is_not_reminded_of_dropped_attacks_that_missed_or_have_been_met() -> None:
    debate = STAGE.until(judged(1), JUDGING, 2)
    listed = values_of(debate, "judge")["unanswered_attacks"].split("\n")
    assert [line.partition(":")[0] for line in listed] == ["- opp_001 on the claim of prop_000a"]
    met = {"effects": [effect(*ATTACK[:2], "met")]}
    after = STAGE.until(STAGE.hold(debate, judge=met), JUDGING, 3)
    assert values_of(after, "judge")["unanswered_attacks"] == "(none)"
