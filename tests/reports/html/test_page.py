"""The page in HTML: whole, harmless, the same twice, with what somebody needs who has to decide."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.model.debate import Debate, Definition, Document, Framing
from debate_ops.reports.colours import PALETTES, VARIABLES
from debate_ops.reports.html import page as pages
from debate_ops.reports.html.prose import TAGS
from debate_ops.reports.marks import MARK
from debate_ops.reports.page_data import page_data
from debate_ops.reports.table import report_of
from tests.browser.hostile import TEXTS
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import RICH, begun, finish
from tests.reports.debates import argument, debate, short_debate

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
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.names.add(tag)
        self.attributes |= set(given)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
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

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self.open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page(of: Debate) -> str:
    report = report_of(of.protocol)
    return pages.render(page_data(report, report.read(of)))


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def short() -> str:
    return page(short_debate())


# ---------------------------------------------------------------- form


def test_the_page_loads_nothing_and_styles_and_handles_nothing_in_its_tags(short: str) -> None:
    reader = read(short)
    assert not {"img", "link", "iframe", "object", "embed", "base", "source"} & reader.names
    assert not {"src", "srcset", "style", "action"} & reader.attributes
    assert not [name for name in reader.attributes if name.startswith("on")]
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
    assert all(f"--{name}: " in short for name in VARIABLES._fields)


# ---------------------------------------------------------------- content


def test_the_answer_is_before_search_and_record_and_framing_at_the_end(short: str) -> None:
    assert len(re.findall(r"<h1[^>]*>([^<]*)</h1>", short)) == 1
    parts = ("<h1", 'id="sure.title"', 'id="bar"', 'id="lead"', 'id="debate"', 'id="motion"')
    places = [short.index(part) for part in (*parts, 'id="record"')]
    assert places == sorted(places)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(("protocol", "name"), RICH, ids=[protocol for protocol, _ in RICH])
def test_the_page_of_every_protocol_is_well_formed(protocol: str, name: str) -> None:
    folder = begun(protocol, name)
    finish(folder, ROWS[protocol].variants[name])
    reader = read(page(engine.look(folder).debate))
    assert len(reader.ids) == len(set(reader.ids))
    assert all(link[1:] in reader.ids for link in reader.links if link.startswith("#"))
    levels = reader.headings
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_entry_is_there_with_its_words(short: str) -> None:
    reader = read(short)
    record = short_debate().record
    assert set(record.ids("arguments")) <= set(reader.ids)
    assert all(f"The title of {i} here" in reader.text for i in record.ids("arguments"))
    assert reader.text.count("So it follows.") >= 10
    assert "Why prop_000b changed." in reader.text


def test_filters_name_who_kind_and_state_with_their_numbers(short: str) -> None:
    assert '<option value="prop">proposition (5)</option>' in short
    assert re.search(r'<option value="dropped">dropped \(\d\)</option>', short)


def test_an_empty_debate_is_a_page() -> None:
    reader = read(page(debate()))
    assert {"main", "motion", "record"} <= set(reader.ids)
    assert "debate" not in reader.ids


def test_a_debate_of_many_entries_is_laid_out_as_it_is_read() -> None:
    many = [argument(f"prop_{number:03d}", grounds=()) for number in range(1, 152)]
    assert '<body class="many">' in page(debate(*many))
    assert "<body>" in page(debate(*many[:150]))


# ---------------------------------------------------------------- hostile texts


def hostile(said: str) -> dict[str, Any]:
    return {"title": said[:3000], "claim": said, "warrant": said, "qualifier": said}


@pytest.mark.parametrize("said", TEXTS, ids=lambda said: ascii(said[:20]))
def test_no_text_breaks_the_page_or_brings_anything_into_it(said: str, short: str) -> None:
    told = debate(
        argument("prop_000a", **hostile(said)),
        argument("opp_000a", attacks=["prop_000a", "prop_999"], **hostile(said)),
        framing=Framing(said, (Definition(said[:200], said),), said, (Document(said[:100], said),)),
    )
    reader = read(page(told))
    assert {"prop_000a", "opp_000a"} <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    assert reader.names <= read(short).names | TAGS | {"details", "summary"}
    assert not {"src", "srcset", "style", "action"} & reader.attributes
    assert not [name for name in reader.attributes if name.startswith("on")]
    assert all(link.startswith(("#", "https://", "http://")) for link in reader.links)
