"""The commands `status` and `list`: where debates are, and what makes sense now."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import click

from debate_ops import clock, engine, running
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.core.errors import DebateError, Finding, of_one
from debate_ops.formats import debate_file
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.core.texts import one_line
from debate_ops.model.turn import OMIT, Turn, Waiting
from debate_ops.protocols.settings import panel_of
from debate_ops.protocols.table import rules_of
from debate_ops.reports import provenance, track_record
from debate_ops.storage import events, folder

ACT_FORMS = {
    "answer": "",
    "decide": '--proposal ID --reason "…"',
    "escalate": '--reason "…"',
    "cancel": '--reason "…"',
    "resume": "",
}
"""How each act is typed, after the debate's name; by itself, `answer` asks for each answer."""
_MOST = 500
"""Characters of a line about what failed."""


@command("status", repeatable=True)
@debate_argument
def status(debate: str) -> Answer:
    """Show the state of a debate, and which commands make sense now."""
    place = folder.find(debate)
    position, run = engine.obeying(engine.look(place)), running.look(place)
    used = provenance.used(position.debate)
    failed = [] if run else events.failures(place)
    records, unreadable = track_record.kept(place)
    judges = [judge.as_data() for judge in track_record.judges(position.debate, None, records)]
    missing = engine.missing_entries(position.debate)
    noticed = (*position.warnings, *missing, *unreadable, *_of_an_older_tool(position))
    warnings = answers.findings(messages.within(noticed))
    alive, asking = None, []
    if run:  # without the texts in the making
        calls = [{k: v for k, v in call._asdict().items() if k != "text"} for call in run.calls]
        alive = run._asdict() | {"calls": calls}
        asked = ", ".join(
            f"{call.participant} ({call.by}) since {call.since}" for call in run.calls
        )
        asking = [f"running ({run.process}) since {run.since}; asking {asked or 'nobody'}"]
    result = answers.state(position) | {
        "state": answers.turn(position)["state"],
        "progress": answers.progress(position),
        "on_hold": position.hold and position.hold._asdict(),
        "running": alive,
        "failed": failed,
        "words": [word._asdict() for word in position.debate.words],
        "used": used.as_data(),
        "judges": judges,
        "to_come": engine.work_left(engine.asking(position)),
        **answers.completed(position),
        **answers.waiting(position),
        "absences": [absence._asdict() for absence in engine.absences(position.debate)],
        "warnings": warnings,
        "next": sensible(position),
    }
    panel = _panel(position)
    result |= {"panel": panel} if panel else {}
    lines = [
        f"{result['debate']}: {result['progress']}",
        *answers.about_lines(result),
        *([f"To come: {result['to_come']}"] if result["to_come"] else []),
        *(answers.completed_lines(position) or filter(None, [answers.totals(position.debate)])),
        *([f"panel: {panel['verdict'] or panel['state']}"] if panel else []),
        *asking,
        *map(_failure_in_words, failed),
        *([f"used: {said}"] if (said := used.sentence()) else []),
        *answers.labelled("warning", (each["message"] for each in warnings)),
        *(f"Next:  {command}" for command in result["next"]),
    ]
    return Answer(result, lines)


def _panel(position: engine.Position) -> dict[str, str] | None:
    if not panel_of(position.debate):
        return None
    from debate_ops import panels  # only who has one pays for it

    return panels.state(position)


def _failure_in_words(event: Mapping[str, Any]) -> str:
    """Return what failed, when and why, in a line for people."""
    who, by = event.get("participant", "the run"), event.get("model") or event.get("by")
    why = event.get("why") or event.get("message")
    said = f"; it said: {event['said']}" if event.get("said") else ""
    return one_line(f"failed: {who}{f' ({by})' if by else ''} at {event['at']}: {why}{said}", _MOST)


def _of_an_older_tool(position: engine.Position) -> tuple[Finding, ...]:
    """Return what is to be known of a debate that this program has not gone on with yet."""
    if not position.debate.older:
        return ()
    from debate_ops import validation  # reads every file: worth it once

    faults, warnings = validation.validate(position.folder)
    known = {warning.message for warning in position.warnings}
    return (*faults, *(w for w in warnings if w.message not in known))


def sensible(position: engine.Position) -> list[str]:
    """Return the commands that make sense now, ready to be typed."""
    return [f"{answers.invocation()} {command}" for command in _sensible(position)]


def _sensible(position: engine.Position) -> Iterator[str]:
    debate, due, name = position.debate, position.due, position.folder.name
    rules = rules_of(debate.protocol)
    counts = bool(rules.CYCLE) and rules.last_exchange(debate.settings) is None
    asks = counts and not (position.tasks and debate.request)
    if isinstance(due, Waiting):
        yield from (f"{act} {name} {ACT_FORMS[act]}".rstrip() for act in due.acts)
    goes_on = not position.hold and isinstance(rules.next_turn(debate, clock.now()), Turn)
    if goes_on:
        yield f"next {name}{' --exchanges 3' if asks else ''}"
    for item in position.tasks:
        if item.status == engine.REFUSED and item.task.on_failure != OMIT:
            yield f'skip {name} --participant {item.task.participant} --reason "…"'
    if isinstance(due, Turn) and engine.is_late(debate, due):
        yield f'advance {name} --step {due.step} --reason "…"'
    if goes_on:
        yield f'run {name}{" 3" if asks else ""} --all cmd:"claude -p"'
    if (_panel(position) or {}).get("state") == "due":
        yield f"panel {name}"
    if debate.step:
        yield f"show {name}"
        yield f"report {name}"


@command("list", repeatable=True)
@click.option("--active", is_flag=True, help="Only those that wait for a reply or a person.")
@click.option(
    "--newest",
    is_flag=True,
    help="In the order in which they were made, the last one first; else by name.",
)
def list_debates(*, active: bool = False, newest: bool = False) -> Answer:
    """List the debates in this folder's 'debates'."""
    rows = [_row(slug) for slug in folder.slugs()]
    rows = [(row, line) for row, line in rows if not active or row.get("active", True)]
    if newest:
        rows.sort(key=lambda row: str(row[0].get("created", "")), reverse=True)
    lines = [line for _, line in rows]
    if not lines and active:
        lines = ["No debate waits for anything."]
    lines = lines or [
        f"There are no debates in {os.path.abspath(folder.DEBATES)} yet.",
        f"Next:  {answers.invocation()} demo",
        f'   or  {answers.invocation()} new my-decision --motion "This house would ..."',
    ]
    return Answer({"success": True, "debates": [row for row, _ in rows]}, lines)


def _row(slug: str) -> tuple[dict[str, Any], str]:
    """Return a debate as data, and as a line."""
    result = of_one(lambda: _read(slug))
    if isinstance(result, DebateError):
        row = {"debate": slug, "error": result.message}
        return row, f"{slug}: {one_line(result.message)}"
    return result


def _read(slug: str) -> tuple[dict[str, Any], str]:
    position = engine.glance(folder.find(slug))
    is_owed = isinstance(position.due, Turn) and position.calls_left is not None
    row = answers.state(position) | {
        "motion": motion_of(position.debate),
        "created": position.debate.created,
        "active": is_owed or isinstance(position.due, Waiting),
        "progress": answers.progress(position),
    }
    return row, f"{slug}: {headline(position)}"


def headline(position: engine.Position) -> str:
    """Return in one line where a debate is, with its scores if it has any."""
    parts = (answers.progress(position), answers.totals(position.debate))
    return "; ".join(filter(None, parts))


def motion_of(debate: Debate) -> str:
    """Return the motion of a debate."""
    return debate_file.framing(debate.body).motion
