"""A reply of the reporter: read, held to its schema and to the record, and as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.engine import replies
from debate_ops.errors import Finding, RefusedError
from debate_ops.formats import json_reply
from debate_ops.formats.json_reply import FoundJson, Path
from debate_ops.model import messages
from debate_ops.model.score import Millis
from debate_ops.reports.blocks import Line
from debate_ops.reports.brief.checks import SCHEMA, check
from debate_ops.reports.brief.fields import Fields, NotOnRecordError
from debate_ops.reports.brief.values import (
    Cited,
    Content,
    Crux,
    Issue,
    Point,
    Reason,
    Step,
    Story,
    Unused,
)
from debate_ops.reports.view import View

REPORTER = "reporter"
"""Who writes the brief."""

Findings = tuple[Finding, ...]


class Reading(NamedTuple):
    """A brief as data and, where its form is right, as values; what is wrong, and what to know."""

    data: Mapping[str, Any]
    content: Content | None
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
    content = None if form else _Values(value, checked.lines, view).content()
    faults = (fault._replace(participant=REPORTER) for fault in (*form, *checked.faults))
    return Reading(value, content, tuple(dict.fromkeys(faults)))


def sums(issues: tuple[Issue, ...], view: View) -> tuple[tuple[Issue, Millis], ...]:
    """Return with each issue by how much its entries move the lead towards the first choice."""
    return tuple(
        (issue, Millis(sum(view.shares.get(name, 0) for name in set(issue.arguments))))
        for issue in issues
    )


def _located(findings: Findings, found: FoundJson, name: str) -> Findings:
    named = (finding._replace(participant=REPORTER) for finding in findings)
    places = ({REPORTER: found}, {REPORTER: name})
    return tuple(replies.located(finding, *places) for finding in messages.few(named))


class _Values:
    """The values of a brief whose form is right."""

    def __init__(
        self, data: Mapping[str, Any], lines: Mapping[Path, tuple[Line, ...]], view: View
    ) -> None:
        self._data = data
        self._lines = lines
        self._view = view
        self._fields = Fields(view)

    def content(self) -> Content:
        """Return all of it."""
        return Content(
            answer=self._line("answer"),
            direction=self._data["direction"],
            why=self._list("why"),
            confidence=self._line("confidence"),
            reasons=tuple(
                Reason(item["for"], self._point("reasons", number))
                for number, item in enumerate(self._data["reasons"])
            ),
            cruxes=tuple(self._crux(number) for number, _ in self._each("cruxes")),
            next_steps=tuple(
                Step(*(self._line("next_steps", number, key) for key in Step._fields))
                for number, _ in self._each("next_steps")
            ),
            unchecked=tuple(
                Cited(self._line("unchecked", number, "fact"), self._cites(item))
                for number, item in self._each("unchecked")
            ),
            story=Story(*(self._lines[("story", key)] for key in Story._fields)),
            light=tuple(self._point("light", number) for number, _ in self._each("light")),
            issues=tuple(self._issue(number, item) for number, item in self._each("issues")),
            options=tuple(
                self._point("options", number, "option", "assessment")
                for number, _ in self._each("options")
            ),
            find_out=self._list("find_out"),
            unused=tuple(
                Unused(item["point"], self._line("unused", number, "why"))
                for number, item in self._each("unused")
            ),
            changed=self._line("changed"),
            meanwhile=self._line("meanwhile"),
        )

    def _each(self, name: str) -> enumerate[Mapping[str, Any]]:
        return enumerate(self._data.get(name, ()))

    def _line(self, *path: str | int) -> Line:
        return self._lines.get(path, ((),))[0]

    def _list(self, name: str) -> tuple[Line, ...]:
        return tuple(self._line(name, number) for number, _ in self._each(name))

    def _point(self, name: str, number: int, lead: str = "lead", text: str = "text") -> Point:
        item = self._data[name][number]
        return Point(
            self._line(name, number, lead), self._line(name, number, text), self._cites(item)
        )

    def _issue(self, number: int, item: Mapping[str, Any]) -> Issue:
        question, why = (self._line("issues", number, key) for key in ("question", "why"))
        return Issue(question, item["better"], why, tuple(item["arguments"]))

    def _crux(self, number: int) -> Crux:
        favours = self._data["cruxes"][number]["yes_favours"]
        named = self._view.choices.get(favours)
        return Crux(
            self._line("cruxes", number, "question"),
            (named,) if named else self._line("cruxes", number, "yes_favours"),
            self._line("cruxes", number, "evidence"),
        )

    def _cites(self, item: Mapping[str, Any]) -> Line:
        shown = []
        for name in dict.fromkeys(item["cites"]):
            try:
                shown.append(self._fields.reference(name))
            except NotOnRecordError:  # a fault of its own
                continue
        return tuple(shown)
