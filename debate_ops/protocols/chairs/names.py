"""The names of the protocol `chairs`: who acts, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

ARBITER, EVALUATOR, MODERATOR = "arbiter", "evaluator", "moderator"
OFFICES = (ARBITER, EVALUATOR, MODERATOR)
"""Those who act beside the chairs; no chair can have such a name."""

INTRODUCTION, OPENING, SPEECH = "introduction", "opening", "speech"
EVALUATION, FLOOR = "evaluation", "floor"
INTERJECTION, INTERRUPTION, REPLY = "interjection", "interruption", "reply"
CLOSING = "closing"

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

MOST_WORDS: Mapping[str, int] = {
    INTRODUCTION: 350,
    OPENING: 350,
    SPEECH: 300,
    INTERJECTION: 75,
    INTERRUPTION: 250,
    REPLY: 180,
    CLOSING: 500,
}
"""How many words a text may have, by kind: as debates that this protocol is modelled on ask for."""
