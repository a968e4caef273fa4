"""The sentences of a text, so that a participant can be quoted in whole ones."""

from __future__ import annotations

import re

from debate_ops.model.texts import one_line

_END = re.compile(r"(?<=[.!?…])[\"”’')\]]*\s+|(?<=[。！？])")  # noqa: RUF001  (full stops of other scripts)
_NO_PROSE = re.compile(r"\s*+(?:#{1,6}\s|\||```|~~~|[-=*_ ]++$|(?<=\s)$)")
_MARKS = re.compile(r"\A\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")


def sentences(text: str) -> list[str]:
    r"""Return the sentences of a text, each on one line; headings, tables and rules are none.

    A stop with a space after it ends a sentence, so that some come out shorter than they are.

    >>> sentences("# A plan\n- Sell it. Who buys?\n\nNobody knows")
    ['Sell it.', 'Who buys?', 'Nobody knows']
    """
    lines = (
        _MARKS.sub("", line, count=1) for line in text.split("\n") if not _NO_PROSE.match(line)
    )
    pieces = (piece for line in lines for piece in _cut(line))
    return [line for line in map(one_line, pieces) if line]


def _cut(line: str) -> list[str]:
    """Return a line in pieces; marks that close a quotation stay with their sentence."""
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(line):
        pieces.append(line[start : match.end()])
        start = match.end()
    return [*pieces, line[start:]]
