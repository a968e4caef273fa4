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

from debate_ops import engine
from debate_ops.engine.store import Folder
from tests.builders import (
    ARGUING,
    JUDGING,
    MOTION,
    OPENING_IDS,
    ROOT,
    SLUG,
    Answer,
    Data,
    argument,
    attack,
    debate_at,
    good_reply,
    header_of,
    judgment,
    new_debate,
    process_exchange,
    process_judge,
    record_of,
    run,
    where,
    written,
)

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.usefixtures("work")

THREE = [argument(claim=claim) for claim in ("One.", "Two.", "Three.")]
OTHERS = [argument(claim=claim) for claim in ("Four.", "Five.", "Six.")]


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
    ("row", "text"), [("p3_10", "```json\n{}\n```\n"), ("p3_11", "Here it is: {}")]
)
def test_a_reply_with_something_around_it_is_taken_with_a_warning(row: str, text: str) -> None:
    folder = debate_at(1)
    reply = text.replace("{}", json.dumps(argument()))
    result = accepted(process_exchange(1, reply, OTHERS[0])).result
    assert result["argument_id"] == {"proposition": "prop_001", "opposition": "opp_001"}, row
    assert len(result["warnings"]) == 1
    assert arguments_of(folder) == {*OPENING_IDS, "prop_001", "opp_001"}


def test_p3_21_a_judgment_is_refused_while_arguments_are_awaited() -> None:
    refused_judgment(debate_at(2), judgment(2, {"prop_002": 0.1, "opp_002": -0.1}))


@pytest.mark.parametrize(
    ("at", "phase", "value"),
    [(0, ARGUING, 7), (2, ARGUING, 3)],
)
def test_p3_22_arguments_that_are_not_due_are_refused_and_overwrite_nothing(
    at: int, phase: str, value: int
) -> None:
    folder = debate_at(at, phase)
    before = record_of(folder)
    reply = argument(claim="Another.")
    refused(process_exchange(value, reply, reply), folder, before, "prop.json", "opp.json")


@pytest.mark.parametrize(
    ("at", "phase", "value"), [(2, ARGUING, 0), (2, ARGUING, 1), (2, JUDGING, 2)]
)
def test_p3_21_p3_22_arguments_on_record_are_answered_from_there_and_others_kept(
    at: int, phase: str, value: int
) -> None:
    folder = debate_at(at, phase)
    before = record_of(folder)
    reply: Any = argument(claim="Another.") if value else [argument(claim="Another.")] * 3
    result = accepted(process_exchange(value, reply, reply)).result
    ids = {"proposition": f"prop_00{value}", "opposition": f"opp_00{value}"}
    by_side = zip(ids, (OPENING_IDS[:3], OPENING_IDS[3:]), strict=True)
    assert result["argument_id"] == (ids if value else {k: [*v] for k, v in by_side})
    assert result["already_applied"] is True
    assert [warning["file"] for warning in result["warning_details"]] == ["prop.json", "opp.json"]
    assert record_of(folder) == before
    assert Path("prop.json").exists()


@pytest.mark.parametrize("exchange", [0, 1])
def test_p3_23_the_same_call_twice_has_one_effect_and_one_answer(exchange: int) -> None:
    folder = debate_at(exchange)
    reply, other = (THREE[0], OTHERS[0]) if exchange else (THREE, OTHERS)
    first = accepted(process_exchange(exchange, reply, other)).result
    before = record_of(folder)
    fenced = f"```json\n{json.dumps(reply, indent=4)}\n```"
    again = accepted(process_exchange(exchange, fenced, other)).result
    assert record_of(folder) == before
    assert (first["already_applied"], again["already_applied"]) == (False, True)
    assert len(again.pop("warning_details")) == 2  # of each file that it is not used
    assert {**again, "already_applied": False, "warnings": []} == first


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


@pytest.mark.parametrize("scores", [(0.1, 0.1, 0.1, -0.1, -0.1, -0.1), (1, 0, 0, -1, 0, 0.0)])
def test_p3_47_exact_sums_edges_and_zeros_are_taken(scores: Any) -> None:
    debate_at(0, JUDGING)
    reply = judgment(0, dict(zip(OPENING_IDS, scores, strict=True)))
    assert accepted(process_judge(reply)).result["score"] == list(scores)


@pytest.mark.parametrize("exchange", [0, 1])
def test_p3_46_the_same_judgment_twice_counts_once(exchange: int) -> None:
    folder = debate_at(exchange, JUDGING)
    reply = good_reply("judge", exchange)
    first = accepted(process_judge(reply)).result
    before = record_of(folder)
    again = accepted(process_judge(reply)).result
    assert len(again.pop("warning_details")) == 1
    assert record_of(folder) == before
    assert where(folder) == (exchange + 1, ARGUING)
    assert {**again, "already_applied": False, "warnings": []} == first


def test_p3_46_an_old_judgment_is_known_again_when_the_next_one_is_awaited() -> None:
    folder = debate_at(1, JUDGING)
    before = record_of(folder)
    result = accepted(process_judge(good_reply("judge", 0))).result
    assert result["already_applied"] is True
    assert record_of(folder) == before


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


def graph_of(folder: Folder) -> str:
    return str(run("export", folder.slug, "--to", "mermaid", "--json").result["text"])


NODE = re.compile(r'^  n(\w+)\["([^"]*)"\]:::side[01]$', re.MULTILINE)


def test_p3_51_p3_52_quotes_in_a_title_leave_the_graph_valid_and_scores_may_be_missing() -> None:
    folder = debate_at(1)
    quoting = argument(title='say "hi" [x]', attacks=[attack("opp_000a", "claim_attack")])
    accepted(process_exchange(1, quoting, argument()))
    graph = graph_of(folder)
    labels = dict(NODE.findall(graph))
    assert set(labels) == {*OPENING_IDS, "prop_001", "opp_001"}
    assert not set(labels["prop_001"]) & set('"[]')
    assert "hi" in labels["prop_001"]
    assert graph.count("-->") == 1


def test_p3_60_a_new_process_is_told_to_judge_six_named_arguments() -> None:
    folder = debate_at(0, JUDGING)
    ended = command("next", SLUG, stdout=subprocess.PIPE)
    result = json.loads(ended.stdout)
    (task,) = result["tasks"]
    assert (task["participant"], task["status"]) == ("judge", "waiting")
    assert (result["current_exchange"], result["current_phase"]) == (0, JUDGING)
    prompt = Path(task["prompt_file"]).read_text(encoding="utf-8")
    assert ", ".join(OPENING_IDS) in prompt
    assert engine.load(folder).debate.step == result["step"] == 1


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


@pytest.mark.parametrize("text", ["a }", 'a "}\n---\n{"', "a \\"])
def test_p3_69_braces_and_quotes_do_not_end_the_header(text: str) -> None:
    folder = debate_at(1)
    prop = argument(claim=text, title=text, warrant=text)
    accepted(process_exchange(1, prop, argument()))
    assert header_of(folder, "arguments/prop_001.md")["claim"] == text
    entry = engine.load(folder).debate.entries["prop_001"]
    assert (entry.texts["Claim"], entry.title, entry.texts["Warrant"]) == (text, text, text)
