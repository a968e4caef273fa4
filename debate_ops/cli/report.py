"""The commands that give a debate in another form: report, outcome, export, transcript, flow."""

from __future__ import annotations

import shutil
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from debate_ops import engine, validation
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import (
    command,
    debate_argument,
    force_option,
    output_option,
    preparation_option,
)
from debate_ops.core.errors import (
    BAD_RECORD,
    DONE,
    BadRecordError,
    DebateError,
    Finding,
    RefusedError,
    UsageError,
)
from debate_ops.model.entries import ARGUMENTS
from debate_ops.model.turn import Done
from debate_ops.reports import brief as briefs
from debate_ops.reports import exporting, index, provenance, transcribe
from debate_ops.reports import outcome as outcomes
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.marks import PAGE
from debate_ops.reports.reading import of_record
from debate_ops.reports.render import Rendered, render
from debate_ops.storage import folder

STANDARD_OUTPUT = "-"
"""What stands for standard output in the place of a file."""

WITHOUT_NOTES = frozenset({"csv-flow", "csv-scores"})
"""The formats that never hold the notes that a side made for itself."""
_NARROWEST = 80


@command("report")
@debate_argument
@click.option("--all", "all_", is_flag=True, help="Render every debate, and debates/index.md.")
@click.option(
    "--brief",
    metavar="FILE",
    help="Accept a brief that an agent wrote by the prompt, if it agrees with the record.",
)
@click.option(
    "--verbose",
    is_flag=True,
    help="Print for each entry when it came, its time, tokens and model, on standard error.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def report(
    debate: str | None,
    brief: str | None = None,
    *,
    all_: bool = False,
    verbose: bool,
    open_: bool = False,
) -> Answer:
    """Render report.html, README.md and, if any, the charts.

    \b
    debate-ops report my-decision --verbose
    debate-ops report --all
    """
    if all_:
        one = {"DEBATE": debate is not None, "--brief": bool(brief), "--verbose": verbose}
        one["--open"] = open_
        if words := [word for word, is_given in one.items() if is_given]:
            raise UsageError(f"--all and {' and '.join(words)} exclude each other")
        return _report_all()
    place = folder.find(debate or "")
    _refuse_faults(place)
    taken = briefs.take(place, brief) if brief is not None else ()
    rendered = render(place, ask=True)
    result = {"success": True} | _result(rendered, taken)
    lines = [f"{_done(rendered)}: {path}" for path in rendered.files]
    if slot := rendered.slot:
        result |= {"brief_prompt_file": slot.prompt, "brief_file": slot.reply}
        lines += [
            f"A brief of it: give {slot.prompt} to an agent, then",
            f"    {answers.invocation()} report {place.name} --brief FILE",
        ]
    if verbose:
        for line in provenance.costs(engine.look(place).debate):
            answers.remark(line)
    page = place.within(PAGE)
    if open_:
        webbrowser.open(Path(page).resolve().as_uri())
    lines += answers.labelled("warning", result["warnings"])
    return Answer(result, [*lines, f"Open:  {page}   (in any browser, or with --open)"])


def _result(rendered: Rendered, taken: Sequence[Finding] = ()) -> dict[str, Any]:
    """Return what every answer says of a report, with warnings about a brief that was taken in."""
    result = {"files": list(rendered.files), "unchanged": rendered.unchanged}
    return result | answers.remarks((*taken, *rendered.warnings))


def _done(made: Rendered | index.All) -> str:
    return "Unchanged" if made.unchanged else "Rendered"


def _report_all() -> Answer:
    """Render every debate in `debates/`, and the index; faults stop no other debate."""
    done = index.render_all(_refuse_faults)
    rows = [_row(row) for row in done.debates]
    result: dict[str, Any] = {
        "success": not done.errors,
        "debates": [data for data, _ in rows],
        "index": done.path,
        "unchanged": done.unchanged,
    }
    result |= answers.remarks(done.warnings)
    result["errors"] = [line for row in done.debates for line in _errors(row)]
    if done.errors:
        of = f"{len(done.errors)} of {len(done.debates)} debates"
        result |= {"code": done.errors[0].code, "error": f"{of} could not be rendered"}
    lines = [line for _, own in rows for line in own]
    lines += [f"{_done(done)}: {done.path}", *answers.labelled("warning", result["warnings"])]
    codes = [error.exit_code for error in done.errors]
    return Answer(result, lines, BAD_RECORD if BAD_RECORD in codes else next(iter(codes), DONE))


def _row(row: index.Row) -> tuple[dict[str, Any], list[str]]:
    """Return a debate as data, and as lines."""
    if row.rendered is None:
        data = {"debate": row.slug} | answers.refusal(row.error or DebateError(row.slug))
        return data, answers.labelled("fault", _errors(row))
    data = {"debate": row.slug, "success": True} | _result(row.rendered)
    first, *more = row.rendered.files
    warnings = answers.labelled(f"warning: {row.slug}", data["warnings"])
    return data, [f"{_done(row.rendered)}: {first} and {len(more)} more", *warnings]


def _errors(row: index.Row) -> list[str]:
    """Return all faults of a debate that was not rendered, as sentences with its name."""
    error = row.error
    sentences = dict.fromkeys((error.message, *error.sentences())) if error else ()
    return [f"{row.slug}: {sentence}" for sentence in sentences]


def _refuse_faults(place: folder.Folder) -> None:
    """Refuse a debate whose record does not say what it should."""
    faults, _ = validation.validate(place)
    if faults:
        raise BadRecordError(
            f"{place.name} has faults; what is made of it would mislead",
            hint=f"See them all with '{answers.invocation()} validate {place.name}'.",
            faults=faults,
        )


@command("outcome")
@debate_argument
@click.option(
    "--output", metavar="FILE", help="Write it there instead of printing it; '-' prints it."
)
@force_option
def outcome(debate: str, *, output: str | None, force: bool) -> Answer:
    """Print the outcome of a debate: the solution, closing, proposal, ballot or verdict.

    \b
    debate-ops outcome my-decision
    debate-ops outcome my-decision --output solution.md
    """
    place = folder.find(debate)
    _refuse_faults(place)
    if output in {None, STANDARD_OUTPUT}:
        if force:
            raise UsageError("--force replaces a file, and --output names none")
        text = _outcome(place)
        return Answer({"success": True, "outcome": text}, text.rstrip("\n").split("\n"))
    return written(place, str(output), _outcome(place), force=force, own=outcomes.OWN)


def written(
    place: folder.Folder, output: str, text: str, *, force: bool, own: str, **data: Any
) -> Answer:
    """Write a text into a file of the user's choice, and return the answer that says so."""
    transcribe.write(place, output, text, force=force, own=own)
    return Answer({"success": True, **data, "file": output}, [f"Written: {output}"])


def _outcome(place: folder.Folder) -> str:
    """Return the outcome as a text."""
    position = engine.look(place)
    text = outcomes.text(place, position.debate)
    if not text:
        yet = "" if isinstance(position.due, Done) else " yet"
        raise RefusedError(
            f"{place.name} has no outcome{yet}: {answers.progress(position)}",
            hint=f"'{answers.invocation()} export {place.name} --to json' gives the record as it "
            "is now.",
        )
    return text


@command("export")
@debate_argument
@click.option("--to", type=click.Choice(list(exporting.EXPORTS)), required=True, help="The format.")
@output_option
@force_option
@preparation_option
def export(
    debate: str, to: str, *, output: str | None, force: bool, preparation: bool | None
) -> Answer:
    """Write a debate as an argument map, a graph, a table or data that other tools open.

    \b
    debate-ops export my-decision --to argdown --output my-decision.argdown
    debate-ops export my-decision --to csv-scores > scores.csv
    debate-ops export my-decision --to dot | dot -Tsvg > my-decision.svg
    """
    if preparation is not None and to in WITHOUT_NOTES:
        option = "--preparation" if preparation else "--no-preparation"
        raise UsageError(
            f"{option} would change nothing: {to} holds no notes of a side", hint="Leave it out."
        )
    place = folder.find(debate)
    _refuse_faults(place)
    text = exporting.text(place, to, preparation=preparation)
    data = {"debate": debate, "format": to}
    if output in {None, STANDARD_OUTPUT}:
        return Answer({"success": True, **data, "text": text}, text=text)
    return written(place, str(output), text, force=force, own=exporting.OWN, **data)


@command("transcript")
@debate_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(transcribe.TEXTS)),
    default="md",
    help="Markdown, or plain text of 80 columns.",
)
@preparation_option
@output_option
@force_option
def transcript(
    debate: str, format_: str, *, preparation: bool | None, output: str | None, force: bool
) -> Answer:
    """Print all that was said in a debate, in order; an unfinished one is marked as partial."""
    place = folder.find(debate)
    answers.warn_of_missing(engine.look(place).debate)
    text = transcribe.text(place, format_, preparation=preparation)
    data = {"debate": debate, "format": format_}
    if output in {None, STANDARD_OUTPUT}:
        lines = text.rstrip("\n").split("\n")
        return Answer({"success": True, **data, "text": text}, lines)
    return written(place, str(output), text, force=force, own=transcribe.OWN, **data)


@command("flow")
@debate_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "md"]),
    default="table",
    help="Lines for a terminal, or a page in Markdown with links as from the debate's folder.",
)
def flow(debate: str, format_: str) -> Answer:
    """Show how each attack was answered, target by target, and which were dropped.

    In design and consensus debates: how each critique was answered.

    \b
    debate-ops flow my-decision
    debate-ops export my-decision --to csv-flow
    """
    position = engine.look(folder.find(debate))
    answers.warn_of_missing(position.debate)
    with of_record(position.debate):
        sheet = sheet_of(position.debate)
        name = position.folder.name
        result: dict[str, Any] = {"success": True, "debate": name}
        result |= {"protocol": position.debate.protocol} | dict(sheet.data)
        if not position.debate.record.ids(ARGUMENTS):
            return Answer(result, [f"{name} has no arguments yet."])
        if format_ == "md":
            return Answer(result, sheet.page.rstrip("\n").split("\n"))
        columns = max(_NARROWEST, shutil.get_terminal_size().columns)
        return Answer(result, sheet.lines(columns))
