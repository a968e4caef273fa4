"""A transcript as Markdown, in which no text of a participant can be anything but text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from debate_ops.model.texts import one_line
from debate_ops.reports.markdown import bullets, cited, prose
from debate_ops.reports.text import counted, inline, paragraph, shorten
from debate_ops.reports.transcript.citations import loose, renumbered
from debate_ops.reports.transcript.values import Citation, Passage, Source, Transcript, spoken

Link = Callable[[str], str]
"""From the id of an entry to how it is named."""

_HEADING = 200
_NAME = 60


def render(told: Transcript) -> str:
    """Return the whole transcript."""
    return "\n\n".join(_blocks(told)) + "\n"


def _blocks(told: Transcript) -> Iterator[str]:
    yield f"# Transcript: {inline(shorten(told.motion, _HEADING))}"
    if told.motion != one_line(told.motion) or len(told.motion) > _HEADING:
        yield prose(told.motion)
    if told.partial:
        yield partial(told)
    yield bullets(facts(told))
    for part in told.parts:
        yield f"## {inline(part.title)}"
        for passage in part.passages:
            yield from of_passage(passage, as_code)
    if told.partial:
        yield "## The record ends here"
        yield f"*Partial:* {inline(told.partial)}."
    yield from sources(told.sources, as_code, "##")


def partial(told: Transcript) -> str:
    """Return the mark of a transcript of a debate that is not over."""
    return f"> **Partial transcript.** This debate is not over: {inline(told.partial)}."


def facts(told: Transcript) -> Iterator[str]:
    """Yield what stands at the head of a transcript, a line each."""
    names = ", ".join(
        f"{inline(name)} ({inline(shorten(what, _NAME))})" if what else inline(name)
        for name, what in told.participants
    )
    yield f"Debate: {as_code(told.debate)}, protocol {inline(told.protocol)}"
    yield f"Participants: {names}"
    if told.created:
        yield f"Begun: {inline(told.created)}"
    if told.duration:
        yield f"Duration: {spoken(told.duration)} ({counted(told.duration, 'second')})"
    yield f"Rounds on record: {told.rounds}"
    for kind in told.hidden:
        yield f"Left out here, but on record: {inline(kind)}"


def of_passage(passage: Passage, link: Link) -> Iterator[str]:
    """Yield a passage: its heading, where it stands, its texts, what was cut, what it cites."""
    yield f"### {inline(shorten(passage.heading, _HEADING))}"
    yield from content(passage, link)


def content(passage: Passage, link: Link, most: int | None = None) -> Iterator[str]:
    """Yield a passage without its heading; of each text at most so many characters."""
    yield _where(passage, link)
    if passage.is_absence:
        yield absence(passage)
        return
    yield from texts(passage, most)
    yield from cut(passage)
    yield from _citations(passage)


def texts(passage: Passage, most: int | None = None) -> Iterator[str]:
    """Yield the texts of a passage under their headings; of each at most so many characters."""
    for name, text in passage.texts:
        if name:
            yield f"**{inline(shorten(name, _HEADING))}**"
        yield _shown(renumbered(text, passage.citations), most)


def _shown(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return prose(text)
    return f"{paragraph(shorten(text, most))} *(shortened here; it stands in full in its file)*"


def absence(passage: Passage) -> str:
    """Return an absence as a sentence."""
    reason = " ".join(inline(text) for _, text in passage.texts)
    told = f": “{reason}”" if reason else "."
    return f"*No reply ({inline(passage.how)}, by {inline(shorten(passage.by, _NAME))})*{told}"


def cut(passage: Passage) -> Iterator[str]:
    """Yield that a word limit cut the text, if it did."""
    if passage.cut:
        words, kept, _ = passage.cut
        yield (
            f"*Cut at the word limit: {kept} of {counted(words, 'word')} stand here; the rest is "
            "in the file of this entry.*"
        )


def _where(passage: Passage, link: Link) -> str:
    return ", ".join(filter(None, [link(passage.id), inline(passage.at)]))


def _citations(passage: Passage) -> Iterator[str]:
    if passage.citations:
        yield bullets(map(_citation, passage.citations))
    markers = [m for _, text in passage.texts for m in loose(text, passage.citations)]
    if markers:
        named = ", ".join(inline(marker) for marker in dict.fromkeys(markers))
        yield f"*No source of this passage belongs to {named}.*"


def _citation(citation: Citation) -> str:
    detail = f": {cited(citation.detail)}" if citation.detail.strip() else ""
    return f"\\[{citation.number}\\] {cited(citation.source)}{detail}"


def sources(found: tuple[Source, ...], link: Link, level: str) -> Iterator[str]:
    """Yield the bibliography."""
    if not found:
        return
    yield f"{level} Sources"
    yield "As cited by the speakers, not checked. The same source has one number throughout."
    yield bullets(_source(source, link) for source in found)


def _source(source: Source, link: Link) -> str:
    details = f": {'; '.join(map(cited, source.details))}" if source.details else ""
    by = ", ".join(map(link, source.cited_by))
    return f"\\[{source.number}\\] {cited(source.source)}{details} ({by})"


def as_code(entry_id: str) -> str:
    """Return an id where there is nothing to link to."""
    return f"`{entry_id}`"
