"""The numbers that the judgments of each protocol give: scores, adherence, points, votes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from debate_ops.model.entries import Contribution, Entry, Judgment, Value
from debate_ops.model.score import to_millis
from debate_ops.protocols.chairs.names import EVALUATION
from debate_ops.protocols.consensus.cycle import BALLOT as VOTE
from debate_ops.protocols.consensus.cycle import STRAW
from debate_ops.protocols.design.names import ASSESSMENT, SYNTHESIS
from debate_ops.protocols.formal.rules import BALLOT
from debate_ops.reports.exports.values import Mark

SCORE, RESCORE = "score", "rescore"
"""The kinds of the marks that an argument gets in the protocol `exchange`."""

Number = tuple[str, str, Any]
"""What a number is about, what it measures, and the number as it stands on record."""


def marks_of(protocol: str, entry: Entry, value: Value) -> Iterator[Mark]:
    """Yield every number that an entry gives, in the order of its file; most give none."""
    if isinstance(value, Judgment):
        yield from _of_judgment(entry, value)
    elif isinstance(value, Contribution) and protocol in _NUMBERS:
        for about, kind, number in _NUMBERS[protocol](value):
            millis = to_millis(number)
            if millis is not None:
                yield Mark(entry.exchange, entry.id, entry.participant, about, kind, millis)


def _of_judgment(entry: Entry, value: Judgment) -> Iterator[Mark]:
    where = (entry.exchange, entry.id, entry.participant)
    for item in value.scores:
        yield Mark(*where, item.argument_id, SCORE, item.score, None, item.reasoning)
    for change in value.rescores:
        previous, reason = change.previous, change.reasoning
        yield Mark(*where, change.argument_id, RESCORE, change.score, previous, reason)


def _of_chairs(value: Contribution) -> Iterator[Number]:
    """Yield how far a speech keeps to its framework: the points of each part, then their sum."""
    if value.kind == EVALUATION:
        speech = str(value.data.get("speech") or "")
        for part, found in _object(value.data.get("parts")).items():
            yield speech, part, _object(found).get("points")
        yield speech, "adherence", value.data.get("adherence")


def _of_formal(value: Contribution) -> Iterator[Number]:
    """Yield the speaker points of each side."""
    if value.kind == BALLOT:
        for side, points in _object(value.data.get("speaker_points")).items():
            yield side, "speaker points", points


def _of_consensus(value: Contribution) -> Iterator[Number]:
    """Yield the weight of a vote; about nothing, where its voter abstains."""
    if value.kind in {VOTE, STRAW}:
        about = str(value.data.get("vote") or "")
        yield about, "vote" if value.kind == VOTE else "straw vote", value.data.get("weight")


def _of_design(value: Contribution) -> Iterator[Number]:
    """Yield how sure the judge is, from 0 to 100; about the state of the whole design."""
    if value.kind in {ASSESSMENT, SYNTHESIS}:
        yield "", "confidence", value.data.get("confidence")


_NUMBERS: Mapping[str, Callable[[Contribution], Iterable[Number]]] = {
    "chairs": _of_chairs,
    "formal": _of_formal,
    "consensus": _of_consensus,
    "design": _of_design,
}


def _object(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, dict) else {}
