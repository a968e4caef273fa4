"""Who replies, by options, a file of models and what is set; and waiting until all have."""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.cli import answers, config, texts
from debate_ops.cli.command import Amount, bundle, option, quiet_option, timeout_option
from debate_ops.core import errors
from debate_ops.core.values import OMIT, Absent, Fault, Turn
from debate_ops.engine import SKIPPED, Position, inbox
from debate_ops.engine.store import Folder
from debate_ops.run import endings, runner
from debate_ops.run.base import Answer as Reply
from debate_ops.run.base import Participant, Prompt
from debate_ops.run.cast import EVERYBODY, Person, make_participant

QUIET_SECONDS = 3.0
"""A reply counts as finished when it has not changed for so long."""
_PAUSE_SECONDS = 0.5
_AGAIN = "Run the same command again to wait on."
_LABEL = "NAME=TEXT"

cast_options = bundle(
    option("--all SPEC", help="Who does what no other option names."),
    option("--debaters SPEC", help="Who argues."),
    option("--prop SPEC", help="Who argues for the motion."),
    option("--opp SPEC", help="Who argues against it."),
    option("--adviser SPEC", help="Who gives the first answer; else --all, if that is no person."),
    option("--judge SPEC", help="Who judges."),
    option("--reporter SPEC", help="Who writes the memo; else who replies for the others."),
    option("--no-memo", help="Have no memo written."),
    option("--panel SPEC", help="Who sits on its panel; the judge, if not given."),
    timeout_option,
    option(
        "--max-cost DOLLARS",
        "cost",
        type=Amount(min=0.0),
        help="Do not begin a turn that is likely to bring the run above this.",
    ),
    option("--dry-run", help="Ask nobody; say what the run is likely to take, as far as is known."),
    quiet_option,
)
"""Who replies, and within which bounds."""


class Cast(NamedTuple):
    """Who replies: those who were named, and for all others those who are `usual`, by role."""

    participants: Mapping[str, Participant]
    usual: Mapping[str, Participant]
    reporter: Participant | None = None

    def find(self, *keys: str) -> Participant | None:
        """Return the first that there is of these keys, named before usual."""
        casts = (self.participants, self.usual)
        return next((cast[key] for cast in casts for key in keys if key in cast), None)


def choose_cast(options: Mapping[str, Any]) -> Cast:
    """Return who replies: by an option, as NAME=SPEC, as a file lists them, or as is set.

    What is set for a role is not used where somebody is named for everybody. Where nobody is named
    for the memo, the first program or model that replies for others writes it.
    """
    make = _make_unasked if options["dry_run"] else make_participant
    roles = ("prop", "opp", "judge", "adviser", "panel", "reporter")
    named = {role: options[role] for role in roles}
    named |= {"debater": options["debaters"], EVERYBODY: options["all_"]}
    specs = {name: spec for name, spec in named.items() if spec}
    more = texts.split_pairs(options.get("as_", ()), "--as ", "NAME=SPEC")
    if twice := sorted(specs.keys() & more.keys()):
        raise errors.UsageError(f"{' and '.join(twice)} is named twice")
    specs = {**_read_models(options.get("models")), **specs, **more}
    made = {name: make(spec) for name, spec in specs.items()}
    for name, label in texts.split_pairs(options.get("made_by", ()), "--made-by ", _LABEL).items():
        if isinstance(made.get(name), Person | None):
            raise errors.UsageError(
                f"--made-by names {name}, for whom no option names a program or model",
                hint=f"Named are: {', '.join(made) or 'nobody'}. A person is named by person:NAME.",
            )
        made[name] = _Labelled(made[name], label)
    set_ = {} if EVERYBODY in made else config.read_specs()
    usual = {name: make(spec) for name, spec in set_.items()}
    reporter = made.pop("reporter", None) or usual.pop("reporter", None)
    if "panel" in made:  # else it would have to be a participant
        usual["panel"] = made.pop("panel")
    cast = Cast(made, usual)
    others = (cast.find(key) for key in (EVERYBODY, "judge", "debater", *made))
    writers = (who for who in others if who and not (who.recorded or isinstance(who, Person)))
    reporter = reporter or next(writers, None)
    is_none = options["no_memo"] or isinstance(reporter, Person)
    return cast._replace(reporter=None if is_none else reporter)


def _make_unasked(spec: str) -> Participant:
    """Return who would reply; for the estimate, neither a key nor a program has to be there."""
    try:
        return make_participant(spec)
    except errors.ConfigurationError as error:
        answers.remark(f"warning: {error.message}. {error.hint}")
        return _Unasked(spec.partition("?")[0])


@dataclass
class _Unasked:
    """Stands for whom a dry run does not ask: its name says what its replies cost."""

    name: str
    recorded: bool = False

    def reply(self, prompt: Prompt) -> Reply:
        raise NotImplementedError(prompt.file)


class _Labelled:
    """A participant of whom the user says who it is, for the record."""

    def __init__(self, who: Participant, label: str) -> None:
        self._who, self._label = who, label
        self.name, self.recorded = f"{label} ({who.name})", who.recorded

    def reply(self, prompt: Prompt) -> Reply | Absent:
        said = self._who.reply(prompt)
        if isinstance(said, Absent):
            return said
        return said._replace(made_by={"model": self._label, **said.made_by})


def _read_models(path: str | None) -> Mapping[str, str]:
    """Return who replies for whom, as a file has it."""
    read = texts.load_settings(path) if path else texts.Settings({}, {})
    listed = read.models or read.values.get("participants", {})
    is_list = isinstance(listed, Mapping) and all(isinstance(s, str) for s in listed.values())
    if not is_list or not (read.models or read.values.keys() <= {"participants"}):
        hint = 'Expected: a table "participants" of NAME = "SPEC".'
        raise errors.UsageError(f"{path} is no list of participants", hint=hint)
    return listed


def make_programs(position: Position) -> dict[str, Participant]:
    """Return the programs that reply beside the agents of a client; refuse who cannot."""
    specs = config.find_programs(position)
    for name, spec in specs.items():
        if spec.partition(":")[0] == "person":
            raise errors.ConfigurationError(
                f"{name} is set to be {spec}, and no person can be asked within an agent client",
                hint="See 'config'; 'config unset KEY' leaves it to an agent.",
            )
    return {name: make_participant(spec) for name, spec in specs.items()}


def ask_programs(place: Folder, step: int, seconds: int) -> None:
    """Have programs reply to the turn of `step` where they are set, however long that takes.

    Raises:
        RunAgainError: another command asks them, and did for so many seconds.
    """
    position = engine.load(place)
    cast = make_programs(position) if position.debate.step == step else {}
    due = position.select_tasks(cast).tasks
    over = [item for item in due if item.attempts > runner.REPAIRS]
    try:
        if over:
            faults = [Fault("", f"refused {i.attempts} times", by=i.task.by) for i in over]
            raise endings.describe_failure(place, faults)
        if due:
            runner.file_replies(place, cast, wait=seconds)
    except errors.BusyError as error:
        raise errors.RunAgainError(error.message, hint=_AGAIN) from None
    except errors.ParticipantFailedError as failed:
        failed.hint += " 'config unset KEY' has an agent reply."
        raise


def wait_for_replies(place: Folder, step: int, seconds: float) -> None:
    """Return when every reply to the turn of `step` is there and still, or another turn is due.

    One that the turn does not need is waited for as the others are, and then left out.

    Raises:
        RunAgainError: some are still awaited after so many seconds.
    """
    end = time.monotonic() + seconds
    while True:
        position = engine.load(place)
        if position.debate.step != step or not isinstance(position.due, Turn):
            return
        awaited = tuple(_find_awaited(position))
        left = end - time.monotonic()
        is_over = left <= 0
        omitted = {item.task.by for item in position.tasks if item.task.on_failure == OMIT}
        if not awaited or (is_over and all(fault.by in omitted for fault in awaited)):
            return
        if is_over:
            names = " and ".join(fault.by for fault in awaited)
            why = f"still waiting for {names}; nothing was changed"
            raise errors.RunAgainError(why, hint=_AGAIN, faults=awaited)
        time.sleep(min(left, _PAUSE_SECONDS))


def _find_awaited(position: Position) -> Iterator[Fault]:
    """Yield a fault for each reply that is missing, or may still be in the making."""
    for item in position.tasks:
        name, path, age = item.task.by, item.slot.reply, 0.0
        why = inbox.explain_missing(position.folder, position.debate.step, name)
        with suppress(OSError):
            age = abs(time.time() - os.lstat(path).st_mtime)  # a wrong clock keeps none waiting
            why = "the reply was changed a moment ago"
        if item.status != SKIPPED and age < QUIET_SECONDS:
            yield Fault("", why, by=name, file=position.folder.shown(path))
