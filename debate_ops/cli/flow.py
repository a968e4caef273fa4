"""The command that shows the flow of a debate."""

from __future__ import annotations

import shutil
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.errors import UsageError
from debate_ops.model.entries import ARGUMENTS
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.reading import of_record
from debate_ops.storage import folder

_NARROWEST = 80


def flow(debate: str, form: str | None, *, as_json: bool) -> Answer:
    """Return the flow of a debate, as a table unless a form is named.

    Raises:
        UsageError: `as_json` and another form are asked for at once.
        RefusedError: a debate of its protocol has none.
    """
    if as_json and form not in {None, "json"}:
        raise UsageError(
            f"--json and --format {form} ask for two forms", hint="Leave one of them out."
        )
    position = engine.look(folder.find(debate))
    with of_record(position.debate):
        return _answer(position, form)


def _answer(position: engine.Position, form: str | None) -> Answer:
    sheet = sheet_of(position.debate)
    result: dict[str, Any] = {"success": True, "debate": answers.name_of(position.folder)}
    result |= {"protocol": position.debate.protocol} | dict(sheet.data)
    if form == "json":
        return Answer(result)
    if form == "csv":
        return Answer(result, text=sheet.csv)
    if not position.debate.record.ids(ARGUMENTS):
        return Answer(result, [f"{result['debate']} has no arguments yet."])
    if form == "md":
        return Answer(result, sheet.page.rstrip("\n").split("\n"))
    columns = max(_NARROWEST, shutil.get_terminal_size().columns)
    return Answer(result, sheet.lines(columns))
