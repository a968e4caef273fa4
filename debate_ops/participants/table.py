"""Every kind of participant by the first word of its spec: a new one is a file here and a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from debate_ops.errors import UsageError
from debate_ops.participants.base import Participant
from debate_ops.participants.command import Command
from debate_ops.participants.replay import Replay
from debate_ops.storage import folder


def _replay(name: str) -> Participant:
    return Replay(folder.find(name))


KINDS: Mapping[str, Callable[[str], Participant]] = {
    "cmd": Command,
    "replay": _replay,
}
"""Kind to what makes a participant from the rest of the spec."""

_FORMS = (
    'cmd:"PROGRAM ARGUMENTS" (prompt on standard input, reply on standard output), replay:DEBATE'
)


def participant(spec: str) -> Participant:
    """Return the participant that a user's word for one means.

    Raises:
        UsageError: there is no such kind, or no such debate to replay.
        ConfigurationError: there is no such program.
        BadRecordError: the debate to replay cannot be read.
    """
    kind, colon, rest = spec.partition(":")
    if not colon or kind not in KINDS:
        raise UsageError(f"{spec!r} does not say who replies", hint=f"What can reply: {_FORMS}.")
    return KINDS[kind](rest)
