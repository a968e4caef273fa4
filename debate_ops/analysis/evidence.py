"""What the program can check of a ground's quotation, and says to whoever reads it.

It is computed from the record whenever somebody reads it, and is never part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from debate_ops.analysis.context_points import NamedDocument, is_named_in, name_documents
from debate_ops.analysis.quotations import Kind, Match, Source
from debate_ops.core.texts import is_blank, one_line
from debate_ops.core.values import Debate, Entry, Fault

CHECKED = "Checked by the program"
"""How the program's own remarks begin, wherever they are shown."""
_VERDICTS = {
    Kind.VERBATIM: "stands word for word in {}",
    Kind.NEAR: "is not as in {}, but nearly",
    Kind.NOT_FOUND: "was not found in {}",
    Kind.NO_SOURCE: "could not be checked, no source is at hand",
}
_CONTEXT, _FILE = "the context", "the file that it names"
_DETAILS = 400


class Remark(NamedTuple):
    """What was found of one quotation.

    `verdict` are the program's own words, a clause about `part`; `details` have words of others.
    `is_good` is None where nothing is known.
    """

    part: str
    verdict: str
    details: str
    is_good: bool | None


class Documents:
    """The documents of a context, in which quotations are looked up.

    Where it `is_all` that debaters may cite, each quotation has to be from one of them. What names
    none of them is left alone where debaters `have_more`: then it is compared with that.
    """

    def __init__(
        self,
        documents: Sequence[tuple[str, str]],
        *,
        is_all: bool = False,
        have_more: bool = False,
    ) -> None:
        self._all, self._have_more = name_documents(documents), have_more
        self._is_all = is_all and bool(self._all)

    def find(self, name: str) -> list[NamedDocument]:
        """Return the documents that a name, or the name of a point, may mean."""
        sought = one_line(name).casefold()
        return [
            each
            for each in self._all
            if sought in {each.name.casefold(), *(point.casefold() for point in each.points)}
        ]

    def check(self, ground: Mapping[str, str]) -> tuple[Match, str] | None:
        """Return how a ground's quotation compares, and where it stands; None if there is none.

        The document is the one that the ground names, or else one that its source names. Where it
        names none, only a quotation that is found is known to be from one of them.
        """
        quote, named = ground.get("quote", ""), ground.get("document", "")
        if is_blank(quote):
            return None
        source = ground.get("source", "")
        own = self.find(named) or [e for e in self._all if is_named_in(e.name, source)]
        if self._have_more and not own:
            return None
        documents = own or ([] if named else self._all)
        found = [(_index(each.plain).compare(quote), each) for each in documents]
        best, where = min(found, key=lambda f: [*Kind].index(f[0].kind), default=(None, None))
        if best and where and (own or self._is_all or best.kind is Kind.VERBATIM):
            return best, where.point_at(best.line) if best.passage else ""
        return Match(Kind.NOT_FOUND if self._is_all else Kind.NO_SOURCE), ""

    def find_faults(self, ground: Mapping[str, str], where: str) -> Iterator[Fault]:
        """Yield what is wrong with the document and the quotation of a ground."""
        named = ground.get("document", "")
        if not is_blank(named) and not self.find(named) and not self._have_more:
            names = ", ".join(dict.fromkeys(one_line(each.name, 60) for each in self._all))
            there = f"expected one of {names}, or a point of one" if names else "there is none"
            message = (
                f"{one_line(named, 60)} is no document of the context; {there}: what is no part "
                "of the context is named as the source alone"
            )
            yield Fault(f"{where}.document", message)
            return
        found = self.check(ground)
        if not found or found[0].kind in {Kind.VERBATIM, Kind.NO_SOURCE}:
            return
        yield Fault(f"{where}.quote", explain_difference(*found))


_index = lru_cache(maxsize=32)(Source)


def explain_difference(match: Match, place: str, source: str = _CONTEXT) -> str:
    """Return how a quotation differs from its source, and what stands there at a place."""
    at = f" in {one_line(place, 60)}" if place else ""
    if match.kind is Kind.NEAR:
        message = f"the quotation is not quite what stands{at}: {match.difference}"
    else:
        near = f"the nearest passage is{at}" if match.passage else "nothing there is like it"
        message = f"the quotation does not stand in {source}: {near}"
    copied = f": {one_line(match.passage, _DETAILS)}" if match.passage else " from the document"
    return f"{message}; expected words copied exactly{copied}"


def load_documents(d: Debate) -> Documents:
    """Return the documents of a debate's context."""
    have_more = bool(d.settings.cited_folder or d.papers)
    return _load(d.documents, d.settings.web_search == "forbidden", have_more)


@lru_cache(maxsize=2)
def _load(documents: tuple[tuple[str, str], ...], is_all: bool, have_more: bool) -> Documents:  # noqa: FBT001  (keys of the cache)
    return Documents(documents, is_all=is_all and not have_more, have_more=have_more)


def list_checked(entry: Entry) -> Iterator[Remark]:
    """Yield what was found when an entry's quotations of files were compared, at its commit."""
    for each in entry.header.get("checked", ()):
        kind, details = Kind(each["found"]), f"{each['source']}: “{each['quote']}”"
        verdict = _VERDICTS[kind].format(_FILE)
        yield Remark("a quotation", verdict, one_line(details), kind is Kind.VERBATIM)


def list_remarks(d: Debate, entry: Entry) -> Iterator[Remark]:
    """Yield what was found of the quotations of an entry."""
    yield from list_checked(entry)
    grounds: Sequence[Mapping[str, Any]] = entry.data.get("grounds") or ()
    for number, ground in enumerate(grounds, 1):
        found = load_documents(d).check(ground)
        if not found:
            continue
        (kind, passage, difference, _), place = found
        named = ground.get("document", "")
        if "#" in named and place and place.casefold() != named.casefold():
            place = f"{place}, and not in {named}"
        shown = "" if kind is Kind.VERBATIM or not passage else f"the nearest words are: {passage}"
        details = one_line("; ".join(filter(None, (place, difference, shown))), _DETAILS)
        is_good = {Kind.VERBATIM: True, Kind.NO_SOURCE: None}.get(kind, False)
        verdict = _VERDICTS[kind].format(_CONTEXT)
        yield Remark(f"the quotation of ground {number}", verdict, details, is_good)
