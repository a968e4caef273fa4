"""Texts of a debate: its outcome, its transcript, what became of attacks."""

import re
from collections import Counter
from io import StringIO
from typing import Any

from rich.console import Console
from rich.markdown import Markdown as RichMarkdown

from debate_ops.core.errors import RefusedError
from debate_ops.report import markdown
from debate_ops.report.provenance import find_provenance
from debate_ops.report.reading import Reading
from debate_ops.report.record import list_bonds, list_texts
from debate_ops.report.verdict import Flow


def write_outcome(reading: Reading) -> str:
    """Return the outcome in Markdown: memo and result in full; empty while there is none."""
    v, memo = reading.verdict, reading.memo
    if not v.reached and not memo:
        return ""
    text = markdown.render("outcome.md.jinja", r=reading, v=v, memo=memo)
    return markdown.resolve(text, reading.name_file)


def make_outcome_data(reading: Reading) -> dict[str, Any]:
    """Return the outcome for programs."""
    v, current = reading.verdict, reading.memo
    return {
        "answer": reading.answer,
        "favoured": v.favoured or None,
        "lead": None if v.lead is None else float(v.lead),
        "sureness": reading.sureness,
        "reasons": [reason.text for reason in v.ordered_reasons],
        "reached": v.reached,
        "stops_at": v.stops_at,
        "panel": reading.panel.verdict if reading.panel else None,
        "memo": current.advice.model_dump(mode="json") if current else None,
    }


def find_flow(reading: Reading) -> Flow:
    """Return what became of the attacks or critiques of a debate, if its protocol has any."""
    if flow := reading.verdict.flow:
        return flow
    raise RefusedError(
        f"debates of the protocol {reading.at.protocol.name} have no attacks to follow",
        hint="'flow' is for exchange, design and consensus; 'transcript' shows all that was said.",
    )


def make_flow_data(flow: Flow) -> dict[str, Any]:
    """Return the flow for programs."""
    states = Counter(row.state for row in flow.rows)
    listed = [row.as_data() for row in flow.rows]
    return {"tally": dict(states), flow.what: listed, "rule": flow.rule.replace("*", "")}


def write_flow_sheet(reading: Reading) -> str:
    """Return the flow sheet in Markdown."""
    flow = find_flow(reading)
    title = f"# What became of the {flow.what}\n\n{flow.tally}.\n\n"
    text = markdown.render("flow.md.jinja", flow=flow, refer=reading.refer)
    return markdown.resolve(f"{title}{text}", reading.name_file)


def write_transcript(reading: Reading) -> str:
    """Return the transcript of a debate; one that is not over says so."""
    panel = reading.panel
    text = markdown.render(
        "transcript.md.jinja",
        v=reading.verdict,
        d=reading.at.debate,
        r=reading,
        made=find_provenance(reading.at, panel.d if panel else None),
        texts=lambda e: [*list_texts(e)],
        bonds=lambda e: [b for b in list_bonds(e) if not b.content],
    )
    return markdown.resolve(text, lambda an_id: f"#{an_id}")


def to_plain(text: str, columns: int = 80) -> str:
    """Return Markdown of ours as plain text in lines of so many columns."""
    console = Console(width=columns, file=StringIO(), color_system=None)
    with console.capture() as shown:
        console.print(RichMarkdown(text.replace("&zwnj;", "")))
    return re.sub(r"(?m)[ \t]+$", "", shown.get())
