"""The page in Markdown: what those of all protocols share, and a length to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from debate_ops.model.debate import Framing
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.texts import one_line
from debate_ops.reports.files_drawn import GRAPH, PAGE
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.made import replay
from debate_ops.reports.markdown import bullets, definitions, fold, picture
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.parts import Diagram, Note, Part, Parts, Shown
from debate_ops.reports.phrases import CELL
from debate_ops.reports.report import Report, Told
from debate_ops.reports.text import counted, inline, joined, paragraph, shorten
from debate_ops.storage.folder import SCORES

MOST_BYTES = 64_000
"""A page of more than 64 KB is slow to read and, in places, cut."""

NOTE, BRIEF = "Decision note", "Brief"
"""The headings of what stands first."""

_ROWS: tuple[Rows, ...] = (None, 150, 60, 25, 10, 3)
"""Tried in this order until the page is small enough."""

_TITLE_LENGTH = 140
_MOTION_LENGTH = 4000
_TERM_LENGTH = 600
_MOST_TERMS = 12
_OPEN_TERMS = 700


def readme(report: Report, given: Given[Told]) -> str:
    """Return the page of a debate in Markdown, its links resolved, as long as pages may be."""
    leads = targets(given.told.debate.record)
    return _fitting(lambda rows: composed(whole(report, given, rows), leads, rows))


def whole(report: Report, given: Given[Told], rows: Rows) -> Parts:
    """Yield all parts of a page: the motion, the decision note, and what the protocol tells."""
    told = given.told
    yield from title(told.framing)
    yield from replayed(told.debate.replay_of, told.names)
    yield from _note(report.note(told))
    yield f"[The whole debate on one page]({PAGE}): every text, search, filters, print."
    yield from brief(given)
    yield from report.parts(given, rows)


def brief(given: Given[Told]) -> Iterator[str]:
    """Yield the brief under its heading, where there is one."""
    if given.brief:
        yield f"## {BRIEF}"
        yield InMarkdown().blocks(given.brief)


def _note(lines: Note) -> Parts:
    if lines:
        yield f"## {NOTE}"
        yield bullets(f"**{line.label}:** {line.text}" for line in lines)


def _fitting(draw: Callable[[Rows], str]) -> str:
    """Return the page, with lists shortened where it would be too long: it says so there."""
    text = ""
    for rows in _ROWS:
        text = draw(rows)
        if len(text.encode("utf-8")) < MOST_BYTES:
            break
    return text


def composed(parts: Parts, leads: Mapping[str, str], rows: Rows) -> str:
    """Return parts as a Markdown page, with where its references lead at the end."""
    text = "\n\n".join(_in_markdown(part, rows) for part in parts)
    return f"{text}\n\n{definitions(leads, text)}".rstrip("\n") + "\n"


def _in_markdown(part: Part, rows: Rows) -> str:
    if isinstance(part, Shown):
        return picture(part)
    return _diagram(part, rows) if isinstance(part, Diagram) else part


def targets(record: Record) -> dict[str, str]:
    """Return where references to entries lead: to their files.

    Judgments of older debates have none of their own: they stand together in one file.
    """
    leads = {i: f"{ARGUMENTS}/{i}.md" for i in record.ids(ARGUMENTS)}
    for entry in filter(None, map(record.get, record.ids(JUDGMENTS))):
        leads[entry.id] = SCORES if entry.header.get("older") else entry.file
    return leads


def title(framing: Framing) -> Iterator[str]:
    """Yield the motion as the title; one that is no single line stands in full below it."""
    motion = framing.motion
    lines = [line for line in motion.split("\n") if one_line(line)] or ["(no motion)"]
    first = shorten(lines[0], _TITLE_LENGTH)
    yield f"# {inline(first)}"
    if len(lines) == 1 and not first.endswith("…"):
        return
    if len(motion) <= _MOTION_LENGTH:
        yield "\\\n".join(f"> {paragraph(line)}" for line in lines)
        return
    yield f"> {paragraph(shorten(motion, _MOTION_LENGTH))}"
    yield "The motion is shortened here; it stands in full in [debate.md](debate.md)."


def replayed(replay_of: Mapping[str, object] | None, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what the debate is a replay of, if it is one."""
    if label := replay(replay_of, names):
        yield (
            f"> **This is {inline(label)}.** Its replies come from that record; "
            "nobody was asked anew."
        )


def terms(framing: Framing, rows: Rows) -> Iterator[str]:
    """Yield the definitions and the scope, folded away where they are long."""
    most = _MOST_TERMS if rows is None else min(rows, _MOST_TERMS)
    lines = [
        f"**{inline(shorten(item.term, CELL))}:** {inline(shorten(item.text, _TERM_LENGTH))}"
        for item in framing.definitions[:most]
    ]
    if len(framing.definitions) > most:
        more = counted(len(framing.definitions) - most, "more definition")
        lines.append(f"{more}: see [debate.md](debate.md)")
    if framing.scope.strip():
        lines.append(f"**Scope:** {inline(shorten(framing.scope, _TERM_LENGTH))}")
    if not lines:
        return
    given = {"definitions": framing.definitions, "scope": framing.scope.strip()}
    what = joined([name for name, there in given.items() if there]).capitalize()
    text = bullets(lines)
    yield text if len(text) <= _OPEN_TERMS else fold(what, text)


def graph_of(what: str, arrows: str, drawn: Graph | None) -> Iterator[Part]:
    """Yield the graph of `what`, if there is one; `arrows` says what its arrows mean."""
    if drawn is not None and drawn.of:
        yield Diagram(what, arrows, drawn)


def _diagram(diagram: Diagram, rows: Rows) -> str:
    """Return a graph as a fold; a page that is too long only names its file."""
    what, arrows, drawn = diagram
    link = f"[{GRAPH}]({GRAPH})"
    if rows is not None:
        return f"The graph of {what} is in {link}. {drawn.note}".rstrip()
    return fold(
        f"Graph of {what}",
        f"```mermaid\n{drawn.text}```",
        " ".join(filter(None, [arrows, drawn.note, f"As a file: {link}."])),
    )
