"""What the replies about a speech have in common: which one it is, and words quoted from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from debate_ops.errors import Finding
from debate_ops.formats.prose import unescape
from debate_ops.model.texts import is_blank
from debate_ops.protocols.chairs import course, names
from debate_ops.protocols.schedule import Replied, added

_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032`\u00b4"), "'")
_QUOTES |= dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"')


def speech_id(replied: Replied) -> str:
    """Return the id of the speech that a reply is about."""
    return course.speech_of(replied.past, replied.slot).id


SPEECH_FIELD = added("speech", speech_id)
"""Where an entry says what it is about."""


def is_quoted(quote: str, text: str) -> bool:
    r"""Tell whether `quote` stands in `text`, white space, case and the form of quotes apart.

    It may be copied from a prompt, where the text is escaped as in the record.

    >>> is_quoted("the  “Common” GOOD", "It is the \"common\" good."), is_quoted("", "a")
    (True, False)
    """
    forms = (_bare(quote), _bare(unescape(quote)))
    return any(form and form in _bare(text) for form in forms)


def _bare(text: str) -> str:
    return " ".join(text.translate(_QUOTES).casefold().split())


def quotation_faults(replied: Replied, key: str) -> Iterator[Finding]:
    """Yield that what stands under a key is not in the speech that a reply is about."""
    quote, speech = replied.value.get(key), speech_id(replied)
    if not isinstance(quote, str) or is_blank(quote):
        return
    section = _section(replied.past.read(speech), names.SPEECH.capitalize())
    if not is_quoted(quote, unescape(section)):
        asked = "words of the speech, copied exactly and from one place"
        yield fault("not_in_the_speech", key, f"{key} does not stand in {speech}", asked, quote)


def _section(body: str, heading: str) -> str:
    """Return the text under a heading of an entry's body, as it stands in the file."""
    _, _, rest = body.replace("\r\n", "\n").partition(f"## {heading}\n")
    return rest.partition("\n## ")[0]


def fault(code: str, key: str, message: str, expected: str, value: object = "") -> Finding:
    """Return what is wrong under a key of a reply."""
    return Finding(code, message, where=f"$.{key}", actual=str(value), expected=expected)


def none_if_blank(text: Any) -> Any:
    """Return None for a blank text, and anything else as it is."""
    return None if isinstance(text, str) and is_blank(text) else text
