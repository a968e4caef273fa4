"""The points of the context: each paragraph and each item of a list has a name of its own.

The name is that of the document, `#` and a number, as in `three-services.md#7`: debaters rest on
a point by naming it, and what nobody has named can be pointed out. Where a document numbers its
points itself, its numbers are kept, and what stands between them is called `#p1`, `#p2`, …
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, zip_longest
from typing import NamedTuple

from debate_ops.core.texts import one_line, plain

Documents = Sequence[tuple[str, str]]
"""The documents of a context: name and text of each."""

NAMELESS = "context"
"""The name of a document that has none."""

_ITEM = r"[ \t]*+(?:[-+*•]|([0-9]{1,9})[.)])[ \t]++(?=\S)"
_HEADING = r" {0,3}#{1,6}(?:[ \t]|$)"
_FENCE = r"[ \t]*+(`{3,}+|~{3,}+)"
_SUFFIX = r"\.([A-Za-z]{1,8})$"
_PROSE = frozenset({"md", "markdown", "txt", "text", "rst", "adoc", "org", "pdf"})
_PAGES = frozenset({"html", "htm", "xhtml"})
"""Prose, unless they are kept with their tags."""
_RULES = ("-", "*", "_", "=")
_AS_A_WORD = r"(?<![\w./-])({})(?![\w])"
_UP_TO = r"(?:[-\u2013]| to )"
_NEAR = 60
"""How many characters from its document's name, or from a number there, a bare `#7` may stand."""


class NamedDocument(NamedTuple):
    """A document of the context with its points by name; `text` has a mark before each, `[#7]`.

    `plain` is the text without marks, and `starts` says at which line of it each point begins.
    """

    name: str
    text: str
    points: Mapping[str, str]
    plain: str
    starts: tuple[int, ...]

    def point_at(self, place: int) -> str:
        """Return the name of the point in which a place of the plain text is, or of the document.

        A place within a heading is in no point; what is taken for its point is the one before it.
        """
        line = self.plain.count("\n", 0, place)
        number = bisect_right(self.starts, line)
        return [*self.points][number - 1] if number else self.name


class _Block(NamedTuple):
    """Lines of a document that belong together, from the line of that number on."""

    start: int
    indent: int
    is_item: bool
    lines: list[str]


def list_points(documents: Documents) -> dict[str, str]:
    """Return the points of the whole context by name, in its order."""
    return {name: text for each in name_documents(documents) for name, text in each.points.items()}


def name_documents(documents: Documents) -> list[NamedDocument]:
    """Return the documents of the context; those of one name are numbered through."""
    names = [one_line(name) or NAMELESS for name, _ in documents]
    numbers = {name: count(1) for name in names}
    return [
        _name_points(name, text, None if names.count(name) == 1 else numbers[name])
        for name, (_, text) in zip(names, documents, strict=True)
    ]


def _name_points(name: str, text: str, running: count[int] | None) -> NamedDocument:
    """Return a document with its points, under `running` numbers where it shares its name."""
    text = plain(text)
    lines = text.split("\n")
    suffix = re.search(_SUFFIX, name)
    kind = suffix[1].lower() if suffix else "text"
    is_prose = kind in _PROSE or (kind in _PAGES and not text.lstrip().startswith("<"))
    blocks = list(_without_lead_ins(_blocks(lines)) if is_prose else _whole(lines))
    points: dict[str, str] = {}
    for block, number in zip(blocks, _numbers(blocks, running), strict=False):
        own = "\n".join(block.lines)
        item = re.match(_ITEM, own)
        points[f"{name}#{number}"] = own[item.end() if item else 0 :].strip()
        lines[block.start] = f"[#{number}] {lines[block.start]}"
    starts = tuple(block.start for block in blocks)
    return NamedDocument(name, "\n".join(lines), points, text, starts)


def _numbers(blocks: list[_Block], running: count[int] | None) -> Iterator[str]:
    """Yield what follows the `#` in the name of each block."""
    items = [re.match(_ITEM, block.lines[0]) if block.is_item else None for block in blocks]
    own = [item[1].lstrip("0") if item and item[1] else "" for item in items]
    numbered = list(filter(None, own))
    if running is None and numbered and len(numbered) == len(set(numbered)):
        between = count(1)
        return (number or f"p{next(between)}" for number in own)
    return map(str, running or count(1))


def _whole(lines: list[str]) -> Iterator[_Block]:
    """Yield what is no prose, such as a table of figures or a program, as one point."""
    start = next((place for place, line in enumerate(lines) if line.strip()), None)
    if start is not None:
        yield _Block(start, 0, is_item=False, lines=lines[start:])


def _blocks(lines: list[str]) -> list[_Block]:
    """Return the paragraphs, items, tables and pieces of code of a text, without its headings."""
    blocks: list[_Block] = []
    current: _Block | None = None
    fence, is_after_blank = "", True
    for place, line in enumerate(lines):
        mark = re.match(_FENCE, line)
        if fence and current is not None:
            current.lines.append(line)
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif not line.strip():
            is_after_blank = True
        elif re.match(_HEADING, line) or _is_rule(line):
            is_underline = not is_after_blank and line.lstrip()[0] in "-="
            if current is not None and is_underline and not current.is_item:
                blocks.remove(current)
            current = None
        else:
            if current is None or _begins(line, current, is_after_blank=is_after_blank):
                indent = len(line) - len(line.lstrip())
                current = _Block(place, indent, re.match(_ITEM, line) is not None, [])
                blocks.append(current)
            current.lines.append(line)
            fence, is_after_blank = mark[1] if mark else "", False
    return blocks


def _is_rule(line: str) -> bool:
    marks = "".join(line.split())
    return any(marks == mark * len(marks) for mark in _RULES)


def _begins(line: str, current: _Block, *, is_after_blank: bool) -> bool:
    """Tell whether a line is the first one of a block, and no part of the current one."""
    if item := re.match(_ITEM, line):  # within a paragraph a number may stand first by chance
        return is_after_blank or current.is_item or item[1] in {None, "1"}
    indent = len(line) - len(line.lstrip())
    return is_after_blank and not (current.is_item and indent > current.indent)


def _without_lead_ins(blocks: list[_Block]) -> Iterator[_Block]:
    """Yield blocks but those that only introduce the list below them."""
    for block, after in zip_longest(blocks, blocks[1:]):
        leads = after is not None and after.is_item and block.lines[-1].rstrip().endswith(":")
        if not leads or (block.is_item and after.indent <= block.indent):
            yield block


def is_named_in(name: str, text: str) -> bool:
    """Tell whether a text names a document, as a word of its own.

    >>> is_named_in("facts.md", "Facts.md, point 4"), is_named_in("facts.md", "b/facts.md")
    (True, False)
    """
    return re.search(_AS_A_WORD.format(re.escape(name.casefold())), text.casefold()) is not None


def find_unused(names: Mapping[str, str], texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the points that no text names.

    None as long as nobody has named any point: then nobody knows the names, or heeds
    them, and nothing separates what is used from what is not.
    """
    left = dict.fromkeys(names)
    forms = _Forms(names)
    for text in texts:
        for name in forms.named_in(text):
            left.pop(name, None)
        if not left:
            break
    return tuple(left) if len(left) < len(names) else ()


class _Forms:
    """How points are named: in full, or by a bare number near the name of their document."""

    def __init__(self, names: Iterable[str]) -> None:
        documents = dict.fromkeys(name.rpartition("#")[0] for name in names)
        self._documents = {document.casefold(): document for document in documents}
        longest_first = sorted(self._documents, key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first))
        named = _AS_A_WORD.format(either)
        self._parts = re.compile(
            rf"{named}|#(p?[0-9]{{1,9}})(?![0-9])(?:{_UP_TO}#?([0-9]{{1,9}})\b)?"
        )

    def named_in(self, text: str) -> Iterator[str]:
        """Yield the names of the points that a text may mean."""
        document, end = "", 0
        waiting: list[tuple[int, str]] = []
        for part in self._parts.finditer(text.casefold()):
            is_near = part.start() - end <= _NEAR
            if part[1] is not None:
                document = self._documents[part[1]]
                near = (n for at, n in waiting if part.start() - at <= _NEAR)
                yield from (f"{document}#{number}" for number in near)
                waiting = []
            elif document and is_near:
                yield from (f"{document}#{number}" for number in _count_up(part[2], part[3]))
            else:
                waiting += ((part.end(), number) for number in _count_up(part[2], part[3]))
                continue
            end = part.end()


def _count_up(first: str, last: str | None) -> list[str]:
    """Return the numbers from one to another, as `#2 to #8` names them; the first alone if none."""
    if last is None or not first.isdigit() or not int(first) < int(last) <= int(first) + _NEAR:
        return [first]
    return [str(number) for number in range(int(first), int(last) + 1)]
