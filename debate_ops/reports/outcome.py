"""What came of a debate, as a text to go on working with, and its whole record as data."""

from __future__ import annotations

from typing import Any

from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate
from debate_ops.reports import brief, hearing
from debate_ops.reports.blocks import Heading
from debate_ops.reports.content import texts_of
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.reading import in_order, of_record
from debate_ops.reports.screen import in_blocks, screen
from debate_ops.storage.folder import Folder

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""

DATA = ".json"
"""How the name of a file ends that is to hold the whole record."""

OWN = "outcome"
"""What the name of an outcome begins with that may stand among the files of its debate."""


def text(folder: Folder, debate: Debate) -> str:
    """Return the first screen of a debate and what it decided in full; empty while there is none.

    The record has to have been verified.
    """
    with of_record(debate):
        (_, _, view, result), _ = hearing.reported(folder, debate)
        if not view.answer.is_reached:
            return ""
        shown = screen(view, brief.of(folder, view)[0])
        writer = InMarkdown(linked=False)
        first = writer.blocks(in_blocks(shown))
        full = writer.blocks(
            block for section in result for block in (Heading(section.title), *section.blocks)
        )
        parts = (f"# {writer.line(shown.answer)}", first, full)
        return "\n\n".join(filter(None, parts)) + "\n"


def whole(folder: Folder, debate: Debate) -> dict[str, Any]:
    """Return all that is on record; `outcome` is null while there is none."""
    framing = debate_file.framing(debate.body)
    return {
        "format": FORMAT,
        "header": debate_file.header(debate),
        "framing": {
            "motion": framing.motion,
            "definitions": [item._asdict() for item in framing.definitions],
            "scope": framing.scope,
            "context": [item._asdict() for item in framing.context],
        },
        "entries": [
            {
                "id": entry.id,
                "folder": entry.folder,
                "header": {key: item for key, item in entry.header.items() if key != "older"},
                "texts": [
                    {"heading": name, "text": said}
                    for name, said in texts_of(entries.parse(entry))
                    if said.strip()
                ],
            }
            for entry in in_order(debate)
        ],
        "outcome": text(folder, debate) or None,
    }
