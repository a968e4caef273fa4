"""How a side of a formal debate speaks: its traits and tactics, and what its prompts say of them.

A personality is `default`, which adds nothing; `random:SEED`, the same for the same seed for ever;
or an object with traits from 0 to 10, tactics, and instructions of the user's own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.texts import is_blank, quoted
from debate_ops.model.turn import Own
from debate_ops.protocols.settings import Setting

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


TRAITS: Mapping[str, _Levels] = {
    "civility": _Levels(
        low="Treat the other side as an adversary: grant nothing out of courtesy, press every "
        "slip, and say bluntly what you think of a bad argument.",
        middle="Be correct towards the other side: neither warm nor hostile.",
        high="Be generous to the other side: name what is good in its case before you answer it, "
        "and put its points as it would put them itself.",
    ),
    "manner": _Levels(
        low="Sound rough and impatient: short, hard sentences and no polish.",
        middle="Sound plain and businesslike.",
        high="Sound polished and composed: well-built sentences, an even tone, no sharp word.",
    ),
    "research_depth": _Levels(
        low="Stay on the surface: common knowledge and first principles, hardly any evidence.",
        middle="Support your main points with evidence, and leave the side points to reasoning.",
        high="Go deep: support every point with specific evidence, compare sources where they "
        "differ, and say what they leave open. Where the rules forbid a source, go deep in the "
        "reasoning.",
    ),
    "rhetoric": _Levels(
        low="Use bare logic: premises, steps, conclusion, without image, story or appeal.",
        middle="Use an example or an image where it makes a point clearer, and no more.",
        high="Use the means of a speaker: images, contrast, repetition, a question to the "
        "audience, a line that is remembered.",
    ),
}
"""What each trait from 0 to 10 adds to the prompt."""

TACTICS: Mapping[str, str] = {
    "gish_gallop": "Gish gallop: make more brief points in a row than anybody could answer in a "
    "speech of this length, and take each one left unanswered as granted.",
    "strawman": "Straw man: restate a point of the other side in a weaker or more extreme form "
    "than it was given in, and answer that form.",
    "ad_hominem": "Ad hominem: answer a point by casting doubt on the motives or the competence "
    "of the speaker who made it, who is a role in this debate; never speak so of real people.",
    "appeal_to_emotion": "Appeal to emotion: where a reason is due, stir fear, pity, pride or "
    "anger instead.",
    "appeal_to_authority": "Appeal to authority: rest a point on who says it, where the reasons "
    "for it should stand. Only an authority that you can truly cite will do.",
    "false_dilemma": "False dilemma: present two choices as if there were no third.",
    "slippery_slope": "Slippery slope: lead from a small first step to a dire end, without "
    "showing that one step brings about the next.",
    "red_herring": "Red herring: lead away from a point that is hard to answer to one that is "
    "beside it.",
}
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


def setting(name: str, side_name: str) -> Setting:
    """Return the setting that gives a side its personality."""
    help_ = f"how the {side_name} speaks: its traits, tactics and instructions; for teaching"
    return Setting(name, DEFAULT, help_, read, _WANTED, draws=True)


def read(value: Any) -> str | dict[str, Any]:
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


def _problems(given: Mapping[str, Any]) -> Iterator[str]:
    for key, value in given.items():
        if key not in _IS_RIGHT:
            yield f"{key} is no part of a personality"
        elif not _IS_RIGHT[key](value):
            yield f"{key} is {value!r}, wanted {_PART_WANTED[key]}"


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
_PART_WANTED = {
    **dict.fromkeys(TRAITS, f"a whole number from 0 to {MOST}"),
    "tactics": f"a list of different words out of {', '.join(TACTICS)}, or of {NO_TACTIC} alone",
    "instructions": "text",
}


def of(stored: str | Mapping[str, Any], side: str) -> Personality | None:
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
    personality = of(stored, side)
    if personality is None:
        return Own()
    parts = [_MANNER + "\n".join(f"- {sentence}" for sentence in _sentences(personality.traits))]
    if personality.tactics:
        parts.append(_PLAYED + "\n".join(f"- {TACTICS[name]}" for name in personality.tactics))
    if not is_blank(personality.instructions):
        parts.append(_OWN + quoted(personality.instructions))
    return Own("\n\n".join(parts))


_MANNER = """## How you speak

Whoever set up this debate chose how your side speaks. Keep to it in every speech. It governs
style and emphasis; what is said below about evidence and about the form of the reply stays as
it is.

"""
_PLAYED = """This debate is also held to teach its audience to recognise bad arguments. Your side
plays the following, where the speech gives an opening for it, plainly enough for an attentive
listener to name it; in this, and in nothing else, it may depart from the advice on this page. Play
it with what is really there: even so, never invent a fact, a source, a quotation or a number, and
never demean real people or groups.

"""
_OWN = "The user's own instructions for your side, word for word:\n\n"


def _sentences(traits: Mapping[str, int]) -> Iterator[str]:
    for trait, (low, middle, high) in TRAITS.items():
        size = traits[trait]
        yield low if size <= _LOW else high if size >= _HIGH else middle
