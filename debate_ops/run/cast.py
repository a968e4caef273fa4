"""Every kind of participant by the first word of its spec, and who replies for whom.

A new kind is a module beside this one and a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from debate_ops.core.errors import UsageError
from debate_ops.core.protocol import ADVISER
from debate_ops.engine import Position
from debate_ops.engine.store import find_folder
from debate_ops.run.base import Participant
from debate_ops.run.command import Command
from debate_ops.run.person import Person
from debate_ops.run.providers import KEYS
from debate_ops.run.replay import Replay

T = TypeVar("T")
EVERYBODY = "all"
"""The name that stands for every participant who has no one of his own."""
_NAMES_OF_SIDES = {
    "prop": ("prop", "aff"),
    "opp": ("opp", "neg"),
    "affirmative": ("aff",),
    "negative": ("neg",),
    "proposition": ("prop",),
    "opposition": ("opp",),
}
"""Names of the two sides of a motion, and what protocols call them."""


def _model(provider: str, rest: str) -> Participant:
    from debate_ops.run.model import Model  # brings asyncio, which others do without

    return Model(provider, rest)


KINDS: Mapping[str, Callable[[str], Participant]] = {
    "cmd": Command,
    "replay": lambda name: Replay(find_folder(name)),
    "person": Person,
    **{provider: partial(_model, provider) for provider in KEYS},
}
"""Kind to what makes a participant from the rest of the spec."""

_FORMS = (
    'cmd:"PROGRAM ARGUMENTS" (prompt on standard input, reply on standard output), replay:DEBATE, '
    "person:NAME (who replies with 'debate-ops reply'), "
    f"PROVIDER:MODEL with one of {', '.join(KEYS)}"
)


def split_spec(spec: str) -> tuple[str, str]:
    """Return the kind that a SPEC names, and the rest.

    Raises:
        UsageError: it names none, or nothing follows where something has to.
    """
    kind, colon, rest = ("person", ":", "") if spec == "person" else spec.partition(":")
    if not colon or kind not in KINDS or not (rest.strip() or kind == "person"):
        raise UsageError(f"{spec!r} does not say who replies", hint=f"What can reply: {_FORMS}.")
    return kind, rest


def make_participant(spec: str) -> Participant:
    """Return the participant that a user's word for one means.

    Raises:
        UsageError: there is no such kind, or no such debate to replay.
        ConfigurationError: there is no such program.
        BadRecordError: the debate to replay cannot be read.
    """
    kind, rest = split_spec(spec)
    return KINDS[kind](rest)


def assign(
    roles: Mapping[str, str], participants: Mapping[str, Participant]
) -> dict[str, Participant]:
    """Return who replies for each participant of a protocol: the nearest name counts.

    Raises:
        UsageError: nobody replies for one of them, or one who is named has nothing to reply to.
    """
    used = {
        name: next((n for n in (name, role, EVERYBODY) if n in participants), "")
        for name, role in roles.items()
    }
    nobody = [name for name, key in used.items() if not key]
    idle = [key for key in participants if key not in used.values()]
    unknown = [key for key in idle if key not in {*roles, *roles.values(), EVERYBODY}]
    unasked = [key for key in idle if key not in unknown]
    lines = [f"{name!r} is nobody in this debate" for name in unknown]
    lines += [f"{' and '.join(unasked)} would never be asked"] if unasked else []
    lines += [f"nobody replies for {' and '.join(nobody)}"] if nobody else []
    if nobody:
        hint = f"Name one for each of {', '.join(roles)}, or one for {EVERYBODY}: for example "
        raise UsageError("; ".join(lines), hint=f'{hint}--all cmd:"claude -p".')
    if idle:
        hint = f"This debate asks {', '.join(roles)}; leave out who has nothing to reply to."
        raise UsageError("; ".join(lines), hint=hint)
    return {name: participants[key] for name, key in used.items()}


def find_usual(position: Position, usual: Mapping[str, T]) -> dict[str, T]:
    """Return who is usual for each participant, by name, side or role.

    Whoever stands for all is left out. A member of a panel is one of `panel` before it is a judge.
    """
    settings = position.debate.settings
    found = dict[str, T]()
    for name, role in position.protocol.participants(settings).items():
        sides = (key for key, names in _NAMES_OF_SIDES.items() if name in names)
        panel = ["panel"] if name in getattr(settings, "members", ()) else []
        key = next((key for key in (name, *sides, *panel, role) if key in usual), None)
        found |= {name: usual[key]} if key else {}
    return found


def find_cast(
    position: Position,
    participants: Mapping[str, Participant],
    usual: Mapping[str, Participant] = MappingProxyType({}),
) -> dict[str, Participant]:
    """Return who replies for each participant of a debate, the adviser only if named.

    Who is `usual`, as `find_usual` has it or for all, replies where nobody is named.

    Raises:
        UsageError: nobody does for one of them, or a name means nobody.
    """
    settings = position.debate.settings
    adviser = {ADVISER} & participants.keys() if settings.first_answer != "off" else set()
    roles = position.protocol.participants(settings)
    others = {}
    for given in (n for n in participants if n not in adviser):
        name = position.at.find_name(given)
        sides = (side for side in (name, *_NAMES_OF_SIDES.get(name, ())) if side in roles)
        others[next(sides, name)] = participants[given]
    set_ = find_usual(position, usual)
    for name, role in roles.items():
        if not {name, role, EVERYBODY} & others.keys() and (name in set_ or EVERYBODY in usual):
            others[name] = set_.get(name) or usual[EVERYBODY]
    return assign(roles, others) | {name: participants[name] for name in adviser}
