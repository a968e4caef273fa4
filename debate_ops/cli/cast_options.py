"""Who replies in a debate: as options name them, a file lists them, or the configuration has it."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from debate_ops.cli import answers, config, texts
from debate_ops.cli.command import Amount, bundle, flag_option, option, quiet_option, timeout_option
from debate_ops.core import errors
from debate_ops.core.values import Absent
from debate_ops.engine import Position
from debate_ops.run.cast import EVERYBODY, Person, make_participant, name_spec
from debate_ops.run.participants import Answer, Participant, Prompt

cast_options = bundle(
    *(option(f"--{role} SPEC", help=said) for role, said in config.SPECS.items()),
    option("--adviser SPEC", help="Who gives the first answer; else --all, if that is no person."),
    flag_option("--no-memo", help="Have no memo written."),
    timeout_option,
    option(
        "--max-cost DOLLARS",
        "cost",
        type=Amount(min=0.0),
        help="Ask for nothing that is likely to bring the run above this.",
    ),
    flag_option(
        "--dry-run", help="Ask nobody; say what the run is likely to take, as far as is known."
    ),
    quiet_option,
)
"""Who replies, and within which bounds."""

ANYBODY = "anybody"
"""Stands for who replies where an estimate is asked for before that is known."""


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
    named = {role: options[role] for role in (*config.SPECS, "adviser")}
    named["debater"] = named.pop("debaters")
    specs = {name: spec for name, spec in named.items() if spec}
    more = texts.split_pairs(options.get("as_", ()), "--as ", "NAME=SPEC")
    if twice := sorted(specs.keys() & more.keys()):
        raise errors.UsageError(f"{' and '.join(twice)} is named twice")
    specs = {**_read_models(options.get("models")), **specs, **more}
    made = {name: make(spec) for name, spec in specs.items()}
    labels = texts.split_pairs(options.get("made_by", ()), "--made-by ", "NAME=TEXT")
    for name, label in labels.items():
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


def _make_unasked(spec: str) -> Any:
    """Return who would reply: for the estimate, whose name is enough where no key is there."""
    if spec == ANYBODY:
        return SimpleNamespace(name="", recorded=False)
    try:
        return make_participant(spec)
    except errors.ConfigurationError as error:
        answers.remark(f"warning: {error.message}. {error.hint}")
        return SimpleNamespace(name=name_spec(spec), recorded=False)


class _Labelled:
    """A participant of whom the user says who it is, for the record."""

    def __init__(self, who: Participant, label: str) -> None:
        self._who, self._label = who, label
        self.name, self.recorded = f"{label} ({who.name})", who.recorded

    def reply(self, prompt: Prompt) -> Answer | Absent:
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
                hint=f"See 'config'; {config.name_unset(position, [name])} leaves it to an agent.",
            )
    return {name: make_participant(spec) for name, spec in specs.items()}
