"""A reply of the reporter: read, held to its schema and to the record, and as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.engine import replies
from debate_ops.errors import Finding, RefusedError
from debate_ops.formats import json_reply
from debate_ops.formats.json_reply import FoundJson, Path
from debate_ops.model import messages
from debate_ops.model.score import Millis
from debate_ops.reports.blocks import Anchor, Line, Ref
from debate_ops.reports.brief.checks import SCHEMA, STORY, check
from debate_ops.reports.brief.fields import Fields, NotOnRecordError
from debate_ops.reports.brief.values import Data
from debate_ops.reports.view import View

REPORTER = "reporter"
"""Who writes the brief."""

Findings = tuple[Finding, ...]


class Reading(NamedTuple):
    """A brief as data and, where its form is right, as it is shown; its faults and warnings."""

    data: Mapping[str, Any]
    content: Data | None
    faults: Findings
    warnings: Findings = ()


def reply(raw: bytes, name: str, view: View) -> Reading:
    """Read and check a reply; its faults say where in the file `name` they are."""
    try:
        found = json_reply.find_json(raw)
    except RefusedError as error:
        placed = (fault._replace(participant=REPORTER, file=name) for fault in error.faults)
        return Reading({}, None, tuple(placed))
    read = data(found.value, view)
    unknown = replies.unknown_keys(SCHEMA, REPORTER, found.value)
    return read._replace(
        faults=_located(read.faults, found, name),
        warnings=_located((*found.warnings, *unknown), found, name),
    )


def data(value: Any, view: View) -> Reading:
    """Check a brief as data against its schema and the record."""
    form = list(replies.form_faults(SCHEMA, REPORTER, value))
    if view.shares and isinstance(value, dict) and "issues" not in value:
        message = "is missing: scores decided this debate, so it has to be told by issues"
        form.append(Finding("missing", message, REPORTER, where="$.issues"))
    checked = check(value, view)
    content = None if form else _shown(value, checked.lines, Fields(view))
    faults = (fault._replace(participant=REPORTER) for fault in (*form, *checked.faults))
    return Reading(value, content, tuple(dict.fromkeys(faults)))


def sums(content: Data, view: View) -> tuple[tuple[Data, Millis], ...]:
    """Return with each issue by how much its entries move the lead towards the first choice."""
    return tuple(
        (issue, Millis(sum(view.shares.get(name, 0) for name in set(issue["arguments"]))))
        for issue in content.get("issues", ())
    )


def _located(findings: Findings, found: FoundJson, name: str) -> Findings:
    named = (finding._replace(participant=REPORTER) for finding in findings)
    places = ({REPORTER: found}, {REPORTER: name})
    return tuple(replies.located(finding, *places) for finding in messages.few(named))


def _shown(
    value: Any, lines: Mapping[Path, tuple[Line, ...]], fields: Fields, path: Path = ()
) -> Any:
    """Return a part of a brief whose form is right, as it is shown."""
    if path[-1:] == ("cites",):
        return tuple(_references(value, fields))
    if isinstance(value, dict):
        return {key: _shown(item, lines, fields, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(_shown(v, lines, fields, (*path, n)) for n, v in enumerate(value))
    if path not in lines:
        return value
    return lines[path] if path[0] == STORY else lines[path][0]


def _references(names: Iterable[str], fields: Fields) -> Iterator[Ref | Anchor]:
    for name in dict.fromkeys(names):
        try:
            yield fields.reference(name)
        except NotOnRecordError:  # a fault of its own
            continue
