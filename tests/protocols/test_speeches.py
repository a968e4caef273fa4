"""The protocol `speeches`, beside what its courses hold: what a panel reads."""

from typing import Any

import pytest

from debate_ops.protocols.speeches import Reader, Settings, even_percent
from tests.protocols.stage import Data, Stage

STAGE = Stage("speeches", lambda _, by: {"text": f"{by} speaks."}, participants="ann:yes,ben")


def make_settings(**chosen: Any) -> Settings:
    return Settings.model_validate(STAGE.usual | chosen)


def test_a_member_reads_letters_and_every_second_one_the_other_side_first() -> None:
    sides = {"participants": "prop:for it,opp:against it", "rounds": 1, "panel": 3}
    at = STAGE.begin(**sides, views="off", personas=["As a treasurer."])
    STAGE.hold(at, prop={"text": "[prop_000a] Yes."})
    STAGE.hold(at, opp={"text": "[opp_000a] No, prop_000a errs."})
    texts = {task.by: STAGE.prompt(at, task.by) for task in at.tasks}
    assert not any("prop_" in text or "opp_" in text for text in texts.values())
    first, second = texts["member-1"], texts["member-2"]
    assert "-speech" not in first  # what was said in another debate bears its own ids
    assert "Side A: for it" in first
    assert "Side A: against it" in second
    assert first.index("[A_000a] Yes.") < first.index("[B_000a] No, A_000a errs.")
    assert second.index("[A_000a] No, B_000a errs.") < second.index("[B_000a] Yes.")
    assert texts["member-3"].replace("member-3", "member-1") == first
    assert "> As a treasurer." in first
    assert "leave `issues` an empty list" in first


PEOPLE = [{"name": n, "position": ""} for n in ("ann", "ben")]


@pytest.mark.parametrize(
    ("people", "text", "blind"),
    [
        (
            [{"name": "ann", "position": ""}, {"name": "no", "position": ""}],
            "ann_001a against no_001a, says Ann, no less",
            "B_001a against A_001a, says Side B, no less",
        ),
        ([{"name": "mayor", "position": "for the mayor"}, *PEOPLE], "the mayor", "the mayor"),
        (
            [{"name": "ann-b", "position": "", "called": "Ann B."}, *PEOPLE],
            "Ann B. says so",
            "Side C says so",
        ),
        ([{"name": "side", "position": ""}, *PEOPLE], "side to Ann", "Side C to Side B"),
    ],
)
def test_names_are_letters_to_a_member(people: list[Data], text: str, blind: str) -> None:
    assert Reader(make_settings(participants=people, panel=3), "member-2").blind(text) == blind


@pytest.mark.parametrize(
    ("text", "called", "expected"),
    [
        ("Side B, in B_001.", {"ben": "Ben"}, "Ben, in ben_001."),
        (
            "Side A beats Side B. The Side B fails.",
            {"ann": "the one", "ben": "the other"},
            "The one beats the other. The other fails.",
        ),
        ("A point of some kind fails.", {}, "A point of some kind fails."),
        ("A point of B fails.", {"ben": "Ben"}, "(A: ann, B: Ben) A point of B fails."),
    ],
)
def test_letters_are_names_to_a_reader(text: str, called: Data, expected: str) -> None:
    s = make_settings(participants=PEOPLE, panel=3)
    assert Reader(s, "member-1").unblind(text, called) == expected
    assert Reader(s, "member-1").unblind("B_001-speech") == "ben_001-speech"
    assert Reader(s, "member-1").unblind("zoe_001") == "zoe_001"


def test_letters_are_those_of_the_names_where_they_are_letters_and_go_on_after_the_last() -> None:
    assert Reader(make_settings(participants="a,b"), "member-2").letters == {"b": "B", "a": "A"}
    many = Reader(make_settings(participants=[f"x{n}" for n in range(28)]), "member-1").letters
    assert many["x27"] == "AB"


def test_a_share_that_is_even_is_rounded_up() -> None:
    assert (even_percent(2), even_percent(3)) == (50, 34)
