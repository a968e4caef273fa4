"""A stranger's folder: read or refused by name, soon and in little memory, whatever it holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from debate_ops.core.errors import BAD_RECORD, BUG, DONE, REFUSED
from tests.builders import ROOT, SLUG, debate_at, run
from tests.hostile.headers import HEADERS, MIB

READING = [
    ("list", "--json"),
    ("status", SLUG, "--json"),
    ("next", SLUG),
    ("show", SLUG, "--json"),
    ("submit", SLUG, "--step", "0"),
    ("validate", SLUG, "--json"),
    ("validate", SLUG, "--fix", "--json"),
    ("report", SLUG, "--json"),
]
PATIENCE = 300
"""Seconds until a command counts as one that does not end: work that grows with the square of 16
MiB would take hours. How long commands take is measured elsewhere (benchmarks/)."""
MEMORY = 300 * MIB


LARGE = {name for name in HEADERS if "16 MiB" in name or name.startswith("white space")}


def named(*, refused: bool) -> list[Any]:
    """Return the names of the headers that are refused, or of the others, as parameters."""
    names = [name for name, made in HEADERS.items() if made.refused is refused]
    return [pytest.param(n, marks=pytest.mark.slow) if n in LARGE else n for n in names]


def put_header(name: str, slug: str = SLUG) -> Path:
    """Put a hostile `debate.md` into a folder of its own."""
    path = Path("debates", slug, "debate.md")
    path.parent.mkdir(parents=True)
    path.write_bytes(HEADERS[name].make())
    return path


def answered(*words: str) -> tuple[int, dict[str, Any]]:
    """Run a command; return its exit code and its answer."""
    answer = run(*words)
    assert answer.code != BUG, answer.remarks
    assert "Traceback" not in answer.remarks
    return answer.code, answer.result


def as_people_see_it(answer: dict[str, Any]) -> str:
    """Return what a command says is wrong."""
    faults = [f"{f.get('file')}: {f['message']}" for f in answer.get("faults", ())]
    return "\n".join([str(answer.get("error", "")), *faults])


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", named(refused=True))
def test_a_hostile_header_is_refused_by_every_command_and_listed(name: str) -> None:
    path = put_header(name)
    before = path.read_bytes()
    for words in READING[1:]:
        code, answer = answered(*words)
        assert code == BAD_RECORD or (words[0] == "validate" and code), words
        assert "debate.md" in as_people_see_it(answer), words
        assert len(as_people_see_it(answer)) < 1_000, words
    code, answer = answered("list", "--json")
    assert code == 0
    assert [row["debate"] for row in answer["debates"]] == [SLUG]
    assert "debate.md" in answer["debates"][0]["error"]
    assert path.read_bytes() == before


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", named(refused=False))
@pytest.mark.slow
def test_what_is_only_large_or_odd_is_read_in_time(name: str) -> None:
    put_header(name)
    for words in READING[:-1]:
        assert answered(*words)[0] in {DONE, REFUSED}, words  # refused: no reply is there yet


def put_argument(text: bytes) -> None:
    """Put a text in the place of an argument of a debate that waits for exchange 1."""
    folder = debate_at(1)
    Path(folder.entry("arguments", "prop_000a")).write_bytes(text)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    "name", ["aliases of aliases", "200,000 brackets", "900 levels", "a step of 5,000 digits"]
)
def test_a_hostile_header_of_an_entry_is_refused_by_name(name: str) -> None:
    put_argument(HEADERS[name].make())
    for words in READING[1:]:
        code, answer = answered(*words)
        assert code, words
        assert "prop_000a" in json.dumps(answer), words
    assert answered("list", "--json")[1]["debates"][0]["error"]


@pytest.mark.usefixtures("work")
def test_a_hostile_body_of_an_entry_is_read_in_time() -> None:
    folder = debate_at(1)
    path = Path(folder.entry("arguments", "prop_000a"))
    text = path.read_text(encoding="utf-8").partition("## Grounds")[0]
    path.write_text(f"{text}## Grounds\n\n### 1.{' ' * MIB}", encoding="utf-8")
    for words in READING[:-1]:
        expected = {DONE, REFUSED, BAD_RECORD}  # a ground without a source
        assert answered(*words)[0] in expected, words


@pytest.mark.usefixtures("work")
def test_hostile_folders_are_lines_of_the_list_and_hide_no_debate() -> None:
    names = [name for name in HEADERS if name not in LARGE]
    for number, name in enumerate(names):
        put_header(name, f"hostile-{number:02d}")
    debate_at(1)
    answer = run("list", "--json")
    rows = {row["debate"]: row for row in answer.result["debates"]}
    assert len(rows) == len(names) + 1
    assert rows[SLUG]["step"] == 2
    for number, name in enumerate(names):
        assert ("error" in rows[f"hostile-{number:02d}"]) is HEADERS[name].refused, name


@pytest.mark.slow
@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", sorted(LARGE | {n for n in HEADERS if not HEADERS[n].refused}))
def test_every_command_ends_on_a_hostile_folder_without_much_memory(name: str) -> None:
    put_header(name)
    for words in (READING[0], *READING[-3:]):
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
