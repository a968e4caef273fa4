"""The commands that an agent calls at every step: `next`, `submit` and `process-…`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import click

from debate_ops import endings, engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument, keep_option
from debate_ops.engine import RawReply
from debate_ops.core.errors import BusyError, DiskError
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.protocols.settings import panel_of
from debate_ops.storage import files, folder, inbox, lock


def not_running(debate: str) -> folder.Folder:
    """Return the folder of a debate that no headless run has taken.

    Raises:
        BusyError: one has: a second hand in its turns would pay twice, or mix up what is written.
    """
    place = folder.find(debate)
    if runner := lock.holder(inbox.run_lock(place)):
        raise BusyError(
            f"this debate is being run by another process ({runner})",
            hint="Wait until that run ends, or stop it; nothing is lost.",
        )
    return place


@command("next", repeatable=True)
@debate_argument
@click.option(
    "--exchanges",
    type=click.IntRange(min=0),
    metavar="N",
    help="Ask for N more exchanges (or cycles), the opening not counted; 0 gives up the "
    "unfinished request. Without it: what was asked for before, or else the debate's "
    "own end.",
)
def next_turn(debate: str, exchanges: int | None = None) -> Answer:
    """Print the turn that is due: its tasks, their prompt files and where the replies go."""
    position = engine.next_turn(not_running(debate), exchanges)
    position = _with_panel(position)._replace(warnings=position.warnings)
    return answers.turn_answer(position)._replace(code=endings.exit_code(position))


def _with_panel(position: engine.Position) -> engine.Position:
    """Return where the panel stands that is due on a complete debate, or else the debate itself."""
    if not panel_of(position.debate):
        return position
    from debate_ops import panels  # only who has one pays for it

    return panels.going_on(position)


@command("submit", repeatable=True)
@debate_argument
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="K",
    required=True,
    help="The step that the replies answer, as 'next' printed it.",
)
@click.option(
    "--made-by", metavar="TEXT", help="Who wrote the replies, for the record: model, client."
)
@click.option(
    "--wait",
    type=click.IntRange(min=0),
    metavar="SECONDS",
    help="Wait so long, at most, until every reply is there and nobody is writing it any "
    "more; exit code 75 if that takes longer.",
)
def submit(debate: str, step: int, made_by: str | None = None, wait: int | None = None) -> Answer:
    """Check the replies in the inbox, commit them, and print the next turn."""
    place = folder.find(debate)
    if wait:
        from debate_ops.cli import waiting  # only who waits pays for it

        waiting.for_replies(place, step, wait)
    outcome = engine.submit(place, step, {"by": made_by} if made_by else {})
    result, after = answers.outcome(outcome), _with_panel(outcome.position)
    result |= answers.turn(after) if after is not outcome.position else {}
    return Answer(result, code=endings.exit_code(after))


@command("check-reply")
@debate_argument
@click.argument("file")
@click.option(
    "--as",
    "as_",
    metavar="NAME",
    help="Whose reply it is, where several are due and it does not say so.",
)
def check_reply(debate: str, file: str, as_: str | None) -> Answer:
    """Check a reply to the turn that is due, as 'submit' would; nothing is changed.

    FILE is a draft, wherever it lies; exit code 1 if it would be refused.
    """
    reply = RawReply(files.read_named(file, MAX_BYTES), file)
    remarks = answers.remarks(engine.check_reply(folder.find(debate), reply, as_))
    lines = [*answers.labelled("warning", remarks["warnings"]), f"{file}: no fault"]
    return Answer({"success": True, **remarks}, lines)


@command("process-exchange", repeatable=True)
@debate_argument
@click.argument("exchange", type=click.IntRange(min=0))
@click.option("--prop-file", metavar="FILE", required=True, help="The proposition's reply.")
@click.option("--opp-file", metavar="FILE", required=True, help="The opposition's reply.")
@keep_option
def process_exchange(
    debate: str, exchange: int, prop_file: str, opp_file: str, *, keep: bool = False
) -> Answer:
    """Commit both sides' arguments of one exchange from two files."""
    named = {"prop": prop_file, "opp": opp_file}
    outcome = _submit_files(debate, exchange, named, keep=keep)
    ids = {
        name: [i for i in outcome.committed if i.startswith(f"{side}_")]
        for side, name in (("prop", "proposition"), ("opp", "opposition"))
    }
    if exchange == 0:
        return _processed(outcome, ids)
    return _processed(outcome, {name: each[0] if each else None for name, each in ids.items()})


@command("process-judge", repeatable=True)
@debate_argument
@click.option("--json-file", metavar="FILE", required=True, help="The judge's reply.")
@keep_option
def process_judge(debate: str, json_file: str, *, keep: bool = False) -> Answer:
    """Commit the judgment of the exchange that awaits it, from a file."""
    outcome = _submit_files(debate, None, {"judge": json_file}, keep=keep)
    entry = outcome.position.debate.record.get(outcome.committed[0])
    header = entry.header if entry else {}
    scored = header.get("scores") or []
    return _processed(
        outcome,
        [item["argument_id"] for item in scored],
        score=[item["score"] for item in scored],
        rescored=[item["argument_id"] for item in header.get("rescores") or []],
    )


def _submit_files(
    debate: str, exchange: int | None, named: Mapping[str, str], *, keep: bool
) -> engine.Outcome:
    """Commit the replies in files named by participant; remove the files unless `keep` is set."""
    missing = {name: path for name, path in named.items() if not os.path.lexists(path)}
    replies = {
        name: RawReply(files.read_named(path, MAX_BYTES), path)
        for name, path in named.items()
        if name not in missing
    }
    place = folder.find(debate)
    outcome = engine.submit_replies(place, exchange, replies, missing)
    entry = outcome.position.debate.record.get(outcome.committed[0])
    if entry and not keep:
        with suppress(DiskError):  # then the files stay, and say themselves what is on record
            inbox.note_used(place, named.values(), entry.step)
            for reply in replies.values():
                files.discard_read(reply.name, reply.raw)
    return outcome


def _processed(outcome: engine.Outcome, argument_id: Any, **more: Any) -> Answer:
    state = answers.state(outcome.position)
    keys = ("current_exchange", "current_phase", "step", "cumulative_scores")
    result = {
        "success": True,
        "argument_id": argument_id,
        "already_applied": outcome.already_applied,
        **answers.remarks(outcome.warnings),
        **{key: state[key] for key in keys},
    }
    return Answer(result | more)
