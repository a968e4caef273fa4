"""The outcome of a debate: its memo, or what its rules came to, to go on working with."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from debate_ops.report import markdown
from debate_ops.report.reading import Reading
from debate_ops.report.words import plain

OWN = Markup("<!-- An outcome by debate-ops -->")
"""Begins an outcome in a file: one that has it may be replaced."""


def write_outcome(reading: Reading) -> str:
    """Return the outcome in Markdown: memo and result in full; empty while there is none.

    Without a memo, the result by the rules stands in a sentence.
    """
    v = reading.verdict
    memo = reading.current_memo
    if not v.reached and not memo:
        return ""
    text = markdown.render("outcome.md.jinja", own=OWN, r=reading, v=v, memo=memo)
    return markdown.resolve(text, reading.name_file)


def make_outcome_data(reading: Reading) -> dict[str, Any]:
    """Return the outcome for programs."""
    v, current = reading.verdict, reading.current_memo
    return {
        "answer": reading.answer,
        "favoured": v.favoured or None,
        "lead": None if v.lead is None else float(plain(v.lead)),
        "sureness": v.sureness,
        "reasons": [reason.text for reason in v.ordered_reasons],
        "reached": v.reached,
        "stops_at": v.stops_at,
        "panel": reading.panel.verdict if reading.panel else None,
        "memo": current.advice.model_dump(mode="json") if current else None,
    }
