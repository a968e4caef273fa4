"""Which arguments survive and how strong they are: by hand, by the paper, by the definition."""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis.flow import base_strength, find_standings, find_strength
from debate_ops.core.values import Entry
from tests.analysis.arguments import argument, link

OPENING = argument("prop_000a")


def strengths(*arguments: Entry, **scores: int | None) -> list[float]:
    """Return the strengths in the order of the arguments."""
    given = {key: Decimal(n) / 1000 for key, n in scores.items() if n is not None}
    return [each.strength for each in find_standings(arguments, given).values()]


def surviving(*arguments: Entry) -> list[str]:
    return [key for key, each in find_standings(arguments, {}).items() if each.survives]


def test_df_quad_gives_the_numbers_of_the_e_democracy_example() -> None:
    # Rago, Toni, Aurisicchio, Baroni (2016): answers A and B, pros P to R, cons W to Z.
    q = find_strength(0.5, [0.2, 0.6, 0.5], [])
    a, b = find_strength(0.5, [], [0.7, q]), find_strength(0.5, [0.2], [0.9])
    assert [a, b, q] == pytest.approx([0.862, 0.85, 0.08])


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({"attacks": ["prop_000a"]}, 0.25),
        ({"attacks": ["prop_000a", link("prop_000a", "warrant_attack")]}, 0.25),
        ({"attacks": ["prop_404"], "defends": ["prop_404"]}, 0.5),
        ({"defends": [link("prop_000a", "reinforce")]}, 0.75),
        ({"defends": [link("prop_000a", "clarify")]}, 0.75),
        ({"defends": [link("prop_000a", "concede_and_pivot")]}, 0.5),
    ],
)
def test_attacks_count_once_and_a_concession_or_a_lost_link_does_not(
    links: dict[str, list[Any]], expected: float
) -> None:
    assert strengths(OPENING, argument("opp_001", **links)) == [expected, 0.5]


def test_a_link_to_what_does_not_come_before_is_left_out() -> None:
    early = argument("prop_001", attacks=["opp_001", "prop_001"])
    late = argument("opp_001", attacks=["prop_001"])
    assert surviving(early, late) == ["opp_001"]


def test_an_attack_that_missed_was_granted_or_met_does_not_count() -> None:
    twice = argument("opp_001", attacks=["prop_000a", link("prop_000a", "warrant_attack")])
    claim, warrant = (("opp_001", "prop_000a", part) for part in ("claim", "warrant"))
    for did in ("missed", "granted", "met"):
        for effects, survives in (
            ({claim: did, warrant: "landed"}, False),
            ({claim: did, warrant: did}, True),
        ):
            assert find_standings([OPENING, twice], {}, effects)["prop_000a"].survives is survives


@given(st.integers(-1000, 1000).map(lambda n: Decimal(n) / 1000))
def test_a_base_is_between_zero_and_one_and_on_the_side_of_its_score(score: Decimal) -> None:
    base = base_strength(score)
    assert 0 <= base <= 1
    assert (base > 0.5, base < 0.5) == (score > 0, score < 0)


@given(st.randoms(use_true_random=False))
def test_what_survives_is_the_one_stable_set(chance: random.Random) -> None:
    """Without cycles it is the one set that attacks all others and none of its own members."""
    ids = [f"prop_{number:03d}" for number in range(chance.randrange(7))]
    made = [
        argument(own, attacks=[i for i in ids[:number] if chance.random() < 0.3])
        for number, own in enumerate(ids)
    ]
    attacks = {(a.id, each["target_id"]) for a in made for each in a.data["attacks"]}
    sets = (set(own) for size in range(len(ids) + 1) for own in combinations(ids, size))
    stable = [
        own for own in sets if {i for i in ids if not any((s, i) in attacks for s in own)} == own
    ]
    assert [set(surviving(*made))] == stable
