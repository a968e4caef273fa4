"""The rules of the exchange protocol alone: pure functions over a record in memory."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import entries, headers
from debate_ops.model.debate import Debate, Total
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Entry, Judgment, Value
from debate_ops.model.ids import order
from debate_ops.model.score import Millis, to_number
from debate_ops.model.turn import Absent, Reply, Task, Turn
from debate_ops.protocols.exchange import past, rules
from tests.builders import (
    ARGUING,
    JUDGING,
    Data,
    argument,
    attack,
    defence,
    ground,
    opening,
    rebuttal,
    rescore,
    score,
    scores_of,
)
from tests.builders import (
    judgment as judgment_reply,
)
from tests.protocols.memory import MemoryRecord
from tests.strategies import json_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from debate_ops.errors import Finding
    from debate_ops.protocols.base import Replies

NOW = "2026-01-01T00:00:00Z"


def begun(**chosen: Any) -> Debate:
    return Debate("x", "exchange", 0, rules.derive(MemoryRecord({}), {}), chosen, MemoryRecord({}))


def entry_of(value: Value, step: int, totals: Mapping[str, Total]) -> Entry:
    header = entries.header(value)
    if isinstance(value, Judgment):
        header["cumulative_scores"] = headers.totals_as_data(totals)
    return Entry(value.id, entries.folder(value), header | {"step": step}, entries.body(value))


def turn_of(debate: Debate) -> Turn:
    turn = rules.next_turn(debate, NOW)
    assert isinstance(turn, Turn)
    return turn


def given_to(debate: Debate, replies: Replies) -> Debate:
    """Return the debate after checked replies to its turn."""
    assert rules.check(debate, turn_of(debate), replies).faults == ()
    step = rules.record(debate, turn_of(debate), replies)
    held = {e.id: e for e in (debate.record.get(i) for i in all_ids(debate)) if e}
    held |= {value.id: entry_of(value, debate.step, step.state.totals) for value in step.entries}
    return debate._replace(step=debate.step + 1, state=step.state, record=MemoryRecord(held))


def all_ids(debate: Debate) -> list[str]:
    return [*debate.record.ids(ARGUMENTS), *debate.record.ids(JUDGMENTS)]


def replied(debate: Debate, values: Mapping[str, Any]) -> dict[str, Reply | Absent]:
    """Return replies to the turn that is due, in the one form; None is an absence."""
    found: dict[str, Reply | Absent] = {}
    for task in turn_of(debate).tasks:
        value = values[task.participant]
        if value is None:
            found[task.participant] = Absent(task.participant, "skip", "why")
        else:
            plain, _ = rules.normalise(task, exact(value))
            found[task.participant] = Reply(task.participant, plain)
    return found


def exact(value: Any) -> Any:
    """Return a reply with its numbers as they are read from JSON."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return Decimal(str(value)) if isinstance(value, float) else value


def usual(debate: Debate) -> dict[str, Any]:
    number, phase, _ = debate.state
    if phase == JUDGING:
        return {"judge": judgment_reply(number, scores_of(number))}
    make = rebuttal if number else lambda side, _: opening(side)
    return {side: make(side, number) for side in past.SIDES}


def debate_at(exchange: int, phase: str = ARGUING, **chosen: Any) -> Debate:
    debate = begun(**chosen)
    while (debate.state.exchange, debate.state.phase) != (exchange, phase):
        debate = given_to(debate, replied(debate, usual(debate)))
    return debate


def checked(debate: Debate, **values: Any) -> tuple[list[str], list[str]]:
    """Return the codes of faults and of warnings that these replies, and usual ones, bring."""
    found = rules.check(debate, turn_of(debate), replied(debate, usual(debate) | values))
    return [fault.code for fault in found.faults], [warning.code for warning in found.warnings]


# ---------------------------------------------------------------- laws, over whole debates


@st.composite
def arguing(draw: st.DrawFn, debate: Debate, side: str) -> Data | None:
    """Return a side's good reply, or None for an absence."""
    number = debate.state.exchange
    if draw(st.integers(0, 9)) == 0:
        return None
    if number == 0:
        return opening(side)
    earlier = debate.record.ids(ARGUMENTS)
    theirs = [i for i in earlier if not i.startswith(f"{side}_")]
    own = [i for i in earlier if i.startswith(f"{side}_")]
    hits = draw(st.lists(st.sampled_from(theirs), max_size=3, unique=True)) if theirs else []
    props = draw(st.lists(st.sampled_from(own), max_size=2, unique=True)) if own else []
    links = {"attacks": [attack(i) for i in hits], "defends": [defence(i) for i in props]}
    return rebuttal(
        side, number, claim=draw(st.text(min_size=1)), backing="", qualifier="", **links
    )


@st.composite
def judging(draw: st.DrawFn, debate: Debate) -> Data | None:
    """Return a good judgment, or None for an absence."""
    if draw(st.integers(0, 9)) == 0:
        return None
    number, record = debate.state.exchange, debate.record
    new = [i for i in record.ids(ARGUMENTS) if order(i)[0] == number]
    scores = dict.fromkeys(new, 0)
    if len({i.partition("_")[0] for i in new}) == len(past.SIDES):
        chosen = st.sampled_from(new)
        moves = st.lists(st.tuples(chosen, chosen, st.integers(0, 1000)), max_size=8)
        for one, other, points in draw(moves):
            moved = min(points, 1000 - scores[one], 1000 + scores[other])
            scores[one] += moved
            scores[other] -= moved
    on_record = past.scores_on_record(record)
    changed = (
        draw(st.lists(st.sampled_from(sorted(on_record)), max_size=4, unique=True))
        if on_record
        else []
    )
    rescores = []
    for argument_id in changed:
        old = on_record[argument_id]
        new_score = max(-1000, min(1000, old + draw(st.integers(-500, 500))))
        if new_score != old:
            rescores.append(rescore(argument_id, to_number(new_score), to_number(old)))
    return judgment_reply(number, {i: to_number(points) for i, points in scores.items()}, rescores)


def hold_the_laws(data: st.DataObject, turns: int) -> None:
    debate = begun()
    for _ in range(turns):
        turn = turn_of(debate)
        if turn.phase == JUDGING:
            values = {"judge": data.draw(judging(debate))}
        else:
            values = {side: data.draw(arguing(debate, side)) for side in past.SIDES}
        replies = replied(debate, values)
        after = given_to(debate, replies)
        assert rules.derive(after.record, {}) == after.state
        totals_equal_the_sum_of_scores(after)
        recall_gives_each_reply_back(after, turn, replies)
        assert after.step == debate.step + 1
        debate = after


def totals_equal_the_sum_of_scores(debate: Debate) -> None:
    scored = past.scores_on_record(debate.record)
    for side, name in past.SIDES.items():
        own = [number for i, number in scored.items() if i.startswith(f"{side}_")]
        assert debate.state.totals[name] == Total(Millis(sum(own)), len(own))
    for entry_id in debate.record.ids(JUDGMENTS):
        entry = debate.record.get(entry_id)
        assert entry
        assert sum(item["score"] for item in entry.header.get("scores", [])) == 0


def recall_gives_each_reply_back(debate: Debate, turn: Turn, replies: Replies) -> None:
    for task in turn.tasks:
        values = values_of(debate, turn.step, task.participant)
        reply = replies[task.participant]
        expected = reply.value if isinstance(reply, Reply) else None
        assert rules.recall(values, turn, task) == expected


def values_of(debate: Debate, step: int, participant: str) -> list[Value]:
    found = (debate.record.get(entry_id) for entry_id in all_ids(debate))
    own = (e for e in found if e and (e.step, e.participant) == (step, participant))
    return [entries.parse(entry) for entry in own]


@given(st.data())
def test_totals_are_sums_the_state_follows_and_every_reply_is_recalled(data: st.DataObject) -> None:
    hold_the_laws(data, turns=7)


@given(st.lists(st.integers(-200, 200), min_size=5, max_size=5), st.integers(-12, 12))
def test_scores_are_taken_if_and_only_if_they_sum_to_exactly_zero(
    points: list[int], off: int
) -> None:
    debate = debate_at(0, JUDGING)
    numbers = [*points, off - sum(points)]
    scores = dict(zip(debate.record.ids(ARGUMENTS), map(to_number, numbers), strict=True))
    faults, _ = checked(debate, judge=judgment_reply(0, scores))
    assert faults == (["sum_not_zero"] if off else [])


@given(json_values.filter(lambda value: isinstance(value, dict | list)), st.sampled_from([0, 1]))
def test_whatever_a_reply_holds_the_check_ends(value: Any, exchange: int) -> None:
    for phase in (ARGUING, JUDGING):
        debate = debate_at(exchange, phase)
        for task in turn_of(debate).tasks:
            plain, _ = rules.normalise(task, value)
            assert isinstance(plain, dict)
            rules.check(debate, turn_of(debate), {task.participant: Reply(task.participant, plain)})


KNOWN_KEYS = (
    *("arguments", "attacks", "defends", "grounds", "title", "target_id", "attack_type"),
    *("scores", "rescores", "argument_id", "score", "new_score", "old_score", "reasoning"),
    *("participant", "side", "exchange", "content"),
)
SHAPED = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["opp_000a", "prop_001", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KNOWN_KEYS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
).filter(lambda value: isinstance(value, dict | list))


@given(SHAPED)
def test_whatever_stands_under_known_keys_the_check_ends(value: Any) -> None:
    for phase in (ARGUING, JUDGING):
        debate = debate_at(1, phase)
        for task in turn_of(debate).tasks:
            plain, _ = rules.normalise(task, value)
            rules.check(debate, turn_of(debate), {task.participant: Reply(task.participant, plain)})
            again, notes = rules.normalise(task, plain)
            assert (again, notes) == (plain, ())


# ---------------------------------------------------------------- turns


def test_a_debate_begins_with_the_openings() -> None:
    turn = turn_of(begun())
    assert (turn.step, turn.exchange, turn.phase) == (0, 0, ARGUING)
    assert turn.tasks == (
        Task("prop", "debater", "debater-opening", "exchange-opening"),
        Task("opp", "debater", "debater-opening", "exchange-opening"),
    )


def test_each_exchange_is_argued_then_judged() -> None:
    debate = begun()
    seen = []
    for _ in range(5):
        turn = turn_of(debate)
        seen.append((turn.exchange, [task.template for task in turn.tasks]))
        debate = given_to(debate, replied(debate, usual(debate)))
    assert seen == [
        (0, ["debater-opening"] * 2),
        (0, ["judge"]),
        (1, ["debater-rebuttal"] * 2),
        (1, ["judge"]),
        (2, ["debater-rebuttal"] * 2),
    ]


@pytest.mark.parametrize(
    ("exchange", "phase", "until", "calls"),
    [
        (0, ARGUING, 1, 3),
        (0, ARGUING, 4, 12),
        (0, JUDGING, 4, 10),
        (3, JUDGING, 4, 1),
        (4, ARGUING, 4, 0),
        (5, ARGUING, 4, 0),
    ],
)
def test_calls_left_counts_three_to_an_exchange(
    exchange: int, phase: str, until: int, calls: int
) -> None:
    assert rules.calls_left(debate_at(exchange, phase), until) == calls


@pytest.mark.parametrize(
    ("prop", "opp", "expected"),
    [
        ("", "", (1, JUDGING)),
        ("", None, (1, JUDGING)),
        (None, "", (1, JUDGING)),
        (None, None, (2, ARGUING)),
    ],
)
def test_an_exchange_is_judged_if_anybody_argued(
    prop: str | None, opp: str | None, expected: tuple[int, str]
) -> None:
    debate = debate_at(1)
    given_ = {
        side: None if reply is None else rebuttal(side, 1)
        for side, reply in (("prop", prop), ("opp", opp))
    }
    state = given_to(debate, replied(debate, given_)).state
    assert (state.exchange, state.phase) == expected


# ---------------------------------------------------------------- forms of a reply

OPENING = Task("prop", "debater", "debater-opening", "exchange-opening")
REBUTTAL = Task("prop", "debater", "debater-rebuttal", "exchange-rebuttal")
JUDGE = Task("judge", "judge", "judge", "exchange-judgment")
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
    assert rules.normalise(REBUTTAL, value) == (
        {"participant": "prop", "exchange": 1, "arguments": [ONE]},
        (),
    )


def test_a_list_is_the_usual_form_of_an_opening_and_noted_in_a_rebuttal() -> None:
    assert rules.normalise(OPENING, [ONE, ONE, ONE]) == ({"arguments": [ONE] * 3}, ())
    value, (note,) = rules.normalise(REBUTTAL, [ONE])
    assert value == {"arguments": [ONE]}
    assert "list" in note


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"scores": [1], "rescores": [2]}, {"scores": [1], "rescores": [2]}),
        ({"scores": []}, {"scores": [], "rescores": []}),
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
    assert rules.normalise(JUDGE, value) == (expected, ())


def test_the_reply_that_was_given_is_left_as_it_was() -> None:
    for task, value in (
        (REBUTTAL, argument() | {"side": "prop", "attacks": None}),
        (JUDGE, score("prop_001", 0)),
        (JUDGE, {"scores": []}),
    ):
        before = repr(value)
        rules.normalise(task, value)
        assert repr(value) == before


# ---------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("link", "codes"),
    [
        pytest.param({"attacks": [attack("opp_000a")]}, [], id="opponent, earlier"),
        pytest.param({"attacks": [attack("opp_001")]}, [], id="opponent, last exchange"),
        pytest.param({"attacks": [attack("prop_000a")]}, ["bad_target"], id="own"),
        pytest.param({"attacks": [attack("opp_002")]}, ["bad_target"], id="this exchange"),
        pytest.param({"attacks": [attack("opp_003")]}, ["bad_target"], id="to come"),
        pytest.param({"attacks": [attack("judge_001")]}, ["bad_target"], id="a judgment"),
        pytest.param({"attacks": [attack("opp_0")]}, ["bad_target"], id="no id"),
        pytest.param({"defends": [defence("prop_001")]}, [], id="own, earlier"),
        pytest.param({"defends": [defence("opp_001")]}, ["bad_target"], id="not own"),
        pytest.param({"defends": [defence("prop_002")]}, ["bad_target"], id="itself"),
    ],
)
def test_a_link_leads_to_an_earlier_argument_of_the_right_side(
    link: Data, codes: list[str]
) -> None:
    faults, warnings = checked(debate_at(2), prop=rebuttal("prop", 2, **link))
    assert (faults, warnings) == (codes, [])


@pytest.mark.parametrize(
    ("second", "warnings"), [("claim_attack", ["same_link_twice"]), ("warrant_attack", [])]
)
def test_one_target_may_be_hit_twice_in_different_components(
    second: str, warnings: list[str]
) -> None:
    hits = [attack("opp_000a"), attack("opp_000a", second)]
    assert checked(debate_at(1), prop=rebuttal("prop", 1, attacks=hits)) == ([], warnings)


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
    reply = judgment_reply(1, scores_of(1), rescores)
    assert checked(debate_at(1, JUDGING), judge=reply)[0] == codes


def test_a_rescore_that_changes_nothing_is_left_out_with_a_warning() -> None:
    debate = debate_at(1, JUDGING)
    reply = judgment_reply(1, scores_of(1), [rescore("prop_000a", 0.3), rescore("opp_000a", 0)])
    assert checked(debate, judge=reply) == ([], ["rescore_unchanged"])
    step = rules.record(debate, turn_of(debate), replied(debate, {"judge": reply}))
    (made,) = step.entries
    assert isinstance(made, Judgment)
    assert [item.argument_id for item in made.rescores] == ["opp_000a"]


def test_the_sum_is_told_only_where_every_score_is_a_number() -> None:
    reply = judgment_reply(1, {"prop_001": 0.5, "opp_001": "x"})
    assert checked(debate_at(1, JUDGING), judge=reply)[0] == []


WORD_LIMITS = [
    ("title", 5, 7, lambda text: {"title": text}),
    ("claim", 0, 25, lambda text: {"claim": text}),
    ("warrant", 0, 50, lambda text: {"warrant": text}),
    ("backing", 0, 50, lambda text: {"backing": text}),
    ("qualifier", 0, 10, lambda text: {"qualifier": text}),
    ("grounds[0].content", 0, 100, lambda text: {"grounds": [ground(content=text)]}),
    ("grounds[0].relevance", 0, 30, lambda text: {"grounds": [ground(relevance=text)]}),
    ("attacks[0].content", 0, 75, lambda text: {"attacks": [attack("opp_000a", content=text)]}),
    ("defends[0].content", 0, 75, lambda text: {"defends": [defence("prop_000a", content=text)]}),
]


@pytest.mark.parametrize(("path", "least", "most", "make"), WORD_LIMITS)
def test_words_are_measured_field_by_field(path: str, least: int, most: int, make: Any) -> None:
    for count in (1, least - 1, least, most, most + 1):
        if count < 1:
            continue
        reply = rebuttal("prop", 1, **make(" word\n" * count))
        expected = [] if least <= count <= most else [(f"$.arguments[0].{path}", f"{count} words")]
        assert [(over.where, over.found) for over in over_limits(reply)] == expected


def test_an_empty_text_breaks_no_word_limit() -> None:
    assert not over_limits(rebuttal("prop", 1, title="", backing="", claim=None))


def over_limits(reply: Any) -> tuple[Finding, ...]:
    debate = debate_at(1)
    replies = replied(debate, usual(debate) | {"prop": reply})
    return rules.check(debate, turn_of(debate), replies).warnings


def test_word_limits_warn_or_reject_as_the_debate_says() -> None:
    long = rebuttal("prop", 1, claim="word " * 26)
    assert checked(debate_at(1), prop=long) == ([], ["word_limit"])
    assert checked(debate_at(1, word_limits="warn"), prop=long) == ([], ["word_limit"])
    assert checked(debate_at(1, word_limits="reject"), prop=long) == (["word_limit"], [])


# ---------------------------------------------------------------- contexts


def test_a_debater_is_given_what_was_there_before_the_exchange_and_no_scores() -> None:
    debate = debate_at(2)
    turn = turn_of(debate)
    told = rules.context(debate, turn, turn.tasks[1])
    assert told.shown == {
        "own_arguments": ("opp_000a", "opp_000b", "opp_000c", "opp_001"),
        "opponent_arguments": ("prop_000a", "prop_000b", "prop_000c", "prop_001"),
    }
    assert told.scores is None
    assert told.values["stance"] == "against the motion"


def test_a_debater_is_never_given_an_argument_of_the_exchange_under_way() -> None:
    debate = debate_at(2, JUDGING)
    told = rules.context(debate, turn_of(debate), REBUTTAL)
    given_ = [i for ids in told.shown.values() for i in ids]
    assert len(given_) == 8
    assert not [i for i in given_ if i.endswith("_002")]
    assert "_002" not in str(told.values)


def test_every_argument_is_before_the_judge_exactly_once() -> None:
    debate = debate_at(2)
    hits = {"attacks": [attack("opp_001")], "defends": [defence("prop_000a"), defence("prop_001")]}
    debate = given_to(
        debate, replied(debate, usual(debate) | {"prop": rebuttal("prop", 2, **hits)})
    )
    told = rules.context(debate, turn_of(debate), JUDGE)
    assert told.shown == {
        "new_arguments": ("prop_002", "opp_002"),
        "targets": ("opp_001", "prop_000a", "prop_001"),
    }
    given_ = [i for ids in (*told.shown.values(), *told.listed.values()) for i in ids]
    assert sorted(given_) == sorted(debate.record.ids(ARGUMENTS))
    assert told.scores == past.scores_on_record(debate.record)
    assert told.scores["opp_000c"] == Millis(-800)


def test_numbers_of_a_recalled_reply_are_exact() -> None:
    debate = debate_at(2)
    turn = Turn(3, 1, JUDGING, (JUDGE,))
    reply = rules.recall(values_of(debate, 3, "judge"), turn, JUDGE)
    assert reply
    assert [item["score"] for item in reply["scores"]] == [Decimal("0.35"), Decimal("-0.35")]
    assert rules.recall((), turn, JUDGE) is None
