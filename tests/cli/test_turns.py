"""The commands of a turn, and those by which a person intervenes or gives answers."""

import json
import re
import shutil
from pathlib import Path

import pytest

from debate_ops.cli import app, debate_state, show
from debate_ops.cli.app import MODULES
from debate_ops.core.replies import NAMING
from debate_ops.engine import inbox, load, store
from debate_ops.engine.store import Folder, find_folder
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.run.run_file import Notes
from tests import builders
from tests.builders import ROOT, Answer, Data, debate_at, good_reply, put, record_of, run, written
from tests.cli.stage import feed, say
from tests.courses import list_steps
from tests.engine.stage import lay_down

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x"
FOLDER = Folder("debates/x")
NAMES = ("ann", "ben", "cara")
DEBATE = builders.SLUG
VOTED = "consensus-three-at-once"


def made(*more: str) -> None:
    words = ("--protocol", "consensus", "--motion", "M", "--participants", ",".join(NAMES), *more)
    assert run("new", SLUG, *words, "--json").code == 0


def act(name: str, *more: object) -> Answer:
    return run(name, SLUG, *more, "--reason", "because", "--json")


def suggested(slug: str = SLUG) -> list[str]:
    actual = run("status", slug, "--json").result["next"]
    return [re.split("debate[-_]ops ", command)[-1] for command in actual]


def list_active() -> list[bool]:
    return [row["active"] for row in run("list", "--json").result["debates"]]


@pytest.mark.parametrize("by", ["the rules", "a person", "a person, a cycle later"])
def test_a_debate_that_waits_for_a_decision_names_what_can_be_decided_and_how(by: str) -> None:
    made(*(("--set", "max_cycles=1") if by == "the rules" else ()))
    said = {"title": "T", "solution": "S", "reasoning": "R", "confidence": 0.5}
    for name in NAMES:
        named = {"participant": name, "exchange": 1, "phase": "awaiting_proposals"}
        put(FOLDER, name, named | said)
    assert run("submit", SLUG, "--step", "0", "--json").code == 0
    for step in () if by == "a person" else (1, 2):
        act("advance", "--step", step)
    if by != "the rules":
        assert act("escalate").result["committed"][0].endswith("-escalation")
    waiting, ids = run("next", SLUG), [f"{name}_001-proposal" for name in NAMES]
    assert (waiting.code, waiting.result["state"], waiting.result["tasks"]) == (8, "waiting", [])
    assert waiting.result["acts"] == ["decide", "cancel"]
    assert [item["id"] for item in waiting.result["about"]] == ids
    assert all(any(i in line for line in show.status(SLUG).lines) for i in ids)
    assert [command.split()[0] for command in suggested()] == ["decide", "cancel"]
    assert list_active() == [True]
    assert act("decide", "--proposal", ids[-1]).result["state"] == "done"
    at = builders.header_of(FOLDER, "debate.md")["completed_at"]
    assert (at, run("status", SLUG).result["completed_at"]) == ("2026-01-01T00:00:00Z", at)
    assert f"completed {at}\n" in say("transcript", SLUG).out


def test_act_without_a_reason_changes_nothing() -> None:
    made()
    for words in ("escalate x", "cancel x", "advance x --step 0", "decide x --text So"):
        if words.startswith("decide"):
            act("escalate")
        before = record_of(FOLDER)
        for reason in ((), ("--reason", " ")):
            answer = run(*words.split(), *reason, "--json")
            assert (answer.code, "reason" in answer.result["error"]) == (2, True), words
        assert record_of(FOLDER) == before


def test_an_act_goes_on_record_while_a_run_has_the_debate() -> None:
    made()
    with store.hold_lock(FOLDER.within(inbox.RUN_LOCK), "is running this debate", wait=0):
        assert act("cancel").code == 0
    assert list_active() == [False]


def test_every_act_has_a_command_and_a_form_in_which_it_is_suggested() -> None:
    acts = {name for protocol in PROTOCOLS for name in load_protocol(protocol).acts}
    acts.remove("close")  # which is `stop --with-closing`
    assert acts <= {*MODULES} & {*debate_state.ACT_FORMS}


@pytest.mark.parametrize(("seconds", "is_late"), [(59, False), (60, True)])
def test_advance_is_suggested_when_the_time_is_over(
    seconds: int, monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    made("--set", "phase_seconds=60")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + seconds))
    turn = run("next", SLUG).result
    assert (turn["deadline"], turn["late"]) == ("2026-01-01T00:01:00Z", is_late)
    assert {task["on_failure"] for task in turn["tasks"]} == {"absence", "omit"}
    assert any(command.startswith("advance x") for command in suggested()) is is_late
    assert act("advance", "--step", 1).code == 1
    act("advance", "--step", 0)
    [absence, *_] = run("status", SLUG).result["absences"]
    expected = ("time-out", "rule") if is_late else ("advance", "user")
    assert (absence["how"], absence["by"]) == expected
    assert "had been done before" in say("advance", SLUG, "--step", 0, "--reason", "why").out


def test_undo_of_a_step_takes_back_that_step_and_what_came_after() -> None:
    made()
    act("escalate")
    act("decide", "--text", "we wait")
    for _ in range(2):
        result = run("undo", SLUG, "--step", 1, "--json").result
        assert result["taken_back"] == ["person_001-decision"]
        assert (result["state"], result["step"]) == ("waiting", 1)


def test_commands_that_go_on_with_an_unfinished_request_name_no_number() -> None:
    builders.new_debate("asked")
    tasks = run("next", "asked", "--exchanges", 2).result["tasks"]
    assert {task["on_failure"] for task in tasks} == {"stop"}
    assert suggested("asked") == ["run asked --all SPEC", "submit asked --step 0"]
    for number, warned in ((2, False), (1, True), (1, False), (0, False)):
        warnings = run("next", "asked", "--exchanges", number).result["warnings"]
        assert ["this replaces the request" in each for each in warnings] == [True] * warned
    run("next", "asked", "--exchanges", 2)
    builders.new_debate("idle")
    assert suggested("idle") == ["run idle 3 --all SPEC", "next idle --exchanges 3"]
    run("config", "set", "exchanges", "5", "--json")
    run("config", "set", "all", "cmd:cat", "--json")
    assert suggested("idle") == ["run idle 5", "next idle --exchanges 5"]


def test_a_debate_whose_request_is_done_says_what_is_complete_and_since_when() -> None:
    folder = debate_at(1)
    for number in (1, 2):
        run("next", DEBATE, "--exchanges", 1)
        asked = run("status", DEBATE).result
        assert (asked["state"], asked["completed_at"], list_active()) == ("turn", "", [True])
        builders.hold_until(folder, number + 1)
    result = run("status", DEBATE).result
    assert (result["state"], result["progress"]) == ("done", "complete: 2 exchanges")
    following = [f"/debate-run {DEBATE} 3", f"/debate-report {DEBATE}"]
    assert result["completed"] == {"exchanges": 2, "next": following}
    assert (result["completed_at"][:10], result["to_come"]) == ("2026-01-01", "")
    for command in ("status", "next"):
        out = say(command, DEBATE, terminal=True).out
        assert re.search(r"^2 exchanges completed; prop.* \(5 scored\), opp", out, re.MULTILINE)
        assert "   or  ".join(following) in out
    named = [f"run {DEBATE} --all SPEC", f"outcome {DEBATE}", f"report {DEBATE}"]
    assert (suggested(DEBATE)[:3], list_active()) == (named, [False])
    assert f"run {DEBATE} 3 --all SPEC" not in suggested(DEBATE), "the memo comes first"
    held = run("pause", DEBATE, "--json")
    assert (held.code, held.result["on_hold"]["state"]) == (0, "paused"), "it can go on"
    assert "On hold: paused by" in say("status", DEBATE).out
    before = record_of(folder)
    for name, *words in (("skip", "--participant", "prop"), ("advance", "--step", result["step"])):
        refused = say(name, DEBATE, *words, "--reason", "why")
        assert (refused.code, "no reply is due: complete" in refused.err) == (1, True)
    assert (record_of(folder), [*Path(folder.path).rglob("*.skip.json")]) == (before, [])


def test_what_a_debate_does_not_know_is_named_as_it_was_typed() -> None:
    builders.new_debate("x")
    said = say("stop", "x", "--with-closing", "--reason", "late")
    assert (said.code, "knows no 'stop --with-closing'" in said.err) == (1, True)


@pytest.mark.parametrize("command", ["pause", "stop"])
def test_p1_07_a_debate_that_is_over_has_nothing_to_hold_back(command: str) -> None:
    over = lay_down(VOTED, len(list_steps(VOTED)))
    for _ in range(2):
        done = run(command, over.name, "--json")
        assert (done.code, done.result["on_hold"]) == (0, None)
        assert "there is nothing to hold back" in done.result["warnings"][0]


# Questions to a person.

ANN, BEN, CARA = "architect_000-question-1", "architect_000-question-2", "security_000-question-1"
OPEN = {
    ANN: "Question: Who may see drafts? Why: It rules the key.",
    BEN: "Question: When?",
    CARA: "Question: Where?",
}
ASKED: dict[str, list[dict[str, str]]] = {
    "architect": [
        {"text": "Who\n may  see drafts?", "why": "It rules\nthe key."},
        {"text": "When?"},
    ],
    "security": [{"text": "Where\u202e?"}],
}
NONE = ("Not applicable.", False)


@pytest.fixture
def questions(work: Path) -> None:  # noqa: ARG001  (it is to work there)
    """Have every agent ask its questions, so that the debate waits for answers."""
    words = ("--protocol", "design", "--motion", "M", "--participants", ",".join(ASKED))
    run("new", SLUG, *words, "--set", "clarifying_questions=2", "--json")
    for name, asked in ASKED.items():
        naming = {"participant": name, "exchange": 0, "phase": "awaiting_questions"}
        put(FOLDER, name, naming | {"questions": asked}, 0)
    run("submit", SLUG, "--step", 0)


def answer(*words: str) -> Answer:
    return run("answer", SLUG, *words, "--by", "kim", "--json")


def on_record() -> dict[str, tuple[str, bool]]:
    """Return what kim answered, by question: the text, and whether it applies."""
    found = [e for e in load(FOLDER).debate.find("clarification") if e.data["by"] == "kim"]
    return {e.data["question"]: (e.texts["Answer"], e.data["applies"]) for e in found}


@pytest.mark.usefixtures("questions")
def test_waiting_debate_shows_every_question_in_one_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for words in (("next", SLUG), ("status", SLUG, "--json"), ("answer", SLUG, "--json")):
        result = run(*words).result
        assert (result["state"], result["acts"]) == ("waiting", ["answer", "cancel"])
        shown = {item["id"]: item["text"].replace("\u202e", "") for item in result["about"]}
        assert shown == OPEN
    assert app.main(["run", SLUG, "--all", "cmd:true"]) == 8
    for said in (say("status", SLUG, terminal=True).out, capfd.readouterr().out):
        assert {*said.splitlines()} >= {f"  {name}: {text}" for name, text in OPEN.items()}
        assert re.search(r"^Next: .* answer x ID=", said, re.MULTILINE)
    assert app.main(["run", SLUG, "--all", "cmd:true", "--quiet"]) == 8
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("questions")
def test_answers_go_on_record_as_one_step_and_leave_the_rest_open() -> None:
    result = answer(f"{CARA}=In Ulm = here.", f"{BEN}=").result
    assert (result["step"], [item["id"] for item in result["about"]]) == (2, [ANN])
    assert result["committed"] == [f"person_000-clarification-{n}" for n in (1, 2)]
    said = say("answer", SLUG, f"{ANN}=Staff.", "--by", "kim").out
    assert said.startswith(f"Answered, on record: {ANN}.\n{SLUG}: questions: ")
    assert on_record() == {ANN: ("Staff.", True), BEN: NONE, CARA: ("In Ulm = here.", True)}
    assert say("answer", SLUG).out.startswith("No questions are open.\n")


@pytest.mark.usefixtures("questions")
@pytest.mark.parametrize(
    "words", [("nonsense", f"{ANN}=a", "=b", f"{ANN}=c"), ("", f"{ANN}=a", " =b", f" {ANN} =a")]
)
def test_all_that_is_no_answer_is_told_at_once_and_nothing_is_filed(words: tuple[str, ...]) -> None:
    before = record_of(FOLDER)
    refused = answer(*words)
    assert refused.code == 2
    assert [fault.get("where", "") for fault in refused.result["faults"]] == ["", "", ANN]
    assert record_of(FOLDER) == before


# Drafts and replies.


def check(reply: Data | str, *words: str) -> Answer:
    return run("check-reply", DEBATE, written("draft", reply), *words, "--json")


@pytest.mark.parametrize("exchange", [0, 1])
def test_a_check_finds_what_submit_finds_and_changes_nothing(exchange: int) -> None:
    folder = debate_at(exchange)
    run("next", DEBATE, "--exchanges", 3)
    before = record_of(folder)
    bad = builders.opening("prop") | {"exchange": 7}
    checked = check(bad, "--as", "prop")
    assert record_of(folder) == before
    for name, reply in {"prop": bad, "opp": good_reply("opp", exchange)}.items():
        put(folder, name, reply)
    submitted = run("submit", DEBATE, "--step", 2 * exchange)
    found = (1, submitted.messages, submitted.places)
    assert (checked.code, checked.messages, checked.places) == found


def test_where_several_are_due_somebody_is_named() -> None:
    builders.new_debate()
    good = good_reply("opp", 0)
    unnamed = {key: part for key, part in good.items() if key not in NAMING}
    for reply, code in ((good, 0), ("no", 1), (unnamed, 1)):
        assert check(reply, "--as", "opp").code == code
    assert check(good, "--as", "prop").code == 1
    assert check(good).code == 2


def test_the_reply_of_the_only_one_who_is_due_needs_no_name_and_where_none_is_none() -> None:
    folder = debate_at(0, builders.JUDGING)
    judge = good_reply("judge", 0)
    del judge["participant"]
    assert check(judge).messages == ["is missing: a reply says whose it is; expected judge"]
    run("next", DEBATE, "--exchanges", 0)
    builders.hold_until(folder, 1)
    run("next", DEBATE, "--exchanges", 1)
    builders.hold_until(folder, 2)
    done = check(good_reply("prop", 2))
    assert (done.code, done.messages) == (1, [])


FORM = json.dumps(builders.opening("prop"))
REPLY = Path("debates/case/inbox/0-prop.reply.json")


@pytest.fixture
def case(work: Path) -> Folder:  # noqa: ARG001  (likewise)
    assert say("new", "case", "--motion", "Q").code == 0
    assert say("next", "case", "--exchanges", "1").code == 0
    return find_folder("case")


@pytest.mark.parametrize(
    ("option", "made"),
    [((), {"person": "somebody"})]
    + [(("--made-by", maker), {"by": maker}) for maker in ("m in c", "m" * 70_000)],
)
def test_standard_input_is_a_file_too_of_a_person_or_an_agent(
    option: tuple[str, ...], made: dict[str, str], case: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, FORM.encode())
    said = say("reply", "case", "-", "--as", "prop", *option, "--json")
    assert (said.code, json.loads(said.out)["reply_file"]) == (0, str(REPLY))
    slot = inbox.find_slot(case, 0, "prop")
    assert inbox.read_made_by(slot, REPLY.read_bytes()) == made
    assert REPLY.read_text() == FORM


@pytest.mark.usefixtures("case")
def test_the_example_of_the_page_is_filed_as_it_stands_and_a_terminal_is_required_without() -> None:
    page = (ROOT / "docs/live.md").read_text(encoding="utf-8")
    written("mine.json", page.partition("```json\n")[2].partition("```")[0])
    said = say("reply", "case", "mine.json", "--as", "prop")
    assert said.code == 0, said.err
    said = say("reply", "case", "--as", "opp")
    assert (said.code, "inbox/0-opp.prompt.md" in said.err) == (4, True)


def test_a_reply_is_that_of_whom_a_run_asks(case: Folder) -> None:
    written("mine.json", FORM)
    assert "several replies are due" in say("reply", "case", "mine.json").err
    with store.hold_lock(case.within(inbox.RUN_LOCK), "is running this debate"):
        Notes(case, {"prop": "person kim", "opp": "cat"}).begin(["prop", "opp"])
        said = say("status", "case", terminal=True).out
        assert said.partition("Next:  ")[2].split("\n")[0] == "debate-ops reply case --as prop"
        shutil.copytree(case.path, "debates/another", ignore=shutil.ignore_patterns("inbox"))
        assert say("status", terminal=True).out == said, "of several the one that is in a run"
        assert "1 more for the memo" in said
        assert say("reply", "case", "mine.json").code == 0
        Notes(case, {"prop": "person kim", "opp": "cat"}).begin(["prop"])
        assert "1 more for the memo" in say("status", "case").out, "a program is asked later"
        Notes(case, {"opp": "person lee"}).begin(["opp"])
        assert "for the memo" not in say("status", "case").out, "people write none"
    made = json.loads(REPLY.with_name("0-prop.made.json").read_text())["made_by"]
    assert made == {"person": "kim"}, "as the run names who is asked"
