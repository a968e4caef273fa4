"""What the page in HTML shows, as values: the templates only lay it out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from markupsafe import Markup

from debate_ops import __version__
from debate_ops.model.debate import Framing
from debate_ops.model.texts import one_line
from debate_ops.reports.given import Given
from debate_ops.reports.html import inline_svg
from debate_ops.reports.html.cards import Card, Group, cards
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.made import replay
from debate_ops.reports.parts import Diagram, Part, Shown
from debate_ops.reports.report import Report, Told
from debate_ops.reports.text import shorten
from debate_ops.storage.folder import DEBATE_FILE, SCORES

RESULT = "Result"
"""The heading of what stands before the first heading of a protocol's own."""
RECORD = "How this was made"
"""The heading of the last section: it comes after the texts."""
FRAMING, DEBATE, RULINGS, TOP = "motion", "debate", "rulings", "note"
"""Keys of sections that every page has."""

_TAKEN = frozenset((FRAMING, DEBATE, RULINGS, TOP, "result", "record", "main", "bar", "tools"))
_TAKEN |= {
    "q",
    "side",
    "kind",
    "state",
    "theme",
    "keys",
    "fold",
    "print",
    "count",
    "help",
    "single",
}
"""What is a key on every page: of a section, or of a tool."""

_TITLE_LENGTH = 200
_MANY = 150
_PLACES = 40
_ALL_ROWS, _ROWS = 500, 150
"""Up to how many entries tables have a row for each, and how many they have where they do not:
the cards still tell all of it.
"""
_NO_WORD = re.compile(r"[^a-z0-9]+")
_SHORTCUTS = {"f": "flow", "m": "map"}


class Figure(NamedTuple):
    """A picture on the page; its frame scrolls where it is narrower than `least_width` pixels."""

    key: str
    alt: str
    svg: Markup
    least_width: int
    width: int


class Section(NamedTuple):
    """A section of the page: its key is where a link to it leads."""

    key: str
    title: str
    blocks: tuple[Markup | Figure, ...]


class Choice(NamedTuple):
    """Something to filter cards by, and how many cards have it."""

    key: str
    name: str
    cards: int


class Filters(NamedTuple):
    """What cards can be filtered by."""

    participants: tuple[Choice, ...]
    kinds: tuple[Choice, ...]
    states: tuple[Choice, ...]


class View(NamedTuple):
    """The whole page."""

    title: str
    slug: str
    protocol: str
    version: str
    replay: str
    note: tuple[tuple[str, Markup], ...]
    result: Section
    sections: tuple[Section, ...]
    said: tuple[Group, ...]
    decided: tuple[Group, ...]
    framing: Framing
    record: Section
    filters: Filters
    prose: Prose

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(len(group.cards) for group in (*self.said, *self.decided))

    @property
    def has_many(self) -> bool:
        """Whether there are so many cards that a browser had better lay out only what it shows."""
        return self.total > _MANY

    @property
    def has_places(self) -> bool:
        """Whether the contents have room for the parts of the debate."""
        return len(self.said) + len(self.decided) <= _PLACES

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Every picture."""
        blocks = (b for s in (self.result, *self.sections, self.record) for b in s.blocks)
        return tuple(block for block in blocks if isinstance(block, Figure))

    @property
    def shortcuts(self) -> dict[str, str]:
        """Letters of the keyboard and the sections that they lead to."""
        found = {
            letter: section.key
            for letter, word in reversed(_SHORTCUTS.items())
            for section in reversed(self.sections)
            if word in section.key.split("-")
        }
        return {"d": TOP, **found}


def view(report: Report, given: Given[Told]) -> View:
    """Return what the page of a debate shows."""
    told = given.told
    debate = told.debate
    shown = cards(debate, report.transcript_of(debate), told.names, report.asides(told))
    titles = {card.id: card.title for card in shown.cards}
    prose = Prose(titles, {DEBATE_FILE: f"#{FRAMING}", SCORES: f"#{RULINGS}"})
    sections = _sections(report, given, prose, titles)
    first = sections.pop(0) if sections and not sections[0].title else _section("", ())
    if given.brief:
        text = InMarkdown().blocks(given.brief)
        sections.insert(0, _section("Brief", [piece.html for piece in prose.pieces(text)]))
    record = sections.pop() if sections and sections[-1].title == RECORD else _section(RECORD, ())
    return View(
        title=_title(told.framing),
        slug=debate.slug,
        protocol=debate.protocol,
        version=__version__,
        replay=replay(debate.replay_of, told.names),
        note=tuple((line.label, prose.fact(line.text)) for line in report.note(told)),
        result=first._replace(key="result", title=RESULT),
        sections=tuple(_apart(_untold(sections, (*shown.said, *shown.decided)))),
        said=shown.said,
        decided=shown.decided,
        framing=told.framing,
        record=record._replace(key="record"),
        filters=_filters(shown.cards),
        prose=prose,
    )


def _title(framing: Framing) -> str:
    first = next((line for line in framing.motion.split("\n") if one_line(line)), "")
    return shorten(first, _TITLE_LENGTH) or "(no motion)"


# ---------------------------------------------------------------- sections


def _sections(
    report: Report, given: Given[Told], prose: Prose, entries: Collection[str]
) -> list[Section]:
    """Return the parts of the page by their headings; the first section may have none."""
    found: list[tuple[str, list[Markup | Figure]]] = []
    for title, block in _blocks(report, given, prose, entries):
        if title or not found:
            found.append((title, []))
        if block:
            found[-1][1].append(block)
    return [_section(title, blocks) for title, blocks in found]


def _blocks(
    report: Report, given: Given[Told], prose: Prose, entries: Collection[str]
) -> Iterator[tuple[str, Markup | Figure]]:
    """Yield every block, with the heading that begins with it or an empty text."""
    pictures = report.pictures(given.told)
    rows = None if len(entries) <= _ALL_ROWS else _ROWS
    texts: list[str] = []
    number = 0
    for part in (*report.parts(given, rows), _END):
        if isinstance(part, str):
            texts.append(part)
            continue
        yield from prose.pieces("\n\n".join(texts))
        texts.clear()
        if isinstance(part, Shown) and part != _END:
            number += 1
            sheet = pictures[part.name].paint(inline_svg.PALETTE)
            key = f"picture_{number}"
            drawn = inline_svg.draw(sheet, part.alt, key, entries)
            svg = Markup(drawn.svg)  # noqa: S704  (every text in it is escaped)
            yield "", Figure(key, part.alt, svg, drawn.least_width, sheet.width)
        elif isinstance(part, Diagram) and not pictures:
            yield "", Markup("<pre>{}</pre>").format(part.graph.text)


_END: Part = Shown("", "")
"""Comes after the last part."""


def _section(title: str, blocks: Iterable[Markup | Figure]) -> Section:
    key = _NO_WORD.sub("-", title.lower()).strip("-")
    return Section(key or "section", title, tuple(blocks))


def _untold(sections: Iterable[Section], groups: Iterable[Group]) -> Iterator[Section]:
    """Yield the sections that do not only repeat what was said in a part of the debate."""
    told = {title for group in groups for title in (group.title, group.title.partition(",")[0])}
    for section in sections:
        if section.title not in told:
            yield section


def _apart(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield sections whose keys all differ, also from those that every page has."""
    taken = Counter(_TAKEN)
    for section in sections:
        taken[section.key] += 1
        number = taken[section.key]
        yield section._replace(key=f"{section.key}-{number}") if number > 1 else section


# ---------------------------------------------------------------- filters


def _filters(shown: Iterable[Card]) -> Filters:
    all_cards = list(shown)
    names = {card.participant: card.who for card in all_cards}
    participants = Counter(card.participant for card in all_cards)
    kinds = Counter(card.kind for card in all_cards)
    states = Counter(state for card in all_cards for state in card.aside.states)
    return Filters(
        tuple(Choice(key, names[key], count) for key, count in participants.items()),
        tuple(Choice(key, key, count) for key, count in kinds.items()),
        tuple(Choice(key, key, count) for key, count in states.items()),
    )
