"""The flow sheet: every attack or critique by its target, and how it was answered."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from debate_ops.core.errors import RefusedError
from debate_ops.report import markdown
from debate_ops.report.reading import Reading
from debate_ops.report.verdict import Flow


def find_flow(reading: Reading) -> Flow:
    """Return what became of the attacks or critiques of a debate.

    Raises:
        RefusedError: nothing is attacked or criticised in its protocol.
    """
    if flow := reading.verdict.flow:
        return flow
    raise RefusedError(
        f"debates of the protocol {reading.at.protocol.name} have no attacks to follow",
        hint="'flow' is for exchange, design and consensus; 'transcript' shows all that was said.",
    )


def make_flow_data(flow: Flow) -> dict[str, Any]:
    """Return the flow for programs."""
    states = Counter(row.state for row in flow.rows)
    listed = [row._asdict() for row in flow.rows]
    unattacked = {words.replace(" ", "_"): [*ids] for words, ids in flow.unattacked.items()}
    data = {"tally": dict(states), flow.what: listed, "rule": flow.rule.replace("*", "")}
    return data | ({"unattacked": unattacked} if unattacked else {})


def write_flow_sheet(reading: Reading) -> str:
    """Return the flow sheet in Markdown, one part for each target.

    Raises:
        RefusedError: nothing is attacked or criticised in its protocol.
    """
    flow = find_flow(reading)
    by_target = sorted(flow.rows, key=lambda row: row.target)
    targets = [(t, [*rows]) for t, rows in groupby(by_target, key=lambda row: row.target)]
    text = markdown.render("flow.md.jinja", flow=flow, targets=targets, refer=reading.refer)
    return markdown.resolve(text, reading.name_file)
