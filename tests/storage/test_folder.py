"""Which folder a word means; and no word that leads out of the working folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError, UnknownDebateError, UsageError
from debate_ops.model.debate import Framing
from debate_ops.storage import folder
from debate_ops.storage.folder import Folder
from tests.builders import SLUG, debate_at, new_debate, run

pytestmark = pytest.mark.usefixtures("work")


def test_a_slug_may_mean_a_folder_beside(work: Path) -> None:
    new_debate()
    (work / "debates" / SLUG).rename(work / SLUG)
    assert folder.find(SLUG) == Folder(SLUG)
    new_debate()
    assert folder.find(SLUG) == Folder(os.path.join("debates", SLUG))


@pytest.mark.parametrize("word", ["a/b/x-debate/", "./a/./b/x-debate"])
def test_a_relative_path_means_itself(work: Path, word: str) -> None:
    new_debate()
    (work / "a").mkdir()
    (work / "debates").rename(work / "a" / "b")
    assert folder.find(word) == Folder(os.path.join("a", "b", SLUG))


OUT = ["..", "a/../x", "x/..", "/x", "//x", "", "./", "a//x", "..\\x", "\\x"]
NO_SLUG = ["X", "x_y", "-x", "x--y", "x.md", "é", "x\n", "x\x00", "a/X", "x" * 65]


@pytest.mark.parametrize("word", OUT + NO_SLUG)
def test_other_words_are_refused_and_nothing_is_touched(work: Path, word: str) -> None:
    for place in (work / "x", work / "inside" / "x"):
        place.mkdir(parents=True)
        (place / "debate.md").write_text("---\n{}\n---\n", encoding="utf-8")
    os.chdir(work / "inside")
    with pytest.raises(UsageError):
        folder.find(word)
    with pytest.raises(UsageError):
        folder.for_new(word)
    assert [path.name for path in (work / "inside").rglob("*")] == ["x", "debate.md"]


@pytest.mark.parametrize("word", ["a/b/nowhere", "\x00/nowhere", "x" * 64])
def test_an_unknown_debate_is_not_made(work: Path, word: str) -> None:
    with pytest.raises(UnknownDebateError):
        folder.find(word)
    assert not list(work.iterdir())


def test_the_nearest_name_is_suggested() -> None:
    new_debate("pricing")
    with pytest.raises(UnknownDebateError) as refused:
        folder.find("pricinng")
    assert "'pricing'" in refused.value.hint


LINKS = [
    *(f"debates/{SLUG}/{n}" for n in ("debate.md", "arguments", "inbox")),
    *("debates", f"debates/{SLUG}"),
]


@pytest.mark.parametrize("name", LINKS)
def test_a_link_out_is_refused_by_name(work: Path, name: str) -> None:
    outside = work / "outside"
    inside = work / "inside"
    inside.mkdir()
    os.chdir(inside)
    debate_at(1)
    run("next", SLUG)
    shutil.move(name, outside)
    Path(name).symlink_to(outside)
    before = sorted(outside.rglob("*"))
    with pytest.raises(BadRecordError, match=rf"^{name} is a symbolic link"):
        folder.find(SLUG)
    for command, *options in (["next"], ["submit", "--step", 2], ["undo"], ["status"]):
        assert run(command, SLUG, *options, "--json").code == 5
    assert sorted(outside.rglob("*")) == before


@pytest.mark.parametrize("name", ["inbox/refused", "scores.json"])
def test_a_link_where_words_are_put_is_refused_too(work: Path, name: str) -> None:
    place = debate_at(1)
    Path(place.path, "inbox").mkdir()
    (work / "outside").mkdir()
    Path(place.path, name).symlink_to(work / "outside")
    with pytest.raises(BadRecordError, match=f"{name} is a symbolic link"):
        folder.find(SLUG)


@pytest.mark.parametrize("name", ["debate.md", "inbox"])
@pytest.mark.parametrize("kind", ["pipe", "other"])
def test_what_is_not_what_it_should_be_is_refused(name: str, kind: str) -> None:
    place = debate_at(1)
    path = Path(place.path, name)
    was_file = path.is_file()
    shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif was_file:
        path.mkdir()
    else:
        path.write_text("", encoding="utf-8")
    with pytest.raises(BadRecordError, match=f"{name} is not what it should be"):
        folder.find(SLUG)


def test_only_debates_are_listed(work: Path) -> None:
    new_debate("b")
    new_debate("a")
    for name in (".a.1.debate-ops.tmp", "No-Slug", "c"):
        shutil.copytree(work / "debates" / "a", work / "debates" / name)
    (work / "debates" / "c" / "debate.md").unlink()
    (work / "debates" / "notes.md").write_text("", encoding="utf-8")
    assert folder.slugs() == ["a", "b"]


def test_a_list_follows_no_link_and_shows_the_rest(work: Path) -> None:
    new_debate("a")
    debate_at(1)
    shutil.move(f"debates/{SLUG}", work / "outside")
    (work / "debates" / SLUG).symlink_to(work / "outside")
    half = work / "outside" / ".debate.md.debate-ops.tmp"
    half.write_text("half", encoding="utf-8")
    result = run("list", "--json").result["debates"]
    assert [row["debate"] for row in result] == ["a", SLUG]
    assert f"debates/{SLUG} is a symbolic link" in result[1]["error"]
    assert half.exists()


def test_what_is_there_is_not_made_anew(work: Path) -> None:
    new_debate()
    before = (work / "debates" / SLUG / "debate.md").read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        new_debate()
    (work / "debates" / "b").symlink_to("nowhere")
    with pytest.raises(UsageError, match="exists already"):
        new_debate("b")
    assert (work / "debates" / SLUG / "debate.md").read_bytes() == before


def test_what_an_abandoned_new_left_is_cleared_away_later(work: Path) -> None:
    old, fresh, other = (work / "debates" / f".{s}.debate-ops.tmp" for s in ("a.1", "a.2", "b.1"))
    for path in (old, fresh, other):
        path.mkdir(parents=True)
    for path in (old, other):
        os.utime(path, (0, 0))
    engine.create("a", Framing("A motion"))
    assert [path.exists() for path in (old, fresh, other)] == [False, True, True]
