"""The passage of a text that words come nearest to, and how they differ from it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

LIKE = 0.65
"""The share from which words come near to a passage.

Of the corpus in the tests, sentences with a word or a number changed have 0.67 and more, and
invented ones about the same things 0.6 and less.
"""
ALIKE = 0.35
"""The share from which a passage is worth showing beside words that are not found."""
MOST_COMPARED = 200
"""How many words and signs are looked for; of more, only the first."""
_MOST_DIFFERENCES, _SHOWN = 6, 60

Words = Sequence[str]
Span = tuple[int, int]


class Nearest(NamedTuple):
    """A passage, and what share of the words that were looked for, or of its own, are in both.

    Of the two the smaller share; 0 where nothing is alike.
    """

    share: float
    span: Span


def nearest(words: Words, text: Words) -> Nearest:
    """Return the passage of a text that words come nearest to, case apart.

    It is around their longest run there that has no word which is everywhere in the text: so the
    work is bounded, whatever both are.
    """
    sought, folded = ([word.casefold() for word in each] for each in (words[:MOST_COMPARED], text))
    core = SequenceMatcher(None, sought, folded, autojunk=True).find_longest_match()
    slack = len(sought) // 4 + 2
    first = max(0, core.b - core.a - slack)
    last = min(len(folded), core.b - core.a + len(sought) + slack)
    blocks = [b for b in _matcher(sought, folded[first:last]).get_matching_blocks() if b.size]
    if not blocks:
        return Nearest(0, (first, last))
    begin = max(0, first + blocks[0].b - blocks[0].a)
    end = min(len(folded), first + blocks[-1].b + len(sought) - blocks[-1].a)
    common = sum(block.size for block in blocks)
    whole = len(sought) / len(words)
    return Nearest(whole * common / max(len(sought), end - begin), (begin, end))


def _matcher(one: Words, other: Words) -> SequenceMatcher[str]:
    return SequenceMatcher(None, one, other, autojunk=False)


def difference(passage: Words, words: Words) -> str:
    """Return in words how some differ from those of a passage.

    >>> difference("it is not so".split(), "it is quite so".split())
    '"quite" in place of "not"'
    """
    steps = [
        _step(_excerpt(passage[a:b]), _excerpt(words[c:d]))
        for tag, a, b, c, d in _matcher(passage, words[:MOST_COMPARED]).get_opcodes()
        if tag != "equal"
    ]
    more = len(steps) - _MOST_DIFFERENCES
    return "; ".join([*steps[:_MOST_DIFFERENCES], *([f"and {more} more"] if more > 0 else [])])


def _step(left_out: str, put_in: str) -> str:
    if left_out and put_in:
        return f'"{put_in}" in place of "{left_out}"'
    return f'"{left_out}" left out' if left_out else f'"{put_in}" added'


def _excerpt(words: Words) -> str:
    text = " ".join(words)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
