"""Every kind of participant by the first word of its spec, and who replies for whom.

A new kind is a file here and a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from debate_ops.core.errors import UsageError
from debate_ops.model.debate import Debate
from debate_ops.run.base import Participant
from debate_ops.run.command import Command
from debate_ops.run.person import Person
from debate_ops.run.providers import KEYS
from debate_ops.run.replay import Replay
from debate_ops.protocols.first_answer import ADVISER, is_enabled
from debate_ops.protocols.table import rules_of
from debate_ops.storage import folder


def _replay(name: str) -> Participant:
    return Replay(folder.find(name))


EVERYBODY = "all"
"""The name that stands for every participant who has no one of his own."""


def _model(provider: str, rest: str) -> Participant:
    from debate_ops.run.model import Model  # brings asyncio, which others do without

    return Model(provider, rest)


KINDS: Mapping[str, Callable[[str], Participant]] = {
    "cmd": Command,
    "replay": _replay,
    "person": Person,
    **{provider: partial(_model, provider) for provider in KEYS},
}
"""Kind to what makes a participant from the rest of the spec."""

_FORMS = (
    'cmd:"PROGRAM ARGUMENTS" (prompt on standard input, reply on standard output), replay:DEBATE, '
    "person:NAME (who replies with 'debate-ops reply'), "
    f"PROVIDER:MODEL with one of {', '.join(KEYS)}"
)


def participant(spec: str) -> Participant:
    """Return the participant that a user's word for one means.

    Raises:
        UsageError: there is no such kind, or no such debate to replay.
        ConfigurationError: there is no such program.
        BadRecordError: the debate to replay cannot be read.
    """
    kind, colon, rest = ("person", ":", "") if spec == "person" else spec.partition(":")
    if not colon or kind not in KINDS:
        raise UsageError(f"{spec!r} does not say who replies", hint=f"What can reply: {_FORMS}.")
    return KINDS[kind](rest)


def assigned(
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
        raise UsageError(
            "; ".join(lines),
            hint=f"Name one for each of {', '.join(roles)}, or one for {EVERYBODY}: "
            'for example --all cmd:"claude -p".',
        )
    if idle:
        raise UsageError(
            "; ".join(lines),
            hint=f"This debate asks {', '.join(roles)}; leave out who has nothing to reply to.",
        )
    return {name: participants[key] for name, key in used.items()}


def cast(debate: Debate, participants: Mapping[str, Participant]) -> dict[str, Participant]:
    """Return who replies for each participant of a debate, the adviser only if named.

    Raises:
        UsageError: nobody does for one of them, or a name means nobody.
    """
    adviser = {ADVISER} & participants.keys() if is_enabled(debate.settings) else set()
    roles = rules_of(debate.protocol).participants(debate.settings)
    others = {
        _name_in(roles, name): who for name, who in participants.items() if name not in adviser
    }
    replying = assigned(roles, others)
    return replying | {name: participants[name] for name in adviser}


_SIDES = {"prop": "aff", "opp": "neg"}
"""The two sides of a motion, as protocols name them."""


def _name_in(roles: Mapping[str, str], name: str) -> str:
    """Return what a debate calls the one whom a user named."""
    other = _SIDES.get(name, "")
    return other if name not in roles and other in roles else name
