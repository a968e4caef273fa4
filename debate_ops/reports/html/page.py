"""The page in HTML as one text: a debate laid out by templates, with their style and script."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from debate_ops import __version__
from debate_ops.model.texts import one_line
from debate_ops.reports import readme, record
from debate_ops.reports.blocks import words
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.html.cards import Card, cards
from debate_ops.reports.html.in_html import InHtml
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.html.tags import html
from debate_ops.reports.marks import MARK
from debate_ops.reports.page_data import PageData
from debate_ops.reports.provenance import replay
from debate_ops.reports.sureness import RULE
from debate_ops.reports.text import capitalised
from debate_ops.storage.folder import DEBATE_FILE

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")

_MANY, _PLACES = 150, 40
"""From how many cards on a browser lays out only what it shows; most parts in the contents."""


def render(data: PageData) -> str:
    """Return the page of a debate: the same debate gives the same bytes.

    It loads nothing and runs nothing but its own script: its policy names both by their digests.
    """
    content, debate = data.view.content, data.view.debate
    groups = cards(content, data.notes)
    all_cards = [card for group in groups for card in group.cards]
    titles = {card.item.id: card.title for card in all_cards}
    prose = Prose(titles)
    write = InHtml(titles, {DEBATE_FILE: f"#{record.FRAMING}"}, prose)
    about = (record.framing(content.framing, context=True), data.made)
    written = (*data.screen.sections, *data.sections, *about)
    sections = {section.key: write.section(section) for section in written}
    style = f"\n{base_style()}"
    script = f"\n{source('page.js')}"
    text = (
        _environment()
        .get_template("page.html.jinja")
        .render(
            title=one_line(f"{words(data.screen.answer)}: {data.screen.motion}"),
            slug=debate.slug,
            begun=record.moment(debate.created).partition(",")[0] if debate.created else "",
            mark=MARK,
            version=__version__,
            replay=replay(debate.replay_of),
            rule=RULE,
            screen=data.screen,
            banner=tuple(readme.banner(data)) if data.edits else (),
            own=data.sections,
            about=about,
            sections=sections,
            groups=groups,
            total=len(all_cards),
            has_many=len(all_cards) > _MANY,
            has_places=1 < len(groups) <= _PLACES,
            filters=_filters(all_cards),
            write=write,
            prose=prose,
            style=html(style),
            script=html(script),
            policy=_policy(style, script),
        )
    )
    return f"{text}\n"


Choices = list[tuple[str, str, int]]
"""What cards can be filtered by: a key, its name, and how many cards have it."""


def _filters(shown: Iterable[Card]) -> list[tuple[str, str, Choices]]:
    """Return what cards can be filtered by: of each filter its key, its name and its choices."""

    def counted(of: Callable[[Card], Iterable[tuple[str, str]]]) -> Choices:
        counts = Counter(choice for card in shown for choice in of(card))
        return [(key, name, count) for (key, name), count in counts.items()]

    return [
        ("side", "Who", counted(lambda card: [(card.item.participant, card.who)])),
        ("kind", "Kind", counted(lambda card: [(card.item.kind, card.item.kind)])),
        ("state", "State", counted(lambda card: [(state, state) for state in card.note.states])),
    ]


def base_style() -> str:
    """Return the style that all pages share, with its colours."""
    return f"{_colours()}{source('page.css')}"


def _colours() -> str:
    """Return the colours of both themes as variables, chosen by the reader's device or by hand."""
    light, dark = (_variables(PALETTES[theme]) for theme in ("light", "dark"))
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        "@media (prefers-color-scheme: dark) {\n"
        f"  :root:not([data-theme='light']) {{ color-scheme: dark; {dark} }}\n}}\n"
        f":root[data-theme='dark'] {{ color-scheme: dark; {dark} }}\n"
    )


def _variables(palette: Palette) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in palette._asdict().items())


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = "{:,}".format
    environment.filters["line"] = one_line
    environment.filters["sentence"] = capitalised
    return environment


@cache
def source(name: str) -> str:
    """Return a file beside the templates; its line ends are those that browsers hash."""
    with open(os.path.join(_TEMPLATES, name), encoding="utf-8") as file:
        return file.read()
