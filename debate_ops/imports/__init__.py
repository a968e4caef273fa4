"""Debates that were held elsewhere: what all of them come to, and the form that is data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from debate_ops.core.errors import UsageError
from debate_ops.core.settings import LONGEST_NAME, RESERVED, explain_errors
from debate_ops.engine.store import spell_slug

KNOWN = (
    "Known are captions (WebVTT, SRT), chats and meetings with times, chats with a model from its "
    "page, JSON with 'question', 'answers' and 'speeches', and texts in which a speech begins with "
    "its speaker: 'Ann: ...', '**Ann:** ...', '## Ann'. Where other words stand so, list the names "
    "with --speakers."
)


class Speech(NamedTuple):
    """What somebody said: who, by the name as it stood there, the text, and when if known."""

    speaker: str
    text: str
    at: str = ""


class Imported(NamedTuple):
    """A debate: its motion (empty where none is named), its speeches in order.

    `positions` say what a speaker spoke for, by the name as it stood there. `left_out` says what
    was not taken, as sentences; `for_text` how often what stands like a name was taken for text.
    """

    motion: str
    speeches: tuple[Speech, ...]
    positions: Mapping[str, str] = {}
    left_out: tuple[str, ...] = ()
    for_text: Mapping[str, int] = {}


def names(speakers: Iterable[str]) -> dict[str, str]:
    """Return a participant's name for each speaker: in small ASCII letters, each another one.

    >>> names(["Zoë B.", "Zoe B", "李", "Con", "3rd"])
    {'Zoë B.': 'zoe-b', 'Zoe B': 'zoe-b-2', '李': 'speaker', 'Con': 'con', '3rd': 'the-3rd'}
    """
    taken, by_speaker = {*RESERVED, "nobody"}, dict[str, str]()
    for speaker in dict.fromkeys(speakers):
        base = spell_slug(speaker, LONGEST_NAME - 8) or "speaker"
        base = f"the-{base}" if base[0].isdigit() else base
        possible = chain([base], (f"{base}-{number}" for number in count(2)))
        by_speaker[speaker] = next(name for name in possible if name not in taken)
        taken.add(by_speaker[speaker])
    return by_speaker


class Said(BaseModel):
    """What somebody said, as data."""

    debater: str
    text: str


class DebateData(BaseModel):
    """A debate, as data."""

    question: str
    answers: dict[str, str]
    speeches: tuple[Said, ...]


def read_data(data: Any) -> Imported:
    """Return a debate that is given as data: `question`, `answers` and `speeches`.

    Raises:
        UsageError: it has another form.
    """
    try:
        given = DebateData.model_validate(data)
    except ValidationError as error:
        is_slack = isinstance(data, list) and any("ts" in e for e in data if isinstance(e, dict))
        form = "a Slack export" if is_slack else "JSON of another form"
        why = "; ".join(" ".join(each) for each in explain_errors(error))
        raise UsageError(f"it is {form}, a form that is not known: {why}", hint=KNOWN) from None
    speeches = tuple(Speech(said.debater, said.text) for said in given.speeches)
    return Imported(given.question, speeches, given.answers)
