"""The command line: each command fits its function, and a mistake is said as everywhere."""

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from debate_ops import __version__, engine
from debate_ops.cli import answers
from debate_ops.cli.app import MODULES
from debate_ops.engine.store import Folder
from debate_ops.protocols import PROTOCOLS, load_protocol
from tests.builders import ROOT, new_debate, opening, put, run, written
from tests.cli.stage import Terminal, feed, say

pytestmark = pytest.mark.usefixtures("work")


def test_a_mistake_is_one_object_where_json_is_printed_and_else_sentences() -> None:
    for words, is_json in (("next", True), ("list --json -x", True), ("show", False)):
        said = say(*words.split())
        assert (bool(said.out), bool(said.err)) == (is_json, not is_json)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("run x three", "'three' is not a whole number"),
        ("run x --opn", "'--opn'. (Did you mean one of: '--open'"),
        ("valdate x", "validate"),
        ("list more", "argument (more)"),
        ("compare a", "name two debates or more"),
        ("panel a --all-debates", "takes no DEBATE"),
        ("panel --all-debates --anew", "and no --anew"),
        ("panel a --judges 2", "--judges 2 is even"),
        ("skip a --participant prop", "Missing option '--reason'"),
        ("new x --motion M --set a=b", "'debate-ops settings exchange' says"),
        ("new x --motion M --set web_search=no", "allowed"),
        ("run x --timeout inf", "inf is not in the range 0.1<=x<=604800"),
        ("new Shall-we?", "'Shall-we?' is not a slug: lower-case"),
        ("ask Q? --all cmd:claude -p", "Put a text of several words in quotation marks."),
        ("ask Should we move?", "Put a text of several words in quotation marks.\n  Usage: "),
        (
            "run x --rounds 3",
            "[DEBATE] [N]\n  All of it: debate-ops run --help",
        ),
        ("init", "'init'.\n  Usage: debate-ops"),
        ("export a --to csv", "'csv-flow', 'csv-arguments', 'json'"),
        ("new", "As in 'debate-ops new my-decision --motion TEXT'"),
        ("new x --motion M --set first_answr=on", "first_answr: there is no such setting; did"),
        ("run a 1 --all claude", 'does not say who replies; did you mean cmd:"claude -p'),
        ("schema exchange-juge", "'exchange-juge'\n  There are: first-answer, exchange-"),
        ("run x --timeout nan", "nan is no number"),
        ("watch a --port 70000", "70000 is not in the range 1<=x<=65535"),
        ("show", "As in 'debate-ops show DEBATE'. There are: a, b."),
        ("reply", "There are: a, b."),
        ("check a", "complete, decided"),
        ("check a --require peace", "complete, decided"),
        ("ask Why?", "--all SPEC"),
        ("ask Why? --yes --judge cmd:cat", "--all SPEC"),
        ("ask --yes", "'debate-ops ask -'"),
        ("ask - --settings -", "input is empty"),
        ("ask Why? --compare cmd:cat", "SPEC,SPEC"),
        ("ask Why? --yes --all nobody:x", "PROVIDER:MODEL"),
        ("ask Why? --all cmd: --dry-run", "'cmd:' does not say who replies"),
        ("""ask Why? --all "cmd:''" --dry-run""", "the command is blank"),
        ("""ask Why? --all "cmd:claude 'x" --dry-run""", "closing quotation"),
        ("new a --question So?", "ask --slug NAME"),
        ("new --question ' '", "missing or blank"),
        ("new x", "missing or blank"),
        ("new x --motion M --motion-file m.txt", "exclude each other"),
        ("new x --motion-file none.txt", "none.txt"),
        ("new x --motion-file .", "not a regular file"),
        ("new x --motion-file blank.txt", "missing or blank"),
        ("ask Q? --slug ../debates/a --all cmd:cat --dry-run", "is not a slug"),
        ("ask Q? --slug ../kept --all cmd:cat --dry-run", "is not a slug"),
        ("new ../kept --question Q?", "is not a slug"),
        ("new x/../../debates/a --question Q?", "is not a slug"),
        ("new x --motion Q --library /none", "debate-ops: /none: No such file or directory"),
        ("new x --motion Q --context /none", "debate-ops: /none: No such file or directory"),
    ],
)
def test_wrong_words_are_answered_with_those_that_work_and_nothing_is_made(
    words: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, b"")
    written("blank.txt", " \n")
    for slug in ("a", "b", "kept"):
        run("new", slug, "--motion", "M", "--json")
    os.rename("debates/kept", "kept")
    said = say(*shlex.split(words), terminal=True)
    assert said.code == 2
    assert right in said.err
    assert {*os.listdir("debates")} == {"a", "b"}
    assert "debate.md" in os.listdir("kept"), "nothing is removed outside of it either"


@pytest.mark.parametrize(
    ("path", "python", "right"),
    [
        ("a b/debate_ops", "", "python3 'a b/debate_ops'"),
        ("a\\q/debate_ops", "", "python3 'a\\q/debate_ops'"),
        ("debate_ops/__main__.py", "/a b/python", "'/a b/python' -m debate_ops"),
        ("debate_ops/__main__.py", "HERE/.venv/bin/python", ".venv/bin/python -m debate_ops"),
        ("/bin/debate-ops", "", "debate-ops"),
    ],
)
def test_what_is_suggested_can_be_typed(
    path: str, python: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path.endswith("/debate_ops"):
        os.makedirs(path)
    monkeypatch.setattr(sys, "argv", [path])
    monkeypatch.setattr(sys, "executable", python.replace("HERE", os.getcwd()))
    assert f"There is none: see '{right} demo'" in say("status", terminal=True).err
    said = say("new", "x", "--motion", "M", terminal=True)
    assert f"Next:  {right} run x" in said.out


def test_the_only_debate_need_not_be_named() -> None:
    assert "There is none: see 'debate-ops demo'" in say("status", terminal=True).err
    for slug in ("mine", "outdoor-pool"):  # an example of a clone
        run("new", slug, "--motion", "M", "--json")
    skip = "skip --participant prop --reason r"
    for words in ("status", "next --exchanges 1", "run --all person:kim --dry-run", skip, "stop"):
        said = say(*words.split())
        assert (said.code, said.err.splitlines()[0]) == (0, "debate: mine")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_settings_of_a_protocol_are_listed_with_meaning_default_and_values(name: str) -> None:
    rows = run("settings", name, "--json").result["settings"]
    assert [row["name"] for row in rows] == [*load_protocol(name).Settings.model_fields]
    assert all(row["meaning"] for row in rows)
    lines = say("settings", name).out.splitlines()
    assert all(f"{row['name']} = " in "\n".join(lines) for row in rows)


def test_a_shell_is_given_its_completion() -> None:
    environment = {**os.environ, "_DEBATE_OPS_COMPLETE": "bash_source"}
    called = [sys.executable, "-c", "from debate_ops.cli import app; app.main([])"]
    done = subprocess.run(called, env=environment, capture_output=True, text=True, check=False)
    assert "_DEBATE_OPS_COMPLETE" in done.stdout, done


def test_help_names_every_command_and_the_version_is_shown_without_one() -> None:
    assert [name for name in MODULES if f"\n  {name} " not in say("-h").out] == []
    assert say("--version").out.endswith(f"{__version__}\n")


def test_new_names_templates_that_say_something_else_than_ours_and_not_those_of_a_clone() -> None:
    shutil.copytree(ROOT / "templates", "templates")
    assert run("new", "first", "--motion", "m", "--json").result["warnings"] == []
    Path("templates/exchange/judge.md").write_text("{{ motion }}\n", encoding="utf-8")
    (found,) = run("new", "second", "--motion", "m", "--json").result["warnings"]
    assert str(found).endswith(": exchange/judge.md")


DATA = {"success": True, "b": [1, {"a": "two\nlines"}], "a": None}


@pytest.mark.parametrize(("stream", "lines"), [(io.StringIO, 1), (Terminal, 10)])
def test_an_answer_is_one_line_unless_a_terminal_shows_it(
    stream: type[io.StringIO], lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = stream()
    monkeypatch.setattr(sys, "stdout", out)
    answers.print_object(DATA)
    assert out.getvalue().count("\n") == lines
    assert json.loads(out.getvalue()) == DATA
    assert list(json.loads(out.getvalue())) == list(DATA)


def test_progress_names_who_is_awaited_and_no_adviser() -> None:
    folder = new_debate(first_answer="on")
    engine.next_turn(folder)
    for replied, due in (("", "prop and opp due"), ("prop", "opp due"), ("opp", "all replies in")):
        if replied:
            put(folder, replied, opening(replied))
        result = run("next", folder.slug).result
        assert result["progress"].endswith(f" {due}")
        assert "adviser" in {task["participant"] for task in result["tasks"]}


@pytest.mark.parametrize("word", ["allowed", "forbidden"])
def test_the_adviser_may_search_the_web_where_debaters_may(word: str) -> None:
    run("new", "x", "--motion", "M", "--set", f"web_search={word}", "--json")
    tasks = {task["participant"]: task for task in run("next", "x").result["tasks"]}
    may = word == "allowed"
    assert {task["web_search"] for task in tasks.values()} == {may}
    prompt = Path(tasks["adviser"]["prompt_file"]).read_text(encoding="utf-8")
    assert ("on the web" in prompt, "Use only these facts" in prompt) == (may, not may)
    for by in ("prop", "opp", "adviser"):
        reply = {"participant": by, "exchange": 0, "text": "Yes."}
        put(Folder("debates/x"), by, reply if by == "adviser" else opening(by))
    forms = {task["schema"] for task in run("submit", "x", "--step", "0").result["tasks"]}
    assert forms == {"first-answer", "exchange-judge"}
