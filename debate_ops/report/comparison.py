"""Debates beside each other: their answers, and every score where they have the same arguments."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from debate_ops.analysis.usage import Usage
from debate_ops.core.protocol import Replayed
from debate_ops.protocols.exchange import SIDES
from debate_ops.report import markdown
from debate_ops.report.exchange import Scoring
from debate_ops.report.memo import list_highlights
from debate_ops.report.page import wrap_page
from debate_ops.report.provenance import measure_usage
from debate_ops.report.reading import Reading
from debate_ops.report.words import count, join, shorten, signed, size

_MOST_OF_A_PART = 400
"""Characters."""


def add_letters(names: Sequence[str]) -> list[str]:
    """Return a letter and the name for each that is compared."""
    return [f"{chr(ord('A') + number)}: {name}" for number, name in enumerate(names)]


def write_comparison(question: str, readings: Sequence[Reading], names: Sequence[str]) -> bytes:
    """Return a page with the answers that several debates give to one question, side by side.

    Each is shown as on the first screen of its own page, in more of the memo's words.
    """
    shown = [defaultdict(str, list_highlights(r.memo, _MOST_OF_A_PART)) for r in readings]
    text = markdown.render(
        "comparison.md.jinja",
        question=question,
        names=add_letters(names),
        readings=readings,
        shown=shown,
        used=[_describe_usage(measure_usage(r.at)) for r in readings],
    )
    return wrap_page(markdown.to_html(text), question)


def _describe_usage(used: Usage) -> str:
    """Return what replies took, as far as it is known."""
    seconds, replies = used.latency_ms // 1000, count(used.replies, "reply", "replies")
    took = f" in {seconds:,} s" if seconds else ""
    return f"{replies}{took}; {used.sentence() or 'tokens not recorded'}"


def compare_judgments(debates: Sequence[tuple[str, Replayed]]) -> tuple[dict[str, Any], list[str]]:
    """Return the judgments of debates with the same arguments beside each other.

    For programs, and for people: each argument with its last scores in the order of the debates and
    their spread, then the lead, then whether the judges find for the same side. Nothing where the
    debates have not the same arguments, each judged for itself.
    """
    exchanges = [at for _, at in debates if at.protocol.name == "exchange"]
    said = [{e.id: e.compared() for e in at.debate.find("argument")} for at in exchanges]
    if len(said) < len(debates) or not said[0] or any(each != said[0] for each in said):
        return {}, []
    scorings, rows, lines = [Scoring(at) for at in exchanges], [], []
    for e in scorings[0].arguments:
        row = _describe_scores([scoring.scores.get(e.id) for scoring in scorings])
        rows.append({"id": e.id} | row)
        lines.append(f"{e.id:<10} {_write_scores(row)}  {shorten(e.title, 50)}")
    lead = _describe_scores([scoring.lead for scoring in scorings])
    mean = signed(round(statistics.mean(map(float, lead["scores"])), 3))
    lines.append(f"{'lead':<10} {_write_scores(lead)}, mean {mean}")
    found = Counter(f"the {SIDES[s.ahead]}" if s.ahead else "nobody" for s in scorings)
    each = join(f"{number} for {side}" for side, number in found.items())
    agreement = f"{'All judges agree' if len(found) == 1 else 'The judges differ'}: {each}."
    data = {"debates": [name for name, _ in debates], "lead": lead, "arguments": rows}
    return data | {"agreement": agreement}, [*lines, agreement]


def _describe_scores(scores: Sequence[Decimal | None]) -> dict[str, Any]:
    """Return scores of the same thing by several judges, how far apart, and if they change sign."""
    known = [float(score) for score in scores if score is not None]
    spread = statistics.stdev(known) if len(known) > 1 else 0.0
    flips = min(known, default=0) < 0 < max(known, default=0)
    return {"scores": [*scores], "spread": spread, "flips": flips}


def _write_scores(row: Mapping[str, Any]) -> str:
    known = [score for score in row["scores"] if score is not None]
    apart = f", {size(max(known) - min(known))} apart" if len(known) > 1 else ""
    return f"{'  '.join(map(signed, row['scores']))}{apart}"
