"""The commands `run` and `demo`: a debate without an agent client."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import click

from debate_ops import demo as demos
from debate_ops import engine, panels
from debate_ops.cli import answers, debate_state
from debate_ops.cli.answers import Answer
from debate_ops.cli.cast_options import Cast, cast_options, choose_cast
from debate_ops.cli.command import command, flag_option, number_option, option, several
from debate_ops.cli.report import report
from debate_ops.cli.show import status
from debate_ops.core import errors
from debate_ops.core.texts import one_line
from debate_ops.core.values import Waiting
from debate_ops.engine import Position, files, store
from debate_ops.engine.store import Folder
from debate_ops.report import memo
from debate_ops.report.provenance import measure_usage
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.texts import write_outcome, write_transcript
from debate_ops.run import runner
from debate_ops.run.cast import EVERYBODY, Person, find_cast
from debate_ops.run.endings import exit_code, is_idle, refuse_idle
from debate_ops.run.progress import Display, open_display
from debate_ops.run.spending import Estimate, Limits, Spending, add_estimates, estimate_run


@command("run")
@click.argument("exchanges", metavar="[N]", type=click.IntRange(min=1), required=False)
@several(
    "--as NAME=SPEC",
    "as_",
    help="Who replies for any participant, or for all of a role such as debater.",
)
@option(
    "--models FILE",
    help='Who replies, from a file: a table "participants" of NAME = "SPEC", or a '
    "debate-config.json. Options here take precedence.",
)
@several(
    "--made-by NAME=TEXT",
    help="What goes on record of who replies, where a program does not say its model.",
)
@number_option(
    "--max-tokens N", "tokens", help="As --max-cost, for tokens that are read and written."
)
@option(
    "--on-escalation CMD",
    help="A program of yours that is started when the debate waits for a person; {debate} and "
    "{reason} in its arguments say which and why.",
)
@flag_option("--keep-prompts", "keeps_prompts", help="Keep every prompt in the folder 'prompts'.")
@flag_option("-v, --verbose", help="Say of each reply its prompt's size, tokens and seconds.")
@flag_option("--open", "open_", help="Open the page in the browser at the end.")
@cast_options
def run(debate: str, exchanges: int | None, *, as_json: bool, **options: Any) -> Answer:
    """Run N more exchanges without an agent client; without N, finish what was asked for.

    A debate whose protocol ends by itself runs to its end if no N is given. Then who replies writes
    the memo, and the page is rendered; without N, also of a debate that was complete before and
    lacks one of them or its panel. If it lacks nothing, exit code 2 says so.

    SPEC says who replies; 'doctor' lists who can here. cmd:"PROGRAM ARGS" gets the prompt on
    standard input and prints its reply; replay:DEBATE repeats another debate; person:NAME is asked
    by 'reply'; PROVIDER:MODEL has options as in openai:MODEL?temperature=0.5&effort=low.

    \b
    debate-ops run my-decision 3 --all cmd:"claude -p"
    debate-ops run my-decision 3 --all anthropic:MODEL --judge google:MODEL --max-cost 2
    debate-ops run my-decision 3 --prop cmd:"codex exec --skip-git-repo-check -" \\
        --opp cmd:"claude -p" --judge cmd:./judge.sh
    """
    who = choose_cast(options)
    place = store.find_folder(debate)
    if options["panel"] and not engine.load(place).debate.settings.panel:
        hint = f"Ask one with 'panel {place.name} --judge SPEC'."
        raise errors.UsageError(f"{place.name} is to have no panel to sit on", hint=hint)
    if options["dry_run"]:
        return answer_with_estimate([estimate(place, exchanges, who)])
    return hold_debate(place, exchanges, who, options, as_json=as_json)


def hold_debate(  # noqa: PLR0913  (what a run is made of)
    place: Folder,
    exchanges: int | None,
    who: Cast,
    options: Mapping[str, Any],
    *,
    as_json: bool,
    question: str = "",
) -> Answer:
    """Run a debate, its panel and its reporter, with progress on the standard streams.

    One that lacks nothing is refused, unless it is held on a `question` of `ask`.
    """
    quiet, hook, cost = (options.get(key) for key in ("quiet", "on_escalation", "cost"))
    given = {name: options[name] for name in Limits._fields if name in options}
    limits = Limits(**given | {"cost": None if cost is None else Decimal(str(cost))})
    position = engine.load(place)
    left = debate_state.list_left(position, exchanges)
    if not (left or question):
        refuse_idle(engine.plan(position, None))
    judge = who.find("panel") or who.find("judge") or who.find(EVERYBODY)
    try:
        with open_display(quiet=bool(quiet), verbose=bool(options.get("verbose"))) as display:
            later = {memo.REPORTER: who.reporter, "panel": position.at.panel_outside and judge}
            names = {name: each.name for name, each in later.items() if each}
            how: dict[str, Any] = {"spending": Spending(limits, names), "display": display}
            if "turns" in left:
                cast = find_cast(position, who.participants, who.usual)
                position = runner.run(place, exchanges, cast, has_memo=bool(who.reporter), **how)
            is_held = not isinstance(position.due, Waiting)
            if is_held and judge and panels.is_due(position):
                panels.run_due(position, [judge], **how)
            if is_held and who.reporter and "memo" in debate_state.list_lacking(position):
                runner.write_memo(place, who.reporter, **how)
    except (errors.LimitReachedError, errors.ParticipantFailedError):
        _keep_what_came(read_debate(engine.load(place)))
        raise
    if isinstance(position.due, Waiting) and hook:
        _start_hook(hook, place, position.due.reason)
    is_opened, reading = bool(options.get("open_")), read_debate(engine.load(place))
    if is_held and not quiet:
        answers.remark(*_name_lacking(reading.position, who))
    said = Answer(lines=[*_finish(reading, open_=is_opened)]) if is_held else status(place.name)
    asked = {"question": question} if question else {}
    result = asked | _describe_result(reading) if as_json else None
    return said._replace(data=result, code=exit_code(position))


def _describe_result(reading: Reading) -> dict[str, Any]:
    """Return where a debate stands that was run, what it came to, and which files say so."""
    place = reading.position.folder
    page, advice = place.within(store.PAGE), place.within(store.MEMO)
    return {
        "success": True,
        "path": place.path,
        "motion": reading.at.debate.motion,
        **debate_state.describe_turn(reading.position),
        "answer": reading.answer,
        "sureness": reading.sureness,
        "notes": list(reading.notes),
        "outcome": write_outcome(reading),
        "page": page if os.path.lexists(page) else None,
        "memo": advice if reading.memo else None,
        "used": measure_usage(reading.at).as_data(),
    }


def _keep_what_came(reading: Reading) -> None:
    """Render the page of a debate that is complete; of another, write what was said till now."""
    if is_idle(reading.position):
        answers.remark([*_finish(reading)][-1])  # the error says what to do for the rest
    else:
        path = reading.position.folder.within(store.PARTIAL)
        files.write_derived(path, write_transcript(reading))


def _finish(reading: Reading, *, open_: bool = False) -> Iterator[str]:
    """Render the report of a debate that was run; yield its answer, and where the page is."""
    name = reading.position.folder.name
    yield f"Answer: {debate_state.write_answer(reading.answer, reading.sureness)}"
    yield from reading.notes
    try:
        yield report(name, open_=open_).lines[-1]
    except (errors.DebateError, ImportError) as error:  # the run is complete all the same
        again = f"{answers.name_invocation()} run {name}"
        yield f"The report was not rendered: {error}. Next:  {again}"


def _name_lacking(position: Position, who: Cast) -> Iterator[str]:
    """Yield what a debate lacks that was run, and the command for it; people write no memo."""
    lacks = sorted(debate_state.list_lacking(position) - {"page"})
    again = f"{answers.name_invocation()} run {position.folder.name} --all SPEC"
    if "memo" in lacks and all(isinstance(p, Person) for cast in who[:2] for p in cast.values()):
        render = again.replace(" run ", " report ").removesuffix(" --all SPEC")
        again = f"{render}, which names the prompt, and  {render} --memo FILE"
    if lacks:
        yield f"There is no {' and no '.join(lacks)} of this record. Next:  {again}"


def _start_hook(words: str, place: Folder, reason: str) -> None:
    """Start the user's program at an escalation; what becomes of it is said and stops nothing."""
    shown = one_line(reason, 500)
    try:
        line = [w.replace("{debate}", place.name) for w in shlex.split(words)]
        subprocess.run([w.replace("{reason}", shown) for w in line], check=True, timeout=60)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        answers.remark(f"warning: the program of --on-escalation failed: {error}")


def estimate(place: Folder, exchanges: int | None, who: Cast) -> Estimate:
    """Return what a run is likely to take, without asking anybody."""
    position = engine.preview(place, exchanges)
    replying = find_cast(position, who.participants, who.usual)
    if panels.is_due(position):
        position.calls_left = 2 * position.debate.settings.panel
    elif exchanges or not debate_state.list_lacking(position):
        refuse_idle(position)
        position = position.select_tasks(replying)
    has_memo = debate_state.is_done(position) and "memo" not in debate_state.list_lacking(position)
    names = {name: each.name for name, each in replying.items()}
    names |= {memo.REPORTER: who.reporter.name} if who.reporter and not has_memo else {}
    return estimate_run(position, names)


def answer_with_estimate(parts: Sequence[Estimate]) -> Answer:
    """Return as an answer what several runs are likely to take together."""
    whole = add_estimates(parts)
    return Answer({"success": True, **whole._asdict()}, [whole.sentence()])


@command("demo")
@click.argument("slug", metavar="[SLUG]", default="demo")
def demo(slug: str, *, as_json: bool) -> Answer:
    """Replay the real debate that ships with the program, and render its report."""
    display = Display(None if as_json else sys.stderr)
    code = exit_code(demos.replay_example(slug, display))
    return report(slug)._replace(code=code, next=[f"show {slug}", 'ask "Should we ...?"'])
