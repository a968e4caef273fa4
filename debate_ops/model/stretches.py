"""Stretches of a text that say nothing: longer than any layout of code or of a table needs them."""

from __future__ import annotations

import re

from debate_ops.model.texts import UNSEEN

BLANKS = 200
"""How many blanks and invisible characters may come in a row."""
LINE_BREAKS = 20
"""How many line breaks may, with nothing but blanks between them."""
MARKS = 8
"""How many combining marks may stand on one letter."""

_BLANK = rf"[\s{UNSEEN}]{{{LINE_BREAKS + 1},}}+"
_MARKED = (
    r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
    rf"{{{MARKS + 1},}}+"
)


def too_long(text: str) -> tuple[str, str]:
    r"""Return what comes too often in a row in a text, and how often it may; else nothing.

    >>> too_long("a" + " " * 300), too_long("a\n b")
    (('300 blanks in a row', 'at most 200'), ('', ''))
    """
    if marked := re.search(_MARKED, text):
        return f"{len(marked[0])} marks on one letter", f"at most {MARKS}"
    for blank in re.finditer(_BLANK, text):
        breaks = blank[0].count("\n")
        if breaks > LINE_BREAKS:
            return f"{breaks} line breaks in a row", f"at most {LINE_BREAKS}"
        if len(blank[0]) > BLANKS:
            return f"{len(blank[0])} blanks in a row", f"at most {BLANKS}"
    return "", ""
