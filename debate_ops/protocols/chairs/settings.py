"""The settings of a debate of chairs: who argues from which framework, and how strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.frameworks import FRAMEWORKS, PRESETS
from debate_ops.protocols.chairs.names import OFFICES
from debate_ops.protocols.settings import (
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
    given = [_chair(each) for each in people.listed(value, _FRAMEWORK)]
    names = [chair[_NAME] for chair in given]
    faults = list(people.problems(names, FEWEST, MOST, RESERVED))
    for chair in given:
        faults += _framework_faults(chair[_NAME], chair[_FRAMEWORK])
    faults += _position_faults(given)
    if faults:
        raise ValueError(", ".join(faults))
    return given


def _chair(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chair with all its keys; a framework in a word is a name for its chair as well."""
    people.refuse_unknown(given, _KEYS, "a chair")
    texts = {key: given.get(key, "") for key in (_NAME, *_TEXTS)}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"{dict(given)!r} is no chair")
    chair: dict[str, Any] = {key: text.strip() for key, text in texts.items()}
    framework = _framework(given.get(_FRAMEWORK, chair[_NAME]))
    if isinstance(framework, str) and chair[_NAME].replace("-", "_") in {framework, ""}:
        chair[_NAME] = framework.replace("_", "-")
    chair[_FRAMEWORK] = framework
    return {key: chair[key] for key in _KEYS}


def _framework(given: Any) -> str | dict[str, Any]:
    """Return a framework as it is stored: a word, or what the user wrote with all its keys."""
    if isinstance(given, str):
        return given.strip().replace("-", "_")
    if not isinstance(given, dict):
        raise ValueError(f"{given!r} is no framework")  # noqa: TRY004  (one error for whatever cannot be a value)
    return _own_framework(given)


def _own_framework(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a framework that the user wrote, with all its keys."""
    people.refuse_unknown(given, (*_FRAMEWORK_TEXTS, *_FRAMEWORK_LISTS), "a framework")
    full: dict[str, Any] = {}
    for key in _FRAMEWORK_TEXTS:
        text = given.get(key)
        if text is not None and not isinstance(text, str):
            raise ValueError(f"{key} of a framework is {text!r}, wanted text")
        full[key] = (text or "").strip()
    for key in _FRAMEWORK_LISTS:
        full[key] = _texts(given.get(key) or [], f"{key} of a framework")
    return full


def _texts(value: Any, what: str) -> list[str]:
    """Return a list of texts, of which a text alone is one."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(i, str) and i.strip() for i in items):
        raise ValueError(f"{what} are {value!r}, wanted a list of texts that say something")
    return [item.strip() for item in items]


def _framework_faults(name: str, framework: Any) -> Iterator[str]:
    if isinstance(framework, str):
        if framework not in FRAMEWORKS:
            yield f"{framework!r} of {name or 'a chair'} is no framework"
        return
    missing = [key for key in _FRAMEWORK_NEEDS if not framework[key]]
    if missing:
        yield f"the framework of {name or 'a chair'} has no {' and no '.join(missing)}"


def _position_faults(chairs: list[dict[str, Any]]) -> Iterator[str]:
    for one, other in combinations(chairs, 2):
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


def has_interruptions(settings: Settings) -> bool:
    """Tell whether chairs may cut in in this debate."""
    return bool(settings["interruptions"] == "allowed")


def heeds_signs(settings: Settings) -> bool:
    """Tell whether the words of a speech decide if the moderator is asked about it."""
    return has_interruptions(settings) and settings["aggressiveness"] < ALWAYS_ASKED
