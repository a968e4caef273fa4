"""The commands `run` and `demo`: what they tell at their end."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.engine import inbox
from debate_ops.engine.store import Folder
from debate_ops.run.progress import describe_launch
from debate_ops.run.run_file import Notes
from tests import builders
from tests.builders import ROOT, SLUG, Data, debate_at, header_of, opening, record_of, run, written
from tests.cli.stage import say, serving
from tests.cli.test_ask import EVERYONE
from tests.run import stub
from tests.run.stage import EVERYBODY

pytestmark = pytest.mark.usefixtures("work", "impatient")

CONSENSUS = ("new", "x", "--motion", "M", "--protocol", "consensus", "--participants", "ann,ben")


def test_commands_count_alike_and_a_dry_run_makes_nothing_and_needs_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made = run("new", "why", "--question", "Why?", "--json")
    for each in (made, run("status", "why"), run("next", "why", "--exchanges", "3")):
        to_come = "the opening and 3 exchanges: 14 agent calls, and 1 more for the memo"
        assert each.result["to_come"] == to_come
    before, names = record_of(Folder("debates/why")), (*EVERYBODY, "adviser")
    for words in ("run why", "ask Why? --slug why", "ask --motion M"):
        for who, replies, memos in (
            ("--all openai:m", 14, 1),
            ("--all openai:m --adviser person:me", 14, 1),
            (" ".join(f"--{name} openai:{name}" for name in names), 14, 1),
            ("--all person:me --reporter person:me", 12, 0),
            ("--all openai:m --no-memo", 14, 0),
        ):
            asked = (*words.split(), *who.split(), "--dry-run")
            said = say(*asked)
            memo = ", and 1 more for the memo" if memos else ""
            cost = "at no cost" if who.startswith("--all person") else "of unknown cost"
            assert said.out == f"{replies} calls{memo}, {cost}\n", asked
            assert said.out.strip() not in said.err, "it is said once"
            assert ("OPENAI_API_KEY is not set" in said.err) == ("openai" in who)
    unnamed = say("ask", "Why?", "--slug", "why", "--dry-run").out
    assert unnamed == "14 calls, and 1 more for the memo, of unknown cost\n"
    plan = run(*asked[:-2], "--set", "first_answer=off", "--dry-run", "--json").result
    assert (plan["replies"], plan["memos"]) == (12, 1)
    assert (record_of(Folder("debates/why")), os.listdir("debates")) == (before, ["why"])


def test_replies_that_are_there_are_not_to_come_nor_what_was_given_up() -> None:
    run("new", "why", "--question", "Why?", "--json")
    run("next", "why", "--exchanges", "3")
    builders.put(Folder("debates/why"), "prop", opening("prop"))
    builders.put(Folder("debates/why"), "adviser", "**Yes**, because it pays.")
    debate_at(1, builders.JUDGING)
    run("next", SLUG, "--exchanges", "0")
    calls = "12 agent calls, and 1 more for the memo"
    for command in ("next", "status"):
        assert run(command, "why").result["to_come"] == f"the opening and 3 exchanges: {calls}"
        assert run(command, SLUG).result["to_come"] == ""


def test_of_people_alone_replies_are_counted_and_no_adviser() -> None:
    run("new", "why", "--question", "Why?", "--json")
    run("next", "why", "--exchanges", "3")
    at, names = Folder("debates/why"), dict.fromkeys(EVERYBODY, "person kim")
    launch = describe_launch(engine.load(at).select_tasks(names), names, has_memo=False)
    with inbox.lock_run(at), closing(Notes(at, names)) as notes:
        notes.begin(("prop", "opp"))
        to_come = run("status", "why").result["to_come"]
    assert to_come == "the opening and 3 exchanges: 12 replies"
    assert f"why: {to_come} (all: person kim)" == launch.text


def test_a_debate_that_has_ended_takes_no_more_exchanges() -> None:
    run(*CONSENSUS, "--json")
    run("cancel", "x", "--reason", "no need", "--json")
    for words in (("2",), (), ("2", "--dry-run")):
        said = say("run", "x", *words, "--all", "cmd:true")
        assert (said.code, "the debate is cancelled by user: no need" in said.err) == (2, True)
    assert run("status", "x").result["completed"] == {"exchanges": 0, "next": ["/debate-report x"]}


def test_run_and_report_end_with_the_page_and_open_it_if_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    recorded, page = debate_at(2), Path("debates/x/report.html")
    for option, times in ((), 0), (("--quiet",), 0), (("--open",), 2):
        run("new", "x", "--motion", "M", "--json")
        failed = say("run", "x", "1", "--all", "cmd:false", *option)
        assert "without a number of exchanges" in failed.err
        said = say("run", "x", "1", "--all", f"replay:{recorded.slug}", *option)
        first, *_, last = (line.partition("   ")[0] for line in said.out.splitlines())
        opening = "Opened:" if "--open" in option else "Open: "
        assert (said.code, first[:8], last) == (0, "Answer: ", f"{opening} {page}")
        assert "--quiet" not in option or not said.err
        report = say("report", "x", *(option if times else ())).out.splitlines()[-1]
        assert report.split()[:2] == last.split()
        assert (opened, page.is_file()) == ([page.resolve().as_uri()] * times, True)
        shutil.rmtree("debates/x")


def test_demo_ends_with_the_page_to_open_and_the_page_is_there() -> None:
    said = say("demo")
    assert "warning" not in said.out + said.err
    assert "13 agent calls (all: replay of" in said.err
    lines = said.out.splitlines()
    [opened] = [line.split()[1] for line in lines[-5:] if line.startswith("Open:  ")]
    assert os.path.isfile(opened)
    assert opened.endswith("report.html")


def test_participants_of_a_file_reply_unless_an_option_says_otherwise() -> None:
    old = f"replay:{debate_at(2).slug}"
    run("new", "again", "--motion", "This house would hold it again", "--json")
    words = ("run", "again", "1", "--models", "team.toml")
    wrong = ("participants = 1", "[participants]\nprop = 1", "[judges]\na = 'b'\n[participants]")
    for text in wrong:
        written("team.toml", text)
        said = say(*words, "--all", "person")
        assert (said.code, "team.toml is no list of participants" in said.err) == (2, True)
    written("team.toml", f'[participants]\ndebater = "{old}"\njudge = "nonsense"\n')
    assert say(*words).code == 2, "the judge is no SPEC"
    assert say(*words, "--judge", old).code == 0


def test_a_label_goes_on_record_for_who_replies_and_prompts_are_kept() -> None:
    run("new", "again", "--motion", "M", "--set", "first_answer=off", "--json")
    words = ("run", "again", "1", "--debaters", EVERYONE, "--judge", EVERYONE)
    more = ("--made-by", "debater=model one", "--made-by", "judge=model two", "--keep-prompts")
    said = say(*words, *more, "--no-memo", "--verbose")
    assert said.code == 0
    made = header_of(Folder("debates/again"), "arguments/prop_001.md")["made_by"]
    assert made["model"] == "model one"
    assert "prompt of " in said.err
    kept = {path.name for path in Path("debates/again/prompts").iterdir()}
    assert kept >= {"0-prop-1.md", "0-opp-1.md", "1-judge-1.md", "3-judge-1.md"}
    for named in (("--made-by", "ann=x"), ("--all", "person:me", "--made-by", "all=x")):
        assert say(*words, *named).code == 2


@pytest.mark.parametrize(("program", "warns"), [("python3 hook.py {debate}", False), ("no", True)])
def test_a_hook_is_started_when_the_debate_waits_for_a_person(program: str, *, warns: bool) -> None:
    written("hook.py", "import sys; open('called', 'w').write(sys.argv[1])")
    run(*CONSENSUS, "--json")
    run("escalate", "x", "--reason", "we disagree", "--json")
    said = say("run", "x", "--all", "cmd:false", "--on-escalation", program)
    assert said.code == 8
    assert ("--on-escalation" in said.err) == warns
    assert Path("called").exists() != warns


def test_a_run_that_fails_leaves_a_partial_transcript_until_the_debate_goes_on() -> None:
    run("new", "again", "--motion", "M", "--set", "first_answer=off", "--json")
    partial = Path("debates/again/partial-transcript.md")
    words = ("run", "again", "1", "--all", EVERYONE)
    failed = run(*words, "--judge", "cmd:false", "--json")
    assert (failed.code, failed.result["code"]) == (3, "participant_failed")
    assert "judge gave no usable reply" in failed.result["error"]
    assert re.search("Repair the SPEC.*the same command.* skip ", failed.result["hint"], re.DOTALL)
    assert "# Partial transcript: M" in partial.read_text()
    assert "prop_000a" in partial.read_text()
    assert say(*words, "--no-memo").code == 0
    assert not partial.exists()


def test_status_names_who_is_silent_and_for_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "phase_seconds=3600" in say(*CONSENSUS).out
    now = int(os.environ["SOURCE_DATE_EPOCH"])
    assert not run("status", "x").result["silent"]["participants"], "nobody was asked"
    run("next", "x")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(now + 725))
    silent = run("status", "x").result["silent"]
    assert (silent["participants"], silent["seconds"]) == (["ann", "ben"], 725)
    assert "no reply yet of ann, ben" in say("status", "x", terminal=True).out
    run("escalate", "x", "--reason", "So.", "--json")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(now + 900))
    run("undo", "x", "--json")
    silent = run("status", "x").result["silent"]
    assert (silent["participants"], silent["seconds"]) == (["ann", "ben"], 0), "asked anew"


def chat(asked: Data) -> Data:
    """Reply as a model would to what an exchange asks, the memo included."""
    prompt = asked["messages"][0]["content"]
    named = re.findall(r'"participant": "(\w+)", "exchange": (\d+)', prompt)
    said = stub.MEMO
    if named:
        name, number = named[-1]
        said = json.dumps(stub.reply(name, int(number), Path("debates/trial"), "ok"))
    return {"choices": [{"message": {"content": said}}]}


def test_the_participant_of_the_page_on_them_can_be_tried_replies_and_fails_as_it_says() -> None:
    page = (ROOT / "docs/participant.md").read_text(encoding="utf-8")
    written("participant.py", page.partition("```python\n")[2].partition("```")[0])
    with serving(chat) as address:
        program = [sys.executable, "participant.py", address, "tiny"]
        spec = f"cmd:{shlex.join(program)}"
        assert run("new", "trial", "--motion", "M", "--json").code == 0
        assert run("next", "trial", "--exchanges", "1").code == 0
        prompt = Path("debates/trial/inbox/0-prop.prompt.md").read_text(encoding="utf-8")
        made = subprocess.run(program, input=prompt, capture_output=True, check=True, text=True)
        written("draft.json", made.stdout)
        assert run("check-reply", "trial", "draft.json", "--as", "prop", "--json").code == 0
        said = say("run", "trial", "--all", spec, "--made-by", "all=tiny", "--reporter", spec)
    assert (said.code, Path("debates/trial/memo.md").is_file()) == (0, True), said.err
    assert header_of(Folder("debates/trial"), "arguments/prop_001.md")["made_by"]["model"] == "tiny"
    failed = say("run", "trial", "1", "--all", spec)
    assert (failed.code, "no reply from http://127.0.0.1" in failed.err) == (3, True), failed.err
