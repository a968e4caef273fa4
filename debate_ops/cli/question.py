"""A question: the protocol for it, the name of its debate, how much of it is to be held."""

from __future__ import annotations

import os
import re
from typing import Any

from debate_ops import engine
from debate_ops.cli import config
from debate_ops.core.errors import UsageError
from debate_ops.core.texts import one_line
from debate_ops.engine import store
from debate_ops.engine.debate_file import read_framing
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import Folder, suggest_slug
from debate_ops.protocols import load_protocol

USUAL_SETTINGS: dict[str, dict[str, Any]] = {
    "consensus": {
        "participants": [
            {"name": "customer", "perspective": "You stand for those whom the decision is for."},
            {"name": "builder", "perspective": "You would carry it out, and know what that takes."},
            {"name": "sceptic", "perspective": "You look for what could go wrong, or is assumed."},
        ]
    },
    "design": {"participants": "architect,security,testing"},
    "chairs": {"participants": "utilitarian,virtue_ethics"},
    "formal": {"judge": "one"},
    "speeches": {"participants": "proposition:yes,opposition:no", "judge": "one"},
}
"""Settings of a debate on a question, where nobody says otherwise."""
ASKED = 'The question that was asked: "{}"'
"""How a question stands in the scope of a debate on another motion."""
_FORMS = {
    r"how (do|should|can|could|would|might|to)|design": "design",
    r"which|what|who|when|where|how": "consensus",
    r"is (it|this|that) (un|im)?(ethical|moral|fair)": "chairs",
}
"""What a question begins with and the protocol for it; all else is argued for and against."""
_BEGINNING = r"^(should|shall|must|can|do|is|are|how|which|what)( (should|do|can|we|i|it|to|of))* "
_SLUG_WORDS, _SHORT_SLUG = 6, 2


def propose_protocol(question: str) -> str:
    """Return the protocol that is set, or else the one for questions of this form.

    >>> [*map(propose_protocol, ("Is that fair?", "Which of these?", "How do we build it?"))]
    ['chairs', 'consensus', 'design']
    """
    found = (p for form, p in _FORMS.items() if re.match(rf"({form})\b", question, re.IGNORECASE))
    return str(config.find_value("protocol") or next(found, "exchange"))


def propose_slug(question: str) -> str:
    """Return the name of a question's debate, which its first words make.

    >>> propose_slug("Should we move our database to a server before the season?")
    'move-our-database-to-a-server'
    >>> [*map(propose_slug, ("Ist das schön?", "該用 AI 嗎?"))]
    ['ist-das-schoen', 'question-4309a4c4']
    """
    words = re.sub(_BEGINNING, "", one_line(question), flags=re.IGNORECASE).split()
    slug = suggest_slug(" ".join(words[:_SLUG_WORDS]))
    return slug if len(slug) > _SHORT_SLUG else f"question-{digest_text(question)[:8]}"


def find_debate(slug: str, question: str) -> engine.Position | None:
    """Return where the debate on a question stands; None where there is none of that name.

    Raises:
        UsageError: the name is not a slug, or its debate is about another question.
    """
    store.check_slug(slug)
    place = Folder(os.path.join(store.DEBATES, slug))
    if not os.path.lexists(place.debate_file):
        return None
    position = engine.load(place)
    framing = read_framing(position.record.body)
    there = (one_line(framing.motion), *framing.scope.splitlines())
    if not {_fold(question), _fold(ASKED.format(question))} & {*map(_fold, there)}:
        raise UsageError(
            f"{place.path} is there, and is about another question: {there[0][:200]}",
            hint="Give yours another name: 'ask --slug NAME', or 'new NAME --question'.",
        )
    return position


def _fold(text: str) -> str:
    """Return a question without what typing it again may change: capitals and end marks."""
    return one_line(text).casefold().strip('?!."\uff1f ')


def choose_exchanges(position: engine.Position, exchanges: int | None = None) -> int | None:
    """Return how many exchanges to ask for: of a debate that was begun, what it lacks of these."""
    request = position.header.request
    if not request and not position.debate.step:
        if position.has_end and position.protocol.cycle:
            return None  # it is held to its own end, of which `limit_exchanges` has the number
        return exchanges if position.has_end else exchanges or config.find_usual_exchanges()
    here = max(position.at.place.round, 1)
    if not exchanges or position.has_end or exchanges < (request.until if request else here):
        return None
    return exchanges + 1 - here


def limit_exchanges(protocol: str, exchanges: int | None) -> tuple[str, ...]:
    """Return the setting, if there is one, by which a debate ends after so many exchanges."""
    rules = load_protocol(protocol)
    name = f"max_{rules.cycle}s"
    return (f"{name}={exchanges}",) if exchanges and name in rules.Settings.model_fields else ()
