"""Texts of the debate on a page or picture: one line, inert, of bounded length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from debate_ops.formats.prose import inert
from debate_ops.model.score import signed
from debate_ops.model.texts import one_line

NOT_SCORED = "not scored"
"""An argument without a score has none: that is not the same as a score of zero."""

# What ends a link, or makes a heading of a line that it begins or ends.
_CLOSING = re.compile(r"\]|(?<!\S)#")
_ENTITIES = {"\\&": "&amp;", "\\<": "&lt;", ">": "&gt;"}
"""How three escapes are written, so that they hold inside tags of ours too."""
# What makes a heading, list, rule or quotation of the line that it begins.
_BLOCK = re.compile(r"(?=[-+=:])|[0-9]{1,9}(?=[.)])")
# What emphasises, is code, or begins a line as a heading, quotation or item of a list.
_MARKS = re.compile(r"\*\*+|`+|^[ ]{0,3}(?:#{1,6}|>|[-*+])[ ]+", re.MULTILINE)
_SHORTEST = 8
# A word of the record's own, which may stand for several.
_NAME = re.compile("[a-z_]+")
_WIDTHS = {" .,:;'|!iIjl()[]": 0.4, "frt-": 0.42, "~<>=+#^": 0.84, "mwMW@%&…—": 1.0}
"""Of DejaVu Sans, which is as wide as any; most letters differ little from the rest."""
FEW = 3

_SOURCE_LENGTH = 400
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?)*_'\""
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")

Measure = Callable[[str], float]
"""How wide a character is."""
Named = TypeVar("Named", bound=StrEnum)


@lru_cache(maxsize=10_000)
def inline(text: str) -> str:
    r"""Return `text` so that it reads as itself inside a Markdown line, link or table cell.

    >>> inline("<b> *a|b* [x](https://y)")
    '&lt;b&gt; \\*a\\|b\\* \\[x\\](https\\://y)'
    """
    escaped = _CLOSING.sub(r"\\\g<0>", inert(one_line(text)))
    for escape, entity in _ENTITIES.items():
        escaped = escaped.replace(escape, entity)
    return escaped


def paragraph(text: str) -> str:
    r"""Return `text` as `inline` does, for a place where a line begins.

    >>> paragraph("- no list"), paragraph("1. no list")
    ('\\- no list', '1\\. no list')
    """
    line = inline(text)
    opening = _BLOCK.match(line)
    return f"{opening[0]}\\{line[opening.end() :]}" if opening else line


def spaced(written: str, text: str) -> str:
    """Return what was written of a text with a space at the ends where that text has some."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{written}{after}"


def shorten(text: str, length: int) -> str:
    """Return `text` on one line of at most `length` columns, cut at a word where it is cut.

    >>> shorten("A title of several words", 12)
    'A title of…'
    """
    return _cut(text, length, columns)


def excerpt(text: str, length: int) -> str:
    r"""Return the beginning of a text of several lines on one line, without marks of Markdown.

    >>> excerpt("# A plan\n- **Sell** `it`.\n- Why not_now?", 40)
    'A plan Sell it. Why not_now?'
    """
    return shorten(_MARKS.sub("", text), length)


def fit(text: str, ems: float) -> str:
    """Return `text` on one line that is at most `ems` wide in any usual sans-serif font."""
    return _cut(text, ems, ems_of)


def _cut(text: str, most: float, measure: Measure) -> str:
    text = one_line(text)
    if sum(map(measure, text)) <= most:
        return text
    used = measure("…")
    end = 0
    for character in text:
        used += measure(character)
        if used > most:
            break
        end += 1
    word_end = text.rfind(" ", 0, end + 1)
    return text[: word_end if word_end >= _SHORTEST else end].rstrip(" ,;:-") + "…"


def columns(character: str) -> int:
    """Return the width of a character in columns of a fixed font: wide ones take two."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def broken(text: str, most: float, measure: Measure = columns) -> list[str]:
    """Return `text` in lines of at most `most` columns, or of what else is measured.

    A longer word stays whole, unless it is of a script that knows no spaces.

    >>> broken("see https://example.org/a for it", 10)
    ['see', 'https://example.org/a', 'for it']
    """
    lines, used = [""], 0.0
    for word in one_line(text).split():
        is_wide = sum(map(measure, word)) > most and sum(map(columns, word)) > len(word)
        for place, piece in enumerate(word if is_wide else (word,)):
            space = " " if lines[-1] and not place else ""
            length = sum(map(measure, space + piece))
            if lines[-1] and used + length > most:
                lines.append("")
                space, length, used = "", sum(map(measure, piece)), 0
            lines[-1] += space + piece
            used += length
    return lines


def ems_of(character: str) -> float:
    """Return the width of a character, in ems of a wide sans-serif font."""
    if columns(character) != 1:
        return 0.65 * columns(character)
    for letters, ems in _WIDTHS.items():
        if character in letters:
            return ems
    return 0.79 if character.isupper() else 0.64


def wrapped(text: str, ems: float, most: int) -> tuple[str, ...]:
    """Return `text` in at most `most` lines of at most `ems` each; what is cut ends in an ellipsis.

    >>> wrapped("defended and counter-attacked at once", 9, 3)
    ('defended and', 'counter-attack…', 'at once')
    """
    lines = broken(text, ems, ems_of)
    shown = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return tuple(fit(line, ems) for line in shown if line)


def score(millis: int | None) -> str:
    """Return a score for readers, with a minus that is as wide as a plus.

    >>> score(350), score(None)
    ('+0.35', 'not scored')
    """
    return NOT_SCORED if millis is None else signed(millis).replace("-", "\N{MINUS SIGN}")


def size(lead: int) -> str:
    """Return how large a number in thousandths is.

    >>> size(-450)
    '0.45'
    """
    return score(abs(lead)).removeprefix("+")


def in_words(value: object) -> str:
    """Return a value of a header as readers write it.

    >>> in_words({"self_critique": {"quality": "very_weak", "found": True}, "by": ["ann_001"]})
    'self critique (quality very weak, found yes), by ann_001'
    """
    if isinstance(value, dict):
        pairs = ((str(key), item, in_words(item)) for key, item in value.items())
        return ", ".join(
            f"{key.replace('_', ' ')} {f'({words})' if isinstance(item, dict) else words}"
            for key, item, words in pairs
        )
    if isinstance(value, list | tuple):
        return joined(list(map(in_words, value))) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ") if _NAME.fullmatch(str(value)) else str(value)


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun; `nouns` is the plural, if it is not with an s alone.

    >>> counted(1, "argument"), counted(2, "argument"), counted(2, "reply", "replies")
    ('1 argument', '2 arguments', '2 replies')
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def joined(items: list[str]) -> str:
    """Return a list as a sentence has it.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def capitalised(text: str) -> str:
    """Return `text` with a capital letter at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def as_sentence(text: str) -> str:
    """Return `text` on one line with a stop at its end.

    >>> as_sentence("no class today"), as_sentence("Why?")
    ('no class today.', 'Why?')
    """
    line = one_line(text)
    return line if not line or line.endswith((".", "!", "?", "…")) else f"{line}."


def some(items: Sequence[str], most: int = FEW) -> str:
    """Return items as a sentence has them; of many the first ones, and how many more there are.

    >>> some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(items) - most
    return joined([*items[:most], f"{more} more"] if more > 0 else [*items])


def of_each(numbers: Mapping[Named, int]) -> str:
    """Return how many there are of each: `3 answered, 1 dropped`; what is not there is left out."""
    return ", ".join(f"{number:,} {what.value}" for what, number in numbers.items() if number)


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has a web address: from where, and to before where.

    One that was cut, or has letters that may look like others, is to be shown and not linked.
    """
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_AFTER_ADDRESS)
        if address.isascii():
            yield match.start(), match.start() + len(address)


def cited(text: str) -> str:
    """Return a source with its web addresses as links and everything else inert.

    >>> cited("A & B, https://example.org/a_b.")
    'A &amp; B, <https://example.org/a_b>.'
    """
    text = shorten(text, _SOURCE_LENGTH)
    pieces: list[str] = []
    end = 0
    for start, stop in addresses(text):
        pieces += [_piece(text[end:start], first=not pieces), f"<{text[start:stop]}>"]
        end = stop
    return "".join([*pieces, _piece(text[end:], first=not pieces)])


def _piece(piece: str, *, first: bool) -> str:
    return spaced(paragraph(piece) if first else inline(piece), piece)


def prose(text: str) -> str:
    r"""Return what a participant said: its paragraphs and lines kept, all its markup shown.

    >>> print(prose("# One\n- two\n\n\n<b>"))
    \# One\
    \- two
    <BLANKLINE>
    &lt;b&gt;
    """
    paragraphs = _BLANK_LINES.split(text.replace("\r\n", "\n").strip("\n"))
    return "\n\n".join(
        "\\\n".join(paragraph(line) for line in lines.split("\n") if one_line(line))
        for lines in paragraphs
        if one_line(lines)
    )
