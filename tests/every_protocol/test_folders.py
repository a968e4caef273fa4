"""An entry in the wrong folder is told by name and place, and nothing goes on with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine, repair, validation
from debate_ops.errors import BadRecordError
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.protocols.table import rules_of
from tests.builders import run
from tests.every_protocol.stage import (
    all_files,
    every_protocol,
    every_variant,
    history,
    restore,
)

if TYPE_CHECKING:
    from collections.abc import Callable

OTHER = {ARGUMENTS: JUDGMENTS, JUDGMENTS: ARGUMENTS}


def entries(files: dict[str, bytes]) -> list[tuple[str, str]]:
    """Return folder and id of each entry among files."""
    named = [name.removesuffix(".md").split("/") for name in files if name.endswith(".md")]
    return [(kind, entry_id) for kind, entry_id in (n for n in named if len(n) == 2)]


def copy(here: Path, there: Path) -> None:
    there.write_bytes(here.read_bytes())


def move(here: Path, there: Path) -> None:
    here.rename(there)


@every_variant
def test_every_id_on_record_belongs_where_it_is_written(protocol: str, name: str) -> None:
    folder_of = rules_of(protocol).folder_of
    actual = entries(history(protocol, name)[-1].record)
    assert actual
    assert {entry_id: folder_of(entry_id) for _, entry_id in actual} == {i: k for k, i in actual}


@every_protocol
@pytest.mark.parametrize(("put", "more"), [(copy, ", where it is, too"), (move, "")])
def test_an_entry_in_the_wrong_folder_is_the_one_fault(
    protocol: str, name: str, put: Callable[[Path, Path], None], more: str
) -> None:
    last = history(protocol, name)[-1]
    for kind, entry_id in entries(last.record):
        folder = restore(last)
        wrong = f"{OTHER[kind]}/{entry_id}.md"
        put(Path(folder.entry(kind, entry_id)), Path(folder.within(wrong)))
        message = f"{wrong} lies in the wrong folder: {entry_id} belongs in {kind}/{more}"
        faults, _ = validation.validate(folder)
        assert [(f.code, f.file, f.message) for f in faults] == [("wrong_folder", wrong, message)]


@every_protocol
@pytest.mark.parametrize("put", [copy, move])
def test_nothing_goes_on_with_an_entry_in_the_wrong_folder(
    protocol: str, name: str, put: Callable[[Path, Path], None]
) -> None:
    last = history(protocol, name)[-1]
    first = {
        (kind, entry_id.partition("-")[2]): entry_id for kind, entry_id in entries(last.record)
    }
    for (kind, _), entry_id in first.items():
        folder = restore(last)
        wrong = f"{OTHER[kind]}/{entry_id}.md"
        put(Path(folder.entry(kind, entry_id)), Path(folder.within(wrong)))
        before = all_files(folder)
        for command in (engine.look, engine.next_turn, engine.undo, repair.fix):
            with pytest.raises(BadRecordError, match=f"{wrong} lies in the wrong folder"):
                command(folder)
        assert all_files(folder) == before
        for words in (("report",), ("transcript",), ("validate", "--fix")):
            assert run(words[0], folder.slug, *words[1:], "--json").code == 5


@every_protocol
def test_a_header_that_names_another_participant_is_a_fault(protocol: str, name: str) -> None:
    last = history(protocol, name)[-1]
    for kind, entry_id in entries(last.record):
        folder = restore(last)
        path = Path(folder.entry(kind, entry_id))
        text = path.read_bytes()
        own = entry_id.partition("_")[0].encode()
        changed = text.replace(b'"participant": "%b"' % own, b'"participant": "somebody"', 1)
        if changed == text:
            assert b'"side": "%b"' % own in text  # an argument has a side instead
            continue
        path.write_bytes(changed)
        faults, _ = validation.validate(folder)
        assert [(fault.code, fault.file) for fault in faults] == [
            ("unreadable", f"{kind}/{entry_id}.md")
        ]


@every_protocol
def test_a_folder_is_listed_as_often_whatever_lies_in_it(
    protocol: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each listing reads and sorts all names: one for each file would take the square of them."""
    folder = restore(history(protocol, name)[-1])
    validation.validate(folder)  # imports list folders, too, the first time
    calls: list[str] = []
    listdir = os.listdir

    def listed(path: str) -> list[str]:
        calls.append(path)
        return listdir(path)

    monkeypatch.setattr(os, "listdir", listed)
    numbers = []
    for more in (1, 50):
        for number in range(more):
            Path(folder.within("arguments", f"Notes {number}.md")).write_text("notes")
        calls.clear()
        _, warnings = validation.validate(folder)
        assert sum(warning.code == "stranger" for warning in warnings) == more
        numbers.append(len(calls))
    assert numbers[0] == numbers[1]
