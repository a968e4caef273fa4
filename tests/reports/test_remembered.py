"""What was drawn is remembered where a stranger's folder cannot have put it."""

from __future__ import annotations

from pathlib import Path

import pytest

from debate_ops.reports import remembered
from tests.builders import new_debate

pytestmark = pytest.mark.usefixtures("work")


def test_what_was_kept_is_found_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = new_debate()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    remembered.remember(folder, {"readme": "1"})
    assert remembered.recall(folder) == {"readme": "1"}


@pytest.mark.parametrize("place", [".cache", "debates/x-debate/.cache", "elsewhere/.cache"])
def test_a_cache_that_may_have_come_with_the_debate_is_not_believed(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_debate()
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path(place).absolute()))
    with monkeypatch.context() as trusting:
        trusting.setattr(remembered, "is_within", lambda *_: False)
        remembered.remember(folder, {"readme": "1"})
        assert remembered.recall(folder)
    assert remembered.recall(folder) == {}
