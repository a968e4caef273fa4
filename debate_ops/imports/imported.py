"""What is read of a debate that was held elsewhere, whatever its form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from debate_ops.core.settings import LONGEST_NAME, RESERVED


class Speech(NamedTuple):
    """What somebody said: who, by the name as it stood there, the text, and when if known."""

    speaker: str
    text: str
    at: str = ""


class Verdict(NamedTuple):
    """What a judge of that debate decided: a speaker, how sure in per cent, the words for it."""

    judge: str
    winner: str
    percent: int
    reasons: str


class Imported(NamedTuple):
    """A debate: its motion (empty where none is named), its speeches in order, what was decided.

    `positions` say what a speaker spoke for, by the name as it stood there. `left_out` says what
    was not taken, as sentences.
    """

    motion: str
    speeches: tuple[Speech, ...]
    positions: Mapping[str, str] = {}
    verdict: Verdict | None = None
    left_out: tuple[str, ...] = ()


def names(speakers: Iterable[str]) -> dict[str, str]:
    """Return a participant's name for each speaker: in small ASCII letters, each another one.

    >>> names(["Zoë B.", "Zoe B", "李", "judge"])
    {'Zoë B.': 'zoe-b', 'Zoe B': 'zoe-b-2', '李': 'speaker', 'judge': 'judge-2'}
    """
    by_speaker: dict[str, str] = {}
    taken = {*RESERVED, "nobody"}
    for speaker in dict.fromkeys(speakers):
        plain = unicodedata.normalize("NFKD", speaker).encode("ascii", "ignore").decode().lower()
        base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-0123456789")[: LONGEST_NAME - 4]
        base = base.strip("-") or "speaker"
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        by_speaker[speaker] = name
    return by_speaker
