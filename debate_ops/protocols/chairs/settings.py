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
    chairs, faults = people.sorted_out(value, "framework")
    names = [_name(chair) for chair in chairs]
    problems = people.problems(names, FEWEST, MOST, RESERVED, unread=len(faults))
    faults += [fault for chair in chairs for fault in _chair_faults(chair)]
    faults += problems
    stored = [] if faults else [_stored(chair) for chair in chairs]
    faults += _likenesses(stored)
    if faults:
        raise ValueError(", ".join(faults))
    return stored


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


def _chair_faults(chair: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a chair, its name apart."""
    yield from people.unknown_keys(chair, _KEYS, "a chair")
    name = chair.get("name", "")
    of = f"of {name.strip() or 'a chair'}" if isinstance(name, str) else "of a chair"
    if isinstance(chair.get("framework"), dict):
        yield from _framework_faults(chair["framework"], f"of the framework {of}")
    elif _word(chair) not in FRAMEWORKS and ("framework" in chair or isinstance(name, str)):
        framework = chair.get("framework", name)
        yield f"{people.shown(_word(chair) or framework)} {of} is no framework"
    yield from (fault for key in _TEXTS for fault in _text_fault(chair, key, of))


def _framework_faults(framework: Mapping[str, Any], of: str) -> Iterator[str]:
    yield from people.unknown_keys(framework, _FRAMEWORK_KEYS, "a framework")
    filled = _filled(framework)
    for key in _FRAMEWORK_TEXTS:
        yield from _text_fault(filled, key, of)
    for key in _FRAMEWORK_LISTS:
        try:
            _texts(filled.get(key, []), f"{key} {of}")
        except ValueError as error:
            yield str(error)
    missing = [key for key in _FRAMEWORK_NEEDS if filled.get(key, []) == []]
    if missing:
        yield f"{of.removeprefix('of ')} has no {' and no '.join(missing)}"


def _text_fault(item: Mapping[str, Any], key: str, of: str) -> Iterator[str]:
    value = item.get(key, "")
    if not isinstance(value, str):
        yield f"{key} {of} is {people.shown(value)}, expected a text"


def _filled(framework: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is neither null nor a blank text."""
    return {
        key: value
        for key, value in framework.items()
        if value is not None and not (isinstance(value, str) and is_blank(value))
    }


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


def _stored(chair: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chair without faults as it is stored."""
    framework: Any = _word(chair)
    if isinstance(chair.get("framework"), dict):
        filled = _filled(chair["framework"])
        framework = {key: trimmed(filled.get(key, "")) for key in _FRAMEWORK_TEXTS}
        framework |= {key: _texts(filled.get(key, []), key) for key in _FRAMEWORK_LISTS}
    texts = {key: trimmed(chair.get(key, "")) for key in _TEXTS}
    return {"name": _name(chair), "framework": framework, **texts}


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
    """Return what was said of a chair.

    Raises:
        KeyError: there is no chair of that name.
    """
    chairs: Mapping[str, Mapping[str, Any]]
    chairs = {chair["name"]: chair for chair in settings["participants"]}
    return chairs[name]


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
