"""Names of debates, links, what is refused in a folder, and debates of the older tool."""

import os
import re
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.convert import convert
from debate_ops.core.errors import (
    BadRecordError,
    DebateError,
    RefusedError,
    UnknownDebateError,
    UsageError,
)
from debate_ops.engine import files, store
from debate_ops.engine.debate_file import Framing
from debate_ops.engine.validate import validate
from tests.courses import RICH
from tests.engine.stage import FOLDER, SLUG, lay_down, put_replies, read_files, take_step

pytestmark = pytest.mark.usefixtures("work")
OLDER = Path(__file__).parent / "older"


def test_a_file_larger_than_a_record_may_be_is_refused() -> None:
    for size in (16 * 2**20, 16 * 2**20 + 1):
        with Path("x").open("wb") as file:
            file.truncate(size)
        with nullcontext() if size == 16 * 2**20 else pytest.raises(BadRecordError, match="larger"):
            files.read_text("x")


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("X Debate", UsageError, "Did you mean 'x-debate'"),
        ("x_debate", UsageError, "is not a slug"),
        ("../x", UsageError, "does not name a debate"),
        ("/x", UsageError, "does not name a debate"),
        ("", UsageError, "does not name a debate"),
        *((name, UsageError, "is not a slug") for name in (".", ".hidden", "x\n")),
        *((name, UsageError, "does not name a debate") for name in ("..", "a/../../x")),
        ("a" * 65, UsageError, "at most 64"),
        ("x-debat", UnknownDebateError, "Did you mean 'x-debate'"),
        ("debates/tournaments/cup", UsageError, "Its page: debates/tournaments/cup/README.md"),
    ],
)
def test_a_name_that_means_no_debate_is_refused_with_the_nearest(
    name: str, error: type[DebateError], message: str
) -> None:
    lay_down(RICH[0], 0)
    Path("debates/tournaments/cup").mkdir(parents=True)
    with pytest.raises(error) as caught:
        store.find_folder(name)
    assert message in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    ("slug", "message"),
    [
        ("con", "con-debate"),
        ("lpt1", "device to Windows"),
        ("Müller und Großé", "mueller-und-grosse"),
        *((name, "not a slug") for name in ("x-", "-x", "", "../x", "x/y", "x_debate", "X Debate")),
        ("x" * 65, "64"),
        (SLUG, "exists already"),
    ],
)
def test_a_new_debate_has_a_name_that_every_system_takes(slug: str, message: str) -> None:
    lay_down(RICH[0], 0)
    with pytest.raises(UsageError) as caught:
        engine.create(slug, Framing("m"))
    assert message in f"{caught.value.message} {caught.value.hint}"
    assert store.list_slugs() == [SLUG]


@pytest.mark.parametrize("name", ["debate.md", "arguments", "inbox", "judgments", ""])
def test_a_link_where_a_part_of_the_debate_should_be_is_refused(name: str) -> None:
    lay_down(RICH[0], 1)
    path = Path(FOLDER.path, name)
    if not path.exists():
        path.mkdir()
    away = Path("elsewhere")
    shutil.move(path, away)
    path.symlink_to(away.resolve())
    with pytest.raises(BadRecordError, match="is a symbolic link") as refused:
        store.find_folder(SLUG)
    assert "away" in refused.value.hint


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.symlink_to(Path("x").resolve()), "symbolic link"),
        (os.mkfifo, "not a regular file"),
        (Path.mkdir, "not a regular file"),
    ],
)
def test_a_reply_that_is_no_file_is_refused(make: Callable[[Path], object], message: str) -> None:
    lay_down(RICH[0], 0)
    make(Path(engine.load(FOLDER).tasks[0].slot.reply))
    with pytest.raises(UsageError, match=message):
        engine.submit(FOLDER, 0)


@pytest.mark.parametrize("name", ["arguments/x.md", "arguments/zz_900.md"])
def test_strangers_in_a_folder_of_the_record_are_warned_of(name: str) -> None:
    lay_down(RICH[0], 1)
    Path(FOLDER.path, name).write_bytes(b"\xff")
    assert [fault.file for fault in engine.load(FOLDER).warnings] == [name]


def test_a_lock_that_is_held_is_named_and_waited_for() -> None:
    lay_down(RICH[0], 0)
    lock = FOLDER.within("inbox", ".lock")
    with store.hold_lock(lock, "is writing"):
        assert store.find_holder(lock) == f"process {os.getpid()}"
        with (
            pytest.raises(DebateError, match="another process is writing") as caught,
            store.hold_lock(lock, "is writing", wait=0.1),
        ):
            pass
        assert caught.value.exit_code == 7
    assert store.find_holder(lock) == ""


def test_a_name_that_somebody_has_taken_is_never_replaced() -> None:
    lay_down(RICH[3], 0)
    put_replies(RICH[3], 0)
    theirs = Path(FOLDER.path, "arguments/prop_000b.md")
    theirs.parent.mkdir(exist_ok=True)
    theirs.write_text("theirs", encoding="utf-8")
    before = read_files()
    with pytest.raises(DebateError, match=r"prop_000b\.md"):
        take_step(RICH[3], 0)
    assert read_files() == before


# Debates of the older tool: P3-64 to P3-68, on a small one of its form.


def _lay_down_older() -> store.Folder:
    shutil.copytree(OLDER, "debates/older")
    return store.find_folder("older")


def test_of_two_who_make_a_debate_the_second_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_down(RICH[0], 0)
    before = read_files()
    find_entry = os.path.lexists
    answers = iter([False])  # the check before the folder is built
    monkeypatch.setattr(
        "os.path.lexists",
        lambda path: next(answers, True) if path == FOLDER.path else find_entry(path),
    )
    with pytest.raises(UsageError, match="exists already"):
        engine.create(SLUG, Framing("m"))
    assert read_files() == before
    assert not [*Path(store.DEBATES).glob(".*.tmp")]


def test_a_debate_of_the_older_tool_is_named_by_every_command_and_converted() -> None:
    folder = _lay_down_older()
    before = {path: path.read_bytes() for path in Path("debates/older").rglob("*.*")}
    with pytest.raises(BadRecordError, match="written by an older tool") as caught:
        engine.next_turn(folder)
    assert "debate-ops convert older" in caught.value.hint
    position = convert(folder, "newer")
    assert {path: path.read_bytes() for path in Path("debates/older").rglob("*.*")} == before
    assert (position.at.place.round, position.at.place.phase) == (2, "awaiting_arguments")
    scores = {side: float(t["total"]) for side, t in position.header.cumulative_scores.items()}
    assert scores == {"proposition": 1.1, "opposition": -1.2}
    assert validate(position.folder)[0] == []
    with pytest.raises(RefusedError, match="of this program already"):
        convert(position.folder, "newest")
    said = "\n".join(p.read_text("utf-8") for p in Path("debates/newer").rglob("*.md"))
    for path in Path("debates/older/arguments").glob("*.md"):
        words = re.findall(r"[\w']+", path.read_text("utf-8").partition("\n}")[2])
        assert [word for word in words if word not in said] == []
    entry = position.debate.entries["prop_001"]
    assert entry.texts["Warrant"] == "A *raw* text & a \\ backslash stay <as> they are."
    assert entry.data["attacks"][0]["target_id"] == "opp_000a"
    assert Path("debates/newer/older/README.md").read_text("utf-8") == "A report.\n"
    assert position.debate.entries["judge_001"].data["rescores"][0]["previous"] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"prop_000a"', '"third_000a"'),
        ('"score": 0.3', '"score": 0.30001'),
        ("{", "[" * 10**5),
        ("", ""),
        ("", "[]"),
        ("", '{"prop_000a": {}}'),
        ("", '{"prop_000a": {"history": []}, "prop_000a": {"history": []}}'),
        ("", '{"prop_000a": {"history": [{"score": ' + "9" * 5_000 + "}]}}"),
        ("", '{"prop_000a": ' + "[" * 900 + "]" * 900 + "}"),
        ("", '{"prop_000a": {"history": [' + "0.1," * 2**22 + "0]}}"),
    ],
)
def test_scores_that_cannot_be_read_are_named_and_nothing_is_made(old: str, new: str) -> None:
    folder = _lay_down_older()
    path = Path("debates/older/scores.json")
    text = path.read_text("utf-8").replace(old, new, 1) if old else new
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRecordError, match=r"scores\.json(:\d+: is damaged| is larger)"):
        convert(folder, "newer")
    assert store.list_slugs() == ["older"]
