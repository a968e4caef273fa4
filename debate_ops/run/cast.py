"""Who replies: people, records, and all others by the first word of their specs; and for whom.

A new kind of participant is a module beside this one and a row in `KINDS`.
"""

import json
import os
import re
import time
from collections.abc import Callable, Container, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import unquote

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import DebateError, UsageError, catch_error
from debate_ops.core.protocol import ADVISER, FirstAnswer
from debate_ops.core.values import Absent, Entry
from debate_ops.engine import Position, files, inbox
from debate_ops.engine.inbox import SOMEBODY
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import Folder, find_folder
from debate_ops.protocols.shared import COMMON_SIDES
from debate_ops.run import participants
from debate_ops.run.clients import CLIENTS
from debate_ops.run.command import Command, name_program
from debate_ops.run.model import KEYS, Model
from debate_ops.run.participants import Answer, FailedError, Participant, Prompt, StoppedError
from debate_ops.run.run_file import PERSON

T = TypeVar("T")
EVERYBODY = "all"
"""The name that stands for every participant who has no one of his own."""
_SECONDS_BETWEEN_CHECKS = 0.3


class Person:
    """Waits for a reply in the inbox, by `reply` or by hand, for as long as the debate allows."""

    recorded = False

    def __init__(self, name: str) -> None:
        self._name, self.name = name, f"{PERSON}{name}"

    def reply(self, prompt: Prompt) -> Answer:
        """Wait until the reply lies in the inbox, whole."""
        folder = Folder(os.path.dirname(os.path.dirname(prompt.file)))
        place = inbox.find_slot(folder, prompt.step, prompt.task.by)
        before = b""
        while not prompt.stop.wait(_SECONDS_BETWEEN_CHECKS):
            try:
                raw = files.read_bytes(place.reply, MAX_BYTES)
            except (OSError, UsageError):
                raw = b""
            if raw and raw == before:  # nobody is writing it any more
                made_by = inbox.read_made_by(place, raw)
                is_unnamed = not made_by or made_by.get("person") == SOMEBODY
                return Answer(raw, {"person": self._name} if is_unnamed else made_by)
            before = raw
            if time.monotonic() > prompt.closes:
                raise participants.TimedOutError(f"{self.name} gave no reply in time", tries=1)
        raise StoppedError


class Replay:
    """Every participant of a recorded debate, whose record is read once."""

    recorded = True

    def __init__(self, folder: Folder) -> None:
        at = engine.load(folder)
        self.debate, self._protocol = at.debate, at.protocol
        self._slug = folder.slug
        self._steps: dict[tuple[int, str], list[Entry]] = {}
        for entry in at.debate.entries.values():
            self._steps.setdefault((entry.step, entry.by), []).append(entry)
        self.name = f"replay of {self._slug}"

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return what the record holds for this task: a reply, or an absence."""
        turn, name = prompt.turn, prompt.task.by
        own = [e for e in self._steps.get((prompt.step, name), []) if e.round == turn.round]
        for entry in own:
            if entry.kind == "absence":
                said = entry.data
                return Absent(said["how"], said["reason"] or "no reason on record", said["by"])
        if not own and name == ADVISER:  # whom nothing waits for
            return Absent("omit", "it is not on record", name)
        if not own:
            raise FailedError(
                f"the record of {self._slug} holds no reply of {name} for exchange {turn.round}",
                tries=1,
            )
        form = FirstAnswer if name == ADVISER else self._protocol.replies[turn.template(name)]
        said = {**turn.name_reply(name), **form.recall(own).model_dump(by_alias=True)}
        reply = json.dumps(said, ensure_ascii=False, default=float)
        made = next(filter(None, map(made_by, own)), None)
        origin: dict[str, Any] = {"debate": self._slug} | ({"made_by": made} if made else {})
        return Answer(reply.encode(), {"replay_of": origin})


KINDS: Mapping[str, Callable[[str], Participant]] = {
    "cmd": Command,
    "replay": lambda name: Replay(find_folder(name)),
    "person": Person,
    **{provider: partial(Model, provider) for provider in KEYS},
}
"""Kind to what makes a participant from the rest of the spec."""

_FORMS = (
    'cmd:"PROGRAM ARGUMENTS" (prompt on standard input, reply on standard output), replay:DEBATE, '
    "person:NAME (who replies with 'debate-ops reply'), "
    f"PROVIDER:MODEL with one of {', '.join(KEYS)}"
)


def split_spec(spec: str) -> tuple[str, str]:
    """Return the kind that a SPEC names, and the rest, or raise a `UsageError`."""
    spec = re.sub(r"""^(["'])(.*)\1$""", r"\2", spec)
    kind, _, rest = ("person", ":", SOMEBODY) if spec == "person" else spec.partition(":")
    name, options, _ = rest.partition("?")
    if kind not in KINDS or not name.strip() or (options and kind == "person"):
        near = f'; did you mean cmd:"{CLIENTS[spec]}"?' if spec in CLIENTS else ""
        near = "; a person's name has no '?'" if kind == "person" and options else near
        shown = hide_password(spec).partition("?")[0]
        raise UsageError(
            f"{shown!r} does not say who replies{near}",  # options may be secrets
            hint=f"What can reply: {_FORMS}.",
        )
    return kind, rest


def name_spec(spec: str) -> str:
    """Return a SPEC for everybody to see: without arguments and options, which may be secrets."""
    kind, rest = split_spec(spec)
    return name_program(rest) if kind == "cmd" else spec.partition("?")[0]


def hide_password(spec: str) -> str:
    """Return a SPEC as it may be shown: without what stands before the name of a server.

    That ends at the last `@`, whatever else a password has; an address may be percent-encoded.
    """
    plain = unquote(spec)
    hidden = re.sub(r"(?is)(https?:[/\\\s]*|//).*@", r"\1", plain)
    return spec if hidden == plain else hidden


def make_participant(spec: str) -> Participant:
    """Return the participant that a user's word for one means.

    Raises:
        UsageError: there is no such kind, or no such debate to replay.
        ConfigurationError: there is no such program, package or key.
    """
    kind, rest = split_spec(spec)
    return KINDS[kind](rest)


def find_unable(specs: Mapping[str, str]) -> dict[str, DebateError]:
    """Return why they cannot reply on this machine of whom that is so, by name or role."""
    made = {name: catch_error(partial(make_participant, spec)) for name, spec in specs.items()}
    return {name: error for name, error in made.items() if isinstance(error, DebateError)}


def _find_keys(position: Position, keys: Container[str]) -> dict[str, str]:
    """Return for each participant the nearest of `keys` that names it, its side or role, or all."""
    members = getattr(position.debate.settings, "members", ())
    found = dict[str, str]()
    for name, role in position.protocol.participants(position.debate.settings).items():
        sides = [names[name] for names in (COMMON_SIDES, position.protocol.sides) if name in names]
        near = [name, *sides, *["panel"] * (name in members), role, EVERYBODY]
        if key := next((key for key in near if key in keys), None):
            found[name] = key
    return found


def find_usual(position: Position, usual: Mapping[str, T]) -> dict[str, T]:
    """Return who is usual for each participant; whoever stands for all is left out."""
    found = _find_keys(position, usual.keys() - {EVERYBODY})
    return {name: usual[key] for name, key in found.items()}


def find_cast(
    position: Position,
    participants: Mapping[str, Participant],
    usual: Mapping[str, Participant] = MappingProxyType({}),
) -> dict[str, Participant]:
    """Return who replies for each participant of a debate, and for the adviser if one is asked.

    Who is `usual` replies where nobody is named; a person for all is not asked to be the adviser.

    Raises:
        UsageError: nobody does for one of them who has something left to reply to, or one who is
            named has nothing at all.
    """
    named = {position.at.find_name(name): who for name, who in participants.items()}
    roles = position.protocol.participants(position.debate.settings)
    chosen = _find_keys(position, named)
    cast = {name: usual[key] for name, key in _find_keys(position, usual).items()}
    cast |= {name: named[key] for name, key in chosen.items()}
    used, for_all = {*chosen.values()}, participants.get(EVERYBODY) or usual.get(EVERYBODY)
    adviser = named.get(ADVISER, None if isinstance(for_all, Person) else for_all)
    if adviser and position.debate.settings.first_answer != "off":
        cast |= {ADVISER: adviser} if position.at.adviser_tasks else {}
        used |= {ADVISER, EVERYBODY}
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
