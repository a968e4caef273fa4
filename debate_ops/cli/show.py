"""The commands that look at debates: `status`, `list`, `show`, `check`, `validate`, `schema`."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from debate_ops import engine, panels
from debate_ops.cli import answers, debate_state
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, flag_option, several
from debate_ops.core import clock
from debate_ops.core.errors import BAD_RECORD, CHECK_NOT_MET, DebateError, UsageError, catch_error
from debate_ops.core.protocol import FirstAnswer
from debate_ops.core.replies import Reply, schema_of
from debate_ops.core.texts import one_line, signed
from debate_ops.core.values import OMIT, Debate, Entry, Turn, Waiting
from debate_ops.engine import events, files, store
from debate_ops.engine import validate as checking
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.protocols.exchange import SIDES
from debate_ops.report import provenance
from debate_ops.report.reading import read_debate
from debate_ops.report.verdict import Level
from debate_ops.report.words import count
from debate_ops.run.progress import describe_duration
from debate_ops.run.run_file import find_run
from debate_ops.tournament.plan import PLAN


@command("status")
def status(debate: str) -> Answer:
    """Show the state of a debate, and which commands make sense now."""
    place = store.find_folder(debate)
    position, run = engine.load(place).apply_hold(), find_run(place)
    run = run and (find_run(store.Folder(place.within(store.PANEL))) or run)
    used = provenance.measure_usage(position.at)
    failed = [] if run else events.find_failures(place)
    warned = [*position.warnings, *checking.load_parts(position)[1]]
    silent = None if run or not isinstance(position.due, Turn) else _find_silent(position)
    panel = panels.describe_state(position)
    result = debate_state.describe_turn(position) | {
        "completed_at": position.find_turn_start() if position.is_complete else "",
        "silent": silent,
        "running": run
        and run._asdict() | {"calls": [c._replace(text="")._asdict() for c in run.calls]},
        "failed": failed,
        "words": [word.model_dump() for word in position.header.words],
        "used": used.as_data(),
        "judges": [each.as_data() for each in provenance.find_judges(place, position.at)],
        "statistics": position.protocol.statistics(position.debate),
        "absences": [
            {"id": e.id, "participant": e.by, "exchange": e.round}
            | {key: e.data.get(key, "") for key in ("how", "reason", "by")}
            for e in position.debate.find("absence")
        ],
        "warnings": answers.list_sentences(warned),
    }
    result |= {"panel": panel} if panel else {}
    lines = debate_state.write_place(position, result)
    lines += [f"panel: {panel['verdict'] or panel['state']}"] if panel else []
    if run:
        asked = ", ".join(f"{c.participant} ({c.by}) since {c.since}" for c in run.calls)
        now = "waiting for 'resume'" if position.hold else "asking nobody"
        now = f"asking {asked}" if asked else now
        lines.append(f"running ({run.process}) since {run.since}; {now}")
    if silent and (names := ", ".join(silent["participants"])):
        ago = describe_duration(silent["seconds"])
        lines.append(f"no reply yet of {names}, due since {silent['since']} ({ago} ago)")
    for event in failed:
        by = event.get("model") or event.get("by")
        who = f"{event.get('participant', 'the run')}{f' ({by})' if by else ''}"
        why = event.get("why") or event.get("message")
        why = f"{why}; it said: {event['said']}" if event.get("said") else why
        lines.append(one_line(f"failed: {who} at {event['at']}: {why}", 500))
    lines += [f"used: {said}"] if (said := used.sentence()) else []
    if position.is_complete and "memo" in debate_state.list_lacking(position):
        lines.append("There is no memo of this record.")
    return Answer(result, lines, next=debate_state.suggest_commands(position, run))


def _find_silent(position: engine.Position) -> dict[str, Any]:
    """Return who was asked and has not replied to the turn that is due, and since when it is."""
    asked = (each for each in position.tasks if os.path.lexists(each.slot.prompt))
    awaited = (each for each in asked if each.task.on_failure != OMIT)
    names = [i.task.by for i in awaited if i.is_open]
    since = max(position.find_turn_start(), events.find_undo(position.folder))
    passed = clock.count_seconds(since, clock.now())
    return {"participants": names, "since": since, "seconds": passed}


@command("list")
def list_debates() -> Answer:
    """List the debates in this folder's 'debates', the newest first."""
    rows = [_describe_debate(slug) for slug in store.list_slugs()]
    rows.sort(key=lambda row: str(row.get("created", "")), reverse=True)
    lines = [f"{row['debate']}: {row.get('progress') or one_line(row['error'])}" for row in rows]
    above = os.path.join(store.DEBATES, store.TOURNAMENTS)
    cups = [os.path.join(above, name) for name in files.list_names(above)]
    cups = [c for c in cups if os.path.isfile(os.path.join(c, PLAN)) and not os.path.islink(c)]
    lines += [f"Tournament, with its debates and its page: {path}" for path in cups]
    lines = lines or [f"There are no debates in {os.path.abspath(store.DEBATES)} yet."]
    return Answer({"success": True, "debates": rows, "tournaments": cups}, lines)


def _describe_debate(slug: str) -> dict[str, Any]:
    position = catch_error(lambda: engine.load(store.find_folder(slug)))
    if isinstance(position, DebateError):
        return {"debate": slug, "error": position.message}
    is_due = isinstance(position.due, Turn) and position.calls_left is not None
    return debate_state.describe_state(position) | {
        "motion": position.debate.motion,
        "created": position.header.created,
        "active": is_due or isinstance(position.due, Waiting),
        "progress": debate_state.describe_progress(position),
    }


def describe_folder() -> Answer:
    """Return what there is: the debates of this folder, who could reply, what to do next."""
    from debate_ops.run.clients import FOR_A_MODEL, find_repliers  # no command here needs it

    program, found = answers.name_invocation(), find_repliers()
    lines = [
        "AI agents, or people, debate your question; a page gives the answer, and why.",
        "",
        *list_debates().lines,
        "",
        f"Can reply here: {', '.join(each.what for each in found)}",
        *[FOR_A_MODEL] * (len(found) == 1),
        "",
        f"Look first: {program} demo   (a debate that was held: no model, no key)",
        f'Ask:        {program} ask "Should we move our database before the season?"',
        f"Go on:      {program} status DEBATE",
        f"All of it:  {program} --help",
    ]
    return Answer(None, lines)


@command("show")
@click.argument("entry_id", metavar="[ID]", required=False)
def show(debate: str, entry_id: str | None) -> Answer:
    """Show a debate's arguments with their scores, or one entry with its history."""
    position = debate_state.load_with_warnings(debate)
    d = position.debate
    scores = [*_list_scores(d)]
    if entry_id is None:
        return _show_all(position, {item["argument_id"]: item["score"] for item in scores})
    entry = d.entries.get(entry_id)
    if entry is None:
        raise UsageError(
            f"{position.folder.name} has no entry {entry_id!r}",
            hint=f"There are: {', '.join(d.entries) or 'none yet'}.",
        )
    history = [item for item in scores if item["argument_id"] == entry_id]
    links = {
        name: [e.id for e in d.find("argument") if entry_id in _list_targets(e, key)]
        for name, key in (("attacked_by", "attacks"), ("defended_by", "defends"))
    }
    result = {"success": True, "id": entry_id, "folder": entry.folder, "history": history, **links}
    result["header"] = {**entry.data, **entry.header}
    result["body"] = "\n\n".join(f"## {name}\n\n{said}" for name, said in entry.texts.items())
    lines = [f"{entry_id}: {one_line(entry.title)}"]
    for item in history:
        score, why = signed(item["score"]), one_line(item["reasoning"])
        lines.append(f"  {score} in exchange {item['exchange']}: {why}")
    lines += [f"  {how.replace('_', ' ')} {', '.join(ids)}" for how, ids in links.items() if ids]
    return Answer(result, [*lines, *map(answers.mark_lines, describe_entry(entry))])


def _list_scores(d: Debate) -> Iterator[dict[str, Any]]:
    """Yield every score that a judgment gave."""
    for judgment in d.find("judgment"):
        where = {"exchange": judgment.round, "judgment": judgment.id}
        for item in (*judgment.data.get("scores", ()), *(judgment.data.get("rescores") or ())):
            yield {key: item[key] for key in ("argument_id", "score", "reasoning")} | where


def _list_targets(entry: Entry, key: str) -> list[str]:
    return [link["target_id"] for link in entry.data.get(key) or ()]


def _show_all(position: engine.Position, scores: Mapping[str, Any]) -> Answer:
    d = position.debate
    arguments, entries, lines = list[dict[str, Any]](), list[dict[str, Any]](), list[str]()
    for entry in d.entries.values():
        if entry.kind == "argument":
            row: dict[str, Any] = {
                "id": entry.id,
                "side": SIDES.get(entry.by, entry.by),
                "title": entry.title,
                "claim": entry.data.get("claim", ""),
                "score": scores.get(entry.id),
                "attacks": _list_targets(entry, "attacks"),
                "defends": _list_targets(entry, "defends"),
            }
            arguments.append(row)
            lines.append(f"{entry.id:<10} {signed(row['score']):>10}  {one_line(entry.title)}")
        elif entry.kind != "judgment":
            gist = one_line(summarise_entry(entry), 90)
            row = {"id": entry.id, "kind": entry.kind, "participant": entry.by}
            entries.append(row | {"exchange": entry.round, "gist": gist})
            lines.append(f"{entry.id:<22} {gist}")
    result = debate_state.describe_state(position) | {"motion": d.motion}
    result |= {"arguments": arguments, "entries": entries}
    head = [one_line(d.motion), debate_state.describe_progress(position), ""]
    return Answer(result, [*head, *lines])


@command("check")
@several(
    "--require NAME",
    help="What is required: complete or decided (not too close to call), and by protocol "
    "others such as consensus or no-blocking.",
)
def check(debate: str, require: Sequence[str]) -> Answer:
    """Check whether a debate meets requirements; exit code 10 if not: a gate for CI."""
    position = debate_state.load_with_warnings(debate, checking.load_whole)
    reading, own = read_debate(position), position.protocol.requirements(position.at)
    verdict, level = reading.verdict, reading.verdict.level
    is_choice = verdict.is_sought and verdict.favoured in verdict.choices and not reading.is_opposed
    is_clear = level == Level.NOT_JUDGED or level > Level.TOO_CLOSE
    found = debate_state.write_answer(verdict.answer, reading.sureness)
    met = {"complete": (position.is_complete, debate_state.describe_progress(position))}
    met |= {"decided": (is_choice and is_clear, found), **own}
    unknown = [name for name in require if name not in met]
    if unknown or not require:
        what = f"{' and '.join(unknown)} cannot be required" if unknown else "say what is required"
        raise UsageError(
            f"{what} of a debate of the protocol {position.protocol.name!r}",
            hint=f"What can be: {', '.join(met)}. As in 'check {debate} --require …'.",
        )
    asked = {name: {"is_met": met[name][0], "why": met[name][1]} for name in require}
    is_good = all(each["is_met"] for each in asked.values())
    result = {"success": is_good, "debate": position.folder.name, "requirements": asked}
    lines = [f"{n}: {'' if a['is_met'] else 'not '}met: {a['why']}" for n, a in asked.items()]
    return Answer(result, lines, 0 if is_good else CHECK_NOT_MET)


@command("validate")
@flag_option(
    "--fix", help="Make debate.md from the record, and move what an interruption left to set-aside."
)
@flag_option("--strict", help="Let a warning, such as of an edit, count as a fault: for CI.")
def validate(debate: str, *, fix: bool = False, strict: bool = False) -> Answer:
    """Check every file of a debate: links, scores, totals, and the word limits.

    Exit code 5 if there is a fault. What was edited without a contradiction is a warning.
    """
    place = store.find_folder(debate)
    repaired = answers.list_sentences(checking.fix(place) if fix else ())
    faults, warnings = checking.validate(place)
    is_good, errors = not (faults or (strict and warnings)), answers.list_sentences(faults)
    result = {
        "success": is_good,
        "debate": place.name,
        "errors": errors,
        "faults": answers.list_faults(faults),
        "warnings": answers.list_sentences(warnings),
        "fixed": repaired,
    }
    lines = [
        *answers.label("fixed", repaired),
        *answers.label("fault", errors),
        f"{place.name}: {count(len(faults), 'fault')}, {count(len(warnings), 'warning')}",
    ]
    if fix and (faults or warnings):
        undo = f"{answers.name_invocation()} undo {place.name} --step K"
        lines.append("An edit by hand may stay if it makes no fault; else put the file back, or")
        lines.append(f"take back all from the step on at which it was put on record:  {undo}")
    return Answer(result, lines, 0 if is_good else BAD_RECORD)


@command("schema")
@click.argument("name", metavar="[NAME]", required=False)
def schema(name: str | None) -> Answer:
    """Print the JSON Schema of a kind of reply; without NAME, list them."""
    forms: dict[str, type[Reply]] = {"first-answer": FirstAnswer}
    for each in PROTOCOLS:
        forms |= {f"{each}-{kind}": form for kind, form in load_protocol(each).replies.items()}
    if name is None:
        return Answer({"success": True, "schemas": [*forms]}, [*forms])
    if name not in forms:
        hint = f"There are: {', '.join(forms)}"
        raise UsageError(f"there is no form of reply {name!r}", hint=hint)
    found = schema_of(forms[name])
    return Answer(found, [answers.write_json(found, indent=2)])
