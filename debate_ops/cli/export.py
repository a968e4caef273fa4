"""The commands `export`, `transcript` and `flow`: a debate in another form."""

from __future__ import annotations

import shutil
from typing import Any

from debate_ops import engine
from debate_ops.cli.answers import Answer
from debate_ops.cli.report import STANDARD_OUTPUT, written
from debate_ops.errors import UsageError
from debate_ops.formats import json_text
from debate_ops.model.entries import ARGUMENTS
from debate_ops.reports import exporting, transcribe
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.reading import of_record
from debate_ops.storage import folder

WITHOUT_NOTES = frozenset({"apx", "apx-plain", "csv-flow", "csv-scores"})
"""The formats that never hold the notes that a side made for itself."""
_NARROWEST = 80


def export(
    debate: str, to: str, *, output: str | None, force: bool, preparation: bool | None
) -> Answer:
    """Return a debate in a format, or write it where a file is named: `-` is none.

    Raises:
        UsageError: there is no such format, an option would change nothing, or no file can be
            there.
        RefusedError: the format makes no sense of this debate, or the file is there already.
        DiskError: the file cannot be written.
    """
    if preparation is not None and to in WITHOUT_NOTES:
        option = "--preparation" if preparation else "--no-preparation"
        raise UsageError(
            f"{option} would change nothing: {to} holds no notes of a side", hint="Leave it out."
        )
    place = folder.find(debate)
    text = exporting.text(place, to, preparation=preparation)
    data = {"debate": debate, "format": to}
    if output in {None, STANDARD_OUTPUT}:
        return Answer({"success": True, **data, "text": text}, text=text)
    return written(place, str(output), text, force=force, own=exporting.OWN, **data)


def transcript(  # noqa: PLR0913  (what the command line gives)
    debate: str,
    format_: str,
    *,
    preparation: bool | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> Answer:
    """Return a debate as one text, or what was written where a file is named: `-` is none."""
    place = folder.find(debate)
    is_printed = output in {None, STANDARD_OUTPUT}
    data = None
    if format_ == "json" or (as_json and is_printed):
        data = transcribe.data(place, preparation=preparation)
        text = json_text.printed(data) + "\n"
    else:
        text = transcribe.text(place, format_, preparation=preparation)
    if not is_printed:
        return written(place, str(output), text, force=force, own=transcribe.OWN, format=format_)
    return Answer(data, text=text) if data else Answer(lines=text.rstrip("\n").split("\n"))


def flow(debate: str, format_: str | None, *, as_json: bool) -> Answer:
    """Return the flow of a debate, as a table unless a form is named.

    Raises:
        UsageError: `as_json` and another form are asked for at once.
        RefusedError: a debate of its protocol has none.
    """
    if as_json and format_ not in {None, "json"}:
        raise UsageError(
            f"--json and --format {format_} ask for two forms", hint="Leave one of them out."
        )
    position = engine.look(folder.find(debate))
    with of_record(position.debate):
        sheet = sheet_of(position.debate)
        name = position.folder.name
        result: dict[str, Any] = {"success": True, "debate": name}
        result |= {"protocol": position.debate.protocol} | dict(sheet.data)
        if format_ == "json":
            return Answer(result)
        if format_ == "csv":
            return Answer(result, text=sheet.csv)
        if not position.debate.record.ids(ARGUMENTS):
            return Answer(result, [f"{name} has no arguments yet."])
        if format_ == "md":
            return Answer(result, sheet.page.rstrip("\n").split("\n"))
        columns = max(_NARROWEST, shutil.get_terminal_size().columns)
        return Answer(result, sheet.lines(columns))
