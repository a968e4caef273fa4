"""What the report of a formal debate is written from: its speeches, and the judge's ballot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Absence, Contribution
from debate_ops.model.score import Millis
from debate_ops.protocols.formal import rules as formal
from debate_ops.protocols.formal.course import BALLOT, JUDGE, KINDS
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content, Item
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import entries_of


class Ballot(NamedTuple):
    """What the judge decided: the winning side, speaker points in thousandths, the reasons."""

    id: str
    winner: str
    points: Mapping[str, Millis]
    reasons: str

    @property
    def is_low_point(self) -> bool:
        """Whether the winner has fewer speaker points."""
        own = self.points.get(self.winner, 0)
        return any(points > own for points in self.points.values())

    @property
    def apart(self) -> Millis:
        """How many speaker points are between the sides."""
        points = self.points.values()
        return Millis(max(points, default=0) - min(points, default=0))


class Numbers(NamedTuple):
    """All that the report of a formal debate is written from.

    `speeches` are the entries of both sides that are shown, with the absences in their places.
    """

    content: Content
    speeches: tuple[Item, ...]
    ballot: Ballot | None
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def debate(self) -> Debate:
        """The debate itself."""
        return self.content.debate

    @property
    def names(self) -> Mapping[str, str]:
        """What readers call the participants."""
        return self.content.participants

    @property
    def judge(self) -> Made | None:
        """How the ballot was made, where a judge is asked at the end."""
        return next((m for m in self.made if m.participant == JUDGE), None)

    def given(self, participant: str, *kinds: str) -> list[Item]:
        """Return what a side said, of these kinds."""
        own = (i for i in self.speeches if i.participant == participant and not i.absence)
        return [item for item in own if item.kind in kinds]


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    content = content_of(debate)
    on_record = [(entry, entries.parse(entry)) for entry in entries_of(debate)]
    return Numbers(
        content=content,
        speeches=tuple(item for item in content.read if item.kind != BALLOT),
        ballot=_ballot(content),
        absences=tuple(value for _, value in on_record if isinstance(value, Absence)),
        made=made(content.participants, [entry for entry, _ in on_record]),
        warnings=formal.audit(on_record, debate.settings).warnings,
    )


def _ballot(content: Content) -> Ballot | None:
    values = (item.value for item in content.items if item.entry.kind == BALLOT)
    value = next((v for v in values if isinstance(v, Contribution)), None)
    if value is None:
        return None
    points = {mark.about: mark.number for mark in content.marks if mark.judgment == value.id}
    reasons = value.texts.get(KINDS[BALLOT].heading, "")
    return Ballot(value.id, str(value.data.get("winner")), points, reasons)
