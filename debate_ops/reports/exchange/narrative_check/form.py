"""The form of a narrative: no markup but headings and emphasis, four parts, 500 to 600 words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.reports.exchange.narrative_check import prose

LENGTH = (500, 600)
PARTS = 4

_WORD_LENGTH = 20
_MARKUP = re.compile(
    r"<!--|<(?=[A-Za-z/!?])|!\[|\]\(|^[ ]{0,3}(?:```|~~~)|^[ ]{0,3}\[[^\]\n]+\]:|\bhttps?://|\bwww\.",
    re.MULTILINE | re.IGNORECASE,
)
_TURNING = re.compile(
    "[\u202a-\u202e\u2066-\u2069]|(?<=[0-9.,+\\-_])[\u200b-\u200f\u2060\u00ad\ufeff]"
)
_PART = re.compile(r"^##[ \t]+\S", re.MULTILINE)
_HEADING = re.compile(r"^#.*$", re.MULTILINE)
_KINDS = {"<": "an HTML tag or comment", "!": "a picture", "]": "a link", "[": "a link"}


def markup(text: str) -> Iterator[Finding]:
    """Yield what does not belong in a narrative: tags, links, pictures, code, hidden characters."""
    for match in _MARKUP.finditer(text):
        found = match[0].strip()
        is_address = found[0] in "hHwW"
        kind = "an address" if is_address else _KINDS.get(found[0], "a code fence")
        message = f"{kind} does not belong in a narrative"
        yield prose.at(text, match.start(), Finding("markup", message, found=found))
    for match in _TURNING.finditer(text):
        message = "a hidden character does not belong in a narrative"
        name = f"U+{ord(match[0]):04X}"
        yield prose.at(text, match.start(), Finding("markup", message, found=name))


def parts(text: str) -> Iterator[Finding]:
    """Warn of parts that are missing or too many."""
    found = len(_PART.findall(text))
    if found != PARTS:
        message = f"the narrative has {found} parts under headings of the second level"
        yield Finding("report_parts", message, found=str(found), wanted=str(PARTS))


def length(text: str) -> Iterator[Finding]:
    """Warn of a length that was not asked for, in languages that set spaces between words."""
    words = _HEADING.sub("", text).split()
    if not words or sum(map(len, words)) / len(words) > _WORD_LENGTH:
        return
    least, most = LENGTH
    if not least <= len(words) <= most:
        message = f"the narrative has {len(words)} words, wanted {least} to {most}"
        yield Finding("report_length", message, found=f"{len(words)} words")
