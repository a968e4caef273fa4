"""The export of a debate folder into a format of another tool, as text."""

from __future__ import annotations

from debate_ops import engine
from debate_ops.model.texts import shown, spelled
from debate_ops.reports.content import content_of
from debate_ops.reports.exports.table import export_of
from debate_ops.reports.reading import of_record
from debate_ops.storage.folder import Folder

OWN = "export"
"""What the name of an export begins with that may stand among the files of its debate."""


def text(folder: Folder, name: str, *, preparation: bool | None = None) -> str:
    """Return the debate in a format: the same record gives the same text.

    What cannot be shown, or would change how the rest is, is spelled out in JSON, and left out of
    any other format.

    `preparation` says whether the notes that sides made for themselves are shown; None leaves it
    to the debate's own setting.

    Raises:
        UsageError: there is no such format.
        RefusedError: the format makes no sense of this debate; it names those that do.
        BadRecordError: the folder contradicts itself.
    """
    export = export_of(name)
    debate = engine.look(folder).debate
    with of_record(debate):
        text = export.render(content_of(debate, preparation=preparation))
    return spelled(text) if export.is_json else shown(text)
