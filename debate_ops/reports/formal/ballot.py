"""The judge's ballot of a formal debate, and the speeches that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from debate_ops.model.entries import Contribution
from debate_ops.model.score import Millis
from debate_ops.protocols.formal.rules import BALLOT, KINDS
from debate_ops.reports.items import Content, Item


class Ballot(NamedTuple):
    """What the judge decided: the winning side, speaker points in thousandths, the reasons."""

    value: Contribution
    points: Mapping[str, Millis]

    @property
    def winner(self) -> str:
        """The side that won."""
        return str(self.value.data.get("winner"))

    @property
    def reasons(self) -> str:
        """Why it won."""
        return self.value.texts.get(KINDS[BALLOT].heading, "")

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


def ballot_of(content: Content) -> Ballot | None:
    """Return the ballot; None while there is none."""
    value = next((v for v in content.contributions if v.kind == BALLOT), None)
    if value is None:
        return None
    return Ballot(value, {m.about: m.number for m in content.marks if m.judgment == value.id})


def speeches(content: Content) -> list[Item]:
    """Return what both sides said in every round, with the absences in their places."""
    return [item for item in content.read if item.kind != BALLOT]
