"""Texts broken into lines by measured width."""

from __future__ import annotations

import unicodedata
from itertools import accumulate

from debate_ops.model.texts import one_line
from debate_ops.reports.text import fit, width

_SHORTEST = 0.4
"""How much of a line a break between words has to leave filled."""

_MOST_LETTERS = 4
"""No letter that is seen is narrower than a quarter of an em: more than these never fit."""

_JOINER = "\N{ZERO WIDTH JOINER}"


def wrapped(text: str, ems: float, most: int) -> tuple[str, ...]:
    """Return `text` in at most `most` lines of at most `ems` each; what is cut ends in an ellipsis.

    >>> wrapped("defended and counter-attacked at once", 9, 3)
    ('defended and', 'counter-', 'attacked at…')
    """
    rest = one_line(text)[: int(_MOST_LETTERS * ems * most)]
    lines: list[str] = []
    while rest and len(lines) < most - 1 and width(rest) > ems:
        end = _break(rest, ems)
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return (*lines, fit(rest, ems)) if rest else tuple(lines)


def _break(text: str, ems: float) -> int:
    """Return where the first line ends: at a space or hyphen, or inside a word that is too long."""
    end = max(1, sum(used <= ems for used in accumulate(map(width, text))))
    good = max(text.rfind(" ", 0, end + 1), text.rfind("-", 0, end) + 1)
    if good > 0 and width(text[:good]) >= _SHORTEST * ems:
        return good
    while end > 1 and _is_joined(text, end):
        end -= 1
    return end


def _is_joined(text: str, end: int) -> bool:
    """Tell whether what stands before and after a place is seen as one character."""
    after = text[end : end + 1]
    return bool(after and unicodedata.combining(after)) or _JOINER in text[end - 1 : end + 1]
