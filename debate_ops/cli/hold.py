"""The commands that run a debate without an agent client, and render what comes of it."""

from __future__ import annotations

from functools import partial
from typing import Any

from debate_ops import demo as demos
from debate_ops import engine, reporter, runner, validation
from debate_ops.cli import answers, steps
from debate_ops.cli.answers import Answer
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
from debate_ops.reports import brief as briefs
from debate_ops.reports import index, provenance, transcribe
from debate_ops.reports import outcome as outcomes
from debate_ops.reports.file_names import PAGE
from debate_ops.reports.render import render
from debate_ops.storage import folder

STANDARD_OUTPUT = "-"
"""What stands for standard output in the place of a file."""


def run(debate: str, exchanges: int | None, *, as_json: bool, **given: Any) -> Answer:
    """Run exchanges with the participants that the options name; the progress is printed here."""
    replying = _replying(given)
    reporting = participant(given["reporter"]) if given["reporter"] else None
    place, timeout = folder.find(debate), given["timeout"]

    def act(display: Display) -> int:
        code = DONE
        if not (reporting and exchanges is None and runner.is_idle(engine.look(place))):
            result = runner.run(place, exchanges, replying, timeout=timeout, display=display)
            code = runner.exit_code(result)
        if reporting and code == DONE:
            reporter.write_brief(place, reporting, timeout=timeout, display=display)
        return code

    code = runner.telling(act, quiet=given["quiet"], json_lines=as_json)
    if code == WAITING_FOR_PERSON and not given["quiet"]:
        for line in steps.status(debate).lines:
            answers.remark(line)
    elif code == DONE and not given["quiet"]:
        answers.remark(f"Next:  {answers.invocation()} report {debate}")
    return Answer(code=code)


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


def report(
    debate: str | None, brief: str | None = None, *, every: bool = False, png: bool, verbose: bool
) -> Answer:
    """Render the report of a debate, or of `every` one; add the costs if they are asked for."""
    if every:
        one = {"DEBATE": debate is not None, "--brief": bool(brief), "--verbose": verbose}
        if words := [word for word, is_given in one.items() if is_given]:
            raise UsageError(f"--all and {' and '.join(words)} exclude each other")
        return _report_all(png=png)
    if debate is None:
        raise UsageError("name a DEBATE, or give --all for every one")
    place = _without_faults(debate)
    answer = _rendered(place, debate, brief, png=png)
    if verbose:
        for line in provenance.costs(engine.look(place).debate):
            answers.remark(line)
    return answer


def outcome(debate: str, *, output: str | None, force: bool) -> Answer:
    """Return what came of a debate, or what was written where a file is named: `-` is none."""
    place = _without_faults(debate)
    if force and output in {None, STANDARD_OUTPUT}:
        raise UsageError("--force replaces a file, and --output names none")
    if output is None or output == STANDARD_OUTPUT:
        text = _outcome(place, debate, STANDARD_OUTPUT)
        return Answer({"success": True, "outcome": text}, text.rstrip("\n").split("\n"))
    transcribe.write(place, output, _outcome(place, debate, output), force=force, own=outcomes.OWN)
    return Answer({"success": True, "file": output}, [f"Written: {output}"])


def _report_all(*, png: bool) -> Answer:
    """Render every debate in `debates/`, and the index; faults stop no other debate."""
    done = index.render_all(_refuse_faults, png=png)
    result: dict[str, Any] = {
        "success": not done.errors,
        "debates": [_debate_rendered(each) for each in done.debates],
        "index": done.path,
        "unchanged": done.unchanged,
    }
    result |= answers.remarks(done.warnings)
    result["errors"] = [line for each in done.debates for line in _errors(each)]
    if done.errors:
        of = f"{len(done.errors)} of {len(done.debates)} debates"
        result |= {"code": done.errors[0].code, "error": f"{of} could not be rendered"}
    lines = [line for each in done.debates for line in _lines_of(each)]
    lines += [f"{'Unchanged' if done.unchanged else 'Rendered'}: {done.path}"]
    codes = [error.exit_code for error in done.errors]
    code = BAD_RECORD if BAD_RECORD in codes else next(iter(codes), DONE)
    return Answer(result, [*lines, *answers.labelled("warning", result["warnings"])], code)


def _debate_rendered(each: index.Row) -> dict[str, Any]:
    if each.rendered is None:
        return {"debate": each.slug} | answers.refusal(each.error or DebateError(each.slug))
    result = {"debate": each.slug, "success": True, "files": list(each.rendered.files)}
    return result | {"unchanged": each.rendered.unchanged} | answers.remarks(each.rendered.warnings)


def _errors(each: index.Row) -> list[str]:
    """Return all faults of a debate that was not rendered, as sentences with its name."""
    if each.error is None:
        return []
    sentences = [s for s in each.error.sentences() if s != each.error.message]
    return [f"{each.slug}: {message}" for message in (each.error.message, *sentences)]


def _lines_of(each: index.Row) -> list[str]:
    if each.rendered is None:
        return answers.labelled("fault", _errors(each))
    word = "Unchanged" if each.rendered.unchanged else "Rendered"
    files = f"{each.rendered.files[0]} and {len(each.rendered.files) - 1} more"
    warnings = answers.sentences(each.rendered.warnings)
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
    find = partial(briefs.of, place)
    if output.lower().endswith(outcomes.DATA):
        return json_text.printed(outcomes.whole(position.debate, find)) + "\n"
    text = outcomes.text(position.debate, find)
    if not text:
        yet = "" if isinstance(position.due, Done) else " yet"
        raise RefusedError(
            f"{debate} has no outcome{yet}: {answers.progress(position)}",
            hint="A file whose name ends in .json can hold the record as it is now.",
        )
    return text


def _rendered(place: folder.Folder, debate: str, brief_file: str | None, *, png: bool) -> Answer:
    """Render the report; accept a brief first where one is given."""
    taken_with = briefs.take(place, brief_file) if brief_file is not None else ()
    rendered = render(place, png=png, ask=True)
    slot = rendered.slot
    asked_for = {"brief_prompt_file": slot.prompt, "brief_file": slot.reply} if slot else {}
    result: dict[str, Any] = {"success": True, "files": list(rendered.files)}
    result |= {"unchanged": rendered.unchanged}
    result |= answers.remarks((*taken_with, *rendered.warnings)) | asked_for
    word = "Unchanged" if rendered.unchanged else "Rendered"
    lines = [f"{word}: {path}" for path in rendered.files]
    if asked_for:
        lines += [
            f"A brief of it: give {asked_for['brief_prompt_file']} to an agent, then",
            f"    {answers.invocation()} report {debate} --brief FILE",
        ]
    return Answer(result, [*lines, *answers.labelled("warning", result["warnings"])])


def transcript(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    form: str,
    *,
    preparation: bool | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> Answer:
    """Return a debate as one text, or what was written where a file is named: `-` is none."""
    place = folder.find(debate)
    output = None if output == STANDARD_OUTPUT else output
    if form == "json" or (as_json and output is None):
        data = transcribe.data(place, preparation=preparation)
        text = json_text.printed(data) + "\n"
        answer = Answer(data, text=text)
    else:
        text = transcribe.text(place, form, preparation=preparation)
        answer = Answer(lines=text.rstrip("\n").split("\n"))
    if output is None:
        return answer
    transcribe.write(place, output, text, force=force)
    return Answer({"success": True, "file": output, "format": form}, [f"Written: {output}"])


def demo(slug: str, *, as_json: bool) -> Answer:
    """Replay the example debate through the engine and render its report."""
    code = demos.demo(slug, quiet=as_json)
    done = report(f"{folder.DEBATES}/{slug}", png=False, verbose=False)
    files = done.data["files"] if done.data else []
    program = answers.invocation()
    lines = [
        *done.lines,
        "",
        f"Open:  {folder.DEBATES}/{slug}/{PAGE}   (in any browser)",
        f"Read:  {files[0]}   (on a code host, in an editor's preview, or as it is)",
        f"Look:  {program} show {slug}",
        f'Next:  {program} new my-decision --motion "This house would ..."',
    ]
    return Answer(done.data, lines, code)
