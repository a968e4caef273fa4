"""PX-04: debates that go on at the same time share nothing."""

from __future__ import annotations

import pytest

from debate_ops import engine
from debate_ops.engine.store import Folder
from tests.courses import RICH, list_steps
from tests.engine.stage import create_course, put_replies, read_files, take_step

pytestmark = pytest.mark.usefixtures("work")
STEPS = 5
TWICE = (*RICH, RICH[-1])
"""A debate of each protocol, and two of one."""


def _begin(name: str, slug: str) -> Folder:
    folder = create_course(name, slug).folder
    engine.next_turn(folder)
    return folder


def test_debates_that_go_on_by_turns_are_the_same_as_each_alone(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [(name, _begin(name, f"debate-{place}")) for place, name in enumerate(TWICE)]
    for number in range(STEPS):
        taking = [(n, folder) for n, folder in folders if number < len(list_steps(n))]
        for name, folder in taking:  # all of them have their replies before one is committed
            put_replies(name, number, folder)
        for name, folder in taking:
            take_step(name, number, folder)
    together = [read_files(folder, everything=True) for _, folder in folders]
    monkeypatch.chdir(tmp_path_factory.mktemp("alone"))
    for (name, folder), files in zip(folders, together, strict=True):
        alone = _begin(name, folder.slug)
        for number in range(min(STEPS, len(list_steps(name)))):
            put_replies(name, number, alone)
            take_step(name, number, alone)
        assert read_files(alone, everything=True) == files
