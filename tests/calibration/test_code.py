"""The program in a document is run, and gives the answer that is right."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from tests.calibration.own import answers, document, of_kind


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


def amount(names: dict[str, Any]) -> str:
    return f"It returns {names['invoice'](names['ORDER'], names['SHOP'])} crowns."


def third(names: dict[str, Any]) -> str:
    return f"The third one is `{names['order'](names['MORNING'])[2]}`."


def scripts() -> Iterator[list[tuple[Any, ...]]]:
    """Yield many ways to use a ledger of the accounts a, b and c."""
    accounts = ["a", "b", "c", "pot"]
    for amount, size, swept in product(range(1, 130, 9), range(1, 4), accounts):
        for named in product(accounts, repeat=size):
            yield [
                ("deposit", "a", 500),
                ("hold", 1, "a", amount),
                ("divide", 1, list(named)),
                ("sweep", swept),
            ]


def change(names: dict[str, Any]) -> str:
    breaking = [
        kind
        for kind in ("Ledger", "Early", "Late")
        if any(names["play"](names[kind], "abc", script) for script in scripts())
    ]
    return f"The change `{', '.join(breaking)}` can break it."


def items(names: dict[str, Any]) -> str:
    queue = names["shift"](names["ITEMS"], names["LETTERS"])
    missing = set(names["ITEMS"]) - {*queue.done, *queue.given_up}
    if missing:
        return f"{'One' if len(missing) == 1 else 'Some'} of them is neither done nor given up."
    return "Each of them is done or has been given up."


def text(names: dict[str, Any]) -> str:
    return f"It leaves `{names['run'](names['SCRIPT']).text}`."


def key(names: dict[str, Any]) -> str:
    return f"The key `{', '.join(names['play'](names['SCRIPT']).lost)}` has been pushed out."


TRUTH: dict[str, Callable[[dict[str, Any]], str]] = {
    "locker-bank": locker,
    "sensor-ring": ring,
    "invoice-rounding": amount,
    "job-scheduler": third,
    "ledger-changes": change,
    "retry-queue": items,
    "text-undo": text,
    "two-level-cache": key,
}


@pytest.mark.parametrize("name", of_kind("code"))
def test_the_program_gives_the_answer_that_is_right(name: str) -> None:
    assert TRUTH[name](program(name)) == answers(name)[0]
