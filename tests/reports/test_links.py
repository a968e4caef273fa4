"""Everything in a debate folder that leads somewhere leads to something that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from debate_ops.reports import readme
from debate_ops.reports.readme import MOST_BYTES
from debate_ops.reports.render import render
from debate_ops.reports.screen import page_data
from debate_ops.reports.table import read
from tests.builders import ROOT
from tests.every_protocol.stage import RICH, aside, each_protocol, history, restore
from tests.reports import pages
from tests.reports.debates import long_debate
from tests.tools.shipped import SHIPPED

EXAMPLES = [name for name, folder in SHIPPED.items() if folder.is_relative_to(ROOT)]


def check(folder: Path) -> None:
    """Fail where a link of a debate folder leads nowhere, or its page is not as pages are."""
    for path in folder.rglob("*.md"):
        if path.relative_to(folder).parts[0] not in {"inbox", "panel", "set-aside"}:
            for target in pages.targets(path.read_text(encoding="utf-8")):
                assert (path.parent / target).is_file(), f"{path}: {target}"
    text = (folder / "README.md").read_text(encoding="utf-8")
    pages.check(text, folder)
    ids = re.findall(r'\bid="([^"]*)"', (folder / "report.html").read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids))
    assert len(text.encode()) < MOST_BYTES + 1000  # the marks around it are no part of the page


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_link_in_a_debate_of_this_repository_leads_to_a_file(name: str) -> None:
    check(SHIPPED[name])


@pytest.mark.slow
def test_of_a_debate_that_is_too_long_its_page_has_the_first_screen_and_leads_to_the_rest() -> None:
    short, long = (readme.render(page_data(read(long_debate(n)))) for n in (5, 300))
    assert "\n## Scores and attacks\n" in short
    assert "\n## " not in long
    assert len(long.encode()) < MOST_BYTES
    assert "(report.html)" in long


@each_protocol
def test_every_link_in_a_new_debate_leads_to_a_file(protocol: str) -> None:
    with aside():
        folder = restore(history(protocol, dict(RICH)[protocol])[-1])
        render(folder)
        check(Path(folder.path))


def test_a_link_that_leads_nowhere_would_be_noticed(tmp_path: Path) -> None:
    page = "`[y](z.md)` [w](https://example.org) [a]\n\n[a]: b.md\n"
    with pytest.raises(AssertionError, match=r"b\.md"):
        pages.check(page, tmp_path)
    (tmp_path / "b.md").touch()
    pages.check(page, tmp_path)
