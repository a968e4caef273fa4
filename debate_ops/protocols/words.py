"""Words: what white space separates; counting them, and what a text that has too many comes to."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from debate_ops.errors import Finding

MARK = "..."
"""What stands at the end of a text that was cut."""

_WORD = re.compile(r"\S+")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")  # noqa: RUF001  (full-width marks too)
_NEAR_THE_END = 15
"""In which last per cent of what may be kept the end of a sentence is looked for."""


class Cut(NamedTuple):
    """A text in two: what is kept, without the mark, and what is left out; together the whole."""

    kept: str
    left_out: str


def count(text: str) -> int:
    r"""Return how many words a text has.

    >>> count("one  two\nthree")
    3
    """
    return len(text.split())


def cut(text: str, most: int) -> Cut:
    """Return at most `most` words of a text, to the end of a sentence if one is near; and the rest.

    White space and paragraphs stay as they are. A text within the limit, or no limit (0), leaves
    nothing out.

    >>> cut("One two. Three four.", 3)
    Cut(kept='One two. Three', left_out=' four.')
    """
    words = list(_WORD.finditer(text)) if most else []
    if len(words) <= most:
        return Cut(text, "")
    least = most - most * _NEAR_THE_END // 100
    last = next(
        (
            place
            for place in range(most, least - 1, -1)
            if _SENTENCE_END.search(words[place - 1][0])
        ),
        most,
    )
    end = words[last - 1].end()
    return Cut(text[:end], text[end:])


def over(name: str, text: Any, most: int) -> Finding | None:
    """Return the finding that a text of this name has more than `most` words; 0 is no limit."""
    number = count(text) if isinstance(text, str) else 0
    if not most or number <= most:
        return None
    message = f"{name} has {number} words, wanted at most {most}"
    return Finding("word_limit", message, found=f"{number} words", wanted=f"at most {most} words")


def joined(shown: str, left_out: str) -> str:
    """Return the whole text of which `shown`, with its mark, and `left_out` are the parts."""
    return shown.removesuffix(MARK) + left_out if left_out else shown
