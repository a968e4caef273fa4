"""The plan of a tournament: what follows from a file, and which files are refused."""

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from debate_ops.core.errors import RefusedError, UsageError
from debate_ops.tournament.plan import Motion, keep_plan, make_plan, read_tournament_file

pytestmark = pytest.mark.usefixtures("work")
A, B, C = "scripted:1", "scripted:2", "scripted:3"
GOOD = {"participants": {"a": A, "b": B}, "motions": ["One", "Two"], "judge": "scripted:judge"}


def plan_of(**changes: Any) -> list[Any]:
    return make_plan(read_tournament_file(GOOD | changes, ""))


def test_every_pairing_is_planned_on_both_sides_of_every_motion_and_as_often_as_asked() -> None:
    plan = plan_of(participants={"a": A, "b": B, "c": C}, repeats=2)
    assert len(plan) == 3 * 2 * 2 * 2
    assert len({p.slug for p in plan}) == len(plan)
    mirrored = {(p.opp, p.prop, p.motion, p.repeat) for p in plan}
    assert mirrored == {(p.prop, p.opp, p.motion, p.repeat) for p in plan}


def test_plan_follows_from_the_file_and_the_seed_alone() -> None:
    assert plan_of() == plan_of()
    assert plan_of(seed=1) != plan_of()
    assert sorted(plan_of(seed=1)) == sorted(plan_of())


@pytest.mark.parametrize(
    "more",
    [
        {"participants": {"c": C, "a": A, "b": B}},
        {"motions": ["Three", "Two", "One"]},
        {"repeats": 2},
    ],
)
def test_more_of_anything_keeps_every_debate_that_was_planned(more: dict[str, Any]) -> None:
    assert {*plan_of()} < {*plan_of(**more)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"participants": {"a": A}}, "participants: is an object of 1, expected at least 2"),
        ({"participants": {"a": A, "B b": B}}, 'is "B b", expected lower-case letters, digits'),
        ({"motions": []}, "motions: is a list of 0, expected at least 1"),
        ({"motions": ["One", " one "]}, "there twice: one"),
        ({"motions": "built-in:cooking"}, "There are cities, education"),
        ({"motions": "built-in:"}, "There are cities, education"),
        ({"motions": "built-ins.json"}, "built-ins.json cannot be read"),
        ({"motions": "none.txt"}, "none.txt cannot be read"),
        ({"motions": "no\0ne.txt"}, "cannot be read"),
        ({"judge": f"{A}?effort=low"}, "the model of a would judge its own debates"),
        ({"panel": [B]}, "the model of b would judge its own debates"),
        ({"judges": "x"}, "judges: there is no such setting; did you mean judge?"),
        ({"repeats": 0}, "repeats: is 0, expected greater than or equal to 1"),
        ({"timeout": float("inf")}, "timeout: is inf, expected less than or equal to 604800"),
        ({"repeats": Decimal("1e300")}, "repeats: is 1E+300, expected less than or equal to 1000"),
        ({"motions": {}}, "motions: is an object of 0, expected a valid list"),
        ({"motions": [5]}, "motions: #1 is 5, expected a valid object"),
        ({"settings": {"nonsense": 1}}, "nonsense: there is no such setting"),
        ({"panel": ["scripted:4", "scripted:5"]}, "panel: "),
        ({"protocol": "elo"}, 'protocol: is "elo", expected'),
    ],
)
def test_a_file_with_a_fault_is_refused_with_it(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan_of(**changes)
    assert said in "\n".join([*caught.value.sentences(), caught.value.hint])
    assert caught.value.hint or "read" in said
    assert not ("judges" in changes and "The command 'settings'" in caught.value.hint)


def test_own_judge_is_taken_where_the_file_allows_it() -> None:
    own = GOOD | {"judge": A, "allow_own_judge": True}
    assert read_tournament_file(own, "").own_judges == ["a"]


def test_motions_of_a_file_are_its_lines_without_blank_ones_and_remarks() -> None:
    Path("sub").mkdir()
    Path("sub/motions.txt").write_text("# mine\nOne\n\n  Two  \n", encoding="utf-8")
    cup = read_tournament_file(GOOD | {"motions": "motions.txt"}, "sub")
    assert cup.motions == [Motion(motion="One"), Motion(motion="Two")]


def test_there_are_sixty_built_in_motions_in_six_fields_each_with_its_context() -> None:
    motions = read_tournament_file(GOOD | {"motions": "built-in"}, "").motions
    assert len({m.motion for m in motions}) == 60
    assert [*Counter(m.field for m in motions).values()] == [10] * 6
    assert all(m.context.endswith(".") and not m.motion.endswith(".") for m in motions)


@pytest.mark.parametrize(
    "changes",
    [{"settings": {"language": "de"}}, {"participants": {"a": C, "b": B}}, {"motions": ["One"]}],
)
def test_folder_of_another_tournament_is_refused(changes: dict[str, Any]) -> None:
    Path("cup").mkdir()
    keep_plan("cup", plan_of())
    before = Path("cup/plan.jsonl").read_bytes()
    with pytest.raises(RefusedError, match="that the file does not plan") as caught:
        keep_plan("cup", plan_of(**changes))
    assert "another name" in caught.value.hint
    assert Path("cup/plan.jsonl").read_bytes() == before


@pytest.mark.parametrize("edit", [b"Another", b"\xff"])
def test_plan_that_was_changed_by_hand_is_refused(edit: bytes) -> None:
    path = Path("cup/plan.jsonl")
    path.parent.mkdir()
    keep_plan("cup", plan_of())
    path.write_bytes(path.read_bytes().replace(b"One", edit))
    with pytest.raises(RefusedError, match="changed by hand"):
        keep_plan("cup", plan_of())
