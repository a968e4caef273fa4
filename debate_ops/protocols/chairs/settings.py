"""The settings of a debate of chairs: who argues from which framework, and how strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from debate_ops.model.texts import is_blank, trimmed
from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.frameworks import FRAMEWORKS, PRESETS
from debate_ops.protocols.chairs.names import OFFICES
from debate_ops.protocols.settings import (
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
    LANGUAGE,
    WEB_SEARCH,
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

_NAME, _FRAMEWORK = "name", "framework"
_TEXTS = ("persona", "position", "must_acknowledge")
_KEYS = (_NAME, _FRAMEWORK, *_TEXTS)
_FRAMEWORK_TEXTS = ("name", "question", "description")
_FRAMEWORK_LISTS = ("strengths", "weaknesses")
_FRAMEWORK_NEEDS = ("name", "question", "weaknesses")


# ---------------------------------------------------------------- who takes part


def _read_participants(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, str) and value.strip() in PRESETS:
        value = ",".join(PRESETS[value.strip()])
    given, faults = people.sorted_out(value, _FRAMEWORK)
    unread = len(faults)
    chairs = [_chair(each, faults) for each in given]
    names = [chair[_NAME] for chair in chairs]
    faults += people.problems(names, FEWEST, MOST, RESERVED, unread)
    faults += _position_faults(chairs)
    if faults:
        raise ValueError(", ".join(faults))
    return chairs


def _chair(given: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return a chair with all its keys, whatever is wrong with it; that goes to `faults`.

    A framework in a word is a name for its chair as well. What is wrong with a name is left to be
    told with all the names; a framework that is none is stored as None.
    """
    faults += people.unknown_keys(given, _KEYS, "a chair")
    name = given.get(_NAME, "")
    name = name.strip() if isinstance(name, str) else name
    of = f"of {name or 'a chair'}" if isinstance(name, str) else "of a chair"
    framework = _framework(given, name, of, faults)
    if isinstance(framework, str) and isinstance(name, str):
        name = framework.replace("_", "-") if name.replace("-", "_") in {framework, ""} else name
    texts = {key: _text(given.get(key, ""), f"{key} {of}", faults) for key in _TEXTS}
    return {_NAME: name, _FRAMEWORK: framework, **texts}


def _text(value: Any, what: str, faults: list[str]) -> str:
    """Return a text as it is stored; that something is none goes to `faults`."""
    if isinstance(value, str):
        return trimmed(value)
    faults.append(f"{what} is {people.shown(value)}, wanted a text")
    return ""


def _framework(
    chair: Mapping[str, Any], name: Any, of: str, faults: list[str]
) -> str | dict[str, Any] | None:
    """Return a framework as it is stored: a word, or what the user wrote with all its keys."""
    given = chair.get(_FRAMEWORK, name if isinstance(name, str) else None)
    if isinstance(given, dict):
        return _own_framework(given, of, faults)
    word = given.strip().replace("-", "_") if isinstance(given, str) else None
    if word in FRAMEWORKS:
        return word
    if _FRAMEWORK in chair or isinstance(name, str):  # else the fault is in the name
        faults.append(f"{people.shown(given if word is None else word)} {of} is no framework")
    return None


def _own_framework(given: Mapping[str, Any], of: str, faults: list[str]) -> dict[str, Any] | None:
    """Return a framework that the user wrote, with all its keys; None if it lacks what it needs."""
    faults += people.unknown_keys(given, (*_FRAMEWORK_TEXTS, *_FRAMEWORK_LISTS), "a framework")
    full: dict[str, Any] = {}
    for key in _FRAMEWORK_TEXTS:
        full[key] = _text(_given(given, key, ""), f"{key} of the framework {of}", faults)
    for key in _FRAMEWORK_LISTS:
        full[key] = _listed(_given(given, key, []), f"{key} of the framework {of}", faults)
    missing = [key for key in _FRAMEWORK_NEEDS if _given(given, key, []) == []]
    if missing:
        faults.append(f"the framework {of} has no {' and no '.join(missing)}")
    return full if full["name"] else None


def _given(framework: Mapping[str, Any], key: str, nothing: Any) -> Any:
    """Return what stands under a key; `nothing` where that is missing, null or a blank text."""
    value = framework.get(key)
    return nothing if value is None or (isinstance(value, str) and is_blank(value)) else value


def _listed(value: Any, what: str, faults: list[str]) -> list[str]:
    """Return a list of texts as it is stored; that something is none goes to `faults`."""
    try:
        return _texts(value, what)
    except ValueError as error:
        faults.append(str(error))
        return []


def _texts(value: Any, what: str) -> list[str]:
    """Return a list of texts, of which a text alone is one.

    Raises:
        ValueError: it is none, or one of them is blank.
    """
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or any(not isinstance(i, str) or is_blank(i) for i in items):
        told = people.shown(value)
        raise ValueError(f"{what} are {told}, wanted a list of texts that say something")
    return [item.strip() for item in items]


def _position_faults(chairs: list[dict[str, Any]]) -> Iterator[str]:
    sound = [chair for chair in chairs if chair[_FRAMEWORK] is not None]
    for one, other in combinations(sound, 2):
        positions = {" ".join(chair["position"].casefold().split()) for chair in (one, other)}
        if len(positions) > 1:
            continue
        if positions != {""}:
            yield f"{one[_NAME]} and {other[_NAME]} have the same position"
        elif framework_id(one) == framework_id(other):
            yield (
                f"{one[_NAME]} and {other[_NAME]} have the framework {framework_id(one)} and no "
                "positions that differ"
            )


def framework_id(chair: Mapping[str, Any]) -> str:
    """Return a chair's framework in a word, or the name of the one that the user wrote for it."""
    framework = chair[_FRAMEWORK]
    return str(framework if isinstance(framework, str) else framework["name"])


PARTICIPANTS = Setting(
    "participants",
    "classic_clash",
    f"the chairs: a preset ({', '.join(PRESETS)}); frameworks with a name before them if wanted "
    "(utilitarian,ann:pragmatic); or objects with name, framework, persona, position (what this "
    "chair stands for) and must_acknowledge (what it has to grant)",
    _read_participants,
    f"a preset, or {FEWEST} to {MOST} chairs with different names of lower-case letters, digits "
    f"and single hyphens, at most {people.LONGEST_NAME} characters, none of them "
    f"{', '.join(sorted(RESERVED))}; a framework is one of {', '.join(FRAMEWORKS)}, or an object "
    "with name, question, description, strengths and weaknesses",
)


def _read_tensions(value: Any) -> list[str]:
    return _texts(value, "key_tensions")


KEY_TENSIONS = Setting(
    "key_tensions",
    [],
    "questions that every chair is to keep in view: a list, or one text",
    _read_tensions,
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
    choice(
        "steel_manning",
        "required",
        "whether a speech has to put the view it answers at its strongest, and is judged by it",
        "required",
        "optional",
    ),
    choice(
        "self_critique",
        "required",
        "whether a speech has to admit a limit of its own framework, and is judged by it",
        "required",
        "optional",
    ),
    choice(
        "interjections",
        "allowed",
        "whether the arbiter steps in after a violation",
        "allowed",
        "forbidden",
    ),
    choice(
        "interruptions",
        "allowed",
        "whether another chair may cut in after a speech",
        "allowed",
        "forbidden",
    ),
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
    WEB_SEARCH,
    LANGUAGE,
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
)


# ---------------------------------------------------------------- what does not fit


_UNUSED_WITHOUT_INTERRUPTIONS = ("aggressiveness", "cooldown")
_UNUSED_WHERE_NOTHING_IS_JUDGED = ("steel_manning", "self_critique", "interjections")
_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that has no effect beside the others."""
    if not has_interruptions(settings):
        for name in _chosen(settings, _UNUSED_WITHOUT_INTERRUPTIONS):
            yield (
                f"{name} is {settings[name]}, but interruptions are 'forbidden', so nobody ever "
                f"cuts in; leave {name} out"
            )
    if not is_evaluated(settings):
        for name in _chosen(settings, _UNUSED_WHERE_NOTHING_IS_JUDGED):
            yield (
                f"{name} is {settings[name]!r}, but accountability is 'relaxed', so no speech is "
                f"judged and the arbiter never steps in; leave {name} out"
            )


def _chosen(settings: Settings, names: tuple[str, ...]) -> Iterator[str]:
    return (name for name in names if settings[name] != _DEFAULTS[name])


# ---------------------------------------------------------------- what they say


def names_of(settings: Settings) -> tuple[str, ...]:
    """Return the names of the chairs, in the order in which they speak."""
    return tuple(chair[_NAME] for chair in settings["participants"])


def chair_of(settings: Settings, name: str) -> Mapping[str, Any]:
    """Return what was said of a chair.

    Raises:
        KeyError: there is no chair of that name.
    """
    for chair in settings["participants"]:
        if chair[_NAME] == name:
            found: Mapping[str, Any] = chair
            return found
    raise KeyError(name)


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
