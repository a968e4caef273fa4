"""What is cited, and what the program can check of a quotation and says to whoever reads it.

Remarks are computed from the record whenever somebody reads it, and are never part of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
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
        message = f"{one_line(named, 60)} is no document of the context; {there}"
        why = "what is no part of the context is named as the source alone"
        yield Fault(f"{where}.document", f"{message}: {why}")
    elif (found := check_ground(d, ground)) and found[0].kind not in {
        Kind.VERBATIM,
        Kind.NO_SOURCE,
    }:
        yield Fault(f"{where}.quote", explain_difference(found[0], found[1] or "the context"))


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
        verdict = _VERDICTS[kind].format("the file that it names")
        yield Remark("a quotation", verdict, one_line(details), kind is Kind.VERBATIM)


def list_remarks(d: Debate, entry: Entry) -> Iterator[Remark]:
    """Yield what was found of the quotations of an entry."""
    yield from list_checked(entry)
    for number, ground in enumerate(entry.data.get("grounds") or (), 1):
        if not (found := check_ground(d, ground)):
            continue
        (kind, passage, _), place = found
        named = ground.get("document", "")
        if "#" in named and place and place.casefold() != named.casefold():
            place = f"{place}, and not in {named}"
        shown = "" if kind is Kind.VERBATIM or not passage else f"the nearest words are: {passage}"
        details = one_line("; ".join(filter(None, (place, shown))), _DETAILS)
        is_good = {Kind.VERBATIM: True, Kind.NO_SOURCE: None}.get(kind, False)
        verdict = _VERDICTS[kind].format("the context")
        yield Remark(f"the quotation of ground {number}", verdict, details, is_good)


# Citations of files, such as `src/app.py:40-52` and `report.pdf#p12`: where a reply names its
# document or source, with the words under `quote`, and in any text: behind the words in quotation
# marks or backticks that they are the source of, in brackets, or before them with a colon.

_PLACE = re.compile(
    r"(?<=\w)(?::([0-9]{1,7})(?:[-\u2013]([0-9]{1,7}))?|#p?([0-9]{1,7})(?:[-\u2013]([0-9]{1,7}))?)(?![\w/]|[.:]\w)"
)
_NAME = re.compile(r"[^\s()\[\]{}<>\"“”«»`,;|]+\Z")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}\Z")
_MOST_WORDS = 8
"""How many words a name with spaces may have in a text."""
_QUOTED = r"(?:\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|`([^`]+)`)"
_ANY = re.compile(_QUOTED)
_BEFORE = re.compile(rf"{_QUOTED}[\s,]*[(\[]?\s*\Z")
_AFTER = re.compile(rf"[)\]]?:\s*{_QUOTED}")
_LOOK_BACK = 4_000
"""Characters before a citation in which the words begin that it is the source of."""


class Cited(NamedTuple):
    """A file that is cited, and words that are said to stand in it, empty where there are none.

    `first` and `last` are lines, or pages where it `is_page`; 0 is the whole file. `where` is the
    path of its text in the reply. It `is_named` as a document, or a source with the name of a file.
    """

    where: str
    name: str
    first: int = 0
    last: int = 0
    is_page: bool = False
    quote: str = ""
    is_named: bool = False

    @property
    def source(self) -> str:
        """The citation as it is written."""
        if not self.first:
            return self.name
        span = f"-{self.last}" if self.last > self.first else ""
        return f"{self.name}{'#p' if self.is_page else ':'}{self.first}{span}"


def find_citations(value: Any, is_name: Callable[[str], bool], where: str = "") -> Iterator[Cited]:
    """Yield the citations in a text, or in all texts of a reply or an entry.

    `is_name` tells which files there are: their names may have spaces, and may stand alone.
    """
    if isinstance(value, str):
        yield from _find_in_text(value, is_name, where)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from find_citations(part, is_name, f"{where}.{number}")
    elif isinstance(value, Mapping):
        named = _find_named(value, is_name, where)
        for key, part in value.items():
            if named and key == "detail":
                said = (next(filter(None, match.groups())) for match in _ANY.finditer(part))
                yield from (
                    named[0]._replace(where=f"{where}.{key}"[1:], quote=each) for each in said
                )
            elif key not in {"document", "source"} and not (named and key == "quote"):
                yield from find_citations(part, is_name, f"{where}.{key}")
        yield from named


def _find_named(
    value: Mapping[str, Any], is_name: Callable[[str], bool], where: str
) -> list[Cited]:
    """Return what an object cites by its keys, the first with the words that it quotes."""
    named = list[Cited]()
    for key in ("document", "source"):
        text, at = str(value.get(key) or ""), f"{where}.{key}"
        found = list(_find_in_text(text, is_name, at))
        if text and not found and (key == "document" or is_name(text)):
            found = [Cited(at.removeprefix("."), text)]
        is_document = key == "document"
        named += [e._replace(is_named=is_document or bool(_SUFFIX.search(e.name))) for e in found]
    if named and (quote := value.get("quote")):
        named[0] = named[0]._replace(where=f"{where}.quote"[1:], quote=quote)
    return named


def _find_in_text(text: str, is_name: Callable[[str], bool], where: str) -> Iterator[Cited]:
    for place in _PLACE.finditer(text):
        head = text[max(0, place.start() - _LOOK_BACK) : place.start()]
        if not (match := _NAME.search(head)) or "://" in match[0]:
            continue
        words = head.rpartition("\n")[2].rsplit(" ", _MOST_WORDS)
        longer = (" ".join(words[n:]).lstrip('(["“«`') for n in range(len(words)))
        name = next(filter(is_name, longer), match[0])
        quoted = _BEFORE.search(head.removesuffix(name)) or _AFTER.match(text, place.end())
        first = int(place[1] or place[3])
        yield Cited(
            where.removeprefix("."),
            name,
            first,
            int(place[2] or place[4] or first),
            is_page=place[3] is not None,
            quote=next(filter(None, quoted.groups())) if quoted else "",
        )
