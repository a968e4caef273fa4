"""The commands `run` and `demo`: what they tell at their end."""

from __future__ import annotations

import os

import pytest

from tests.builders import debate_at, run
from tests.cli.stage import say

pytestmark = pytest.mark.usefixtures("work")


def test_run_that_has_ended_tells_how_to_see_it_unless_it_is_quiet() -> None:
    recorded = debate_at(2)
    ends = []
    for slug, options in (("again", ()), ("quietly", ("--quiet",))):
        run("new", slug, "--motion", "This house would hold it again", "--json")
        said = say("run", slug, "1", "--all", f"replay:{recorded.slug}", *options)
        assert said.code == 0
        ends.append(said.err.splitlines()[-1:])
    [[last], nothing] = ends
    assert last.startswith("Next:  ")
    assert last.endswith(" report again")
    assert nothing == []


def test_name_of_nobody_is_told_beside_those_for_whom_nobody_replies() -> None:
    slug = debate_at(2).slug
    words = ("--as", f"jugde=replay:{slug}", "--as", f"debater=replay:{slug}")
    said = say("run", slug, "1", *words)
    assert said.code == 2
    assert "'jugde' is nobody in this debate; nobody replies for judge" in said.err


def test_demo_ends_with_the_page_to_open_and_the_page_is_there() -> None:
    lines = say("demo").out.splitlines()
    [opened] = [line.split()[1] for line in lines[-5:] if line.startswith("Open:  ")]
    assert os.path.isfile(opened)
    assert opened.endswith("report.html")
