"""The index over all debates: a row each, links that lead, notes that stay, faults told."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.cli import reference
from debate_ops.errors import BAD_RECORD, BUG, DISK
from debate_ops.reports import block, draw_all, index
from debate_ops.reports.draw import Drawn
from debate_ops.reports.index import Row
from debate_ops.storage.folder import Folder
from tests.builders import debate_at, new_debate, run
from tests.cli.test_transcript import say
from tests.reports.consensus.debates import SPLIT, search
from tests.reports.formal.debates import HOSTILE, formal
from tests.reports.pages import check_form

INDEX = Path("debates/index.md")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, work: Path) -> Path:
    """Draw no report, but for a README.md: the index is what these tests look at."""

    def drawn(folder: Folder, *, png: bool = False) -> Drawn:
        page = Path(folder.path, "README.md")
        page.write_text(f"drawn, png {png}", encoding="utf-8")
        return Drawn((str(page), "more"), (), unchanged=False)

    monkeypatch.setattr(draw_all, "draw", drawn)
    return work


def rows() -> dict[str, list[str]]:
    """Return the cells of the index by the link or name of the debate."""
    lines = [line for line in INDEX.read_text(encoding="utf-8").split("\n") if line[:2] == "| "]
    cells = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines[2:]]
    return {row[0]: row[1:] for row in cells}


# ---------------------------------------------------------------- the page


def test_a_row_tells_what_where_how_far_what_came_of_it_and_when() -> None:
    row = Row(
        slug="a-b",
        protocol="formal",
        motion="Shall *we*?\nYes",
        place="completed",
        answer="Yes *indeed*",
        sure="low",
        begun="2026-01-02T03:04:05Z",
        files=("README.md", "report.html"),
    )
    assert (
        "| [Shall \\*we\\*? Yes](a-b/README.md) | formal | completed | Yes \\*indeed\\* | low | "
        "2026-01-02 | [README.md](a-b/README.md), [report.html](a-b/report.html) |"
    ) in index.page([row])


def test_rows_stand_by_name_whatever_their_order() -> None:
    made = [Row(slug, motion=slug) for slug in ("b", "a", "c-1")]
    page = index.page(made)
    assert page == index.page(reversed(made))
    assert page.index("| a |") < page.index("| b |") < page.index("| c-1 |")


def test_only_pages_that_are_there_are_linked() -> None:
    assert "](" not in index.page([Row("a", motion="Why?")])


def test_a_debate_that_could_not_be_drawn_is_told_with_its_error() -> None:
    page = index.page([Row("a", error="a has faults"), Row("b", motion="Why?")])
    assert "2 debates. 1 of them could not be drawn" in page
    assert "| a |  |  | **Not drawn:** a has faults |  |" in page


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_changes_the_form_of_the_table(motion: str, result: str) -> None:
    page = index.page(
        [Row("a", motion=motion, answer=result, sure=motion, place=motion, error=result)]
    )
    check_form(page)
    assert sum(line.startswith("| ") for line in page.split("\n")) == 3


# ---------------------------------------------------------------- the command


def test_every_debate_is_drawn_and_listed_and_a_second_time_changes_nothing(work: Path) -> None:
    debate_at(2)
    formal(cross_exam_questions=0, slug="spoken")
    told = run("report", "--all", "--json")
    assert (told.code, told.told["success"]) == (0, True)
    assert set(told.told) <= {key for keys in reference.ANSWERS.values() for key in keys}
    assert [each["debate"] for each in told.told["debates"]] == ["spoken", "x-debate"]
    files = [name for each in told.told["debates"] for name in each["files"]]
    assert all((work / name).is_file() for name in files)
    text = INDEX.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (INDEX.parent / target).is_file()
    before = INDEX.stat()
    again = run("report", "--all", "--json").told
    assert again["unchanged"] is True
    assert (INDEX.read_text(encoding="utf-8"), INDEX.stat().st_mtime_ns) == (
        text,
        before.st_mtime_ns,
    )


@pytest.mark.usefixtures("work")
def test_each_row_is_of_its_debate() -> None:
    new_debate(slug="b-new")
    search(SPLIT, max_cycles=1, slug="a-split", motion="Which <b>?")
    assert run("report", "--all", "--json").code == 0
    found = rows()
    assert list(found) == [
        "[Which &lt;b&gt;?](a-split/README.md)",
        "[This house would X](b-new/README.md)",
    ]
    split, new = found.values()
    assert split[:2] == ["consensus", "cycle 1, a person is awaited"]
    assert split[2:5] == [
        *("No agreement: a person has to decide between 3 options", "too close to call"),
        "2026-01-01",
    ]
    assert new[:2] == ["exchange", "opening"]


@pytest.mark.usefixtures("quick")
def test_one_debate_with_faults_is_told_and_stops_no_other() -> None:
    new_debate(slug="a-good")
    bad = new_debate(slug="b-bad")
    Path(bad.debate_file).write_text("---\n{broken\n---\n", encoding="utf-8")
    new_debate(slug="c-good")
    answer = run("report", "--all", "--json")
    assert (answer.code, answer.told["success"], answer.told["code"]) == (5, False, "bad_record")
    assert answer.told["error"] == "1 of 3 debates could not be drawn"
    assert [each["success"] for each in answer.told["debates"]] == [True, False, True]
    assert answer.told["errors"][0].startswith("b-bad: ")
    assert rows()["b-bad"][2].startswith("**Not drawn:** ")
    said = say("report", "--all")
    assert said.code == 5
    assert "fault: b-bad: " in said.out
    assert "Drawn: debates/c-good/README.md and 1 more\n" in said.out


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("error", "code", "word"), [(RecursionError(), BUG, "bug"), (PermissionError(), DISK, "disk")]
)
def test_an_unforeseen_error_over_one_debate_stops_no_other(
    error: Exception, code: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("a-good", "b-bad", "c-good"):
        new_debate(slug=slug)

    def drawn(folder: Folder, *, png: bool = False) -> Drawn:
        if folder.slug == "b-bad":
            raise error
        return Drawn((folder.slug, f"png {png}"), (), unchanged=False)

    monkeypatch.setattr(draw_all, "draw", drawn)
    answer = run("report", "--all", "--json")
    assert (answer.code, answer.told["code"], answer.told["index"]) == (code, word, str(INDEX))
    assert [each["success"] for each in answer.told["debates"]] == [True, False, True]
    assert len(answer.told["errors"]) == 1
    assert rows()["b-bad"][2].startswith("**Not drawn:** ")


@pytest.mark.usefixtures("quick")
def test_all_faults_of_a_debate_are_told() -> None:
    folder = debate_at(1)
    for name in ("prop_000a", "opp_000b"):
        os.unlink(folder.entry("arguments", name))
    told = run("report", "--all", "--json").told
    assert len(told["debates"][0]["faults"]) > 1
    assert len(told["errors"]) == 1 + len(told["debates"][0]["faults"])


@pytest.mark.usefixtures("quick")
def test_a_debate_behind_a_symbolic_link_is_refused_and_nothing_is_written_there() -> None:
    folder = new_debate()
    elsewhere = Path("elsewhere")
    os.rename(folder.path, elsewhere)
    os.symlink(elsewhere.absolute(), folder.path)
    before = sorted(elsewhere.rglob("*"))
    assert run("report", "--all", "--json").code == 5
    assert sorted(elsewhere.rglob("*")) == before
    assert "is a symbolic link" in rows()["x-debate"][2]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("place", ["debates", "debates/index.md"])
def test_an_index_in_the_place_of_a_link_is_refused_before_anything_is_drawn(place: str) -> None:
    folder = new_debate()
    elsewhere = Path("elsewhere")
    if place == "debates":
        os.rename("debates", elsewhere)
    else:
        elsewhere.write_text("mine", encoding="utf-8")
    os.symlink(elsewhere.absolute(), place)
    answer = run("report", "--all", "--json")
    assert (answer.code, answer.told["error"]) == (5, f"{place} is a symbolic link")
    assert not Path(folder.path, "README.md").exists()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "name", ["My Debate", "a_b", "x|y <b>", "caf\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_a_debate_whose_name_is_no_slug_is_told_each_time_and_stands_in_the_index(
    name: str,
) -> None:
    new_debate()
    shutil.copytree("debates/x-debate", f"debates/{name}")
    Path("debates/No Debate").mkdir()
    for unchanged in (False, True):
        answer = run("report", "--all", "--json")
        assert (answer.code, answer.told["unchanged"]) == (0, unchanged)
        (warning,) = answer.told["warnings"]
        assert f"debates/{name} is left out: its name is no slug" in warning
        assert [each["debate"] for each in answer.told["debates"]] == ["x-debate"]
    text = INDEX.read_text(encoding="utf-8")
    assert text.count("**Not drawn:** its name is no slug") == 1
    assert "2 debates. 1 of them could not be drawn" in text
    found = block.parse(text)
    assert found is not None
    check_form(found.text)


@pytest.mark.usefixtures("quick")
def test_where_no_debate_has_a_slug_the_answer_names_those_without() -> None:
    new_debate()
    os.rename("debates/x-debate", "debates/X Debate")
    answer = run("report", "--all", "--json")
    assert answer.code == 2
    assert "debates/X Debate is left out: its name is no slug" in str(answer.told)


@pytest.mark.usefixtures("quick")
@pytest.mark.skipif(sys.platform != "linux", reason="such a name can be made on Linux alone")
def test_a_name_that_is_no_text_is_told_too() -> None:
    new_debate()
    shutil.copytree("debates/x-debate", os.fsdecode(b"debates/\xff"))
    assert "debates/\ufffd is left out" in run("report", "--all", "--json").told["warnings"][0]


@pytest.mark.usefixtures("quick")
def test_notes_around_the_index_stay() -> None:
    new_debate()
    run("report", "--all", "--json")
    drawn = INDEX.read_text(encoding="utf-8")
    INDEX.write_text(f"Above.\n\n{drawn}\nBelow.\n", encoding="utf-8")
    assert run("report", "--all", "--json").told["unchanged"] is True
    new_debate(slug="another")
    told = run("report", "--all", "--json").told
    assert (told["unchanged"], told["warnings"]) == (False, [])
    text = INDEX.read_text(encoding="utf-8")
    assert text.startswith("Above.\n\n<!-- debate-ops:begin")
    assert text.endswith("<!-- debate-ops:end -->\n\nBelow.\n")
    assert "another/README.md" in text


@pytest.mark.usefixtures("quick")
def test_line_ends_that_git_changed_are_no_reason_to_draw_again() -> None:
    new_debate()
    run("report", "--all", "--json")
    INDEX.write_bytes(INDEX.read_bytes().replace(b"\n", b"\r\n"))
    assert run("report", "--all", "--json").told["unchanged"] is True


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("is_ours", [True, False], ids=["changed by hand", "of somebody else"])
def test_an_index_that_is_not_as_we_drew_it_is_set_aside(*, is_ours: bool) -> None:
    new_debate()
    run("report", "--all", "--json")
    text = INDEX.read_text(encoding="utf-8").replace("# Debates", "# Mine") if is_ours else "Mine."
    INDEX.write_text(text, encoding="utf-8")
    told = run("report", "--all", "--json").told
    assert "what stood there is now debates/set-aside/1-index.md" in told["warnings"][0]
    assert Path("debates/set-aside/1-index.md").read_text(encoding="utf-8") == text
    found = block.parse(INDEX.read_text(encoding="utf-8"))
    assert found is not None
    assert found.untouched
    assert run("report", "--all", "--json").told["unchanged"] is True


@pytest.mark.usefixtures("quick")
def test_an_index_is_not_set_aside_through_a_link(tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    new_debate()
    INDEX.write_text("Mine.", encoding="utf-8")
    Path("debates/set-aside").symlink_to(elsewhere)
    answer = run("report", "--all", "--json")
    assert answer.code == BAD_RECORD
    assert "debates/set-aside is a symbolic link" in answer.told["error"]
    assert not list(elsewhere.iterdir())
    assert INDEX.read_text(encoding="utf-8") == "Mine."


@pytest.mark.usefixtures("quick")
def test_an_empty_file_is_nobodys() -> None:
    new_debate()
    INDEX.write_text("\n", encoding="utf-8")
    assert run("report", "--all", "--json").told["warnings"] == []


@pytest.mark.usefixtures("quick")
def test_png_goes_to_every_debate() -> None:
    folder = new_debate()
    run("report", "--all", "--png", "--json")
    assert Path(folder.path, "README.md").read_text(encoding="utf-8") == "drawn, png True"


@pytest.mark.usefixtures("work")
def test_without_debates_there_is_nothing_to_draw() -> None:
    answer = run("report", "--all", "--json")
    assert answer.code == 2
    assert answer.told["error"].startswith("there are no debates in ")
    assert not INDEX.exists()


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["x-debate"], "DEBATE"),
        (["--brief", "f.json"], "--brief"),
        (["--verbose"], "--verbose"),
        (["x-debate", "--verbose"], "DEBATE and --verbose"),
    ],
)
def test_what_is_for_one_debate_is_refused_with_all(words: list[str], named: str) -> None:
    answer = run("report", "--all", *words, "--json")
    assert answer.code == 2
    assert answer.told["error"].startswith(f"--all and {named} exclude each other")


@pytest.mark.usefixtures("work")
def test_a_debate_or_all_is_wanted() -> None:
    answer = run("report", "--json")
    assert (answer.code, answer.told["code"]) == (2, "usage")
    assert answer.told["error"].startswith("name a DEBATE, or give --all for every one")


@pytest.mark.usefixtures("quick")
def test_hostile_motions_are_text_in_the_index() -> None:
    formal(cross_exam_questions=0, motion=HOSTILE, turns=1)
    run("report", "--all", "--json")
    found = block.parse(INDEX.read_text(encoding="utf-8"))
    assert found is not None
    check_form(found.text)
    assert len(rows()) == 1
