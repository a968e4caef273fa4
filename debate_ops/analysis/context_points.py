"""The points of the context: each paragraph and each item of a list has a name of its own.

The name is that of the document, `#` and a number, as in `three-services.md#7`: debaters rest on
a point by naming it, and what nobody has named can be pointed out. Where a document numbers its
points itself, its numbers are kept, and what stands between them is called `#p1`, `#p2`, …
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, zip_longest
from typing import NamedTuple

from debate_ops.core.texts import one_line, plain

Documents = Sequence[tuple[str, str]]
"""The documents of a context: name and text of each."""

_MARKER = r"[ \t]*+(?:[-+*]|[0-9]{1,9}[.)])[ \t]*+"
_SUFFIX = r"\.([A-Za-z]{1,8})$"
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
        """Return the name of the point in which a line of the plain text is, or of the document.

        A heading is in no point; what is taken for its point is the one before it.
        """
        number = bisect_right(self.starts, line)
        return [*self.points][number - 1] if number else self.name


class _Block(NamedTuple):
    """Lines of a document that belong together: those from `start` on, as far as before `end`.

    `number` is what the document itself numbers an item with, `whole` where its sublists end.
    """

    start: int
    end: int
    is_item: bool = False
    number: str = ""
    whole: int = 0


def name_documents(documents: Documents) -> list[NamedDocument]:
    """Return the documents of the context; those of one name are numbered through."""
    names = [one_line(name) or "context" for name, _ in documents]
    numbers = {name: count(1) for name in names}
    return [
        _name_points(name, plain(text), None if names.count(name) == 1 else numbers[name])
        for name, (_, text) in zip(names, documents, strict=True)
    ]


def _name_points(name: str, text: str, running: count[int] | None) -> NamedDocument:
    """Return a document with its points, under `running` numbers where it shares its name."""
    lines, suffix = text.split("\n"), re.search(_SUFFIX, name)
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
    """Return the paragraphs, items, tables and pieces of code of a text, without its headings.

    An item ends where its sublist begins. What only introduces the list below it is left out.
    """
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
    """Return the names of the points that no text names in full.

    None as long as nobody has named any point: then nobody knows the names, or heeds them.
    """
    known = {name.casefold(): name for name in names}
    documents = dict.fromkeys(name.rpartition("#")[0] for name in known)
    either = "|".join(map(re.escape, sorted(documents, key=len, reverse=True)))
    named = re.compile(_AS_A_WORD.format(rf"(?:{either})#p?[0-9]+"))
    used = known.keys() & {match[0] for text in texts for match in named.finditer(text.casefold())}
    return tuple(name for key, name in known.items() if used and key not in used)
