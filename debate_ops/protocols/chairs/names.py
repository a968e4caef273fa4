"""The names of the protocol `chairs`: who acts, in which phase, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from debate_ops.model.ids import entry_id

ARBITER, EVALUATOR, MODERATOR = "arbiter", "evaluator", "moderator"
OFFICES = (ARBITER, EVALUATOR, MODERATOR)
"""Those who act beside the chairs; no chair can have such a name."""

INTRODUCTION, OPENING, SPEECH = "introduction", "opening", "speech"
EVALUATION, FLOOR = "evaluation", "floor"
INTERJECTION, INTERRUPTION, REPLY = "interjection", "interruption", "reply"
CLOSING, ABSENCE = "closing", "absence"

AWAITING_INTRODUCTION, AWAITING_OPENINGS = "awaiting_introduction", "awaiting_openings"
AWAITING_SPEECH, AWAITING_REACTIONS = "awaiting_speech", "awaiting_reactions"
AWAITING_INTERJECTION = "awaiting_interjection"
AWAITING_INTERRUPTION, AWAITING_REPLY = "awaiting_interruption", "awaiting_reply"
AWAITING_CLOSING, COMPLETED = "awaiting_closing", "completed"

STRONG, ADEQUATE, WEAK, ABSENT = "strong", "adequate", "weak", "absent"
QUALITIES = (STRONG, ADEQUATE, WEAK, ABSENT)
HIGH, MEDIUM, LOW = "high", "medium", "low"
HONESTIES = (HIGH, MEDIUM, LOW)

STEEL_MANNING, SELF_CRITIQUE = "steel_manning", "self_critique"
CONSISTENCY, HONESTY = "framework_consistency", "intellectual_honesty"
PARTS = (STEEL_MANNING, SELF_CRITIQUE, CONSISTENCY, HONESTY)
"""What a speech is judged by; the first two only where the debate requires them."""
MOST_POINTS = 25
"""Of each part."""

STRAW_MANNING, MISSING_SELF_CRITIQUE = "straw_manning", "missing_self_critique"
FRAMEWORK_INCONSISTENCY, RHETORICAL_EVASION = "framework_inconsistency", "rhetorical_evasion"
VIOLATIONS = (
    STRAW_MANNING,
    MISSING_SELF_CRITIQUE,
    FRAMEWORK_INCONSISTENCY,
    RHETORICAL_EVASION,
)
"""The kinds of violation; of several, the first counts."""

FACTUAL_CORRECTION, STRAW_MAN_DETECTED = "factual_correction", "straw_man_detected"
DIRECT_CHALLENGE, CLARIFICATION_NEEDED = "direct_challenge", "clarification_needed"
STRONG_AGREEMENT, PIVOTAL_POINT = "strong_agreement", "pivotal_point"
REASONS = (
    FACTUAL_CORRECTION,
    STRAW_MAN_DETECTED,
    DIRECT_CHALLENGE,
    CLARIFICATION_NEEDED,
    STRONG_AGREEMENT,
    PIVOTAL_POINT,
)
"""Why a chair may cut in."""

LINKS: Mapping[str, str] = {
    FACTUAL_CORRECTION: "attacks",
    STRAW_MAN_DETECTED: "attacks",
    DIRECT_CHALLENGE: "attacks",
    STRONG_AGREEMENT: "defends",
}
"""What an interruption is to the speech, by its reason; for the others it is neither."""

THRESHOLDS: Mapping[int, int] = {1: 900, 2: 800, 3: 700, 4: 600, 5: 500}
"""Aggressiveness to the urgency, in thousandths, from which a chair may cut in."""


class Kind(NamedTuple):
    """What a kind of entry comes from: a phase, its template and the schema of the reply.

    `number` goes into the id of an absence, `heading` stands above the text, `words` are how many
    it may have.
    """

    number: int
    phase: str
    template: str
    schema: str
    heading: str
    words: int = 0


KINDS: Mapping[str, Kind] = {
    INTRODUCTION: Kind(
        1, AWAITING_INTRODUCTION, "introduction", "chairs-text", "Introduction", 350
    ),
    OPENING: Kind(2, AWAITING_OPENINGS, "opening", "chairs-speech", "Opening", 350),
    SPEECH: Kind(3, AWAITING_SPEECH, "speech", "chairs-speech", "Speech", 300),
    EVALUATION: Kind(4, AWAITING_REACTIONS, "evaluation", "chairs-evaluation", "Evaluation"),
    FLOOR: Kind(5, AWAITING_REACTIONS, "floor", "chairs-floor", "Why"),
    INTERJECTION: Kind(
        6, AWAITING_INTERJECTION, "interjection", "chairs-interjection", "Interjection", 75
    ),
    INTERRUPTION: Kind(
        7, AWAITING_INTERRUPTION, "interruption", "chairs-speech", "Interruption", 250
    ),
    REPLY: Kind(8, AWAITING_REPLY, "reply", "chairs-speech", "Reply", 180),
    CLOSING: Kind(9, AWAITING_CLOSING, "closing", "chairs-text", "Closing", 500),
}
"""Every kind of entry that a reply becomes, in the order of a debate.

The lengths are those that the debates this protocol is modelled on ask for.
"""


def absence_id(participant: str, exchange: int, kind: str, place: int = 0) -> str:
    """Return the id of the absence that stands in the place of an entry."""
    return entry_id(participant, exchange, ABSENCE, 10 * KINDS[kind].number + place)
