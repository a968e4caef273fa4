"""Whether a quotation stands in a text: word for word, nearly, or not at all.

White space, quotation marks, the form of dashes and apostrophes, hyphens at the end of a line, soft
hyphens, ligatures and the marks of Markdown make no difference, and neither do the signs that a
quotation ends in; words, case, numbers and the punctuation within it do. An ellipsis divides a
quotation into parts, which have to stand in their order and not far apart. The work is bounded,
whatever the texts are.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

MOST_LEFT_OUT, MOST_BESIDE_FEW, FEW = 150, 20, 3
"""How many words and signs an ellipsis may stand for, and how many beside a part of a few words.

With more, a sentence that nobody wrote could be pieced together from any long text.
"""
MOST_PARTS = 12
LIKE, ALIKE = 0.65, 0.35
"""The shares from which words come near to a passage, and from which it is worth showing.

Of the corpus in the tests, sentences with a word or a number changed have 0.67 and more, and
invented ones about the same things 0.6 and less.
"""
MOST_COMPARED = 200
"""How many words and signs are looked for in a nearest passage; of more, only the first."""
_MOST_DIFFERENCES, _SHOWN = 6, 60
_MOST_TRIES = 100
"""How many places are looked at where a part may stand."""
_SPACING = "white space or hyphens within words differ"
_APART = "its parts stand in another order, or too far apart"

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
"""Letters of scripts that put no spaces between words: each is a word here."""
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufeff"
_COMBINING = "\u0300-\u036f\u3099\u309a"
_DASHES = "\\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_QUOTES = "'\"\u2018-\u201f\u2039\u203a\u00ab\u00bb\u00b4\u2032\u2033\u300c-\u300f\uff02\uff07"

_LETTER = r"[^\W\d_]"
_WORD = rf"\w[\w{_UNSEEN}{_COMBINING}]*+"
_NEXT_LINE = r"[ \t\r]*+\n[ \t>]*+"
_BROKEN_WORD = (
    rf"{_WORD}(?:(?:(?<={_LETTER})[-\u2010]|(?<=\u00ad)){_NEXT_LINE}(?={_LETTER}){_WORD})*+"
)
_APOSTROPHE = "(?<=\\w)['\u2018\u2019\u00b4\u2032\uff07](?=\\w)"
_MARKS = (
    rf"''|``|,,|[{_QUOTES}]",
    r"(?<=\n)[ \t]*+>[ \t>]*+",  # a quoted line
    r"(?<=\n)[ \t]*+[-+*\u2022](?=[ \t]++[^\s\d])",  # an item of a list
    r"(?<!\S)\*++(?=\S)|(?<=\w)\*++(?!\w)|(?<=[^\s\w*])\*++|`++",  # emphasis and code
    r"\[#p?[0-9]{1,9}\]",  # the name of a point, as it stands in a prompt
    rf"[{_UNSEEN}]",
)
_TOKEN = (
    rf"(?P<apostrophe>{_APOSTROPHE})|(?P<mark>{'|'.join(_MARKS)})|[{_UNSPACED}]"
    rf"|(?P<word>{_BROKEN_WORD})|(?P<ellipsis>\u2026|\.\.\.|\. \. \.)|(?P<dash>[{_DASHES}]++)|\S"
)
_SIGNS = {"apostrophe": "'", "dash": "-", "ellipsis": ELLIPSIS, "mark": ""}
_WITHIN = rf"[-\u2010]?(?<![ \t\r]){_NEXT_LINE}|[{_UNSEEN}]"
_COMPOSED = rf"[^{_COMBINING}][{_COMBINING}]{{1,8}}+"
_LIGATURES = dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"), 0xFB00))
_BRACKETS = {"[": "]", "(": ")"}
_ENDS = frozenset(",.;:…")

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
    """The result of a comparison.

    `passage` are the words of the text that are quoted, or come nearest, and `start` is where
    they begin; `difference` says how the quotation differs from them.
    """

    kind: Kind
    passage: str = ""
    difference: str = ""
    start: int = -1


class _Token(NamedTuple):
    """A word or a sign in its plain form, and where it stands in its text."""

    text: str
    start: int
    end: int


def _tokens(text: str) -> Iterator[_Token]:
    for match in re.finditer(_TOKEN, text):
        plain = _SIGNS.get(match.lastgroup or "")
        plain = _plain(match[0]) if plain is None else plain
        if plain:
            yield _Token(plain, *match.span())


def _plain(word: str) -> str:
    """Return a word or a sign without what makes no difference."""
    if word.isascii() and word.isalnum():
        return word
    whole = re.sub(_WITHIN, "", word).translate(_LIGATURES).strip("_")
    return re.sub(_COMPOSED, lambda match: unicodedata.normalize("NFC", match[0]), whole)


def _trimmed(words: Words) -> Words:
    """Return a quotation without the signs at its ends that need not be those of its source."""
    first, last = 0, len(words)
    while first < last and words[first] == ELLIPSIS:
        first += 1
    while first < last and words[last - 1] in _ENDS:
        last -= 1
    return words[first:last]


def _parts(words: Words) -> list[list[str]]:
    """Return the parts of a quotation between its ellipses, be they in brackets or not."""
    parts: list[list[str]] = [[]]
    for place, word in enumerate(words):
        around = (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
        if word == ELLIPSIS:
            parts.append([])
        elif not (ELLIPSIS in around and word in {*_BRACKETS, *_BRACKETS.values()}):
            parts[-1].append(word)
    return [part for part in parts if part]


class _Form(NamedTuple):
    """Words as one text in which others can be looked for; where each begins, and the text ends.

    `after` is what has to come after a part that is found.
    """

    text: str
    starts: Sequence[int]
    after: str

    def find(self, part: str, first: int, stop: int) -> Span | None:
        """Return where a part stands within a span, if it does."""
        at, limit = self.starts[first], self.starts[stop] + len(self.after)
        for _ in range(_MOST_TRIES):
            at = self.text.find(part + self.after, at, limit)
            if at < 0:
                return None
            ends = (at, at + len(part))
            begin, end = (bisect_left(self.starts, each) for each in ends)
            if (self.starts[begin], self.starts[end]) == ends:
                return begin, end
            at += 1
        return None


def _spaced(words: Words) -> list[str]:
    return [f" {word}" for word in words]


def _squeezed(words: Words) -> list[str]:
    """Return words without the hyphens between them; what joins them has spaces between numbers."""
    pieces = []
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        is_hyphen = word == "-" and before[-1:].isalpha() and after[:1].isalpha()
        gap = " " if before[-1:].isdigit() and word[0].isdigit() else ""
        pieces.append("" if is_hyphen else gap + word)
    return pieces


def _form(pieces: list[str], after: str) -> _Form:
    return _Form("".join(pieces) + after, [0, *accumulate(map(len, pieces))], after)


class Source:
    """A text that quotations are compared with."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = tuple(_tokens(text))
        self._words = [token.text for token in self._tokens]

    def compare(self, quotation: str) -> Match:
        """Compare a quotation with this text.

        >>> Source('It is the "common" good.').compare("the “common”  good").kind
        <Kind.VERBATIM: 'verbatim'>
        """
        words = _trimmed([token.text for token in _tokens(quotation)])
        parts = _parts(words)
        if not parts or len(parts) > MOST_PARTS:
            return Match(Kind.NOT_FOUND)
        if span := self._find(words):
            is_same = list(words) == self._words[slice(*span)]
            return self._match(Kind.VERBATIM, span, "" if is_same else _SPACING)
        if spans := self._in_order(parts):
            left = sum(_count(self._words[a[1] : b[0]]) for a, b in pairwise(spans))
            whole = (spans[0][0], spans[-1][1])
            return self._match(Kind.VERBATIM, whole, f"words left out at an ellipsis: {left}")
        for part in parts:
            if not self._find(part):
                return self._nearest(part)
        return self._match(Kind.NEAR, self._find(parts[0]) or (0, 0), _APART)

    def _match(self, kind: Kind, span: Span, difference: str) -> Match:
        start, end = self._tokens[span[0]].start, self._tokens[span[1] - 1].end
        return Match(kind, self.text[start:end], difference, start)

    @cached_property
    def _by_words(self) -> _Form:
        return _form(_spaced(self._words), " ")

    @cached_property
    def _by_letters(self) -> _Form:
        return _form(_squeezed(self._words), "")

    def _find(self, words: Words, first: int = 0, stop: int | None = None) -> Span | None:
        """Return where words stand within a span, if they do."""
        stop = len(self._words) if stop is None else min(stop, len(self._words))
        return self._by_words.find("".join(_spaced(words)), first, stop) or (
            self._by_letters.find("".join(_squeezed(words)), first, stop)
        )

    def _in_order(self, parts: list[list[str]]) -> list[Span]:
        """Return where the parts of a quotation stand, each near the one before; none otherwise."""
        first = self._find(parts[0])
        for _ in range(_MOST_TRIES):
            if first is None:
                break
            spans = [first]
            for before, part in pairwise(parts):
                few = min(_count(before), _count(part)) < FEW
                most = MOST_BESIDE_FEW if few else MOST_LEFT_OUT
                end = spans[-1][1]
                if not (span := self._find(part, end, end + most + len(part))):
                    break
                spans.append(span)
            else:
                return spans
            first = self._find(parts[0], first[0] + 1)
        return []

    def _nearest(self, words: Words) -> Match:
        """Return the passage that comes nearest to words that do not stand in the text.

        Case apart, it is around their longest run there that has no word which is everywhere in the
        text: so the work is bounded, whatever both are.
        """
        sought, text = (
            [w.casefold() for w in each] for each in (words[:MOST_COMPARED], self._words)
        )
        core = SequenceMatcher(None, sought, text, autojunk=True).find_longest_match()
        slack = len(sought) // 4 + 2
        first = max(0, core.b - core.a - slack)
        around = text[first : max(0, core.b - core.a + len(sought) + slack)]
        matcher = SequenceMatcher(None, sought, around, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if not blocks:
            return Match(Kind.NOT_FOUND)
        begin = max(0, first + blocks[0].b - blocks[0].a)
        end = min(len(text), first + blocks[-1].b + len(sought) - blocks[-1].a)
        common = sum(block.size for block in blocks) / max(len(sought), end - begin)
        share = len(sought) / len(words) * common  # of the words looked for, or of its own
        if share < ALIKE:
            return Match(Kind.NOT_FOUND)
        kind = Kind.NEAR if share >= LIKE else Kind.NOT_FOUND
        return self._match(kind, (begin, end), describe_difference(self._words[begin:end], words))


def describe_difference(passage: Words, words: Words) -> str:
    """Return in words how some differ from those of a passage.

    >>> describe_difference("it is not so".split(), "it is quite so".split())
    '"quite" in place of "not"'
    """
    steps = []
    matcher = SequenceMatcher(None, passage, words[:MOST_COMPARED], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        texts = (" ".join(part) for part in (passage[a:b], words[c:d]))
        out, put_in = (t if len(t) <= _SHOWN else f"{t[:_SHOWN]} …" for t in texts)
        forms = {"replace": f'"{put_in}" in place of "{out}"', "delete": f'"{out}" left out'}
        if tag != "equal":
            steps.append(forms.get(tag, f'"{put_in}" added'))
    more = len(steps) - _MOST_DIFFERENCES
    return "; ".join([*steps[:_MOST_DIFFERENCES], *([f"and {more} more"] if more > 0 else [])])


def _count(words: Words) -> int:
    """Return how many of words and signs are words."""
    return sum(word[0].isalnum() for word in words)
