"""Phrases, in English, that tell what a speech does: see `phrases.json`.

They decide one thing alone: whether the moderator is asked about a speech where it is not asked
about each. Nobody is judged by them; reports give them as phrases found.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping

LONG_ENOUGH = 100
"""Beyond how many characters a text that criticises is held to owe the other view a fair word."""

_TYPOGRAPHIC = str.maketrans("\u2018\u2019", "''")
with open(os.path.dirname(__file__) + "/phrases.json", encoding="utf-8") as _file:
    _PHRASES = json.load(_file)


def has_steel_man(text: str) -> bool:
    """Tell whether a phrase grants another view its strength; to see no value in it is none."""
    return _STEEL_MAN.search(_plain(text)) is not None


def has_self_critique(text: str) -> bool:
    """Tell whether a phrase admits a limit of the speaker's own view."""
    return _SELF_CRITIQUE.search(_plain(text)) is not None


def sign(text: str) -> str:
    """Return the reason to cut in that the words of a speech are a sign of; empty for none.

    Of several the first counts. Beside phrases of its own, a longer text that criticises without
    a word of steel-manning is a sign of a straw man.
    """
    plain = _plain(text)
    for reason, phrases in _SIGNS.items():
        if phrases.search(plain):
            return reason
    owes = len(plain) > LONG_ENOUGH and _CRITICISM.search(plain) is not None
    return "straw_man_detected" if owes and not has_steel_man(plain) else ""


def _plain(text: str) -> str:
    """Return a text on one line, with straight apostrophes."""
    return " ".join(text.translate(_TYPOGRAPHIC).split())


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of these, in which `<they>` stands for the words of that name."""
    pattern = "|".join(f"(?:{each})" for each in patterns)
    for name, words in _PHRASES["words"].items():
        pattern = pattern.replace(f"<{name}>", words)
    return re.compile(pattern, re.IGNORECASE)


_STEEL_MAN = _any_of(_PHRASES["steel_man"])
_SELF_CRITIQUE = _any_of(_PHRASES["self_critique"])
_CRITICISM = _any_of(_PHRASES["criticism"])
_SIGNS: Mapping[str, re.Pattern[str]] = {
    reason: _any_of(patterns) for reason, patterns in _PHRASES["signs"].items()
}
