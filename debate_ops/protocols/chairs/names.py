"""The names of the protocol `chairs`: who acts, what comes of it, and the numbers of its rules."""

from __future__ import annotations

from collections.abc import Mapping

ARBITER, EVALUATOR, MODERATOR = "arbiter", "evaluator", "moderator"
OFFICES = (ARBITER, EVALUATOR, MODERATOR)
"""Those who act beside the chairs; no chair can have such a name."""

INTRODUCTION, OPENING, SPEECH = "introduction", "opening", "speech"
EVALUATION, FLOOR = "evaluation", "floor"
INTERJECTION, INTERRUPTION, REPLY = "interjection", "interruption", "reply"
CLOSING = "closing"

STEEL_MANNING, SELF_CRITIQUE = "steel_manning", "self_critique"
CONSISTENCY, HONESTY = "framework_consistency", "intellectual_honesty"
"""What a speech is judged by, together with the former two."""
MOST_POINTS = 25
"""Of each part of an evaluation."""

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
