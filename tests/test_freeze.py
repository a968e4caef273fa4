"""The package does what `tests/corpus` froze, and what is on disk is what was committed.

Where another behaviour is meant, `python -m tests.freeze write` records it.
"""

from functools import partial
from pathlib import Path

import pytest

from debate_ops.engine.validate import validate
from tests.freeze import corpus, package

LONG = ("-long-texts", "-with-absences")
"""Courses beside others of the same protocol and phases: the slow part has them."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * path.stem.endswith(LONG))
        for path in corpus.FILES
    ],
)
def test_package_does_what_is_frozen(path: Path) -> None:
    old = corpus.load(path)
    with package.opened() as here:
        ask = partial(package.answer, here)
        found = corpus.differences(old, corpus.record(ask, old))
        verdicts = [each for each in found if corpus.kind(each[0]) == corpus.VERDICT]
        assert verdicts[:3] == []
        faults, warnings = ([], []) if "slug" in old else validate(here.folder)
    assert faults == []
    assert path.stem.endswith(("long-texts", "cut")) or warnings == []
    assert all(" words, expected " in warning.message for warning in warnings)
