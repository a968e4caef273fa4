"""Who replies in a run: from the options of a command, a file of models, and what is set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.cli import answers, config, settings_file, texts
from debate_ops.cli.command import Amount, bundle, option, quiet_option, timeout_option
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.core.values import Absent
from debate_ops.run.base import Answer as Reply
from debate_ops.run.base import Participant, Prompt
from debate_ops.run.cast import EVERYBODY, Person, make_participant

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
        named = (
            who for each in (self.participants, self.usual) for k in keys if (who := each.get(k))
        )
        return next(named, None)


def choose_cast(options: Mapping[str, Any]) -> Cast:
    """Return who replies: by an option, as NAME=SPEC, as a file lists them, or as is set.

    What is set for a role is not used where somebody is named for everybody. The memo is written by
    who is named for it, or else by the first program or model that replies for others; a person
    writes it when the run is over, by `reply`.
    """
    make = _make_unasked if options["dry_run"] else make_participant
    listed = _read_models(options.get("models"))
    named = {name: options.get(name) for name in ("prop", "opp", "judge", "adviser", "panel")}
    named |= {"debater": options["debaters"], EVERYBODY: options["all_"]}
    specs = {n: spec for n, spec in (named | {"reporter": options["reporter"]}).items() if spec}
    more = texts.split_pairs(options.get("as_", ()), "--as ", "NAME=SPEC")
    if twice := sorted(specs.keys() & more.keys()):
        raise UsageError(f"{' and '.join(twice)} is named twice")
    specs = {**listed, **specs, **more}
    made = {n: make(spec) for n, spec in specs.items() if spec}
    labels = texts.split_pairs(options.get("made_by", ()), "--made-by ", "NAME=TEXT")
    if unknown := [name for name in labels if isinstance(made.get(name), Person | None)]:
        raise UsageError(
            f"--made-by names {' and '.join(unknown)}, for whom no option names a program or model",
            hint=f"Named are: {', '.join(made) or 'nobody'}. A person is named by person:NAME.",
        )
    made = {n: _Labelled(who, labels[n]) if n in labels else who for n, who in made.items()}
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
    except ConfigurationError as error:
        answers.remark(f"warning: {error.message}. {error.hint}")
        return _Unasked(spec.partition("?")[0])


class _Unasked:
    """Stands for whom a dry run does not ask: its name says what its replies cost."""

    recorded = False

    def __init__(self, name: str) -> None:
        self.name = name

    def reply(self, prompt: Prompt) -> Reply:
        """Reply to nothing."""
        raise NotImplementedError(prompt.file)


class _Labelled:
    """A participant of whom the user says who it is, for the record."""

    def __init__(self, who: Participant, label: str) -> None:
        self._who, self._label = who, label
        self.name, self.recorded = f"{label} ({who.name})", who.recorded

    def reply(self, prompt: Prompt) -> Reply | Absent:
        """Reply as the participant does."""
        said = self._who.reply(prompt)
        if isinstance(said, Absent):
            return said
        return said._replace(made_by={"model": self._label, **said.made_by})


def _read_models(path: str | None) -> Mapping[str, str]:
    """Return who replies for whom, as a file has it."""
    read = settings_file.load_settings(path) if path else settings_file.Settings({}, {})
    listed = read.models or read.values.get("participants", {})
    is_list = isinstance(listed, Mapping) and all(isinstance(s, str) for s in listed.values())
    if not is_list or not (read.models or read.values.keys() <= {"participants"}):
        hint = 'Expected: a table "participants" of NAME = "SPEC".'
        raise UsageError(f"{path} is no list of participants", hint=hint)
    return listed
