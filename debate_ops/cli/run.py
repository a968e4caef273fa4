"""The commands `run` and `demo`: a debate without an agent client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlencode

import click

from debate_ops import demo as demos
from debate_ops import endings, engine, panels, reporter, runner
from debate_ops.cli import answers, settings_file, texts, watch
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument, quiet_option
from debate_ops.cli.report import report
from debate_ops.cli.status import status
from debate_ops.core.errors import (
    DONE,
    WAITING_FOR_PERSON,
    ConfigurationError,
    DebateError,
    UsageError,
)
from debate_ops.run.base import Answer as Reply
from debate_ops.run.base import Participant, Prompt
from debate_ops.run.replay import Replay
from debate_ops.run.table import EVERYBODY, cast, participant
from debate_ops.run.progress import Display
from debate_ops.protocols.settings import panel_of
from debate_ops.protocols.table import rules_of
from debate_ops.run.spending import Estimate, Limits, estimate
from debate_ops.storage import folder
from debate_ops.storage.folder import Folder


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
@click.option(
    "--models",
    metavar="FILE",
    help='Who replies, from a file: a table "participants" of NAME = "SPEC", and "presets.NAME" '
    'with participant = "SPEC" and options, which may stand for a SPEC; options here take '
    "precedence.",
)
@click.option(
    "--reporter",
    metavar="SPEC",
    help="Who writes the brief once the debate is complete; without N, also of one that "
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
    type=click.FloatRange(min=0.0),
    metavar="DOLLARS",
    help="Do not begin a turn that is likely to bring the run above this.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="The same for tokens that are read and written.",
)
@click.option(
    "--max-minutes",
    type=click.FloatRange(min=0.0),
    metavar="M",
    help="Begin no turn after so many minutes.",
)
@click.option(
    "--at-once", type=click.IntRange(min=1), metavar="N", help="Ask so many at the same time."
)
@click.option(
    "--per-minute", type=click.IntRange(min=1), metavar="N", help="Ask so many in any minute."
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
@quiet_option
def run(debate: str, exchanges: int | None, *, as_json: bool, **options: Any) -> Answer:
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
    names = ("prop", "opp", "judge", "adviser")
    named = {name: options[name] for name in names} | {EVERYBODY: options["all_"]}
    listed, presets = _models(options["models"])
    make = _unasked if options["dry_run"] else participant
    participants = _participants(named, options["as_"], listed, presets, make)
    reporter_spec = options["reporter"] or listed.get("reporter")
    writer = make(_spec(reporter_spec, presets)) if reporter_spec else None
    place, quiet, limits = folder.find(debate), options["quiet"], _limits(options)
    if options["dry_run"]:
        return _estimate(place, exchanges, participants)
    _remark_other_settings(place, {} if quiet else participants)

    def act(display: Display) -> int:
        position = engine.look(place)
        is_complete = exchanges is None and endings.is_idle(position)
        if not (is_complete and (writer or panels.is_due(position))):
            position = runner.run(place, exchanges, participants, limits=limits, display=display)
        code = endings.exit_code(position)
        if code == DONE and (judge := participants.get("judge") or participants.get(EVERYBODY)):
            panels.run(position, judge, limits, display)
        if writer and code == DONE:
            reporter.write_brief(place, writer, timeout=limits.timeout, display=display)
        return code

    page = watch.beside(place) if options["watch"] else nullcontext()
    with page, watch.in_terminal(place) if not quiet else nullcontext() as view:
        code = endings.displayed(act, quiet=quiet, of=place if as_json else None, view=view)
    if code == WAITING_FOR_PERSON and not quiet:
        for line in status(debate).lines:
            answers.remark(line)
    elif code == DONE:
        for line in list(_render_page(place))[: 0 if quiet else None]:
            answers.remark(line)
    return Answer(code=code)


def _render_page(place: Folder) -> Iterator[str]:
    """Render the report of a debate that was run; yield where it is, and what is left to do."""
    if panels.is_due(engine.look(place)):
        yield f"Next:  {answers.invocation()} panel {place.name}"
    try:
        yield report(place.name, verbose=False).lines[-1]
    except (DebateError, ImportError) as error:  # the run is complete all the same
        yield f"The report was not rendered: {error}"
        yield f"Next:  {answers.invocation()} report {place.name}"


class _Unasked(NamedTuple):
    """Stands for whom a dry run does not ask: its name says what its replies cost."""

    name: str
    recorded: bool = False

    def reply(self, prompt: Prompt) -> Reply:
        """Reply to nothing."""
        raise NotImplementedError(prompt.file)


def _unasked(spec: str) -> Participant:
    """Return who would reply; for the estimate, neither a key nor a program has to be there."""
    try:
        return participant(spec)
    except ConfigurationError:
        return _Unasked(spec.partition("?")[0])


def _remark_other_settings(place: Folder, participants: Mapping[str, Participant]) -> None:
    """Say which debates are replayed into one with other settings."""
    debate = engine.look(place).debate
    settings = rules_of(debate.protocol).SETTINGS
    for who in dict.fromkeys(participants.values()):
        if not isinstance(who, Replay):
            continue
        other = [
            f"{setting.name}={value}"
            for setting in settings
            for value in (who.settings.get(setting.name, setting.default),)
            if value != debate.settings.get(setting.name, setting.default)
        ]
        if other:
            had = ", ".join(other)
            answers.remark(f"{who.name}: it had {had}; replies made for that may not fit here.")


def _limits(options: Mapping[str, Any]) -> Limits:
    cost = options["max_cost"]
    return Limits(
        timeout=options["timeout"],
        cost=None if cost is None else Decimal(str(cost)),
        tokens=options["max_tokens"],
        at_once=options["at_once"] or 0,
        per_minute=options["per_minute"] or 0,
        minutes=options["max_minutes"],
    )


def _estimate(
    place: Folder, exchanges: int | None, participants: Mapping[str, Participant]
) -> Answer:
    """Return what a run is likely to take, without asking anybody."""
    position = engine.preview(place, exchanges)
    replying = cast(position.debate, participants)
    if panels.is_due(position):
        position = position._replace(calls_left=2 * panel_of(position.debate))
    else:
        endings.refuse_idle(position, exchanges)
        position = engine.asking(position, replying)
    return estimated([estimate(position, {name: who.name for name, who in replying.items()})])


def estimated(parts: Sequence[Estimate]) -> Answer:
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


def _participants(
    named: Mapping[str, str | None],
    others: Sequence[str],
    listed: Mapping[str, str],
    presets: Mapping[str, Mapping[str, Any]],
    make: Callable[[str], Participant],
) -> dict[str, Participant]:
    """Return who replies for whom: by an option, as NAME=SPEC, or else as a file lists them."""
    specs = {name: spec for name, spec in named.items() if spec}
    more = texts.pairs(others, "--as ", "NAME=SPEC")
    if twice := sorted(specs.keys() & more.keys()):
        raise UsageError(f"{' and '.join(twice)} is named twice")
    chosen = {name: spec for name, spec in listed.items() if name != "reporter"} | specs | more
    return {name: make(_spec(spec, presets)) for name, spec in chosen.items() if spec}


def _models(path: str | None) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Return who replies for whom, and the presets by name, as a file has them."""
    values = settings_file.load(path).values if path else {}
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


def _spec(word: str, presets: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the spec that a word stands for: that of a preset with its options, or itself.

    >>> _spec("fast", {"fast": {"participant": "openai:m", "effort": "low"}})
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
    done = report(f"{folder.DEBATES}/{slug}", verbose=False)
    files = done.data["files"] if done.data else []
    program = answers.invocation()
    lines = [
        *(line for line in done.lines if not line.startswith("warning: ")),
        f"Read:  {files[0]}   (on a code host, in an editor's preview, or as it is)",
        f"Look:  {program} show {slug}",
        f'Next:  {program} new my-decision --motion "This house would ..."',
    ]
    return Answer(done.data, lines, code)
