"""What the program can check of an argument's quotations, and says to whoever reads it.

It is computed from the record whenever somebody reads it, and is never part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from debate_ops.analysis.quotations import Kind, Match, Source
from debate_ops.errors import Finding
from debate_ops.formats import context_points, debate_file, entries
from debate_ops.formats.context_points import NamedDocument
from debate_ops.model import messages
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.texts import is_blank, one_line
from debate_ops.model.turn import Own
from debate_ops.model.views import Argument, Ground, argument_of

STRICT, MARK = "strict", "mark"
_CODES = {Kind.NEAR: "quotation_near", Kind.NOT_FOUND: "quotation_not_found"}
_ORDER = tuple(Kind)


class Quotation(NamedTuple):
    """How a quotation compares with the documents that it may be from, and where it stands."""

    match: Match
    place: str = ""


class Documents:
    """The documents of a context, in which quotations are looked up.

    Where it `is_all` that debaters may cite, each quotation has to be from one of them.
    """

    def __init__(self, framing: Framing, *, is_all: bool = False) -> None:
        self._all = context_points.named(framing)
        self._is_all = is_all and bool(self._all)
        self._sources: dict[int, Source] = {}

    @property
    def names(self) -> list[str]:
        """The names of the documents."""
        return list(dict.fromkeys(each.name for each in self._all))

    def named(self, name: str) -> list[NamedDocument]:
        """Return the documents that a name, or the name of a point, may mean."""
        sought = one_line(name).casefold()
        return [
            each
            for each in self._all
            if each.name.casefold() == sought
            or any(point.casefold() == sought for point in each.points)
        ]

    def quotation(self, ground: Mapping[str, Any]) -> Quotation | None:
        """Return how the quotation of a ground compares, or None if it has none.

        The document is the one that the ground names, or else one that its source names. Where it
        names none, only a quotation that is found is known to be from one of them.
        """
        quote = _text(ground, "quote")
        if is_blank(quote):
            return None
        named = _text(ground, "document")
        documents = self.named(named) or self._cited(_text(ground, "source"))
        others = [] if named and not documents else self._all
        best = self._best(quote, documents or others)
        is_free = not documents and not self._is_all
        if is_free and best.match.kind is not Kind.VERBATIM:
            return Quotation(Match(Kind.NO_SOURCE))
        return best

    def _cited(self, source: str) -> list[NamedDocument]:
        return [each for each in self._all if context_points.is_named_in(each.name, source)]

    def _best(self, quote: str, documents: Sequence[NamedDocument]) -> Quotation:
        best = Quotation(Match(Kind.NOT_FOUND))
        for document in documents:
            match = self._source(document).compare(quote)
            place = document.point_at(match.start) if match.passage else ""
            if (_ORDER.index(match.kind), not place) < (
                _ORDER.index(best.match.kind),
                not best.place,
            ):
                best = Quotation(match, place)
        return best

    def _source(self, document: NamedDocument) -> Source:
        number = self._all.index(document)
        if number not in self._sources:
            self._sources[number] = Source(document.plain)
        return self._sources[number]


def sources_of(debate: Debate) -> Documents | None:
    """Return the documents of a debate; None where its framing is not at hand."""
    return _of(debate.body, debate.settings.get("web_search", "")) if debate.body else None


@lru_cache(maxsize=2)
def _of(body: str, web_search: str) -> Documents:
    return Documents(debate_file.framing(body), is_all=web_search == "forbidden")


def _text(ground: Mapping[str, Any], key: str) -> str:
    text = ground.get(key)
    return text if isinstance(text, str) else ""


def faults(documents: Documents, ground: Mapping[str, Any], where: str) -> Iterator[Finding]:
    """Yield what is wrong with the document and the quotation of a ground."""
    named = _text(ground, "document")
    if not is_blank(named) and not documents.named(named):
        names = documents.names
        yield Finding(
            "unknown_document",
            f"{messages.name(named)} is no document of the context"
            + (f"; there are {messages.names(names)}" if names else ": there is none"),
            where=f"{where}.document",
            actual=named,
            expected=f"{'one of these, a point of one, or ' if names else ''}no document: what is "
            "no part of the context is named as the source alone",
        )
        return
    quoted = documents.quotation(ground)
    if quoted and quoted.match.kind in _CODES:
        yield _quotation_fault(quoted, _text(ground, "quote"), f"{where}.quote")


def _quotation_fault(quoted: Quotation, quote: str, where: str) -> Finding:
    kind, passage, difference, _ = quoted.match
    place = f" in {messages.name(quoted.place)}" if quoted.place else ""
    if kind is Kind.NEAR:
        message = f"the quotation is not quite what stands{place}: {difference}"
    else:
        where_else = f"the nearest passage is{place}" if place else "nothing there is like it"
        message = f"the quotation does not stand in the context: {where_else}"
    expected = f"words copied exactly{f': {passage}' if passage else ' from the document'}"
    return Finding(_CODES[kind], message, where=where, actual=quote, expected=expected)


CHECKED = "Checked by the program"
"""How the program's own remarks begin, wherever they are shown."""
_DETAILS = 400
_VERDICTS = {
    Kind.VERBATIM: "is word for word in the context",
    Kind.NEAR: "is not as in the context, but nearly",
    Kind.NOT_FOUND: "was not found in the context",
    Kind.NO_SOURCE: "could not be checked, no source is at hand",
}


class Remark(NamedTuple):
    """What was found of one part of an argument.

    `verdict` are the program's own words, a clause about `part`; `details` have words of others.
    `is_good` is None where nothing is known.
    """

    part: str
    verdict: str
    details: str
    is_good: bool | None

    def lines(self) -> tuple[str, ...]:
        """Return it as lines of a prompt, the program's own and those to be quoted."""
        own = Own(f"({CHECKED}: {self.part} {self.verdict}.)")
        return (own, self.details) if self.details else (own,)

    def sentence(self) -> str:
        """Return it in one line, for readers."""
        details = f": {self.details}" if self.details else ""
        return f"{self.part[0].upper()}{self.part[1:]} {self.verdict}{details}"


def of(debate: Debate, argument: Argument) -> Iterator[Remark]:
    """Yield what was found of the quotations of an argument."""
    context = sources_of(debate)
    for number, ground in enumerate(argument.grounds, 1):
        quoted = context.quotation(ground._asdict()) if context else None
        if quoted:
            yield _of_quotation(quoted, ground, f"the quotation of ground {number}")


def lines(debate: Debate, entry_id: str) -> tuple[str, ...]:
    """Return what was found of an argument on record, as lines of a prompt."""
    entry = debate.record.get(entry_id)
    argument = argument_of(entries.parse(entry)) if entry else None
    if argument is None:
        return ()
    return tuple(line for remark in of(debate, argument) for line in remark.lines())


def _of_quotation(quoted: Quotation, ground: Ground, part: str) -> Remark:
    kind, passage, difference, _ = quoted.match
    place = quoted.place
    if "#" in ground.document and place and place.casefold() != ground.document.casefold():
        place = f"{place}, and not in {ground.document}"
    shown = "" if kind is Kind.VERBATIM or not passage else f"the nearest words are: {passage}"
    details = "; ".join(filter(None, (place, difference, shown)))
    is_good = {Kind.VERBATIM: True, Kind.NO_SOURCE: None}.get(kind, False)
    return Remark(part, _VERDICTS[kind], one_line(details, _DETAILS), is_good)
