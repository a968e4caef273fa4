"""The command `report` for every protocol: what it draws, and what it asks an agent for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from debate_ops.reports.table import REPORTS
from debate_ops.storage.folder import Folder
from tests.builders import debate_at, run
from tests.reports.consensus.debates import Plan, everybody_for, search
from tests.reports.formal.debates import formal

pytestmark = pytest.mark.usefixtures("work")

DEBATES: dict[str, Callable[[], Folder]] = {
    "exchange": lambda: debate_at(2),
    "formal": lambda: formal(cross_exam_questions=0),
    "consensus": lambda: search(Plan(votes=everybody_for("ann", 3))),
}


def test_every_protocol_is_tried_here() -> None:
    assert set(DEBATES) == set(REPORTS)


@pytest.mark.parametrize("protocol", DEBATES)
def test_every_file_that_is_named_is_there_and_a_second_report_changes_none(protocol: str) -> None:
    DEBATES[protocol]()
    told = run("report", "x-debate", "--json").told
    assert all(Path(name).is_file() for name in told["files"])
    assert told["unchanged"] is False
    before = {name: Path(name).read_bytes() for name in told["files"]}
    again = run("report", "x-debate", "--json").told
    assert again["unchanged"] is True
    assert {name: Path(name).read_bytes() for name in again["files"]} == before


@pytest.mark.parametrize(
    ("protocol", "asked"), [("exchange", True), ("formal", False), ("consensus", False)]
)
def test_a_story_is_asked_for_only_where_the_report_has_one(protocol: str, *, asked: bool) -> None:
    DEBATES[protocol]()
    told = run("report", "x-debate", "--json").told
    assert ("narrative_prompt_file" in told) == asked
    assert Path("debates/x-debate/inbox/narrative.prompt.md").exists() == asked


@pytest.mark.parametrize("protocol", ["formal", "consensus"])
def test_a_story_that_nobody_asked_for_is_refused(protocol: str) -> None:
    folder = DEBATES[protocol]()
    Path("story.md").write_text("A story.", encoding="utf-8")
    answer = run("report", "x-debate", "--narrative", "story.md", "--json")
    assert answer.code == 1
    assert answer.told["error"] == (
        f"no narrative belongs to the report of a debate of the protocol {protocol!r}"
    )
    assert not Path(folder.path, "narrative.md").exists()
