"""A debate of an older tool, where a folder of such debates is named."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from debate_ops.reports.render import render
from debate_ops.storage.folder import Folder
from tests.builders import record_of
from tests.reports.pages import check

REAL = os.environ.get("DEBATE_OPS_REAL_DEBATES", "")
NAME = "halt-ai-development"

pytestmark = pytest.mark.skipif(
    not Path(REAL, NAME).is_dir() or not REAL, reason="DEBATE_OPS_REAL_DEBATES names no such folder"
)


@pytest.fixture
def older(work: Path) -> Folder:
    shutil.copytree(Path(REAL, NAME), work / "debates" / NAME)
    return Folder(f"debates/{NAME}")


def test_its_report_is_rendered_and_its_own_page_is_kept(older: Folder) -> None:
    before = record_of(older)
    rendered = render(older)
    after = record_of(older)
    kept = {n: d for n, d in before.items() if n != "README.md"}
    assert {name: after[name] for name in kept} == kept
    assert Path(older.path, "set-aside/1-README.md").read_bytes() == before["README.md"]
    codes = [w.code for w in rendered.warnings if w.code != "word_limit"]
    assert codes == ["set_aside"]
    page = Path(older.path, "README.md").read_text(encoding="utf-8")
    assert "[judge_000]: scores.json" in page
    check(page, Path(older.path))
    assert render(older).unchanged
