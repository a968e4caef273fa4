"""The commands `run` and `demo`: a debate without an agent client."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlencode

import click

from debate_ops import demo as demos
from debate_ops import engine, panels
from debate_ops.cli import answers, settings_file, texts, watch
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, counted, debate_argument, file_option, quiet_option
from debate_ops.cli.report import report
from debate_ops.cli.status import status
from debate_ops.core.errors import (
    DONE,
    WAITING_FOR_PERSON,
    ConfigurationError,
    DebateError,
    UsageError,
)
from debate_ops.core.texts import one_line
from debate_ops.core.values import Absent, Waiting
from debate_ops.engine import store
from debate_ops.engine.store import Folder
from debate_ops.run import reporter, runner
from debate_ops.run.base import Answer as Reply
from debate_ops.run.base import Participant, Prompt
from debate_ops.run.cast import EVERYBODY, find_cast, make_participant
from debate_ops.run.endings import display_to_end, exit_code, is_idle, refuse_idle
from debate_ops.run.progress import Display
from debate_ops.run.replay import Replay
from debate_ops.run.spending import Estimate, Limits, estimate_run


@command("run")
@debate_argument
@click.argument("exchanges", metavar="[N]", type=click.IntRange(min=1), required=False)
@click.option("--prop", metavar="SPEC", help="Who argues for the motion.")
@click.option("--opp", metavar="SPEC", help="Who argues against it.")
@click.option("--judge", metavar="SPEC", help="Who judges.")
@click.option(
    "--adviser",
    metavar="SPEC",
    help="Who gives the first answer, beside the first turn; without one it is left out, "
    "and --all does not include it.",
)
@click.option(
    "--as",
    "as_",
    metavar="NAME=SPEC",
    multiple=True,
    help="Who replies for any participant, or for all of a role such as debater (repeatable).",
)
@click.option("--all", "all_", metavar="SPEC", help="Who does what no other option names.")
@file_option(
    "--models",
    help='Who replies, from a file: a table "participants" of NAME = "SPEC", and "presets.NAME" '
    'with participant = "SPEC" and options, which may stand for a SPEC; options here take '
    "precedence.",
)
@click.option(
    "--made-by",
    metavar="NAME=TEXT",
    multiple=True,
    help="What goes on record of who replies, where a program does not say its model (repeatable).",
)
@click.option(
    "--reporter",
    metavar="SPEC",
    help="Who writes the memo once the debate is complete; without N, also of one that "
    "was complete before.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    metavar="SECONDS",
    default=600.0,
    help="Time for one reply; tried once more with half as much again.",
)
@click.option(
    "--max-cost",
    "cost",
    type=click.FloatRange(min=0.0),
    metavar="DOLLARS",
    help="Do not begin a turn that is likely to bring the run above this.",
)
@counted("--max-tokens", "tokens", help="The same for tokens that are read and written.")
@click.option(
    "--max-minutes",
    "minutes",
    type=click.FloatRange(min=0.0),
    metavar="M",
    help="Begin no turn after so many minutes.",
)
@counted("--at-once", help="Ask so many at the same time.")
@counted("--per-minute", help="Ask so many in any minute.")
@click.option(
    "--on-escalation",
    metavar="CMD",
    help="A program of yours that is started when the debate waits for a person; {debate} and "
    "{reason} in its arguments say which and why.",
)
@click.option(
    "--keep-prompts",
    "keeps_prompts",
    is_flag=True,
    help="Keep every prompt in the folder 'prompts'.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Serve the live page beside the run, as the command of that name does.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Ask nobody; say how many replies, tokens and dollars the run is likely to take.",
)
@click.option(
    "-v", "--verbose", is_flag=True, help="Say of each reply its prompt's size, tokens and seconds."
)
@quiet_option
def run(  # noqa: C901  (each branch is an option)
    debate: str, exchanges: int | None, *, as_json: bool, **options: Any
) -> Answer:
    """Run N more exchanges without an agent client; without N, finish what was asked for.

    A debate whose protocol ends by itself runs to its end if no N is given.

    SPEC says who replies: cmd:"PROGRAM ARGS" gets the prompt on standard input and prints its
    reply; replay:DEBATE gives the replies on another debate's record; person:NAME waits for
    somebody, who replies with 'debate-ops reply', as person:NAME?minutes=10 no longer than that;
    PROVIDER:MODEL asks a model with the key in the environment, with options as
    openai:MODEL?temperature=0.5&effort=low.

    \b
    debate-ops run my-decision 3 --all cmd:"claude -p"
    debate-ops run my-decision 3 --all anthropic:MODEL --judge google:MODEL --max-cost 2
    debate-ops run my-decision 3 --prop cmd:"codex exec -" --opp cmd:"claude -p" \\
        --judge cmd:./judge.sh
    """
    listed, presets = _read_models(options["models"])
    make = _make_unasked if options["dry_run"] else make_participant
    participants = _choose_participants(options, listed, presets, make)
    reporter_spec = options["reporter"] or listed.get("reporter")
    writer = make(_read_spec(reporter_spec, presets)) if reporter_spec else None
    place, quiet = store.find_folder(debate), options["quiet"]
    cost = None if options["cost"] is None else Decimal(str(options["cost"]))
    limits = Limits(**{name: options[name] for name in Limits._fields} | {"cost": cost})
    if options["dry_run"]:
        return _estimate(place, exchanges, participants)
    _remark_other_settings(place, {} if quiet else participants)

    def act(display: Display) -> int:
        position = engine.load(place)
        is_complete = exchanges is None and is_idle(position)
        if not (is_complete and (writer or panels.is_due(position))):
            position = runner.run(place, exchanges, participants, limits=limits, display=display)
        if isinstance(position.due, Waiting) and options["on_escalation"]:
            _start_hook(options["on_escalation"], place, position.due.reason)
        code = exit_code(position)
        judge = participants.get("judge") or participants.get(EVERYBODY)
        if code == DONE and judge and panels.is_due(position):
            with panels.hold_alone(place):
                panel = panels.find_due(position)
                cast = {EVERYBODY: judge}  # each member is the same judge
                runner.run(panel.folder, None, cast, limits=limits, display=display)
        if writer and code == DONE:
            reporter.write_memo(place, writer, timeout=limits.timeout, display=display)
        return code

    page = watch.serve_beside(place) if options["watch"] else nullcontext()
    in_lines = quiet or options["verbose"]
    with page, nullcontext() if in_lines else watch.view_in_terminal(place) as view:
        of, verbose = place if as_json else None, options["verbose"]
        code = display_to_end(act, quiet=quiet, verbose=verbose, of=of, view=view)
    if code == WAITING_FOR_PERSON and not quiet:
        for line in status(debate).lines:
            answers.remark(line)
    elif code == DONE:
        for line in [*_finish(place)][: 0 if quiet else None]:
            answers.remark(line)
    return Answer(code=code)


def _finish(place: Folder) -> Iterator[str]:
    """Render the report of a debate that was run; yield its outcome, and what is left to do."""
    position = engine.load(place)
    if position.protocol.name == "design" and is_idle(position):
        from debate_ops.report.outcome import write_outcome
        from debate_ops.report.reading import read_debate

        yield from filter(None, write_outcome(read_debate(position)).split("\n"))
    if panels.is_due(position):
        yield f"Next:  {answers.name_invocation()} panel {place.name}"
    try:
        yield report(place.name, verbose=False).lines[-1]
    except (DebateError, ImportError) as error:  # the run is complete all the same
        yield f"The report was not rendered: {error}"
        yield f"Next:  {answers.name_invocation()} report {place.name}"


def _start_hook(words: str, place: Folder, reason: str) -> None:
    """Start the user's program at an escalation; what becomes of it is said and stops nothing."""
    named = {"{debate}": place.name, "{reason}": one_line(reason, 500)}
    try:
        line = shlex.split(words)
        for name, value in named.items():
            line = [word.replace(name, value) for word in line]
        code = subprocess.run(line, check=False, timeout=60).returncode
        why = f"ended with exit code {code}" if code else ""
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        why = f"failed: {error}"
    if why:
        answers.remark(f"warning: the program of --on-escalation {why}")


class _Unasked(NamedTuple):
    """Stands for whom a dry run does not ask: its name says what its replies cost."""

    name: str
    recorded: bool = False

    def reply(self, prompt: Prompt) -> Reply:
        """Reply to nothing."""
        raise NotImplementedError(prompt.file)


def _make_unasked(spec: str) -> Participant:
    """Return who would reply; for the estimate, neither a key nor a program has to be there."""
    try:
        return make_participant(spec)
    except ConfigurationError:
        return _Unasked(spec.partition("?")[0])


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


def _remark_other_settings(place: Folder, participants: Mapping[str, Participant]) -> None:
    """Say which debates are replayed into one with other settings."""
    own = engine.load(place).debate.settings.model_dump()
    for who in dict.fromkeys(participants.values()):
        if not isinstance(who, Replay):
            continue
        had = who.debate.settings.model_dump()
        if other := [f"{name}={had[name]}" for name in own if had.get(name) != own[name]]:
            said = f"it had {', '.join(other)}; replies made for that may not fit here."
            answers.remark(f"{who.name}: {said}")


def _estimate(
    place: Folder, exchanges: int | None, participants: Mapping[str, Participant]
) -> Answer:
    """Return what a run is likely to take, without asking anybody."""
    position = engine.preview(place, exchanges)
    replying = find_cast(position, participants)
    if panels.is_due(position):
        position.calls_left = 2 * position.debate.settings.panel
    else:
        refuse_idle(position, exchanges)
        position = position.select_tasks(replying)
    names = {name: who.name for name, who in replying.items()}
    return answer_with_estimate([estimate_run(position, names)])


def answer_with_estimate(parts: Sequence[Estimate]) -> Answer:
    """Return as an answer what several runs are likely to take together."""
    costs = [part.cost for part in parts]
    whole = Estimate(
        sum(part.replies for part in parts),
        sum(part.input for part in parts),
        sum(part.output for part in parts),
        None if None in costs else sum(filter(None, costs), Decimal(0)),
    )
    data = whole._asdict() | {"cost": whole.cost and float(whole.cost)}
    return Answer({"success": True, **data}, [whole.sentence()])


def _choose_participants(
    options: Mapping[str, Any],
    listed: Mapping[str, str],
    presets: Mapping[str, Mapping[str, Any]],
    make: Callable[[str], Participant],
) -> dict[str, Participant]:
    """Return who replies for whom: by an option, as NAME=SPEC, or else as a file lists them."""
    named = {name: options[name] for name in ("prop", "opp", "judge", "adviser")}
    specs = {n: spec for n, spec in (named | {EVERYBODY: options["all_"]}).items() if spec}
    more = texts.split_pairs(options["as_"], "--as ", "NAME=SPEC")
    if twice := sorted(specs.keys() & more.keys()):
        raise UsageError(f"{' and '.join(twice)} is named twice")
    chosen = {name: spec for name, spec in listed.items() if name != "reporter"} | specs | more
    made = {name: make(_read_spec(spec, presets)) for name, spec in chosen.items() if spec}
    labels = texts.split_pairs(options["made_by"], "--made-by ", "NAME=TEXT")
    if unknown := [name for name in labels if name not in made]:
        raise UsageError(
            f"--made-by names {' and '.join(unknown)}, for whom no option says who replies",
            hint=f"Named are: {', '.join(made) or 'nobody'}.",
        )
    return {n: _Labelled(who, labels[n]) if n in labels else who for n, who in made.items()}


def _read_models(path: str | None) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Return who replies for whom, and the presets by name, as a file has them."""
    read = settings_file.load_settings(path) if path else settings_file.Settings({}, {})
    if read.models:
        return dict(read.models), {}
    values = read.values
    listed, presets = values.pop("participants", {}), values.pop("presets", {})
    tables = presets.values() if isinstance(presets, dict) else [None]
    if (
        values
        or not isinstance(listed, dict)
        or not all(isinstance(spec, str) for spec in listed.values())
        or not all(isinstance(t, dict) and isinstance(t.get("participant"), str) for t in tables)
    ):
        raise UsageError(
            f"{path} is no list of participants",
            hint='Expected: a table "participants" with NAME = "SPEC", and tables "presets.NAME", '
            'each with participant = "SPEC" and its options.',
        )
    return listed, presets


def _read_spec(word: str, presets: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the spec that a word stands for: that of a preset with its options, or itself.

    >>> _read_spec("fast", {"fast": {"participant": "openai:m", "effort": "low"}})
    'openai:m?effort=low'
    """
    if word not in presets:
        return word
    spec = {**presets[word]}
    base = str(spec.pop("participant"))
    words = {True: "yes", False: "no"}
    query = urlencode({k: words.get(v, v) if isinstance(v, bool) else v for k, v in spec.items()})
    return f"{base}?{query}" if query else base


@command("demo")
@click.argument("slug", metavar="[SLUG]", default="demo")
def demo(slug: str, *, as_json: bool) -> Answer:
    """Replay the real debate that ships with the program, and render its report."""
    code = demos.demo(slug, quiet=as_json)
    done = report(f"{store.DEBATES}/{slug}", verbose=False)
    files = done.data["files"] if done.data else []
    program = answers.name_invocation()
    lines = [
        *(line for line in done.lines if not line.startswith("warning: ")),
        f"Read:  {files[0]}   (on a code host, in an editor's preview, or as it is)",
        f"Look:  {program} show {slug}",
        f'Next:  {program} new my-decision --motion "This house would ..."',
    ]
    return Answer(done.data, lines, code)
