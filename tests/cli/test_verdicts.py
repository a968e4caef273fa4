"""The commands that ask whether a verdict would be given again."""

import json
import os
import re
import shutil
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.cli import verdicts
from debate_ops.core.errors import DiskError
from debate_ops.engine import validate as validation
from debate_ops.engine.store import Folder, find_folder
from debate_ops.report.panel import read_panel
from debate_ops.report.reading import read_debate
from tests import builders
from tests.builders import ROOT, SLUG, Data, debate_at, good_reply, hold_until, put, run, written
from tests.calibration.test_measuring import question
from tests.cli.stage import say
from tests.ending import PATIENCE
from tests.engine.stage import read_files
from tests.panel_judges import command, reply
from tests.report.stage import render
from tests.run.stage import STUB, is_running, list_hanging, start, wait_for

pytestmark = pytest.mark.usefixtures("work", "impatient")
slow = partial(pytest.param, marks=pytest.mark.slow)


def held(*words: str) -> Data:
    answer = run(*words, "--json")
    assert answer.code == 0, answer.remarks
    assert isinstance(answer.result, dict)
    return answer.result


def record() -> dict[str, bytes]:
    """Return all files of all debates that are no log, lock or prompt, by their paths."""
    logs = {"events.jsonl", "inbox"}
    return {
        n: data for n, data in builders.read_folder("debates").items() if not logs & {*n.split("/")}
    }


def test_a_panel_that_is_damaged_or_half_made_gives_way_to_another() -> None:
    source, anew = debate_at(1), f"panel {SLUG} --anew"
    held("panel", source.name)
    Path(source.within("panel/debate.md")).unlink()
    assert anew in run("panel", source.name, "--json").result["hint"]
    assert any(anew in each for each in held("status", source.name)["next"])
    killed = Path(source.within(".panel.1.debate-ops.tmp"))
    killed.mkdir()
    (killed / "debate.md").touch()
    assert held("panel", source.name, "--anew")["tasks"]
    assert not killed.exists()
    assert not validation.validate(source)[0]


@pytest.mark.parametrize("failing", [1, 2])
def test_a_member_that_fails_is_absent_and_without_most_there_is_no_panel(failing: int) -> None:
    source = debate_at(1)
    judges = [command("for")] * (3 - failing) + [f'cmd:{sys.executable} -c "exit(1)"'] * failing
    words = [word for spec in judges for word in ("--judge", spec)]
    held("panel", source.name, *words, "-q")
    read = read_panel(engine.load(find_folder(f"debates/{source.name}/panel")).debate)
    assert read
    assert len(read.members) == 3 - failing
    assert read.is_one == (failing == 1)
    assert read_debate(engine.load(source)).verdict.sureness != "high"


def test_without_a_judge_the_prompts_for_agents_are_listed_and_their_replies_taken() -> None:
    source, by = debate_at(1), ("--made-by", "m-1")
    assert "3 of 6 replies due." in say("panel", source.name).out
    for phase in ("view", "ballot"):
        tasks = held("panel", source.name, *by)["tasks"]
        place = held("status", tasks[0]["debate"])
        assert (place["next"][0], "memo" in place["to_come"]) == (f"debate-ops panel {SLUG}", False)
        assert [task["schema"] for task in tasks] == [f"speeches-{phase}"] * 3
        for task in tasks:
            prompt = Path(task["prompt_file"]).read_text(encoding="utf-8")
            Path(task["reply_file"]).write_text(reply(prompt, "first"), encoding="utf-8")
            if phase == "ballot" and task is tasks[0]:
                held("panel", source.name, "--made-by", "m-0")
    assert held("panel", source.name, *by)["state"] == "done"
    place = held("status", tasks[0]["debate"])
    assert place["completed"]["next"] == [f"/debate-report {SLUG}"]
    assert place["next"] == [f"debate-ops report {SLUG}"]
    panel = engine.load(find_folder(tasks[0]["debate"])).debate.find("ballot")
    assert [entry.header["made_by"]["by"] for entry in panel] == ["m-0", "m-1", "m-1"]


def test_a_panel_leaves_the_record_as_it_is_and_one_of_another_record_is_left_out() -> None:
    source = debate_at(1)
    before = read_files(source)
    panel = held("panel", source.name, "--judge", command("for"), "-q")["debate"]
    assert before.items() <= read_files(source).items()
    assert not validation.validate(source)[0] + validation.validate(find_folder(panel))[0]
    assert "What a panel says" in Path(render(source).files[0]).read_text(encoding="utf-8")
    path = Path(source.path, "panel", "arguments", "prop_001-speech.md")
    path.write_text(path.read_text(encoding="utf-8").replace("[prop_000a]", "[prop_000z]"))
    assert any("another record" in warning.message for warning in render(source).warnings)
    assert held("panel", source.name)["tasks"]
    assert list(Path(source.path, "set-aside").iterdir())
    path.write_text(path.read_text(encoding="utf-8").replace("[prop_000a]", "[prop_000z]"))
    assert not [w for w in render(source).warnings if "another record" in w.message], "none read it"


def test_a_panel_decides_a_debate_that_only_its_judge_is_still_to() -> None:
    Path("said.txt").write_text("Ann: We should move.\n\nBen: No, not this year.\n", "utf-8")
    held("import", "said", "said.txt", "--motion", "Move?")
    held("panel", "said", "--judge", command("longest"), "-q")
    reading = read_debate(engine.load(find_folder("said")))
    assert (reading.answer, reading.sureness) == ("A panel decides for “Ben”", "moderate")
    assert next(reading.list_voices())[1] == "nobody has judged"
    met = held("check", "said", "--require", "decided")["requirements"]["decided"]
    assert met["why"].startswith("A panel decides for “Ben” (")
    assert "**This debate is not" not in Path(render(find_folder("said")).files[0]).read_text(
        "utf-8"
    )


def put_debates() -> None:
    """Make one that is not over, and two that are complete, without their panels."""
    debate_at(2)
    for name in ("leap-seconds", "human-review"):
        left_out = shutil.ignore_patterns("panel")
        shutil.copytree(ROOT / "debates" / name, f"debates/{name}", ignore=left_out)


def test_all_complete_debates_are_read_by_a_panel_once_and_one_that_is_bad_stops_no_other() -> None:
    put_debates()
    Path("debates/bad").mkdir()
    written("debates/bad/debate.md", "---\n{\n---\n")
    words = ("panel", "--all-debates", "--judge", command("for"), "--json")
    answer = run(*words)
    assert answer.code == 5
    assert [error.partition(":")[0] for error in answer.result["errors"]] == ["bad"]
    read = {each["debate"]: each["verdict"] for each in answer.result["debates"]}
    assert [*read] == ["human-review", "leap-seconds"]
    assert all(verdict.startswith("A blind panel decides") for verdict in read.values())
    assert run(*words).result["debates"] == []


@pytest.mark.parametrize(
    "words",
    [
        slow(("panel", "--all-debates", "--judge", command("for"))),
        ("rejudge", SLUG, "--judge", f"replay:{SLUG}", "-q"),
        slow(("calibrate", "--set", "known.json", "--judge", command("longest"), "--panel", "3")),
    ],
)
def test_four_workers_write_what_one_writes(words: tuple[str, ...]) -> None:
    written_by = []
    for workers in ("1", "4"):
        shutil.rmtree("debates", ignore_errors=True)
        put_debates()
        written("known.json", json.dumps(SHORTER))
        written_by.append((held(*words, "--workers", workers), record()))
    assert written_by[0] == written_by[1]


def test_where_nothing_is_to_be_decided_there_is_no_panel_and_no_second_judgment() -> None:
    held("new", "d", "--protocol", "design", "--motion", "How?")
    assert run("panel", "d", "--json").code == 1
    assert not Path("debates", "d", "panel").exists()
    answer = run("rejudge", debate_at(0).name, "--json")
    assert (answer.code, "A judged exchange has" in answer.result["hint"]) == (1, True)


def test_a_record_is_judged_again_without_new_debating(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise DiskError("no space")

    source = debate_at(2, panel=3)
    before = read_files(source)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "next_turn", refuse)
        stopped = run("rejudge", source.name, "--times", "2", "--json")
    assert (stopped.code, "Free some space" in stopped.result["hint"]) == (74, True)
    result = held("rejudge", source.name, "--times", "2")
    debates = [engine.load(find_folder(task["debate"])).debate for task in result["tasks"]]
    assert not any(d.settings.panel for d in debates)
    assert [task["participant"] for task in result["tasks"]] == ["judge", "judge"]
    assert before.items() <= read_files(source).items()
    part, back = source.within("rejudged/judge-1"), [f"debate-ops rejudge {source.name}"]
    assert held("status", part)["next"] == back
    again = held("rejudge", source.name, "--times", "2", "--judge", f"replay:{source.name}", "-q")
    assert held("status", part)["next"] == back
    assert again["lead"]["spread"] == 0
    assert not any(row["flips"] for row in again["arguments"])
    assert len(again["verdicts"]) == 3


def test_who_judges_again_counts_until_the_debate_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    source = debate_at(2)
    found, words = list[tuple[str, str]](), ("rejudge", source.name, "-q", "--judge")
    for path in Path(shutil.copytree(source.path, "debates/flipped"), "judgments").iterdir():
        text = path.read_text("utf-8").replace('"score": ', '"score": -')
        path.write_text(text.replace(": --", ": "), "utf-8")
    held(*words, f"replay:{source.name}")
    for number in range(4):
        if number:
            shutil.rmtree(Path(source.path, f"rejudged/judge-{number}"))
            held(*words, "replay:flipped")
        reading = read_debate(engine.load(source))
        found.append((reading.sureness, next(reading.list_voices())[2].partition("; ")[2]))
    assert found == [
        ("moderate", "judged again: 3 for the motion"),
        ("low", "judged again: 1 against the motion and 2 for the motion"),
        ("too close to call", "judged again: 2 against the motion and 1 for the motion"),
        ("too close to call", "judged again: 3 against the motion"),
    ]
    shutil.rmtree(source.within("rejudged/judge-1"))
    with monkeypatch.context() as patch:  # stopped before its first step
        patch.setattr(verdicts, "settle", lambda *_, **__: 1 / 0)
        assert run("rejudge", source.name, "--json").code == 70
    hold_until(source, 3)
    assert not read_debate(engine.load(source)).rejudged
    held(*words, f"replay:{source.name}", "--times", "2")
    assert read_debate(engine.load(source)).rejudged.total() == 2
    assert list(Path(source.path, "set-aside").iterdir())


@pytest.mark.parametrize("is_begun", [False, True])
def test_an_opening_alone_is_judged_again_by_a_program(is_begun: bool) -> None:  # noqa: FBT001
    source = debate_at(1)
    if is_begun:  # as earlier versions began it: with no request
        held("rejudge", source.name)
        for path in Path(source.within("rejudged")).glob("*/debate.md"):
            text, number = re.subn('"request": {[^}]*}', '"request": null', path.read_text("utf-8"))
            assert number == 1
            path.write_text(text, "utf-8")
    result = held("rejudge", source.name, "--judge", f"replay:{source.name}", "-q")
    assert (result["tasks"], len(result["verdicts"])) == ([], 4)


@pytest.mark.parametrize("judge", [(), ("--judge", f"replay:{SLUG}", "-q")])
def test_closings_that_are_not_on_record_are_not_asked_for_again(judge: tuple[str, ...]) -> None:
    source = debate_at(0, closing="on")
    engine.next_turn(source, 1)
    hold_until(source, 1, "awaiting_closings")
    words = ("rejudge", source.name, "--times", "1", *judge)
    for number in () if judge else (0, 1):
        (task,) = held(*words)["tasks"]
        put(find_folder(task["debate"]), "judge", good_reply("judge", number))
    result = held(*words)
    assert (result["tasks"], len(result["verdicts"])) == ([], 2)
    again = engine.load(Folder(source.within("rejudged/judge-1"))).debate
    assert (len(again.find("judgment")), len(again.find("absence"))) == (2, 0)


def test_who_fails_is_named_with_why_in_its_own_words() -> None:
    spec = 'cmd:sh -c "echo no key >&2; exit 3"'
    put_debates()
    for wrong in (("panel", "--all-debates"), ("rejudge", SLUG)):
        said = run(*wrong, "--judge", "cmd:nosuchprog", "--json")
        assert (said.code, "'nosuchprog'" in said.result["error"]) == (4, True), wrong
    for words in ("panel S", "panel --all-debates", "calibrate --limit 1", "rejudge S"):
        said = run(*words.replace("S", SLUG).split(), "--judge", spec, "--json")
        assert (said.code, "it said: no key" in said.result["errors"][0]) == (3, True), words
    assert said.result["errors"][0].startswith("judge: ")


def test_who_judges_again_is_on_record_alone_and_the_second_reads_the_other_side_first() -> None:
    words = ("rejudge", debate_at(1).name, "--times", "2", "--made-by", "m-1")
    first, second = held(*words)["tasks"]
    texts = [Path(task["prompt_file"]).read_text(encoding="utf-8") for task in (first, second)]
    starts = [text.index('id="prop_000a"') < text.index('id="opp_000a"') for text in texts]
    assert starts == [True, False]
    put(again := find_folder(first["debate"]), "judge", good_reply("judge", 0))
    held(*words)
    entries = engine.load(again).debate.entries.values()
    by = {entry.id: entry.header.get("made_by", {}).get("by") for entry in entries}
    assert [name for name, who in by.items() if who == "m-1"] == ["judge_000"]


def test_debates_are_compared_by_lead_and_sureness_and_scores_only_where_one_record_was() -> None:
    names = ("leap-seconds", "outdoor-pool", "human-review")
    for name in names:
        shutil.copytree(ROOT / "debates" / name, f"debates/{name}")
    opposed = shutil.copytree(ROOT / "debates/outdoor-pool", "debates/opposed")
    shutil.rmtree(Path(opposed, "panel"))  # the judge alone, and a memo for the other choice
    assert len(held("compare", names[0], names[0])["arguments"]) > 1
    result = held("compare", *names, "opposed")
    assert "arguments" not in result
    assert [(v["debate"], v["lead"], v["sure"]) for v in result["verdicts"]] == [
        ("leap-seconds", 0.45, "low"),
        ("outdoor-pool", 0.2, "too close to call: judge and panel disagree"),
        ("human-review", None, "too close to call"),
        ("opposed", 0.2, "the debate itself came out the other way"),
    ]
    assert {"prop", "opp", "judge"} <= result["verdicts"][0]["makers"].keys()
    assert "; lead 0.45;" in verdicts.compare(names).lines[0]


LONGER = {"debater": "A", "text": "Because it is so, and was always so."}
SAID = [LONGER, {"debater": "B", "text": "It is not."}]
SHORTER = [question(n, speeches=SAID, correct=letter) for n, letter in enumerate("BA")]


def test_a_judge_who_prefers_the_longer_side_is_seen_in_a_calibration() -> None:
    path = written("known.json", json.dumps(SHORTER))
    result = held("calibrate", "--set", path, "--judge", command("longest"))["result"]
    assert result["length"]["yes"]["accuracy"] == 1
    assert result["length"]["no"]["accuracy"] == 0
    assert result["with_debate"]["accuracy"] == 0.5
    assert held("calibrate", "--set", path, "--judge", command("longest"))["result"] == result
    other = held("calibrate", "--set", path, "--judge", command("longest") + " again")["result"]
    assert other["judge"] != result["judge"]


@pytest.mark.parametrize("words", [("--workers", "2"), ("--scheduler", "tcp://127.0.0.1:1")])
def test_several_workers_name_the_extra_they_need_and_one_needs_none(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = debate_at(2)
    monkeypatch.setitem(sys.modules, "distributed", None)
    judge = ("rejudge", source.name, "--times", "1", "--judge", f"replay:{source.name}", "-q")
    answer = run(*judge, *words, "--json")
    assert (answer.code, "extra 'many'" in answer.result["error"]) == (4, True)
    assert held(*judge, "--workers", "1")["verdicts"]


INTERRUPTED, TERMINATED = (signal.SIGINT, 130), (signal.SIGTERM, 143)


@pytest.mark.parametrize(
    ("words", "calls", "said"),
    [
        (f"panel {SLUG}", 3, TERMINATED),
        slow("panel --all-debates --workers 2", 3, INTERRUPTED),
        slow(f"rejudge {SLUG}", 1, INTERRUPTED),
        slow(f"rejudge {SLUG} --workers 3", 3, TERMINATED),
        slow("calibrate --set known.json --workers 3", 3, TERMINATED),
    ],
)
def test_a_signal_ends_a_command_and_whom_it_asks_and_nobody_is_asked_after_it(
    words: str, calls: int, said: tuple[signal.Signals, int]
) -> None:
    put_debates()
    written("hang", "")
    known = [question(number) for number in range(8)]
    written("known.json", json.dumps(known))
    process = start(*words.split(), "--judge", f"cmd:{STUB}")
    wait_for(lambda: len(list_hanging()) >= 2 * calls)
    process.send_signal(said[0])
    _, remarks = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "the same command goes on" in remarks) == (said[1], True), remarks
    assert not [pid for pid in list_hanging() if is_running(pid)]
    assert len(list_hanging()) < 2 * len(known), "no call was begun after it"


@pytest.mark.parametrize(("command", "calls"), [("panel", 3), slow("rejudge", 1)])
def test_of_two_at_once_one_is_busy_and_a_killed_panel_is_said_to_be_begun(
    command: str, calls: int
) -> None:
    debate_at(2)
    written("hang", "")
    both = [start(command, SLUG, "--judge", f"cmd:{STUB}") for _ in range(2)]
    wait_for(lambda: len(list_hanging()) == 2 * calls and any(p.poll() is not None for p in both))
    [busy], [other] = ([p for p in both if (p.poll() is not None) == is_over] for is_over in (1, 0))
    assert (busy.communicate(), busy.returncode)[1] == 7
    during = run("status", SLUG).result
    other.kill()
    other.communicate()
    for pid in list_hanging():
        os.kill(pid, signal.SIGKILL)
    if command == "panel":
        assert [call["participant"][:6] for call in during["running"]["calls"]] == ["member"] * 3
        assert not any(" run " in each or " panel " in each for each in during["next"])
        after = run("status", SLUG).result
        assert (after["running"], after["panel"]["state"]) == (None, "begun")
        assert any(f" panel {SLUG}" in each for each in after["next"])


def test_what_ships_with_known_answers_can_be_read_and_asks_nobody_when_estimated() -> None:
    assert held("calibrate", "--dry-run", "--limit", "3")["replies"] == 9
