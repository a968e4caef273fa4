"""The passage of a text that words come nearest to, and how they differ from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
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
_MOST_PLACES = 100
"""At how many places of the text a group of words is looked at."""
_MOST_WINDOWS = 3
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
    """Return the passage of a text that words come nearest to, case apart."""
    folded, sought = _folded(text), _folded(words)[:MOST_COMPARED]
    passages = [_within(sought, folded, window) for window in _windows(sought, folded)]
    best = max(passages, default=Nearest(0, (0, 0)))
    whole = len(sought) / max(1, len(words))
    return best._replace(share=best.share * whole)


def _folded(words: Words) -> list[str]:
    return [word.casefold() for word in words]


def _windows(words: Words, text: Words) -> Iterator[Span]:
    """Yield where words may stand: where most of their pairs are, the rare ones above all.

    Where no pair is, single words are looked for.
    """
    size = len(words)
    for length in (2, 1):
        places = _places(set(_groups(words, length)), text, length)
        votes: Counter[int] = Counter()
        for own, group in enumerate(_groups(words, length)):
            for place in places.get(group, ()):
                votes[(place - own) // size] += len(text) // len(places[group])
        for stretch, _ in votes.most_common(_MOST_WINDOWS):
            start = stretch * size
            yield max(0, start - size), max(0, min(len(text), start + 3 * size))
        if votes:
            return


def _groups(words: Words, length: int) -> Iterator[Words]:
    return zip(*(words[start:] for start in range(length)), strict=False)


def _places(sought: set[Words], text: Words, length: int) -> dict[Words, list[int]]:
    """Return where groups of words are in a text, of each the first places."""
    places: dict[Words, list[int]] = defaultdict(list)
    for place, group in enumerate(_groups(text, length)):
        if group in sought and len(places[group]) < _MOST_PLACES:
            places[group].append(place)
    return places


def _within(words: Words, text: Words, window: Span) -> Nearest:
    """Return the passage of a window that words come nearest to: around their longest run."""
    start, stop = window
    core = _matcher(text[start:stop], words).find_longest_match()
    slack = len(words) // 4 + 2
    first = max(start, start + core.a - core.b - slack)
    last = min(stop, start + core.a - core.b + len(words) + slack)
    blocks = [b for b in _matcher(text[first:last], words).get_matching_blocks() if b.size]
    if not blocks:
        return Nearest(0, window)
    begin = max(first, first + blocks[0].a - blocks[0].b)
    after = len(words) - blocks[-1].b  # from the last words in common on
    end = min(last, first + blocks[-1].a + after)
    common = sum(block.size for block in blocks)
    return Nearest(common / max(len(words), end - begin), (begin, end))


def _matcher(text: Words, words: Words) -> SequenceMatcher[str]:
    return SequenceMatcher(None, text, words, autojunk=False)


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
