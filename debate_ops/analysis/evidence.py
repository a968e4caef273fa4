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


_name = lru_cache(maxsize=2)(name_documents)
_index = lru_cache(maxsize=32)(Source)


def find_documents(d: Debate, name: str) -> list[NamedDocument]:
    """Return the documents of the context that a name, or the name of a point, may mean."""
    sought = one_line(name).casefold()
    return [
        each
        for each in _name(d.documents)
        if sought in {each.name.casefold(), *(point.casefold() for point in each.points)}
    ]


def _has_more(d: Debate) -> bool:
    """Tell whether debaters have more than the context: what names none of it is from there."""
    return bool(d.settings.cited_folder or d.papers)


def check_ground(d: Debate, ground: Mapping[str, str]) -> tuple[Match, str] | None:
    """Return how a ground's quotation compares, and where it stands; None if there is none.

    The document is the one that the ground names, or else one that its source names. Where it names
    none, only a quotation that is found is known to be from one of them; unless they are all that
    debaters may cite.
    """
    quote, named, known = ground.get("quote", ""), ground.get("document", ""), _name(d.documents)
    source = ground.get("source", "")
    own = find_documents(d, named) or [each for each in known if is_named_in(each.name, source)]
    if is_blank(quote) or (_has_more(d) and not own):
        return None
    is_all = bool(known) and d.settings.web_search == "forbidden" and not _has_more(d)
    documents = own or ([] if named else known)
    found = [(_index(each.plain).compare(quote), each) for each in documents]
    best, where = min(found, key=lambda f: [*Kind].index(f[0].kind), default=(None, None))
    if best and where and (own or is_all or best.kind is Kind.VERBATIM):
        return best, where.point_at(best.line) if best.passage else ""
    return Match(Kind.NOT_FOUND if is_all else Kind.NO_SOURCE), ""


def find_ground_faults(d: Debate, ground: Mapping[str, str], where: str) -> Iterator[Fault]:
    """Yield what is wrong with the document and the quotation of a ground."""
    named = ground.get("document", "")
    if not is_blank(named) and not find_documents(d, named) and not _has_more(d):
        names = ", ".join(dict.fromkeys(one_line(name, 60) for name, _ in d.documents))
        there = f"expected one of {names}, or a point of one" if names else "there is none"
        message = (
            f"{one_line(named, 60)} is no document of the context; {there}: what is no part of the "
            "context is named as the source alone"
        )
        yield Fault(f"{where}.document", message)
        return
    found = check_ground(d, ground)
    if found and found[0].kind not in {Kind.VERBATIM, Kind.NO_SOURCE}:
        yield Fault(f"{where}.quote", explain_difference(found[0], found[1] or _CONTEXT))


def explain_difference(match: Match, source: str) -> str:
    """Return that a quotation is not what stands in its source, and what does."""
    quite = " quite" if match.kind is Kind.NEAR else ""
    copied = f": {one_line(match.passage, _DETAILS)}" if match.passage else " from the document"
    message = f"the quotation does not{quite} stand in {one_line(source, 60)}"
    return f"{message}; expected words copied exactly{copied}"


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
        found = check_ground(d, ground)
        if not found:
            continue
        (kind, passage, _), place = found
        named = ground.get("document", "")
        if "#" in named and place and place.casefold() != named.casefold():
            place = f"{place}, and not in {named}"
        shown = "" if kind is Kind.VERBATIM or not passage else f"the nearest words are: {passage}"
        details = one_line("; ".join(filter(None, (place, shown))), _DETAILS)
        is_good = {Kind.VERBATIM: True, Kind.NO_SOURCE: None}.get(kind, False)
        verdict = _VERDICTS[kind].format(_CONTEXT)
        yield Remark(f"the quotation of ground {number}", verdict, details, is_good)
