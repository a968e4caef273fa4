"""Rendering into a folder: complete, repeatable, nothing of a person's lost, no link followed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError
from debate_ops.reports import file_names, marks
from debate_ops.reports.render import Rendered, render
from debate_ops.storage import files
from debate_ops.storage.folder import Folder
from tests import builders
from tests.builders import debate_at, hold, hold_until, new_debate, opening, rescore
from tests.reports.pages import check_form, check_links

pytestmark = pytest.mark.usefixtures("work")

NAMES = ("README.md", "report.html", "argument-graph.mmd", *file_names.maps(png=False))
FOREIGN = b"<!doctype html><script>fetch('//evil')</script>\n"


def contents(folder: Folder, names: tuple[str, ...] = NAMES) -> dict[str, bytes]:
    return {name: Path(folder.path, name).read_bytes() for name in names}


def page(folder: Folder) -> str:
    return Path(folder.path, "README.md").read_text(encoding="utf-8")


def codes(rendered: Rendered) -> list[str]:
    return [warning.code for warning in rendered.warnings if warning.code != "word_limit"]


def aside(folder: Folder, name: str) -> bytes:
    """Return what was set aside first of the files of this name."""
    return Path(folder.path, f"set-aside/1-{Path(name).name}").read_bytes()


def rescored() -> Folder:
    """Return a debate of an opening and two exchanges, with a rescore."""
    folder = debate_at(2)
    attack = {"attacks": [builders.attack("opp_001")], "defends": [builders.defence("prop_000a")]}
    hold(folder, prop=builders.rebuttal("prop", 2, **attack))
    change = [rescore("opp_000c", -0.5)]
    hold(folder, judge=builders.judgment(2, builders.scores_of(2), change))
    return folder


# ---------------------------------------------------------------- rendering


def test_a_report_is_pages_graph_and_charts_and_leaves_the_record_alone() -> None:
    folder = rescored()
    before = builders.record_of(folder)
    rendered = render(folder)
    assert rendered.files == tuple(folder.within(*name.split("/")) for name in NAMES)
    assert all(Path(path).is_file() for path in rendered.files)
    assert (rendered.unchanged, codes(rendered)) == (False, [])
    check_form(page(folder).replace(marks.END, "").split("-->\n", 1)[1])
    check_links(page(folder), Path(folder.path))
    after = builders.record_of(folder)
    assert {name: after[name] for name in before} == before


def test_the_same_record_gives_the_same_bytes_elsewhere() -> None:
    folder = rescored()
    render(folder)
    Path("elsewhere").mkdir()
    copy = Folder("elsewhere/other-name")
    shutil.copytree(folder.path, copy.path)
    for name in NAMES:
        Path(copy.path, name).unlink()
    render(copy)
    assert contents(copy) == contents(folder)


def test_an_unchanged_debate_writes_nothing_and_says_the_same() -> None:
    folder = rescored()
    Path(folder.path, "brief.md").write_text("no brief", encoding="utf-8")
    first = render(folder, ask=True)
    before = {name: os.stat(folder.within(name)).st_mtime_ns for name in NAMES}
    second = render(folder, ask=True)
    assert "brief_left_out" in codes(first)
    assert second == first._replace(unchanged=True)
    assert {name: os.stat(folder.within(name)).st_mtime_ns for name in NAMES} == before


def test_a_prompt_that_is_gone_or_changed_is_written_again() -> None:
    folder = debate_at(1)
    slot = render(folder, ask=True).slot
    assert slot
    prompt = Path(slot.prompt)
    before = prompt.read_bytes()
    prompt.unlink()
    assert render(folder, ask=True).slot == slot
    prompt.write_text("Say that the motion stands.", encoding="utf-8")
    assert render(folder, ask=True).unchanged
    assert prompt.read_bytes() == before


def test_matplotlib_is_needed_for_a_png_alone_and_without_it_all_stays_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = debate_at(1)
    Path(folder.path, "README.md").write_text("mine", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "debate_ops.reports.png", raising=False)
    monkeypatch.delattr("debate_ops.reports.png", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError):
        render(folder, png=True)
    assert page(folder) == "mine"
    assert not Path(folder.path, "charts").exists()
    assert not render(folder).unchanged


def test_a_program_that_renders_otherwise_renders_again(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = debate_at(1)
    render(folder)
    monkeypatch.setattr("debate_ops.reports.readme.render", lambda _: "otherwise")
    rendered = render(folder)
    assert (rendered.unchanged, codes(rendered)) == (False, [])


def test_png_is_rendered_where_asked_for_and_then_kept_up_to_date() -> None:
    folder = debate_at(1)
    rendered = render(folder, png=True)
    names = file_names.maps(png=True)
    assert {folder.within(*name.split("/")) for name in names} <= set(rendered.files)
    before = contents(folder, names)
    assert render(folder).unchanged
    hold_until(folder, 2)
    assert codes(render(folder)) == []
    after = contents(folder, names)
    assert all(before[name] != after[name] for name in names)


def test_titles_of_any_kind_go_through_the_whole_report() -> None:
    folder = new_debate()
    render(folder)
    title = 'Say "<b>|</b>" & `x` $5 to 東京 🚀 ]) %% end'
    hold(folder, prop=opening("prop", *[builders.argument(title=title)] * 3))
    render(folder)
    check_form(page(folder).replace(marks.END, "").split("-->\n", 1)[1])
    check_links(page(folder), Path(folder.path))


def test_entries_taken_back_are_named_in_the_page() -> None:
    folder = debate_at(2)
    engine.undo(folder)
    render(folder)
    assert "set-aside/1-judge_001.md" in page(folder)


# ---------------------------------------------------------------- what a person has written


def test_notes_outside_of_the_block_survive() -> None:
    folder = debate_at(1)
    render(folder)
    Path(folder.path, "README.md").write_text(f"Above\n\n{page(folder)}\nBelow\n", encoding="utf-8")
    assert render(folder).unchanged
    hold_until(folder, 2)
    assert codes(render(folder)) == []
    assert page(folder).startswith("Above\n\n<!-- debate-ops:begin")
    assert page(folder).endswith("-->\n\nBelow\n")


@pytest.mark.parametrize("name", ["README.md", "report.html", "charts/map-dark.svg"])
@pytest.mark.parametrize("data", [FOREIGN, b"# Mine \xff\n"])
def test_a_file_of_somebody_elses_is_set_aside(name: str, data: bytes) -> None:
    folder = debate_at(1)
    place = Path(folder.path, name)
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(data)
    rendered = render(folder)
    assert codes(rendered) == ["set_aside"]
    assert rendered.warnings[-1].file == f"set-aside/1-{place.name}"
    assert aside(folder, name) == data
    assert render(folder).unchanged


@pytest.mark.parametrize("name", ["README.md", "report.html", "argument-graph.mmd"])
@pytest.mark.parametrize("later", [0, 1], ids=["the same record", "a later record"])
def test_a_file_changed_by_hand_is_set_aside_and_the_others_are_not(name: str, later: int) -> None:
    folder = debate_at(1)
    render(folder)
    first = contents(folder)
    path = Path(folder.path, name)
    edited = first[name].replace(b"prop", b"pr0p")
    path.write_bytes(edited)
    hold_until(folder, 1 + later)
    assert codes(render(folder)) == ["set_aside"]
    assert aside(folder, name) == edited
    assert b"pr0p" not in path.read_bytes()
    assert (contents(folder) == first) == (later == 0)


def test_a_file_that_is_gone_is_rendered_again_and_an_empty_one_is_nobodys() -> None:
    folder = debate_at(1)
    render(folder)
    before = contents(folder)
    Path(folder.path, "argument-graph.mmd").unlink()
    Path(folder.path, "charts/map-dark.svg").write_bytes(b"\n")
    rendered = render(folder)
    assert (rendered.unchanged, codes(rendered)) == (False, ["restored"])
    assert contents(folder) == before


def test_a_map_that_comes_with_the_first_arguments_was_not_missing() -> None:
    folder = new_debate()
    assert not any("charts" in name for name in render(folder).files)
    hold_until(folder, 1)
    rendered = render(folder)
    assert any("charts" in name for name in rendered.files)
    assert "restored" not in codes(rendered)


def test_a_png_of_somebody_elses_is_set_aside_and_one_of_ours_is_rendered_again() -> None:
    folder = debate_at(1)
    render(folder, png=True)
    foreign, ours = (Path(folder.path, f"charts/map-{theme}.png") for theme in ("dark", "light"))
    mine = b"\x89PNG\r\n\x1a\n, but not from debate-ops"
    foreign.write_bytes(mine)
    ours.write_bytes(ours.read_bytes() + b"more")
    assert codes(render(folder)) == ["set_aside"]
    assert aside(folder, foreign.name) == mine


def test_a_report_of_an_older_version_is_rendered_again_without_a_word() -> None:
    folder = debate_at(1)
    render(folder)
    old = "<!-- Drawn by debate-ops from the record; changes here are lost. -->\n<p>Old</p>\n"
    Path(folder.path, "report.html").write_text(old, encoding="utf-8")
    hint = 'drawn by "debate-ops report"; notes above or below this block stay -->'
    digest = marks.digest(b"# Old\n")
    begin = f"{marks.BEGIN} inputs=0 page={digest} files=0 {hint}"
    Path(folder.path, "README.md").write_text(f"Mine\n{begin}\n\n# Old\n\n{marks.END}\n")
    rendered = render(folder)
    assert (rendered.unchanged, codes(rendered)) == (False, [])
    assert page(folder).startswith("Mine\n")


def test_a_forged_page_is_rendered_again_whatever_its_folder_says_of_it() -> None:
    folder = debate_at(1)
    render(folder)
    ours = contents(folder)
    Path(folder.path, "report.html").write_bytes(marks.marked(f"<!-- {marks.MARK} -->\nevil\n"))
    text = marks.in_block("![x](http://evil)", marks.block(ours["README.md"]))
    Path(folder.path, "README.md").write_bytes(text)
    assert not render(folder).unchanged
    assert contents(folder) == ours


@pytest.mark.parametrize("place", ["-->\n", "\n<!-- debate-ops:end -->"])
def test_nothing_is_slipped_into_the_lines_around_the_page(place: str) -> None:
    folder = debate_at(1)
    render(folder)
    ours = contents(folder)
    slipped = page(folder).replace(place, f"--> ![x](http://evil) {place}", 1)
    Path(folder.path, "README.md").write_text(slipped, encoding="utf-8")
    assert not render(folder).unchanged
    assert contents(folder) == ours


def test_line_ends_that_git_changed_are_no_change() -> None:
    folder = debate_at(1)
    render(folder)
    for name in NAMES:
        path = Path(folder.path, name)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert render(folder).unchanged
    hold_until(folder, 2)
    assert codes(render(folder)) == []


# ---------------------------------------------------------------- links and full disks


@pytest.mark.parametrize("name", [*NAMES, "charts"])
def test_a_link_in_our_way_is_refused_and_not_followed(name: str) -> None:
    folder = debate_at(1)
    outside = Path("outside")
    if name == "charts":
        outside.mkdir()
    else:
        outside.write_text("untouched", encoding="utf-8")
    place = Path(folder.path, name)
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside.absolute())
    with pytest.raises(BadRecordError, match="is a symbolic link"):
        render(folder)
    assert place.is_symlink()
    assert list(outside.iterdir()) == [] if name == "charts" else outside.read_text() == "untouched"


def test_something_else_in_our_way_is_refused() -> None:
    folder = debate_at(1)
    Path(folder.path, "README.md").mkdir()
    with pytest.raises(BadRecordError, match="is not what it should be"):
        render(folder)


@pytest.mark.parametrize("place", ["os.makedirs", "os.open", "os.replace"])
def test_a_disk_that_refuses_is_a_fault_of_the_disk_and_the_next_report_is_whole(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = debate_at(1)
    render(folder)
    hold_until(folder, 2)
    real = os.open

    def refused(path: str, *rest: object, **_: object) -> int:
        if place == "os.open" and not path.endswith(".lock"):
            return real(path, *rest)  # type: ignore[arg-type]
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr(place, refused)
        with pytest.raises(DiskError, match="read-only file system"):
            render(folder)
    assert codes(render(folder)) == []
    assert render(folder).unchanged


def test_a_stop_between_two_files_is_made_good_by_the_next_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = debate_at(1)
    render(folder)
    whole = contents(folder)
    hold_until(folder, 2)

    def stopped(path: str, data: bytes) -> None:
        if path.endswith("README.md"):
            raise KeyboardInterrupt
        Path(path).write_bytes(data)

    with monkeypatch.context() as patched:
        patched.setattr(files, "write_derived", stopped)
        with pytest.raises(KeyboardInterrupt):
            render(folder)
    assert contents(folder)["README.md"] == whole["README.md"]
    rendered = render(folder)
    assert (rendered.unchanged, codes(rendered)) == (False, [])
    assert render(folder).unchanged
