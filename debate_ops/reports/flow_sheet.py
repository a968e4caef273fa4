"""The flow of a debate on its own: as lines, as a page, as CSV and as data."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import RefusedError
from debate_ops.formats import csv_text
from debate_ops.formats.csv_text import Cell
from debate_ops.formats.debate_file import framing
from debate_ops.model.debate import Debate
from debate_ops.reports.blocks import Block, Line, Listing, Paragraph, Ref, line, words
from debate_ops.reports.readme import alone
from debate_ops.reports.table import report_of
from debate_ops.reports.text import shorten

_MOTION_LINES = 3


class FlowSheet(NamedTuple):
    """The flow of a debate.

    `hits` are what was hit, each with a line for each hit; `tally` are sentences, `rule` says what
    they mean. `heads` and `rows` are one row for each of `what` there is, attacks or critiques;
    several ids of one cell are a list. `figures` are what else programs are given.
    """

    debate: Debate
    hits: Mapping[Ref, Iterable[Line]]
    tally: tuple[str, ...]
    rule: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell | list[str], ...], ...]
    what: str
    figures: Mapping[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """All of it as JSON values."""
        rows = [dict(zip(self.heads, row, strict=True)) for row in self.rows]
        return {**self.figures, self.what: rows, "rule": self.rule}

    @property
    def csv(self) -> str:
        """The rows as CSV."""
        rows = ([" ".join(c) if isinstance(c, list) else c for c in row] for row in self.rows)
        return csv_text.render(self.heads, rows)

    @property
    def page(self) -> str:
        """What was hit, in Markdown with links as from the folder of the debate."""
        blocks: list[Block] = [Paragraph(line(" ".join(self.tally)))]
        for target, hits in self.hits.items():
            blocks += [Paragraph(line(target)), Listing(tuple(hits))]
        return alone(self.debate, [*blocks, Paragraph(line(self.rule))])

    def lines(self, columns: int) -> list[str]:
        """Return what was hit for a terminal of so many columns."""
        motion = framing(self.debate.body).motion
        shown = shorten(motion, _MOTION_LINES * columns) or "(no motion)"
        lines = textwrap.wrap(shown, columns, subsequent_indent="  ")
        for target, hits in self.hits.items():
            lines += ["", shorten(f"{target.id}  {target.title}", columns)]
            for hit in map(words, hits):
                lines += textwrap.wrap(
                    hit, columns, initial_indent="  ", subsequent_indent="      "
                )
        lines.append("")
        for sentence in self.tally:
            lines += textwrap.wrap(sentence, columns)
        return [*lines, "", *textwrap.wrap(self.rule, columns)]


def sheet_of(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified.

    Raises:
        RefusedError: the rules of its protocol do not say what answers an attack.
    """
    report = report_of(debate.protocol)
    sheet: Callable[[Debate], FlowSheet] | None = getattr(report, "sheet", None)
    if sheet is None:
        raise RefusedError(
            f"a debate of the protocol {debate.protocol!r} has no flow sheet: its rules do not "
            "say what answers an attack; its page shows what was said",
            hint="Render the page with 'debate-ops report', or read all of it with "
            "'debate-ops transcript'.",
        )
    return sheet(debate)
