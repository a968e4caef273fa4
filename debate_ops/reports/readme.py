"""README.md of a debate: its first screen as text, the record folded away, and a length to keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from debate_ops.errors import Finding
from debate_ops.formats.debate_file import framing
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.reports import record, screen
from debate_ops.reports.blocks import (
    Anchor,
    Block,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Ref,
    Strong,
    line,
)
from debate_ops.reports.in_markdown import InMarkdown, fold
from debate_ops.reports.marks import PAGE
from debate_ops.reports.provenance import replay
from debate_ops.reports.screen import PageData
from debate_ops.reports.sureness import RULE
from debate_ops.reports.text import inline, shorten
from debate_ops.storage.folder import DEBATE_FILE, SCORES

MOST_BYTES = 64_000
"""A page of more than 64 KB is slow to read and, in places, cut."""

_EDITS, _MESSAGE = 5, 300

CHANGED = "The record was changed afterwards. What follows may not fit it."


def render(data: PageData) -> str:
    """Return the page in Markdown; of a debate whose page would be too long, the first screen."""
    whole = _page(data, is_whole=True)
    return whole if len(whole.encode("utf-8")) < MOST_BYTES else _page(data, is_whole=False)


def _page(data: PageData, *, is_whole: bool) -> str:
    text = "\n\n".join(_parts(data, InMarkdown(), is_whole=is_whole))
    return _with_definitions(text, data.view.debate.record)


def _parts(data: PageData, writer: InMarkdown, *, is_whole: bool) -> Iterator[str]:
    shown = data.screen
    yield f"*{inline(shown.quiet)}*"
    yield f"# {writer.line(shown.answer)}"
    yield from replayed(data)
    if data.edits:
        yield writer.blocks(banner(data))
    yield writer.blocks(screen.in_blocks(shown))
    yield f"[The whole debate on one page]({PAGE}): every text, search, filters, print."
    if not is_whole:
        yield "The record of this debate is too long to stand here as well."
        return
    for section in data.sections:
        yield f"## {inline(section.title)}"
        yield writer.blocks(section.blocks)
    about = record.framing(data.view.content.framing, context=False)
    for section in (about, data.made):
        yield fold(inline(section.title), writer.blocks(section.blocks))
    if shown.sureness:
        yield fold("How sure an answer is: the rule", RULE)


def replayed(data: PageData) -> Iterator[str]:
    """Yield what the debate is a replay of, if it is one."""
    if label := replay(data.view.debate.replay_of):
        yield f"> **This is {inline(label)}.** Its replies come from that record; nobody was asked."


def banner(data: PageData) -> Iterator[Block]:
    """Yield what was changed after others came to rest on it."""
    lines = [_edit(edit) for edit in data.edits[:_EDITS]]
    if more := len(data.edits) - _EDITS:
        lines += [line(Quiet(f"and {more} more"))] if more > 0 else []
    yield Paragraph(line(Strong(CHANGED)))
    yield Listing(tuple(lines))


def _edit(edit: Finding) -> Line:
    name = edit.file.rpartition("/")[2].removesuffix(".md")
    of = Anchor(edit.file, edit.file) if edit.file == DEBATE_FILE else Ref(name)
    return line(of, f": {shorten(edit.message, _MESSAGE)}")


def alone(debate: Debate, blocks: Iterable[Block]) -> str:
    """Return blocks as a page of their own, under the motion of their debate."""
    own = InMarkdown(pictures=False).blocks(blocks)
    text = f"# {inline(screen.motion(framing(debate.body)))}\n\n{own}"
    return _with_definitions(text, debate.record)


_REFERENCE = re.compile(r"\[([a-z][a-z0-9-]*_[0-9]{3,6}[a-z0-9-]*)\]")


def _with_definitions(text: str, record: Record) -> str:
    """Return a page with the files that its references to entries lead to.

    Judgments of older debates have none of their own: they are together in one file.
    """
    shown = set(_REFERENCE.findall(text))
    used = (i for kind in (ARGUMENTS, JUDGMENTS) for i in record.ids(kind) if i in shown)
    entries = filter(None, map(record.get, used))
    lines = (f"[{e.id}]: {SCORES if e.header.get('older') else e.file}" for e in entries)
    return "\n".join([f"{text}\n", *lines]).rstrip("\n") + "\n"
