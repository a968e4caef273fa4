"""A transcript in any form for people: what stands in it, in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from debate_ops.reports.items import Citation, Content, Item, Source
from debate_ops.reports.text import counted, shorten
from debate_ops.reports.transcript.citations import bibliography, loose, renumbered
from debate_ops.reports.transcript.duration import duration, spoken

_NAME = 60


class Form(NamedTuple):
    """How the pieces of a transcript are written.

    `head` is what it begins with, `part` the title of a part; `entry` is the heading of an entry
    with where it stands. `label` is the heading of a text, `prose` a text of a participant, `note`
    a remark of ours, `lines` a list. `words` are foreign words inside a line, `cited` is a source
    and `name` an id.
    """

    head: Callable[[str, str], str]
    part: Callable[[str], str]
    entry: Callable[[str, Iterable[str]], str]
    label: Callable[[str], str]
    prose: Callable[[str], str]
    note: Callable[[str], str]
    lines: Callable[[Iterable[str]], str]
    words: Callable[[str], str]
    cited: Callable[[str], str]
    name: Callable[[str], str]


def write(content: Content, form: Form) -> str:
    """Return the whole transcript."""
    return "\n\n".join(_blocks(content, form)) + "\n"


def _blocks(content: Content, form: Form) -> Iterator[str]:
    yield form.head(content.framing.motion, content.stops_at)
    yield form.lines(_facts(content, form))
    for part in content.parts:
        yield form.part(part.title)
        for item in part.items:
            yield form.entry(item.title, filter(None, (form.name(item.id), form.words(item.at))))
            yield from _entry(item, form)
    if content.stops_at:
        yield form.part("The record ends here")
        yield form.note(f"Partial: {content.stops_at}.")
    if sources := bibliography(content.read):
        yield form.part("Sources")
        yield form.note(
            "As cited by the speakers, not checked. The same source has one number throughout."
        )
        yield form.lines(_source(source, form) for source in sources)


def _facts(content: Content, form: Form) -> Iterator[str]:
    """Yield what stands at the head of a transcript, a line each."""
    debate, seconds = content.debate, duration(content)
    names = ", ".join(
        f"{form.words(name)} ({form.words(shorten(what, _NAME))})" if what else form.words(name)
        for name, what in content.participants.items()
    )
    yield f"Debate: {form.name(debate.slug)}, protocol {form.words(debate.protocol)}"
    yield f"Participants: {names}"
    if debate.created:
        yield f"Begun: {form.words(debate.created)}"
    if seconds:
        yield f"Duration: {spoken(seconds)} ({counted(seconds, 'second')})"
    yield f"Rounds on record: {rounds(content)}"
    yield from (f"Left out here, but on record: {form.words(kind)}" for kind in content.hidden)


def rounds(content: Content) -> int:
    """Return how many rounds have something on record; what comes before the first is none."""
    return len({item.entry.exchange for item in content.read} - {0})


def _entry(item: Item, form: Form) -> Iterator[str]:
    """Yield the texts of an entry, what was cut of them, and what they cite."""
    if item.absence:
        yield form.label(f"No reply ({item.absence.how}, by {shorten(item.absence.by, _NAME)})")
    for heading, text in item.texts:
        if heading:
            yield form.label(heading)
        yield form.prose(renumbered(text, item.citations))
    if item.cut:
        yield form.note(
            f"Cut at the word limit: {item.cut.kept} of {counted(item.cut.words, 'word')} stand "
            "here; the rest is in the file of this entry."
        )
    if item.citations:
        yield form.lines(_citation(citation, form) for citation in item.citations)
    if markers := [m for _, text in item.texts for m in loose(text, item.citations)]:
        named = ", ".join(dict.fromkeys(markers))
        yield form.note(f"No source of this entry belongs to {named}.")


def _citation(citation: Citation, form: Form) -> str:
    detail = f": {form.cited(citation.detail)}" if citation.detail.strip() else ""
    return f"{form.words(f'[{citation.number}]')} {form.cited(citation.source)}{detail}"


def _source(source: Source, form: Form) -> str:
    details = f": {'; '.join(map(form.cited, source.details))}" if source.details else ""
    by = ", ".join(map(form.name, source.cited_by))
    return f"{form.words(f'[{source.number}]')} {form.cited(source.source)}{details} ({by})"
