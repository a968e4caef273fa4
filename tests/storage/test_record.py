"""What belongs to a debate: what its step says, and nothing else that lies in its folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError
from debate_ops.formats import headers
from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from debate_ops.storage.record import FolderRecord, listed, read_entry
from tests.builders import (
    JUDGING,
    OPENING_IDS,
    SLUG,
    Data,
    debate_at,
    good_reply,
    header_of,
    hold,
    put,
    run,
)

pytestmark = pytest.mark.usefixtures("work")

OPENINGS = tuple(sorted(OPENING_IDS))


def _write(folder: Folder, name: str, header: Data, body: str = "\nText.\n") -> Path:
    path = Path(folder.path, name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(headers.compose(header, body), encoding="utf-8")
    return path


def _codes(folder: Folder) -> list[tuple[str, str]]:
    return [(w.code, w.file) for w in engine.look(folder).warnings]


def test_entries_belong_by_their_step_and_come_by_exchange_as_a_number() -> None:
    folder = debate_at(1)
    for step, ids in ((0, ()), (1, OPENINGS), (2, OPENINGS)):
        assert FolderRecord(folder, step, 0).ids("arguments") == ids
    assert FolderRecord(folder, 1, 0).ids("judgments") == ()
    assert FolderRecord(folder, 2, 0).ids("judgments") == ("judge_000",)
    for number in (999, 1000, 10):
        _write(folder, f"arguments/prop_{number:03d}.md", {"exchange": number})
    assert listed(folder, "arguments")[-3:] == ["prop_010", "prop_999", "prop_1000"]


@pytest.mark.parametrize("name", ["../debate", "prop_000a.md", "judge_9", "x" * 300])
def test_what_is_no_id_is_no_entry(name: str) -> None:
    assert FolderRecord(debate_at(1), 2, 1).get(name) is None


def test_a_digest_is_of_the_bytes() -> None:
    folder = debate_at(1)
    before = FolderRecord(folder, 2, 1).digest("prop_000a")
    with Path(folder.entry("arguments", "prop_000a")).open("a", encoding="utf-8") as file:
        file.write(" ")
    assert FolderRecord(folder, 2, 1).digest("prop_000a") != before
    with pytest.raises(KeyError):
        FolderRecord(folder, 2, 1).digest("prop_009")


CONTRADICTIONS: list[tuple[Data, str]] = [
    ({"exchange": 1}, "exchange 1"),
    ({"exchange": "0"}, "exchange '0'"),
    ({"id": "prop_000b"}, "id 'prop_000b'"),
    ({"side": "opp"}, "side 'opp'"),
    ({"participant": None}, "participant None"),
    ({"step": True}, "step is True"),
]


@pytest.mark.parametrize(("change", "result"), CONTRADICTIONS)
def test_a_header_that_contradicts_the_name_is_refused(change: dict[str, Any], result: str) -> None:
    folder = debate_at(0, JUDGING)
    name = "arguments/prop_000a.md"
    _write(folder, name, header_of(folder, name) | change)
    with pytest.raises(BadRecordError, match=rf"{name}: .*{result}"):
        read_entry(folder, "arguments", "prop_000a")
    assert run("next", SLUG).code == 5


@pytest.mark.parametrize("damage", [b"", b"---\n{", b"\xff"])
def test_a_damaged_entry_stops_every_command_by_name(damage: bytes) -> None:
    folder = debate_at(0, JUDGING)
    Path(folder.path, "arguments/prop_000b.md").write_bytes(damage)
    for command in ("next", "status"):
        result = run(command, SLUG, "--json")
        assert result.code == 5
        assert "arguments/prop_000b.md" in result.result["error"]


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_an_entry_that_is_no_file_is_refused_at_once(work: Path, kind: str) -> None:
    folder = debate_at(0, JUDGING)
    path = Path(folder.path, "arguments/opp_000a.md")
    path.rename(work / "elsewhere.md")
    if kind == "link":
        path.symlink_to(work / "elsewhere.md")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    result = run("next", SLUG)
    assert result.code == 5
    assert "arguments/opp_000a.md is" in result.result["error"]


STRANGERS: list[tuple[str, Data]] = [
    ("arguments/alice_001.md", {"exchange": 1}),
    ("arguments/prop_003.md", {"exchange": 3, "id": "prop_003"}),
    ("judgments/judge_002.md", {"exchange": 2, "scores": [], "cumulative_scores": {}}),
    ("arguments/prop_002.md", {"exchange": 2, "step": 4}),
]


@pytest.mark.parametrize(("name", "header"), STRANGERS)
def test_a_strangers_file_is_told_of_and_left_alone(name: str, header: Data) -> None:
    folder = debate_at(1)
    path = _write(folder, name, header)
    before = path.read_bytes()
    assert _codes(folder) == [("stranger", name)]
    outcome = hold(folder)
    assert outcome.position.debate.state.phase == JUDGING
    assert ("stranger", name) in _codes(folder)
    assert hold(folder).position.debate.state.exchange == 2
    assert path.read_bytes() == before


def test_a_strangers_file_in_an_old_exchange_is_refused_by_name(work: Path) -> None:
    folder = debate_at(2)
    path = _write(folder, "arguments/alice_000.md", {"exchange": 0})
    result = run("next", SLUG)
    assert result.code == 5
    assert "arguments/alice_000.md lies among" in result.result["error"]
    path.rename(work / "mine.md")
    assert run("next", SLUG).code == 0


@pytest.mark.parametrize("text", ["no header at all\n", "---\n{\n"])
def test_a_strangers_notes_under_a_later_id_stop_nothing(text: str) -> None:
    folder = debate_at(1)
    path = Path(folder.path, "arguments/prop_004.md")
    path.write_text(text, encoding="utf-8")
    assert hold(folder).position.debate.step == 3
    assert ("stranger", "arguments/prop_004.md") in _codes(folder)
    assert path.read_text(encoding="utf-8") == text


def test_files_without_an_id_are_nobodys_business() -> None:
    folder = debate_at(1)
    for name in ("notes.md", "prop_001 (copy).md", ".DS_Store", "prop_001.md~", "prop_1.md"):
        Path(folder.path, "arguments", name).write_text("notes", encoding="utf-8")
    assert hold(folder).position.debate.step == 3
    assert not engine.look(folder).warnings


@pytest.mark.parametrize("header", [{"exchange": 1}, {"exchange": 1, "id": "opp_001", "step": 2}])
def test_a_strangers_file_with_an_id_that_is_needed_is_refused_by_name(
    work: Path, header: Data
) -> None:
    folder = debate_at(1)
    theirs = _write(folder, "arguments/opp_001.md", header)
    replies = [put(folder, side, good_reply(side, 1)) for side in ("prop", "opp")]
    result = run("submit", SLUG, "--step", 2)
    assert result.code == 5
    assert (
        "arguments/opp_001.md exists, and this program did not write it" in result.result["error"]
    )
    assert load.load(folder).debate.step == 2
    assert not Path(folder.path, "arguments/prop_001.md").exists()
    assert all(path.exists() for path in replies)
    theirs.rename(work / "mine.md")
    assert run("submit", SLUG, "--step", 2).result["already_applied"] is False
