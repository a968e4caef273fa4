"""The command `tournament`: every pairing of participants on every motion, on a Dask cluster."""

import os
from collections.abc import Collection, Sequence
from contextlib import nullcontext

import click

from debate_ops.cli import answers, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import (
    Amount,
    command,
    flag_option,
    number_option,
    option,
    quiet_option,
    scheduler_option,
)
from debate_ops.core import errors
from debate_ops.core.errors import DebateError, UsageError
from debate_ops.engine import store
from debate_ops.report.words import count
from debate_ops.run.cast import hide_password
from debate_ops.run.spending import Estimate, add_estimates, require_prices
from debate_ops.tournament import cluster, page, plan, work


@command("tournament")
@click.argument("file", metavar="FILE")
@number_option(
    "--workers N",
    default=4,
    help="How many debates at the same time, on this machine; one, too, needs the extra 'many'.",
)
@scheduler_option
@flag_option(
    "--collect",
    help="Send debates to workers and back as archives, where no file system is shared.",
)
@option(
    "--max-cost DOLLARS",
    type=Amount(min=0.0),
    help="Ask nothing that might bring the whole tournament above this, on all workers together.",
)
@flag_option("--dry-run", help="Ask nobody; say what is to be held, and what it is likely to take.")
@flag_option("-y, --yes", help="Do not ask about the programs that FILE names.")
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
    """Hold every pairing of participants on every motion of FILE, on both sides.

    FILE is TOML: participants (NAME = "SPEC", as for 'run'), motions, judge, and more: see
    docs/tournaments.md. Everything lies in debates/tournaments/NAME, named after FILE: the plan,
    the debates, and a page with ratings. The same command goes on where it was stopped, and holds
    what more participants or motions add.

    \b
    debate-ops tournament cup.toml --workers 8 --max-cost 20
    debate-ops tournament cup.toml --scheduler tcp://scheduler:8786
    """
    name = os.path.splitext(os.path.basename(file))[0].lower()
    if not store.is_slug(name):
        hint = "Name it with lower-case letters, digits and hyphens, as in my-cup.toml."
        raise UsageError(f"{file}: {name!r} cannot be the name of a folder", hint=hint)
    settings = texts.load_settings(file)
    try:
        cup = plan.read_tournament_file(settings.values, os.path.dirname(file))
    except UsageError as error:
        raise settings.place(error) from None
    pairings = plan.make_plan(cup)
    root, failed = os.path.join(store.DEBATES, store.TOURNAMENTS, name), dict[str, DebateError]()
    results, spent = work.read_results(root, cup, pairings)
    to_come = [p for p in pairings if p.slug not in results]
    work_left = f"{count(len(pairings), 'debate')}, {len(to_come)} to come"
    data = {"success": True, "tournament": root, "debates": len(pairings)}
    if to_come and max_cost is not None:
        require_prices([hide_password(spec).partition("?")[0] for spec in cup.specs.values()])
    if dry_run:
        parts = _estimate(cup, to_come) if to_come else []
        dearest, whole = sorted(parts, key=lambda part: part.cost or 0)[-1:], add_estimates(parts)
        lines = [f"A debate: {part.sentence()}" for part in dearest]
        lines += [f"In all: {whole.sentence()}"] if parts else []
        data |= {"to_come": len(to_come), "errors": []} | whole._asdict()
        return Answer(data, [work_left, *lines])
    if to_come and not yes:
        _confirm_programs({spec[4:] for spec in cup.specs.values() if spec[:4] == "cmd:"})
    remark = (lambda _: None) if quiet else answers.remark
    opened = cluster.open_cluster(workers, scheduler, cup.specs) if to_come else nullcontext()
    with opened as client:
        os.makedirs(root, exist_ok=True)
        lock = os.path.join(root, "tournament.lock")
        with store.hold_lock(lock, "holds this tournament", wait=0.1):
            plan.keep_plan(root, pairings)
            remark(f"{work_left}, in {root}")
            for slug, result in work.hold_debates(
                client, cup, root, to_come, spent=spent, most=max_cost, is_packed=collect
            ):
                if isinstance(result, DebateError):
                    failed[slug] = result
                    remark(f"{slug}: {result.message}")
                else:
                    results[slug] = result
                    remark(f"{slug}: {result['winner'] or 'not judged'}; {len(results)} so far")
            paths, ratings = page.render_tournament(root, cup, pairings, results)
    said = answers.list_failed(failed)
    data |= {"success": not failed, "to_come": len(pairings) - len(results), "files": paths}
    data |= {"errors": said, **ratings.as_data()}
    lines = answers.label("failed", said)
    lines += [f"{name}: {each}" for name, each in ratings.strengths.items()]
    lines += [f"no ratings: {ratings.why}"] if ratings.why else []
    lines += [f"Read:  {path}" for path in paths[-2:]]
    codes = {error.exit_code for error in failed.values()}
    code = errors.LIMIT_REACHED if errors.LIMIT_REACHED in codes else errors.PARTICIPANT_FAILED
    return Answer(data, lines, code if failed else 0)


def _estimate(cup: plan.TournamentFile, to_come: Sequence[plan.Pairing]) -> list[Estimate]:
    """Return what each debate is likely to take; refuse SPECs that mean nobody on any machine."""
    if faults := cluster.check_specs(cup.specs, UsageError):
        raise errors.ConfigurationError(f"nobody would be asked: {'; '.join(faults)}")
    return work.estimate_debates(cup, to_come)


def _confirm_programs(programs: Collection[str]) -> None:
    """Refuse a file that names programs, unless a person at the terminal agrees to them."""
    if not programs:
        return
    answers.remark(*(f"  program: {program}" for program in sorted(programs)))
    hint = "Read the file; if you trust its programs, say --yes."
    if not answers.can_ask():
        raise UsageError(f"the file starts {count(len(programs), 'program')}", hint=hint)
    if answers.ask_person("Start these? yes or no").strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was held", hint=hint)
