"""No text of a reply is more than material, in any output of any protocol.

A debate is run twice by its script: with plain words in every text of every reply, and with a
hostile text there. Whatever comes out is made of the same parts both times. What may differ is
named in `laws`: paragraphs, lists, emphasis and code of passages; what the page lays texts out
with; links to the addresses of sources, and on the page to any web address that is shown.
"""

from typing import Any

import pytest

from debate_ops.core.replies import Reply
from tests.courses import RICH, begin_course, list_steps, take_step
from tests.hostile.holding import (
    NAMES,
    SLUGS,
    WORDS_OF_OTHERS,
    Debated,
    debated,
    filled,
    plain,
    texts_of,
)
from tests.hostile.laws import differences
from tests.hostile.texts import FEW, TEXTS

MOST_SHOWN = 40
"""Findings that a failure shows."""

OWN = dict(zip(SLUGS, FEW, strict=True))
EVERY = {(list(SLUGS)[place % len(SLUGS)], name) for place, name in enumerate(TEXTS)}
QUICK = {("exchange", OWN["exchange"])}
"""What is looked at by default."""
every_text = pytest.mark.parametrize(
    ("protocol", "name"),
    [
        pytest.param(*case, marks=() if case in QUICK else pytest.mark.slow)
        for case in sorted(EVERY | {*OWN.items()})
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
    codes = [{n: a.code for n, a in each.printed.items()} for each in (hostile, harmless)]
    assert codes[0] == codes[1]
    return [
        f"{name}: {part}"
        for name in sorted(now)
        for part in differences(name, now[name], before[name])
    ]


@every_text
def test_what_comes_out_is_made_of_the_same_parts_whatever_the_texts_are(
    protocol: str, name: str
) -> None:
    """Texts of replies, and those of the motion and its context."""
    text = TEXTS[name]
    parts = alive(debated(protocol, text), plain(protocol, text))
    assert parts[:MOST_SHOWN] == []


@pytest.mark.parametrize("name", RICH)
def test_the_corpus_reaches_every_text_of_every_kind_of_reply(name: str) -> None:
    at = begin_course(name)
    reached: dict[type[Reply], set[str]] = {}
    for step in list_steps(name):
        for who, reply in step.get("replies", {}).items():
            form = at.form_of(who)
            reached.setdefault(form, set()).update(_holding(filled(reply, form, TEXTS["picture"])))
        take_step(at, step)
    for form, keys in reached.items():
        assert set(texts_of(form)) - NAMES - WORDS_OF_OTHERS - NEVER_DUE <= keys, form


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
