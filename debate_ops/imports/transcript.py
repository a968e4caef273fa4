"""Transcripts and discussion threads: a text in which the speakers are named.

Five ways of naming are known: the listing of a tracker's command line (`author:` above each
comment), headings, names in bold, and names with a colon at the beginning of a paragraph or a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from debate_ops.core.errors import UsageError
from debate_ops.imports.imported import Imported, Speech

_NAME = r"[^\W\d_][^:*#\n]{0,59}?"
_SAID = r"(?:\s+(?:commented|wrote|said|replied|opened)\b[^\n]*?)?"
_STYLES = {
    "listing": re.compile(r"^author:\t(?P<name>\S.*)$", re.MULTILINE),
    "headings": re.compile(rf"^#{{1,6}} +@?(?P<name>{_NAME}){_SAID}:? *$", re.MULTILINE),
    "bold": re.compile(rf"^\*\*@?(?P<name>{_NAME})(?::\*\*|\*\*{_SAID}:)[ \t]*", re.MULTILINE),
    "colons": re.compile(rf"(?:\A|(?<=\n\n))@?(?P<name>{_NAME}):(?=\s)[ \t]*"),
    "lines": re.compile(rf"^@?(?P<name>{_NAME}):[ \t]+", re.MULTILINE),
}
_TITLE = re.compile(r"^(?:# +|title:\t|Motion: +)(?P<title>\S.*)$", re.MULTILINE)
_FIELD = re.compile(r"^[a-z ]+:\t.*$")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?")


def read(text: str, speakers: Collection[str] = ()) -> Imported:
    """Return the debate of a transcript; only `speakers` speak, where they are named.

    Raises:
        UsageError: nobody can be told apart in it.
    """
    text = text.replace("\r\n", "\n").strip("\n")
    title = _TITLE.search(text)
    motion = title["title"].strip() if title else ""
    for style, pattern in _STYLES.items():
        heads = list(_heads(text, pattern, speakers, motion))
        if len({match["name"].strip() for match in heads}) > 1:
            before = text[: heads[0].start()].replace(title[0] if title else "", "").strip()
            is_said = before and style != "listing"
            left_out = ("what stands before the first speaker",) if is_said else ()
            speeches = tuple(_speeches(text, style, heads))
            return Imported(motion, speeches, left_out=left_out)
    raise UsageError(
        "no two speakers can be told apart in it",
        hint="Begin each speech with its speaker: 'Ann: ...' after an empty line, '**Ann:** ...', "
        "or a heading '## Ann'. Where other words stand so, list the names with --speakers.",
    )


def _heads(
    text: str, pattern: re.Pattern[str], speakers: Collection[str], motion: str
) -> Iterator[re.Match[str]]:
    """Yield where a speech begins: after the name of somebody who may speak."""
    known = {name.strip().lower() for name in speakers}
    heads = [(match["name"].strip(), match) for match in pattern.finditer(text)]
    times = Counter(name for name, _ in heads)
    least = 2 if pattern is _STYLES["lines"] else 1  # a word with a colon is not yet a speaker
    for name, match in heads:
        is_free = not known and name not in {motion, "Motion"} and times[name] >= least
        if name.lower() in known or is_free:
            yield match


def _speeches(text: str, style: str, heads: Sequence[re.Match[str]]) -> Iterator[Speech]:
    ends = [*(match.start() for match in heads[1:]), len(text)]
    for match, end in zip(heads, ends, strict=True):
        said = text[match.end() : end]
        said = (_without_fields(said) if style == "listing" else said).strip()
        if said:
            date = _DATE.search(match[0])
            yield Speech(match["name"].strip(), said, date[0] if date else "")


def _without_fields(said: str) -> str:
    """Return a comment of a listing without the fields above it and the rules around it."""
    lines = said.split("\n")
    while lines and (_FIELD.match(lines[0]) or lines[0] == "--" or not lines[0].strip()):
        lines.pop(0)
    while lines and (lines[-1] == "--" or not lines[-1].strip()):
        lines.pop()
    return "\n".join(lines)
