"""report.html in its folder: beside README.md, drawn again when anything changes that draws it."""

from __future__ import annotations

from pathlib import Path

import pytest

from debate_ops.reports.draw import draw
from debate_ops.reports.files_drawn import PAGE
from debate_ops.storage import files
from debate_ops.storage.folder import Folder
from tests.builders import debate_at

pytestmark = pytest.mark.usefixtures("work")


def page(folder: Folder) -> Path:
    return Path(folder.path, PAGE)


def test_the_page_is_drawn_and_readme_leads_to_it() -> None:
    folder = debate_at(1)
    drawn = draw(folder)
    assert drawn.files[1] == folder.within(PAGE)
    assert page(folder).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert f"]({PAGE})" in Path(folder.path, "README.md").read_text(encoding="utf-8")
    assert draw(folder).unchanged


def test_a_page_that_was_changed_is_drawn_again() -> None:
    folder = debate_at(1)
    draw(folder)
    before = page(folder).read_bytes()
    page(folder).write_bytes(before + b"<!-- more -->")
    assert not draw(folder).unchanged
    assert page(folder).read_bytes() == before


def test_a_page_of_somebody_else_is_set_aside() -> None:
    folder = debate_at(1)
    page(folder).write_text("<p>my own notes</p>", encoding="utf-8")
    drawn = draw(folder)
    assert [warning.code for warning in drawn.warnings] == ["set_aside"]
    assert Path(folder.path, "set-aside", f"1-{PAGE}").read_text() == "<p>my own notes</p>"


@pytest.mark.parametrize("name", ["page.css", "page.js", "page.html.jinja", "strengths.py"])
def test_a_change_of_what_draws_it_draws_it_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = debate_at(1)
    draw(folder)
    read = files.read_bytes
    monkeypatch.setattr(
        files,
        "read_bytes",
        lambda path, limit: read(path, limit) + (b" " if path.endswith(name) else b""),
    )
    assert not draw(folder).unchanged
