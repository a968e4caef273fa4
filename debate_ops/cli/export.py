"""The command that writes a debate in a format of another tool."""

from __future__ import annotations

from typing import Any

from debate_ops.cli.answers import Answer
from debate_ops.errors import UsageError
from debate_ops.reports import exporting, transcribe
from debate_ops.storage import folder

STANDARD_OUTPUT = "-"

WITHOUT_NOTES = frozenset({"apx", "apx-plain", "csv-flow", "csv-scores"})
"""The formats that never hold the notes that a side made for itself."""


def export(
    debate: str,
    to: str,
    *,
    output: str | None,
    force: bool,
    preparation: bool | None,
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
    result: dict[str, Any] = {"success": True, "debate": debate, "format": to}
    if output in {None, STANDARD_OUTPUT}:
        return Answer(result | {"text": text}, text=text)
    transcribe.write(place, str(output), text, force=force, own=exporting.OWN)
    return Answer(result | {"file": output}, [f"Written: {output}"])
