"""The package does what `tests/corpus` froze.

Where another behaviour is meant, `python -m tests.freeze write` records it.
"""

from pathlib import Path

import pytest

from tests.freeze import corpus
from tests.freeze.__main__ import this


@pytest.mark.parametrize("path", corpus.FILES, ids=lambda path: path.stem)
def test_package_does_what_is_frozen(path: Path) -> None:
    old = corpus.load(path)
    with this() as ask:  # prompts are no part of a verdict
        new = corpus.record(lambda do, **more: {} if do == "prompts" else ask(do, **more), old)
    found = corpus.differences(old, new)
    verdicts = [each for each in found if corpus.kind(each[0]) == corpus.VERDICT]
    assert verdicts[:3] == []
