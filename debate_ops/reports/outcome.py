"""What came of a debate, as a text to go on working with."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.reports import brief, hearing
from debate_ops.reports.blocks import Heading
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.reading import of_record
from debate_ops.reports.screen import in_blocks, screen
from debate_ops.storage.folder import Folder

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
