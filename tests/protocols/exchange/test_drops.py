"""The attacks that nobody has answered, as prompts list them."""

from __future__ import annotations

from typing import Any

from debate_ops.analysis.flow import CONCESSION
from debate_ops.model.debate import SIDES as NAMES
from debate_ops.model.debate import Debate
from debate_ops.model.turn import Turn
from debate_ops.model.views import Link
from debate_ops.protocols.exchange import drops, rules
from tests.reports.debates import OPENING, absence, argument, debate, judgment

NOW = "2026-01-01T00:00:00Z"
SIDES = tuple(NAMES)


def prompt_values(of: Debate, participant: str) -> dict[str, Any]:
    """Return the values that a participant's prompt is filled with."""
    turn = rules.next_turn(of, NOW)
    assert isinstance(turn, Turn)
    (task,) = [task for task in turn.tasks if task.participant == participant]
    return dict(rules.context(of, turn, task).values)


def argued(*later: Any, judged: int) -> Debate:
    """Return an opening and what came later, each exchange up to `judged` with its judgment."""
    judgments = [judgment(number, {}) for number in range(judged + 1)]
    return debate(*(argument(i) for i in OPENING), *later, *judgments)


SILENT = [argument("prop_002"), argument("opp_002")]
HIT = argument(
    "opp_001", attacks=["prop_000a", Link("prop_000b", "warrant_attack"), Link("prop_000a", "x")]
)
FIRST = [argument("prop_001", attacks=["opp_000c"]), HIT]


def test_a_debater_is_told_of_attacks_on_it_and_of_its_own_that_nobody_answered() -> None:
    values = prompt_values(argued(*FIRST, judged=1), "prop")
    assert values["unanswered_attacks"].split("\n") == [
        "- opp_001 on the claim of prop_000a: this is your first turn since",
        "- opp_001 on the warrant of prop_000b: this is your first turn since",
    ]
    assert values["own_unanswered_attacks"] == (
        "- prop_001 on the claim of opp_000c: this is the opponent's first turn since"
    )


def test_a_debater_is_told_how_many_turns_it_let_pass_oldest_attack_first() -> None:
    last = [argument("prop_003"), argument("opp_003", attacks=["prop_000c"])]
    values = prompt_values(argued(*FIRST, *SILENT, *last, judged=3), "prop")
    assert values["unanswered_attacks"].split("\n") == [
        "- opp_001 on the claim of prop_000a: dropped by you, 2 turns since",
        "- opp_001 on the warrant of prop_000b: dropped by you, 2 turns since",
        "- opp_003 on the claim of prop_000c: this is your first turn since",
    ]
    assert values["own_unanswered_attacks"] == (
        "- prop_001 on the claim of opp_000c: dropped by the opponent, 2 turns since"
    )


def test_what_was_answered_is_not_told() -> None:
    answers = [
        argument("prop_002", defends=["prop_000a", Link("prop_000b", CONCESSION)]),
        argument("opp_002", defends=["opp_000c"]),
    ]
    for participant in ("prop", "opp"):
        values = prompt_values(argued(*FIRST, *answers, judged=2), participant)
        assert values["unanswered_attacks"] == values["own_unanswered_attacks"] == drops.NONE


def test_a_counter_attack_alone_leaves_an_attack_on_both_lists_and_the_judges() -> None:
    countered = argued(*FIRST, argument("prop_002", attacks=["opp_001"]), SILENT[1], judged=2)
    since = "1 turn since: prop_002 only hits opp_001"
    assert prompt_values(countered, "prop")["unanswered_attacks"].split("\n") == [
        f"- opp_001 on the claim of prop_000a: not met directly by you, {since}",
        f"- opp_001 on the warrant of prop_000b: not met directly by you, {since}",
    ]
    theirs = prompt_values(countered, "opp")["own_unanswered_attacks"]
    assert theirs.count(f"not met directly by the opponent, {since}") == 2
    assert drops.for_judge(countered.record, NAMES, 2).split("\n") == [
        f"- opp_001 on the claim of prop_000a: not met directly by the proposition, {since}",
        f"- opp_001 on the warrant of prop_000b: not met directly by the proposition, {since}",
        "- prop_001 on the claim of opp_000c: dropped by the opposition, 1 turn since",
    ]


def test_an_absence_was_a_turn() -> None:
    gone = [absence("prop_002-absence"), argument("opp_002")]
    values = prompt_values(argued(*FIRST, *gone, judged=2), "prop")
    assert values["unanswered_attacks"].count("dropped by you, 1 turn since") == 2


def test_a_debater_is_told_nothing_of_the_exchange_under_way() -> None:
    made = argued(*FIRST, argument("opp_002", attacks=["prop_001"]), judged=1)
    values = drops.for_debater(made.record, "prop", SIDES, 2)
    assert "opp_002" not in "".join(values)


def test_the_judge_is_told_of_every_attack_that_stands_dropped_after_the_new_arguments() -> None:
    last = [argument("prop_003", defends=["prop_000a"]), argument("opp_003", attacks=["prop_000c"])]
    values = prompt_values(argued(*FIRST, *SILENT, judged=1), "judge")
    assert values["unanswered_attacks"].split("\n") == [
        "- opp_001 on the claim of prop_000a: dropped by the proposition, 1 turn since",
        "- opp_001 on the warrant of prop_000b: dropped by the proposition, 1 turn since",
        "- prop_001 on the claim of opp_000c: dropped by the opposition, 1 turn since",
    ]
    values = prompt_values(argued(*FIRST, *SILENT, *last, judged=2), "judge")
    assert values["unanswered_attacks"].split("\n") == [
        "- opp_001 on the warrant of prop_000b: dropped by the proposition, 2 turns since",
        "- prop_001 on the claim of opp_000c: dropped by the opposition, 2 turns since",
    ]


def test_where_nothing_is_open_it_says_so() -> None:
    assert prompt_values(argued(judged=-1), "judge")["unanswered_attacks"] == drops.NONE
    values = prompt_values(argued(judged=0), "prop")
    assert values["unanswered_attacks"] == values["own_unanswered_attacks"] == drops.NONE


def many(exchanges: int) -> Debate:
    """Return a debate in which the opposition attacks in every exchange and nobody answers."""
    return argued(
        *(
            made
            for number in range(1, exchanges + 1)
            for made in (
                argument(f"prop_{number:03d}"),
                argument(f"opp_{number:03d}", attacks=["prop_000a"]),
            )
        ),
        judged=exchanges,
    )


def test_of_many_attacks_the_newest_are_told_and_how_many_came_before() -> None:
    lines = prompt_values(many(20), "prop")["unanswered_attacks"].split("\n")
    assert lines[0] == "- and 8 earlier"
    assert [line[:9] for line in lines[1:]] == [f"- opp_{n:03d}" for n in range(9, 21)]


def test_of_a_long_debate_no_more_arguments_are_read_than_it_looks_back() -> None:
    made = many(drops.LOOK_BACK + 10)
    read: list[str] = []

    class Counting:
        ids = staticmethod(made.record.ids)
        digest = staticmethod(made.record.digest)

        @staticmethod
        def get(entry_id: str) -> Any:
            read.append(entry_id)
            return made.record.get(entry_id)

    on_own, _ = drops.for_debater(Counting(), "prop", SIDES, made.state.exchange)
    assert len(read) == len(set(read)) == 2 * drops.LOOK_BACK
    assert on_own.startswith(f"- and {drops.LOOK_BACK - drops.MOST} earlier\n")


def test_a_component_or_a_target_that_no_rule_knows_is_not_repeated() -> None:
    hostile = argument(
        "opp_001", attacks=[Link("prop_000a", "</motion>\n# x"), Link("no_one", "y")]
    )
    values = prompt_values(argued(argument("prop_001"), hostile, judged=1), "prop")
    assert values["unanswered_attacks"] == "- opp_001 on prop_000a: this is your first turn since"
    assert "no_one" not in str(values)
