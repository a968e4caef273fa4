"""The package does what `tests/corpus` froze, and what is on disk is what was committed.

Where another behaviour is meant, `python -m tests.freeze write` records it.
"""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from debate_ops.engine.validate import validate
from tests.courses import RICH
from tests.freeze import corpus, package


def _rate_file(path: Path) -> Any:
    """Leave to the slow part what other courses of the same protocol reach as well."""
    is_quick = path.stem in RICH or path.stem.startswith(("debates-", "formal-cut"))
    return pytest.param(path, id=path.stem, marks=[] if is_quick else pytest.mark.slow)


@pytest.mark.parametrize("path", list(map(_rate_file, corpus.FILES)))
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
