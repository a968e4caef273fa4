"""A judgment and an absence as Markdown files: `judgments/<id>.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from debate_ops.formats.prose import escape, unescape
from debate_ops.model.debate import Total
from debate_ops.model.entries import Absence, Entry, Judgment, Rescore, Score
from debate_ops.model.score import Millis, signed, to_millis, to_number

_REASON = re.compile(r"^### \[([^\]\n]+)\][^\n]*\n", re.MULTILINE)
_RESCORES = re.compile(r"^## Rescores\n", re.MULTILINE)


def header(judgment: Judgment) -> dict[str, Any]:
    """Return the decision as data; scores are numbers of at most three decimals."""
    return {
        "id": judgment.id,
        "participant": judgment.id.partition("_")[0],
        "kind": "judgment",
        "exchange": judgment.exchange,
        "scores": [
            {"argument_id": item.argument_id, "score": to_number(item.score)}
            for item in judgment.scores
        ],
        "rescores": [
            {
                "argument_id": item.argument_id,
                "previous": to_number(item.previous),
                "score": to_number(item.score),
            }
            for item in judgment.rescores
        ],
    }


def body(judgment: Judgment) -> str:
    """Return the reasons, each under a link to the argument it judges."""
    scores = [
        f"### {_link(item.argument_id)} {signed(item.score)}\n\n{escape(item.reasoning)}"
        for item in judgment.scores
    ]
    rescores = [
        f"### {_link(item.argument_id)} from {signed(item.previous)} to {signed(item.score)}\n\n"
        f"{escape(item.reasoning)}"
        for item in judgment.rescores
    ]
    sections = ["## Scores", *scores, *(["## Rescores", *rescores] if rescores else [])]
    title = f"# Judgment of exchange {judgment.exchange}"
    return "\n" + "\n\n".join([title, *sections]) + "\n"


def headline(judgment: Judgment) -> str:
    """Return a judgment in one line."""
    new = [f"{s.argument_id} {signed(s.score)}" for s in judgment.scores]
    old = [f"{r.argument_id} {signed(r.previous)} to {signed(r.score)}" for r in judgment.rescores]
    return ", ".join([*new, *old])


def lines(judgment: Judgment) -> list[str]:
    """Return a judgment as plain lines: for prompts."""
    return [
        f"{item.argument_id} {signed(item.score)}: {item.reasoning}" for item in judgment.decisions
    ]


def parse(entry: Entry) -> Judgment:
    """Return the judgment that a file holds."""
    text = entry.body.replace("\r\n", "\n")
    divide = _RESCORES.search(text)
    reasons = _reasons(text[: divide.start()] if divide else text)
    later = _reasons(text[divide.end() :]) if divide else {}
    return Judgment(
        id=entry.id,
        exchange=entry.exchange,
        scores=tuple(
            Score(argument_id, score, reasons.get(argument_id, ""))
            for argument_id, score in scores(entry.header)
        ),
        rescores=tuple(
            Rescore(argument_id, previous, score, later.get(argument_id, ""))
            for argument_id, previous, score in rescores(entry.header)
        ),
    )


def scores(entry_header: Mapping[str, Any]) -> list[tuple[str, Millis]]:
    """Return (argument id, score) of every new argument that a judgment's header scores."""
    listed = entry_header.get("scores") or []
    return [(str(item["argument_id"]), _millis(item["score"])) for item in listed]


def rescores(entry_header: Mapping[str, Any]) -> list[tuple[str, Millis, Millis]]:
    """Return (argument id, score before, score after) of every rescore in a judgment's header."""
    listed = entry_header.get("rescores") or []
    return [
        (str(item["argument_id"]), _millis(item["previous"]), _millis(item["score"]))
        for item in listed
    ]


def totals_as_data(totals: Mapping[str, Total]) -> dict[str, dict[str, Any]]:
    """Return cumulative scores as they stand in headers: {side: {total, count}}."""
    return {
        side: {"total": to_number(total.total), "count": total.scored}
        for side, total in totals.items()
    }


def totals_from_data(data: Any) -> dict[str, Total] | None:
    """Return the cumulative scores of a header, or None where they are not of that form."""
    if not isinstance(data, dict):
        return None
    totals = {}
    for side, item in data.items():
        total = to_millis(item.get("total")) if isinstance(item, dict) else None
        count = item.get("count") if isinstance(item, dict) else None
        if total is None or isinstance(count, bool) or not isinstance(count, int):
            return None
        totals[str(side)] = Total(total, count)
    return totals


def absence_header(absence: Absence) -> dict[str, Any]:
    """Return an absence as data."""
    return {
        "id": absence.id,
        "participant": absence.participant,
        "kind": "absence",
        "exchange": absence.exchange,
        "how": absence.how,
        "reason": absence.reason,
        "by": absence.by,
    }


def absence_headline(absence: Absence) -> str:
    """Return an absence in one line."""
    return f"{absence.participant} gave no reply ({absence.how}, by {absence.by})"


def absence_lines(absence: Absence) -> list[str]:
    """Return an absence as plain lines: for prompts."""
    return [f"{absence_headline(absence)}: {absence.reason}"]


def absence_body(absence: Absence) -> str:
    """Return an absence for readers."""
    return f"\nNo reply ({absence.how}, by {absence.by}).\n\n{escape(absence.reason)}\n"


def parse_absence(entry: Entry) -> Absence:
    """Return the absence that a file holds."""
    result = entry.header
    return Absence(
        id=entry.id,
        participant=str(result.get("participant", "")),
        exchange=entry.exchange,
        how=str(result.get("how", "")),
        reason=str(result.get("reason", "")),
        by=str(result.get("by", "")),
    )


def _link(argument_id: str) -> str:
    return f"[{argument_id}](../arguments/{argument_id}.md)"


def _reasons(text: str) -> dict[str, str]:
    matches = list(_REASON.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    return {
        match[1]: unescape(text[match.end() : end].strip("\n"))
        for match, end in zip(matches, ends, strict=False)
    }


def _millis(number: Any) -> Millis:
    score = to_millis(number)
    if score is None:
        raise ValueError(f"{number!r} is not a score of at most three decimals")
    return score
