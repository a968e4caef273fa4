"""The commit and its recovery, step by step; that they hold at every call is swept elsewhere."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError, RunAgainError
from debate_ops.storage import events, files, load, pending
from debate_ops.storage.commit import commit, leftovers, temporaries
from tests.builders import (
    SLUG,
    debate_at,
    good_reply,
    header_of,
    hold,
    put,
    record_of,
    run,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from debate_ops.storage.folder import Folder

pytestmark = pytest.mark.usefixtures("work")


def _seen(folder: Folder) -> str:
    return Path(folder.debate_file).read_text(encoding="utf-8")


def _file(folder: Folder, name: str) -> Path:
    return Path(folder.path, name)


def test_all_files_are_there_and_nothing_else() -> None:
    folder = debate_at(1)
    before = set(record_of(folder))
    new = {folder.entry("arguments", "a_001"): "A", folder.entry("judgments", "b_001"): "B"}
    commit(folder, _seen(folder), "new", new)
    assert set(record_of(folder)) == before | {"arguments/a_001.md", "judgments/b_001.md"}
    assert _seen(folder) == "new"


def test_a_change_by_hand_meanwhile_is_kept_and_nothing_is_written() -> None:
    folder = debate_at(1)
    seen = _seen(folder)
    _file(folder, "debate.md").write_text(f"{seen}A line.\n", encoding="utf-8")
    before = record_of(folder)
    with pytest.raises(RunAgainError, match="was changed while this ran; nothing was written"):
        commit(folder, seen, "new", {folder.entry("arguments", "a_001"): "A"})
    assert record_of(folder) == before


@pytest.mark.parametrize("gone", ["removed", "a link"])
def test_a_debate_md_that_is_gone_meanwhile_is_not_made_anew(work: Path, gone: str) -> None:
    folder = debate_at(1)
    seen, path = _seen(folder), _file(folder, "debate.md")
    path.unlink()
    if gone == "a link":
        path.symlink_to(work / "elsewhere")
    before = set(record_of(folder))
    with pytest.raises(BadRecordError):
        commit(folder, seen, "new", {folder.entry("arguments", "a_001"): "A"})
    assert set(record_of(folder)) == before


@pytest.mark.parametrize("second", [True, False])
def test_a_name_that_is_taken_undoes_what_was_placed(*, second: bool) -> None:
    folder = debate_at(1)
    taken = "b_001" if second else "a_001"
    _file(folder, f"arguments/{taken}.md").write_text("theirs", encoding="utf-8")
    before = record_of(folder)
    new = {folder.entry("arguments", i): "ours" for i in ("a_001", "b_001")}
    with pytest.raises(BadRecordError, match=rf"arguments/{taken}\.md exists, and this program"):
        commit(folder, _seen(folder), "new", new)
    assert record_of(folder) == before


def _refuse(number: int) -> Callable[..., None]:
    def call(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return call


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES])
def test_no_answer_at_the_commit_means_run_it_again(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    folder = debate_at(1)
    monkeypatch.setattr(os, "replace", _refuse(number))
    with pytest.raises(RunAgainError, match="result unknown"):
        commit(folder, _seen(folder), "new", {})


def _left_over(folder: Folder) -> list[str]:
    """Leave the files of a commit that did not happen; return their names."""
    before = _file(folder, "debate.md").read_bytes()
    ids = hold(folder).committed
    _file(folder, "debate.md").write_bytes(before)
    kind = "judgments" if ids[0].startswith("judge") else "arguments"
    return [f"{kind}/{entry_id}.md" for entry_id in sorted(ids)]


def test_what_did_not_happen_is_set_aside() -> None:
    folder = debate_at(1)
    before = record_of(folder)
    names = _left_over(folder)
    texts = [_file(folder, name).read_bytes() for name in names]
    moved = [f"set-aside/1-{Path(name).name}" for name in names]
    warnings = engine.look(folder).warnings
    assert sorted((w.code, w.file) for w in warnings) == [("set_aside", name) for name in moved]
    assert [_file(folder, name).read_bytes() for name in moved] == texts
    record = record_of(folder)
    assert record.pop("events.jsonl").startswith(before.pop("events.jsonl"))
    assert record == before


def test_temporary_files_go_and_hidden_files_of_others_stay() -> None:
    folder = debate_at(1)
    ours = [
        files.stage(folder.entry("arguments", "a_001"), "A"),
        files.stage(folder.debate_file, ""),
    ]
    theirs = _file(folder, "arguments/.notes.md.swp")
    theirs.write_text("theirs", encoding="utf-8")
    assert sorted(temporaries(folder)) == sorted(ours)
    engine.look(folder)
    assert not temporaries(folder)
    assert theirs.exists()


def test_a_debate_md_older_than_its_record_is_refused_and_nothing_moves() -> None:
    folder = debate_at(1)
    old = _file(folder, "debate.md").read_bytes()
    for _ in range(2):
        hold(folder)
    _file(folder, "debate.md").write_bytes(old)
    before = record_of(folder)
    for command in ("status", "next", "undo"):
        result = run(command, SLUG, "--json")
        assert result.code == 5
        assert "judge_001 were written later: it is older than its record" in result.result["error"]
        assert "validate --fix" in result.result["hint"]
    assert record_of(folder) == before


def test_an_entry_without_from_is_nobodys_leftover() -> None:
    folder = debate_at(1)
    names = _left_over(folder)
    for name in names:
        path = _file(folder, name)
        path.write_text(
            path.read_text(encoding="utf-8").replace('"from"', '"form"'), encoding="utf-8"
        )
    assert leftovers(folder, load.read_debate_file(folder)[0]) is None
    assert {w.code for w in engine.look(folder).warnings} == {"stranger"}


def test_an_undo_that_was_stopped_goes_on() -> None:
    """Also where a reply to a turn that was taken back waits in the inbox."""
    folder = debate_at(1)
    hold(folder)
    stale = put(folder, "judge", good_reply("judge", 1))
    run("undo", SLUG, "--json")
    undone = _file(folder, "debate.md").read_bytes()
    _file(folder, "set-aside/1-prop_001.md").rename(folder.entry("arguments", "prop_001"))
    (_file(folder, "inbox/set-aside") / f"1-{stale.name}").rename(stale)
    pending.begin_undo(folder, 2)
    assert [w.code for w in engine.look(folder).warnings] == ["taken_back", "set_aside"]
    assert not stale.exists()
    assert _file(folder, f"inbox/set-aside/1-{stale.name}").exists()
    assert _file(folder, "debate.md").read_bytes() == undone
    assert header_of(folder, "debate.md")["undone"] == ["opp_001", "prop_001"]
    hold(folder)
    assert "undone" not in header_of(folder, "debate.md")


def test_an_undo_that_was_stopped_before_its_commit_did_not_happen() -> None:
    folder = debate_at(2)
    waiting = put(folder, "prop", good_reply("prop", 2))
    pending.begin_undo(folder, 2)
    before = record_of(folder)
    assert not engine.look(folder).warnings
    assert record_of(folder) == before
    assert waiting.exists()
    assert pending.undo_begun(folder) is None


def test_replies_after_an_undo_stay_where_their_commit_is_stopped() -> None:
    """The entries bear ids that `debate.md` still calls undone; the undo is over all the same."""
    folder = debate_at(2)
    run("undo", SLUG, "--json")
    for side in ("prop", "opp"):
        put(folder, side, good_reply(side, 1))
    replies = {path.name: path.read_bytes() for path in _file(folder, "inbox").glob("*.reply.json")}
    before = _file(folder, "debate.md").read_bytes()
    run("submit", SLUG, "--step", 2)
    _file(folder, "debate.md").write_bytes(before)
    for name, text in replies.items():
        _file(folder, f"inbox/{name}").write_bytes(text)
    assert {w.code for w in engine.look(folder).warnings} == {"set_aside"}
    assert run("submit", SLUG, "--step", 2).result["already_applied"] is False


def test_a_torn_event_spoils_only_itself() -> None:
    folder = debate_at(1)
    path = _file(folder, "events.jsonl")
    path.write_text('{"event":"whole"}\n{"eve', encoding="utf-8")
    events.append(folder, [{"event": "next"}])
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines == ['{"event":"whole"}', '{"eve', '{"event":"next"}']


@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "read-only"])
def test_events_that_cannot_be_written_stop_nothing(work: Path, kind: str) -> None:
    folder = debate_at(1)
    path = _file(folder, "events.jsonl")
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(work / "elsewhere")
    elif kind == "folder":
        path.mkdir()
    else:
        path.touch(0o400)
    assert hold(folder).position.debate.step == 3
    assert not (work / "elsewhere").exists()
