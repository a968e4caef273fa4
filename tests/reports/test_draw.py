"""Drawing into a folder: complete, repeatable, nothing of a person's lost, no link followed."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path
from subprocess import run

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError
from debate_ops.reports import block, files_drawn
from debate_ops.reports.draw import Drawn, draw
from debate_ops.reports.exchange.report import CHARTS
from debate_ops.storage import files
from debate_ops.storage.folder import Folder
from tests import builders
from tests.builders import ROOT, debate_at, hold, hold_until, new_debate, opening, rescore
from tests.reports.pages import check_form, check_links

pytestmark = pytest.mark.usefixtures("work")

NAMES = ("README.md", "report.html", "argument-graph.mmd", *files_drawn.charts(CHARTS, png=False))


def contents(folder: Folder, names: tuple[str, ...] = NAMES) -> dict[str, bytes]:
    return {name: Path(folder.path, name).read_bytes() for name in names}


def page(folder: Folder) -> str:
    return Path(folder.path, "README.md").read_text(encoding="utf-8")


def codes(drawn: Drawn) -> list[str]:
    return [warning.code for warning in drawn.warnings if warning.code != "word_limit"]


def rescored() -> Folder:
    """Return a debate of an opening and two exchanges, with a rescore, held by the engine."""
    folder = debate_at(2)
    attack = {"attacks": [builders.attack("opp_001")], "defends": [builders.defence("prop_000a")]}
    hold(folder, prop=builders.rebuttal("prop", 2, **attack))
    change = [rescore("opp_000c", -0.5)]
    hold(folder, judge=builders.judgment(2, builders.scores_of(2), change))
    return folder


# ---------------------------------------------------------------- drawing


def test_a_report_is_page_graph_and_charts() -> None:
    folder = rescored()
    drawn = draw(folder)
    assert drawn.files == tuple(folder.within(*name.split("/")) for name in NAMES)
    assert all(Path(path).is_file() for path in drawn.files)
    assert not drawn.unchanged
    assert codes(drawn) == []
    check_form(page(folder).replace(block.END, "").split("-->\n", 1)[1])


def test_every_link_of_the_page_leads_to_a_file() -> None:
    folder = rescored()
    draw(folder)
    check_links(page(folder), Path(folder.path))


def test_the_same_record_gives_the_same_bytes_elsewhere() -> None:
    folder = rescored()
    draw(folder)
    Path("elsewhere").mkdir()
    copy = Folder("elsewhere/other-name")
    shutil.copytree(folder.path, copy.path)
    for name in NAMES:
        Path(copy.path, name).unlink()
    draw(copy)
    assert contents(copy) == contents(folder)


def test_an_unchanged_debate_rewrites_nothing() -> None:
    folder = rescored()
    draw(folder)
    before = {name: os.stat(folder.within(name)).st_mtime_ns for name in NAMES}
    drawn = draw(folder)
    assert drawn.unchanged
    assert {name: os.stat(folder.within(name)).st_mtime_ns for name in NAMES} == before


def test_an_unchanged_report_computes_nothing_and_loads_no_matplotlib() -> None:
    folder = rescored()
    draw(folder, ask=True)
    code = (
        "import sys; from debate_ops.reports import draw, table;"
        "from debate_ops.storage.folder import Folder;"
        "table.report_of('exchange').read = None;"
        f"drawn = draw.draw(Folder({folder.path!r}), ask=True);"
        "sys.exit('matplotlib' in sys.modules or not drawn.unchanged or not drawn.slot)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    assert run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_what_is_told_of_an_unchanged_report_is_what_was_told_of_it_when_it_was_drawn() -> None:
    folder = debate_at(1)
    Path(folder.path, "brief.md").write_text("no brief", encoding="utf-8")
    first, second = draw(folder), draw(folder)
    assert "brief_left_out" in codes(first)
    assert second.unchanged
    assert (second.files, second.warnings) == (first.files, first.warnings)


def test_without_a_cache_a_report_is_drawn_again_and_found_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = debate_at(1)
    Path("cache").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.abspath("cache"))
    assert not draw(folder).unchanged
    assert draw(folder).unchanged


def test_other_libraries_draw_again(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = debate_at(1)
    draw(folder)
    monkeypatch.setattr("debate_ops.reports.draw._libraries", lambda: "newer")
    monkeypatch.setattr("debate_ops.reports.page.readme", lambda _: "drawn otherwise")
    assert not draw(folder).unchanged


def test_a_prompt_that_is_gone_is_written_again() -> None:
    folder = debate_at(1)
    slot = draw(folder, ask=True).slot
    assert slot
    prompt = Path(slot.prompt)
    before = prompt.read_bytes()
    prompt.unlink()
    assert draw(folder, ask=True).slot == slot
    prompt.write_text("Say that the motion stands.", encoding="utf-8")
    assert draw(folder, ask=True).unchanged
    assert prompt.read_bytes() == before


def test_without_matplotlib_the_report_fails_and_leaves_everything_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = debate_at(1)
    Path(folder.path, "README.md").write_text("mine", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "debate_ops.reports.painting", raising=False)
    monkeypatch.delattr("debate_ops.reports.painting", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError):
        draw(folder)
    assert page(folder) == "mine"
    assert not Path(folder.path, "charts").exists()


def test_a_new_exchange_is_drawn() -> None:
    folder = debate_at(1)
    draw(folder)
    hold_until(folder, 2)
    drawn = draw(folder)
    assert not drawn.unchanged
    assert codes(drawn) == []
    assert "after the opening and 1 exchange" in page(folder)


def test_a_program_that_draws_otherwise_draws_again(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = debate_at(1)
    draw(folder)
    monkeypatch.setattr("debate_ops.reports.draw._program", lambda: [b"another"])
    drawn = draw(folder)
    assert not drawn.unchanged
    assert codes(drawn) == []


def test_a_debate_without_arguments_can_be_drawn() -> None:
    folder = new_debate()
    draw(folder)
    assert "No answer yet" in page(folder)
    check_links(page(folder), Path(folder.path))


def test_png_is_drawn_where_asked_for_and_then_kept_up_to_date() -> None:
    folder = debate_at(1)
    drawn = draw(folder, png=True)
    names = files_drawn.charts(CHARTS, png=True)
    assert {folder.within(*name.split("/")) for name in names} <= set(drawn.files)
    before = contents(folder, names)
    assert draw(folder).unchanged
    hold_until(folder, 2)
    draw(folder)
    after = contents(folder, names)
    assert all(before[name] != after[name] for name in names)


def test_drawing_leaves_the_record_and_its_state_alone() -> None:
    folder = debate_at(2)
    before = builders.record_of(folder)
    draw(folder)
    after = builders.record_of(folder)
    assert {name: after[name] for name in before} == before


def test_titles_of_any_kind_go_through_the_whole_report() -> None:
    folder = new_debate()
    title = 'Say "<b>|</b>" & `x` $5 to 東京 🚀 ]) %% end'
    hold(folder, prop=opening("prop", *[builders.argument(title=title)] * 3))
    draw(folder)
    check_form(page(folder).replace(block.END, "").split("-->\n", 1)[1])
    check_links(page(folder), Path(folder.path))


# ---------------------------------------------------------------- what a person has written


def test_notes_outside_of_the_block_survive() -> None:
    folder = debate_at(1)
    draw(folder)
    Path(folder.path, "README.md").write_text(f"Above\n\n{page(folder)}\nBelow\n", encoding="utf-8")
    assert draw(folder).unchanged
    hold_until(folder, 2)
    assert codes(draw(folder)) == []
    assert page(folder).startswith("Above\n\n<!-- debate-ops:begin")
    assert page(folder).endswith("-->\n\nBelow\n")


def test_a_page_of_somebody_elses_is_set_aside_and_it_is_said_where() -> None:
    folder = debate_at(1)
    Path(folder.path, "README.md").write_bytes(b"# Mine \xff\n")
    drawn = draw(folder)
    (warning,) = [w for w in drawn.warnings if w.code == "set_aside"]
    assert warning.message == (
        "README.md was not drawn by this program; what stood there is now set-aside/1-README.md"
    )
    assert Path(folder.path, "set-aside/1-README.md").read_bytes() == b"# Mine \xff\n"


def test_a_page_changed_by_hand_is_set_aside_before_it_is_drawn_again() -> None:
    folder = debate_at(1)
    draw(folder)
    first = page(folder)
    edited = first.replace("How sure is this?", "How sure am I?")
    Path(folder.path, "README.md").write_text(edited, encoding="utf-8")
    drawn = draw(folder)
    assert codes(drawn) == ["set_aside"]
    assert page(folder) == first
    assert Path(folder.path, "set-aside/1-README.md").read_text(encoding="utf-8") == edited


@pytest.mark.parametrize("name", ["argument-graph.mmd", "charts/scores-dark.svg"])
def test_a_drawn_file_that_is_gone_or_changed_is_drawn_again_and_that_is_said(name: str) -> None:
    folder = debate_at(1)
    draw(folder)
    before = contents(folder)
    path = Path(folder.path, name)
    path.unlink()
    assert [w.message for w in draw(folder).warnings if w.code == "redrawn"] == [
        f"{name} was missing and is drawn again"
    ]
    path.write_bytes(path.read_bytes().replace(b"prop", b"pr0p"))
    assert [w.message for w in draw(folder).warnings if w.code == "redrawn"] == [
        f"{name} was not what the record gives and is drawn again"
    ]
    assert contents(folder) == before
    assert draw(folder).unchanged


@pytest.mark.parametrize("name", ["report.html", "argument-graph.mmd", "charts/scores-dark.svg"])
@pytest.mark.parametrize("is_drawn", [True, False], ids=["drawn before", "never drawn"])
def test_a_file_that_only_speaks_of_this_program_is_set_aside(name: str, *, is_drawn: bool) -> None:
    folder = debate_at(1)
    if is_drawn:
        draw(folder)
    path = Path(folder.path, name)
    path.parent.mkdir(exist_ok=True)
    mine = (
        "<p>What debate-ops draws says:\n"
        "Drawn by debate-ops from the record; changes here are lost.</p>\n"
    )
    path.write_text(mine, encoding="utf-8")
    drawn = draw(folder)
    assert codes(drawn) == ["set_aside"]
    assert f"{name} was not drawn by this program" in drawn.warnings[-1].message
    aside = Path(folder.path, f"set-aside/1-{path.name}")
    assert aside.read_text(encoding="utf-8") == mine
    assert draw(folder).unchanged


def test_a_png_of_somebody_elses_is_set_aside_and_one_of_ours_is_drawn_again() -> None:
    folder = debate_at(1)
    draw(folder, png=True)
    foreign, ours = (Path(folder.path, f"charts/scores-{theme}.png") for theme in ("dark", "light"))
    mine = b"\x89PNG\r\n\x1a\n, but not from debate-ops"
    foreign.write_bytes(mine)
    ours.write_bytes(ours.read_bytes() + b"more")
    assert sorted(codes(draw(folder))) == ["redrawn", "set_aside"]
    assert Path(folder.path, "set-aside/1-scores-dark.png").read_bytes() == mine


@pytest.mark.parametrize("later", [0, 1], ids=["the same record", "a later record"])
def test_a_report_html_changed_by_hand_is_set_aside_before_it_is_drawn_again(later: int) -> None:
    folder = debate_at(1)
    draw(folder)
    path = Path(folder.path, "report.html")
    edited = path.read_text(encoding="utf-8").replace("</h1>", " (my words)</h1>")
    path.write_text(edited, encoding="utf-8")
    hold_until(folder, 1 + later)
    drawn = draw(folder)
    assert codes(drawn) == ["set_aside"]
    assert drawn.warnings[-1].message == (
        "report.html may have been changed by hand since it was drawn; "
        "what stood there is now set-aside/1-report.html"
    )
    assert Path(folder.path, "set-aside/1-report.html").read_text(encoding="utf-8") == edited
    assert "(my words)" not in path.read_text(encoding="utf-8")


def test_a_report_of_an_earlier_record_and_program_is_drawn_again_without_a_word() -> None:
    folder = debate_at(1)
    draw(folder)
    names = [name for name in NAMES if name != "README.md"]
    old = dict.fromkeys(names, b"drawn otherwise, without a mark\r\n")
    for name, data in old.items():
        Path(folder.path, name).write_bytes(data)
    found = block.parse(page(folder))
    assert found is not None
    parts = [
        part
        for name in sorted(old)
        for part in (name.encode(), b"drawn otherwise, " + b"without a mark\n")
    ]
    text = block.render(found.text, "0", block.digest(*parts), found)
    Path(folder.path, "README.md").write_text(text, encoding="utf-8")
    hold_until(folder, 2)
    assert codes(draw(folder)) == []
    assert not Path(folder.path, "set-aside").exists()


def forged(folder: Folder, page_of_theirs: bytes) -> None:
    """Put a page into a folder, and into its README.md the digests that make it look drawn."""
    Path(folder.path, "report.html").write_bytes(page_of_theirs)
    found = block.parse(page(folder))
    assert found is not None
    parts = []
    for name in sorted(set(NAMES) - {"README.md"}):
        parts += [name.encode(), Path(folder.path, name).read_bytes()]
    text = block.render(found.text, found.inputs, block.digest(*parts), found)
    Path(folder.path, "README.md").write_text(text, encoding="utf-8")


def test_a_forged_page_is_drawn_again_whatever_its_folder_says_of_it() -> None:
    folder = debate_at(1)
    draw(folder)
    ours = contents(folder)
    forged(folder, b"<!doctype html><script>fetch('//evil')</script>\n")
    drawn = draw(folder)
    assert not drawn.unchanged
    assert codes(drawn) == ["redrawn"]
    assert drawn.warnings[-1].file == "report.html"
    assert contents(folder) == ours
    assert draw(folder).unchanged


def test_a_forged_page_in_readme_is_drawn_again_whatever_it_says_of_itself() -> None:
    folder = debate_at(1)
    draw(folder)
    ours = contents(folder)
    found = block.parse(page(folder))
    assert found is not None
    text = block.render("![x](http://evil)", found.inputs, found.files, found)
    Path(folder.path, "README.md").write_text(text, encoding="utf-8")
    assert not draw(folder).unchanged
    assert contents(folder) == ours


@pytest.mark.parametrize("place", ["-->\n", "\n<!-- debate-ops:end -->"])
def test_nothing_is_slipped_into_the_lines_around_the_page(place: str) -> None:
    folder = debate_at(1)
    draw(folder)
    ours = contents(folder)
    slipped = page(folder).replace(place, f"--> ![x](http://evil) {place}", 1)
    Path(folder.path, "README.md").write_text(slipped, encoding="utf-8")
    assert not draw(folder).unchanged
    assert contents(folder)["report.html"] == ours["report.html"]
    assert "evil" not in page(folder)


def test_a_page_without_its_readme_is_set_aside_only_if_another_is_drawn() -> None:
    folder = debate_at(1)
    draw(folder)
    Path(folder.path, "README.md").unlink()
    assert codes(draw(folder)) == []
    Path(folder.path, "README.md").unlink()
    hold_until(folder, 2)
    assert codes(draw(folder)) == ["set_aside"]


def test_a_graph_of_another_tools_is_set_aside() -> None:
    folder = debate_at(1)
    Path(folder.path, "argument-graph.mmd").write_text("graph TD\n", encoding="utf-8")
    assert codes(draw(folder)) == ["set_aside"]
    assert Path(folder.path, "set-aside/1-argument-graph.mmd").read_text() == "graph TD\n"


def test_line_ends_that_git_changed_redraw_nothing() -> None:
    folder = debate_at(1)
    draw(folder)
    for name in NAMES:
        path = Path(folder.path, name)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert draw(folder).unchanged


def test_entries_taken_back_are_named_in_the_page() -> None:
    folder = debate_at(2)
    engine.undo(folder)
    draw(folder)
    assert "Set aside, not part of the debate: set-aside/1-judge_001.md, " in page(folder)


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
        draw(folder)
    assert place.is_symlink()
    assert list(outside.iterdir()) == [] if name == "charts" else outside.read_text() == "untouched"


def test_something_else_in_our_way_is_refused() -> None:
    folder = debate_at(1)
    Path(folder.path, "README.md").mkdir()
    with pytest.raises(BadRecordError, match="is not what it should be"):
        draw(folder)


def test_a_disk_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = debate_at(1)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("debate_ops.storage.files.write_derived", full)
        with pytest.raises(DiskError, match="no space left") as told:
            draw(folder)
    assert "run the same command again; nothing of the record changed" in told.value.hint
    assert not draw(folder).unchanged


@pytest.mark.parametrize("place", ["os.makedirs", "os.open", "os.replace"])
def test_a_folder_that_cannot_be_written_is_told_with_what_works_without(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = debate_at(1)
    draw(folder)
    hold_until(folder, 2)
    real = os.open

    def refused(path: str, *rest: object, **_: object) -> int:
        if place == "os.open" and not path.endswith(".lock"):
            return real(path, *rest)  # type: ignore[arg-type]
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr(place, refused)
        with pytest.raises(DiskError) as told:
            draw(folder)
    assert told.value.message == (
        f"the report cannot be drawn into {folder.path}: read-only file system"
    )
    assert told.value.hint == ("'flow', 'transcript' and 'export --output -' work without writing.")


def test_a_stop_between_two_files_is_mended_by_the_next_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = debate_at(1)
    draw(folder)
    whole = contents(folder)
    hold_until(folder, 2)

    def stopped(path: str, data: bytes) -> None:
        if path.endswith("README.md"):
            raise KeyboardInterrupt
        Path(path).write_bytes(data)

    with monkeypatch.context() as patched:
        patched.setattr(files, "write_derived", stopped)
        with pytest.raises(KeyboardInterrupt):
            draw(folder)
    assert contents(folder)["README.md"] == whole["README.md"]
    assert not draw(folder).unchanged
    assert draw(folder).unchanged
