"""Texts of the debate on a page or picture: one line, inert, of bounded length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

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
_WIDTHS = {" .,:;'|!iIjl()[]": 0.4, "frt-": 0.42, "~<>=+#^": 0.84, "mwMW@%&…—": 1.0}
"""Of DejaVu Sans, which is as wide as any; most letters differ little from the rest."""


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


def attribute(text: str) -> str:
    """Return `text` for a quoted HTML attribute."""
    plain = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return plain.replace('"', "&quot;")


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
    return _cut(text, ems, _ems)


def width(text: str) -> float:
    """Return how wide `text` is, in ems of a wide sans-serif font."""
    return sum(map(_ems, text))


def _cut(text: str, most: float, measure: Callable[[str], float]) -> str:
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


def _ems(character: str) -> float:
    """Return the width of a character, in ems of a wide sans-serif font."""
    if columns(character) != 1:
        return 0.65 * columns(character)
    for letters, ems in _WIDTHS.items():
        if character in letters:
            return ems
    return 0.79 if character.isupper() else 0.64


def score(millis: int | None) -> str:
    """Return a score for readers, with a minus that is as wide as a plus.

    >>> score(350), score(None)
    ('+0.35', 'not scored')
    """
    return NOT_SCORED if millis is None else signed(millis).replace("-", "\N{MINUS SIGN}")


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
    """Return `text` with a capital letter at its beginning, also inside bold letters.

    >>> capitalised("no turn left"), capitalised("**the sides** are level")
    ('No turn left', '**The sides** are level')
    """
    marks = len(text) - len(text.lstrip("*"))
    return f"{text[: marks + 1].upper()}{text[marks + 1 :]}"


def as_sentence(text: str) -> str:
    """Return `text` on one line with a stop at its end.

    >>> as_sentence("no class today"), as_sentence("Why?")
    ('no class today.', 'Why?')
    """
    line = one_line(text)
    return line if not line or line.endswith((".", "!", "?", "…")) else f"{line}."
