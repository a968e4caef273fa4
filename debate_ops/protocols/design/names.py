"""The names of the protocol `design`: who acts, in which phase, and what comes of it."""

from __future__ import annotations

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
"""How far a text meets a requirement."""

ACCEPTED, REJECTED = "accepted", "rejected"
VERDICTS = (ACCEPTED, REJECTED)
"""What an author says of a point of a critique."""

BY_COUNT, BY_CONFIDENCE, BY_NOTHING_NEW = "count", "confidence", "nothing_new"
"""What ended the exchanges."""

MOST_CONFIDENCE = 100
CONFIDENCE_CAP = 40
"""The judge's confidence at most, while a major requirement is unmet."""
