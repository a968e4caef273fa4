"""Debates with known answers are made, decided and measured."""

import json
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.calibration import (
    QUOTATIONS,
    SETS,
    Question,
    find_undecided,
    list_known,
    make_debates,
    measure_judge,
)
from debate_ops.core.errors import RefusedError, UsageError
from debate_ops.engine.store import Folder
from tests.engine.stage import hold_panel

pytestmark = pytest.mark.usefixtures("work")
ABOVE = "debates/calibration/known/agents-3"


def question(number: int, **changes: Any) -> dict[str, Any]:
    said = [
        {"debater": who, "text": f"Answer {who}{place} to {number}."}
        for place in (1, 2)
        for who in "AB"
    ]
    answers = {"A": f"yes to {number}", "B": f"no to {number}"}
    known = {"question": f"Which is {number}?", "answers": answers, "correct": "A"}
    return known | {"speeches": said} | changes


def write_set(*questions: Any) -> str:
    Path("known.json").write_text(json.dumps(list(questions)), "utf-8")
    return "known.json"


def make(path: str, members: int = 3) -> tuple[dict[Folder, Question], list[Folder]]:
    known = list_known(path, ABOVE)
    return known, [f for n, k in enumerate(known.items()) for f in make_debates(*k, n, members)]


@pytest.mark.parametrize("set_", SETS)
def test_the_sets_that_ship_can_be_decided(set_: str) -> None:
    known = list_known(set_, ABOVE)
    assert {len(question.answers) for question in known.values()} == {2}
    folders = list(make_debates(*next(iter(known.items())), 0, 1))
    assert [engine.load(folder).calls_left for folder in folders] == [2, 1]
    assert [engine.load(folder).at.place.phase for folder in folders] == [
        "awaiting_views",
        "awaiting_ballots",
    ]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("1", "1 is 1, expected "),
        ('{"question": "?"}', "1.answers is missing; 1.correct is missing"),
        (json.dumps(question(1, answers=dict.fromkeys("ABC", "x"))), "1.answers is "),
        (json.dumps(question(1, correct="C")), "'correct' and each 'debater' have to be"),
        (json.dumps(question(1, correct={})), "1.correct is "),
        (json.dumps(question(1, question="\ud800")), "Invalid JSON: "),
        (json.dumps(question(1)).replace('"Answer A1 to 1."', "1e400"), "1.speeches.0.text"),
        (json.dumps(question(1)).replace('"yes to 1"', "NaN"), "1.answers.A is "),
        (json.dumps(question(1)).replace('r": "B"', 'r": "C"', 1), "'correct' and each"),
        ("{", "Invalid JSON: "),
        (None, "has no debates with known answers"),
    ],
)
def test_what_is_no_set_is_refused(second: str | None, message: str) -> None:
    content = "[]" if second is None else f"[{json.dumps(question(1))}, {second}]"
    Path("known.json").write_text(content, "utf-8")
    with pytest.raises(UsageError, match=r"known\.json") as refused:
        list_known("known.json", ABOVE)
    assert message in refused.value.message
    with pytest.raises(UsageError, match="there is no set"):
        list_known("none", ABOVE)


def test_one_side_alone_is_read_before_it_has_read_the_other_and_sides_change() -> None:
    _, folders = make(write_set(*(question(number) for number in range(4))))
    alone = [engine.load(folder).debate for folder in folders[1::2]]
    assert [[e.texts["Speech"] for e in d.find("speech")] for d in alone] == [
        ["Answer A1 to 0."],
        ["Answer A1 to 1."],
        ["Answer B1 to 2."],
        ["Answer B1 to 3."],
    ]
    first = [next(iter(engine.load(folder).debate.settings.positions)) for folder in folders[::2]]
    assert first == ["a", "b", "a", "b"]


def test_who_decides_knows_that_quotations_were_compared() -> None:
    quoting = [{"debater": w, "text": "It says <quote>x y</quote>."} for w in "AB"]
    _, folders = make(write_set(question(1, speeches=quoting), question(2)))
    assert [engine.load(f).debate.scope for f in folders] == [QUOTATIONS, QUOTATIONS, "", ""]


def test_a_judge_is_measured_with_the_debate_without_it_and_with_one_side() -> None:
    known, folders = make(write_set(question(1), question(2)))
    assert not measure_judge(known, "m").number
    for folder in folders:
        hold_panel(folder, "yes")
    result = measure_judge(known, "m").as_data()
    assert result["debates"] == 2
    for key in ("with_debate", "without_debate", "one_side"):
        assert (result[key]["number"], result[key]["accuracy"]) == (2, 1.0)
        assert result[key]["brier"] == pytest.approx(0.04)
    assert result["flips"] == {"of": 2, "flipped": 0}
    assert result["order"]["yes"]["number"] == 3
    assert make(write_set(question(1), question(2)))[1] == folders  # once more changes nothing


def test_whoever_follows_the_order_flips() -> None:
    known, folders = make(write_set(question(1)))
    for folder in folders:
        hold_panel(folder, "first")
    result = measure_judge(known, "m").as_data()
    assert result["flips"] == {"of": 1, "flipped": 1}
    assert {key: order["accuracy"] for key, order in result["order"].items()} == {"yes": 1, "no": 0}
    assert result["order"]["yes"]["number"] == 2
    assert result["length"] == {"yes": None, "no": None}, "both said as much"


def test_other_speeches_than_those_that_were_decided_are_refused() -> None:
    (both, one) = make(write_set(question(1)))[1]
    assert (both.slug, one.slug) == ("known-001", "known-001-one")
    with pytest.raises(RefusedError, match="known-001 has other speeches"):
        make(write_set(question(7)))


def test_a_debate_that_nobody_decided_is_named() -> None:
    known, folders = make(write_set(question(1)), members=1)
    for _ in ("view", "ballot"):
        assert not list(find_undecided([engine.load(folders[0])]))
        engine.next_turn(folders[0])
        engine.skip(folders[0], "member-1", "no answer")
    (said,) = find_undecided([engine.load(folders[0])])
    assert said.startswith(f"{folders[0].path}: too few ballots were cast (no answer)")
    assert not measure_judge(known, "m").number
