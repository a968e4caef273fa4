"""The acceptance cases of the exchange protocol, one test or parameter for each row."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from debate_ops.formats import entries
from debate_ops.formats.headers import links
from debate_ops.model.views import argument_of

from debate_ops import engine
from debate_ops.engine import inbox
from debate_ops.engine.store import Folder
from tests.builders import (
    ARGUING,
    JUDGING,
    MOTION,
    OPENING_IDS,
    OPENING_SCORES,
    ROOT,
    SLUG,
    Answer,
    Data,
    argument,
    attack,
    debate_at,
    defence,
    good_reply,
    ground,
    header_of,
    hold,
    judgment,
    new_debate,
    older_debate,
    process_exchange,
    process_judge,
    rebuttal,
    record_of,
    rescore,
    run,
    score,
    where,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("work")

THREE = [argument(), argument(), argument()]


def words(count: int) -> str:
    return " ".join(["word"] * count)


def refused(answer: Answer, folder: Folder, before: dict[str, bytes], *files_kept: str) -> None:
    """Hold what is true of every refusal: exit 1, nothing on record, nothing lost."""
    assert answer.code == 1, answer.result
    assert answer.result["success"] is False
    assert answer.result["errors"]
    assert record_of(folder) == before
    for name in files_kept:
        assert Path(name).exists(), name


def refused_exchange(folder: Folder, prop: Any, opp: Any) -> Answer:
    """Give two replies for the exchange that is due; they must be refused. Return the answer."""
    before = record_of(folder)
    answer = process_exchange(where(folder)[0], prop, opp)
    refused(answer, folder, before, "prop.json", "opp.json")
    return answer


def refused_judgment(folder: Folder, reply: Any) -> Answer:
    before = record_of(folder)
    answer = process_judge(reply)
    refused(answer, folder, before, "judge.json")
    return answer


def accepted(answer: Answer) -> Answer:
    assert answer.code == 0, answer.result
    assert answer.result["success"] is True
    return answer


def totals(folder: Folder) -> dict[str, tuple[float, int]]:
    shown = header_of(folder, "debate.md")["cumulative_scores"]
    return {side: (item["total"], item["count"]) for side, item in shown.items()}


def arguments_of(folder: Folder) -> set[str]:
    return {path.stem for path in Path(folder.path, "arguments").glob("*.md")}


def test_p3_01_a_new_debate_waits_for_its_opening_with_an_empty_record() -> None:
    folder = new_debate()
    header = header_of(folder, "debate.md")
    assert (header["debate_id"], header["current_exchange"]) == (SLUG, 0)
    assert header["current_phase"] == ARGUING
    assert totals(folder) == {"proposition": (0, 0), "opposition": (0, 0)}
    assert f"# Motion\n\n{MOTION}\n" in Path(folder.debate_file).read_text()
    assert arguments_of(folder) == set()
    assert Path(folder.path, "arguments").is_dir()


@pytest.mark.parametrize(
    "slug", ["X Debate", "x_debate", "../x", "", "-x", "x" * 65, "x/y", "con", "aux", "com1"]
)
def test_p3_02_a_bad_slug_is_refused_and_creates_nothing(slug: str) -> None:
    answer = run("new", slug, "--motion", MOTION, "--json")
    assert (answer.code, answer.result["success"]) == (2, False)
    assert answer.result["errors"]
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("exchange", "prop", "opp"),
    [
        pytest.param(0, list(OPENING_IDS[:3]), list(OPENING_IDS[3:]), id="p3_03 opening"),
        pytest.param(1, "prop_001", "opp_001", id="p3_06 rebuttal"),
    ],
)
def test_p3_03_p3_06_replies_become_arguments(exchange: int, prop: Any, opp: Any) -> None:
    folder = debate_at(exchange)
    before = arguments_of(folder)
    reply: Any = argument() if exchange else THREE
    result = accepted(process_exchange(exchange, reply, reply)).result
    assert result["argument_id"] == {"proposition": prop, "opposition": opp}
    assert result["warnings"] == []
    new = arguments_of(folder) - before
    assert new == ({prop, opp} if exchange else {*prop, *opp})
    assert where(folder) == (exchange, JUDGING)


FORMS: dict[str, tuple[Any, str]] = {
    "p3_07 in a list": ([argument()], "put_right"),
    "p3_10 in a code fence": (f"```json\n{json.dumps(argument())}\n```\n", "code_fence"),
    "p3_11 after some words": (f"Here it is: {json.dumps(argument())}", "text_around"),
    "p3_12 with an unknown key": (argument(foo=1), "unknown_key"),
}
"""By row and case: a reply, and the code of the warning with which it is taken."""


@pytest.mark.parametrize("case", FORMS)
def test_a_reply_of_another_form_is_taken_with_a_warning(case: str) -> None:
    folder = debate_at(1)
    reply, code = FORMS[case]
    result = accepted(process_exchange(1, reply, argument())).result
    assert [detail["code"] for detail in result["warning_details"]] == [code]
    assert arguments_of(folder) == {*OPENING_IDS, "prop_001", "opp_001"}


@pytest.mark.parametrize("exchange", [0, 1])
def test_p3_08_one_bad_side_changes_nothing(exchange: int) -> None:
    good: Any = argument() if exchange else THREE
    bad: Any = {} if exchange else [{}] * 3
    folder = debate_at(exchange)
    before = arguments_of(folder)
    answer = refused_exchange(folder, good, bad)
    first = [place for owner, place in answer.places if owner == "opp"][:4]
    assert first == [f"$.arguments[0].{key}" for key in ("title", "claim", "grounds", "warrant")]
    assert {owner for owner, _ in answer.places} == {"opp"}
    assert arguments_of(folder) == before


def hits(target: str, kind: str = "claim_attack") -> Data:
    return argument(attacks=[attack(target, kind)])


def helps(target: str, kind: str = "reinforce") -> Data:
    return argument(defends=[defence(target, kind)])


TARGET, HELPED = "attacks[0].target_id", "defends[0].target_id"
WITHOUT = {"target": {"attack_type": "claim_attack", "content": "x"}}
WITHOUT["type"] = {"target_id": "opp_000a", "content": "x"}
HALF = [ground(), {"source": "s", "content": "c"}]

REFUSED_ARGUMENTS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "p3_04 one object": ([argument()], [("too_few", "$.arguments")]),
    "p3_04 5": ([argument()] * 5, [("too_many", "$.arguments")]),
    "p3_05 an attack in an opening": (
        [argument(), hits("opp_000a"), argument()],
        [
            ("too_many", "$.arguments[1].attacks"),
            ("bad_target", "$.arguments[1].attacks[0].target_id"),
        ],
    ),
    "p3_09 the third is bad": (
        [argument(), argument(), {}],
        [("missing", f"$.arguments[2].{key}") for key in ("title", "claim", "grounds", "warrant")],
    ),
    "p3_13 no ground": (argument(grounds=[]), [("too_few", "grounds")]),
    "p3_13 4 grounds": (argument(grounds=[ground()] * 4), [("too_many", "grounds")]),
    "p3_13 no list": (argument(grounds="evidence"), [("wrong_type", "grounds")]),
    "p3_13 no relevance": (argument(grounds=HALF), [("missing", "grounds[1].relevance")]),
    "p3_13 a ground is text": (argument(grounds=["text"]), [("wrong_type", "grounds[0]")]),
    "p3_14 4 attacks": (
        argument(
            attacks=[
                attack(f"opp_000{i}", k)
                for i, k in zip("abca", [*["claim_attack"] * 3, "warrant_attack"], strict=True)
            ]
        ),
        [("too_many", "attacks")],
    ),
    "p3_14 3 defends": (
        argument(defends=[defence(f"prop_000{letter}") for letter in "abc"]),
        [("too_many", "defends")],
    ),
    "p3_15 kind": (hits("opp_000a", "zzz"), [("not_allowed", "attacks[0].attack_type")]),
    "p3_16 none": (argument(attacks=[WITHOUT["target"]]), [("missing", TARGET)]),
    "p3_16 unknown": (hits("opp_777"), [("bad_target", TARGET)]),
    "p3_16 no id": (hits("nonsense"), [("bad_target", TARGET)]),
    "p3_16 a path": (hits("../../opp_000a"), [("bad_target", TARGET)]),
    "p3_16 a judgment": (hits("judge_000"), [("bad_target", TARGET)]),
    "p3_16 other case": (hits("OPP_000a"), [("bad_target", TARGET)]),
    "p3_16 own": (hits("prop_000a"), [("bad_target", TARGET)]),
    "p3_16 same exchange": (hits("opp_001"), [("bad_target", TARGET)]),
    "p3_16 itself": (hits("prop_001"), [("bad_target", TARGET)]),
    "p3_17 the opponent's": (helps("opp_000a"), [("bad_target", HELPED)]),
    "p3_17 kind": (helps("prop_000a", "praise"), [("not_allowed", "defends[0].defense_type")]),
    "p3_17 unknown": (helps("prop_777"), [("bad_target", HELPED)]),
    "p3_17 same exchange": (helps("prop_001"), [("bad_target", HELPED)]),
    "p3_19 no type": (argument(attacks=[WITHOUT["type"]]), [("missing", "attacks[0].attack_type")]),
}
"""By row and case: a side's reply, and the code and place of each fault of it."""


@pytest.mark.parametrize("case", REFUSED_ARGUMENTS)
def test_a_bad_argument_is_refused_with_code_and_place(case: str) -> None:
    reply, expected = REFUSED_ARGUMENTS[case]
    is_opening = isinstance(reply, list)
    folder = debate_at(0 if is_opening else 1)
    before = arguments_of(folder)
    answer = refused_exchange(folder, reply, THREE if is_opening else argument())
    places = [(c, w if w.startswith("$") else f"$.arguments[0].{w}") for c, w in expected]
    assert [(f["code"], f["where"]) for f in answer.result["faults"]] == places
    assert {owner for owner, _ in answer.places} == {"prop"}
    assert arguments_of(folder) == before
    if case == "p3_15 kind":
        assert "warrant_attack" in answer.result["faults"][0]["expected"]


def test_p3_18_a_null_list_is_an_empty_one() -> None:
    folder = debate_at(1)
    prop = argument() | {"attacks": None, "defends": None, "backing": None, "qualifier": None}
    accepted(process_exchange(1, prop, argument()))
    header = header_of(folder, "arguments/prop_001.md")
    assert (header["attacks"], header["defends"]) == ([], [])


LIMITS: list[tuple[str, int, Callable[[str], Data]]] = [
    ("title", 7, lambda text: {"title": text}),
    ("claim", 25, lambda text: {"claim": text}),
    ("warrant", 50, lambda text: {"warrant": text}),
    ("backing", 50, lambda text: {"backing": text}),
    ("qualifier", 10, lambda text: {"qualifier": text}),
    ("grounds[0].content", 100, lambda text: {"grounds": [ground(content=text)]}),
    ("grounds[0].relevance", 30, lambda text: {"grounds": [ground(relevance=text)]}),
    ("attacks[0].content", 75, lambda text: {"attacks": [attack("opp_000a", content=text)]}),
    ("defends[0].content", 75, lambda text: {"defends": [defence("prop_000a", content=text)]}),
]


@pytest.mark.parametrize(("field", "most", "changes"), LIMITS, ids=[row[0] for row in LIMITS])
def test_p3_20_a_text_over_its_limit_is_reported_or_refused(
    field: str, most: int, changes: Callable[[str], Data]
) -> None:
    place, long = ("prop", f"$.arguments[0].{field}"), argument(**changes(words(most + 1)))
    folder = debate_at(1, word_limits="reject")
    answer = refused_exchange(folder, long, argument())
    assert (answer.codes, answer.places) == (["word_limit"], [place])
    exact = accepted(process_exchange(1, argument(**changes(words(most))), argument()))
    assert exact.result["warnings"] == []
    shutil.rmtree(folder.path)
    debate_at(1)
    (detail,) = accepted(process_exchange(1, long, argument())).result["warning_details"]
    assert (detail["where"], detail["actual"]) == (place[1], f"{most + 1} words")
    assert str(most) in detail["expected"]


@pytest.mark.parametrize("count", [4, 8])
def test_p3_20_a_title_of_too_few_or_too_many_words_is_reported(count: int) -> None:
    debate_at(1)
    result = accepted(process_exchange(1, argument(title=words(count)), argument())).result
    (detail,) = result["warning_details"]
    assert (detail["where"], detail["actual"]) == ("$.arguments[0].title", f"{count} words")
    assert (detail["line"], detail["column"]) == (1, 11)


def test_p3_20_a_judges_reasoning_over_75_words_is_reported() -> None:
    debate_at(1, JUDGING)
    reply = judgment(1, {"prop_001": 0, "opp_001": 0})
    reply["scores"][1]["reasoning"] = words(76)
    (detail,) = accepted(process_judge(reply)).result["warning_details"]
    assert (detail["code"], detail["actual"]) == ("word_limit", "76 words")


@pytest.mark.parametrize("exchange", [1, 2])
def test_p3_21_p3_46_a_judgment_is_refused_while_arguments_are_awaited(exchange: int) -> None:
    scores = {f"prop_00{exchange}": 0.1, f"opp_00{exchange}": -0.1}
    refused_judgment(debate_at(2), judgment(exchange, scores))


@pytest.mark.parametrize(
    ("at", "phase", "value"),
    [(0, ARGUING, 7), (2, ARGUING, 0), (2, ARGUING, 1), (2, ARGUING, 3), (2, JUDGING, 2)],
)
def test_p3_21_p3_22_arguments_that_are_not_due_are_refused_and_overwrite_nothing(
    at: int, phase: str, value: int
) -> None:
    folder = debate_at(at, phase)
    before = record_of(folder)
    reply: Any = argument(claim="Another.") if value else [argument(claim="Another.")] * 3
    refused(process_exchange(value, reply, reply), folder, before, "prop.json", "opp.json")


@pytest.mark.parametrize("exchange", [0, 1])
def test_p3_23_the_same_call_twice_has_one_effect_and_one_answer(exchange: int) -> None:
    folder = debate_at(exchange)
    reply: Any = argument() if exchange else THREE
    first = accepted(process_exchange(exchange, reply, reply)).result
    before = record_of(folder)
    fenced = f"```json\n{json.dumps(reply, indent=4)}\n```"
    again = accepted(process_exchange(exchange, fenced, reply)).result
    assert record_of(folder) == before
    assert (first["already_applied"], again["already_applied"]) == (False, True)
    assert {**again, "already_applied": False} == first


@pytest.mark.parametrize("name", ["../esc", "a/../../esc", "/esc", "..", "", ".hidden", "x\n"])
def test_p3_25_px_05_a_name_that_leads_elsewhere_is_refused(name: str, work: Path) -> None:
    outside = work / "inside"
    outside.mkdir()
    debate_at(0)
    shutil.copytree(Path("debates", SLUG), work / "esc")
    os.chdir(outside)
    for command in (["next", name], ["status", name, "--json"], ["submit", name, "--step", "0"]):
        answer = run(*command)
        assert answer.code == 2, answer.result
        assert answer.result["errors"]
    assert not list(outside.iterdir())


def test_p3_25_a_reply_file_that_is_a_link_is_refused() -> None:
    folder = debate_at(1)
    before = record_of(folder)
    written("real.json", argument())
    Path("linked.json").symlink_to("real.json")
    files_given = ("--prop-file", "linked.json", "--opp-file", "real.json")
    answer = run("process-exchange", SLUG, 1, *files_given)
    assert answer.code == 2
    assert "symbolic link" in answer.result["error"]
    assert record_of(folder) == before


@pytest.mark.parametrize("side", ["prop", "opp"])
def test_p3_26_a_rebuttal_is_given_all_earlier_arguments_oldest_first(side: str) -> None:
    folder = debate_at(3)
    engine.next_turn(folder)
    prompt = Path(inbox.slot(folder, 6, side).prompt).read_text(encoding="utf-8")
    (block,) = re.findall(r"<arguments>\n(.*?)\n</arguments>", prompt, re.DOTALL)
    ids = [f"{owner}_000{letter}" for owner in ("opp", "prop") for letter in "abc"]
    ids += ["opp_001", "prop_001", "opp_002", "prop_002"]
    assert re.findall(r'^<argument id="(.*?)"', block, re.MULTILINE) == ids
    assert "_003" not in prompt


def test_p3_30_p3_31_a_judgment_moves_totals_and_exchange_on() -> None:
    folder = debate_at(0, JUDGING)
    result = accepted(process_judge(judgment(0, OPENING_SCORES))).result
    assert result["argument_id"] == list(OPENING_IDS)
    assert result["score"] == list(OPENING_SCORES.values())
    assert result["rescored"] == []
    assert totals(folder) == {"proposition": (0.75, 3), "opposition": (-0.75, 3)}
    assert where(folder) == (1, ARGUING)
    hold(folder)
    accepted(process_judge(judgment(1, {"prop_001": 0.35, "opp_001": -0.35})))
    assert totals(folder) == {"proposition": (1.1, 4), "opposition": (-1.1, 4)}
    assert where(folder) == (2, ARGUING)


BOTH = {"prop_001": 0, "opp_001": 0}
SCORE = "$.scores[0].score"
NEW = "$.rescores[0].new_score"


def judged(prop: Any, opp: Any) -> Data:
    return judgment(1, {"prop_001": prop, "opp_001": opp})


def rescored(target: str, new: Any, old: Any = None) -> Data:
    return judgment(1, BOTH, [rescore(target, new, old)])


def malformed(rescores: Any) -> Data:
    return judged(0.1, -0.1) | {"rescores": rescores}


def twice() -> Data:
    reply = judgment(0, OPENING_SCORES)
    return reply | {"scores": [*reply["scores"], score("prop_000a", 0)]}


NO_NUMBERS: list[Any] = ["0.5", True, None, [0.5], {}]

REFUSED_JUDGMENTS: dict[str, tuple[Data, list[str], str]] = {
    "p3_32": (judged(0.4, -0.3), ["sum_not_zero"], "$.scores"),
    "p3_33 0.01": (judged(0.01, 0), ["sum_not_zero"], "$.scores"),
    "p3_33 floats": (judged(0.51, -0.5), ["sum_not_zero"], "$.scores"),
    "p3_33 0.011": (judged(0.011, 0), ["sum_not_zero"], "$.scores"),
    "p3_33 a fourth decimal": (judged(0.0001, -0.0001), ["too_many_decimals"] * 2, SCORE),
    "p3_34 above": (judged(1.2, -1.2), ["out_of_range"] * 2, SCORE),
    "p3_34 below": (judged(-1.01, 1.01), ["out_of_range"] * 2, SCORE),
    **{f"p3_35 {number!r}": (judged(number, -0.5), ["wrong_type"], SCORE) for number in NO_NUMBERS},
    "p3_36": (judgment(0, {"prop_000a": 0.1, "opp_000a": -0.1}), ["score_missing"], "$.scores"),
    "p3_37 unknown": (
        judgment(1, BOTH | {"prop_999": 0}),
        ["score_unknown"],
        "$.scores[2].argument_id",
    ),
    "p3_37 twice": (twice(), ["score_twice"], "$.scores[6].argument_id"),
    "p3_38": (score("prop_001", 1), ["score_missing", "sum_not_zero"], "$.scores"),
    "p3_41 up": (rescored("prop_000c", 0.551), ["rescore_too_large"], NEW),
    "p3_41 down": (rescored("prop_000a", -0.201), ["rescore_too_large"], NEW),
    "p3_42": (rescored("prop_000a", 7), ["out_of_range", "rescore_too_large"], NEW),
    "p3_43": (rescored("opp_000c", -0.5, 0.9), ["old_score_wrong"], "$.rescores[0].old_score"),
    "p3_44 new": (rescored("prop_001", 0.1), ["rescore_new"], "$.rescores[0].argument_id"),
    "p3_44 no id": (rescored("ghost", 0.1), ["rescore_unknown"], "$.rescores[0].argument_id"),
    "p3_44 none": (rescored("prop_777", 0.1), ["rescore_unknown"], "$.rescores[0].argument_id"),
    "p3_45 text": (malformed(["x"]), ["wrong_type"], "$.rescores[0]"),
    "p3_45 no list": (malformed("x"), ["wrong_type"], "$.rescores"),
    "p3_45 half": (
        malformed([{"argument_id": "prop_000a"}]),
        ["missing"] * 2,
        "$.rescores[0].new_score",
    ),
    "p3_45 null": (malformed([None]), ["wrong_type"], "$.rescores[0]"),
    "p3_45 number": (malformed(5), ["wrong_type"], "$.rescores"),
}
"""By row and case: a judgment, the codes of its faults, and the place of the first."""


@pytest.mark.parametrize("case", REFUSED_JUDGMENTS)
def test_a_bad_judgment_is_refused_with_codes_and_place(case: str) -> None:
    reply, codes, place = REFUSED_JUDGMENTS[case]
    folder = debate_at(reply.get("exchange", 1), JUDGING)
    before = totals(folder)
    answer = refused_judgment(folder, reply)
    assert (answer.codes, answer.places[0]) == (codes, ("judge", place))
    assert totals(folder) == before


def test_p3_33_p3_36_the_sum_is_given_exactly_and_what_is_missing_by_name() -> None:
    for case, actual in (("p3_32", "+0.10"), ("p3_33 0.011", "+0.011")):
        answer = refused_judgment(debate_at(1, JUDGING), REFUSED_JUDGMENTS[case][0])
        assert answer.result["faults"][0]["actual"] == actual
    shutil.rmtree("debates")
    answer = refused_judgment(debate_at(0, JUDGING), REFUSED_JUDGMENTS["p3_36"][0])
    missing = answer.result["errors"][0].partition("no score for")[2]
    assert all(i in missing for i in OPENING_IDS if not i.endswith("a"))


@pytest.mark.parametrize("scores", [(0.1, 0.1, 0.1, -0.1, -0.1, -0.1), (1, 0, 0, -1, 0, 0.0)])
def test_p3_33_p3_34_p3_47_exact_sums_edges_and_zeros_are_taken(scores: Any) -> None:
    debate_at(0, JUDGING)
    reply = judgment(0, dict(zip(OPENING_IDS, scores, strict=True)))
    assert accepted(process_judge(reply)).result["score"] == list(scores)


def test_p3_39_a_rescore_is_recorded_with_what_was_before_and_why() -> None:
    folder = debate_at(0, JUDGING)
    scores = dict(zip(OPENING_IDS, (0.1, 0, -0.5, 0.4, 0, 0), strict=True))
    accepted(process_judge(judgment(0, scores)))
    hold(folder)
    reply = judgment(1, {"prop_001": 0, "opp_001": 0}, [rescore("opp_000a", 0.2, 0.4)])
    result = accepted(process_judge(reply)).result
    assert result["rescored"] == ["opp_000a"]
    header = header_of(folder, "judgments/judge_001.md")
    assert header["rescores"] == [{"argument_id": "opp_000a", "previous": 0.4, "score": 0.2}]
    assert "the cause" in Path(folder.path, "judgments/judge_001.md").read_text()
    assert "from +0.40 to +0.20" in Path(folder.path, "judgments/judge_001.md").read_text()
    assert totals(folder) == {"proposition": (-0.4, 4), "opposition": (0.2, 4)}


@pytest.mark.parametrize(("target", "new"), [("prop_000a", 0.8), ("opp_000a", -0.6)])
def test_p3_40_a_rescore_by_exactly_half_a_point_is_taken(target: str, new: float) -> None:
    folder = debate_at(1, JUDGING)
    accepted(process_judge(judgment(1, {"prop_001": 0, "opp_001": 0}, [rescore(target, new)])))
    assert header_of(folder, "judgments/judge_001.md")["rescores"][0]["score"] == new


def test_p3_42_a_rescore_is_measured_against_the_last_rescore() -> None:
    folder = debate_at(1, JUDGING)
    down = judgment(1, {"prop_001": 0, "opp_001": 0}, [rescore("prop_000a", -0.2)])
    accepted(process_judge(down))
    hold(folder)
    scores = {"prop_002": 0, "opp_002": 0}
    answer = refused_judgment(folder, judgment(2, scores, [rescore("prop_000a", 0.4)]))
    assert answer.codes == ["rescore_too_large"]
    accepted(process_judge(judgment(2, scores, [rescore("prop_000a", 0.3, -0.2)])))
    assert header_of(folder, "judgments/judge_002.md")["rescores"][0]["previous"] == -0.2


@pytest.mark.parametrize("exchange", [0, 1])
def test_p3_46_the_same_judgment_twice_counts_once(exchange: int) -> None:
    folder = debate_at(exchange, JUDGING)
    reply = good_reply("judge", exchange)
    first = accepted(process_judge(reply)).result
    before = record_of(folder)
    again = accepted(process_judge(reply)).result
    assert record_of(folder) == before
    assert where(folder) == (exchange + 1, ARGUING)
    assert {**again, "already_applied": False} == first


def test_p3_46_an_old_judgment_is_known_again_when_the_next_one_is_awaited() -> None:
    folder = debate_at(1, JUDGING)
    before = record_of(folder)
    result = accepted(process_judge(good_reply("judge", 0))).result
    assert result["already_applied"] is True
    assert record_of(folder) == before


def test_p3_48_an_older_debate_with_its_score_file_goes_on() -> None:
    folder = older_debate()
    before = Path(folder.path, "scores.json").read_bytes()
    hold(folder)
    hold(folder)
    assert Path(folder.path, "scores.json").read_bytes() == before
    assert totals(folder) == {"proposition": (1.1, 4), "opposition": (-1.1, 4)}
    assert where(folder) == (2, ARGUING)


def command(*argv: object, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    words_given = [sys.executable, "-m", "debate_ops", *map(str, argv)]
    return subprocess.run(
        words_given, env=environment, check=False, text=True, stderr=subprocess.PIPE, **more
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_p3_49_a_closed_pipe_loses_the_answer_and_not_the_step() -> None:
    folder = debate_at(1)
    value = written("prop.json", argument()), written("opp.json", argument())
    reading, writing = os.pipe()
    os.close(reading)
    call = ("process-exchange", SLUG, 1, "--prop-file", value[0], "--opp-file", value[1])
    ended = command(*call, stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert where(folder) == (1, JUDGING)
    result = accepted(process_exchange(1, argument(), argument())).result
    assert result["already_applied"] is True


def test_p3_50_the_judge_is_given_the_targets_with_their_scores() -> None:
    folder = debate_at(3)
    prop = rebuttal(
        "prop",
        3,
        attacks=[attack("opp_000a"), attack("opp_001"), attack("opp_001", "warrant_attack")],
        defends=[defence("prop_002")],
    )
    opp = rebuttal("opp", 3, attacks=[attack("prop_000b")])
    hold(folder, prop=prop, opp=opp)
    engine.next_turn(folder)
    prompt = Path(inbox.slot(folder, 7, "judge").prompt).read_text(encoding="utf-8")
    blocks = {
        name: re.findall(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)[0]
        for name in ("new_arguments", "targets", "others")
    }
    value = re.findall(
        r'^<argument id="(.*?)" exchange="\d" score_on_record="(.*?)">', prompt, re.MULTILINE
    )
    assert dict(value) == {
        "prop_003": "none",
        "opp_003": "none",
        "opp_000a": "-0.1",
        "opp_001": "-0.35",
        "prop_002": "0.35",
        "prop_000b": "0.4",
    }
    assert blocks["targets"].count("<argument ") == 4
    assert blocks["new_arguments"].count("<argument ") == 2
    listed = re.findall(r'^- (\w+) \(score_on_record="(.*?)"\)', blocks["others"], re.MULTILINE)
    assert dict(listed)["opp_000c"] == "-0.8"
    assert len(listed) == 10 - 4


def graph_of(folder: Folder) -> str:
    return str(run("export", folder.slug, "--to", "mermaid", "--json").result["text"])


NODE = re.compile(r'^    (\w+)(\[|\(\[)"([^"]*)"(\]|\]\)):::(first|second)$', re.MULTILINE)
EDGE = re.compile(r'^    (\w+) (-->|-\.->)\|"([^"|]*)"\| (\w+)$', re.MULTILINE)


def test_p3_51_p3_52_quotes_in_a_title_leave_the_graph_valid_and_scores_may_be_missing() -> None:
    folder = debate_at(1)
    quoting = argument(title='say "hi" [x]', attacks=[attack("opp_000a", "claim_attack")])
    accepted(process_exchange(1, quoting, argument()))
    graph = graph_of(folder)
    labels = {node[1].removeprefix("n_"): node[3] for node in NODE.finditer(graph)}
    assert set(labels) == {*OPENING_IDS, "prop_001", "opp_001"}
    assert not set(labels["prop_001"]) & set('"[]')
    assert "hi" in labels["prop_001"]
    assert labels["opp_001"].endswith("not scored")
    assert labels["prop_000a"].endswith("+0.30")


def test_p3_60_a_new_process_is_told_to_judge_six_named_arguments() -> None:
    folder = debate_at(0, JUDGING)
    ended = command("next", SLUG, stdout=subprocess.PIPE)
    result = json.loads(ended.stdout)
    (task,) = result["tasks"]
    assert (task["participant"], task["status"]) == ("judge", "waiting")
    assert (result["current_exchange"], result["current_phase"]) == (0, JUDGING)
    prompt = Path(task["prompt_file"]).read_text(encoding="utf-8")
    assert ", ".join(OPENING_IDS) in prompt
    assert engine.look(folder).debate.step == result["step"] == 1


def run_until_done(exchanges: int | None) -> list[Data]:
    """Hold a debate as an agent does: `next`, replies, `submit`, until nothing is due."""
    result = run("next", SLUG, *(["--exchanges", exchanges] if exchanges else [])).result
    answers = [result]
    while result["state"] == "turn":
        for task in result["tasks"]:
            reply = good_reply(task["participant"], result["current_exchange"])
            Path(task["reply_file"]).write_text(json.dumps(reply))
        result = accepted(run("submit", SLUG, "--step", result["step"])).result
        answers.append(result)
    return answers


def test_p3_61_p3_62_p3_63_an_agent_holds_as_many_exchanges_as_it_is_asked_for() -> None:
    folder = debate_at(0)
    answers = run_until_done(3)
    assert where(folder) == (4, ARGUING)
    assert len(arguments_of(folder)) == 6 + 2 * 3
    assert answers[-1]["state"] == "done"
    assert [result["calls_left"] for result in answers] == [12, 10, 9, 7, 6, 4, 3, 1, 0]
    assert answers[-1]["cumulative_scores"] == {
        "proposition": {"total": 1.8, "count": 6},
        "opposition": {"total": -1.8, "count": 6},
    }
    run_until_done(2)
    assert where(folder) == (6, ARGUING)
    assert len(arguments_of(folder)) == 6 + 2 * 5


@pytest.fixture
def halt() -> Folder:
    """Return a copy of a real debate, held with an older tool."""
    kept = os.environ.get("DEBATE_OPS_REAL_DEBATES")
    if not kept:
        pytest.skip("DEBATE_OPS_REAL_DEBATES does not say where the real debates are")
    folder = Folder("debates/halt-ai-development")
    shutil.copytree(Path(kept, folder.slug), folder.path)
    for path in (Path(folder.path), *Path(folder.path).rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def test_p3_64_p3_67_a_real_debate_of_an_older_tool_is_read_as_it_stands(halt: Folder) -> None:
    before = tree(halt)
    assert run("status", halt.slug, "--json").code == 0
    debate = engine.look(halt).debate
    assert tree(halt) == before
    assert (where(halt), debate.step) == ((5, ARGUING), 10)
    assert {side: tuple(total) for side, total in debate.state.totals.items()} == {
        "proposition": (2050, 7),
        "opposition": (-2050, 7),
    }
    entries_of = {
        kind: [entry.header for i in debate.record.ids(kind) if (entry := debate.record.get(i))]
        for kind in ("arguments", "judgments")
    }
    assert [len(headers) for headers in entries_of.values()] == [14, 5]
    linked = [links(h, key) for h in entries_of["arguments"] for key in ("attacks", "defends")]
    assert sum(map(len, linked)) == 38
    for header in entries_of["judgments"]:
        assert sum(item["score"] for item in header["scores"]) == 0
        assert header["rescores"] == []


def test_p3_64_the_texts_of_a_real_debate_over_their_limits_are_14(halt: Folder) -> None:
    answer = run("validate", halt.slug, "--json")
    assert (answer.code, answer.result["faults"]) == (0, [])
    actual = [w for w in answer.result["warnings"] if w["code"] == "word_limit"]
    fields = [w["message"].partition(" ")[0] for w in actual]
    counted = {field: fields.count(field) for field in fields}
    assert counted == {"title": 1, "claim": 3, "warrant": 6, "content": 2, "reasoning": 2}
    assert {w["file"] for w in actual if w["message"].startswith("title")} == {
        "arguments/prop_003.md"
    }


def test_p3_64_p3_67_a_real_debate_goes_on_and_keeps_every_old_file_and_form(halt: Folder) -> None:
    before = record_of(halt)
    run("next", halt.slug, "--exchanges", 1)
    assert record_of(halt).items() >= before.items() - {("debate.md", before["debate.md"])}
    prompt = Path(inbox.slot(halt, 10, "prop").prompt).read_text(encoding="utf-8")
    assert prompt.count('\n<argument id="') == 14
    hit = rebuttal("prop", 5, attacks=[attack("opp_004"), attack("opp_000b", "backing_attack")])
    hold(halt, prop=hit)
    reply = judgment(5, {"prop_005": 0.2, "opp_005": -0.2}, [rescore("opp_000b", 0.05, 0.15)])
    hold(halt, judge=reply)
    assert where(halt) == (6, ARGUING)
    assert totals(halt) == {"proposition": (2.25, 8), "opposition": (-2.35, 8)}
    old, new = before.pop("debate.md").decode(), record_of(halt)["debate.md"].decode()
    assert record_of(halt).items() >= before.items()
    assert new.startswith('{\n  "debate_id": "halt-ai-development",')
    assert new.partition("\n}\n")[2] == old.partition("\n}\n")[2]
    old_keys = list(json.JSONDecoder().raw_decode(old)[0])
    assert [key for key in header_of(halt, "debate.md") if key in old_keys] == old_keys


def tree(folder: Folder) -> dict[str, bytes]:
    root = Path(folder.path)
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def test_p3_68_the_graph_of_a_real_debate_has_every_argument_and_every_link(halt: Folder) -> None:
    graph = graph_of(halt)
    assert (len(NODE.findall(graph)), len(EDGE.findall(graph))) == (14, 38)
    drawn = {line for line in graph.splitlines() if line.startswith("    ")}
    rest = {line for line in drawn if not NODE.match(line) and not EDGE.match(line)}
    assert {line.split()[0] for line in rest} == {"accTitle:", "accDescr:", "classDef"}


BREAKS: dict[str, tuple[str, Callable[[str], str], str]] = {
    "exchange": ("debate.md", lambda t: t.replace("change: 5", "").replace(": 5", ": 4"), "2.05"),
    "totals": ("debate.md", lambda t: t.replace(" 2.05", " 2.15"), "cumulative_scores"),
    "argument cut": ("arguments/prop_004.md", lambda t: t[:200], "prop_004"),
    "wrong id": ("arguments/prop_004.md", lambda t: t.replace("prop_004", "prop_003"), "prop_004"),
    "wrong exchange": ("arguments/prop_004.md", lambda t: t.replace(": 4", ": 3"), "prop_004"),
    "score changed": ("scores.json", lambda t: t.replace('"score": 0.4', '"score": 0.5'), "2.15"),
    "scores cut": ("scores.json", lambda t: t[:999], "scores.json"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_p3_64_a_broken_copy_is_refused_by_name_and_left_alone(halt: Folder, name: str) -> None:
    file, damage, said = BREAKS[name]
    path = Path(halt.path, file)
    text = path.read_text(encoding="utf-8")
    broken = damage(text)
    assert broken != text
    path.write_text(broken, encoding="utf-8")
    before = tree(halt)
    for words_given in (["status", halt.slug, "--json"], ["next", halt.slug]):
        answer = run(*words_given)
        assert answer.code == 5, answer.result
        assert said in answer.result["error"] + answer.result["hint"]
        assert answer.result["hint"]
    assert {n: data for n, data in tree(halt).items() if not n.startswith("inbox")} == before


@pytest.mark.parametrize("text", ["}", '"}\n---\n{"', "\\"])
def test_p3_69_braces_and_quotes_do_not_end_the_header(text: str) -> None:
    folder = debate_at(1)
    prop = argument(claim=text, title=text, warrant=text)
    accepted(process_exchange(1, prop, argument()))
    assert header_of(folder, "arguments/prop_001.md")["claim"] == text
    entry = engine.look(folder).debate.record.get("prop_001")
    assert entry
    result = argument_of(entries.parse(entry))
    assert result
    assert (result.claim, result.title, result.warrant) == (text, text, text)


@pytest.mark.parametrize("count", [499, 500, 600, 601])
def test_p3_70_a_report_of_an_older_tool_is_measured_against_500_to_600_words(count: int) -> None:
    folder = older_debate()
    Path(folder.path, "README.md").write_text(words(count))
    warnings = run("validate", "older", "--json").result["warnings"]
    is_reported = any(w["code"] == "report_length" for w in warnings)
    assert is_reported == (not 500 <= count <= 600)


@pytest.mark.parametrize("damage", ["removed", "edited"])
def test_px_07_a_drawn_file_is_drawn_again_and_the_difference_told(damage: str) -> None:
    folder = debate_at(1)
    assert run("report", SLUG, "--json").code == 0
    name = "charts/map-light.svg"
    path = Path(folder.path, name)
    chart = path.read_text(encoding="utf-8")
    if damage == "removed":
        path.unlink()
    else:
        path.write_text(chart.replace("+0.30", "+0.90"), encoding="utf-8")
    before = {n: d for n, d in record_of(folder).items() if n != name}
    warnings = run("report", SLUG, "--json").result["warnings"]
    assert path.read_text(encoding="utf-8") == chart
    assert any("map-light.svg" in warning for warning in warnings)
    assert {n: d for n, d in record_of(folder).items() if n != name} == before
