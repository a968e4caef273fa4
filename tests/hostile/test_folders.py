"""A stranger's folder: read or refused by name, in little memory, whatever it has in it."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.errors import BAD_RECORD, BUG, DISK, DONE, REFUSED
from debate_ops.engine.headers import digest_bytes
from tests.builders import ROOT, debate_at, put, run
from tests.courses import RICH, list_steps
from tests.ending import PATIENCE
from tests.engine.stage import FOLDER, SLUG, lay_down, put_replies, read_files, take_step
from tests.hostile import headers
from tests.hostile.headers import HEADERS, MIB

pytestmark = pytest.mark.usefixtures("work")
COMMANDS = [
    ("status", SLUG, "--json"),
    ("next", SLUG, "--exchanges", "2"),
    ("show", SLUG, "--json"),
    ("submit", SLUG, "--step", "0"),
    ("validate", SLUG, "--json"),
    ("validate", SLUG, "--fix", "--json"),
    ("report", SLUG, "--json"),
]
LISTING = ("list", "--json")
MEMORY = 300 * MIB
LARGE = {name for name in HEADERS if "MiB of" in name or name.startswith("white space")}


def named(names: Iterable[str]) -> list[Any]:
    return [pytest.param(n, marks=pytest.mark.slow) if n in LARGE else n for n in names]


def put_header(name: str, slug: str = SLUG) -> Path:
    path = Path("debates", slug, "debate.md")
    path.parent.mkdir(parents=True)
    path.write_bytes(HEADERS[name]())
    return path


def ask(*words: str) -> tuple[int, dict[str, Any]]:
    answer = run(*words)
    assert answer.code != BUG, answer.remarks
    assert "Traceback" not in answer.remarks
    return answer.code, answer.result


def explain(answer: dict[str, Any]) -> str:
    faults = [f"{f.get('file')}: {f['message']}" for f in answer.get("faults", ())]
    return "\n".join([str(answer.get("error", "")), *faults])


@pytest.mark.parametrize("name", named(headers.REFUSED))
def test_a_hostile_header_is_refused_by_every_command_and_listed(name: str) -> None:
    path = put_header(name)
    before = path.read_bytes()
    for words in COMMANDS:
        code, answer = ask(*words)
        assert code == BAD_RECORD or (words[0] == "validate" and code), words
        assert "debate.md" in explain(answer), words
        assert len(explain(answer)) < 1_000, words
    code, answer = ask(*LISTING)
    assert code == DONE
    assert [row["debate"] for row in answer["debates"]] == [SLUG]
    assert "debate.md" in answer["debates"][0]["error"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", named(headers.READ))
def test_what_is_only_large_or_odd_is_read(name: str) -> None:
    put_header(name)
    for words in (LISTING, COMMANDS[0], COMMANDS[-2]):
        assert ask(*words)[0] == DONE, words


@pytest.mark.parametrize(
    "name", ["aliases of aliases", "200,000 brackets", "900 levels", "a step of 5,000 digits"]
)
def test_a_hostile_header_of_an_entry_is_refused_by_name(name: str) -> None:
    Path(debate_at(1).within("arguments", "prop_000a.md")).write_bytes(HEADERS[name]())
    for words in COMMANDS:
        code, answer = ask(*words)
        assert code, words
        assert "prop_000a" in json.dumps(answer), words
    assert ask(*LISTING)[1]["debates"][0]["error"]


def test_a_hostile_body_of_an_entry_is_read() -> None:
    path = Path(debate_at(1).within("arguments", "prop_000a.md"))
    text = path.read_text(encoding="utf-8").partition("## Grounds")[0]
    path.write_text(f"{text}## Grounds\n\n### 1.{' ' * MIB}", encoding="utf-8")
    for words in (LISTING, *COMMANDS):
        expected = {DONE, REFUSED, BAD_RECORD}  # a ground without a source
        assert ask(*words)[0] in expected, words


def test_hostile_folders_are_lines_of_the_list_and_hide_no_debate() -> None:
    names = [name for name in HEADERS if name not in LARGE]
    for number, name in enumerate(names):
        put_header(name, f"hostile-{number:02d}")
    lay_down(RICH[0], 2)
    rows = {row["debate"]: row for row in ask(*LISTING)[1]["debates"]}
    assert len(rows) == len(names) + 1
    assert rows[SLUG]["step"] == 2
    for number, name in enumerate(names):
        assert ("error" in rows[f"hostile-{number:02d}"]) is (name in headers.REFUSED), name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LARGE | headers.READ.keys()))
def test_every_command_ends_on_a_hostile_folder_without_much_memory(name: str) -> None:
    put_header(name)
    for words in (LISTING, *COMMANDS[-2:]):
        code, memory = measure_memory(*words)
        assert code in {DONE, REFUSED, BAD_RECORD}, words
        assert memory < MEMORY, words


METER = """
import json, resource, subprocess, sys
command = [sys.executable, "-m", "debate_ops", *sys.argv[1:]]
nowhere = subprocess.DEVNULL
code = subprocess.run(command, stdout=nowhere, stderr=nowhere).returncode
print(json.dumps([code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024]))
"""


def measure_memory(*words: str) -> tuple[int, int]:
    """Run a command as a process; return its exit code and the bytes that it needed at most.

    A small process starts it: on Linux, a child's peak begins with the size of its parent, and
    the process of the tests may be large.
    """
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    meter = [sys.executable, "-c", METER, *words]
    answer = subprocess.run(
        meter, env=environment, capture_output=True, check=True, timeout=PATIENCE
    )
    code, memory = json.loads(answer.stdout)
    return code, memory


# What a participant may not do for another, whatever it writes into the inbox.


EXCHANGE = "exchange-attacks-decided"


def test_a_reply_in_anothers_name_is_refused() -> None:
    lay_down(EXCHANGE, 0)
    put_replies(EXCHANGE, 0)
    before = read_files()
    put(FOLDER, "opp", {**list_steps(EXCHANGE)[0]["replies"]["opp"], "participant": "prop"}, 0)
    code, answer = ask("submit", SLUG, "--step", "0")
    assert code == REFUSED
    (fault,) = [f for f in answer["faults"] if f["where"] == "participant"]
    assert (fault["participant"], fault["message"]) == ("opp", 'is "prop", expected opp')
    assert read_files() == before


@pytest.mark.parametrize(
    "said",
    [
        *('"cost_usd": 1e308', '"cost_usd": 1e400', '"cost_usd": NaN', '"cost_usd": 1e-99'),
        *(f'"latency_ms": {10**40}', '"by": "\\ud800"', f'"by": "{"x" * 200_000}"'),
    ],
)
def test_what_the_inbox_says_of_a_maker_is_believed_within_bounds(said: str) -> None:
    lay_down(RICH[0], 0)
    put_replies(RICH[0], 0)
    for path in Path(FOLDER.within("inbox")).glob("*.reply.json"):
        made = f'"reply": "{digest_bytes(path.read_bytes())}", "made_by": {{"model": "m", {said}}}'
        path.with_name(path.name.replace("reply", "made")).write_text(f"{{{made}}}", "utf-8")
    take_step(RICH[0], 0)
    made_by = [entry.header["made_by"] for entry in engine.load(FOLDER).debate.entries.values()]
    assert made_by == [{"model": "m"}] * len(made_by) != []


def test_a_skip_in_the_inbox_where_agents_write_is_not_believed() -> None:
    lay_down(EXCHANGE, 0)
    forged = Path(FOLDER.within("inbox", "0-prop.skip.json"))
    forged.write_text('{"how": "skip", "reason": "It has nothing to say.", "by": "user"}', "utf-8")
    put(FOLDER, "opp", list_steps(EXCHANGE)[0]["replies"]["opp"], 0)
    assert {t.task.by: t.status for t in engine.next_turn(FOLDER).tasks}["prop"] == engine.WAITING
    code, answer = ask("submit", SLUG, "--step", "0")
    assert (code, {f["participant"] for f in answer["faults"]}) == (REFUSED, {"prop"})
    put_replies(EXCHANGE, 0)
    assert ask("submit", SLUG, "--step", "0")[0] == DONE
    assert not engine.load(FOLDER).debate.find("absence")


# Files beside the record say nothing about it.

PAGE_OF_ANOTHER = "<!-- rendered by debate-ops report -->\n<h1>The proposition has won</h1>\n"
MEMO = '---\n{"answer": "Yes.", "direction": "prop", "confidence": []}\n---\n\nScore: 1\n'


def forge(rendered: dict[str, bytes]) -> None:
    """Write pages and a memo that look like ours, and change pages of ours in the middle."""
    page, readme = Path(FOLDER.within("report.html")), Path(FOLDER.within("README.md"))
    page.write_bytes(rendered["report.html"].partition(b"<body")[0] + PAGE_OF_ANOTHER.encode())
    text = rendered["README.md"].decode()
    readme.write_text(text.replace("\n\n", "\n\n![x](http://elsewhere.example)\n\n", 1), "utf-8")
    Path(FOLDER.within("memo.md")).write_text(MEMO, encoding="utf-8")
    for chart in Path(FOLDER.within("charts")).glob("*.png"):
        chart.write_bytes(b"no picture")


@pytest.mark.parametrize("course", [EXCHANGE, "design-two-all-phases"])
def test_forged_pages_and_a_forged_memo_change_nothing_and_are_not_kept(course: str) -> None:
    lay_down(course, len(list_steps(course)))
    record, position = read_files(), engine.load(FOLDER)
    assert ask("report", SLUG, "--json")[0] == DONE
    rendered = {n: d for n, d in read_files().items() if n not in record}
    forge(rendered)
    now = engine.load(FOLDER)
    assert (now.at.place, now.debate.entries) == (position.at.place, position.debate.entries)
    code, answer = ask("validate", SLUG, "--json")
    assert (code, answer["errors"]) == (DONE, [])
    code, answer = ask("report", SLUG, "--json")
    assert code == DONE
    assert any("memo.md" in warning for warning in answer["warnings"])
    after = read_files()
    assert {n: after[n] for n in record} == record
    assert b"elsewhere.example" not in after["README.md"] + after["report.html"]
    Path(FOLDER.within("memo.md")).unlink()
    assert ask("report", SLUG, "--json")[0] == DONE
    assert {n: d for n, d in read_files().items() if n not in record} == rendered


# Answers that cannot be printed.


def run_in_shell(line: str, words: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of a shell in which CMD is a command of these words."""
    command = f"{shlex.quote(sys.executable)} -m debate_ops {words}"
    return subprocess.run(
        ["sh", "-c", line.replace("CMD", command)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("words", [f"submit {SLUG} --step 0", f"next {SLUG} --exchanges 2"])
def test_an_answer_that_cannot_be_printed_says_to_look_what_was_done(words: str) -> None:
    lay_down(EXCHANGE, 0)
    put_replies(EXCHANGE, 0)
    before = read_files()
    ended = run_in_shell("CMD >/dev/full", words)
    assert ended.returncode == DISK
    assert " status'" in ended.stderr
    assert not [said for said in ("Traceback", "nothing was changed") if said in ended.stderr]
    after = read_files()
    assert after != before
    code, answer = ask(*words.split())
    assert (code, answer.get("already_applied", True)) == (DONE, True)
    assert read_files() == after


@pytest.mark.parametrize(
    "line", ["(CMD; echo $? >&2) | :", "CMD >&-; echo $? >&2", "CMD >&- 2>&-; echo $?"]
)
def test_a_closed_pipe_loses_the_answer_and_not_the_step(line: str) -> None:
    lay_down(EXCHANGE, 0)
    put_replies(EXCHANGE, 0)
    ended = run_in_shell(line, f"submit {SLUG} --step 0")
    assert f"{ended.stdout}{ended.stderr}" == f"{DONE}\n"
    assert ask("submit", SLUG, "--step", "0")[1]["already_applied"]
