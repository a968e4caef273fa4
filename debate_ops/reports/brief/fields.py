"""The fields of a brief, and what stands outside of them and should not.

Fields are filled in by the program, with what stands on record, and never typed:

[[prop_001]]              an entry by its title, or a point of the context by its name
{lead}, {score:prop_001}  a number of the record: every key of `View.data`
{attack:opp_001>prop_001} a link on record
{quote:prop_001|words}    words that stand there

A number or quotation outside of a field may stand there if it stands just so in a text that the
sentence, or the object around it, cites, or in the motion, the definitions, the scope or the first
answer; where the context has no named points, in the context too. An id may not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats.debate_file import NAME as DEBATE_FILE
from debate_ops.model import messages
from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import Anchor, Line, Quote, Ref
from debate_ops.reports.items import Relation
from debate_ops.reports.view import View

FIELD = re.compile(r"\[\[([^\[\]{}\n]+)\]\]|\{([^{}]+)\}")
STRAY = re.compile(r"[{}]|\[\[|\]\]")
BLANK = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for each character of a field where the text around it is looked at."""

_QUOTE, _ATTACK = "quote", "attack"


class Filled(NamedTuple):
    """A text with its fields filled in.

    `bare` is as long as the text and has no fields; `sources` are the entries and points that
    they name, each with its place. A field that has a fault stays as it was typed.
    """

    line: Line
    bare: str
    sources: tuple[tuple[int, str], ...]
    faults: tuple[Finding, ...]


class NotOnRecordError(Exception):
    """What a field names is not on record; `choices` are what there is instead."""

    def __init__(self, code: str, message: str, choices: Collection[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.choices = messages.names(list(choices))

    def finding(self, where: str, words: str) -> Finding:
        """Return it as a fault of the text at `where`, in which these words stand."""
        there_is = f"; there is {self.choices}" if self.choices else ""
        message = f"{messages.name(words)}: {self}{there_is}"
        return Finding(self.code, message, where=where, actual=words, expected=self.choices)


class Fields:
    """The fields that a debate has, and the words and numbers behind them."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.items = view.items

    def fill(self, text: str, where: str) -> Filled:
        """Return a text with its fields filled in, and what is wrong with them."""
        spans: list[object] = []
        sources: list[tuple[int, str]] = []
        faults: list[Finding] = []
        end = 0
        for match in FIELD.finditer(text):
            spans.append(text[end : match.start()])
            end = match.end()
            try:
                shown, of = self._value(match)
                spans += shown
                sources += [(match.start(), source) for source in of]
            except NotOnRecordError as error:
                faults.append(error.finding(where, match[0]))
                spans.append(match[0])
        spans.append(text[end:])
        bare = FIELD.sub(lambda match: BLANK * len(match[0]), text)
        for match in STRAY.finditer(bare):
            message = f"{match[0]} belongs to no field; leave it out, or write the field whole"
            faults.append(Finding("stray_bracket", message, where=where, actual=match[0]))
        line: Line = tuple(span for span in spans if span)  # type: ignore[misc]
        return Filled(line, bare, tuple(sources), tuple(faults))

    def reference(self, source: str) -> Ref | Anchor:
        """Return an entry or a point of the context as it is shown.

        Raises:
            NotOnRecordError: there is none of that name.
        """
        if source in self.items:
            return Ref(source, one_line(self.items[source].title))
        if source in self.view.points:
            return Anchor(one_line(source), DEBATE_FILE)
        choices = [*self.items, *self.view.points]
        raise NotOnRecordError("unknown_entry", "no entry or point has this name", choices)

    def _value(self, match: re.Match[str]) -> tuple[Line, tuple[str, ...]]:
        """Return what a field shows, and the entries and points that it names."""
        if match[1]:
            return (self.reference(match[1]),), (match[1],)
        name = match[2]
        kind, _, rest = name.partition(":")
        if kind == _QUOTE:
            source, _, words = rest.partition("|")
            return self._quotation(source, words), (source,)
        if kind == _ATTACK:
            return self._attack(rest), tuple(rest.split(">"))
        if name not in self.view.data:
            alike = self._by_kind.get(_kind(name)) or [f"{kind}…" for kind in self._by_kind]
            raise NotOnRecordError("unknown_field", "no field has this name", alike)
        return (self.view.data[name],), ()

    def _quotation(self, source: str, words: str) -> Line:
        shown = self.reference(source)
        if not squeezed(words) or squeezed(words) not in squeezed(self.view.said(source)):
            raise NotOnRecordError("not_said", f"these words do not stand in {source}")
        if isinstance(shown, Ref):
            return (Quote(words, source),)
        return (Quote(words), " (", shown, ")")

    def _attack(self, link: str) -> Line:
        attacker, _, target = link.partition(">")
        if link not in self.attacks:
            own = [each for each in self.attacks if each.startswith(f"{attacker}>")]
            message = "no such attack is on record"
            raise NotOnRecordError("unknown_attack", message, own or self.attacks)
        return (self.reference(attacker), " → ", self.reference(target))

    @cached_property
    def attacks(self) -> dict[str, None]:
        """The attacks on record, as they stand in a field."""
        _, bonds = self.view.content.graph(Relation.ATTACKS)
        return {f"{bond.source}>{bond.target}": None for bond in bonds}

    @cached_property
    def _by_kind(self) -> dict[str, list[str]]:
        kinds: dict[str, list[str]] = defaultdict(list)
        for name in self.view.data:
            kinds[_kind(name)].append(name)
        return dict(kinds)


def _kind(name: str) -> str:
    """Return the beginning that fields of one kind have in common.

    >>> _kind("score:prop_001"), _kind("lead@1")
    ('score:', 'lead')
    """
    return re.match(r"[^:@]*:?", name)[0]  # type: ignore[index]


def squeezed(text: str) -> str:
    r"""Return a text as words are compared.

    >>> squeezed("Two\n WORDS ")
    'two words'
    """
    return " ".join(text.split()).casefold()


def sentences(bare: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a text begins and ends, in any script.

    >>> list(sentences("One, e.g. this. Two? 三。四"))
    [(0, 16), (16, 21), (21, 23), (23, 24)]
    """
    start = 0
    for match in _END.finditer(bare):
        if not bare[match.end() : match.end() + 1].islower():
            yield start, match.end()
            start = match.end()
    if start < len(bare):
        yield start, len(bare)


_STOPS, _CLOSING = ".!?…؟۔।", "\"'”’»)\\]"  # noqa: RUF001  (in any script)
_END = re.compile(
    rf"(?<![{_STOPS}])[{_STOPS}]++[{_CLOSING}]*+\s++|[。！？]++[」』）]*+\s*+|\n\s*+"  # noqa: RUF001
)


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
