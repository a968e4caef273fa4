"""What draws the debates of one protocol: the parts that `draw` puts into the folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from debate_ops.errors import Finding
from debate_ops.model.debate import Debate
from debate_ops.reports.canvas import Picture
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import Held
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.parts import Aside, Note, Parts
from debate_ops.reports.transcript.values import Transcript

Findings = tuple[Finding, ...]


class Told(Held, Protocol):
    """What the report of a debate says, computed from its record."""

    @property
    def warnings(self) -> Findings:
        """What a reader should be warned of."""
        ...  # pragma: no cover


def no_graph(told: object) -> Graph:
    """Return nothing: for protocols without an argument graph.

    Raises:
        LookupError: always; `HAS_GRAPH` is what to ask first.
    """
    raise LookupError(told)


class Report(Protocol):
    """How the debates of a protocol are drawn; each module that the table names is one."""

    CHARTS: tuple[str, ...]
    """The names of its pictures."""

    HAS_GRAPH: bool
    """Whether there is an argument graph."""

    def read(self, debate: Debate) -> Told:
        """Return what is told of a debate whose record has been verified."""
        ...  # pragma: no cover

    def graph(self, told: Any) -> Graph:
        """Return the argument graph; only asked for where there is one."""
        ...  # pragma: no cover

    def note(self, told: Any) -> Note:
        """Return the decision note: what came of the debate, and how far to trust it."""
        ...  # pragma: no cover

    def parts(self, given: Given[Any], rows: Rows) -> Parts:
        """Yield the parts of the page that come after the decision note."""
        ...  # pragma: no cover

    def asides(self, told: Any) -> Mapping[str, Aside]:
        """Return what the page tells of entries beside their own texts, by id."""
        ...  # pragma: no cover

    def outcome(self, told: Any) -> str:
        """Return what came of the debate as a text, as it stands on record; empty if nothing."""
        ...  # pragma: no cover

    def transcript_of(self, debate: Debate, *, preparation: bool | None = None) -> Transcript:
        """Return the debate as one text; `preparation` goes before the debate's own setting."""
        ...  # pragma: no cover

    def pictures(self, told: Any) -> Mapping[str, Picture]:
        """Return the pictures by name, ready to be painted."""
        ...  # pragma: no cover
