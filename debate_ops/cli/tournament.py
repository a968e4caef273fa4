"""The commands `tournament` and `calibrate`: many debates, on a Dask cluster or one by one."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext, suppress
from typing import Any

import click

from debate_ops import engine
from debate_ops.calibration import (
    ask_again,
    find_undecided,
    list_known,
    make_debates,
    measure_judge,
)
from debate_ops.calibration.figures import Result as Calibration
from debate_ops.cli import answers, settings_file, verdicts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import (
    cluster_options,
    command,
    counted,
    made_by_option,
    quiet_option,
    scheduler_option,
)
from debate_ops.cli.run import answer_with_estimate
from debate_ops.core.errors import (
    LIMIT_REACHED,
    PARTICIPANT_FAILED,
    DebateError,
    LimitReachedError,
    UsageError,
)
from debate_ops.core.values import Turn
from debate_ops.engine import files, store
from debate_ops.engine.headers import digest_text, dumps
from debate_ops.engine.store import is_slug
from debate_ops.report import track_record
from debate_ops.report.track_record import CALIBRATIONS, RESULT
from debate_ops.report.words import count
from debate_ops.run.cast import EVERYBODY, make_participant
from debate_ops.run.spending import estimate_run, require_prices
from debate_ops.tournament import cluster, page, plan, work
from debate_ops.tournament.plan import Pairing, TournamentFile
from debate_ops.tournament.work import Result

_RESULTS, _LOCK = "results.jsonl", "tournament.lock"


@command("tournament")
@click.argument("file", metavar="FILE")
@counted("--workers", default=4, help="How many debates at the same time, on this machine.")
@scheduler_option
@click.option(
    "--collect",
    is_flag=True,
    help="Send debates to workers and back as archives, where no file system is shared.",
)
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0.0),
    metavar="DOLLARS",
    help="Ask nothing that might bring the whole tournament above this, on all workers together.",
)
@click.option("--dry-run", is_flag=True, help="Ask nobody; say what is to be held.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask about the programs that FILE names.")
@quiet_option
def tournament(  # noqa: PLR0913  (what the command line gives)
    file: str,
    *,
    workers: int,
    scheduler: str | None,
    collect: bool,
    max_cost: float | None,
    dry_run: bool,
    yes: bool,
    quiet: bool,
) -> Answer:
    """Hold the debates that FILE plans: every pairing on every motion, on both sides.

    FILE is TOML: participants (NAME = "SPEC", as for 'run'), motions, judge, and more: see
    docs/tournaments.md. Everything lies in debates/tournaments/NAME, named after FILE: the plan,
    the debates, and a page with ratings. The same command goes on where it was stopped, and holds
    what more participants or motions add.

    \b
    debate-ops tournament cup.toml --workers 8 --max-cost 20
    debate-ops tournament cup.toml --scheduler tcp://scheduler:8786
    """
    settings = settings_file.load_settings(file)
    try:
        cup = plan.read_tournament_file(settings.values)
    except UsageError as error:
        raise settings.place(error) from None
    motions = plan.list_motions(cup, os.path.dirname(file))
    pairings = plan.make_plan(cup, motions)
    root = plan.find_root(file)
    results = _read_results(root, pairings)
    to_come = [p for p in pairings if p.slug not in results]
    data: dict[str, Any] = {"success": True, "tournament": root}
    data |= {"debates": len(pairings), "to_come": len(to_come)}
    work_left = f"{count(len(pairings), 'debate')}, {len(to_come)} to come"
    if dry_run:
        return Answer(data, [work_left])
    if to_come and max_cost is not None:
        require_prices([spec.partition("?")[0] for spec in cup.specs.values()])
    if to_come and not yes:
        _confirm_programs(cup)
    failed: dict[str, DebateError] = {}
    with ExitStack() as stack:
        if to_come:
            client = stack.enter_context(cluster.open_cluster(workers, scheduler, cup.specs))
        os.makedirs(root, exist_ok=True)
        lock = store.hold_lock(os.path.join(root, _LOCK), "holds this tournament", wait=0.1)
        stack.enter_context(lock)
        plan.keep_plan(root, pairings)
        remark = (lambda _: None) if quiet else answers.remark
        remark(f"{work_left}, in {root}")
        if to_come:
            log = stack.enter_context(open(os.path.join(root, _RESULTS), "a", encoding="utf-8"))
            held = work.hold_debates(
                client, cup, root, to_come, results, most=max_cost, is_packed=collect
            )
            for slug, result in held:
                if isinstance(result, DebateError):
                    failed[slug] = result
                    remark(f"{slug}: {result.message}")
                    continue
                results[slug] = result
                log.write(json.dumps(result, ensure_ascii=False) + "\n")
                log.flush()
                remark(f"{slug}: {result['winner'] or 'not judged'}; {len(results)} so far")
        paths, ratings = page.render_tournament(root, cup, motions, pairings, results)
    data |= {"success": not failed, "to_come": len(pairings) - len(results), "files": paths}
    data |= {"errors": answers.list_failed(failed), **ratings.as_data()}
    lines = answers.label("failed", data["errors"])
    lines += [f"{name}: {each.describe()}" for name, each in ratings.strengths.items()]
    lines += [f"no ratings: {ratings.why}"] if ratings.why else []
    lines += [f"Read:  {path}" for path in paths[-2:]]
    limited = any(isinstance(e, LimitReachedError) for e in failed.values())
    code = LIMIT_REACHED if limited else PARTICIPANT_FAILED if failed else 0
    return Answer(data, lines, code)


def _confirm_programs(cup: TournamentFile) -> None:
    """Refuse a file that names programs, unless a person at the terminal agrees to them."""
    programs = sorted({s.removeprefix("cmd:") for s in cup.specs.values() if s[:4] == "cmd:"})
    for program in programs:
        answers.remark(f"  program: {program}")
    hint = "Read the file; if you trust its programs, say --yes."
    if programs and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"the file starts {count(len(programs), 'program')}", hint=hint)
    question = "Start these? yes or no"
    if programs and answers.ask_person(question).strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was held", hint=hint)


def _read_results(root: str, pairings: Sequence[Pairing]) -> dict[str, Result]:
    """Return the results that are kept, of debates of the plan that are still there.

    The file is for speed alone: a debate that it lacks, or of which the line is torn, is read
    from its record.
    """
    path, found = os.path.join(root, _RESULTS), dict[str, Result]()
    lines = files.read_bytes(path, plan.MOST_BYTES).splitlines() if os.path.lexists(path) else ()
    for line in lines:
        with suppress(ValueError, LookupError, TypeError):
            result = json.loads(line)
            found[result["slug"]] = result
    return {
        p.slug: found[p.slug]
        for p in pairings
        if p.slug in found and os.path.lexists(os.path.join(root, p.slug, store.DEBATE_FILE))
    }


_NAME, _DIGITS = 40, 8


@command("calibrate")
@click.option("--judge", metavar="SPEC", help="Who judges, as for 'run'.")
@click.option(
    "--set",
    "set_",
    metavar="NAME",
    default="nyu",
    help="A set that ships with the program (nyu, own), or a JSON file.",
)
@counted("--limit", help="Only the first so many debates.")
@counted("--panel", default=1, help="How many members a panel has, an odd number.")
@cluster_options
@made_by_option
@click.option(
    "--dry-run",
    is_flag=True,
    help="Ask nobody; say how many replies and tokens it is likely to take.",
)
def calibrate(  # noqa: PLR0913  (what the command line gives)
    set_: str,
    *,
    judge: str | None,
    limit: int | None,
    panel: int,
    dry_run: bool,
    made_by: str | None,
    **how: Any,
) -> Answer:
    """Have a judge decide debates whose answers are known, and say how well it does.

    Measured are the debate, the question without it, and one side alone: how often the judge is
    right, how sure it was, and what order and length did. The debates are kept in
    debates/calibration, so that a run that was stopped goes on, and the page of a debate says how
    well its judge did here. The prompts for agents of yours are listed if no --judge is given.

    \b
    debate-ops calibrate --judge anthropic:MODEL --limit 30 --workers 8
    debate-ops calibrate --set own --made-by MODEL
    debate-ops calibrate --set my-questions.json --panel 3
    """
    who = make_participant(judge) if judge else None
    kept = os.path.join(store.DEBATES, CALIBRATIONS, _name(set_), _of(judge or made_by, panel))
    with tempfile.TemporaryDirectory() if dry_run else nullcontext(kept) as above:
        known = list(list_known(set_, limit, above))
        places = [p for number, k in enumerate(known) for p in make_debates(k, number, panel)]
        if dry_run:
            name, previews = who.name if who else "", map(engine.preview, places)
            return answer_with_estimate(
                [estimate_run(p, dict.fromkeys(p.debate.settings.members, name)) for p in previews]
            )
    for place in places if who else ():
        ask_again(place)
    left = [p.path for p in places if judge and isinstance(engine.load(p).due, Turn)]
    errors = verdicts.run_each({path: {EVERYBODY: str(judge)} for path in left}, quiet=True, **how)
    failed = answers.list_failed(errors)
    positions = [verdicts.settle(place, by=made_by) for place in places]
    failed += find_undecided(positions) if who else ()
    due = [position for position in positions if isinstance(position.due, Turn)]
    replies = sum(position.calls_left or 0 for position in due)
    again = f"calibrate --set {set_} --panel {panel}" + (f" --limit {limit}" if limit else "")
    data, due_lines = verdicts.list_tasks(due, again, made_by)
    result: dict[str, Any] = {"success": not failed, **data, "errors": failed}
    result |= {"known": len(known), "replies": replies, "result": None}
    asked = judge or made_by or "the agents that were asked"
    done = measure_judge(known, asked, _name(set_), panel)
    lines = done.list_lines() if done.with_debate or not due else []
    if due:
        said = (
            f"{len(done.with_debate)} of {count(len(known), 'debate')} with known answers decided"
        )
        to_come = f"{count(replies, 'reply', 'replies')} to come in all, views before ballots"
        lines.insert(0, f"{said}; {to_come}")
    if done.with_debate:
        result["result"] = done.as_data()
        lines += _keep(os.path.join(above, RESULT), done)
    lines += answers.label("failed", failed)
    return Answer(result, [*lines, *due_lines], PARTICIPANT_FAILED if failed else 0)


def _keep(path: str, done: Calibration) -> list[str]:
    """Keep a result, unless one of more debates is there; say so then."""
    with suppress(OSError, UsageError, ValueError, LookupError, TypeError):
        if (before := track_record.read_record(path)).number > len(done.with_debate):
            return [f"kept in {path} is the result of more debates: {before.describe()}"]
    files.write_durable(path, dumps(done.as_data()) + "\n")
    return []


def _name(set_: str) -> str:
    name = os.path.splitext(os.path.basename(set_))[0].lower()
    return name if is_slug(name) else "set"


def _of(judge: str | None, members: int) -> str:
    """Return the folder for what one judge decides: another one decides anew."""
    if judge is None:
        return f"agents-{members}"
    words = re.sub("[^a-z0-9]+", "-", judge.lower()).strip("-")[:_NAME].strip("-")
    return f"{words or 'judge'}-{digest_text(judge)[:_DIGITS]}-{members}"
