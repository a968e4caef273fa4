"""What stands outside of a brief's fields and should not: numbers, ids, words in quotation marks.

A number or quotation may stand there if it stands just so in a text that the sentence, or the
object around it, cites, or in the motion, the definitions, the scope or the first answer; where
the context has no named points, in the context too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.reports.brief.fields import Fields, Filled, sentences, squeezed
from debate_ops.startup import NamedTuple

_NUMBER = re.compile(r"(?:(?<![\w.,%])[+\-−])?\d+(?:[.,:/٫٬’'\u202f\u00a0]\d+)*(?:\s?[%‰％٪])?")  # noqa: RUF001
_SIGNS = str.maketrans({"−": "-", "٫": ".", "٬": ",", "٪": "%", "’": "'"})  # noqa: RUF001
_ID = re.compile(r"(?<![\w-])[a-z][a-z0-9-]*_[0-9]{3,6}[a-z]?(?:-[a-z]+)?(?:-[0-9]+)?(?![\w-])")
_PAIRS = ('""', "“”", "„“", "„”", "«»", "»«", "‹›", "「」", "『』", "《》", "‘’")  # noqa: RUF001
_QUOTED = re.compile("|".join(f"{pair[0]}[^{pair}]*{pair[1]}" for pair in _PAIRS))
_MARK = re.compile('["“”„«»‹›「」『』《》]')  # noqa: RUF001


class Words(NamedTuple):
    """What may be said of a text outside of fields: its numbers, and its words in their order."""

    numbers: frozenset[str]
    text: str


class Loose:
    """The texts of a debate, to compare loose numbers and quotations with."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._words: dict[str, Words] = {}
        framing = fields.view.content.framing
        terms = (f"{item.term} {item.text}" for item in framing.definitions)
        context = () if fields.view.points else (document.text for document in framing.context)
        common = [framing.motion, framing.scope, *terms, *context, fields.view.first_answer]
        self._framing = _words("\n".join(common))

    def faults(
        self, filled: Filled, where: str, cites: Iterable[str], *, free_numbers: bool
    ) -> Iterator[Finding]:
        """Yield what stands outside of the fields of a text and is on no record that it cites."""
        known = [self._framing, *map(self._of, cites)]
        for start, end in sentences(filled.bare):
            named = (source for at, source in filled.sources if start <= at < end)
            allowed = [*known, *map(self._of, named)]
            yield from _faults(filled.bare[start:end], where, allowed, free_numbers=free_numbers)

    def _of(self, source: str) -> Words:
        if source not in self._words:
            try:
                self._words[source] = _words(self._fields.view.said(source))
            except KeyError:  # a fault of its own
                return Words(frozenset(), "")
        return self._words[source]


def _faults(
    sentence: str, where: str, allowed: list[Words], *, free_numbers: bool
) -> Iterator[Finding]:
    for match in _ID.finditer(sentence):
        yield _fault("loose_id", match[0], "an id stands only in a field", f"[[{match[0]}]]", where)
    rest = _ID.sub(lambda match: " " * len(match[0]), sentence)
    for number, typed in _numbers(rest):
        if not free_numbers and not any(number in words.numbers for words in allowed):
            message = "this number stands in no text that is cited here"
            yield _fault(
                "loose_number", typed, message, "a field, or its source among the cites", where
            )
    for match in _QUOTED.finditer(rest):
        words = squeezed(match[0][1:-1])
        if not words or not any(words in source.text for source in allowed):
            message = "these words stand in no text that is cited here"
            yield _fault("loose_quotation", match[0], message, "{quote:ID|words}", where)
    for match in _MARK.finditer(_QUOTED.sub("", rest)):
        message = "a quotation mark stands only in a pair"
        yield _fault("loose_quotation", match[0], message, "{quote:ID|words}", where)


def _fault(code: str, typed: str, text: str, expected: str, where: str) -> Finding:
    message = f"{messages.name(typed)}: {text}; write {expected}"
    return Finding(code, message, where=where, actual=typed, expected=expected)


def _words(text: str) -> Words:
    return Words(frozenset(number for number, _ in _numbers(text)), squeezed(text))


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    """Yield each number of a text, as it is compared and as it was typed.

    The letters of an alphabet right before it belong to it; those of other scripts do not.

    >>> [number for number, _ in _numbers("UT1 by -0.9 s, 46 % in ٢٠١٢, 2012年, the 60er")]
    ['ut1', '-0.9', '46%', '2012', '2012', '60']
    """
    for match in _NUMBER.finditer(text):
        start = match.start()
        while start and text[start - 1].lower() != text[start - 1].upper():
            start -= 1
        typed = text[start : match.end()]
        yield "".join(map(_digit, "".join(typed.split()))).translate(_SIGNS).casefold(), typed


def _digit(character: str) -> str:
    """Return a digit of any script as ASCII, another character in its usual form."""
    value = unicodedata.decimal(character, None)
    return unicodedata.normalize("NFKC", character) if value is None else str(value)
