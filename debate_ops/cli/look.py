"""The commands that make, list, show and check debates: arguments in, an answer out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops import engine, mending, validation
from debate_ops.cli import answers, given_settings, given_texts, steps
from debate_ops.cli.answers import Answer
from debate_ops.cli.given_settings import GivenSettings, placed, refuse_unread
from debate_ops.errors import BAD_RECORD, DebateError, Finding, UsageError, of_one
from debate_ops.formats import debate_file, entries
from debate_ops.formats import schema as schemas
from debate_ops.formats.entries import SIDE_NAMES
from debate_ops.formats.json_text import printed
from debate_ops.model.debate import Debate, Definition, Framing
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Argument, Contribution, Judgment
from debate_ops.model.score import signed, to_number
from debate_ops.model.texts import is_blank, one_line
from debate_ops.model.turn import Turn, Waiting
from debate_ops.protocols.table import PROTOCOLS, rules_of
from debate_ops.reports.reading import in_order
from debate_ops.storage import folder

MAX_GIST = 90
Ask = Callable[[str], str]


class Framed(NamedTuple):
    """What a new debate is to be about, as the command line gives it."""

    motion: str | None
    motion_file: str | None
    definition: Sequence[str]
    scope: str
    context: Sequence[str]


def new(slug: str, *, protocol: str, as_json: bool, **options: Any) -> Answer:
    """Create a debate from the options of the command line, each by its name if it is given."""
    if options.get("motion") == options.get("settings") == given_texts.STANDARD_INPUT:
        raise UsageError(
            "--motion and --settings cannot both be read from standard input; name a file for one, "
            "with --motion-file or --settings"
        )
    ask = answers.asked if sys.stdin.isatty() and not as_json else None
    framing = Framed(**{name: options.pop(name) for name in Framed._fields})
    result = _create(slug, framing, protocol, _settings(protocol, options), ask)
    lines = [
        f"{result['path']} created.",
        *(f"Next:  {command}" for command in result["next"]),
        f"   or  /debate-run {result['debate']}   in your agent client",
        *result["warnings"],
    ]
    return Answer(result, lines)


def _settings(protocol: str, options: dict[str, Any]) -> GivenSettings:
    """Return all settings: options and single ones go before the file."""
    path, agents = options.pop("settings", None), options.pop("agents", None)
    anywhere = options.pop("allow_files_outside", False)
    single = given_settings.single(options.pop("set", ()))
    named = {name: value for name, value in options.items() if value is not None}
    if twice := sorted(single.values.keys() & named.keys()):
        raise UsageError(f"{', '.join(twice)} is given twice: as an option and with --set")
    given = single._replace(values={**single.values, **named})
    if path is not None:
        given = given.over(given_settings.read(path, anywhere=anywhere))
    return given if agents is None else given_settings.with_agents(given, protocol, agents)


def _create(
    slug: str, framed: Framed, protocol: str, settings: GivenSettings, ask: Ask | None
) -> dict[str, Any]:
    folder.for_new(slug)
    _refuse_twice([_definition(given).term for given in framed.definition])
    if protocol not in PROTOCOLS:
        raise UsageError(
            f"there is no protocol {protocol!r}", hint=f"There are: {', '.join(PROTOCOLS)}."
        )
    refuse_unread(settings, protocol)
    documents, left_out = given_texts.context(framed.context)
    framing = Framing(
        motion=_motion(framed.motion, framed.motion_file, ask),
        definitions=tuple(map(_definition, framed.definition)),
        scope=framed.scope,
        context=documents,
    )
    try:
        values = {**engine.usual_settings(rules_of(protocol)), **settings.values}
        position = engine.create(slug, framing, protocol=protocol, settings=values)
    except UsageError as error:
        raise placed(error, settings) from None
    name = answers.name_of(position.folder)
    warnings = (*left_out, *_like_a_file(framed.motion), *position.warnings)
    return (
        {"success": True, "path": position.folder.path, "motion": framing.motion}
        | answers.remarks(warnings)
        | answers.state(position)
        | {
            "settings": dict(position.debate.settings),
            "next": steps.sensible(position, name),
        }
    )


def _refuse_twice(terms: list[str]) -> None:
    twice = sorted({term for term in terms if terms.count(term) > 1})
    if twice:
        raise UsageError(f"--definition is given twice for {', '.join(twice)}")


def _motion(motion: str | None, motion_file: str | None, ask: Ask | None) -> str:
    if motion is not None and motion_file is not None:
        raise UsageError("--motion and --motion-file exclude each other")
    if motion_file is not None:
        return given_texts.text(motion_file).strip("\r\n")
    if motion == given_texts.STANDARD_INPUT:
        return given_texts.standard_input().strip("\r\n")
    if motion is not None:
        return motion
    if ask is None:
        raise UsageError(
            "a motion is required",
            hint='Give it with --motion "This house would ...", or --motion - for standard input.',
        )
    return ask("What is the motion?")


def _like_a_file(motion: str | None) -> Iterator[Finding]:
    """Yield a warning where the words given as a motion are the path of a file."""
    if motion and motion != given_texts.STANDARD_INPUT and os.path.isfile(motion):
        message = (
            f"the motion is {motion!r} as it stands; to read the motion from the file of that "
            "name, delete the folder of the debate and use --motion-file"
        )
        yield Finding("motion_is_a_path", message)


def _definition(given: str) -> Definition:
    term, equals, text = given.partition("=")
    if not equals or is_blank(term) or is_blank(text):
        raise UsageError(
            f"{given!r} is not a definition", hint='Write --definition "Term=what it means here".'
        )
    return Definition(term.strip(), text.strip())


def list_debates(*, active: bool = False) -> Answer:
    """Return every debate in `debates/`; one that cannot be read does not hide the others.

    `active` leaves out those that wait for nothing: ended, or run as far as was asked for.
    """
    rows = [_row(slug) for slug in folder.slugs()]
    rows = [row for row in rows if not active or row.get("active", True)]
    lines = [row["line"] for row in rows]
    if not lines and active:
        lines = ["No debate waits for anything."]
    lines = lines or [
        f"There are no debates in {os.path.abspath(folder.DEBATES)} yet.",
        f"Next:  {answers.invocation()} demo",
        f'   or  {answers.invocation()} new my-decision --motion "This house would ..."',
    ]
    listed = [{key: value for key, value in row.items() if key != "line"} for row in rows]
    return Answer({"success": True, "debates": listed}, lines)


def _row(slug: str) -> dict[str, Any]:
    row = of_one(lambda: _read(slug, engine.look(folder.find(slug))))
    return _unread(slug, row.message) if isinstance(row, DebateError) else row


def _read(slug: str, position: engine.Position) -> dict[str, Any]:
    result = answers.state(position) | {"motion": _motion_of(position.debate)}
    is_owed = isinstance(position.due, Turn) and position.calls_left is not None
    is_active = is_owed or isinstance(position.due, Waiting)
    result |= {"active": is_active}
    line = f"{slug}: {answers.progress(position)}{_totals(position.debate, '; ')}"
    return result | {"progress": answers.progress(position), "line": line}


def _unread(slug: str, why: str) -> dict[str, Any]:
    return {"debate": slug, "error": why, "line": f"{slug}: {one_line(why)}"}


def _motion_of(debate: Debate) -> str:
    return debate_file.framing(debate.body).motion


def _totals(debate: Debate, before: str = "") -> str:
    message = ", ".join(
        f"{side} {signed(total.total)} ({total.scored} scored)"
        for side, total in debate.state.totals.items()
    )
    return f"{before}{message}" if message else ""


def _number(value: Any) -> str:
    return signed(int(value * 1000))


def show(debate: str, entry_id: str | None) -> Answer:
    """Return a debate's arguments and scores, or one entry with its history."""
    position = engine.look(folder.find(debate))
    record = position.debate.record
    if entry_id is None:
        return _overview(position)
    entry = record.get(entry_id)
    if entry is None:
        known = [*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)]
        raise UsageError(
            f"{answers.name_of(position.folder)} has no entry {entry_id!r}",
            hint=f"There are: {', '.join(known) or 'none yet'}.",
        )
    history = [item for item in _history(position.debate) if item["argument_id"] == entry_id]
    result = {"success": True, "id": entry_id, "folder": entry.folder, "history": history}
    result |= {"header": dict(entry.header), "body": entry.body}
    title = str(entry.header.get("title", entry.header.get("kind", "")))
    lines = [
        f"{entry_id}: {one_line(title)}",
        *map(_history_line, history),
        entry.body.rstrip("\n"),
    ]
    return Answer(result, [*lines, entry.body.rstrip("\n")])


def _history(debate: Debate) -> list[dict[str, Any]]:
    history: list[dict[str, Any]] = []
    for judgment_id in debate.record.ids(JUDGMENTS):
        entry = debate.record.get(judgment_id)
        value = entries.parse(entry) if entry else None
        if not isinstance(value, Judgment):
            continue
        for item in value.decisions:
            result = {"argument_id": item.argument_id, "exchange": value.exchange}
            result |= {"score": to_number(item.score), "judgment": value.id}
            history.append(result | {"reasoning": item.reasoning})
    return history


def _history_line(item: Mapping[str, Any]) -> str:
    score, why = _number(item["score"]), one_line(item["reasoning"])
    return f"  {score} in exchange {item['exchange']}: {why}"


def _overview(position: engine.Position) -> Answer:
    debate = position.debate
    scores = {item["argument_id"]: item["score"] for item in _history(debate)}
    rows = []
    for entry_id in debate.record.ids(ARGUMENTS):
        entry = debate.record.get(entry_id)
        value = entries.parse(entry) if entry else None
        if isinstance(value, Argument):
            rows.append(_argument_row(value, scores.get(entry_id)))
    absent = [a._asdict() for a in engine.absences(debate)]
    others = _contributions(debate)
    result = answers.state(position) | {"motion": _motion_of(debate), "arguments": rows}
    result |= {"entries": others}
    lines = [
        one_line(_motion_of(debate)),
        f"{answers.progress(position)}{_totals(debate, '; ')}",
        "",
        *(_row_line(row) for row in rows),
        *(f"{row['id']:<22} {row['gist']}" for row in others),
        *(f"{a['id']}: {one_line(a['how'])}: {one_line(a['reason'])}" for a in absent),
    ]
    return Answer(result | {"absences": absent}, lines)


def _contributions(debate: Debate) -> list[dict[str, Any]]:
    """Return every entry but arguments, judgments with scores, and absences."""
    values = [
        value
        for entry in in_order(debate)
        if not entry.header.get("older") and isinstance(value := entries.parse(entry), Contribution)
    ]
    return [
        {
            "id": value.id,
            "kind": value.kind,
            "participant": value.participant,
            "exchange": value.exchange,
            "gist": one_line(entries.headline(value), MAX_GIST),
        }
        for value in values
    ]


def _argument_row(value: Argument, score: Any) -> dict[str, Any]:
    return {
        "id": value.id,
        "side": SIDE_NAMES.get(value.side, value.side),
        "title": value.title,
        "claim": value.claim,
        "score": score,
        "attacks": [link.target_id for link in value.attacks],
        "defends": [link.target_id for link in value.defends],
    }


def _row_line(row: Mapping[str, Any]) -> str:
    score = "not scored" if row["score"] is None else _number(row["score"])
    links = [f"attacks {', '.join(row['attacks'])}"] if row["attacks"] else []
    links += [f"defends {', '.join(row['defends'])}"] if row["defends"] else []
    tail = f"  ({one_line('; '.join(links))})" if links else ""
    return f"{row['id']:<10} {score:>10}  {one_line(row['title'])}{tail}"


def validate(debate: str, *, fix: bool) -> Answer:
    """Check a whole debate; repair what can be repaired where that is asked for."""
    place = folder.find(debate)
    repaired = mending.fix(place) if fix else ()
    faults, warnings = validation.validate(place)
    result = {
        "success": not faults,
        "debate": answers.name_of(place),
        "errors": answers.sentences(faults),
        "faults": answers.findings(faults),
        "warnings": answers.findings(warnings),
        "fixed": answers.sentences(repaired),
    }
    lines = [
        *answers.labelled("fixed", answers.sentences(repaired)),
        *answers.labelled("fault", answers.sentences(faults)),
        *answers.labelled("warning", answers.sentences(warnings)),
        f"{answers.name_of(place)}: {_count(faults, 'fault')}, {_count(warnings, 'warning')}",
    ]
    return Answer(result, lines, BAD_RECORD if faults else 0)


def _count(findings: tuple[Finding, ...], word: str) -> str:
    return f"{len(findings)} {word}{'' if len(findings) == 1 else 's'}"


def schema(name: str | None) -> Answer:
    """Return a schema's text, or the names of all."""
    if name is None:
        return Answer(lines=schemas.names())
    if name not in schemas.names():
        raise UsageError(
            f"there is no schema {name!r}", hint=f"There are: {', '.join(schemas.names())}."
        )
    return Answer(lines=[printed(schemas.load(name))])
