"""The page in HTML: whole, harmless, the same twice, with what somebody needs who has to decide."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from debate_ops.model.debate import Debate, Definition, Document, Framing
from debate_ops.reports import table
from debate_ops.reports.blocks import Line, Ref
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.content import content_of
from debate_ops.reports.html import page as pages
from debate_ops.reports.html.page import Card, Group, cards
from debate_ops.reports.html.prose import TAGS
from debate_ops.reports.marks import MARK
from debate_ops.reports.record import Note
from debate_ops.reports.screen import page_data
from tests.browser.hostile import TEXTS
from tests.reports.debates import absence, argument, debate, judgment, short_debate
from tests.tools.shipped import SHIPPED, shipped

_VOID = {"meta", "br", "hr", "input"}


class Reader(HTMLParser):
    """Reads a page strictly: what is opened is closed, in order; ids are there once."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.headings: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.names.add(tag)
        self.attributes |= set(named)
        self.ids += [named["id"] or ""] if "id" in named else []
        self.links += [named["href"] or ""] if "href" in named else []
        if tag not in _VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag) and "dialog" not in self.open:
            self.headings.append(int(tag[1]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()


def page(of: Debate) -> str:
    return pages.render(page_data(table.read(of)))


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def short() -> str:
    return page(short_debate())


def check_attributes(reader: Reader) -> None:
    """Fail on an attribute that loads, styles or handles something."""
    assert not {"src", "srcset", "style", "action"} & reader.attributes
    assert not [name for name in reader.attributes if name.startswith("on")]


def test_the_page_loads_nothing_and_styles_and_handles_nothing_in_its_tags(short: str) -> None:
    reader = read(short)
    assert not {"img", "link", "iframe", "object", "embed", "base", "source"} & reader.names
    check_attributes(reader)
    assert re.findall(r"https?://", short) == []
    assert "mermaid" not in short


def test_the_policy_allows_our_own_style_and_script_and_nothing_else(short: str) -> None:
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', short)[0].replace(
        "&#39;", "'"
    )
    digests = {
        name: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for name, text in re.findall(r"<(style|script)>(.*?)</\1>", short, re.DOTALL)
    }
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digests['style']}'",
        f"script-src 'sha256-{digests['script']}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_script_is_small_and_runs_no_text() -> None:
    script = pages.source("page.js")
    assert len(script.encode()) < 15_000
    assert not re.search(
        r"\beval\b|innerHTML|outerHTML|insertAdjacent|document\.write|Function\(", script
    )


def test_the_same_debate_gives_the_same_bytes_in_the_colours_of_both_themes(short: str) -> None:
    assert page(short_debate()) == short
    assert MARK in short[:200]
    for palette in PALETTES.values():
        assert all(value in short for value in (palette.ground, palette.text, *palette.sides))
    assert all(f"--{name}: " in short for name in Palette._fields)


def test_the_answer_is_before_search_and_record_and_framing_at_the_end(short: str) -> None:
    assert len(re.findall(r"<h1[^>]*>([^<]*)</h1>", short)) == 1
    parts = ("<h1", 'id="sure.title"', 'id="bar"', 'id="lead"', 'id="debate"', 'id="motion"')
    places = [short.index(part) for part in (*parts, 'id="record"')]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [*SHIPPED, "nothing"])
def test_a_page_is_well_formed_and_has_every_entry_and_every_target_of_its_links(name: str) -> None:
    of = shipped(name).debate if name in SHIPPED else debate()
    reader = read(page(of))
    assert len(reader.ids) == len(set(reader.ids))
    assert set(of.record.ids("arguments")) <= set(reader.ids)
    assert all(link[1:] in reader.ids for link in reader.links if link.startswith("#"))
    levels = reader.headings
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def hostile(said: str) -> dict[str, Any]:
    return {"title": said[:3000], "claim": said, "warrant": said, "qualifier": said}


@pytest.mark.parametrize(
    "said",
    [*TEXTS[::6], *(pytest.param(t, marks=pytest.mark.slow) for t in TEXTS)],
    ids=lambda said: ascii(said[:20]),
)
def test_no_text_breaks_the_page_or_brings_anything_into_it(said: str, short: str) -> None:
    attacked = debate(
        argument("prop_000a", **hostile(said)),
        argument("opp_000a", attacks=["prop_000a", "prop_999"], **hostile(said)),
        framing=Framing(said, (Definition(said[:200], said),), said, (Document(said[:100], said),)),
    )
    reader = read(page(attacked))
    assert {"prop_000a", "opp_000a"} <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    assert reader.names <= read(short).names | TAGS | {"details", "summary"}
    check_attributes(reader)
    assert all(link.lower().startswith(("#", "https://", "http://")) for link in reader.links)


def groups(of: Debate, **notes: Note) -> tuple[Group, ...]:
    return cards(content_of(of), notes)


def card(of: Debate, entry_id: str, **notes: Note) -> Card:
    return next(c for group in groups(of, **notes) for c in group.cards if c.item.id == entry_id)


def links(of: Card) -> dict[str, list[tuple[str, str]]]:
    """Return what a card says of other entries, with their ids in place of their titles."""
    return {label: list(map(_link, lines)) for label, lines in of.facts.items()}


def _link(spans: Line) -> tuple[str, str]:
    reference, about = spans
    assert isinstance(reference, Ref)
    return reference.id, str(about).strip(" ()")


def test_every_entry_has_a_card_in_reading_order_but_scores_stand_with_what_they_judge() -> None:
    shown = groups(short_debate())
    assert [group.title for group in shown] == ["Opening", "Exchange 1", "Exchange 2"]
    ids = [[c.item.id for c in group.cards] for group in shown]
    assert ids[1:] == [["prop_001", "opp_001"], ["prop_002", "opp_002"]]


def test_a_card_has_every_text_and_its_claim_first_unless_that_is_long() -> None:
    shown = card(short_debate(), "prop_000a")
    assert shown.lede == "One sentence."
    assert [heading for heading, _ in shown.texts] == ["Ground, from A source", "Why", "Warrant"]
    assert (shown.words, shown.who) == (11, "proposition")
    long = debate(argument("prop_000a", claim="word " * 200), argument("opp_000a"))
    assert card(long, "prop_000a").lede == ""
    assert card(long, "prop_000a").texts[0][0] == "Claim"


def test_links_lead_both_ways_with_the_part_that_is_meant() -> None:
    assert links(card(short_debate(), "prop_002")) == {
        "Attacks": [("opp_001", "claim")],
        "Defends": [("prop_000a", "reinforce")],
    }
    assert links(card(short_debate(), "opp_001")) == {
        "Attacks": [(i, "claim") for i in ("prop_000a", "prop_000b", "prop_000c")],
        "Attacked by": [("prop_002", "claim")],
    }


def test_an_absence_stands_where_its_reply_would_and_says_why() -> None:
    silent = debate(
        argument("prop_000a"),
        argument("opp_000a"),
        judgment(0, {"prop_000a": 100, "opp_000a": -100}),
        argument("prop_001"),
        absence("opp_001"),
        absence("judge_001"),
    )
    assert [c.item.id for c in groups(silent)[1].cards] == ["prop_001", "opp_001", "judge_001"]
    absent = card(silent, "opp_001").item.absence
    assert absent is not None
    assert (absent.how, absent.by) == ("skip", "user")
    assert card(silent, "opp_001").texts == (("", "It did not answer."),)
