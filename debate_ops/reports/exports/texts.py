"""Texts of the record in files that keep their line breaks."""

from __future__ import annotations

import re

from debate_ops.reports.text import shown

_BREAK = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_TAB = "\t"


def plain(text: str) -> str:
    r"""Return a text with its line breaks as LF, and without characters that cannot be shown.

    >>> plain("a\r\nb\x00")
    'a\nb'
    """
    lines = _BREAK.sub("\n", text).split("\n")
    return "\n".join(_TAB.join(map(shown, line.split(_TAB))) for line in lines)
