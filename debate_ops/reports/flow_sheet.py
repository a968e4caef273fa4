"""The flow of a debate on its own: as lines, as a page, as a table and as data."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from debate_ops.errors import RefusedError
from debate_ops.formats import csv_text
from debate_ops.formats.csv_text import Cell
from debate_ops.model.debate import Debate
from debate_ops.reports.table import FLOW_SHEETS, INSTEAD_OF_FLOW
from debate_ops.reports.text import shorten

_MOTION_LINES = 3


class FlowSheet(NamedTuple):
    """The flow of a debate in every form.

    `lines` gives it for a terminal of so many columns. `page` is Markdown, with links as from the
    folder of the debate. `heads` and `rows` are one row for each attack or critique. `data` are
    JSON values.
    """

    lines: Callable[[int], Sequence[str]]
    page: Callable[[], str]
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    data: Mapping[str, Any]

    @property
    def csv(self) -> str:
        """The rows as CSV."""
        return csv_text.render(self.heads, self.rows)


def in_lines(
    motion: str, hits: Mapping[str, Iterable[str]], tally: Iterable[str], rule: str, columns: int
) -> list[str]:
    """Return what was hit and by what, then the tally and the rule, for a terminal."""
    start = shorten(motion, _MOTION_LINES * columns) or "(no motion)"
    lines = textwrap.wrap(start, columns, subsequent_indent="  ")
    for target, texts in hits.items():
        lines += ["", target]
        for text in texts:
            lines += textwrap.wrap(text, columns, initial_indent="  ", subsequent_indent="      ")
    lines.append("")
    for sentence in tally:
        lines += textwrap.wrap(sentence, columns)
    return [*lines, "", *textwrap.wrap(rule, columns)]


def sheet_of(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified.

    Raises:
        RefusedError: the rules of its protocol do not say what answers an attack.
    """
    if debate.protocol not in FLOW_SHEETS:
        instead = INSTEAD_OF_FLOW.get(debate.protocol, "its page shows what was said")
        raise RefusedError(
            f"a debate of the protocol {debate.protocol!r} has no flow sheet: its rules do not "
            f"say what answers an attack; {instead}",
            hint="Draw the page with 'debate-ops report', or read all of it with "
            "'debate-ops transcript'.",
        )
    sheet: Callable[[Debate], FlowSheet] = import_module(FLOW_SHEETS[debate.protocol]).sheet
    return sheet(debate)
