"""The rules of the exchange protocol alone: pure functions over a record in memory."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import entries
from debate_ops.model.debate import SIDES, Total
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.model.ids import order
from debate_ops.model.score import Millis, to_number
from debate_ops.model.turn import Reply, Task, Turn
from debate_ops.protocols.exchange import past, rules
from tests.builders import (
    ARGUING,
    JUDGING,
    Data,
    argument,
    attack,
    defence,
    judgment,
    opening,
    rebuttal,
    rescore,
    score,
    scores_of,
)
from tests.protocols.stage import Stage, entry_map, header, value_of

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate

OPENING = Task("prop", "debater", "debater-opening", "exchange-opening")
REBUTTAL = Task("prop", "debater", "debater-rebuttal", "exchange-rebuttal")
JUDGE = Task("judge", "judge", "judge", "exchange-judgment")


def good(_: Debate, turn: Turn, task: Task) -> Data:
    if task.participant == "judge":
        return judgment(turn.exchange, scores_of(turn.exchange))
    make = rebuttal if turn.exchange else lambda side, _: opening(side)
    return make(task.participant, turn.exchange)


STAGE = Stage("exchange", good)


def debate_at(exchange: int, phase: str = ARGUING, **chosen: Any) -> Debate:
    return STAGE.until(STAGE.begun(**chosen), phase, exchange)


def links(argument_links: Data) -> Data:
    return {"arguments": [argument(**argument_links)]}


@st.composite
def arguing(draw: st.DrawFn, debate: Debate, side: str) -> Data | None:
    """Return a side's good reply, or None for an absence."""
    if draw(st.integers(0, 9)) == 0:
        return None
    if debate.state.exchange == 0:
        return {}
    earlier = debate.record.ids(ARGUMENTS)
    theirs = [i for i in earlier if not i.startswith(f"{side}_")]
    own = [i for i in earlier if i.startswith(f"{side}_")]
    hits = draw(st.lists(st.sampled_from(theirs), max_size=3, unique=True)) if theirs else []
    kept = draw(st.lists(st.sampled_from(own), max_size=2, unique=True)) if own else []
    made = {"attacks": [attack(i) for i in hits], "defends": [defence(i) for i in kept]}
    return links({"claim": draw(st.text("xyz \n#-", min_size=1).map("c{}".format)), **made})


@st.composite
def judging(draw: st.DrawFn, debate: Debate) -> Data | None:
    """Return a good judgment, or None for an absence."""
    if draw(st.integers(0, 9)) == 0:
        return None
    number, record = debate.state.exchange, debate.record
    new = [i for i in record.ids(ARGUMENTS) if order(i)[0] == number]
    scores = dict.fromkeys(new, 0)
    if len({i.partition("_")[0] for i in new}) == len(SIDES):
        chosen = st.sampled_from(new)
        moves = st.lists(st.tuples(chosen, chosen, st.integers(0, 1000)), max_size=8)
        for one, other, points in draw(moves):
            moved = min(points, 1000 - scores[one], 1000 + scores[other])
            scores[one] += moved
            scores[other] -= moved
    on_record = past.scores_on_record(record)
    some = st.lists(st.sampled_from(sorted(on_record)), max_size=4, unique=True)
    rescores = []
    for argument_id in draw(some) if on_record else []:
        old = on_record[argument_id]
        new_score = max(-1000, min(1000, old + draw(st.integers(-500, 500))))
        if new_score != old:
            rescores.append(rescore(argument_id, to_number(new_score), to_number(old)))
    return judgment(number, {i: to_number(points) for i, points in scores.items()}, rescores)


@given(st.data())
def test_totals_are_sums_the_state_follows_and_the_record_is_sound(data: st.DataObject) -> None:
    debate = STAGE.begun()
    for _ in range(7):
        draws = {name: arguing(debate, name) for name in SIDES} | {"judge": judging(debate)}
        debate = STAGE.hold(
            debate, **{name: data.draw(draws[name]) for name in STAGE.asked(debate)}
        )
        scored = past.scores_on_record(debate.record)
        for side, name in SIDES.items():
            own = [number for i, number in scored.items() if i.startswith(f"{side}_")]
            assert debate.state.totals[name] == Total(Millis(sum(own)), len(own))
        for entry_id in debate.record.ids(JUDGMENTS):
            assert sum(item["score"] for item in header(debate, entry_id).get("scores", [])) == 0
    assert set(STAGE.audit_codes(debate)) <= {"word_limit"}


@given(st.lists(st.integers(-200, 200), min_size=5, max_size=5), st.integers(-12, 12))
def test_scores_are_taken_if_and_only_if_they_sum_to_exactly_zero(
    points: list[int], off: int
) -> None:
    debate = debate_at(0, JUDGING)
    numbers = [*points, off - sum(points)]
    scores = dict(zip(debate.record.ids(ARGUMENTS), map(to_number, numbers), strict=True))
    faults, _ = STAGE.codes(debate, judge=judgment(0, scores))
    assert faults == (["sum_not_zero"] if off else [])


@pytest.mark.parametrize(
    ("exchange", "phase", "calls"),
    [(0, ARGUING, 12), (0, JUDGING, 10), (3, JUDGING, 1), (4, ARGUING, 0), (5, ARGUING, 0)],
)
def test_calls_left_counts_three_to_an_exchange(exchange: int, phase: str, calls: int) -> None:
    assert rules.calls_left(debate_at(exchange, phase), 4) == calls


@pytest.mark.parametrize("absent", [("prop",), ("opp",), ("prop", "opp")])
def test_an_exchange_is_judged_if_anybody_argued(absent: tuple[str, ...]) -> None:
    state = STAGE.hold(debate_at(1), **dict.fromkeys(absent, None)).state
    assert state[:2] == ((1, JUDGING) if len(absent) == 1 else (2, ARGUING))


ONE = argument(attacks=[], defends=[], backing="", qualifier="")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"participant": "prop", "exchange": 1, "arguments": [ONE]}, id="ours"),
        pytest.param({"side": "proposition", "exchange": 1, "arguments": [ONE]}, id="side in full"),
        pytest.param({"side": "prop", "exchange": 1, "arguments": ONE}, id="no list"),
        pytest.param(ONE | {"participant": "prop", "exchange": 1}, id="named in the argument"),
        pytest.param({"exchange": 1, "arguments": [ONE | {"side": "prop"}]}, id="named in both"),
        pytest.param(argument() | {"side": "prop", "exchange": 1, "attacks": None}, id="nulls"),
    ],
)
def test_every_usual_form_of_an_argument_is_one_form(value: Any) -> None:
    before = repr(value)
    expected = {"participant": "prop", "exchange": 1, "arguments": [ONE]}
    assert rules.normalise(REBUTTAL, value) == (expected, ())
    assert repr(value) == before


def test_a_list_is_the_usual_form_of_an_opening_and_noted_in_a_rebuttal() -> None:
    assert rules.normalise(OPENING, [ONE, ONE, ONE]) == ({"arguments": [ONE] * 3}, ())
    value, notes = rules.normalise(REBUTTAL, [ONE])
    assert (value, len(notes)) == ({"arguments": [ONE]}, 1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"scores": [1], "rescores": [2]}, {"scores": [1], "rescores": [2]}),
        ({"scores": [], "rescores": None}, {"scores": [], "rescores": []}),
        ([score("prop_001", 0)], {"scores": [score("prop_001", 0)], "rescores": []}),
        (
            score("prop_001", 0) | {"exchange": 1},
            {"exchange": 1, "scores": [score("prop_001", 0)], "rescores": []},
        ),
        ({}, {"rescores": []}),
    ],
)
def test_every_usual_form_of_a_judgment_is_one_form(value: Any, expected: Data) -> None:
    before = repr(value)
    assert rules.normalise(JUDGE, value) == (expected, ())
    assert repr(value) == before


@pytest.mark.parametrize(
    ("second", "warnings"), [("claim_attack", ["same_link_twice"]), ("warrant_attack", [])]
)
def test_one_target_may_be_hit_twice_in_different_components(
    second: str, warnings: list[str]
) -> None:
    hits = {"attacks": [attack("opp_000a"), attack("opp_000a", second)]}
    assert STAGE.codes(debate_at(1), prop=links(hits)) == ([], warnings)


@pytest.mark.parametrize(
    ("rescores", "codes"),
    [
        ([rescore("prop_000a", 0.5)], []),
        ([rescore("prop_000a", 0.5, 0.3)], []),
        ([rescore("prop_000a", 0.5, 0.2)], ["old_score_wrong"]),
        ([rescore("prop_000a", 0.8)], []),
        ([rescore("prop_000a", 0.801)], ["rescore_too_large"]),
        ([rescore("prop_000a", 0.8001)], ["too_many_decimals"]),
        ([rescore("prop_000a", 0.5, 0.3001)], ["too_many_decimals"]),
        ([rescore("prop_000a", 0.5), rescore("prop_000a", 0.4)], ["rescore_twice"]),
        ([rescore("prop_001", 0.5)], ["rescore_new"]),
        ([rescore("prop_777", 0.5)], ["rescore_unknown"]),
        ([rescore("judge_000", 0.5)], ["rescore_unknown"]),
        ([rescore("nonsense", 0.5)], ["rescore_unknown"]),
    ],
)
def test_a_rescore_is_held_against_the_record(rescores: list[Data], codes: list[str]) -> None:
    assert STAGE.codes(debate_at(1, JUDGING), judge={"rescores": rescores})[0] == codes


def test_a_rescore_that_changes_nothing_is_left_out_with_a_warning() -> None:
    debate = debate_at(1, JUDGING)
    change = {"rescores": [rescore("prop_000a", 0.3), rescore("opp_000a", 0)]}
    assert STAGE.codes(debate, judge=change) == ([], ["rescore_unchanged"])
    made = value_of(STAGE.hold(debate, judge=change), "judge_001")
    assert [item["argument_id"] for item in made.data["rescores"]] == ["opp_000a"]


def test_a_recalled_rescore_names_the_score_that_it_changed() -> None:
    debate = debate_at(1, JUDGING)
    change = {"rescores": [rescore("opp_000a", 0)]}
    value = value_of(STAGE.hold(debate, judge=change), "judge_001")
    reply = rules.recall([value], STAGE.turn(debate), JUDGE)
    assert reply
    [item] = reply["rescores"]
    assert item["old_score"] == value.data["rescores"][0]["previous"]
    assert item["new_score"] == 0


def test_the_sum_is_told_only_where_every_score_is_a_number() -> None:
    change = judgment(1, {"prop_001": 0.5, "opp_001": "x"})
    assert STAGE.codes(debate_at(1, JUDGING), judge=change)[0] == []


def test_word_limits_warn_or_reject_as_the_debate_says() -> None:
    long = links({"claim": "word " * 26})
    assert STAGE.codes(debate_at(1), prop=long) == ([], ["word_limit"])
    assert STAGE.codes(debate_at(1, word_limits="reject"), prop=long) == (["word_limit"], [])
    empty = links({"title": "", "backing": "", "claim": None})
    assert STAGE.codes(debate_at(1), prop=empty) == ([], [])


def test_a_debater_is_never_given_an_argument_of_the_exchange_under_way() -> None:
    debate = debate_at(2, JUDGING)
    shown = rules.context(debate, STAGE.turn(debate), REBUTTAL)
    ids = [i for listed in shown.shown.values() for i in listed]
    assert len(ids) == 8
    assert "_002" not in f"{ids} {shown.values}"


def test_every_argument_is_before_the_judge_exactly_once() -> None:
    hits = {"attacks": [attack("opp_001")], "defends": [defence("prop_000a"), defence("prop_001")]}
    debate = STAGE.hold(debate_at(2), prop=links(hits))
    shown = STAGE.context(debate)
    assert shown.shown == {
        "new_arguments": ("prop_002", "opp_002"),
        "targets": ("opp_001", "prop_000a", "prop_001"),
    }
    ids = [i for listed in (*shown.shown.values(), *shown.listed.values()) for i in listed]
    assert sorted(ids) == sorted(debate.record.ids(ARGUMENTS))
    assert shown.scores == past.scores_on_record(debate.record)
    assert shown.scores["opp_000c"] == Millis(-800)


def test_a_long_record_lengthens_no_prompt_without_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules, "MOST_IDS", 2)
    debate = debate_at(4, history_characters=1200)
    shown = STAGE.context(debate, "opp")
    assert shown.values["own_ids"] == "opp_002, opp_003; and 4 older ones, opp_000a to opp_001"
    shown = STAGE.context(STAGE.hold(debate, prop=links({}), opp=links({})))
    assert shown.listed == {"others": ("opp_003", "prop_003")}
    assert "the 10 oldest" in shown.values["others_note"]
    assert set(shown.scores or {}) == {"opp_003", "prop_003"}


def test_numbers_of_a_recalled_reply_are_exact() -> None:
    debate = debate_at(2)
    turn = Turn(3, 1, JUDGING, (JUDGE,))
    value = entries.parse(entry_map(debate)["judge_001"])
    reply = rules.recall([value], turn, JUDGE)
    assert reply
    assert [item["score"] for item in reply["scores"]] == [Decimal("0.35"), Decimal("-0.35")]
    assert rules.normalise(JUDGE, reply) == (Reply("judge", reply).value, ())
    assert rules.recall((), turn, JUDGE) is None
