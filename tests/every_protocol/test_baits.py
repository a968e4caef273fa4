"""A reply made to be slow is refused or goes on record, and no command is slow after it."""

from __future__ import annotations

import json
import time
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest

from tests.builders import put, run
from tests.every_protocol.stage import (
    all_files,
    restore,
)
from tests.every_protocol.test_floods import ONE_OF_EACH, every_schema, good, moment_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders import Answer

BAITS = {
    "spaces": "<" + " " * 100_000 + "x",
    "no breaks": "a",
    "words": "a b ",
    "paragraphs": "a\n\n",
    "brackets": "[a](",
    "stars": "**a ",
    "underscores": "_a",
    "backticks": "`a``",
    "tables": "|-",
    "tags": "<b ",
    "addresses": "https://a.b/ ",
    "ids": "opp_000a ",
    "lists": "- a\n",
    "quotations": "> a\n",
}


def with_longest(value: Any, text: str) -> Any:
    """Return a reply with this text in the place of its longest one."""
    longest = max(texts_of(value), key=len)

    def put_in(part: Any) -> Any:
        nonlocal longest
        if part == longest:
            longest = ""  # once
            return text
        if isinstance(part, dict):
            return {k: v if k in NAMING else put_in(v) for k, v in part.items()}
        return [put_in(item) for item in part] if isinstance(part, list) else part

    return put_in(value)


NAMING = {"participant", "exchange", "phase"}


def texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for k, v in value.items() if k not in NAMING for text in texts_of(v)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    return [value] if isinstance(value, str) else []


def submitted(name: str, text: str) -> tuple[Answer, Callable[[], dict[str, bytes]]]:
    """Return the answer to a good reply with this text in it, and what reads the folder."""
    who, moment = moment_of(name)
    folder = restore(moment)
    reply = with_longest(good(name), text)
    for other, theirs in moment.texts.items():
        put(folder, other, json.dumps(reply) if other == who else theirs, moment.step)
    answer = run("submit", folder.slug, "--step", moment.step)
    return answer, lambda: {n: d for n, d in all_files(folder).items() if n in moment.record}


@every_schema
def test_a_text_with_a_long_stretch_of_nothing_is_refused_and_changes_nothing(name: str) -> None:
    _, moment = moment_of(name)
    for stretch in (" " * 100_000, "\n" * 100, "\u200b\u2800" * 300, "\u0301" * 99):
        answer, files = submitted(name, f"Long enough to say something <{stretch}x")
        assert answer.code == 1
        assert "stretched" in answer.codes
        assert files() == moment.record


LONG = sorted(ONE_OF_EACH - {"consensus-vote"} | {"consensus-proposal"})
"""A reply of each protocol in which a text may be long: all texts go the same ways from there."""


every_bait = pytest.mark.parametrize(("bait", "name"), list(zip(BAITS, cycle(LONG), strict=False)))
"""Each bait in one protocol or another."""


@every_bait
def test_no_command_is_slow_after_a_reply_made_to_hurt(name: str, bait: str) -> None:
    assert seconds_of(name, bait, 32 * 1024, "next", "show", "validate") < 3


@pytest.mark.slow
@every_bait
def test_no_report_is_slow_after_a_reply_made_to_hurt(name: str, bait: str) -> None:
    assert seconds_of(name, bait, 128 * 1024, "next", "report") < 20


def seconds_of(name: str, bait: str, size: int, *commands: str) -> float:
    """Return how long a reply of this size and these commands after it take."""
    unit = BAITS[bait]
    slug = moment_of(name)[1].position.folder.slug
    begun = time.process_time()
    answer, _ = submitted(name, unit * max(1, (size - 4096) // len(json.dumps(unit))))
    if bait == "spaces":
        assert "stretched" in answer.codes
    for command in commands:
        assert run(command, slug, "--json").code in {0, 1, 8}, command
    return time.process_time() - begun
