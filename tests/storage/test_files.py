"""Single files: nothing but regular files is read, nothing is half written or replaced unasked."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops.errors import BadRecordError, DiskError, UsageError
from debate_ops.storage import files

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 1000


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link(path: Path) -> None:
    Path("elsewhere").write_text("a", encoding="utf-8")
    path.symlink_to("elsewhere")


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


STRANGE: dict[str, Callable[[Path], None]] = {
    "pipe": _pipe,
    "folder": Path.mkdir,
    "link": _link,
    "dangling link": _dangling,
}


@pytest.mark.parametrize("kind", STRANGE)
def test_only_a_regular_file_is_read(work: Path, kind: str) -> None:
    STRANGE[kind](work / "reply.json")
    with pytest.raises(UsageError, match=r"reply\.json is (a symbolic link|not a regular file)"):
        files.read_named("reply.json", LIMIT)
    with pytest.raises(BadRecordError, match=r"reply\.json is"):
        files.read_text("reply.json")


@pytest.mark.parametrize("path", ["", "a\0b", "\ud800", "/dev/null", "gone.json"])
@pytest.mark.usefixtures("work")
def test_what_can_be_no_file_is_refused(path: str) -> None:
    with pytest.raises(UsageError):
        files.read_named(path, LIMIT)


def test_a_file_of_the_record_is_bounded_and_utf_8(work: Path) -> None:
    (work / "a").write_bytes(b"a\r\nb\rc\n")
    assert files.read_text("a") == "a\r\nb\rc\n"
    (work / "a").write_bytes(b"ab\xffcd")
    with pytest.raises(BadRecordError, match="a is not UTF-8 at byte 2"):
        files.read_text("a")
    assert files.read_bytes("a", 2) == b"ab\xff"  # one byte over the limit, and no more
    (work / "a").write_bytes(b"x" * (files.MAX_RECORD_BYTES + 1))
    with pytest.raises(BadRecordError, match="a is larger than"):
        files.read_text("a")


def test_what_another_has_staged_is_not_overwritten_or_removed(work: Path) -> None:
    (work / files.temporary_name("a.md")).write_text("theirs", encoding="utf-8")
    with pytest.raises(DiskError, match="File exists"):
        files.stage("a.md", "ours")
    assert (work / files.temporary_name("a.md")).read_text(encoding="utf-8") == "theirs"


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_full_disk_leaves_nothing_staged(
    work: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.setattr(os, call, _full)
    with pytest.raises(DiskError, match="No space left on device; nothing was changed"):
        files.stage("a.md", "text")
    assert not list(work.iterdir())


def _full(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_takes_little_at_a_time_gets_it_all(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:3]))
    files.stage("a.md", "a long text")
    assert (work / files.temporary_name("a.md")).read_text(encoding="utf-8") == "a long text"


def _no_links(*_: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.mark.parametrize("links", [True, False])
def test_a_name_that_is_taken_is_never_replaced(
    work: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", _no_links)
    (work / "a.md").write_text("theirs", encoding="utf-8")
    staged = files.stage("a.md", "ours")
    with pytest.raises(FileExistsError):
        files.place(staged, "a.md")
    assert (work / "a.md").read_text(encoding="utf-8") == "theirs"
    (work / "a.md").unlink()
    files.place(staged, "a.md")
    assert [path.name for path in work.iterdir()] == ["a.md"]
    assert (work / "a.md").read_text(encoding="utf-8") == "ours"


@pytest.mark.parametrize("number", [errno.EEXIST, errno.EIO])
def test_a_disk_that_links_and_denies_it_is_seen_through(
    work: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    link = os.link

    def deny(path: str, new: str) -> None:
        link(path, new)
        raise OSError(number, os.strerror(number), path, None, new)

    monkeypatch.setattr(os, "link", deny)
    files.place(files.stage("a.md", "ours"), "a.md")
    assert [path.name for path in work.iterdir()] == ["a.md"]


def test_an_equal_file_is_left_alone(work: Path) -> None:
    files.write_derived("a.md", "text")
    before = (work / "a.md").stat()
    files.write_derived("a.md", "text")
    after = (work / "a.md").stat()  # to read it may change when it was read last
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    files.write_derived("a.md", "texts")
    assert (work / "a.md").read_text(encoding="utf-8") == "texts"
    assert len(list(work.iterdir())) == 1


@pytest.mark.parametrize("kind", ["pipe", "link", "dangling link"])
def test_what_is_no_file_is_replaced_and_not_written_through(work: Path, kind: str) -> None:
    STRANGE[kind](work / "a.md")
    files.write_derived("a.md", "text")
    assert (work / "a.md").read_text(encoding="utf-8") == "text"
    assert not (work / "a.md").is_symlink()
    assert not (work / "nowhere").exists()


@pytest.mark.parametrize("write", [files.write_derived, files.write_durable])
def test_a_writer_that_fails_leaves_the_old_file(
    work: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[str, str], None]
) -> None:
    write(str(work / "a.md"), "old")
    for call in ("write", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, _full)
            with pytest.raises(OSError, match="No space"):
                write(str(work / "a.md"), "new")
        assert (work / "a.md").read_text(encoding="utf-8") == "old"
        assert len(list(work.iterdir())) == 1


def test_a_file_that_says_something_else_by_now_is_not_discarded(work: Path) -> None:
    (work / "a").write_bytes(b"new words")
    files.discard_read("a", b"old")
    assert (work / "a").exists()
    files.discard_read("a", b"new words")
    assert not (work / "a").exists()
    files.discard_read("a", b"new words")


def test_what_is_moved_aside_replaces_nothing(work: Path) -> None:
    moved = []
    for text in ("first", "second", "third"):
        (work / "a.md").write_text(text, encoding="utf-8")
        moved.append(files.move_aside(str(work / "a.md"), str(work / "aside")))
        if text == "second":
            Path(moved[0]).unlink()
    assert [Path(path).name for path in moved] == ["1-a.md", "2-a.md", "1-a.md"]
    assert Path(moved[1]).read_text(encoding="utf-8") == "second"
    assert Path(moved[2]).read_text(encoding="utf-8") == "third"
    assert not (work / "a.md").exists()
    (work / "a.md").write_text("text", encoding="utf-8")
    (work / "no folder").touch()
    with pytest.raises(DiskError, match=r"cannot set .*a\.md aside"):
        files.move_aside(str(work / "a.md"), str(work / "no folder"))
    assert (work / "a.md").read_text(encoding="utf-8") == "text"


WRITING: dict[str, Callable[[str], object]] = {
    "derived": lambda path: files.write_derived(path, "new"),
    "durable": lambda path: files.write_durable(path, b"new"),
    "staged": lambda path: files.stage(path, "new"),
    "moved away": lambda path: files.move_aside(path, "aside"),
    "moved to": lambda path: files.move_aside("mine", os.path.dirname(path)),
}


@pytest.mark.parametrize("way", WRITING)
@pytest.mark.parametrize("path", ["link/file", "link/deeper/file", "folder/link/file"])
def test_nothing_is_written_through_a_link(work: Path, path: str, way: str) -> None:
    elsewhere = work / "elsewhere"
    (elsewhere / "deeper").mkdir(parents=True)
    for name in ("file", "deeper/file"):
        (elsewhere / name).write_text("theirs", encoding="utf-8")
    (work / "folder").mkdir()
    for link in ("link", "folder/link"):
        (work / link).symlink_to(elsewhere)
    (work / "mine").write_text("mine", encoding="utf-8")
    before = sorted(elsewhere.rglob("*"))
    with pytest.raises(BadRecordError, match="link is a symbolic link"):
        WRITING[way](path)
    assert sorted(elsewhere.rglob("*")) == before
    assert (elsewhere / "file").read_text(encoding="utf-8") == "theirs"
    assert (work / "mine").read_text(encoding="utf-8") == "mine"


def test_a_full_path_of_the_users_may_lead_through_a_link(work: Path) -> None:
    (work / "elsewhere").mkdir()
    (work / "link").symlink_to("elsewhere")
    files.write_durable(str(work / "link" / "file"), "text")
    assert (work / "elsewhere" / "file").read_text(encoding="utf-8") == "text"


def test_what_could_not_be_read_again_is_not_written(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_RECORD_BYTES", 10)
    with pytest.raises(DiskError):
        files.stage("entry.md", "x" * 11)
    assert list(work.iterdir()) == []
    assert Path(files.stage("entry.md", "x" * 10)).is_file()
