"""No text of a reply is more than material, in any output of any protocol.

A debate is run twice by its script: with plain words in every text of every reply, and with a
hostile text there. Whatever comes out is made of the same parts both times. What may differ is
named in `laws`: paragraphs, lists, emphasis and code of passages; what the page lays texts out
with; links to the addresses of sources, and on the page to any web address that is shown.
"""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops import engine
from debate_ops.engine import Framing
from debate_ops.report.flow_sheet import sheet_of
from tests.builders import SLUG
from tests.every_protocol.stage import RICH, aside, data_of, history
from tests.hostile.filling import NAMES as NAMING
from tests.hostile.filling import WORDS_OF_OTHERS, filled, texts_of
from tests.hostile.holding import NAMES, Debated, debated, plain
from tests.hostile.laws import differences
from tests.hostile.texts import FEW, TEXTS

MOST = 40
"""Findings that a failure shows."""

QUICK = dict(zip(NAMES, FEW, strict=True))
"""The text that is looked at by default, by protocol."""
EVERY = {(list(NAMES)[place % len(NAMES)], name) for place, name in enumerate(TEXTS)}
every_text = pytest.mark.parametrize(
    ("protocol", "name"),
    [
        pytest.param(*case, marks=() if case in QUICK.items() else pytest.mark.slow)
        for case in sorted(EVERY | {*QUICK.items()})
    ],
)
"""Each text in one protocol or another."""


def outputs(debate: Debated) -> dict[str, str]:
    """Return all that comes out of a debate, by name."""
    said = {name: answer.out for name, answer in debate.printed.items()}
    return {**debate.files, **debate.prompts, **said}


def alive(hostile: Debated, harmless: Debated) -> list[str]:
    """Return what a hostile debate has and the plain one has not, each with its output."""
    now, before = outputs(hostile), outputs(harmless)
    assert now.keys() == before.keys()
    assert _codes(hostile) == _codes(harmless)
    return [
        f"{name}: {part}"
        for name in sorted(now)
        for part in differences(name, now[name], before[name])
    ]


def _codes(debate: Debated) -> dict[str, int]:
    """Return how each command ended."""
    return {name: answer.code for name, answer in debate.printed.items()}


@every_text
def test_what_comes_out_is_made_of_the_same_parts_whatever_the_texts_are(
    protocol: str, name: str
) -> None:
    """Texts of replies, and those of the motion and its context."""
    text = TEXTS[name]
    parts = alive(debated(protocol, text), plain(protocol, text))
    assert parts[:MOST] == []


@pytest.mark.parametrize(("protocol", "variant"), RICH)
def test_the_corpus_reaches_every_text_of_every_kind_of_reply(protocol: str, variant: str) -> None:
    reached: dict[str, set[str]] = {}
    for moment in history(protocol, variant):
        for item in moment.position.tasks:
            if text := moment.texts.get(item.task.participant):
                reply = filled(data_of(text), item.task.schema, TEXTS["picture"])
                reached.setdefault(item.task.schema, set()).update(_holding(reply))
    for schema, keys in reached.items():
        assert set(texts_of(schema)) - NAMING - WORDS_OF_OTHERS - NEVER_DUE <= keys, schema


NEVER_DUE = frozenset({"open_questions", "pass_reason"})
"""Texts that these scripts do not write in every kind of reply that may have them."""


def _holding(value: Any) -> set[str]:
    """Return the names of the parts of a reply that are, or list, the text of the test."""
    if isinstance(value, list):
        return {name for item in value for name in _holding(item)}
    if not isinstance(value, dict):
        return set()
    direct = {name for name, inner in value.items() if _is_hostile(inner)}
    return direct | {name for inner in value.values() for name in _holding(inner)}


def _is_hostile(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, str) and first.startswith(TEXTS["picture"])


@pytest.mark.parametrize("protocol", ["exchange", "design"])
def test_a_motion_of_several_lines_begins_no_row_of_the_flow(protocol: str) -> None:
    motion = "prop_001  +0.90 " * 20
    with aside():
        folder = engine.create(SLUG, Framing(motion), protocol=protocol).folder
        first, *further = sheet_of(engine.look(folder).debate).lines(80)
    assert first.startswith("prop_001")
    assert not any(line.startswith("prop_001") for line in further)
