"""How a side speaks: what can be chosen, what chance gives, and what the prompt says of it."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.texts import LINE
from debate_ops.protocols.formal.settings import (
    TACTICS,
    TRAITS,
    Personality,
    personality_of,
    personality_setting,
    prompt_text,
    read_personality,
)

MIDDLING = dict.fromkeys(TRAITS, 5) | {"tactics": [], "instructions": ""}

personalities = st.fixed_dictionaries(
    {},
    optional={
        **{trait: st.integers(0, 10) for trait in TRAITS},
        "tactics": st.just(["none"]) | st.lists(st.sampled_from(sorted(TACTICS)), unique=True),
        "instructions": st.text(max_size=40),
    },
)


def said(given_: Any, side: str = "aff") -> str:
    return prompt_text(read_personality(given_), side)


@given(st.just("default") | st.integers(0, 10**9).map(lambda n: f"random:{n}") | personalities)
def test_what_is_stored_reads_back_as_it_is(value: Any) -> None:
    stored = read_personality(value)
    assert read_personality(stored) == stored


def test_what_an_object_leaves_out_is_in_the_middle() -> None:
    assert read_personality({}) == MIDDLING
    assert read_personality({"civility": 0}) == MIDDLING | {"civility": 0}
    assert read_personality({"tactics": ["none"]}) == MIDDLING


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ({"civility": 11}, ["civility"]),
        ({"civility": -1}, ["civility"]),
        ({"manner": Decimal("5.5")}, ["manner"]),
        ({"manner": True}, ["manner"]),
        ({"tactics": ["lies"]}, ["tactics", "strawman"]),
        ({"tactics": ["none", "strawman"]}, ["tactics"]),
        ({"tactics": ["strawman", "strawman"]}, ["tactics"]),
        ({"tactics": "strawman"}, ["tactics"]),
        ({"tactics": [1]}, ["tactics"]),
        ({"instructions": 1}, ["instructions"]),
        ({"humour": 3, "civility": 11}, ["humour", "civility"]),
        ("random", ["random:7"]),
    ],
)
def test_what_is_wrong_is_told_by_name_and_all_at_once(value: Any, parts: list[str]) -> None:
    with pytest.raises(ValueError, match=".*".join(parts)):
        read_personality(value)


@pytest.mark.parametrize("value", ["", "random:", "random:x", "random:1 ", "calm", 5, None, []])
def test_what_is_no_personality_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (the engine says what is wanted)
        read_personality(value)


def test_the_setting_draws_a_seed_for_the_bare_word_random() -> None:
    setting = personality_setting("affirmative", "affirmative")
    assert (setting.draws, setting.default) == (True, "default")


def test_the_same_seed_gives_the_same_personality_for_ever() -> None:
    """Debates on record name their seed alone."""
    assert personality_of("random:5", "aff") == Personality(
        {"civility": 3, "manner": 7, "research_depth": 3, "rhetoric": 9},
        ("ad_hominem", "strawman"),
    )


def test_sides_and_seeds_differ() -> None:
    drawn = [
        personality_of(f"random:{seed}", side)
        for seed, side in itertools.product(range(20), ("aff", "neg"))
    ]
    assert len({repr(one) for one in drawn}) == 40


@given(st.integers(0, 10**18 - 1), st.sampled_from(["aff", "neg"]))
def test_chance_stays_within_what_can_be_chosen(seed: int, side: str) -> None:
    drawn = personality_of(f"random:{seed}", side)
    assert drawn
    assert len(drawn.tactics) <= 2
    chosen = dict(drawn.traits) | {"tactics": list(drawn.tactics)}
    assert read_personality(chosen) == chosen | {"instructions": ""}


def test_chance_reaches_every_level_of_every_trait_and_every_tactic() -> None:
    drawn = [personality_of(f"random:{seed}", "aff") for seed in range(400)]
    for trait in TRAITS:
        assert {one.traits[trait] for one in drawn if one} == set(range(11))
    assert {tactic for one in drawn if one for tactic in one.tactics} == set(TACTICS)
    assert {len(one.tactics) for one in drawn if one} == {0, 1, 2}


def test_the_default_adds_nothing() -> None:
    assert said("default") == ""


@pytest.mark.parametrize("trait", TRAITS)
def test_every_trait_changes_the_prompt(trait: str) -> None:
    levels = TRAITS[trait]
    sentences = {0: levels.low, 2: levels.low, 3: levels.middle, 7: levels.middle, 8: levels.high}
    for size, sentence in (sentences | {10: levels.high}).items():
        text = said({trait: size})
        assert f"- {sentence}" in text
        assert not [other for other in set(levels) - {sentence} if other in text]


@pytest.mark.parametrize("tactic", TACTICS)
def test_every_tactic_is_told_with_its_limits(tactic: str) -> None:
    text = said({"tactics": [tactic]})
    assert f"- {TACTICS[tactic]}" in text
    assert "never invent a fact" in " ".join(text.split())
    assert not [other for name, other in TACTICS.items() if name != tactic and other in text]


def test_instructions_stand_word_for_word_marked_as_the_users() -> None:
    text = said({"instructions": "Use no jargon.\n\nMention bees."})
    assert text.endswith(
        "The user's own instructions for your side, word for word:\n\n"
        "> Use no jargon.\n>\n> Mention bees."
    )
    assert "own instructions" not in said({"instructions": " \n"})


def test_long_instructions_are_in_lines_that_no_client_cuts() -> None:
    text = said({"instructions": "word " * 1000})
    assert max(map(len, text.splitlines())) <= LINE
    assert text.count("word ") + text.count("word\n") >= 999
