"""What a protocol gives to the pages of its debates; everything else is the same for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from debate_ops.errors import Finding
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Absence
from debate_ops.reports.blocks import Section
from debate_ops.reports.canvas import Picture
from debate_ops.reports.made import Made
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.outline import Outline
from debate_ops.reports.record import Note
from debate_ops.reports.view import View

Findings = tuple[Finding, ...]


class Numbers(Protocol):
    """What is computed of the record of a debate; each protocol has more of it."""

    @property
    def debate(self) -> Debate:
        """The debate itself."""
        ...  # pragma: no cover

    @property
    def names(self) -> Mapping[str, str]:
        """What readers call the participants."""
        ...  # pragma: no cover

    @property
    def made(self) -> tuple[Made, ...]:
        """By whom and how the replies were made."""
        ...  # pragma: no cover

    @property
    def absences(self) -> Sequence[Absence]:
        """Who did not reply."""
        ...  # pragma: no cover

    @property
    def warnings(self) -> Findings:
        """What a reader should be warned of."""
        ...  # pragma: no cover


def no_graph(numbers: object) -> Graph:
    """Return nothing: for protocols without an argument graph.

    Raises:
        LookupError: always; `HAS_GRAPH` is what to ask first.
    """
    raise LookupError(numbers)


def no_pictures(_: object) -> Mapping[str, Picture]:
    """Return nothing: for protocols without pictures."""
    return {}


class Report(Protocol):
    """What the pages need of a protocol; each module that the table names is one."""

    CHARTS: tuple[str, ...]
    """The names of its pictures."""

    HAS_GRAPH: bool
    """Whether there is an argument graph."""

    def read(self, debate: Debate) -> Numbers:
        """Return what is computed of a debate whose record has been verified."""
        ...  # pragma: no cover

    def view(self, numbers: Any) -> View:
        """Return the debate as readers see it: its answer, and how sure that is."""
        ...  # pragma: no cover

    def sections(self, numbers: Any) -> Iterable[Section]:
        """Yield the protocol's own part of the record."""
        ...  # pragma: no cover

    def notes(self, numbers: Any) -> Mapping[str, Note]:
        """Return what the page tells of entries beside their own texts, by id."""
        ...  # pragma: no cover

    def outcome(self, numbers: Any) -> str:
        """Return the outcome as a text to go on working with, in Markdown; empty if none."""
        ...  # pragma: no cover

    def graph(self, numbers: Any) -> Graph:
        """Return the argument graph; only asked for where there is one."""
        ...  # pragma: no cover

    def outline(self, debate: Debate) -> Outline:
        """Return how the entries of a debate are read."""
        ...  # pragma: no cover

    def pictures(self, numbers: Any) -> Mapping[str, Picture]:
        """Return the pictures by name, ready to be painted."""
        ...  # pragma: no cover
