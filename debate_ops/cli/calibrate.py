"""The command `calibrate`: a judge decides debates whose answers are known."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import nullcontext, suppress
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
from debate_ops.calibration.figures import Result
from debate_ops.cli import answers, verdicts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import cluster_options, command, counted, made_by_option
from debate_ops.cli.run import answer_with_estimate
from debate_ops.core.errors import PARTICIPANT_FAILED, UsageError
from debate_ops.core.values import Turn
from debate_ops.engine import files, store
from debate_ops.engine.headers import digest_text, dumps
from debate_ops.engine.store import is_slug
from debate_ops.report import track_record
from debate_ops.report.track_record import CALIBRATIONS, RESULT
from debate_ops.report.words import count
from debate_ops.run.cast import EVERYBODY, make_participant
from debate_ops.run.spending import estimate_run

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
    done = measure_judge(known, judge or made_by or "the agents that were asked")
    done = done._replace(set=_name(set_), panel=panel)
    lines = done.list_lines() if done.with_debate or not due else []
    if due:
        said = f"{done.debates} of {count(len(known), 'debate')} with known answers decided"
        to_come = f"{count(replies, 'reply', 'replies')} to come in all, views before ballots"
        lines.insert(0, f"{said}; {to_come}")
    if done.with_debate:
        result["result"] = done.as_data()
        lines += _keep(os.path.join(above, RESULT), done)
    lines += answers.label("failed", failed)
    return Answer(result, [*lines, *due_lines], PARTICIPANT_FAILED if failed else 0)


def _keep(path: str, done: Result) -> list[str]:
    """Keep a result, unless one of more debates is there; say so then."""
    with suppress(OSError, UsageError, ValueError, LookupError, TypeError):
        if (before := track_record.read_record(path)).number > done.debates:
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
