"""What a person does to a whole debate: advance, escalate, decide, cancel, check, undo, list."""

import re
import shutil
from pathlib import Path

import pytest

from debate_ops.cli import show, standing
from debate_ops.cli.app import MODULES
from debate_ops.engine import inbox, store
from debate_ops.engine.store import Folder
from debate_ops.protocols import PROTOCOLS, load_protocol
from tests import builders
from tests.builders import ROOT, Answer, Data, header_of, put, record_of, run
from tests.cli.stage import say

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x"
FOLDER = Folder("debates/x")
NAMES = ("ann", "ben", "cara")
DECIDE = ("decide", "--text", "we wait")


def made(*more: str, slug: str = SLUG) -> None:
    words = ("--protocol", "consensus", "--motion", "M", "--participants", ",".join(NAMES), *more)
    assert run("new", slug, *words, "--json").code == 0


def act(name: str, *more: object) -> Answer:
    return run(name, SLUG, *more, "--reason", "because", "--by", "kim", "--json")


def advance(*more: str, step: int = 0) -> Answer:
    return run("advance", SLUG, "--step", step, "--reason", "enough", *more, "--json")


def proposed(*more: str) -> None:
    made(*more)
    for name in NAMES:
        put(FOLDER, name, proposal(name))
    assert run("submit", SLUG, "--step", "0", "--json").code == 0


def proposal(participant: str) -> Data:
    named = {"participant": participant, "exchange": 1, "phase": "awaiting_proposals"}
    return named | {"title": "T", "solution": "S", "reasoning": "R", "confidence": 0.5}


def suggested(slug: str = SLUG) -> list[str]:
    actual = run("status", slug, "--json").result["next"]
    return [re.split("debate[-_]ops ", command)[-1] for command in actual]


def test_escalation_makes_the_debate_wait_for_a_person_and_suggests_what_one_may_do() -> None:
    made()
    answer = act("escalate")
    assert answer.result["committed"] == ["person_001-escalation"]
    assert (answer.result["state"], answer.result["acts"]) == ("waiting", ["decide", "cancel"])
    waiting = run("next", SLUG)
    assert (waiting.code, waiting.result["success"], waiting.result["tasks"]) == (8, True, [])
    assert "because" in waiting.result["reason"]
    assert [command.split()[0] for command in suggested()][:2] == ["decide", "cancel"]
    assert not {"next", "run"} & {command.split()[0] for command in suggested()}


@pytest.mark.parametrize("by", ["the rules", "a person", "a person, a cycle later"])
def test_a_debate_that_waits_for_a_decision_names_the_ids_that_decide_takes(by: str) -> None:
    proposed(*(("--set", "max_cycles=1") if by == "the rules" else ()))
    for step in () if by == "a person" else (1, 2):
        advance(step=step)
    if by != "the rules":
        act("escalate")
    waiting = run("next", SLUG).result
    ids = [f"{name}_001-proposal" for name in NAMES]
    assert [item["id"] for item in waiting["about"]] == ids
    assert all(any(i in line for line in show.status(SLUG).lines) for i in ids)
    assert act("decide", "--proposal", ids[-1]).code == 0


def test_decision_goes_on_record_with_who_and_why_in_their_own_words() -> None:
    made()
    act("escalate")
    assert act(*DECIDE).result["state"] == "done"
    header = header_of(FOLDER, "judgments/person_001-decision.md")
    assert (header["by"], header["reason"], header["proposal"]) == ("kim", "because", "")
    text = Path("debates/x/judgments/person_001-decision.md").read_text(encoding="utf-8")
    assert "## Decision\n\nwe wait\n" in text
    assert "## Reason\n\nbecause\n" in text


@pytest.mark.parametrize("words", [DECIDE, ("escalate",), ("cancel",), ("advance", "--step", "0")])
def test_act_without_a_reason_changes_nothing(words: tuple[str, ...]) -> None:
    made()
    if words == DECIDE:
        act("escalate")
    before = record_of(FOLDER)
    name, *more = words
    for reason in ((), ("--reason", " ")):
        answer = run(name, SLUG, *reason, *more, "--json")
        assert answer.code == 2
        assert "reason" in answer.result["error"]
    assert record_of(FOLDER) == before


def test_an_act_goes_on_record_while_a_run_has_the_debate() -> None:
    made()
    with store.hold_lock(FOLDER.within(inbox.RUN_LOCK), "is running this debate", wait=0):
        assert act("cancel").code == 0


def test_every_act_has_a_command_and_a_form_in_which_it_is_suggested() -> None:
    acts = {name for protocol in PROTOCOLS for name in load_protocol(protocol).acts}
    acts.remove("close")  # which is `stop --with-closing`
    assert acts <= set(MODULES)
    assert acts <= set(standing.ACT_FORMS)


def test_every_task_says_what_the_rules_do_without_its_reply() -> None:
    proposed()
    builders.new_debate("y")
    turns = run("next", SLUG).result, run("next", "y", "--exchanges", 1).result
    failures = [{task["on_failure"] for task in turn["tasks"]} for turn in turns]
    assert failures == [{"absence"}, {"stop"}]


def test_debates_are_listed_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for day, slug in enumerate(("city-cars", "a", "b")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_700_000_000 + 86_400 * day))
        run("new", slug, "--motion", "M", "--json")
    run("next", "a", "--exchanges", "1")
    listed = say("list").out.splitlines()
    assert [line.partition(":")[0] for line in listed] == ["b", "a", "city-cars"]
    assert listed == say().out.splitlines()[2:5]


def test_git_keeps_the_debates_of_the_clone_alone() -> None:
    shipped = {path.parent.name for path in ROOT.glob("debates/*/debate.md")}
    kept = re.findall("^!/debates/([^/]*)/?$", (ROOT / ".gitignore").read_text(), re.MULTILINE)
    assert shipped >= {*kept} - {"calibration"}


@pytest.mark.parametrize("words", [(), ("--require", "peace")])
def test_check_of_nothing_or_of_the_unknown_names_what_there_is(words: tuple[str, ...]) -> None:
    made()
    answer = run("check", SLUG, *words, "--json")
    assert answer.code == 2
    assert "consensus, no-blocking" in answer.result["hint"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_debate_can_be_required_to_be_complete_and_decided(protocol: str) -> None:
    teams = {"design": "architect,security", "consensus": "ann,ben", "speeches": "ann,ben"}
    team = teams.get(protocol)
    named = ("--participants", team) if team else ()
    run("new", SLUG, "--motion", "M", "--protocol", protocol, *named, "--json")
    answer = run("check", SLUG, "--require", "complete", "--require", "decided", "--json")
    assert (answer.code, answer.result["success"]) == (10, False)
    requirements = answer.result["requirements"].items()
    assert {n: item["is_met"] for n, item in requirements} == {"complete": False, "decided": False}


def test_check_says_whether_what_is_required_is_met() -> None:
    folder = builders.debate_at(1)
    run("next", builders.SLUG, "--exchanges", 1)
    words = ("check", builders.SLUG, "--json", "--require")
    assert (run(*words, "complete").code, run(*words, "decided").code) == (10, 0)
    builders.hold_until(folder, 2)
    decided = run(*words, "decided")
    assert (run(*words, "complete").code, decided.code) == (0, 0)
    why = decided.result["requirements"]["decided"]["why"]
    assert re.fullmatch(r"The judge leans towards the motion \(how sure: \w+\)", why)
    shutil.copytree(ROOT / "debates/outdoor-pool", "debates/other")
    check = ("check", "other", "--require", "decided")
    assert "not met: The judge leans towards the motion; a panel does not bear" in say(*check).out
    shutil.rmtree("debates/other/panel")  # without it, the judge's lead towards the motion counts
    opposed = say(*check)
    assert opposed.code == 10
    assert "(how sure: the debate itself came out the other way)" in opposed.out
    path = Path("debates/other/judgments/judge_001.md")
    path.write_text(path.read_text("utf-8").replace('"score": 0.', '"score": -0.', 1), "utf-8")
    assert say(*check).code == 5


def test_advance_keeps_what_is_there_and_makes_the_others_absent() -> None:
    made()
    run("next", SLUG)
    put(FOLDER, "ben", proposal("ben"))
    before = record_of(FOLDER)
    assert advance(step=1).code == 1
    assert record_of(FOLDER) == before
    committed = advance().result["committed"]
    assert sorted(committed) == ["ann_001-absence-1", "ben_001-proposal", "cara_001-absence-1"]


@pytest.mark.parametrize(("seconds", "is_late"), [(59, False), (60, True)])
def test_advance_is_suggested_when_the_time_is_over(
    seconds: int, monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    made("--set", "phase_seconds=60")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + seconds))
    turn = run("next", SLUG).result
    assert (turn["deadline"], turn["late"]) == ("2026-01-01T00:01:00Z", is_late)
    assert any(command.startswith("advance x") for command in suggested()) is is_late
    advance()
    [absence, *_] = run("status", SLUG).result["absences"]
    expected = ("time-out", "rule") if is_late else ("advance", "user")
    assert (absence["how"], absence["by"]) == expected


def test_undo_of_a_step_takes_back_that_step_and_what_came_after() -> None:
    made()
    act("escalate")
    act(*DECIDE)
    for _ in range(2):
        result = run("undo", SLUG, "--step", 1, "--json").result
        assert result["taken_back"] == ["person_001-decision"]
        assert (result["state"], result["step"]) == ("waiting", 1)
    result = run("undo", SLUG, "--step", 0, "--json").result
    assert result["taken_back"] == ["person_001-escalation"]


def test_debates_are_listed_as_active_while_they_wait_for_something() -> None:
    for slug in ("asked", "ended", "person"):
        made(slug=slug)
    builders.new_debate("idle")
    run("cancel", "ended", "--reason", "r", "--json")
    run("escalate", "person", "--reason", "r", "--json")
    every = {row["debate"]: row["active"] for row in run("list", "--json").result["debates"]}
    assert every == {"asked": True, "ended": False, "idle": False, "person": True}


def test_commands_that_go_on_with_an_unfinished_request_name_no_number() -> None:
    builders.new_debate("asked")
    run("next", "asked", "--exchanges", 2)
    assert suggested("asked") == ["run asked --all SPEC", "submit asked --step 0"]
    builders.new_debate("idle")
    assert suggested("idle") == ["run idle 3 --all SPEC", "next idle --exchanges 3"]
    run("config", "set", "exchanges", "5", "--json")
    run("config", "set", "all", "cmd:cat", "--json")
    assert suggested("idle") == ["run idle 5", "next idle --exchanges 5"]


def test_a_debate_whose_request_is_done_says_what_is_complete_and_since_when() -> None:
    folder = builders.debate_at(1)
    for number in (1, 2):
        run("next", builders.SLUG, "--exchanges", 1)
        asked = run("status", builders.SLUG).result
        assert (asked["state"], asked["completed_at"]) == ("turn", "")
        assert run("list", "--json").result["debates"][0]["active"]
        builders.hold_until(folder, number + 1)
    result = run("status", builders.SLUG).result
    assert (result["state"], result["progress"]) == ("done", "complete: 2 exchanges")
    assert (result["completed"]["exchanges"], result["completed_at"][:10]) == (2, "2026-01-01")
    named = f"run {builders.SLUG} --all SPEC", f"outcome {builders.SLUG}", f"report {builders.SLUG}"
    assert result["next"][:3] == [f"debate-ops {each}" for each in named]
    assert not run("list", "--json").result["debates"][0]["active"]
    for command in ("pause", "stop"):
        refused = run(command, builders.SLUG, "--json")
        assert (refused.code, refused.result["error"]) == (
            1,
            "there is nothing to hold back: complete: 2 exchanges",
        )
    assert run("status", builders.SLUG).result["on_hold"] is None
