"""What reports on the debates of each protocol: a new one is a folder here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from debate_ops.errors import RefusedError
from debate_ops.formats import context_points, entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.reports import panel as panels
from debate_ops.reports import panel_section, sureness
from debate_ops.reports.blocks import Section
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.view import View

Number = tuple[str, str, Any]
"""What a number is about, what it measures, and the number as it stands on record."""


class Outline(NamedTuple):
    """How the entries of one debate are read.

    `participants` are all that act and what they are, empty where that is nothing of note. `sides`
    are the two parties, if there are two. `place` names the part of the debate that an entry
    belongs to. `shown` are keys of a header that are read with the texts, by kind of entry.
    `numbers` yields what an entry that judges measures. `private` names the kind of an entry that
    somebody made for itself alone, and `shows_private` says whether such entries are shown where
    nobody says otherwise. A debate `is_at_rest` that could go on and has all it was asked for.
    """

    participants: Mapping[str, str]
    place: Callable[[Entry], str]
    sides: tuple[str, ...] = ()
    shown: Mapping[str, tuple[str, ...]] = {}
    numbers: Callable[[Contribution], Iterable[Number]] = lambda _: ()
    private: Callable[[Entry], str] = lambda _: ""
    shows_private: bool = True
    is_at_rest: bool = False


class Report(Protocol):
    """What the pages need of a protocol; the module `report` of each protocol's folder is one."""

    ANSWER_RULE: str
    """What the answer of a brief is, for the reporter."""

    def read(self, debate: Debate) -> Any:
        """Return what is computed of a debate whose record has been verified.

        It is for the other functions of the report.
        """

    def view(self, data: Any) -> View:
        """Return the debate as readers see it: its answer, and how sure that is."""

    def sections(self, data: Any) -> Iterable[Section]:
        """Yield the protocol's own part of the record."""

    def notes(self, data: Any) -> Mapping[str, Note]:
        """Return what the page says of entries besides their own texts, by id."""

    def outcome(self, data: Any) -> Section | None:
        """Return the outcome in full, to go on working with; None while there is none."""

    # It has `sheet` too where its rules say what answers an attack: see `flow_sheet`.

    def outline(self, debate: Debate) -> Outline:
        """Return how the entries of a debate are read."""


def report_of(protocol: str) -> Report:
    """Return what reports on the debates of a protocol: `report.py` in its folder here.

    Raises:
        RefusedError: there is no such folder.
    """
    package = f"debate_ops.reports.{protocol.replace('-', '_')}"
    if protocol not in PROTOCOLS or find_spec(package) is None:
        raise RefusedError(f"there is no report for debates of the protocol {protocol!r}")
    module: Report = import_module(f"{package}.report")
    return module


class ReportData(NamedTuple):
    """A debate as it is reported: what its report computed of it, and what readers see of it.

    `result` is what a panel says that read the debate, if there is one, and the outcome.
    """

    report: Report
    computed: Any
    view: View
    result: tuple[Section, ...] = ()

    @property
    def panel(self) -> Section | None:
        """What the panel says."""
        return next((section for section in self.result if section.key == panels.PANEL), None)

    def noting(self, facts: Iterable[str]) -> ReportData:
        """Return it with facts to be known beside how sure its answer is, where it has one."""
        sure = self.view.sureness
        return self._replace(view=self.view._replace(sureness=sure and sure.noting(facts)))


def read(debate: Debate, read_by: Debate | None = None) -> ReportData:
    """Return what is reported of a debate whose record has been verified.

    `read_by` is the debate that a panel was held as: see `hearing.of`.
    """
    report = report_of(debate.protocol)
    computed = report.read(debate)
    view = report.view(computed)
    points = context_points.points(view.content.framing)
    view = view._replace(
        points=points,
        unused=context_points.unused(points, context_points.said(debate.record)) if points else (),
        first_answer=entries.first_answer(debate.record) or "",
    )
    sure = view.sureness
    if sure and view.content.stops_at and sure.level <= Level.TOO_CLOSE:
        open_ = Reason("The debate is not over", Level.NOT_FINISHED)
        view = view._replace(sureness=sureness.of((open_, *sure.reasons)))
    own = panels.of(read_by or debate) if read_by or panels.is_own(debate) else None
    result = (panel_section.section(own, view) if own else None, report.outcome(computed))
    shown = tuple(section for section in result if section)
    return ReportData(report, computed, panels.applied(view, own), shown)


def view_of(debate: Debate, read_by: Debate | None = None) -> View:
    """Return a debate whose record has been verified as readers see it."""
    return read(debate, read_by).view
