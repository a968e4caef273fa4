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
from debate_ops.protocols.shared import COMMON_SIDES
from debate_ops.run.base import Participant
from debate_ops.run.command import Command
from debate_ops.run.others import Person, Replay
from debate_ops.run.providers import CLIENTS, KEYS

T = TypeVar("T")
EVERYBODY = "all"
"""The name that stands for every participant who has no one of his own."""


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
        near = f'; did you mean cmd:"{CLIENTS[spec]}"?' if spec in CLIENTS else ""
        raise UsageError(
            f"{spec!r} does not say who replies{near}", hint=f"What can reply: {_FORMS}."
        )
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


def _list_keys(position: Position, name: str, role: str) -> list[str]:
    """Return what a participant may be named by, the nearest first, but for everybody's name."""
    sides = [names[name] for names in (COMMON_SIDES, position.protocol.sides) if name in names]
    is_member = name in getattr(position.debate.settings, "members", ())
    return [name, *sides, *["panel"] * is_member, role]


def find_usual(position: Position, usual: Mapping[str, T]) -> dict[str, T]:
    """Return who is usual for each participant, by name, side or role.

    Whoever stands for all is left out. A member of a panel is one of `panel` before it is a judge.
    """
    found = dict[str, T]()
    for name, role in position.protocol.participants(position.debate.settings).items():
        key = next((key for key in _list_keys(position, name, role) if key in usual), None)
        found |= {name: usual[key]} if key else {}
    return found


def find_cast(
    position: Position,
    participants: Mapping[str, Participant],
    usual: Mapping[str, Participant] = MappingProxyType({}),
) -> dict[str, Participant]:
    """Return who replies for each participant of a debate, and for the adviser if one is asked.

    Who is `usual`, as `find_usual` has it or for all, replies where nobody is named. The adviser is
    named, or is who replies for all unless that is a person; the debate goes on without one.

    Raises:
        UsageError: nobody does for one of them who has something left to reply to, or one who is
            named has nothing at all.
    """
    named = {position.at.find_name(name): who for name, who in participants.items()}
    roles = position.protocol.participants(position.debate.settings)
    for_all = participants.get(EVERYBODY) or usual.get(EVERYBODY)
    adviser = named.get(ADVISER, None if isinstance(for_all, Person) else for_all)
    if position.debate.settings.first_answer == "off":
        adviser = None
    cast = {ADVISER: adviser} if adviser and position.at.adviser_tasks else {}
    used = {ADVISER, EVERYBODY} if adviser else set()
    for name, role in roles.items():
        keys = [*_list_keys(position, name, role), EVERYBODY]
        for who in (named, usual):
            if name not in cast and (key := next((k for k in keys if k in who), None)):
                cast[name] = who[key]
                used.add(key)
    left = position.protocol.list_repliers(position.debate, position.at.place)
    nobody = [name for name in roles if name in left and name not in cast]
    idle = [name for name in named if name not in used]
    if nobody or idle:
        said = [f"nobody replies for {' and '.join(nobody)}"] * bool(nobody)
        said += [f"{' and '.join(idle)} would never be asked"] * bool(idle)
        raise UsageError(
            "; ".join(said),
            hint=f"This debate asks {', '.join(roles)}. Name one for each, or one for {EVERYBODY} "
            'as in --all cmd:"claude -p", and leave out who has nothing to reply to.',
        )
    return cast
