"""Texts as such: whether one says anything at all."""

from __future__ import annotations

import re

VISIBLE = r"[^\s\u200b-\u200f\u2060\ufeff]"
"""Pattern of a character that a text says something with.

It is neither white space nor a mark without width (U+200B to U+200F, U+2060, U+FEFF), of which a
text alone looks empty. The schemas of replies write it out.
"""

_VISIBLE = re.compile(VISIBLE)


def is_blank(text: str) -> bool:
    r"""Tell whether a text has nothing to be seen.

    >>> is_blank(" \n"), is_blank("\u200b"), is_blank("a\u200b")
    (True, True, False)
    """
    return _VISIBLE.search(text) is None


def trimmed(text: str) -> str:
    r"""Return a text without the white space around it; nothing of a blank one.

    >>> trimmed(" a b\n"), trimmed(" \u200b ")
    ('a b', '')
    """
    return "" if is_blank(text) else text.strip()
