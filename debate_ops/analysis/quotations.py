"""Whether a quotation stands in a text: word for word, nearly, or not at all.

White space, the form of quotation marks, dashes and ligatures, and the marks of Markdown make no
difference, nor do the signs that a quotation ends in; words, case, numbers and signs do. Parts that
an ellipsis divides stand in order and not far apart. The work is bounded, whatever the texts are.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from debate_ops.core.texts import UNSPACED

MOST_LEFT_OUT = 50
"""Words and signs that an ellipsis may stand for: more could piece any sentence together."""
MOST_PARTS = 12
LIKE, ALIKE = 0.65, 0.35
"""The shares from which words come near to a passage, and from which it is worth showing: with a
word or number changed sentences of the tests have 0.67 or more, invented ones 0.6 or less."""
MOST_COMPARED = 200
"""How many words and signs are looked for in a nearest passage; of more, only the first."""
_MOST_TRIES = 100

_DASHES = "\\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_QUOTES = "'\"`\u2018-\u201f\u2039\u203a\u00ab\u00bb\u00b4\u2032\u2033\u300c-\u300f\uff02\uff07"
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufeff"
_ELLIPSIS = re.compile(r"[\[(]?(?:\u2026|\.\.\.|\. \. \.)[\])]?")
_LETTER = r"[^\W\d_]"
_NEXT_LINE = r"[ \t\r]*\n[ \t>]*"
_BROKEN = re.compile(rf"(?<!{_LETTER})({_LETTER}++)[-\u2010]({_NEXT_LINE})?(?=({_LETTER}+))")
_SKIPPED = (
    r"\[#p?[0-9]{1,9}\]",  # the name of a point, as it stands in a prompt
    r"(?m:^)[ \t]*(?:[>+\u2022]|[-*](?=[ \t]+[^\s\d]))",  # a quoted line, an item of a list
    rf"(?<![^\s{_QUOTES}(\[])(?<!\w[(\[])[*_]++(?=[^\s*_])",  # where emphasis begins, and ends
    rf"(?<=[^\s*_(\[])[*_]++(?=[\s{_QUOTES}.,;:!?)\]\u2026\u2013\u2014]|\Z)",
    rf"(?<={_LETTER})[-\u2010](?={_NEXT_LINE}{_LETTER})",
)
_TOKEN = re.compile(
    rf"(?P<skipped>{'|'.join(_SKIPPED)})|(?P<apostrophe>(?<=\w)[{_QUOTES}](?=\w))|"
    rf"(?P<dash>[{_DASHES}]+)|[{UNSPACED}]|[^\W_{UNSPACED}]+|[^\s{_QUOTES}{_UNSEEN}]"
)
_SIGNS = {"apostrophe": "'", "dash": "-"}
_LIGATURES = dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"), 0xFB00))
_ENDS = ".,;:\u2026"

Words = Sequence[str]
Span = tuple[int, int]
"""From which token on, and before which."""


class Kind(StrEnum):
    """How a quotation compares with what it quotes."""

    VERBATIM = "verbatim"
    NEAR = "near"
    NOT_FOUND = "not found"
    NO_SOURCE = "no source at hand"


class Match(NamedTuple):
    """The words of the text that are quoted, or come nearest, and their line, counted from 0."""

    kind: Kind
    passage: str = ""
    line: int = -1


def _compose(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(_LIGATURES)


def _tokens(text: str) -> list[tuple[str, int, int]]:
    return [
        (_SIGNS.get(match.lastgroup or "", match[0]), *match.span())
        for match in _TOKEN.finditer(text)
        if match.lastgroup != "skipped"
    ]


def _read_part(quoted: str) -> list[str]:
    """Return the words of a part of a quotation, without the signs that it ends in."""
    words = [word for word, *_ in _tokens(quoted)]
    while words and words[-1] in _ENDS:
        words.pop()
    return words


def _squeeze(words: Words) -> list[str]:
    """Return words to be joined without spaces, but for one between two numbers."""
    return [
        f"{word} " if word[-1].isdigit() and after[:1].isdigit() else word
        for word, after in zip(words, (*words[1:], ""), strict=False)
    ]


class Source:
    """A text that quotations are compared with."""

    def __init__(self, text: str) -> None:
        self.text = _compose(text)
        self._tokens = _tokens(self.text)
        self._words = [word for word, *_ in self._tokens]
        self._broken = {(m[1], m[3]) for m in _BROKEN.finditer(self.text) if m[2]}
        squeezed = _squeeze(self._words)
        self._squeezed, self._starts = "".join(squeezed), [0, *accumulate(map(len, squeezed))]

    def compare(self, quotation: str) -> Match:
        """Compare a quotation with this text.

        >>> Source('It is the "common" good.').compare("the “common”  good").kind
        <Kind.VERBATIM: 'verbatim'>
        """
        quoted = _BROKEN.sub(self._join_broken, _compose(quotation))
        parts = [*filter(None, map(_read_part, _ELLIPSIS.split(quoted)))]
        if not parts or len(parts) > MOST_PARTS:
            return Match(Kind.NOT_FOUND)
        if spans := self._find_in_order(parts):
            return self._match(Kind.VERBATIM, (spans[0][0], spans[-1][1]))
        missing = [part for part in parts if not self._find(part)]
        return self._find_nearest((missing or parts)[0])

    def _join_broken(self, found: re.Match[str]) -> str:
        """Return a quoted word without its hyphen, if that ends a line there or in the text."""
        before, line_end, after = found.groups()
        is_broken = line_end and f"{before}-{after}" not in self.text
        return before if is_broken or (before, after) in self._broken else f"{before}-"

    def _match(self, kind: Kind, span: Span) -> Match:
        start, end = self._tokens[span[0]][1], self._tokens[span[1] - 1][2]
        return Match(kind, self.text[start:end], self.text.count("\n", 0, start))

    def _find(self, words: Words, first: int = 0, most: int | None = None) -> Span | None:
        """Return where words stand from a token on, among so many at most, if they do."""
        sought, at = "".join(_squeeze(words)), self._starts[first]
        last = len(self._words) if most is None else min(first + most, len(self._words))
        for _ in range(_MOST_TRIES):
            at = self._squeezed.find(sought, at, self._starts[last])
            if at < 0:
                break
            begin, end = (bisect_left(self._starts, each) for each in (at, at + len(sought)))
            rest = self._squeezed[at + len(sought) : self._starts[end]]
            if self._starts[begin] == at and not rest.strip():
                return begin, end
            at += 1
        return None

    def _find_in_order(self, parts: Sequence[Words]) -> list[Span]:
        """Return where the parts of a quotation stand, each near the one before; none otherwise."""
        first = self._find(parts[0])
        for _ in range(_MOST_TRIES):
            if first is None:
                break
            spans = [first]
            for part in parts[1:]:
                span = self._find(part, spans[-1][1], MOST_LEFT_OUT + len(part))
                if span is None:
                    break
                spans.append(span)
            else:
                return spans
            first = self._find(parts[0], first[0] + 1)
        return []

    def _find_nearest(self, words: Words) -> Match:
        """Return the passage around the longest run of words that do not stand there together."""
        sought, text = (
            [w.casefold() for w in each] for each in (words[:MOST_COMPARED], self._words)
        )
        core = SequenceMatcher(None, sought, text, autojunk=True).find_longest_match()
        if not core.size:
            return Match(Kind.NOT_FOUND)
        begin = max(0, core.b - core.a)
        end = min(len(text), core.b - core.a + len(sought))
        like = SequenceMatcher(None, sought, text[begin:end], autojunk=False).ratio()
        share = len(sought) / len(words) * like  # of the words looked for, or of its own
        if share < ALIKE:
            return Match(Kind.NOT_FOUND)
        return self._match(Kind.NEAR if share >= LIKE else Kind.NOT_FOUND, (begin, end))
