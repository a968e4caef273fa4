"""What came of a debate, as a text to go on working with, and its whole record as data."""

from __future__ import annotations

from typing import Any

from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate
from debate_ops.reports.blocks import Heading
from debate_ops.reports.content import texts_of
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.reading import in_order, of_record
from debate_ops.reports.screen import BriefOf, in_blocks, screen
from debate_ops.reports.table import read

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""

DATA = ".json"
"""How the name of a file ends that is to hold the whole record."""

OWN = "outcome"
"""What the name of an outcome begins with that may stand among the files of its debate."""


def text(
    debate: Debate,
    brief_of: BriefOf = lambda _: (None, ()),
    read_by: Debate | None = None,
) -> str:
    """Return the first screen of a debate and what it decided in full; empty while there is none.

    The record has to have been verified; `brief_of` finds its brief, `read_by` is the debate in
    which a panel read it.
    """
    with of_record(debate):
        _, _, view, result = read(debate, read_by)
        if not view.answer.is_reached:
            return ""
        shown = screen(view, brief_of(view)[0])
        writer = InMarkdown(linked=False)
        first = writer.blocks(in_blocks(shown))
        full = writer.blocks(
            block for section in result for block in (Heading(section.title), *section.blocks)
        )
        parts = (f"# {writer.line(shown.answer)}", first, full)
        return "\n\n".join(filter(None, parts)) + "\n"


def whole(debate: Debate, brief_of: BriefOf, read_by: Debate | None = None) -> dict[str, Any]:
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
        "outcome": text(debate, brief_of, read_by) or None,
    }
