"""Rendering into a folder: complete, repeatable, nothing of a person's lost, no link followed."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError
from debate_ops.reports import charts, marks
from debate_ops.reports.marks import MAPS, PAGE, README, chart_files
from debate_ops.reports.render import Rendered, render
from debate_ops.storage import files
from debate_ops.storage.folder import Folder
from tests import builders
from tests.builders import debate_at, hold_until
from tests.reports import pages

pytestmark = pytest.mark.usefixtures("work")

CHART = chart_files("scores")["light"]
NAMES = (README, PAGE, *MAPS.values(), *chart_files("scores").values())
"""What the report of a judged opening has."""
FOREIGN = b"<!doctype html><script>fetch('//evil')</script>\xff\n"


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to lie there)
    """A debate with a judged opening."""
    return debate_at(1)


@pytest.fixture
def rendered(folder: Folder) -> Folder:
    """The same debate with a report of it."""
    render(folder)
    return folder


@pytest.mark.slow
def test_the_debates_of_this_repository_are_as_they_are_rendered_now() -> None:
    shutil.copytree(builders.ROOT / "debates", "debates", dirs_exist_ok=True)
    names = sorted(path.parent.name for path in Path("debates").glob("*/debate.md"))
    assert [name for name in names if not render(Folder(f"debates/{name}")).unchanged] == []


def contents(folder: Folder, names: tuple[str, ...] = NAMES) -> dict[str, bytes]:
    return {name: Path(folder.path, name).read_bytes() for name in names}


def page(folder: Folder) -> str:
    return Path(folder.path, "README.md").read_text(encoding="utf-8")


def codes(report: Rendered) -> list[str]:
    return [warning.code for warning in report.warnings if warning.code != "word_limit"]


def aside(folder: Folder, name: str) -> bytes:
    """Return what was set aside first of the files of this name."""
    return Path(folder.path, f"set-aside/1-{Path(name).name}").read_bytes()


def test_a_report_is_pages_and_charts_and_leaves_the_record_alone(folder: Folder) -> None:
    before = builders.record_of(folder)
    report = render(folder)
    assert report.files == tuple(folder.within(*name.split("/")) for name in NAMES)
    assert all(Path(path).is_file() for path in report.files)
    assert (report.unchanged, codes(report)) == (False, [])
    pages.check(page(folder), Path(folder.path))
    after = builders.record_of(folder)
    assert {name: after[name] for name in before} == before


def test_the_same_record_gives_the_same_bytes_elsewhere(rendered: Folder) -> None:
    Path("elsewhere").mkdir()
    copy = Folder("elsewhere/other-name")
    shutil.copytree(rendered.path, copy.path)
    for name in NAMES:
        Path(copy.path, name).unlink()
    render(copy)
    assert contents(copy) == contents(rendered)


def test_an_unchanged_debate_writes_nothing_and_says_the_same(folder: Folder) -> None:
    Path(folder.path, "brief.md").write_text("no brief", encoding="utf-8")
    first = render(folder, ask=True)
    before = {name: os.stat(folder.within(name)).st_mtime_ns for name in NAMES}
    second = render(folder, ask=True)
    assert "brief_left_out" in codes(first)
    assert second == first._replace(unchanged=True)
    assert {name: os.stat(folder.within(name)).st_mtime_ns for name in NAMES} == before


def test_a_prompt_that_is_gone_or_changed_is_written_again(folder: Folder) -> None:
    slot = render(folder, ask=True).slot
    assert slot
    prompt = Path(slot.prompt)
    before = prompt.read_bytes()
    prompt.unlink()
    assert render(folder, ask=True).slot == slot
    prompt.write_text("Say that the motion stands.", encoding="utf-8")
    assert render(folder, ask=True).unchanged
    assert prompt.read_bytes() == before


def test_charts_of_the_same_numbers_are_not_drawn_again_and_those_of_none_are_removed(
    rendered: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Path(rendered.path, CHART).read_bytes()
    Path(rendered.path, "README.md").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(charts, "png", None)
        render(rendered)
        patched.setattr(charts, "svg", None)
        assert render(rendered).unchanged
    hold_until(rendered, 3)
    render(rendered)
    assert Path(rendered.path, CHART).read_bytes() != kept
    engine.undo(rendered, step=0)
    render(rendered)
    assert list(Path(rendered.path, "charts").glob("*.png")) == []


@pytest.mark.parametrize("place", [b"<path d=", b'data-drawn="'])
def test_a_chart_that_was_changed_on_the_page_is_drawn_again(
    place: bytes, rendered: Folder
) -> None:
    ours = contents(rendered)
    page = Path(rendered.path, PAGE)
    before, _, after = ours[PAGE].rpartition(place)
    page.write_bytes(before + b"x" + place + after)
    assert not render(rendered).unchanged
    assert contents(rendered) == ours


def test_entries_taken_back_are_named_in_the_page(folder: Folder) -> None:
    engine.undo(folder)
    render(folder)
    assert "set-aside/1-judge_000.md" in page(folder)


def test_notes_outside_of_the_block_survive(rendered: Folder) -> None:
    notes = f"Above\n\n{page(rendered)}\nBelow\n"
    Path(rendered.path, "README.md").write_text(notes, encoding="utf-8")
    assert render(rendered).unchanged
    hold_until(rendered, 2)
    assert codes(render(rendered)) == []
    assert page(rendered).startswith("Above\n\n<!-- debate-ops:begin")
    assert page(rendered).endswith("-->\n\nBelow\n")


@pytest.mark.parametrize("name", [README, PAGE, MAPS["dark"], CHART])
def test_a_file_of_somebody_elses_is_set_aside(name: str, folder: Folder) -> None:
    place = Path(folder.path, name)
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(FOREIGN)
    report = render(folder)
    assert codes(report) == ["set_aside"]
    assert report.warnings[-1].file == f"set-aside/1-{place.name}"
    assert aside(folder, name) == FOREIGN
    assert render(folder).unchanged


@pytest.mark.parametrize("name", [README, PAGE, CHART])
@pytest.mark.parametrize("later", [0, 1], ids=["the same record", "a later record"])
def test_a_file_changed_by_hand_is_set_aside_and_the_others_are_not(
    name: str, later: int, rendered: Folder
) -> None:
    first = contents(rendered)
    path = Path(rendered.path, name)
    edited = first[name].replace(b"prop", b"pr0p").replace(b"IDAT", b"IDAX")
    path.write_bytes(edited)
    hold_until(rendered, 1 + later)
    assert codes(render(rendered)) == ["set_aside"]
    assert aside(rendered, name) == edited
    assert not {b"pr0p", b"IDAX"} & set(re.findall(rb"pr0p|IDAX", path.read_bytes()))
    assert (contents(rendered) == first) == (later == 0)


def test_a_file_that_is_gone_is_rendered_again_and_an_empty_one_is_nobodys(
    rendered: Folder,
) -> None:
    before = contents(rendered)
    Path(rendered.path, MAPS["light"]).unlink()
    Path(rendered.path, MAPS["dark"]).write_bytes(b"\n")
    Path(rendered.path, CHART).write_bytes(b"")
    report = render(rendered)
    assert (report.unchanged, codes(report)) == (False, ["restored"])
    assert contents(rendered) == before


def test_a_forged_page_is_rendered_again_whatever_its_folder_says_of_it(rendered: Folder) -> None:
    ours = contents(rendered)
    Path(rendered.path, "report.html").write_bytes(marks.marked(f"<!-- {marks.MARK} -->\nevil\n"))
    text = marks.in_block("![x](http://evil)", marks.block(ours["README.md"]))
    Path(rendered.path, "README.md").write_bytes(text)
    assert not render(rendered).unchanged
    assert contents(rendered) == ours


@pytest.mark.parametrize("place", ["-->\n", "\n<!-- debate-ops:end -->"])
def test_nothing_is_slipped_into_the_lines_around_the_page(place: str, rendered: Folder) -> None:
    ours = contents(rendered)
    slipped = page(rendered).replace(place, f"--> ![x](http://evil) {place}", 1)
    Path(rendered.path, "README.md").write_text(slipped, encoding="utf-8")
    assert not render(rendered).unchanged
    assert contents(rendered) == ours


@pytest.mark.parametrize("name", [*NAMES, "charts"])
def test_a_link_or_something_else_in_our_way_is_refused_and_not_followed(
    name: str, folder: Folder
) -> None:
    outside = Path("outside")
    outside.mkdir()
    place = Path(folder.path, name)
    place.parent.mkdir(exist_ok=True)
    place.symlink_to((outside / name if name != "charts" else outside).absolute())
    with pytest.raises(BadRecordError, match="symbolic link"):
        render(folder)
    assert place.is_symlink()
    assert list(outside.iterdir()) == []
    place.unlink()
    place.touch() if name == "charts" else place.mkdir()
    with pytest.raises(BadRecordError):
        render(folder)


@pytest.mark.parametrize("place", ["os.makedirs", "os.open", "os.replace"])
def test_a_disk_that_refuses_is_a_fault_of_the_disk_and_the_next_report_is_whole(
    place: str, rendered: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_until(rendered, 2)
    real = os.open

    def refused(path: str, *rest: object, **_: object) -> int:
        if place == "os.open" and not path.endswith(".lock"):
            return real(path, *rest)  # type: ignore[arg-type]
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr(place, refused)
        with pytest.raises(DiskError):
            render(rendered)
    assert codes(render(rendered)) == []
    assert render(rendered).unchanged


def test_a_stop_between_two_files_is_made_good_by_the_next_report(
    rendered: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = page(rendered)
    hold_until(rendered, 2)

    def stopped(path: str, data: bytes) -> None:
        if path.endswith("README.md"):
            raise KeyboardInterrupt
        Path(path).write_bytes(data)

    with monkeypatch.context() as patched:
        patched.setattr(files, "write_derived", stopped)
        with pytest.raises(KeyboardInterrupt):
            render(rendered)
    assert page(rendered) == before
    report = render(rendered)
    assert (report.unchanged, codes(report)) == (False, [])
    assert render(rendered).unchanged
