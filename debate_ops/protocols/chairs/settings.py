"""The settings of a debate of chairs: who argues from which framework, and how strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from debate_ops.model.texts import is_blank, trimmed
from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.frameworks import FRAMEWORKS, PRESETS
from debate_ops.protocols.chairs.names import OFFICES
from debate_ops.protocols.settings import (
    COMMON,
    HISTORY_CHARACTERS,
    WORD_LIMITS,
    Setting,
    choice,
    whole,
)

FEWEST, MOST = 2, 6
RESERVED = people.RESERVED | frozenset(OFFICES)
"""Names that stand for something else in ids and commands."""

ALWAYS_ASKED = 3
"""From which aggressiveness on the moderator is asked after every speech, whatever it says."""

_TEXTS = ("persona", "position", "must_acknowledge")
_KEYS = ("name", "framework", *_TEXTS)
_FRAMEWORK_TEXTS = ("name", "question", "description")
_FRAMEWORK_LISTS = ("strengths", "weaknesses")
_FRAMEWORK_KEYS = (*_FRAMEWORK_TEXTS, *_FRAMEWORK_LISTS)
_FRAMEWORK_NEEDS = ("name", "question", "weaknesses")


def _read_participants(value: Any) -> list[dict[str, Any]]:
    """Return the chairs, each with all its keys.

    All faults of chairs and names are reported at once; chairs that are too much alike only where
    nothing else is wrong.
    """
    if isinstance(value, str) and value.strip() in PRESETS:
        value = ",".join(PRESETS[value.strip()])
    items, faults = people.sorted_out(value, "framework")
    names = [_name(item) for item in items]
    problems = people.problems(names, FEWEST, MOST, RESERVED, unread=len(faults))
    chairs = [_chair(item, faults) for item in items]
    faults += problems
    if faults := faults or [*_likenesses(chairs)]:
        raise ValueError(", ".join(faults))
    return chairs


def _name(chair: Mapping[str, Any]) -> Any:
    """Return the name of a chair: its own, or else that of the framework that a word names."""
    name = chair.get("name", "")
    name = name.strip() if isinstance(name, str) else name
    word = _word(chair)
    is_word = word in FRAMEWORKS and isinstance(name, str)
    return word.replace("_", "-") if is_word and name.replace("-", "_") in {word, ""} else name


def _word(chair: Mapping[str, Any]) -> str:
    """Return the word that names the framework of a chair, or its name where it has none."""
    framework = chair.get("framework", chair.get("name"))
    return framework.strip().replace("-", "_") if isinstance(framework, str) else ""


def _chair(chair: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return a chair as it is stored, and add what is wrong with it, its name apart."""
    faults += people.unknown_keys(chair, _KEYS, "a chair")
    name, framework = chair.get("name", ""), chair.get("framework")
    of = f"of {name.strip() or 'a chair'}" if isinstance(name, str) else "of a chair"
    stored: Any = _word(chair)
    if isinstance(framework, dict):
        stored = _framework(framework, f"of the framework {of}", faults)
    elif stored not in FRAMEWORKS and ("framework" in chair or isinstance(name, str)):
        faults.append(
            f"{people.shown(stored or chair.get('framework', name))} {of} is no framework"
        )
    texts = {key: _text(chair, key, of, faults) for key in _TEXTS}
    return {"name": _name(chair), "framework": stored, **texts}


def _framework(framework: Mapping[str, Any], of: str, faults: list[str]) -> dict[str, Any]:
    """Return a framework of the user's own as it is stored, and add what is wrong with it."""
    faults += people.unknown_keys(framework, _FRAMEWORK_KEYS, "a framework")
    stored: dict[str, Any] = {key: _text(framework, key, of, faults) for key in _FRAMEWORK_TEXTS}
    for key in _FRAMEWORK_LISTS:
        try:
            value = framework.get(key)
            stored[key] = [] if _is_empty(value) else _texts(value, f"{key} {of}")
        except ValueError as error:
            faults.append(str(error))
    missing = [key for key in _FRAMEWORK_NEEDS if _is_empty(framework.get(key))]
    if missing:
        faults.append(f"{of.removeprefix('of ')} has no {' and no '.join(missing)}")
    return stored


def _is_empty(value: Any) -> bool:
    return value in (None, []) or (isinstance(value, str) and is_blank(value))


def _text(item: Mapping[str, Any], key: str, of: str, faults: list[str]) -> str:
    value = item.get(key)
    if value is None or isinstance(value, str):
        return trimmed(value or "")
    faults.append(f"{key} {of} is {people.shown(value)}, expected a text")
    return ""


def _texts(value: Any, what: str) -> list[str]:
    """Return a list of texts, of which a text alone is one.

    Raises:
        ValueError: it is none, or one of them is blank.
    """
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or any(not isinstance(i, str) or is_blank(i) for i in items):
        shown = people.shown(value)
        raise ValueError(f"{what} are {shown}, expected a list of texts that say something")
    return [item.strip() for item in items]


def _likenesses(chairs: list[dict[str, Any]]) -> Iterator[str]:
    """Yield which chairs have the same position, or one framework and no position."""
    for one, other in combinations(chairs, 2):
        positions = {" ".join(chair["position"].casefold().split()) for chair in (one, other)}
        both = f"{one['name']} and {other['name']}"
        if len(positions) > 1:
            continue
        if positions != {""}:
            yield f"{both} have the same position"
        elif framework_id(one) == framework_id(other):
            yield f"{both} have the framework {framework_id(one)} and no positions that differ"


def framework_id(chair: Mapping[str, Any]) -> str:
    """Return a chair's framework in a word, or the name of the one that the user wrote for it."""
    framework = chair["framework"]
    return str(framework if isinstance(framework, str) else framework["name"])


PARTICIPANTS = Setting(
    "participants",
    "classic_clash",
    f"the chairs: a preset ({', '.join(PRESETS)}); frameworks with a name before them if you like "
    "(utilitarian,ann:pragmatic); or objects with name, framework, persona, position (what this "
    "chair stands for) and must_acknowledge (what it has to grant)",
    _read_participants,
    f"a preset, or {FEWEST} to {MOST} chairs with different names of lower-case letters, digits "
    f"and single hyphens, at most {people.LONGEST_NAME} characters, none of them "
    f"{', '.join(sorted(RESERVED))}; a framework is one of {', '.join(FRAMEWORKS)}, or an object "
    "with name, question, description, strengths and weaknesses",
)


def _duty(part: str, help_: str) -> Setting:
    return choice(part, "required", help_, "required", "optional")


def _permission(name: str, help_: str) -> Setting:
    return choice(name, "allowed", help_, "allowed", "forbidden")


KEY_TENSIONS = Setting(
    "key_tensions",
    [],
    "questions that every chair is to keep in view: a list, or one text",
    lambda value: _texts(value, "key_tensions"),
    "a list of questions",
)
SETTINGS = (
    PARTICIPANTS,
    choice(
        "accountability",
        "moderate",
        "how strictly speeches are judged: not at all; or the arbiter steps in where one falls "
        "gravely short; or wherever something owed is left out",
        "relaxed",
        "moderate",
        "strict",
    ),
    _duty(
        "steel_manning",
        "whether a speech has to put the view it answers at its strongest, and is judged by it",
    ),
    _duty(
        "self_critique",
        "whether a speech has to admit a limit of its own framework, and is judged by it",
    ),
    _permission("interjections", "whether the arbiter steps in after a violation"),
    _permission("interruptions", "whether another chair may cut in after a speech"),
    whole(
        "aggressiveness",
        3,
        "how easily a chair gets the floor to cut in: 1 hardly ever, 5 often; below "
        f"{ALWAYS_ASKED} the moderator is asked only where the words of a speech invite it",
        1,
        5,
    ),
    whole(
        "cooldown",
        2,
        "for how many speeches after one that it interrupted a chair cannot cut in again",
        most=50,
    ),
    whole(
        "max_exchanges", 4, "how many exchanges there are; each chair speaks once in each", 1, 30
    ),
    choice("tone", "spirited", "how everybody speaks", "respectful", "spirited", "heated"),
    choice("introduction", "yes", "whether the arbiter introduces the debate", "yes", "no"),
    KEY_TENSIONS,
    WORD_LIMITS,
    *COMMON,
    HISTORY_CHARACTERS,
)


_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that has no effect beside the others."""
    if not has_interruptions(settings):
        for name in _chosen(settings, "aggressiveness", "cooldown"):
            yield (
                f"{name} is {settings[name]}, but interruptions are 'forbidden', so nobody ever "
                f"cuts in; leave {name} out"
            )
    if not is_evaluated(settings):
        for name in _chosen(settings, "steel_manning", "self_critique", "interjections"):
            yield (
                f"{name} is {settings[name]!r}, but accountability is 'relaxed', so no speech is "
                f"judged and the arbiter never steps in; leave {name} out"
            )


def _chosen(settings: Settings, *names: str) -> Iterator[str]:
    return (name for name in names if settings[name] != _DEFAULTS[name])


def names_of(settings: Settings) -> tuple[str, ...]:
    """Return the names of the chairs, in the order in which they speak."""
    return tuple(chair["name"] for chair in settings["participants"])


def chair_of(settings: Settings, name: str) -> Mapping[str, Any]:
    """Return what was said of a chair."""
    chairs: Sequence[Mapping[str, Any]] = settings["participants"]
    return next(chair for chair in chairs if chair["name"] == name)


def is_evaluated(settings: Settings) -> bool:
    """Tell whether speeches are judged in this debate."""
    return bool(settings["accountability"] != "relaxed")


def has_interjections(settings: Settings) -> bool:
    """Tell whether the arbiter may step in after a speech in this debate."""
    return is_evaluated(settings) and bool(settings["interjections"] == "allowed")


def has_interruptions(settings: Settings) -> bool:
    """Tell whether chairs may cut in in this debate."""
    return bool(settings["interruptions"] == "allowed")


def heeds_signs(settings: Settings) -> bool:
    """Tell whether the words of a speech decide if the moderator is asked about it."""
    return has_interruptions(settings) and settings["aggressiveness"] < ALWAYS_ASKED
