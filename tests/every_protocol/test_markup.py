"""No text of a participant, and none of the framing, is more than text in a file of the record."""

from __future__ import annotations

import json
import re
from typing import Any

from debate_ops import engine
from debate_ops.errors import DebateError
from debate_ops.formats import front
from debate_ops.model.debate import Definition, Document, Framing
from debate_ops.reports import index, outcome, readme, table
from debate_ops.reports.content import content_of
from debate_ops.reports.index import Row
from debate_ops.reports.page_data import page_data
from debate_ops.reports.render import Rendered
from debate_ops.reports.transcript import for_people
from debate_ops.storage.folder import Folder
from tests import gfm
from tests.builders import SLUG, put
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import (
    FRAMING,
    MOST_STEPS,
    all_files,
    every_protocol,
    here,
    history,
    restore,
)

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


def hostile(protocol: str, name: str) -> Folder:
    """Return a debate that was held by its script to the end, with baits in every text."""
    variant = ROWS[protocol].variants[name]
    framing, settings = hostile_framing(), variant.settings
    folder = engine.create("hostile", framing, protocol=protocol, settings=settings).folder
    for _ in range(MOST_STEPS):
        moment = here(folder, variant)
        if not moment.texts and moment.act is None:
            return folder
        if moment.act is not None:
            engine.act(folder, moment.act)
            continue
        for who, text in moment.texts.items():
            put(folder, who, json.dumps(baited(json.loads(text))), moment.step)
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
def test_hostile_texts_are_no_more_than_text_and_lead_nowhere(protocol: str, name: str) -> None:
    plain = record(restore(history(protocol, name)[-1]))
    assert any(plain.values())
    folder = hostile(protocol, name)
    assert record(folder) == plain
    _lead_nowhere(folder)


def _lead_nowhere(folder: Folder) -> None:
    """Hold that they lead nowhere and load nothing in any text of a report."""
    debate = engine.look(folder).debate
    rendered = Rendered((), (), unchanged=True, answer=ONE_LINE, sure=ONE_LINE)
    row = Row(SLUG, debate.protocol, ONE_LINE, ONE_LINE, rendered=rendered)
    for text in (
        readme.render(page_data(table.read(debate))),
        for_people.markdown(content_of(debate)),
        outcome.text(debate),
        index.page([row._replace(error=DebateError(ONE_LINE)), row._replace(pages=("README.md",))]),
    ):
        seen = gfm.tags(text)
        assert not [tag for tag in seen if "evil" in tag or "example" in tag]
        assert not {"b", "!--", "input", "section", "del", "sup"}.intersection(
            t.split()[0] for t in seen
        )
        titles = re.findall(r"<h[1-6]>(.*?)</h[1-6]>", gfm.rendered(text), re.DOTALL)
        assert not [title for title in titles if title.strip() in {"Ruling", "R", "code"}]
