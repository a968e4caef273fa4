"""No text of a participant, and none of the framing, is more than text in a file of the record."""

from __future__ import annotations

import json
import re
from typing import Any

from debate_ops import engine
from debate_ops.formats import front
from debate_ops.model.debate import Definition, Document, Framing
from debate_ops.reports import index, outcome, page
from debate_ops.reports.content import content_of
from debate_ops.reports.given import given
from debate_ops.reports.index import Row
from debate_ops.reports.table import report_of
from debate_ops.reports.transcript import as_markdown
from debate_ops.storage.folder import Folder
from tests import gfm
from tests.builders import SLUG, put
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import FRAMING, MOST_STEPS, all_files, every_protocol, here

ONE_LINE = " ".join(bait for bait in gfm.BAITS if "\n" not in bait)
LINES = "\n\n".join(gfm.BAITS)
SHORT = frozenset({"title", "summary"})
KEPT = frozenset({"trigger", "quote", "source", "detail"})
"""Keys whose texts have little room; and those of quotations, and of sources, which may link."""


def baited(value: Any, key: str = "") -> Any:
    """Return a reply whose free texts go on with every bait; words and ids are no free texts."""
    if isinstance(value, dict):
        return {name: baited(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [baited(item, key) for item in value]
    if not isinstance(value, str) or " " not in value or key in KEPT:
        return value
    return f"{value} {gfm.BAITS[0]}" if key in SHORT else f"{value}\n\n{LINES}"


def held(protocol: str, name: str, *, hostile: bool) -> Folder:
    """Return a debate that was held by its script to the end."""
    variant = ROWS[protocol].variants[name]
    framing = hostile_framing() if hostile else FRAMING
    slug = f"{SLUG}-hostile" if hostile else SLUG
    folder = engine.create(slug, framing, protocol=protocol, settings=variant.settings).folder
    for _ in range(MOST_STEPS):
        moment = here(folder, variant)
        if not moment.texts and moment.act is None:
            return folder
        if moment.act is not None:
            engine.act(folder, moment.act)
            continue
        for who, text in moment.texts.items():
            reply = json.loads(text)
            put(folder, who, json.dumps(baited(reply) if hostile else reply), moment.step)
        engine.submit(folder, moment.step)
    raise AssertionError("the script comes to no end")


def record(folder: Folder) -> dict[str, list[str]]:
    """Return what of each file of the record is more than text."""
    return {
        path: gfm.structure(front.parse(data.decode(), path).body)
        for path, data in all_files(folder).items()
        if path.endswith(".md") and not path.startswith("inbox/")
    }


def hostile_framing() -> Framing:
    motion, definitions, scope, context = FRAMING
    return Framing(
        f"{motion}\n\n{LINES}",
        tuple(Definition(f"{d.term} {ONE_LINE}", f"{d.text}\n{LINES}") for d in definitions),
        f"{scope}\n\n{LINES}",
        tuple(Document(f"{d.name} {ONE_LINE}", d.text) for d in context),
    )


@every_protocol
def test_hostile_texts_give_no_file_of_the_record_any_structure(protocol: str, name: str) -> None:
    plain = record(held(protocol, name, hostile=False))
    assert any(plain.values())
    assert record(held(protocol, name, hostile=True)) == plain


@every_protocol
def test_hostile_texts_lead_nowhere_and_load_nothing_in_any_text_of_a_report(
    protocol: str, name: str
) -> None:
    folder = held(protocol, name, hostile=True)
    debate = engine.look(folder).debate
    report = report_of(protocol)
    told = report.read(debate)
    row = Row(SLUG, protocol, motion=ONE_LINE, place=ONE_LINE, answer=ONE_LINE, error=ONE_LINE)
    for text in (
        page.readme(given(report, told)),
        as_markdown.render(content_of(debate)),
        outcome.text(debate),
        index.page([row, row._replace(error="", files=("README.md",))]),
    ):
        seen = gfm.tags(text)
        assert not [tag for tag in seen if "evil" in tag or "example" in tag]
        assert not {"b", "!--", "input", "section", "del", "sup"}.intersection(
            t.split()[0] for t in seen
        )
        titles = re.findall(r"<h[1-6]>(.*?)</h[1-6]>", gfm.rendered(text), re.DOTALL)
        assert not [title for title in titles if title.strip() in {"Ruling", "R", "code"}]
