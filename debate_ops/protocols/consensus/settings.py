"""The settings of a debate that looks for a consensus: who takes part, whose vote weighs what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from debate_ops.model.score import to_millis, to_number
from debate_ops.model.texts import trimmed
from debate_ops.protocols import advocate, people
from debate_ops.protocols.base import Settings
from debate_ops.protocols.settings import (
    COMMON,
    HISTORY_CHARACTERS,
    WEEK,
    WORD_LIMITS,
    Setting,
    choice,
    whole,
)

FEWEST, MOST = 2, 26
TALLY = "tally"
"""Whose entries the outcomes are: a name that no participant can have."""

MEMBER = "member"
WEIGHTS: Mapping[str, int | Decimal] = {"expert": Decimal("1.5"), "architect": 2, MEMBER: 1}
"""What a vote weighs by role, where the debate does not say otherwise."""

_RATIO = re.compile(r"([0-9]{1,12})(?:/([0-9]{1,12})|\.([0-9]{1,12}))?\Z")
_KEYS = ("name", "role", "perspective")


def _read_participants(value: Any) -> list[dict[str, str]]:
    items, faults = people.sorted_out(value, "role")
    unread = len(faults)
    read = [_participant(each, faults) for each in items]
    names = [participant["name"] for participant in read]
    faults += people.problems(names, FEWEST, MOST, people.RESERVED, unread)
    roles = (participant["role"] for participant in read)
    faults += [f"{people.shown(role)} is no role" for role in roles if not people.is_name(role)]
    if faults:
        raise ValueError(", ".join(faults))
    return read


def _participant(item: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    """Return one participant in full; what is wrong, its name and role apart, goes to `faults`."""
    full = {"name": None, "role": MEMBER, "perspective": ""} | dict(item)
    faults += people.unknown_keys(item, _KEYS, "a participant")
    if not isinstance(full["perspective"], str):
        is_ = people.shown(full["perspective"])
        faults.append(f"perspective of {full['name']} is {is_}, expected a text")
    return {key: trimmed(full[key]) if isinstance(full[key], str) else full[key] for key in _KEYS}


PARTICIPANTS = Setting(
    "participants",
    None,
    "who takes part: names with an optional role (ann,ben:expert), or objects with name, role "
    "(default member) and perspective, what this participant stands for or knows",
    _read_participants,
    f"{FEWEST} to {MOST} different names of lower-case letters, digits and single hyphens, at "
    f"most {people.LONGEST_NAME} characters, none of them {', '.join(sorted(people.RESERVED))}",
)


def _read_weights(value: Any) -> dict[str, int | Decimal]:
    if not isinstance(value, dict):
        raise ValueError  # noqa: TRY004  (one error for whatever cannot be a value)
    weights = dict(WEIGHTS)
    for role, number in value.items():
        if not people.is_name(role):
            raise ValueError(f"{role!r} is no role")
        millis = to_millis(number)
        if millis is None or millis < 0:
            raise ValueError(f"{role} has {number!r}")
        weights[role] = to_number(millis)
    return weights


WEIGHT_OF_ROLES = Setting(
    "weights",
    dict(WEIGHTS),
    "what a vote weighs, by role; a role that is given replaces this role's default alone",
    _read_weights,
    "an object of role and weight, a number from 0 with at most three decimals",
)


def _read_threshold(value: Any) -> str:
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    text = str(value).strip() if is_number or isinstance(value, str) else ""
    match = _RATIO.match(text)
    if match is None:
        raise ValueError
    over, under, decimals = match[1], match[2], match[3] or ""
    if not 0 < int(over + decimals) <= int(under or "1" + "0" * len(decimals)):
        raise ValueError
    return text


THRESHOLD = Setting(
    "threshold",
    "2/3",
    "which share of the weight cast a proposal needs; 2/3 of equal votes reach 2/3, but not 0.67",
    _read_threshold,
    "a share above 0 and at most 1, as 2/3 or 0.67",
)

SETTINGS = (
    PARTICIPANTS,
    WEIGHT_OF_ROLES,
    THRESHOLD,
    whole("quorum", 0, "how many ballots a vote needs; 0: more than half of the participants"),
    whole("max_cycles", 3, "after how many cycles without consensus a person decides", 1, 100),
    choice(
        "self_votes",
        "allowed",
        "whether a participant may vote for its own proposal",
        "allowed",
        "forbidden",
    ),
    choice(
        "revisions",
        "allowed",
        "whether a defence may change the proposal",
        "allowed",
        "forbidden",
    ),
    choice(
        "critic_confirms",
        "no",
        "what lifts a blocking critique: any answer (no), one that its critic does not reject "
        "(yes), or the critic alone, by accepting one (required)",
        "no",
        "yes",
        "required",
    )._replace(usual="required"),
    advocate.SETTING,
    choice(
        "votes",
        "plain",
        "whether a ballot names what decided it, and the outcome who changed its mind without "
        "naming anything new",
        "plain",
        "cited",
    )._replace(usual="cited"),
    choice(
        "straw_poll",
        "no",
        "whether all say in the first cycle, before the critiques, what they would vote for",
        "no",
        "yes",
    ),
    whole(
        "phase_seconds",
        0,
        "seconds after which a phase may be closed without the missing replies; 0 is no limit",
        most=WEEK,
    ),
    WORD_LIMITS,
    *COMMON,
    HISTORY_CHARACTERS._replace(default=45_000),
)


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that does not fit the others, or has no effect."""
    weights, roles = settings["weights"], roles_of(settings)
    for name, role in roles.items():
        if role not in weights:
            yield (
                f"participants gives {name} the role {role}, which has no weight; weights has "
                f"{', '.join(weights)}"
            )
    chosen = [role for role, weight in weights.items() if weight != WEIGHTS.get(role)]
    if idle := [role for role in chosen if role not in roles.values()]:
        yield f"weights has {', '.join(idle)}, a role that no participant has"
    if not any(weights.get(role, 1) for role in roles.values()):
        yield "weights gives every participant 0, so no vote could decide anything"
    if len(roles) == FEWEST and settings["self_votes"] == "forbidden" and not _can_agree(settings):
        yield (
            "self_votes is 'forbidden', so each of two participants votes for the other's "
            "proposal, and with these weights and this threshold neither could ever win alone"
        )
    yield from advocate.clashes(settings, roles)
    if settings["quorum"] > len(roles):
        yield f"quorum is {settings['quorum']}, but there are {len(roles)} participants"


def _can_agree(settings: Settings) -> bool:
    """Tell whether one of two who vote for each other could win, or one alone may decide."""
    weights = [to_millis(weight_of(settings, name)) or 0 for name in roles_of(settings)]
    over, _, under = settings["threshold"].partition("/")
    needed = Decimal(over) * sum(weights) / Decimal(under or 1)
    return quorum_of(settings) < FEWEST or sum(weight >= needed for weight in weights) == 1


def roles_of(settings: Settings) -> dict[str, str]:
    """Return each participant's role."""
    return {item["name"]: item["role"] for item in settings["participants"]}


def perspective_of(settings: Settings, participant: str) -> str:
    """Return what a participant stands for or knows, if anything was said."""
    texts = {item["name"]: item["perspective"] for item in settings["participants"]}
    return str(texts.get(participant, ""))


def weight_of(settings: Settings, participant: str) -> int | Decimal | None:
    """Return what a participant's vote weighs; None for somebody who takes no part."""
    weight: int | Decimal | None = settings["weights"].get(roles_of(settings).get(participant))
    return weight


def quorum_of(settings: Settings) -> int:
    """Return how many ballots a vote needs."""
    return int(settings["quorum"]) or len(settings["participants"]) // 2 + 1
