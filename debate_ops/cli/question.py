"""A question in words: which protocol fits its form, and what its debate is called."""

from __future__ import annotations

import re

from debate_ops.core.texts import one_line
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import suggest_slug

USUAL_PARTICIPANTS = {
    "consensus": "customer,builder,sceptic",
    "design": "architect,security,testing",
    "chairs": "utilitarian,virtue_ethics",
}
"""Who takes part in a protocol that does not say it, where nobody else does."""
_FORMS = {
    r"which|what (should|do|can|will) we|(who|where|when) should": "consensus",
    r"how (do|should|can|could|would|might|to)|design": "design",
    r"is it (un)?ethical|is it (im)?moral": "chairs",
}
"""Beginnings of questions and the protocol for each; all else is argued for and against."""
_BEGINNING = r"^(should|shall|must|can|do|is|are|how|which|what)( (should|do|can|we|i|it|to|of))* "
_SLUG_WORDS = 7


def propose_protocol(question: str) -> str:
    """Return the protocol for questions of this form.

    >>> [*map(propose_protocol, ("Is it right?", "Which of these?", "How do we build it?"))]
    ['exchange', 'consensus', 'design']
    """
    found = (p for form, p in _FORMS.items() if re.match(rf"({form})\b", question, re.IGNORECASE))
    return next(found, "exchange")


def propose_slug(question: str) -> str:
    """Return the name of a question's debate.

    >>> propose_slug("Should we move our database before the season?")
    'move-our-database-before-the-season'
    """
    words = re.sub(_BEGINNING, "", one_line(question), flags=re.IGNORECASE).split()
    slug = suggest_slug(" ".join(words[:_SLUG_WORDS]))
    return slug or f"question-{digest_text(question)[:8]}"
