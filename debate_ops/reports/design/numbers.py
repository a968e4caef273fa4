"""What the report of a design debate says, computed from its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution
from debate_ops.protocols.design import filing
from debate_ops.protocols.design import history as histories
from debate_ops.protocols.design.names import (
    AWAITING_CRITIQUES,
    AWAITING_REFINEMENTS,
    CLARIFICATION,
    CRITIQUE,
    FULL,
    PROPOSAL,
    REFINEMENT,
    SYNTHESIS,
    VERDICTS,
)
from debate_ops.protocols.design.settings import names_of
from debate_ops.reports.content import Reading, content_of
from debate_ops.reports.critiques import UNANSWERED, Point, state_of


class Numbers(Reading):
    """All that the report says of a design debate.

    `texts` are proposals and refinements, `current` those that stand. `answers` are what a person
    said, by the question. `unmet` are the requirements that the judge says its solution does not
    meet.
    """

    def __init__(self, debate: Debate) -> None:
        self.authors = names_of(debate.settings)
        super().__init__(content_of(debate))
        self._history = histories.of_record(debate.record, debate.settings)
        standing = self._history.texts(self.exchange).values()
        texts = (v for v in self.said.values() if v.kind in {PROPOSAL, REFINEMENT})
        self.texts = tuple(texts)
        self.current = tuple(self.said[text] for text in standing)
        self.requirements = self._history.requirements()
        self.points = tuple(self._points())
        self.answers = {str(v.data["question"]): v for v in self.of(CLARIFICATION)}
        self.solution = next(iter(self.of(SYNTHESIS)), None)
        names = self.listed("unmet")
        self.unmet = tuple(r for r in self.requirements if r["id"] in names)

    @property
    def exchange(self) -> int:
        """The exchange that the debate is in, or ended in."""
        return self.debate.state.exchange

    def listed(self, key: str) -> tuple[str, ...]:
        """Return a list that the solution has in its header; none while there is no solution."""
        return tuple(map(str, self.solution.data.get(key) or ())) if self.solution else ()

    def tally(self) -> tuple[int, int, int]:
        """Return how many points were accepted, rejected, and not answered."""
        outcomes = [point.outcome for point in self.points]
        accepted, rejected = (outcomes.count(verdict) for verdict in VERDICTS)
        return accepted, rejected, outcomes.count(UNANSWERED)

    def _points(self) -> Iterator[Point]:
        answers = {
            (str(answer["critique"]), int(answer["point"])): (str(answer["verdict"]), value)
            for value in self.of(REFINEMENT)
            for answer in value.data.get("answers") or ()
        }
        for value in self.of(CRITIQUE):
            for item in value.data.get("points") or ():
                number = int(item["number"])
                outcome, by = answers.get((value.id, number), (UNANSWERED, None))
                yield Point(
                    id=value.id,
                    point=number,
                    exchange=value.exchange,
                    critic=value.participant,
                    target=str(value.data["target"]),
                    severity=str(item["level"]),
                    text=value.texts.get(filing.point_heading(number), ""),
                    flow=state_of(
                        answered=by is not None,
                        had_turn=self._had_turn(value),
                        is_coming=self._is_coming(value),
                    ),
                    outcome=outcome,
                    answers=(by.id,) if by else (),
                    reason=_reason(by, value.id, number) if by else "",
                )

    def _had_turn(self, critique: Contribution) -> bool:
        """Tell whether the author's turn to answer is over: it refined its text, or was absent."""
        author, exchange = str(critique.data["target"]).partition("_")[0], critique.exchange
        return (
            self.exchange > exchange
            or self._history.has(author, exchange, REFINEMENT)
            or self._history.is_absent(author, exchange, AWAITING_REFINEMENTS)
        )

    def _is_coming(self, critique: Contribution) -> bool:
        coming = {AWAITING_CRITIQUES, AWAITING_REFINEMENTS}
        return critique.exchange == self.exchange and self.debate.state.phase in coming


def _reason(refinement: Contribution, critique: str, number: int) -> str:
    """Return why a point was accepted or rejected, from the lines of the section `Answers`."""
    for line in refinement.texts.get(filing.ANSWERS, "").split("\n"):
        head, colon, rest = line.partition(": ")
        if colon and head == f"- {critique}, point {number}":
            return rest.partition(". ")[2]
    return ""


def coverage(text: Contribution) -> tuple[Mapping[str, Any], ...]:
    """Return how far a text says to meet each requirement, and how."""
    return tuple(text.data.get("coverage") or ())


def fully_met(text: Contribution) -> int:
    """Return how many requirements a text claims to meet in full."""
    return sum(item["coverage"] == FULL for item in coverage(text))


def why_so_sure(solution: Contribution) -> str:
    """Return why the judge is as sure of its solution as it says."""
    sure = int(solution.data["confidence"])
    return filing.confidence_reasons(solution.texts.get(filing.CONFIDENCE, ""), sure)


def of(debate: Debate) -> Numbers:
    """Return the numbers of a debate whose record has been verified."""
    return Numbers(debate)
