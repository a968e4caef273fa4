"""What chairs argue from and what their speeches owe: the texts that prompts and pages give.

What a chair reads that a speech owes is word for word what the evaluator judges it by.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.protocols.base import Settings


class Framework(NamedTuple):
    """A way of judging right and wrong: what it asks, and where it is strong and weak."""

    name: str
    question: str
    description: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]


class Reason(NamedTuple):
    """Why a chair may cut in: as a clause for readers, and in what words it may begin.

    `link` is what the interruption is to the speech: `attacks`, `defends`, or nothing.
    """

    clause: str
    link: str
    opener: str


class Part(NamedTuple):
    """A part of an evaluation: what a speech owes, how it is judged, and an example of that."""

    owed: str
    rule: str
    example: str


def of(stored: str | Mapping[str, Any]) -> Framework:
    """Return the framework that a chair's setting names, or that the user wrote for it."""
    if isinstance(stored, str):
        return FRAMEWORKS[stored]
    lists = {key: tuple(stored[key]) for key in ("strengths", "weaknesses")}
    return Framework(**dict(stored) | lists)


with open(os.path.dirname(__file__) + "/frameworks.json", encoding="utf-8") as _file:
    _TEXTS = json.load(_file)
FRAMEWORKS: Mapping[str, Framework] = {
    name: of(each) for name, each in _TEXTS["frameworks"].items()
}
"""The frameworks that a chair can be given by a word."""
PRESETS: Mapping[str, list[str]] = _TEXTS["presets"]
"""Sets of chairs that go by one word."""
TONES: Mapping[str, str] = _TEXTS["tones"]
"""How everybody is to speak, by the setting `tone`."""
REASONS: Mapping[str, Reason] = {name: Reason(**each) for name, each in _TEXTS["reasons"].items()}
"""Why a chair may cut in."""
VIOLATIONS: Mapping[str, str] = _TEXTS["violations"]
"""The kinds of violation, as clauses for readers; of several, the first counts."""
PARTS: Mapping[str, Part] = {name: Part(**each) for name, each in _TEXTS["parts"].items()}
"""What a speech is judged by; the first two only where the debate requires them."""
RULES: Mapping[str, str] = _TEXTS["rules"]
"""How the debate goes, for the one who introduces it."""
ENDINGS: Mapping[str, Mapping[str, Mapping[str, str]]] = _TEXTS["endings"]
"""How a speech and an interjection end: where the chair speaks once `more`, and at the `last`."""


def parts(settings: Settings) -> tuple[str, ...]:
    """Return by what a speech is judged in this debate: some of `PARTS`, or nothing."""
    if settings["accountability"] == "relaxed":
        return ()
    return tuple(part for part in PARTS if settings.get(part, "required") == "required")


def obligations(settings: Settings) -> str:
    """Return what every speech owes, and is judged by; empty where nothing is judged."""
    judged, texts = parts(settings), _TEXTS["obligations"]
    if not judged:
        return ""
    paragraphs = [texts["head"], "\n".join(PARTS[part].owed for part in judged)]
    if settings["interjections"] == "allowed":
        paragraphs.append(texts[settings["accountability"]])
    return "\n\n".join(paragraphs)
