r"""What somebody wrote, for Markdown that any viewer shows: lists, emphasis, code, tables, no more.

Every line is read as CommonMark and the tables of GitHub would read it; what may do more than show
the text (headings, tags, links, pictures, formulas, quotations, rules) is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from debate_ops.core.markdown import escape, inert, passage
from debate_ops.core.texts import plain

_FENCE = re.compile(r"([ ]{0,12})(`{3,}|~{3,})([^`]*)\Z")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ ]+(\S.*)\Z")
_RULER = re.compile(r"[ ]{0,3}\|?(?:[ ]*:?-+:?[ ]*\|)+(?:[ ]*:?-+:?)?[ ]*\Z")
_ROW = re.compile(r"[ ]{0,3}\|")
_ITEM = re.compile(r"\A[ ]*+(?:[-*+]|[0-9]{1,9}[.)])(?:[ ]|\Z)")
_LEAD = re.compile(r"(?:[ ]|[-*+](?=[ ])|[0-9]{1,9}[.)](?=[ ]))*+")
_INDENTED = re.compile(r"\A[ ]{4,}(?!(?:[-*+]|[0-9]{1,9}[.)])(?:[ ]|\Z))")
_DEEPEST = 16
"""Columns of spaces and marks of lists before a line, at most: a list in a list takes two or more.

What is nested deeper than a reader goes is left out by some, with all that comes after it.
"""
_PIPE = re.compile(r"(?<!\\)\|")


def write_rich(text: str, *, has_blocks: bool = True) -> str:
    r"""Return `text` as Markdown; its headings are bold lines there.

    Without `has_blocks` its tables and its blocks of code are shown as they were written.

    >>> print(write_rich("# One\n- **two** [x](http://y)\n- `<b>`"))
    **One**
    <BLANKLINE>
    - **two** \[x](http\://y)
    - `<b>`
    """
    lines = [line.expandtabs(4) for line in plain(text).split("\n")]
    if not has_blocks:
        lines = [_INDENTED.sub("   ", line) for line in lines]
    return "\n".join(_lines(lines, has_blocks=has_blocks)).strip("\n")


def _lines(lines: Sequence[str], *, has_blocks: bool) -> Iterator[str]:
    place = 0
    open_fences: dict[str, int] = {}
    while place < len(lines):
        if has_blocks and (fence := _fence(lines, place, open_fences)):
            yield from _fenced(lines[place : place + fence])
            place += fence
        elif has_blocks and (rows := _rows(lines, place)):
            yield from _table(lines[place : place + rows])
            place += rows
        else:
            following = lines[place + 1] if place + 1 < len(lines) else ""
            yield _line(lines[place], following)
            place += 1


def _fence(lines: Sequence[str], place: int, unclosed: dict[str, int]) -> int:
    """Return how many lines the fence has that begins at a place; 0 where none is closed.

    `unclosed` keeps the length from which no fence of a character is closed later: those that
    are as long need no search.
    """
    match = _FENCE.match(lines[place])
    if match is None:
        return 0
    mark, length = match[2][0], len(match[2])
    if length >= unclosed.get(mark, length + 1):
        return 0
    for number in range(place + 1, len(lines)):
        line = lines[number].strip(" ")
        if len(line) >= length and line == mark * len(line):
            return number - place + 1
    unclosed[mark] = length
    return 0


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    """Yield a fence as it is; behind a blank line, so that nothing before it takes it in.

    No line of it is further left than its first, so that none can end a list around it.
    """
    match = _FENCE.match(lines[0])
    indent, mark = (match[1], match[2]) if match else ("", "")
    yield ""
    yield f"{indent}{mark}"
    for line in lines[1:-1]:
        own = line.removeprefix(indent) if line.startswith(indent) else line.lstrip(" ")
        yield f"{indent}{own}".rstrip(" ")
    yield f"{indent}{mark}"
    yield ""


def _table(lines: Sequence[str]) -> Iterator[str]:
    """Yield a table, a row a line."""
    width = len(_cells(lines[0]))
    yield ""
    for place, row in enumerate(lines):
        cells = [*_cells(row), *[""] * width][:width]
        written = cells if place == 1 else map(_cell, cells)
        yield f"| {' | '.join(written)} |"
    yield ""


def _cell(text: str) -> str:
    """Return a cell; one with a pipe or a backslash without its code, which these could end."""
    if "|" in text or "\\" in text:
        return _tagless(inert(text)).replace("\\|", "&#124;")
    return _tagless(passage(text))


def _rows(lines: Sequence[str], place: int) -> int:
    """Return how many rows the table has that begins at a place; 0 where it is none."""
    head = lines[place : place + 2]
    if len(head) <= 1 or not _ROW.match(head[0]) or not _RULER.match(head[1]):
        return 0
    if len(_cells(head[0])) != len(_cells(head[1])):
        return 0
    rows = 2
    while place + rows < len(lines) and _ROW.match(lines[place + rows]):
        rows += 1
    return rows


def _cells(row: str) -> list[str]:
    row = row.strip()
    inner = re.sub(r"(?<!\\)\|\Z", "", row.removeprefix("|"))
    return [cell.replace("\\|", "|").strip() for cell in _PIPE.split(inner)]


def _line(line: str, following: str) -> str:
    """Return a line; the one that follows says whether the break between them has to stay."""
    lead = _LEAD.match(line)
    if lead and lead.end() > _DEEPEST:
        return _tagless(escape(line.strip()))
    if heading := _HEADING.match(line):
        return f"\n**{_tagless(inert(_without_closing(heading[1])))}**\n"
    written = _tagless(passage(line.rstrip()))
    return f"{written}\\" if written and _goes_on(following) else written


def _tagless(written: str) -> str:
    """Return an escaped text with entities for the `<` outside its code, as in all of a page."""
    return written.replace("\\<", "&lt;")


def _without_closing(heading: str) -> str:
    """Return a heading without the marks that close it."""
    text = heading.rstrip()
    core = text.rstrip("#")
    return core.rstrip() if core.endswith(" ") else text


def _goes_on(line: str) -> bool:
    """Tell whether a line continues the paragraph before it, so that the break has to be kept."""
    return bool(line.strip()) and not any(s.match(line) for s in (_FENCE, _HEADING, _ROW, _ITEM))
