"""The names of the protocol `design`: who acts, in which phase, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

JUDGE = "judge"

QUESTION, CLARIFICATION, REQUIREMENTS = "question", "clarification", "requirements"
SUMMARY, PROPOSAL, CRITIQUE, REFINEMENT = "summary", "proposal", "critique", "refinement"
ASSESSMENT, SYNTHESIS, ABSENCE = "assessment", "synthesis", "absence"

AWAITING_QUESTIONS, AWAITING_ANSWERS = "awaiting_questions", "awaiting_answers"
AWAITING_REQUIREMENTS, AWAITING_SUMMARIES = "awaiting_requirements", "awaiting_summaries"
AWAITING_PROPOSALS, AWAITING_CRITIQUES = "awaiting_proposals", "awaiting_critiques"
AWAITING_REFINEMENTS, AWAITING_ASSESSMENT = "awaiting_refinements", "awaiting_assessment"
AWAITING_JUDGE_SUMMARY = "awaiting_judge_summary"
AWAITING_SYNTHESIS, COMPLETED = "awaiting_synthesis", "completed"

MINOR, MAJOR = "minor", "major"
LEVELS = (MAJOR, MINOR)
"""Of a requirement, and of a point of a critique."""

FULL, PARTIAL, NONE = "full", "partial", "none"
COVERAGES = (FULL, PARTIAL, NONE)
"""How far a text meets a requirement."""

ACCEPTED, REJECTED = "accepted", "rejected"
VERDICTS = (ACCEPTED, REJECTED)
"""What an author says of a point of a critique."""

BY_COUNT, BY_CONFIDENCE, BY_NOTHING_NEW = "count", "confidence", "nothing_new"
"""What ended the exchanges."""

MOST_CONFIDENCE = 100
CONFIDENCE_CAP = 40
"""The judge's confidence at most, while a major requirement is unmet."""
MOST_CRITIQUE_POINTS = 5
MOST_NAMED_REQUIREMENTS = 12
"""That the judge may name: everybody goes through all of them, again and again."""


class Phase(NamedTuple):
    """What a phase asks for: the kind of entries its replies become, and the form of a reply.

    `number` goes into the id of an absence.
    """

    number: int
    label: str
    kind: str
    template: str
    schema: str


PHASES: Mapping[str, Phase] = {
    AWAITING_QUESTIONS: Phase(1, "clarifying questions", QUESTION, "questions", "design-questions"),
    AWAITING_REQUIREMENTS: Phase(
        2, "requirements", REQUIREMENTS, "requirements", "design-requirements"
    ),
    AWAITING_SUMMARIES: Phase(3, "summaries", SUMMARY, "summary", "design-summary"),
    AWAITING_PROPOSALS: Phase(4, "proposals", PROPOSAL, "proposal", "design-proposal"),
    AWAITING_CRITIQUES: Phase(5, "critiques", CRITIQUE, "critique", "design-critiques"),
    AWAITING_REFINEMENTS: Phase(6, "refinements", REFINEMENT, "refinement", "design-refinement"),
    AWAITING_ASSESSMENT: Phase(7, "assessment", ASSESSMENT, "assessment", "design-assessment"),
    AWAITING_JUDGE_SUMMARY: Phase(
        8, "the judge's summary", SUMMARY, "judge-summary", "design-summary"
    ),
    AWAITING_SYNTHESIS: Phase(9, "synthesis", SYNTHESIS, "synthesis", "design-synthesis"),
}
"""Every phase in which replies are awaited, in order; one that nobody has a task in is left out."""


def absence_number(phase: str, round_: int = 0) -> int:
    """Return the number in the id of an absence; `round_` is that of the questions, from 1."""
    return 10 * PHASES[phase].number + round_
