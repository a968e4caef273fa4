"""README.md of a debate: its first screen as text, the record folded away, and a length to keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from debate_ops.errors import Finding
from debate_ops.formats.debate_file import framing
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.reports import record, screen
from debate_ops.reports.blocks import Anchor, Block, Line, Listing, Quiet, Ref, line
from debate_ops.reports.files_drawn import GRAPH, PAGE
from debate_ops.reports.given import Given
from debate_ops.reports.in_markdown import InMarkdown, Rows, fold
from debate_ops.reports.made import replay
from debate_ops.reports.sureness import RULE
from debate_ops.reports.text import inline, shorten
from debate_ops.storage.folder import DEBATE_FILE, SCORES

MOST_BYTES = 64_000
"""A page of more than 64 KB is slow to read and, in places, cut."""

_ROWS: tuple[Rows, ...] = (None, 150, 60, 25, 10, 3)
"""Tried in this order until the page is small enough."""

_EDITS, _MESSAGE = 5, 300

CHANGED = "The record was changed afterwards. What follows may not fit it."


def readme(given: Given) -> str:
    """Return the page in Markdown, as long as pages may be: it says where it is shortened."""
    text = ""
    for rows in _ROWS:
        text = _page(given, rows)
        if len(text.encode("utf-8")) < MOST_BYTES:
            break
    return text


def _page(given: Given, rows: Rows) -> str:
    writer = InMarkdown(rows)
    text = "\n\n".join(_parts(given, writer, is_short=rows is not None))
    return f"{text}\n\n{definitions(targets(given.view.debate.record), text)}".rstrip("\n") + "\n"


def _parts(given: Given, writer: InMarkdown, *, is_short: bool) -> Iterator[str]:
    shown = given.screen
    yield f"*{inline(shown.quiet)}*"
    yield f"# {writer.line(shown.answer)}"
    yield from replayed(given)
    if given.edits:
        yield writer.blocks(banner(given))
    yield InMarkdown().blocks(screen.in_blocks(shown))
    yield InMarkdown().blocks(screen.below(shown))
    yield f"[The whole debate on one page]({PAGE}): every text, search, filters, print."
    for section in given.sections:
        yield f"## {inline(section.title)}"
        yield writer.blocks(section.blocks)
    yield from _graph(given, is_short=is_short)
    about = record.framing(given.view.content.framing, context=False)
    for section in (about, record.made(given.provenance)):
        yield fold(inline(section.title), writer.blocks(section.blocks))
    if shown.sureness:
        yield fold("How sure an answer is: the rule", RULE)


def replayed(given: Given) -> Iterator[str]:
    """Yield what the debate is a replay of, if it is one."""
    if label := replay(given.view.debate.replay_of, given.provenance.names):
        yield f"> **This is {inline(label)}.** Its replies come from that record; nobody was asked."


def banner(given: Given) -> Iterator[Block]:
    """Yield what was changed after others came to rest on it."""
    lines = [_edit(edit) for edit in given.edits[:_EDITS]]
    if more := len(given.edits) - _EDITS:
        lines += [line(Quiet(f"and {more} more"))] if more > 0 else []
    yield screen.warning(CHANGED)
    yield Listing(tuple(lines))


def _edit(edit: Finding) -> Line:
    name = edit.file.rpartition("/")[2].removesuffix(".md")
    of = Anchor(edit.file, edit.file) if edit.file == DEBATE_FILE else Ref(name)
    return line(of, f": {shorten(edit.message, _MESSAGE)}")


def _graph(given: Given, *, is_short: bool) -> Iterator[str]:
    """Yield the graph as a fold; a page that is too long only names its file."""
    graph = given.graph
    if graph is None or not graph.of:
        return
    link = f"[{GRAPH}]({GRAPH})"
    if is_short:
        yield f"The graph of the debate is in {link}. {graph.note}".rstrip()
        return
    inner = f"```mermaid\n{graph.text}```\n\n{graph.note} As a file: {link}.".replace(
        "\n\n ", "\n\n"
    )
    yield fold("Graph of attacks and answers", inner)


def alone(debate: Debate, blocks: Iterable[Block]) -> str:
    """Return blocks as a page of their own, under the motion of their debate."""
    text = f"# {inline(screen.motion(framing(debate.body)))}\n\n{InMarkdown().blocks(blocks)}"
    return f"{text}\n\n{definitions(targets(debate.record), text)}".rstrip("\n") + "\n"


def targets(record_: Record) -> dict[str, str]:
    """Return where references to entries lead: to their files.

    Judgments of older debates have none of their own: they stand together in one file.
    """
    leads = {i: f"{ARGUMENTS}/{i}.md" for i in record_.ids(ARGUMENTS)}
    for entry in filter(None, map(record_.get, record_.ids(JUDGMENTS))):
        leads[entry.id] = SCORES if entry.header.get("older") else entry.file
    return leads


def definitions(leads: Mapping[str, str], page: str) -> str:
    """Return where the references that `page` uses lead."""
    used = (name for name in leads if f"[{name}]" in page)
    return "\n".join(f"[{name}]: {leads[name]}" for name in used)
