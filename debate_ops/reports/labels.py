"""What the lines of a decision note are called, where all protocols have such a line."""

from __future__ import annotations

VERDICT = "Verdict"
UNANSWERED = "Unanswered"
CHANGES = "Would change it"

QUOTE = 120
"""Characters of a participant's words in a line of the note."""
