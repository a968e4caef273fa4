"""The settings of a design debate: who takes part in which role, and when it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.model.texts import is_blank, trimmed
from debate_ops.protocols import people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design.names import LEVELS, MAJOR, MOST_CONFIDENCE
from debate_ops.protocols.design.roles import ROLES, TASKS
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

FEWEST, MOST = 2, 12
MOST_REQUIREMENTS = 30

_KEYS = ("name", "role", "description", "prompts", "enabled")
_FILE_KEYS = ("file", "text")


# ---------------------------------------------------------------- who takes part


def _read_participants(value: Any) -> list[dict[str, Any]]:
    given, faults = people.sorted_out(value, "role")
    unread = len(faults)
    found = [_participant(each, faults) for each in given]
    left = [each for each in found if each.pop("enabled")]
    names = [each["name"] for each in left if not _is_told(each)]
    unread += len(left) - len(names)
    faults += people.problems(names, FEWEST, MOST, people.RESERVED, unread)
    if faults:
        raise ValueError("; ".join(dict.fromkeys(faults)))
    return left


def _is_told(each: Mapping[str, Any]) -> bool:
    """Tell whether what is wrong with a name was told of the role that it is."""
    role = each["role"]
    return role is not None and bool(each["name"] == role) and not people.is_name(role)


def _participant(given: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return one participant in full, whatever is wrong with it; that goes to `faults`."""
    faults += people.unknown_keys(given, _KEYS, "a participant")
    role = given.get("role", given.get("name"))
    name = given.get("name", role)
    description, prompts = given.get("description", ""), given.get("prompts", {})
    enabled = given.get("enabled", True)
    who = name if isinstance(name, str) else people.shown(name)
    if role is not None and not people.is_name(role):
        faults.append(f"{people.shown(role)} is no role")
    elif role not in {None, *ROLES} and description == "" and enabled is not False:
        faults.append(
            f"{who} has the role {role}, which needs a description; without one there are "
            f"{', '.join(ROLES)}"
        )
    if description != "":
        faults += _text_faults(description, f"the description of {who}")
    faults += _prompt_faults(prompts, who)
    if not isinstance(enabled, bool):
        faults.append(f"enabled of {who} is {people.shown(enabled)}, wanted true or false")
    return {
        "name": name,
        "role": role,
        "description": description,
        "prompts": prompts,
        "enabled": enabled,
    }


def _prompt_faults(prompts: Any, name: str) -> Iterator[str]:
    if not isinstance(prompts, dict):
        yield f"prompts of {name} is {people.shown(prompts)}, wanted an object of task and text"
        return
    for task, text in prompts.items():
        if task in TASKS:
            yield from _text_faults(text, f"the {task} prompt of {name}")
        else:
            yield f"{task} is no prompt of {name}; there are {', '.join(TASKS)}"


def _text_faults(given: Any, what: str) -> Iterator[str]:
    """Yield what is wrong with a text, or with a file and the text that was read from it."""
    if isinstance(given, str):
        if is_blank(given):
            yield f"{what} is blank"
        return
    if not isinstance(given, dict) or not isinstance(given.get("file"), str):
        yield f"{what} is {people.shown(given)}, wanted a text or {{file: its path}}"
        return
    if unknown := sorted(str(key) for key in given if key not in _FILE_KEYS):
        yield f"{what} has {', '.join(unknown)} beside file and text"
    text = given.get("text")
    if not isinstance(text, str):
        yield f"{what} names the file {given['file']}, but the file's text was not read"
    elif is_blank(text):
        yield f"{what} is in the file {given['file']}, which is blank"


PARTICIPANTS = Setting(
    "participants",
    "architect,performance,simplicity",
    "the agents: roles, or names with a role behind a colon (architect,ann:security), or objects "
    "with name, role, description, prompts and enabled; a role of your own needs a description",
    _read_participants,
    f"{FEWEST} to {MOST} participants of different names, each of a role out of "
    f"{', '.join(ROLES)}, or of one with a description; names and roles are {people.NAME_RULE}, "
    f"and no name is {', '.join(sorted(people.RESERVED))}",
)


# ---------------------------------------------------------------- what is required


def _read_requirements(value: Any) -> list[dict[str, str]]:
    if not isinstance(value, list):
        raise ValueError("wanted a list")  # noqa: TRY004  (one error for whatever cannot be a value)
    if len(value) > MOST_REQUIREMENTS:
        raise ValueError(f"{len(value)} of at most {MOST_REQUIREMENTS}")
    faults: list[str] = []
    found = [_requirement(place, given, faults) for place, given in enumerate(value, start=1)]
    texts = [requirement["text"] for requirement in found if requirement["text"]]
    if twice := sorted({text for text in texts if texts.count(text) > 1}):
        faults.append(f"twice: {', '.join(twice)}")
    if faults:
        raise ValueError("; ".join(faults))
    return found


def _requirement(place: int, given: Any, faults: list[str]) -> dict[str, str]:
    """Return a requirement as it is stored; what is wrong with it goes to `faults`.

    Its id says its place.
    """
    item = {"text": given} if isinstance(given, str) else given
    if not isinstance(item, dict):
        faults.append(f"{people.shown(given)} is no requirement")
        item = {}
    else:
        faults += people.unknown_keys(item, ("id", "text", "level"), "a requirement")
        faults += _requirement_faults(place, item)
    text = item.get("text")
    return {
        "id": requirement_id(place),
        "text": trimmed(text) if isinstance(text, str) else "",
        "level": item.get("level", MAJOR),
    }


def _requirement_faults(place: int, item: Mapping[str, Any]) -> Iterator[str]:
    own_id, text, level = requirement_id(place), item.get("text"), item.get("level", MAJOR)
    if not isinstance(text, str) or is_blank(text):
        yield f"number {place} has no text"
    if level not in LEVELS:
        yield f"number {place} has the level {people.shown(level)}"
    if item.get("id", own_id) != own_id:
        yield f"number {place} has the id {people.shown(item['id'])}, wanted {own_id} or none"


def requirement_id(place: int) -> str:
    """Return the id of the requirement at a place, from 1."""
    return f"r{place}"


REQUIREMENTS = Setting(
    "requirements",
    [],
    "what the solution must do: texts, or objects with text and level; none: the judge names the "
    "requirements before the first exchange",
    _read_requirements,
    f"a list of at most {MOST_REQUIREMENTS} different texts, or objects with text and level "
    f"({' or '.join(LEVELS)}, {MAJOR} if none is given)",
)


# ---------------------------------------------------------------- all of them


MAX_EXCHANGES = whole("max_exchanges", 3, "after how many exchanges the debate ends", 1, 20)
QUESTIONS = whole(
    "clarifying_questions",
    0,
    "how many questions to the person each participant may ask, in a round; 0: none are asked",
    most=20,
)
ROUNDS = whole(
    "clarifying_rounds", 3, "how many rounds of clarifying questions there are at most", 1, 5
)
CONFIDENCE = whole(
    "stop_at_confidence",
    0,
    "the judge's confidence, asked after each exchange, at which the debate ends; 0: not asked",
    most=MOST_CONFIDENCE,
)
THRESHOLD = whole(
    "summary_threshold",
    5_000,
    "from how many characters on a participant's own history is summarised; 0: never",
)
SUMMARY = whole("summary_characters", 2_500, "how many characters a summary may have", 1)

SETTINGS = (
    PARTICIPANTS,
    MAX_EXCHANGES,
    REQUIREMENTS,
    QUESTIONS,
    ROUNDS,
    choice(
        "proposals",
        "carried",
        "whether the last refinement stands as the proposal of the next exchange, or everybody "
        "proposes anew, starting from it",
        "carried",
        "fresh",
    ),
    CONFIDENCE,
    choice(
        "stop_when_nothing_new",
        "yes",
        "whether the debate ends after an exchange in which no point was accepted",
        "yes",
        "no",
    ),
    THRESHOLD,
    SUMMARY,
    WORD_LIMITS,
    WEB_SEARCH,
    LANGUAGE,
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
)


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that does not fit the others, or has no effect."""
    rounds, most = settings["clarifying_rounds"], settings["summary_characters"]
    if rounds != ROUNDS.default and not settings["clarifying_questions"]:
        yield f"clarifying_rounds is {rounds}, but clarifying_questions is 0: none are asked"
    threshold = settings["summary_threshold"]
    if not threshold and most != SUMMARY.default:
        yield f"summary_characters is {most}, but summary_threshold is 0: nothing is summarised"
    if 0 < threshold <= most:
        yield (
            f"summary_characters is {most} and summary_threshold {threshold}: a summary would not "
            "be shorter than what it is of; let it have fewer characters"
        )
    if settings["max_exchanges"] == 1:
        yield from _without_effect(settings)


def _without_effect(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that a single exchange gives nothing to do."""
    why = "but max_exchanges is 1, so nothing comes after the first exchange"
    if settings["stop_at_confidence"]:
        yield f"stop_at_confidence is {settings['stop_at_confidence']}, {why}"
    if settings["stop_when_nothing_new"] == "no":
        yield f"stop_when_nothing_new is 'no', {why}"
    if settings["proposals"] == "fresh":
        yield f"proposals is 'fresh', {why}"


def names_of(settings: Settings) -> tuple[str, ...]:
    """Return the names of the agents, in order; the judge is none of them."""
    return tuple(participant["name"] for participant in settings["participants"])


def role_of(settings: Settings, name: str) -> str:
    """Return a participant's role; empty for somebody who takes no part."""
    roles = (each["role"] for each in settings["participants"] if each["name"] == name)
    return str(next(roles, ""))
