"""The commands that hold a debate headless and draw its report."""

from __future__ import annotations

from functools import partial
from typing import Any

from debate_ops import demo as demos
from debate_ops import engine, reporter, runner, validation
from debate_ops.cli import answers, look, steps
from debate_ops.errors import (
    BAD_RECORD,
    DONE,
    WAITING_FOR_PERSON,
    BadRecordError,
    DebateError,
    RefusedError,
    UsageError,
)
from debate_ops.formats import json_text
from debate_ops.model.turn import Done
from debate_ops.participants.base import Participant
from debate_ops.participants.table import participant
from debate_ops.progress import Display
from debate_ops.reports import brief, costs, draw, draw_all, transcribe, views
from debate_ops.reports import outcome as outcomes
from debate_ops.reports.files_drawn import PAGE
from debate_ops.storage import folder

STANDARD_OUTPUT = "-"
"""What stands for standard output in the place of a file."""


def run(debate: str, exchanges: int | None, *, as_json: bool, **given: Any) -> int:
    """Hold exchanges with the participants that the options name; return the exit code."""
    replying = _replying(given)
    reporting = participant(given["reporter"]) if given["reporter"] else None
    place, timeout = folder.find(debate), given["timeout"]

    def act(display: Display) -> int:
        code = DONE
        if not (reporting and exchanges is None and _is_held(place)):
            held = runner.run(place, exchanges, replying, timeout=timeout, display=display)
            code = runner.exit_code(held)
        if reporting and code == DONE:
            reporter.write_brief(place, reporting, timeout=timeout, display=display)
        return code

    code = runner.telling(act, quiet=given["quiet"], json_lines=as_json)
    if code == WAITING_FOR_PERSON and not given["quiet"]:
        for line in look.status_lines(steps.status(debate)[0]):
            answers.remark(line)
    elif code == DONE and not given["quiet"]:
        answers.remark(f"Next:  {answers.invocation()} report {debate}")
    return code


def _replying(given: dict[str, Any]) -> dict[str, Participant]:
    """Return who replies for whom, by the options of `run`.

    Raises:
        UsageError: an option names nobody, or two name the same one.
    """
    named = {name: given[name] for name in ("prop", "opp", "judge", "adviser")}
    named[runner.EVERYBODY] = given["everybody"]
    for word in given["named"]:
        name, equals, spec = word.partition("=")
        if not equals:
            raise UsageError(f"{word!r} names nobody", hint="Write --as NAME=SPEC.")
        if named.get(name):
            raise UsageError(f"{name} is named twice")
        named[name] = spec
    return {name: participant(spec) for name, spec in named.items() if spec}


def _is_held(place: folder.Folder) -> bool:
    return runner.is_idle(engine.look(place))


def report(
    debate: str, brief_file: str | None = None, *, png: bool = False, verbose: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """Draw the report; tell the costs if asked to."""
    place = _without_faults(debate)
    result, lines = _drawn(place, debate, brief_file, png=png)
    if verbose:
        for line in costs.lines(engine.look(place).debate):
            answers.remark(line)
    return result, lines


def outcome(debate: str, *, output: str | None, force: bool) -> tuple[dict[str, Any], list[str]]:
    """Return what came of a debate, or what was written where a file is named: `-` is none."""
    place = _without_faults(debate)
    if force and output in {None, STANDARD_OUTPUT}:
        raise UsageError("--force replaces a file, and --output names none")
    if output is None or output == STANDARD_OUTPUT:
        text = _outcome(place, debate, STANDARD_OUTPUT)
        return {"success": True, "outcome": text}, text.rstrip("\n").split("\n")
    transcribe.write(place, output, _outcome(place, debate, output), force=force, own=outcomes.OWN)
    return {"success": True, "file": output}, [f"Written: {output}"]


def report_all(*, png: bool) -> tuple[dict[str, Any], list[str], int]:
    """Draw the report of every debate in `debates/`, and the index; faults stop no other debate."""
    done = draw_all.draw_all(_refuse_faults, png=png)
    result: dict[str, Any] = {
        "success": not done.errors,
        "debates": [_debate_drawn(each) for each in done.debates],
        "index": done.path,
        "unchanged": done.unchanged,
    }
    result |= answers.remarks(done.warnings)
    result["errors"] = [line for each in done.debates for line in _errors(each)]
    if done.errors:
        of = f"{len(done.errors)} of {len(done.debates)} debates"
        result |= {"code": done.errors[0].code, "error": f"{of} could not be drawn"}
    lines = [line for each in done.debates for line in _lines_of(each)]
    lines += [f"{'Unchanged' if done.unchanged else 'Drawn'}: {done.path}"]
    codes = [error.exit_code for error in done.errors]
    code = BAD_RECORD if BAD_RECORD in codes else next(iter(codes), DONE)
    return result, [*lines, *answers.labelled("warning", result["warnings"])], code


def _debate_drawn(each: draw_all.Debate) -> dict[str, Any]:
    if each.drawn is None or each.error is not None:
        failed = answers.refusal(each.error or DebateError(each.row.error))
        return {"debate": each.slug} | failed
    result = {"debate": each.slug, "success": True, "files": list(each.drawn.files)}
    return result | {"unchanged": each.drawn.unchanged} | answers.remarks(each.drawn.warnings)


def _errors(each: draw_all.Debate) -> list[str]:
    """Return all faults of a debate that was not drawn, as sentences with its name."""
    if each.error is None:
        return []
    sentences = [s for s in each.error.sentences() if s != each.error.message]
    return [f"{each.slug}: {message}" for message in (each.error.message, *sentences)]


def _lines_of(each: draw_all.Debate) -> list[str]:
    if each.drawn is None:
        return answers.labelled("fault", _errors(each))
    word = "Unchanged" if each.drawn.unchanged else "Drawn"
    files = f"{each.drawn.files[0]} and {len(each.drawn.files) - 1} more"
    warnings = answers.sentences(each.drawn.warnings)
    return [f"{word}: {files}", *answers.labelled(f"warning: {each.slug}", warnings)]


def _without_faults(debate: str) -> folder.Folder:
    """Return the folder of a debate whose record says what it should.

    Raises:
        BadRecordError: it does not.
    """
    place = folder.find(debate)
    _refuse_faults(place)
    return place


def _refuse_faults(place: folder.Folder) -> None:
    name = answers.name_of(place)
    faults, _ = validation.validate(place)
    if faults:
        raise BadRecordError(
            f"{name} has faults; a report of it would mislead",
            hint=f"See them all with '{answers.invocation()} validate {name}'.",
            faults=faults,
        )


def _outcome(place: folder.Folder, debate: str, output: str) -> str:
    """Return what `output` is to hold: the whole record as data, or the outcome as a text.

    Raises:
        RefusedError: there is no outcome; it says what the debate waits for.
    """
    position = engine.look(place)
    find = partial(brief.of, place)
    if output.lower().endswith(outcomes.DATA):
        return json_text.printed(outcomes.whole(position.debate, find)) + "\n"
    found = outcomes.text(position.debate, find)
    if not found:
        yet = "" if isinstance(position.due, Done) else " yet"
        raise RefusedError(
            f"{debate} has no outcome{yet}: {answers.progress(position)}",
            hint="A file whose name ends in .json can hold the record as it is now.",
        )
    return found


def _drawn(
    place: folder.Folder, debate: str, brief_file: str | None, *, png: bool
) -> tuple[dict[str, Any], list[str]]:
    """Draw the report; take in a brief first where one is given."""
    taken_with = brief.take(place, brief_file) if brief_file is not None else ()
    drawn = draw.draw(place, png=png)
    asked_for = _asked_for(place)
    result: dict[str, Any] = {"success": True, "files": list(drawn.files)}
    result |= {"unchanged": drawn.unchanged}
    result |= answers.remarks((*taken_with, *drawn.warnings)) | asked_for
    word = "Unchanged" if drawn.unchanged else "Drawn"
    lines = [f"{word}: {path}" for path in drawn.files]
    if asked_for:
        lines += [
            f"A brief of it: give {asked_for['brief_prompt_file']} to an agent, then",
            f"    {answers.invocation()} report {debate} --brief FILE",
        ]
    return result, [*lines, *answers.labelled("warning", result["warnings"])]


def _asked_for(place: folder.Folder) -> dict[str, str]:
    """Return where the prompt for a brief is and its reply goes, where no current one is there."""
    view = views.of(engine.look(place).debate)
    current, _ = brief.of(place, view)
    if not view.told.items or (current and not current.out_of_date):
        return {}
    slot = brief.write_prompt(place, view)
    return {"brief_prompt_file": slot.prompt, "brief_file": slot.reply}


def transcript(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    form: str,
    *,
    preparation: bool | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> tuple[dict[str, Any], list[str]]:
    """Return a debate as one text, or what was written where a file is named: `-` is none.

    There are lines where these are to be printed, and none where the object is.
    """
    place = folder.find(debate)
    output = None if output == STANDARD_OUTPUT else output
    if form == "json" or (as_json and output is None):
        result = transcribe.data(place, preparation=preparation)
        text = json_text.printed(result) + "\n"
    else:
        result = {}
        text = transcribe.text(place, form, preparation=preparation)
    if output is None:
        return result, [] if result else text.rstrip("\n").split("\n")
    transcribe.write(place, output, text, force=force)
    written = {"success": True, "file": output, "format": form}
    return written, [] if as_json else [f"Written: {output}"]


def demo(slug: str, *, as_json: bool) -> tuple[dict[str, Any], list[str], int]:
    """Replay the example debate through the engine and draw its report."""
    code = demos.demo(slug, quiet=as_json)
    result, lines = report(f"{folder.DEBATES}/{slug}")
    program = answers.invocation()
    lines += [
        "",
        f"Open:  {folder.DEBATES}/{slug}/{PAGE}   (in any browser)",
        f"Read:  {result['files'][0]}   (on a code host, in an editor's preview, or as it is)",
        f"Look:  {program} show {slug}",
        f'Next:  {program} new my-decision --motion "This house would ..."',
    ]
    return result, lines, code
