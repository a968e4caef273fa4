r"""A text that is Markdown itself, on a page: its lists, emphasis, code and tables, and no more.

Every line is read as CommonMark and the tables of GitHub would read it; what may do more than show
the text (tags, links, references, pictures, formulas, quotations, rules) is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from debate_ops.reports.text import shown

_MOST_LEVEL = 6
_LIST = re.compile(r"(?:[ ]*(?:[-*+]|[0-9]{1,9}[.)])(?=[ ]|$))*[ ]*")
_FENCE = re.compile(r"([ ]{0,12})(`{3,}|~{3,})([^`]*)\Z")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ ]+(\S.*?)(?:[ ]+#+)?\Z")
_RULER = re.compile(r"[ ]{0,3}\|?(?:[ ]*:?-+:?[ ]*\|)+(?:[ ]*:?-+:?)?[ ]*\Z")
_ROW = re.compile(r"[ ]{0,3}\|")
_MARK = re.compile(r"[-*+.)]")
_PIPE = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_MARKUP = re.compile(r"[\\\[\]`$~]|(?<!\S)#")
# What makes a rule, an underline, a ruler, a quotation or a definition of a line that it begins.
_OPENS = re.compile(r"[>:#|]|[-=+*_|: ]+\Z")
_TAGS = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def rich(text: str, level: int) -> str:
    r"""Return `text` for a section whose heading has `level` marks; its own ones stand below it.

    >>> print(rich("# One\n- **two** [x](http://y)\n- `<b>`", 2))
    ### One
    <BLANKLINE>
    - **two** \[x\](http://y)
    - `<b>`
    """
    lines = [shown(line.expandtabs(4)) for line in text.replace("\r\n", "\n").split("\n")]
    return "\n".join(_lines(lines, level)).strip("\n")


def beginning(text: str, most: int) -> str:
    """Return as many whole lines of `text` as `most` characters hold; of a single one a part."""
    if len(text) <= most:
        return text
    whole, cut, _ = text[:most].rpartition("\n")
    return whole if cut else f"{text[:most].rstrip()}…"


def _lines(lines: Sequence[str], level: int) -> Iterator[str]:
    place = 0
    while place < len(lines):
        coming = lines[place:]
        if fence := _fence(coming):
            yield from _fenced(coming[:fence])
        elif rows := _rows(coming):
            yield from _table(coming[:rows])
        else:
            yield _line(coming, level)
        place += fence or rows or 1


# ---------------------------------------------------------------- code


def _fence(lines: Sequence[str]) -> int:
    """Return how many lines the fence has with which lines begin; 0 where none is closed."""
    match = _FENCE.match(lines[0])
    if match is None:
        return 0
    end = re.compile(rf"[ ]*{match[2][0]}{{{len(match[2])},}}[ ]*\Z")
    return next((number for number, line in enumerate(lines[1:], 2) if end.match(line)), 0)


def _fenced(lines: Sequence[str]) -> Iterator[str]:
    """Yield a fence as it is; behind a blank line, so that nothing before it takes it in.

    No line of it stands further left than its first, so that none can end a list around it.
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


# ---------------------------------------------------------------- tables


def _table(lines: Sequence[str]) -> Iterator[str]:
    """Yield a table, a row a line."""
    width = len(_cells(lines[0]))
    yield ""
    for place, row in enumerate(lines):
        cells = [*_cells(row), *[""] * width][:width]
        told = cells if place == 1 else map(_cell, cells)
        yield f"| {' | '.join(told)} |"
    yield ""


def _cell(text: str) -> str:
    """Return a cell; one with a pipe or a backslash without its code, which these could end."""
    if "|" in text or "\\" in text:
        return _escaped(text).replace("|", "&#124;")
    return _inline(text)


def _rows(lines: Sequence[str]) -> int:
    """Return how many rows the table has with which lines begin; 0 where it is none."""
    head = lines[:2]
    if len(head) <= 1 or not _ROW.match(head[0]) or not _RULER.match(head[1]):
        return 0
    if len(_cells(head[0])) != len(_cells(head[1])):
        return 0
    return next((i for i, line in enumerate(lines) if not _ROW.match(line)), len(lines))


def _cells(row: str) -> list[str]:
    row = row.strip()
    inner = re.sub(r"(?<!\\)\|\Z", "", row.removeprefix("|"))
    return [cell.replace("\\|", "|").strip() for cell in _PIPE.split(inner)]


# ---------------------------------------------------------------- lines


def _line(lines: Sequence[str], level: int) -> str:
    """Return the first of these lines; the second says whether the break after it has to stay."""
    line = lines[0]
    if heading := _HEADING.match(line):
        depth = min(_MOST_LEVEL, level + len(heading[1]))
        return f"\n{'#' * depth} {_inline(heading[2])}\n"
    marks = _marks(line)
    rest = line[len(marks) :].rstrip()
    if not rest:
        return _MARK.sub(r"\\\g<0>", marks.strip())
    broken = "\\" if len(lines) > 1 and _goes_on(lines[1]) else ""
    if _OPENS.match(rest) and rest[0] not in _TAGS:
        return f"{marks}\\{rest[0]}{_inline(rest[1:])}{broken}"
    return f"{marks}{_inline(rest)}{broken}"


def _marks(line: str) -> str:
    """Return the marks of lists, and the spaces, with which a line begins."""
    found = _LIST.match(line)
    return found[0] if found else ""


def _goes_on(line: str) -> bool:
    """Tell whether a line continues the paragraph before it, so that the break has to be kept."""
    starts = (_FENCE, _HEADING, _ROW)
    return (
        bool(line.strip()) and not _marks(line).strip() and not any(s.match(line) for s in starts)
    )


def _inline(text: str) -> str:
    """Return a piece of a line with its emphasis and its code."""
    parts: list[str] = []
    end = 0
    for code in _CODE.finditer(text):
        parts += [_escaped(text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    marked = _MARKUP.sub(r"\\\g<0>", text)
    return "".join(_TAGS.get(character, character) for character in marked)
