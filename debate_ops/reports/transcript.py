"""A transcript of a debate: everything said, in order, as Markdown and as plain text."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from debate_ops.model.texts import one_line
from debate_ops.reports.items import Content, Item
from debate_ops.reports.text import (
    broken,
    capitalised,
    cited,
    columns,
    counted,
    inline,
    prose,
    shorten,
)

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)


def bibliography(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return every source once, with all that is cited from it, and by which entries."""
    sources: dict[str, dict[str, Any]] = {}
    for item in items:
        for _, source, detail in item.citations:
            key = one_line(source).casefold().rstrip("/.")
            known = sources.setdefault(key, {"source": source, "details": [], "cited_by": []})
            known["details"] += [detail] if detail.strip() else []
            known["cited_by"].append(item.id)
    return [
        {key: list(dict.fromkeys(v)) if isinstance(v, list) else v for key, v in each.items()}
        for each in sources.values()
    ]


def rounds(content: Content) -> int:
    """Return how many rounds have something on record; what comes before the first is none."""
    return len({item.entry.exchange for item in content.read} - {0})


def duration(content: Content) -> int:
    """Return how many seconds a debate took that is over: from its making to its last entry."""
    begun = _seconds(content.debate.created)
    ended = max((_seconds(item.at) for item in content.read), default=0)
    return max(0, ended - begun) if begun and not content.stops_at else 0


def _seconds(at: str) -> int:
    """Return a time of the record in seconds since 1970; 0 where it is none.

    >>> _seconds("1970-01-02T00:00:05Z"), _seconds("")
    (86405, 0)
    """
    match = _TIME.fullmatch(at)
    try:
        return calendar.timegm(tuple(map(int, match.groups()))) if match else 0
    except ValueError:  # a month or a day that there is not
        return 0


WIDTH = 80
"""Columns to a line of plain text."""

_TITLE, _PART, _ENTRY, _WHERE = "title", "part", "entry", "where"
_LABEL, _SAID, _NOTE, _LISTED = "label", "said", "note", "listed"
Piece = tuple[str, str]
"""What a text is in the transcript, and the text: what was said, or a line of ours."""

_HEADING, _NAME = 200, 60
_BETWEEN = "; "
"""What stands between the parts of a source, each of which is cut where it is long."""
_INDENT, _FURTHER = "    ", "  "
"""What begins every line that was said, and each further line of one that was not."""
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_MARKDOWN: Mapping[str, str] = {
    _TITLE: "# {}",
    _PART: "## {}",
    _ENTRY: "### {}",
    _WHERE: "{}",
    _LABEL: "**{}**",
    _NOTE: "*{}*",
}
_TEXT: Mapping[str, str] = {_WHERE: "({})", _LABEL: "{}:", _NOTE: "({})"}


def markdown(content: Content) -> str:
    """Return a transcript as Markdown, in which no text of a participant is more than text."""
    return _joined(content, _as_markdown)


def plain_text(content: Content) -> str:
    """Return a transcript as text of 80 columns; only what participants said is indented."""
    return _joined(content, _as_text)


def _joined(content: Content, write: Callable[[str, str], str]) -> str:
    blocks = (
        ("\n" if is_list else "\n\n").join(write(*piece) for piece in group)
        for is_list, group in groupby(_pieces(content), key=lambda piece: piece[0] == _LISTED)
    )
    return "\n\n".join(blocks) + "\n"


def _as_markdown(kind: str, text: str) -> str:
    if kind == _SAID:
        return prose(text)
    if kind == _LISTED:
        return f"- {_BETWEEN.join(map(cited, text.split(_BETWEEN)))}"
    return _MARKDOWN[kind].format(inline(shorten(text, _HEADING)))


def _as_text(kind: str, text: str) -> str:
    if kind == _SAID:
        paragraphs = (
            [line for row in part.split("\n") for line in broken(row, WIDTH - len(_INDENT)) if line]
            for part in _BLANK.split(text.replace("\r\n", "\n"))
        )
        return "\n\n".join(
            "\n".join(_INDENT + line for line in lines) for lines in paragraphs if lines
        )
    if kind in {_TITLE, _PART}:
        line = one_line(text).upper()
        return f"{line}\n{('=' if kind == _TITLE else '-') * sum(map(columns, line))}"
    lines = broken(_TEXT.get(kind, "{}").format(text), WIDTH - len(_FURTHER))
    return f"\n{_FURTHER}".join(lines)


def _pieces(content: Content) -> Iterator[Piece]:
    yield _TITLE, "Partial transcript" if content.stops_at else "Transcript"
    yield _SAID, content.framing.motion
    if content.stops_at:
        yield _NOTE, f"This debate is not over. {capitalised(content.stops_at)}."
    yield from ((_LISTED, fact) for fact in _facts(content))
    for part in content.parts:
        yield _PART, part.title
        for item in part.items:
            yield from _entry(item)
    if sources := bibliography(content.read):
        yield _PART, "Sources"
        yield _NOTE, "As cited by the speakers, not checked."
        for each in sources:
            cited_by = f"cited in {_BETWEEN.join(each['cited_by'])}"
            yield _LISTED, _BETWEEN.join([f"From {each['source']}", *each["details"], cited_by])


def _facts(content: Content) -> Iterator[str]:
    debate, seconds = content.debate, duration(content)
    names = (
        f"{name} ({shorten(what, _NAME)})" if what else name
        for name, what in content.participants.items()
    )
    yield f"Debate: {debate.slug}, protocol {debate.protocol}"
    yield f"Participants: {', '.join(names)}"
    if debate.created:
        yield f"Begun: {debate.created}"
    if seconds:
        yield f"Duration: {seconds // 3600} h {seconds // 60 % 60} min {seconds % 60} s"
    yield f"Rounds on record: {rounds(content)}"
    yield from (f"Left out here, but on record: {kind}" for kind in content.hidden)


def _entry(item: Item) -> Iterator[Piece]:
    """Yield the texts of an entry, what was cut of them, and what they cite."""
    yield _ENTRY, item.title
    yield _WHERE, ", ".join(filter(None, (item.id, item.at)))
    if item.absence:
        yield _LABEL, f"No reply ({item.absence.how}, by {shorten(item.absence.by, _NAME)})"
    for heading, said in item.texts:
        if heading:
            yield _LABEL, heading
        yield _SAID, said
    if item.cut:
        kept = f"{item.cut.kept} of {counted(item.cut.words, 'word')} stand here"
        yield _NOTE, f"Cut at the word limit: {kept}; the rest is in the file of this entry."
    for number, source, detail in item.citations:
        yield _LISTED, _BETWEEN.join([f"[{number}] {source}", *filter(str.strip, [detail])])
