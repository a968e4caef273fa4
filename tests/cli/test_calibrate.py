"""The command `calibrate`: what it decides, what it keeps, and where that is shown."""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from debate_ops import calibration, engine
from debate_ops.engine.store import Folder, find_folder
from debate_ops.report import provenance
from debate_ops.report.reading import read_debate
from tests import panel_judges
from tests.builders import SLUG, Data, debate_at, good_reply, put, run, written
from tests.calibration.test_measuring import question
from tests.cli.stage import say
from tests.report.stage import render

pytestmark = pytest.mark.usefixtures("work")
MODEL = "m-1"


def calibrated(questions: list[Data], *words: str) -> Data:
    """Calibrate agents who always hold the side for yes to be right, by 80 %."""
    path = written("known.json", json.dumps(questions))
    while True:
        answer = run("calibrate", "--set", path, "--made-by", MODEL, *words, "--json")
        assert answer.code == 0, answer.remarks
        result: Data = answer.result
        if not result["tasks"]:
            return result["result"]  # type: ignore[no-any-return]
        for task in result["tasks"]:
            _reply(task)


@pytest.mark.usefixtures("impatient")
def test_a_judge_who_failed_has_decided_nothing_and_the_same_command_asks_it_again() -> None:
    written("known.json", json.dumps([question(1)]))
    judge = f"cmd:{sys.executable} judge.py http://me:s3cret@127.0.0.1"
    assert "s3cret" not in calibration.find_place("known", judge[-30:], 1)
    words = ("calibrate", "--set", "known.json", "--judge", judge)
    for code in ("exit(1)", "print('no ballot')"):
        Path("judge.py").write_text(code)
        answer = run(*words, "--json")
        assert (answer.code, answer.result["success"], answer.result["result"]) == (3, False, None)
        folders = [error.partition(":")[0] for error in answer.result["errors"]]
        assert folders == [str(path.parent) for path in sorted(Path("debates").rglob("debate.md"))]
        assert "the same command asks again" in answer.result["errors"][0]
    Path("judge.py").write_text(shlex.split(panel_judges.command("yes"))[-1])
    answer = run(*words, "--json")
    assert (answer.code, answer.result["errors"]) == (0, [])
    assert answer.result["result"]["with_debate"]["number"] == 1
    assert "s3cret" not in "".join([*map(str, Path("debates").rglob("*"))]) + str(answer)
    assert ": member-1 replied (" in answer.remarks


def test_a_judge_who_gave_no_view_before_it_read_counts_with_the_debate_alone() -> None:
    path = written("known.json", json.dumps([question(1)]))
    words = ("calibrate", "--set", path, "--made-by", MODEL, "--panel", "1", "--json")
    for task in run(*words).result["tasks"]:
        if "-one" not in task["debate"]:
            engine.skip(find_folder(task["debate"]), task["participant"], "it is not asked")
    for task in run(*words).result["tasks"]:
        _reply(task)
    result = run(*words).result["result"]
    assert (result["debates"], result["without_debate"]) == (1, None)


def test_before_a_ballot_it_is_said_how_many_debates_and_replies_there_are_in_all() -> None:
    path = written("known.json", json.dumps([question(1), question(2)]))
    words = ("calibrate", "--set", path, "--made-by", MODEL, "--panel", "1", "--json")
    expected, replies = run(*words, "--dry-run").result["replies"], []
    assert not Path("debates").exists(), "a dry run makes nothing"
    assert "0 of 1 debate decided; 3 replies to" in say(*words[:-1], "--limit", "1").out
    while (result := run(*words).result)["tasks"]:
        replies.append(result["replies"])
        for task in result["tasks"]:
            _reply(task)
    assert (result["known"], result["replies"], expected) == (2, 0, 6)
    assert replies == [6, 2]


@pytest.mark.parametrize(
    ("name", "found", "put_in"),
    [
        ("judgments/member-1_*-ballot.md", '"percent": 80', '"percent": 500'),
        ("judgments/member-1_*-ballot.md", '"percent": 80', '"percent": "x"'),
        ("judgments/member-1_*-ballot.md", '"percent": 80', '"seen": 80'),
        ("judgments/member-1_*-ballot.md", '"favours": "[^"]*"', '"favours": "Z"'),
        ("arguments/*.md", "## Speech\n", ""),
    ],
)
def test_a_decision_that_was_damaged_is_refused_and_measured_by_nobody(
    name: str, found: str, put_in: str
) -> None:
    calibrated([question(1), question(2)])
    (path, *_) = Path("debates/calibration").glob(f"*/*/known-002/{name}")
    text, number = re.subn(found, put_in, path.read_text("utf-8"))
    assert number == 1
    path.write_text(text, "utf-8")
    for limit in (1, 2):
        words = ("--set", "known.json", "--made-by", MODEL, "--limit", limit, "--json")
        answer = run("calibrate", *words)
        named = answer.result["faults"][0]["file"]
        assert (answer.code, named) == (5, f"{path.parent.name}/{path.name}")


def _reply(task: Data, rule: str = "yes") -> None:
    prompt = Path(task["prompt_file"]).read_text(encoding="utf-8")
    Path(task["reply_file"]).write_text(panel_judges.reply(prompt, rule), encoding="utf-8")


def judged_by(*words: str) -> Folder:
    """Return a debate whose opening has been judged."""
    source = debate_at(0, "awaiting_judgment")
    put(source, "judge", good_reply("judge", 0))
    assert run("submit", SLUG, "--step", "1", *words, "--json").code == 0
    return source


def judges(source: Folder) -> list[Data]:
    return run("status", source.name, "--json").result["judges"]  # type: ignore[no-any-return]


def test_a_judge_who_was_calibrated_is_shown_with_its_record_and_makes_no_answer_surer() -> None:
    source = judged_by("--made-by", MODEL)
    before = read_debate(engine.load(source)).verdict.sureness
    assert calibrated([question(1), question(2)])["models"] == [MODEL]
    (judge,) = judges(source)
    assert (judge["who"], judge["model"]) == ("judge", MODEL)
    (record,) = judge["records"]
    assert (record["set"], record["number"], record["accuracy"]) == ("known", 2, 1)
    sentence = provenance.TrackRecord(**record).describe()
    assert sentence in Path(render(source).files[0]).read_text(encoding="utf-8")
    assert read_debate(engine.load(source)).verdict.sureness == before


def test_a_set_of_a_users_is_not_taken_for_the_shipped_one_of_that_name() -> None:
    path = written("own.json", json.dumps([question(1)]))
    assert calibrated([], "--set", path)["set"] == "own-file"
    (kept,) = Path("debates/calibration").glob("*/*/result.json")
    assert provenance.read_record(str(kept)).describe().endswith("from own-file")


@pytest.mark.parametrize("words", [(), ("--made-by", "another")])
def test_a_judge_who_never_was_is_marked_as_not_calibrated(words: tuple[str, ...]) -> None:
    calibrated([question(1)])
    assert judges(judged_by(*words))[0]["records"] == []


def test_questions_that_nobody_debated_are_left_out_and_others_stay_where_they_are() -> None:
    bare = question(1, speeches=[])
    assert calibrated([bare, question(2)])["debates"] == 1
    assert calibrated([question(1), question(2)])["debates"] == 2
    assert run("calibrate", "--set", written("bare.json", json.dumps([bare])), "--json").code == 2


def test_a_result_of_more_debates_is_kept() -> None:
    for words in ((), ("--limit", "1")):
        calibrated([question(1), question(2)], *words)
        (kept,) = Path("debates/calibration").glob("*/*/result.json")
        for each in kept.parent.glob("known-*"):  # as in a clone: git leaves them out
            shutil.rmtree(each)
        assert provenance.read_record(str(kept)).number == 2


def test_a_panel_is_shown_with_the_record_of_panels_beside_its_verdict() -> None:
    calibrated([question(1)], "--panel", "3")
    calibrated([question(1)])
    source = judged_by("--made-by", MODEL)
    while tasks := run("panel", source.name, "--json").result["tasks"]:
        for task in tasks:
            _reply(task, "for")
        held = find_folder(tasks[0]["debate"])
        engine.submit(held, engine.load(held).debate.step, {"by": MODEL})
    sitting, panel = run("panel", source.name, "--json").result["judges"]
    assert (sitting["who"], panel["who"], panel["model"]) == ("judge", "panel", MODEL)
    assert [record["members"] for record in sitting["records"]] == [1]
    assert [record["members"] for record in panel["records"]] == [3]
    (record,) = panel["records"]
    page = Path(render(source).files[0]).read_text(encoding="utf-8")
    assert provenance.TrackRecord(**record).describe() in page
