"""The command `tournament`: many debates, from a plan, on a Dask cluster."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import Any

import click

from debate_ops.cli import answers, settings_file
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, counted, quiet_option
from debate_ops.core.errors import (
    LIMIT_REACHED,
    PARTICIPANT_FAILED,
    ConfigurationError,
    DebateError,
    LimitReachedError,
    RefusedError,
    UsageError,
)
from debate_ops.engine import files, store
from debate_ops.report.words import count
from debate_ops.tournament import cluster, page, plan, work
from debate_ops.tournament.plan import Cup, Pairing
from debate_ops.tournament.work import Result

_RESULTS, _LOCK = "results.jsonl", "tournament.lock"


@command("tournament")
@click.argument("file", metavar="FILE")
@counted("--workers", default=4, help="How many debates at the same time, on this machine.")
@click.option("--scheduler", metavar="ADDRESS", help="Use the Dask cluster there instead.")
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
        cup = plan.read_cup(settings.values)
    except UsageError as error:
        raise settings.place(error) from None
    motions = plan.list_motions(cup, os.path.dirname(file))
    pairings = plan.make_plan(cup, motions)
    root = os.path.abspath(plan.find_root(file))
    results = _read_results(root, pairings)
    to_come = [p for p in pairings if p.slug not in results]
    data: dict[str, Any] = {"success": True, "tournament": os.path.relpath(root)}
    data["debates"], data["to_come"] = len(pairings), len(to_come)
    work_left = f"{count(len(pairings), 'debate')}, {len(to_come)} to come"
    if dry_run:
        return Answer(data, [work_left])
    if unpriced := [] if max_cost is None else plan.find_unpriced(cup):
        said = f"no price is known for {', '.join(unpriced)}, so the cost cannot be limited"
        raise ConfigurationError(said, hint="Leave out --max-cost, or them.")
    if to_come and not yes:
        _confirm_programs(cup)
    failed: dict[str, DebateError] = {}
    with ExitStack() as stack:
        if to_come:
            client = stack.enter_context(cluster.open_cluster(workers, scheduler))
            _refuse_faults(client, cup)
        os.makedirs(root, exist_ok=True)
        lock = store.hold_lock(os.path.join(root, _LOCK), "holds this tournament", wait=0.1)
        stack.enter_context(lock)
        dropped = plan.keep_plan(root, cup, pairings)
        remark = (lambda _: None) if quiet else answers.remark
        remark(f"{work_left}, in {os.path.relpath(root)}")
        if to_come:
            begun = {} if max_cost is None else _read_begun(root, to_come)
            cluster.set_limits(client, cup, work.sum_costs(begun | results), max_cost)
            items: dict[str, Sequence[Any]] = {
                p.slug: (p, work.pack(os.path.join(root, p.slug)) if collect else None)
                for p in to_come
            }
            rules = cup.model_copy(update={"motions": []})  # every task carries them
            same = {"cup": rules, "root": root, "is_paid": max_cost is not None}
            tasks = cluster.run_tasks(client, work.run_task, items, **same)
            failed = _keep_results(root, results, tasks, remark)
        paths, ratings = page.render_tournament(root, cup, motions, pairings, results)
    data["errors"] = [f"{slug}: {e.message}" for slug, e in failed.items()]
    lines = answers.label("failed", data["errors"])
    lines += [f"{slug}: {each.describe()}" for slug, each in ratings.strengths.items()]
    lines += [f"no ratings: {ratings.why}"] if ratings.why else []
    lines += [f"{count(dropped, 'debate')} of an earlier plan left out"] if dropped else []
    lines += [f"Read:  {os.path.relpath(path)}" for path in paths[-2:]]
    data |= {"success": not failed, "to_come": len(pairings) - len(results), "files": [*paths]}
    data |= ratings.as_data()
    limited = any(isinstance(e, LimitReachedError) for e in failed.values())
    code = LIMIT_REACHED if limited else PARTICIPANT_FAILED if failed else 0
    return Answer(data, lines, code)


def _refuse_faults(client: Any, cup: Cup) -> None:
    """Refuse a cluster without workers, or with one on which somebody cannot reply."""
    if not (found := client.run(work.check_specs, cup)):
        hint = "Start one with 'dask worker ADDRESS'."
        raise ConfigurationError("the scheduler has no workers", hint=hint)
    said = [
        f"{name} ({cup.specs[name]}) on the worker {address}: {why}"
        for address, faults in found.items()
        for name, why in faults.items()
    ]
    if said:
        raise ConfigurationError(f"nothing was held: {'; '.join(said)}")


def _confirm_programs(cup: Cup) -> None:
    """Have the user agree to the programs that a file names.

    Raises:
        UsageError: the user does not, or cannot be asked.
    """
    programs = sorted({s.removeprefix("cmd:") for s in cup.specs.values() if s[:4] == "cmd:"})
    if not programs:
        return
    for program in programs:
        answers.remark(f"  program: {program}")
    hint = "Read the file; if you trust its programs, say --yes."
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"the file starts {count(len(programs), 'program')}", hint=hint)
    if answers.ask_person("Start these? yes or no").strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was held", hint=hint)


def _keep_results(
    root: str,
    results: dict[str, Result],
    tasks: Iterable[tuple[str, Any]],
    remark: Callable[[str], None],
) -> dict[str, DebateError]:
    """Keep the result of each debate as it comes; return what failed."""
    failed: dict[str, DebateError] = {}
    with open(os.path.join(root, _RESULTS), "a", encoding="utf-8") as log:
        for slug, done in tasks:
            result, archive = (done, b"") if isinstance(done, DebateError) else done
            work.unpack(archive, root)
            if not isinstance(result, DebateError) and not result["is_over"]:
                result = RefusedError("it waits for a person", hint=f"See 'status {root}/{slug}'.")
            if isinstance(result, DebateError):
                failed[slug] = result
                remark(f"{slug}: {result.message}")
                continue
            results[slug] = result
            log.write(json.dumps(result, ensure_ascii=False) + "\n")
            log.flush()
            remark(f"{slug}: {result['winner'] or 'not judged'}; {len(results)} debates so far")
    return failed


def _read_results(root: str, pairings: Sequence[Pairing]) -> dict[str, Result]:
    """Return the results that are kept, of debates of the plan that are still there.

    The file is for speed alone: a debate that it lacks, or of which the line is torn, is read
    from its record.
    """
    path, found = os.path.join(root, _RESULTS), {}
    planned = {p.slug: p for p in pairings}
    lines = files.read_bytes(path, plan.MOST_BYTES).splitlines() if os.path.lexists(path) else ()
    for line in lines:
        with suppress(ValueError, KeyError, TypeError):
            result = json.loads(line)
            pairing = planned.get(result["slug"])
            there = os.path.join(root, result["slug"], store.DEBATE_FILE)
            if pairing and pairing.motion == result["motion"] and os.path.lexists(there):
                found[pairing.slug] = result
    return found


def _read_begun(root: str, to_come: Sequence[Pairing]) -> dict[str, Result]:
    """Return what debates that were begun and are not over have come to, and cost."""
    return {
        p.slug: work.read_result(store.Folder(os.path.join(root, p.slug)), p)
        for p in to_come
        if os.path.lexists(os.path.join(root, p.slug, store.DEBATE_FILE))
    }
