"""The program in a document is run, and gives the answer that is right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.calibration.own import answers, document, of_kind

if TYPE_CHECKING:
    from collections.abc import Callable


def program(name: str) -> dict[str, Any]:
    """Run the module that is a document, and return its names."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", document(name), re.DOTALL | re.MULTILINE)
    assert 60 <= len(code.splitlines()) <= 150
    names: dict[str, Any] = {"__name__": name}
    exec(compile(code, name, "exec"), names)  # noqa: S102  (a document of ours)
    return names


def locker(names: dict[str, Any]) -> str:
    return f"It lies in locker {names['replay'](names['WEEK']).where('gorse')}."


def ring(names: dict[str, Any]) -> str:
    received = names["relay"](names["started"](), "panel", names["SCRIPT"])
    written = sum(step for step in names["SCRIPT"] if isinstance(step, int))
    if received == list(range(1, written + 1)):
        return "All of the readings, with no gap among them."
    return "Some of the readings, with a gap among them."


TRUTH: dict[str, Callable[[dict[str, Any]], str]] = {"locker-bank": locker, "sensor-ring": ring}


@pytest.mark.parametrize("name", of_kind("code"))
def test_the_program_gives_the_answer_that_is_right(name: str) -> None:
    assert TRUTH[name](program(name)) == answers(name)[0]
