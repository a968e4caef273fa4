"""The commands `status` and `list`: where debates are, and what makes sense now."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers, standing
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command
from debate_ops.core import clock
from debate_ops.core.errors import DebateError, catch_error
from debate_ops.core.texts import one_line
from debate_ops.core.values import OMIT, Turn, Waiting
from debate_ops.engine import events, store
from debate_ops.engine.validate import find_faulty_parts
from debate_ops.report import provenance
from debate_ops.run.progress import describe_duration
from debate_ops.run.running import find_run


@command("status")
def status(debate: str) -> Answer:
    """Show the state of a debate, and which commands make sense now."""
    from debate_ops import panels  # 'new' does without

    place = store.find_folder(debate)
    position, run = engine.load(place).apply_hold(), find_run(place)
    run = run and (find_run(store.Folder(place.within(store.PANEL))) or run)
    used = provenance.measure_usage(position.at)
    failed = [] if run else events.find_failures(place)
    judges = provenance.find_judges(place, position.at)
    warned = [*position.warnings, *find_faulty_parts(position)]
    alive = None
    if run:  # without the texts in the making
        calls = [{k: v for k, v in call._asdict().items() if k != "text"} for call in run.calls]
        alive = run._asdict() | {"calls": calls}
    silent = None if run or not isinstance(position.due, Turn) else _find_silent(position)
    result = standing.describe_place(position) | {
        "completed_at": position.header.completed_at,
        "silent": silent,
        "on_hold": position.hold and position.hold._asdict(),
        "running": alive,
        "failed": failed,
        "words": [word.model_dump() for word in position.header.words],
        "used": used.as_data(),
        "judges": [each.as_data() for each in judges],
        "statistics": position.protocol.statistics(position.debate),
        "absences": [
            {"id": e.id, "participant": e.by, "exchange": e.round}
            | {key: e.data.get(key, "") for key in ("how", "reason", "by")}
            for e in position.debate.find("absence")
        ],
        "warnings": answers.list_faults(warned),
        "next": standing.suggest_commands(position, run),
    }
    lines = standing.write_place(position, result)
    lines += filter(None, ["" if "completed" in result else standing.describe_totals(position)])
    if panel := panels.describe_state(position):
        result["panel"] = panel
        lines.append(f"panel: {panel['verdict'] or panel['state']}")
    if run:
        asked = ", ".join(f"{c.participant} ({c.by}) since {c.since}" for c in run.calls)
        lines.append(f"running ({run.process}) since {run.since}; asking {asked or 'nobody'}")
    if silent and (names := ", ".join(silent["participants"])):
        ago = describe_duration(silent["seconds"])
        lines.append(f"no reply yet of {names}, due since {silent['since']} ({ago} ago)")
    lines += map(_describe_failure, failed)
    lines += [f"used: {said}"] if (said := used.sentence()) else []
    lines += answers.label("warning", answers.list_sentences(warned))
    if position.is_complete and (missing := standing.explain_missing_memo(position)):
        lines.append(f"{missing}.")
    return Answer(result, [*lines, *answers.write_next(result["next"])])


def _find_silent(position: engine.Position) -> dict[str, Any]:
    """Return who was asked and has not replied to the turn that is due, and since when it is."""
    asked = (each for each in position.tasks if os.path.lexists(each.slot.prompt))
    awaited = (each for each in asked if each.task.on_failure != OMIT)
    names = [i.task.by for i in awaited if i.status in {engine.WAITING, engine.REFUSED}]
    since = position.find_turn_start()
    passed = clock.count_seconds(since, clock.now())
    return {"participants": names, "since": since, "seconds": passed}


def _describe_failure(event: Mapping[str, Any]) -> str:
    """Return what failed, when and why, in a line for people."""
    who, by = event.get("participant", "the run"), event.get("model") or event.get("by")
    said = f"; it said: {event['said']}" if event.get("said") else ""
    why = f"{event.get('why') or event.get('message')}{said}"
    return one_line(f"failed: {who}{f' ({by})' if by else ''} at {event['at']}: {why}", 500)


@command("list")
def list_debates() -> Answer:
    """List the debates in this folder's 'debates', the newest first."""
    rows = [_describe_debate(slug) for slug in store.list_slugs()]
    rows.sort(key=lambda row: str(row[0].get("created", "")), reverse=True)
    lines = [line for _, line in rows]
    lines = lines or [f"There are no debates in {os.path.abspath(store.DEBATES)} yet."]
    return Answer({"success": True, "debates": [row for row, _ in rows]}, lines)


def describe_folder() -> Answer:
    """Return what there is: the debates of this folder, who could reply, what to do next."""
    from debate_ops.run.providers import find_repliers  # no other command here needs it

    program = answers.name_invocation()
    repliers = ", ".join(each.what for each in find_repliers())
    lines = [
        "Structured debates between AI agents.",
        "",
        *list_debates().lines,
        "",
        f"Can reply here: {repliers}",
        f'Ask:        {program} ask "Should we move our database before the season?"',
        f"Look first: {program} demo   (no model, no key)",
        f"Go on:      {program} status DEBATE",
        f"All of it:  {program} --help",
    ]
    return Answer(None, lines)


def _describe_debate(slug: str) -> tuple[dict[str, Any], str]:
    """Return a debate as data, and as a line."""
    position = catch_error(lambda: engine.load(store.find_folder(slug)))
    if isinstance(position, DebateError):
        return {"debate": slug, "error": position.message}, f"{slug}: {one_line(position.message)}"
    is_owed = isinstance(position.due, Turn) and position.calls_left is not None
    row = standing.describe_state(position) | {
        "motion": position.debate.motion,
        "created": position.header.created,
        "active": is_owed or isinstance(position.due, Waiting),
        "progress": standing.describe_progress(position),
    }
    return row, f"{slug}: {row['progress']}"
