"""Ratings on simulated results of known strengths, and the other figures of a tournament."""

import math
import random
from itertools import permutations
from typing import Any

import pytest

from debate_ops.tournament import figures
from debate_ops.tournament.figures import list_biases, rate, score, share_of

SPREAD = 0.35


def simulate(
    seed: int, people: int, motions: int, side: float = 0.0, ties: float = 0.6
) -> list[dict[str, Any]]:
    """Return results by Davidson's model, of participants whose strengths are `SPREAD` apart."""
    chance, results = random.Random(seed), []  # noqa: S311  (a game)
    for motion in range(motions):
        for a, b in permutations(range(people), 2):
            prop, opp = math.exp(SPREAD * a + side / 2), math.exp(SPREAD * b - side / 2)
            tie = ties * math.sqrt(prop * opp)
            won = chance.random() * (prop + opp + tie)
            winner = "prop" if won < prop else "opp" if won < prop + opp else "tie"
            results.append(result(f"p{a}", f"p{b}", winner, motion=str(motion)))
    return results


def result(prop: str, opp: str, winner: str | None, **more: Any) -> dict[str, Any]:
    usual = {"motion": "m", "first": "prop", "words": {"prop": 2, "opp": 1}, "judge": None}
    return usual | {"prop": prop, "opp": opp, "winner": winner, "ballots": []} | more


@pytest.mark.slow
def test_ratings_find_strengths_their_order_and_the_ties() -> None:
    found = rate(simulate(1, 5, 150), resamples=60)
    assert [*found.strengths] == ["p4", "p3", "p2", "p1", "p0"]
    for name, interval in found.strengths.items():
        assert interval.value == pytest.approx(SPREAD * (int(name[1]) - 2), abs=0.15)
        assert interval.low
        assert interval.low < interval.value
        assert not interval.covers(interval.value + 1)
    assert found.ties == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize(
    ("side", "ties"), [(0.6, 0.6), (-0.6, 0.6), (0.0, 0.6), (0.6, 0.01), (0.6, 0.0), (0.0, 0.0)]
)
def test_side_effect_is_found_where_it_is_and_not_where_it_is_not(side: float, ties: float) -> None:
    found = rate(simulate(3, 4, 60, side, ties), resamples=60)
    assert found.side is not None
    assert found.side.covers(0) != bool(side)
    assert found.side.value == pytest.approx(side, abs=0.3)
    for name, interval in found.strengths.items():
        assert interval.value == pytest.approx(SPREAD * (int(name[1]) - 1.5), abs=0.25)
    assert found.ties == pytest.approx(ties / 2, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "motions", "side"), [(8, 24, 0.4), (8, 24, 0.0), (8, 12, 0.4), (2, 24, 0.4)]
)
def test_intervals_cover_strengths_and_side_over_200_simulations(
    people: int, motions: int, side: float
) -> None:
    covered = sides = found = 0
    rated = [rate(simulate(n, people, motions, side), n, 100) for n in range(200)]
    rated = [each for each in rated if not each.why]
    for each in rated:
        assert each.side is not None
        sides += each.side.covers(side)
        found += not each.side.covers(0)
        middle = (people - 1) / 2
        covered += sum(i.covers(SPREAD * (int(n[1]) - middle)) for n, i in each.strengths.items())
    assert len(rated) > 190
    assert 0.92 <= covered / len(rated) / people <= 0.99
    assert sides / len(rated) >= 0.90
    assert found / len(rated) <= 0.09 if side == 0 else people == 2 or found / len(rated) > 0.9


@pytest.mark.parametrize(("motions", "is_there"), [(4, False), (5, True)])
def test_an_interval_takes_five_motions(motions: int, *, is_there: bool) -> None:
    found = rate(simulate(3, 3, motions), resamples=20)
    for each in found.as_data()["ratings"].values():
        assert (each["low"] is not None, each["high"] is not None) == (is_there, is_there)
    for interval in (*found.strengths.values(), found.side):
        assert interval
        assert ("too few motions" in interval.describe()) != is_there
        assert interval.covers(0) or is_there


def test_more_resamples_of_the_same_seed_change_no_estimate() -> None:
    results = simulate(2, 3, 8)
    first, again = rate(results, 7, 20), rate(results[::-1], 7, 20)
    assert first.strengths.keys() == again.strengths.keys()
    for name, interval in first.strengths.items():
        assert interval == pytest.approx(again.strengths[name], abs=1e-3)


@pytest.mark.parametrize(
    ("results", "why"),
    [
        ([], "no two participants have a decided debate"),
        ([result("a", "b", None)], "no two participants have a decided debate"),
        (
            [result("a", "b", "tie"), result("c", "d", "tie", motion="n")],
            "a and b never met c and d, directly or through others",
        ),
        (
            [result("a", "b", "prop"), result("b", "a", "prop")],
            "all debates are on one motion, and nothing says how much another would change",
        ),
        (
            [result("a", "b", "prop"), result("b", "a", "opp", motion="n")],
            "a won every debate against b: by how much better, these debates cannot tell",
        ),
        (
            [result("a", "b", "tie"), result("b", "c", "prop", motion="n")],
            "a and b won every debate against c: by how much better, these debates cannot tell",
        ),
    ],
)
def test_there_are_no_ratings_where_results_cannot_tell_and_it_is_said_why(
    results: list[dict[str, Any]], why: str
) -> None:
    found = rate(results)
    assert (found.strengths, found.side, found.why) == ({}, None, why)


def test_points_count_a_tie_as_half_and_leave_out_what_nobody_judged() -> None:
    results = [result("a", "b", "prop"), result("b", "a", "tie"), result("a", "b", None)]
    assert score(results, "a") == (1.5, 2)
    assert score(results, "b") == (0.5, 2)
    found = share_of(results)
    assert found is not None
    assert (found.accuracy, found.number) == (0.75, 2)


def test_biases_tell_order_length_and_agreement_apart() -> None:
    ballots = [{"favours": "prop", "first": "opp"}, {"favours": "opp", "first": "opp"}]
    results = [
        result("a", "b", "prop"),
        result("a", "b", "opp", ballots=ballots, judge="prop", words={"prop": 5, "opp": 5}),
    ]
    found = {what: (each.accuracy, each.number) for what, each in list_biases(results)}
    assert found == {
        "the judge favours the side it reads first": (1.0, 2),
        "the judge favours the side with more words": (1.0, 1),
        "the panel favours the side it reads first": (0.5, 2),
        "two members of a panel agree": (0.0, 1),
        "a member agrees with the judge": (0.5, 2),
    }


def test_costs_are_those_of_a_participants_own_replies() -> None:
    cost = {"prop": 0.5, "opp": 0.25, "judge": 9.0}
    results = [result("a", "b", "prop", cost=cost), result("b", "a", "tie", cost=cost)]
    assert figures.find_costs(results) == {"a": 0.375, "b": 0.375}
