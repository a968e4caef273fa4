"""Any value of the record as a file, and back: one row per kind of entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.formats import argument, front, judgment
from debate_ops.model.debate import Total
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    Argument,
    Entry,
    Judgment,
    Value,
)


class Stamp(NamedTuple):
    """What the commit adds to each entry.

    `source` is the digest of the submission that it came from; `at` its time; `made_by` what is
    known of how it was made; `digests` the SHA-256 of each file that a judgment judges.
    """

    step: int
    source: str
    at: str
    made_by: Mapping[str, Any]
    totals: Mapping[str, Total]
    digests: Mapping[str, str]


def folder(value: Value) -> str:
    """Return the record folder that a value is stored in."""
    return ARGUMENTS if isinstance(value, Argument) else JUDGMENTS


def render(value: Value, stamp: Stamp) -> str:
    """Return the text of the file that holds `value`."""
    header, body = _parts(value)
    if isinstance(value, Judgment):
        header["judged"] = [
            {"id": entry_id, "digest": digest} for entry_id, digest in stamp.digests.items()
        ]
        header["cumulative_scores"] = judgment.totals_as_data(stamp.totals)
    header |= {"step": stamp.step, "from": stamp.source, "at": stamp.at}
    if stamp.made_by:
        header["made_by"] = dict(stamp.made_by)
    return front.compose(header, body)


def _parts(value: Value) -> tuple[dict[str, Any], str]:
    if isinstance(value, Argument):
        return argument.header(value), argument.body(value)
    if isinstance(value, Judgment):
        return judgment.header(value), judgment.body(value)
    return judgment.absence_header(value), judgment.absence_body(value)


def parse(entry: Entry) -> Value:
    """Return the value that an entry holds."""
    if entry.folder == ARGUMENTS:
        return argument.parse(entry)
    return judgment.parse_absence(entry) if entry.is_absence else judgment.parse(entry)
