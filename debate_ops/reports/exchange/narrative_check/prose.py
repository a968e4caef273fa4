"""The prose of a narrative as its reader sees it: blocks, sentences, quotations, with places."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from debate_ops.errors import Finding

_SINGLE, _SINGLE_END, _LOW = "\u2018", "\u2019", "\u201a"
_ANGLE, _ANGLE_END = "\u2039", "\u203a"

MARKS = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "»": "«",
    _ANGLE: _ANGLE_END,
    "「": "」",
    "『": "』",
    _SINGLE: _SINGLE_END,
    _LOW: f"{_SINGLE}{_SINGLE_END}",
    '"': '"',
    "'": "'",
}
"""Quotation marks that open, and those that close what they opened."""

_NESTING = "“„«「『"
_LETTER_MARKS = f"{_SINGLE}{_LOW}{_SINGLE_END}'"
"""Marks that are apostrophes too: they only count at the edge of a word."""

_BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_CITED = re.compile(r"[ \t]{0,3}>")
_UNSEEN = re.compile(
    r"(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|`+|\*+|~~+|(?<![^\W_])_+|_+(?![^\W_])"
    r"|(?P<space>\s+)"
)
_DASHES = str.maketrans(dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{MINUS SIGN}", "-"))
_ENDS = re.compile(
    rf"(?:(?<![.!?…])[.!?…]++[)\]”{_SINGLE_END}\"'»]*+\s++(?=[^a-z\s]|[a-z-]++_[0-9])"
    r"|[。\uff01\uff1f]+)"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|no|ca)|(?<![\w])[A-Z])\.\Z")
_EMPHASIS = re.compile(r"(?<![\w*\\])([*_]{1,3})(?=[^\s*_])([^*\n]+?)(?<=[^\s*_\\])\1(?![\w*])")
_LONGEST = 1000
_HIDDEN = "\u200b\u2060\ufeff\u00ad"


class Quotation(NamedTuple):
    """Words between quotation marks: the text within them, and where the marks stand.

    `closed` is False where no mark ends it. `block` is True for lines that begin with `>`.
    """

    words: str
    start: int
    end: int
    closed: bool = True
    block: bool = False


class Block(NamedTuple):
    """A paragraph or a heading, without its markup.

    `places` say where each character of `text` stands in the narrative. `masked` has the same
    length with the words in quotation marks blanked: what is left is said by the narrator.
    """

    text: str
    masked: str
    places: tuple[int, ...]
    quotations: tuple[Quotation, ...]

    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Return where each sentence begins and ends."""
        ends = [
            match.end()
            for match in _ENDS.finditer(self.masked)
            if not _ABBREVIATION.search(self.masked[: match.start() + 1])
        ]
        edges = [0, *ends, len(self.masked)]
        spans = (span for a, b in pairwise(edges) for span in _cut(a, b))
        return tuple((a, b) for a, b in spans if self.masked[a:b].strip())


class Sentence(NamedTuple):
    """One sentence: its words with quotations blanked, and where it begins in its paragraph."""

    text: str
    block: Block
    start: int

    def finding(self, text: str, offset: int, found: Finding) -> Finding:
        """Return a finding with the line and column of a place in the sentence."""
        places = self.block.places
        return at(text, places[min(self.start + offset, len(places) - 1)], found)


def blocks(text: str) -> tuple[Block, ...]:
    """Return the paragraphs and headings of a narrative."""
    return tuple(_block(text, start, end) for start, end in _spans(text))


def sentences(block: Block) -> tuple[Sentence, ...]:
    """Return the sentences of a paragraph."""
    return tuple(
        Sentence(block.masked[start:end], block, start) for start, end in block.sentences()
    )


def emphasised(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words that stand in italics or bold, and where."""
    for match in _EMPHASIS.finditer(text):
        yield match[2], match.start()


def at(text: str, offset: int, finding: Finding) -> Finding:
    """Return a finding with the line and column of an offset in the narrative."""
    line = text.count("\n", 0, offset) + 1
    return finding._replace(line=line, column=offset - text.rfind("\n", 0, offset))


def plain(text: str) -> str:
    """Return a text of the record as the sentences of a narrative are compared with it."""
    return _visible(text, 0)[0]


def _cut(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence in pieces that are not too long to be searched again and again."""
    for place in range(start, end, _LONGEST):
        yield place, min(place + _LONGEST, end)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    edges = [0, *(edge for m in _BLANK.finditer(text) for edge in m.span()), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield from _lines_apart(text, start, end)


def _lines_apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of a paragraph, each heading line and the first line with `>` set apart."""
    begun = place = start
    while place < end:
        stop = text.find("\n", place, end)
        stop = end if stop < 0 else stop + 1
        heading, cited = _HEADING.match(text, place), _CITED.match(text, place)
        if heading or (cited and not _CITED.match(text, begun)):
            yield from ([(begun, place)] if text[begun:place].strip() else [])
            yield from ([(place, stop)] if heading else [])
            begun = stop if heading else place
        place = stop
    if text[begun:end].strip():
        yield begun, end


def _block(text: str, start: int, end: int) -> Block:
    raw = text[start:end]
    words, places = _visible(raw, start)
    if _CITED.match(raw):
        said = re.sub(r"(?:\A|(?<= ))>\s?", "", words)
        return Block(words, " " * len(words), places, (Quotation(said, 0, len(words), block=True),))
    found = tuple(_quotations(words))
    return Block(words, _masked(words, found), places, found)


def _visible(raw: str, start: int) -> tuple[str, tuple[int, ...]]:
    """Return what a reader sees of Markdown, and where each character of it comes from."""
    shown: list[str] = []
    places: list[int] = []
    done = 0

    def add(piece: str, where: int, *, moving: bool = True) -> None:
        for number, character in enumerate(piece):
            if character not in _HIDDEN:
                shown.append(_digit(character))
                places.append(start + where + (number if moving else 0))

    for match in _UNSEEN.finditer(raw):
        add(raw[done : match.start()], done)
        kept = html.unescape(match["entity"]) if match["entity"] else match["escaped"] or ""
        add(" " if match["space"] else kept, match.start(), moving=False)
        done = match.end()
    add(raw[done:], done)
    return "".join(shown), tuple(places)


def _digit(character: str) -> str:
    """Return an ASCII digit or hyphen for one of another script or width."""
    if character.isascii():
        return character
    value = unicodedata.decimal(character, None)
    return character.translate(_DASHES) if value is None else str(value)


def _quotations(text: str) -> Iterator[Quotation]:
    place = 0
    unclosed: set[str] = set()
    while place < len(text):
        mark = text[place]
        if mark in MARKS and mark not in unclosed and _opens(text, place):
            end = _closing(text, place)
            if end < 0:
                unclosed.add(mark)
            if end > 0:
                yield Quotation(text[place + 1 : end], place, end + 1)
                place = end
            elif mark in _NESTING:
                yield Quotation(text[place + 1 :], place, len(text), closed=False)
                return
        place += 1


def _opens(text: str, place: int) -> bool:
    before = text[place - 1 : place]
    after = text[place + 1 : place + 2]
    if text[place] in f"\"»'{_SINGLE}{_LOW}":
        return not before.isalnum() and bool(after.strip() or text[place] == "»")
    return True


def _closing(text: str, place: int) -> int:
    opened, closers = text[place], MARKS[text[place]]
    depth = 0
    for end in range(place + 1, len(text)):
        character = text[end]
        if character == opened and character not in closers and opened in _NESTING:
            depth += 1
        elif character in closers and _closes(text, end):
            if depth == 0:
                return end
            depth -= 1
    return -1


def _closes(text: str, end: int) -> bool:
    after = text[end + 1 : end + 2]
    if text[end] in _LETTER_MARKS:
        return bool(text[end - 1].strip()) and not after.isalnum()
    return True


def _masked(text: str, quotations: tuple[Quotation, ...]) -> str:
    masked = list(text)
    for item in quotations:
        inner = range(item.start + 1, item.end - (1 if item.closed else 0))
        for place in inner:
            ends = place == inner[-1] and text[place] in ".!?"
            masked[place] = text[place] if ends else " "
    return "".join(masked)
