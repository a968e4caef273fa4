"""The points of the context, what is cited, and what the program can check of a quotation.

Each paragraph and each item of a list has a name of its own, as `three-services.md#7`, on which
debaters rest. Where a document numbers its points itself, its numbers are kept, and what stands
between them is called `#p1`, `#p2`, …

Remarks are computed from the record whenever somebody reads it, and are never part of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, zip_longest
from typing import Any, NamedTuple

from debate_ops.analysis.quotations import Kind, Match, Source
from debate_ops.core.texts import is_blank, one_line, plain
from debate_ops.core.values import Debate, Entry, Fault, Faults

_MARKER = r"[ \t]*+(?:[-+*]|[0-9]{1,9}[.)])[ \t]*+"
_PROSE = frozenset({"md", "markdown", "txt", "text", "rst", "adoc", "org", "pdf"})
_PAGES = frozenset({"html", "htm", "xhtml"})
"""Prose, unless they are kept with their tags."""
_NO_POINTS = frozenset({"heading_open", "hr", "bullet_list_open", "ordered_list_open"})
_AS_A_WORD = r"(?<![\w./-])({})(?![\w])"


class NamedDocument(NamedTuple):
    """A document of the context with its points by name; `text` has a mark before each, `[#7]`.

    `plain` is the text without marks, and `starts` says at which line of it each point begins.
    """

    name: str
    text: str
    points: Mapping[str, str]
    plain: str
    starts: tuple[int, ...]

    def point_at(self, line: int) -> str:
        """Return the name of the point that a line is in, or behind; or that of the document."""
        number = bisect_right(self.starts, line)
        return [*self.points][number - 1] if number else self.name


class _Block(NamedTuple):
    """Lines of a document that belong together; `whole` is where the sublists of an item end."""

    start: int
    end: int
    is_item: bool = False
    number: str = ""
    whole: int = 0


def name_documents(documents: Sequence[tuple[str, str]]) -> list[NamedDocument]:
    """Return the documents of the context; those of one name are numbered through."""
    names = [one_line(name) or "context" for name, _ in documents]
    numbers = {name: count(1) for name in names}
    return [
        _name_points(name, plain(text), None if names.count(name) == 1 else numbers[name])
        for name, (_, text) in zip(names, documents, strict=True)
    ]


def _name_points(name: str, text: str, running: count[int] | None) -> NamedDocument:
    """Return a document with its points, under `running` numbers where it shares its name."""
    lines, suffix = text.split("\n"), re.search(r"\.([A-Za-z]{1,8})$", name)
    kind = suffix[1].lower() if suffix else "text"
    if kind in _PROSE or (kind in _PAGES and not text.lstrip().startswith("<")):
        blocks = _find_blocks(text)
    else:  # such as a table of figures or a program: it is one point
        blocks = [_Block(n, len(lines)) for n, line in enumerate(lines) if line.strip()][:1]
    own = [block.number.lstrip("0") for block in blocks]
    numbers: Iterator[str] = map(str, running or count(1))
    between = count(1)
    if running is None and any(own) and max(Counter(filter(None, own)).values()) == 1:
        numbers = (number or f"p{next(between)}" for number in own)
    points, marked = dict[str, str](), [*lines]
    for block, number in zip(blocks, numbers, strict=False):
        said = "\n".join(lines[block.start : block.end])
        marker = re.match(_MARKER, said) if block.is_item else None
        points[f"{name}#{number}"] = said[marker.end() if marker else 0 :].strip()
        marked[block.start] = f"[#{number}] {lines[block.start]}"
    starts = tuple(block.start for block in blocks)
    return NamedDocument(name, "\n".join(marked), points, text, starts)


@lru_cache(maxsize=100)
def _find_blocks(text: str) -> list[_Block]:
    """Return paragraphs, items without their sublists, tables and code, and no headings."""
    from markdown_it import MarkdownIt  # only prompts need it

    found, blocks, lines, end = list[_Block](), list[_Block](), text.split("\n"), 0
    for token in MarkdownIt("commonmark").enable("table").disable("inline").parse(text):
        is_item = token.type == "list_item_open"
        if token.map and token.map[0] >= end and (is_item or not token.level):
            start, whole = token.map
            if token.type not in _NO_POINTS:
                found.append(_Block(start, whole, is_item, token.info if is_item else "", whole))
                end = start + 1 if is_item else whole
    for block, after in zip_longest(found, found[1:]):
        own = block._replace(end=min(block.end, after.start)) if after else block
        *_, last = filter(str.strip, lines[own.start : own.end])
        leads = after is not None and after.is_item and last.rstrip().endswith(":")
        if not leads or (block.is_item and after.start >= block.whole):
            blocks.append(own)
    return blocks


def is_named_in(name: str, text: str) -> bool:
    """Tell whether a text names a document, as a word of its own.

    >>> is_named_in("facts.md", "Facts.md, point 4"), is_named_in("facts.md", "b/facts.md")
    (True, False)
    """
    return re.search(_AS_A_WORD.format(re.escape(name.casefold())), text.casefold()) is not None


def find_unused(names: Iterable[str], texts: Iterable[str]) -> tuple[str, ...]:
    """Return the points that no text names in full; none as long as nobody has named any."""
    known = {name.casefold(): name for name in names}
    documents = dict.fromkeys(name.rpartition("#")[0] for name in known)
    either = "|".join(map(re.escape, sorted(documents, key=len, reverse=True)))
    named = re.compile(_AS_A_WORD.format(rf"(?:{either})#p?[0-9]+"))
    used = known.keys() & {match[0] for text in texts for match in named.finditer(text.casefold())}
    return tuple(name for key, name in known.items() if used and key not in used)


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

    The document is the one that is named, or that the source names. Without one, a quotation that
    is not found is from none of them only if they are all that debaters may cite.
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


def find_ground_faults(d: Debate, ground: Mapping[str, str], where: str) -> Faults:
    """Yield what is wrong with the document of a ground, and with its quotation, if only a mark."""
    named = ground.get("document", "")
    if not is_blank(named) and not find_documents(d, named) and not _has_more(d):
        names = ", ".join(dict.fromkeys(one_line(name, 60) for name, _ in d.documents))
        there = f"expected one of {names}, or a point of one" if names else "there is none"
        message = f"{one_line(named, 60)} is no document of the context; {there}"
        why = "what is no part of the context is named as the source alone"
        yield Fault(f"{where}.document", f"{message}: {why}")
    elif found := check_ground(d, ground):
        (match, place), is_marked = found, d.settings.quotations == "mark"
        if match.kind in {Kind.NEAR, Kind.NOT_FOUND}:
            why = explain_difference(match, place or "the context")
            yield Fault(f"{where}.quote", why, is_warning=is_marked)


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
    r"(?<=\w)(?P<mark>:|#p?)(?P<first>[0-9]{1,7})(?:[-\u2013](?P<last>[0-9]{1,7}))?"
    r"(?![\w/]|[.:]\w)"
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
    """Yield the citations in all texts of a value; names that `is_name` knows may have spaces."""
    path = f"{where}." if where else ""
    if isinstance(value, str):
        yield from _find_in_text(value, is_name, where)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from find_citations(part, is_name, f"{path}{number}")
    elif isinstance(value, Mapping):
        named = _find_named(value, is_name, path)
        for key, part in value.items():
            if named and key == "detail":
                for said in map(_read_quoted, _ANY.finditer(part)):
                    yield named[0]._replace(where=f"{path}{key}", quote=said)
            elif key not in {"document", "source"} and not (named and key == "quote"):
                yield from find_citations(part, is_name, f"{path}{key}")
        yield from named


def _read_quoted(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _find_named(value: Mapping[str, Any], is_name: Callable[[str], bool], path: str) -> list[Cited]:
    """Return what an object cites by its keys, the first with the words that it quotes."""
    named = list[Cited]()
    for key in ("document", "source"):
        text, is_document = str(value.get(key) or ""), key == "document"
        found = list(_find_in_text(text, is_name, f"{path}{key}"))
        if text and not found and (is_document or is_name(text)):
            found = [Cited(f"{path}{key}", text)]
        named += [e._replace(is_named=is_document or bool(_SUFFIX.search(e.name))) for e in found]
    if named and (quote := value.get("quote")):
        named[0] = named[0]._replace(where=f"{path}quote", quote=quote)
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
        first, last, is_page = int(place["first"]), place["last"], place["mark"] != ":"
        quote = _read_quoted(quoted) if quoted else ""
        yield Cited(where, name, first, int(last or first), is_page, quote)
