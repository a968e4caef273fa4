"""The settings of a formal debate, and what they say of the length of a text.

A personality is `default`, which adds nothing; `random:SEED`, which is the same for the same seed
in every version; or an object with traits from 0 to 10, tactics, and instructions of the user's.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.texts import is_blank, quoted
from debate_ops.model.turn import Own
from debate_ops.protocols.base import Settings
from debate_ops.protocols.settings import COMMON, HISTORY_CHARACTERS, WEEK, Setting, choice, whole

DEFAULT = "default"
MOST = 10
MIDDLE = 5
NO_TACTIC = "none"
RANDOM_TACTICS = 2
"""How many tactics a random personality has at most."""

_LOW, _HIGH = 2, 8
_RANDOM = re.compile(r"random:([0-9]{1,18})\Z")


class _Levels(NamedTuple):
    """What the prompt says of a trait where it is low (0 to 2), middle, and high (8 to 10)."""

    low: str
    middle: str
    high: str


with open(os.path.dirname(__file__) + "/personality.json", encoding="utf-8") as _file:
    _TEXTS = json.load(_file)
TRAITS: Mapping[str, _Levels] = {name: _Levels(**each) for name, each in _TEXTS["traits"].items()}
"""What each trait from 0 to 10 adds to the prompt."""
TACTICS: Mapping[str, str] = _TEXTS["tactics"]
"""How the prompt says that each tactic is to be played."""

_WANTED = (
    "default, random:SEED with a seed in digits, or an object of civility, manner, "
    "research_depth and rhetoric (whole numbers from 0 to 10), tactics (a list) and "
    "instructions (text)"
)


class Personality(NamedTuple):
    """How one side speaks."""

    traits: Mapping[str, int]
    tactics: tuple[str, ...] = ()
    instructions: str = ""


def personality_setting(name: str, side_name: str) -> Setting:
    """Return the setting that gives a side its personality."""
    help_ = f"how the {side_name} speaks: its traits, tactics and instructions; for teaching"
    return Setting(name, DEFAULT, help_, read_personality, _WANTED, draws=True)


def read_personality(value: Any) -> str | dict[str, Any]:
    """Return a personality as it is stored: a word, or an object with every key.

    Raises:
        ValueError: it is none; the message names everything that is wrong with it.
    """
    if value == DEFAULT or (isinstance(value, str) and _RANDOM.match(value)):
        return str(value)
    if value == "random":
        raise ValueError("random needs its seed, as in random:7")
    if not isinstance(value, dict):
        raise ValueError  # noqa: TRY004  (one error for whatever cannot be a value)
    if problems := list(_problems(value)):
        raise ValueError(", ".join(problems))
    tactics = [name for name in value.get("tactics", []) if name != NO_TACTIC]
    return {trait: value.get(trait, MIDDLE) for trait in TRAITS} | {
        "tactics": tactics,
        "instructions": value.get("instructions", ""),
    }


def _problems(personality: Mapping[str, Any]) -> Iterator[str]:
    for key, value in personality.items():
        if key not in _IS_RIGHT:
            yield f"{key} is no part of a personality"
        elif not _IS_RIGHT[key](value):
            yield f"{key} is {value!r}, expected {_PART_EXPECTED[key]}"


def _is_trait(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _are_tactics(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return value == [NO_TACTIC] or (len(set(value)) == len(value) and set(value) <= set(TACTICS))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_IS_RIGHT: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(TRAITS, _is_trait),
    "tactics": _are_tactics,
    "instructions": _is_text,
}
_PART_EXPECTED = {
    **dict.fromkeys(TRAITS, f"a whole number from 0 to {MOST}"),
    "tactics": f"a list of different words out of {', '.join(TACTICS)}, or of {NO_TACTIC} alone",
    "instructions": "text",
}


def personality_of(stored: str | Mapping[str, Any], side: str) -> Personality | None:
    """Return the personality that a setting gives to a side; None for the default."""
    if isinstance(stored, str):
        chosen = _RANDOM.match(stored)
        return _random(chosen[1], side) if chosen else None
    traits = {trait: int(stored[trait]) for trait in TRAITS}
    return Personality(traits, tuple(stored["tactics"]), str(stored["instructions"]))


def _random(seed: str, side: str) -> Personality:
    """Return a personality by seed and side; a change here would change debates on record."""
    traits = {trait: _drawn(seed, side, trait) % (MOST + 1) for trait in TRAITS}
    number = _drawn(seed, side, "tactics") % (RANDOM_TACTICS + 1)
    shuffled = sorted(TACTICS, key=lambda tactic: _drawn(seed, side, tactic))
    return Personality(traits, tuple(shuffled[:number]))


def _drawn(seed: str, side: str, name: str) -> int:
    return int(hashlib.sha256(f"{seed}:{side}:{name}".encode()).hexdigest(), 16)


def prompt_text(stored: str | Mapping[str, Any], side: str) -> Own:
    """Return what the prompts of a side say of its personality: nothing for the default."""
    personality = personality_of(stored, side)
    if personality is None:
        return Own()
    prompt = _TEXTS["prompt"]
    parts = [
        prompt["manner"] + "\n".join(f"- {sentence}" for sentence in _sentences(personality.traits))
    ]
    if personality.tactics:
        parts.append(
            prompt["played"] + "\n".join(f"- {TACTICS[name]}" for name in personality.tactics)
        )
    if not is_blank(personality.instructions):
        parts.append(prompt["own"] + quoted(personality.instructions))
    return Own("\n\n".join(parts))


def _sentences(traits: Mapping[str, int]) -> Iterator[str]:
    for trait, (low, middle, high) in TRAITS.items():
        size = traits[trait]
        yield low if size <= _LOW else high if size >= _HIGH else middle


AFF, NEG = "aff", "neg"
SIDES: Mapping[str, str] = {AFF: "affirmative", NEG: "negative"}
_MOST_QUESTIONS = 100

SETTINGS = (
    whole(
        "cross_exam_questions",
        3,
        "how many questions each side asks in the cross-examination; 0 leaves it out",
        most=_MOST_QUESTIONS,
    ),
    whole("word_limit", 500, "words to a debater's text at most; 0 sets no limit"),
    choice(
        "word_limits",
        "warn",
        "what a text over the limit does: warn, reject the reply, or cut the text",
        "warn",
        "reject",
        "cut",
    ),
    whole(
        "time_limit",
        0,
        "seconds that `run` waits for a reply; 0 leaves it to the run",
        most=WEEK,
    ),
    whole(
        "preparation_time",
        0,
        "seconds that both sides have for their notes; then the debate may go on without what is "
        "missing, and `run` does; 0 is no such limit",
        most=WEEK,
    ),
    choice(
        "show_preparation",
        "yes",
        "whether a transcript shows both sides' notes",
        "yes",
        "no",
    ),
    choice("judge", "none", "whether a judge decides at the end", "none", "one"),
    personality_setting("affirmative", SIDES[AFF]),
    personality_setting("negative", SIDES[NEG]),
    *COMMON,
    HISTORY_CHARACTERS,
)


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that has no effect beside the others."""
    what = settings["word_limits"]
    if what != "warn" and settings["word_limit"] == 0:
        yield (
            f"word_limits is {what!r}, but word_limit is 0, so there is nothing to {what}; give a "
            "word_limit, or leave word_limits out"
        )


def length_rule(settings: Settings) -> str:
    """Return how long a debater's text may be, and what happens to a longer one."""
    limit = settings["word_limit"]
    if not limit:
        return "No length is set: take what the matter needs, and no more."
    after = {
        "warn": "Words are counted, and a longer text is reported with the debate.",
        "reject": "A longer text is refused: count before you answer.",
        "cut": "What goes beyond is cut off and shown to nobody.",
    }
    return f"At most {limit} words. {after[settings['word_limits']]}"
