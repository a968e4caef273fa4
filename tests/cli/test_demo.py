"""The command `demo`: what it leaves a newcomer with."""

from __future__ import annotations

import os

import pytest

from tests.cli.stage import say

pytestmark = pytest.mark.usefixtures("work")


def test_it_ends_with_the_page_to_open_and_the_page_is_there() -> None:
    lines = say("demo")[1].splitlines()
    [opened] = [line for line in lines[-5:] if line.startswith("Open:  ")]
    assert os.path.isfile(opened.split()[1])
    assert opened.split()[1].endswith("report.html")
