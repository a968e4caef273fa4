"""The settings of a design debate: who takes part in which role, and when it ends.

The texts of the seven roles are in `roles.json`; a user's own description and prompts take their
place, and a role of the user's own has a description and the guidance that fits every role.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.model.texts import is_blank, trimmed
from debate_ops.model.turn import Own
from debate_ops.protocols import advocate, people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design.names import LEVELS, MAJOR, MOST_CONFIDENCE
from debate_ops.protocols.settings import (
    COMMON,
    HISTORY_CHARACTERS,
    WORD_LIMITS,
    Setting,
    choice,
    whole,
)

with open(os.path.dirname(__file__) + "/roles.json", encoding="utf-8") as _file:
    _TEXTS = json.load(_file)
ROLES: Mapping[str, Mapping[str, str]] = _TEXTS["roles"]
"""Each role by name: `who` somebody of it is, and what it looks for in each task."""
ANY_ROLE: Mapping[str, str] = _TEXTS["any"]
"""What a role of the user's own looks for; who it is, its description says."""
TASKS = tuple(ANY_ROLE)
"""The tasks that have guidance of their own, which are the keys of a participant's `prompts`."""


def described(participant: Mapping[str, Any]) -> str:
    """Return who a participant is: the user's description, or else that of its role, as `Own`.

    `participant` is one object of the setting `participants`, as it is stored.
    """
    own = text_of(participant.get("description"))
    return own or Own(ROLES.get(participant["role"], {}).get("who", ""))


def guidance(participant: Mapping[str, Any], task: str) -> str:
    """Return what a participant looks for in one of `TASKS`: the user's prompt, or its role's.

    That of its role is `Own`.
    """
    own = text_of((participant.get("prompts") or {}).get(task))
    return own or Own(ROLES.get(participant["role"], ANY_ROLE)[task])


def text_of(value: Any) -> str:
    """Return a text that is given as itself, or with the file it was read from; else nothing.

    >>> text_of({"file": "calm.md", "text": "Stay calm."})
    'Stay calm.'
    """
    text = value.get("text") if isinstance(value, Mapping) else value
    return trimmed(text) if isinstance(text, str) else ""


FEWEST, MOST = 2, 12
MOST_REQUIREMENTS = 30

_DEFAULTS: Mapping[str, Any] = {"description": "", "prompts": {}, "enabled": True}
_KEYS = ("name", "role", *_DEFAULTS)


def _read_participants(value: Any) -> list[dict[str, Any]]:
    items, faults = people.sorted_out(value, "role")
    unread = len(faults)
    everybody = [_participant(each, faults) for each in items]
    enabled = [each for each in everybody if each.pop("enabled")]
    names = [each["name"] for each in enabled]
    faults += people.problems(names, FEWEST, MOST, people.RESERVED, unread)
    if faults:
        raise ValueError("; ".join(dict.fromkeys(faults)))
    return enabled


def _participant(item: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return one participant in full, whatever is wrong with it; that goes to `faults`."""
    role = item.get("role", item.get("name"))
    full = {"name": item.get("name", role), "role": role} | {
        key: item.get(key, default) for key, default in _DEFAULTS.items()
    }
    faults += people.unknown_keys(item, _KEYS, "a participant")
    faults += _participant_faults(**full)
    return full


def _participant_faults(
    name: Any, role: Any, description: Any, prompts: Any, enabled: Any
) -> Iterator[str]:
    who = name if isinstance(name, str) else people.shown(name)
    if role is not None and not people.is_name(role):
        yield f"{people.shown(role)} is no role"
    elif role not in {None, *ROLES} and description == "" and enabled is not False:
        yield (
            f"{who} has the role {role}, which needs a description; without one there are "
            f"{', '.join(ROLES)}"
        )
    if description != "":
        yield from _text_faults(description, f"the description of {who}")
    if not isinstance(prompts, dict):
        yield f"prompts of {who} is {people.shown(prompts)}, expected an object of task and text"
        prompts = {}
    for task, text in prompts.items():
        if task in TASKS:
            yield from _text_faults(text, f"the {task} prompt of {who}")
        else:
            yield f"{task} is no prompt of {who}; there are {', '.join(TASKS)}"
    if not isinstance(enabled, bool):
        yield f"enabled of {who} is {people.shown(enabled)}, expected true or false"


def _text_faults(value: Any, what: str) -> Iterator[str]:
    """Yield what is wrong with a text, or with a file and the text that was read from it."""
    text = value
    if isinstance(value, dict) and isinstance(value.get("file"), str):
        yield from people.unknown_keys(value, ("file", "text"), what)
        text = value.get("text")
        what = f"{what}, from the file {value['file']},"
    if not isinstance(text, str):
        yield f"{what} is {people.shown(value)}, expected a text or {{file: its path}}"
    elif is_blank(text):
        yield f"{what} is blank"


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


def _read_requirements(value: Any) -> list[dict[str, str]]:
    if not isinstance(value, list):
        raise ValueError("expected a list")  # noqa: TRY004  (one error for whatever cannot be a value)
    if len(value) > MOST_REQUIREMENTS:
        raise ValueError(f"{len(value)} of at most {MOST_REQUIREMENTS}")
    faults: list[str] = []
    requirements = [
        _requirement(requirement_id(place), f"number {place}", item, faults)
        for place, item in enumerate(value, start=1)
    ]
    texts = [requirement["text"] for requirement in requirements if requirement["text"]]
    if twice := sorted({text for text in texts if texts.count(text) > 1}):
        faults.append(f"twice: {', '.join(twice)}")
    if faults:
        raise ValueError("; ".join(faults))
    return requirements


def _requirement(id_: str, what: str, item: Any, faults: list[str]) -> dict[str, str]:
    """Return a requirement as it is stored; what is wrong with it goes to `faults`."""
    if not isinstance(item, str | dict):
        faults.append(f"{people.shown(item)} is no requirement")
        return {"id": id_, "text": "", "level": MAJOR}
    parts = {"id": id_, "level": MAJOR} | ({"text": item} if isinstance(item, str) else item)
    faults += people.unknown_keys(parts, ("id", "text", "level"), "a requirement")
    text, level = parts.get("text"), parts["level"]
    if not isinstance(text, str) or is_blank(text):
        faults.append(f"{what} has no text")
        text = ""
    if level not in LEVELS:
        faults.append(f"{what} has the level {people.shown(level)}")
    if parts["id"] != id_:
        faults.append(f"{what} has the id {people.shown(parts['id'])}, expected {id_} or none")
    return {"id": id_, "text": trimmed(text), "level": level}


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


ROUNDS = whole(
    "clarifying_rounds", 3, "how many rounds of clarifying questions there are at most", 1, 5
)
SUMMARY = whole("summary_characters", 2_500, "how many characters a summary may have", 1)

SETTINGS = (
    PARTICIPANTS,
    whole("max_exchanges", 3, "after how many exchanges the debate ends", 1, 20),
    REQUIREMENTS,
    whole(
        "clarifying_questions",
        0,
        "how many questions to the person each participant may ask, in a round; 0: none are asked",
        most=20,
    ),
    ROUNDS,
    choice(
        "proposals",
        "carried",
        "whether the last refinement stands as the proposal of the next exchange, or everybody "
        "proposes anew, starting from it",
        "carried",
        "fresh",
    ),
    whole(
        "stop_at_confidence",
        0,
        "the judge's confidence, asked after each exchange, at which the debate ends; 0: not asked",
        most=MOST_CONFIDENCE,
    ),
    choice(
        "stop_when_nothing_new",
        "yes",
        "whether the debate ends after an exchange in which no point was accepted",
        "yes",
        "no",
    ),
    whole(
        "summary_threshold",
        5_000,
        "from how many characters on a participant's own history is summarised; 0: never",
    ),
    SUMMARY,
    advocate.SETTING,
    WORD_LIMITS,
    *COMMON,
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
    yield from advocate.clashes(settings, names_of(settings))
    alone = {"stop_at_confidence": 0, "stop_when_nothing_new": "yes", "proposals": "carried"}
    for name, default in alone.items() if settings["max_exchanges"] == 1 else ():
        if settings[name] != default:
            why = "but max_exchanges is 1, so nothing comes after the first exchange"
            yield f"{name} is {settings[name]!r}, {why}"


def names_of(settings: Settings) -> tuple[str, ...]:
    """Return the names of the agents, in order; the judge is none of them."""
    return tuple(participant["name"] for participant in settings["participants"])


def advocate_of(settings: Settings, exchange: int) -> str:
    """Return the devil's advocate of an exchange; empty where there is none."""
    return advocate.of(settings, names_of(settings), exchange, ()) if exchange else ""


def role_of(settings: Settings, name: str) -> str:
    """Return a participant's role; empty for somebody who takes no part."""
    roles = (each["role"] for each in settings["participants"] if each["name"] == name)
    return str(next(roles, ""))
