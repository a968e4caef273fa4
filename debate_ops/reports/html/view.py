"""What the page in HTML shows, as values: the templates only lay it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from debate_ops import __version__
from debate_ops.model.texts import one_line
from debate_ops.reports import page, record
from debate_ops.reports.blocks import Block, Picture, Section, words
from debate_ops.reports.given import Given
from debate_ops.reports.html import inline_svg
from debate_ops.reports.html.cards import Card, Group, cards
from debate_ops.reports.html.in_html import InHtml
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.made import replay
from debate_ops.reports.screen import Screen
from debate_ops.reports.sureness import RULE
from debate_ops.storage.folder import DEBATE_FILE

_MANY = 150
_PLACES = 40


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
    """The whole page; `write` writes its blocks and lines, `prose` what participants said."""

    title: str
    slug: str
    begun: str
    version: str
    replay: str
    rule: str
    screen: Screen
    banner: tuple[Block, ...]
    sections: tuple[Section, ...]
    groups: tuple[Group, ...]
    about: tuple[Section, ...]
    filters: Filters
    write: InHtml
    prose: Prose

    @property
    def written(self) -> tuple[Section, ...]:
        """Every section of blocks, in the order of the page."""
        return (*self.screen.sections, *self.sections, *self.about)

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(len(group.cards) for group in self.groups)

    @property
    def has_many(self) -> bool:
        """Whether there are so many cards that a browser had better lay out only what it shows."""
        return self.total > _MANY

    @property
    def has_places(self) -> bool:
        """Whether the contents have room for the parts of the debate."""
        return 1 < len(self.groups) <= _PLACES


def view(given: Given, pictures: Mapping[str, str]) -> View:
    """Return what the page of a debate shows, with its charts as SVG."""
    report, numbers = given.report, given.numbers
    debate = numbers.debate
    groups = cards(debate, report.transcript_of(debate), numbers.names, report.notes(numbers))
    titles = {card.id: card.title for group in groups for card in group.cards}
    prose = Prose(titles)

    def figure(picture: Picture) -> Markup:
        return inline_svg.figure(pictures[picture.name], picture, titles)

    framing = record.framing(given.view.told.framing, context=True)
    made = record.made(given.provenance)
    return View(
        title=one_line(f"{words(given.screen.answer)}: {given.screen.motion}"),
        slug=debate.slug,
        begun=record.moment(debate.created).partition(",")[0] if debate.created else "",
        version=__version__,
        replay=replay(debate.replay_of, numbers.names),
        rule=RULE,
        screen=given.screen,
        banner=tuple(page.banner(given)) if given.edits else (),
        sections=given.sections,
        groups=groups,
        about=(framing, made),
        filters=_filters(card for group in groups for card in group.cards),
        write=InHtml(titles, {DEBATE_FILE: f"#{record.FRAMING}"}, prose, figure),
        prose=prose,
    )


def _filters(shown: Iterable[Card]) -> Filters:
    all_cards = list(shown)
    names = {card.participant: card.who for card in all_cards}
    participants = Counter(card.participant for card in all_cards)
    kinds = Counter(card.kind for card in all_cards)
    states = Counter(state for card in all_cards for state in card.note.states)
    return Filters(
        tuple(Choice(key, names[key], count) for key, count in participants.items()),
        tuple(_choices(kinds)),
        tuple(_choices(states)),
    )


def _choices(counts: Counter[str]) -> Iterator[Choice]:
    return (Choice(key, key, count) for key, count in counts.items())
