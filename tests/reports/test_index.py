"""The index over all debates: a row each, links that lead, notes that stay, faults named."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import BAD_RECORD, BUG, DISK, DebateError
from debate_ops.reports import index, marks
from debate_ops.reports.index import Row
from debate_ops.reports.render import Rendered
from debate_ops.storage.folder import Folder
from tests import gfm
from tests.builders import debate_at, new_debate, run
from tests.reports.consensus.debates import SPLIT, search

INDEX = Path("debates/index.md")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, work: Path) -> Path:
    """Render no report, but for a README.md: the index is what these tests look at."""

    def render(folder: Folder) -> Rendered:
        page = Path(folder.path, "README.md")
        page.write_text("A page", encoding="utf-8")
        return Rendered((str(page), "more"), (), unchanged=False)

    monkeypatch.setattr(index, "render", render)
    return work


def rows() -> dict[str, list[str]]:
    """Return the cells of the index by the link or name of the debate."""
    lines = [line for line in INDEX.read_text(encoding="utf-8").split("\n") if line[:2] == "| "]
    cells = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines[2:]]
    return {row[0]: row[1:] for row in cells}


def own_part() -> str:
    """Return our part of the index; fail where it is not as it was rendered."""
    own = marks.block(INDEX.read_bytes())
    assert own is not None
    assert own.is_ours
    return own.text


def again(*words: str) -> dict[str, Any]:
    return run("report", "--all", *words, "--json").result


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_changes_the_form_of_the_table(motion: str, result: str) -> None:
    def made(motion: str, result: str) -> list[Row]:
        rendered = Rendered((), (), unchanged=False, answer=result, sure=motion)
        row = Row("a", motion=motion, place=motion, rendered=rendered)
        return [row, row._replace(rendered=None, error=DebateError(result))]

    for own, plain in zip(made(motion, result), made("", ""), strict=True):
        assert gfm.structure(index.page([own])) == gfm.structure(index.page([plain]))


def test_every_debate_is_rendered_with_a_row_of_its_own_and_a_second_time_changes_nothing(
    work: Path,
) -> None:
    new_debate(slug="b-new")
    search(SPLIT, max_cycles=1, slug="a-split", motion="Which <b>?")
    first = run("report", "--all", "--json")
    assert (first.code, first.result["success"]) == (0, True)
    assert [each["debate"] for each in first.result["debates"]] == ["a-split", "b-new"]
    files = [name for each in first.result["debates"] for name in each["files"]]
    assert all((work / name).is_file() for name in files)
    text = INDEX.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (INDEX.parent / target).is_file()
    assert list(rows()) == [
        "[Which &lt;b&gt;?](a-split/README.md)",
        "[This house would X](b-new/README.md)",
    ]
    split, new = rows().values()
    assert split[:2] == ["consensus", "cycle 1, a person is awaited"]
    assert split[3:5] == ["not finished", "2026-01-01"]
    assert new[:2] == ["exchange", "opening"]
    before = INDEX.stat().st_mtime_ns
    assert again()["unchanged"] is True
    assert (INDEX.read_text(encoding="utf-8"), INDEX.stat().st_mtime_ns) == (text, before)


@pytest.mark.usefixtures("quick")
def test_one_debate_with_faults_stops_no_other_and_all_its_faults_are_named() -> None:
    new_debate(slug="a-good")
    bad = debate_at(1)
    for name in ("prop_000a", "opp_000b"):
        os.unlink(bad.entry("arguments", name))
    new_debate(slug="z-good")
    answer = run("report", "--all", "--json")
    assert (answer.code, answer.result["success"], answer.result["code"]) == (
        5,
        False,
        "bad_record",
    )
    assert [each["success"] for each in answer.result["debates"]] == [True, False, True]
    assert len(answer.result["errors"]) == 1 + len(answer.result["debates"][1]["faults"]) > 2
    assert rows()["x-debate"][2].startswith("**Not rendered:** ")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("error", "code", "word"), [(RecursionError(), BUG, "bug"), (PermissionError(), DISK, "disk")]
)
def test_an_unforeseen_error_over_one_debate_stops_no_other(
    error: Exception, code: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("a-good", "b-bad", "c-good"):
        new_debate(slug=slug)
    usual: Callable[..., Rendered] = vars(index)["render"]

    def render(folder: Folder) -> Rendered:
        if folder.slug == "b-bad":
            raise error
        return usual(folder)

    monkeypatch.setattr(index, "render", render)
    answer = run("report", "--all", "--json")
    assert (answer.code, answer.result["code"], answer.result["index"]) == (code, word, str(INDEX))
    assert [each["success"] for each in answer.result["debates"]] == [True, False, True]
    assert rows()["b-bad"][2].startswith("**Not rendered:** ")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("place", ["debates", "debates/index.md", "debates/x-debate"])
def test_a_symbolic_link_is_refused_and_nothing_is_written_there(place: str) -> None:
    new_debate()
    elsewhere = Path("elsewhere")
    if os.path.exists(place):
        os.rename(place, elsewhere)
    else:
        elsewhere.write_text("mine", encoding="utf-8")
    os.symlink(elsewhere.absolute(), place)
    before = sorted(elsewhere.rglob("*"))
    assert run("report", "--all", "--json").code == 5
    assert sorted(elsewhere.rglob("*")) == before


@pytest.mark.usefixtures("quick")
def test_a_debate_whose_name_is_no_slug_is_named_each_time_and_is_in_the_index() -> None:
    new_debate()
    names = {"x|y <b>": "x|y <b>"}
    if sys.platform == "linux":  # where such a name can be made
        names["\ufffd"] = os.fsdecode(b"\xff")
    for name in names.values():
        shutil.copytree("debates/x-debate", f"debates/{name}")
    Path("debates/No Debate").mkdir()
    for unchanged in (False, True):
        answer = run("report", "--all", "--json")
        assert (answer.code, answer.result["unchanged"]) == (0, unchanged)
        warned = {each["file"] for each in answer.result["warning_details"]}
        assert warned == {f"debates/{name}" for name in names}
        assert [each["debate"] for each in answer.result["debates"]] == ["x-debate"]
    assert INDEX.read_text(encoding="utf-8").count("**Not rendered:**") == len(names)


@pytest.mark.usefixtures("quick")
def test_without_a_debate_that_has_a_slug_there_is_nothing_to_render() -> None:
    assert run("report", "--all", "--json").code == 2
    new_debate()
    os.rename("debates/x-debate", "debates/X Debate")
    answer = run("report", "--all", "--json")
    assert answer.code == 2
    assert "debates/X Debate" in str(answer.result)
    assert not INDEX.exists()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("is_ours", [True, False], ids=["changed by hand", "of somebody else"])
def test_an_index_that_is_not_as_we_rendered_it_is_set_aside(*, is_ours: bool) -> None:
    new_debate()
    INDEX.write_text("\n", encoding="utf-8")
    assert again()["warnings"] == []
    text = INDEX.read_text(encoding="utf-8").replace("# Debates", "# Mine") if is_ours else "Mine."
    INDEX.write_text(text, encoding="utf-8")
    assert again()["warning_details"][0]["file"] == "debates/set-aside/1-index.md"
    assert Path("debates/set-aside/1-index.md").read_text(encoding="utf-8") == text
    assert own_part()
    assert again()["unchanged"] is True


@pytest.mark.usefixtures("quick")
def test_an_index_is_not_set_aside_through_a_link(tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    new_debate()
    INDEX.write_text("Mine.", encoding="utf-8")
    Path("debates/set-aside").symlink_to(elsewhere)
    answer = run("report", "--all", "--json")
    assert answer.code == BAD_RECORD
    assert not list(elsewhere.iterdir())
    assert INDEX.read_text(encoding="utf-8") == "Mine."


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--all", "x-debate", "--verbose"], "DEBATE and --verbose"),
        (["--all", "--brief", "f.json"], "--brief"),
        ([], "no debates"),
    ],
)
def test_a_debate_or_all_is_required_and_not_both(words: list[str], named: str) -> None:
    answer = run("report", *words, "--json")
    assert (answer.code, answer.result["code"]) == (2, "usage")
    assert named in answer.result["error"]
