"""JSON Lines: an entry a line, its texts to the letter, nothing that is not on record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from debate_ops.reports.content import content_of
from debate_ops.reports.exports import jsonl
from debate_ops.reports.items import Content
from tests.builders import ROOT
from tests.reports.debates import short_debate
from tests.reports.exports.debates import fuzzed
from tests.tools.shipped import SHIPPED, shipped


def lines(of: Content) -> list[dict[str, Any]]:
    text = jsonl.render(of)
    text.encode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", [*SHIPPED, "fuzzed"])
def test_every_entry_is_a_line_and_every_key_is_documented(name: str) -> None:
    of = content_of(fuzzed(60)) if name == "fuzzed" else shipped(name)
    read = lines(of)
    assert [(line["id"], line["title"]) for line in read] == [(i.id, i.title) for i in of.items]
    documented = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    keys = {key for line in read for key in line}
    keys |= {key for line in read for one in (*line["marks"], *line["links"]) for key in one}
    assert [key for key in sorted(keys) if f"`{key}`" not in documented] == []


def test_links_and_marks_stand_with_the_entry() -> None:
    by_id = {line["id"]: line for line in lines(content_of(short_debate()))}
    line = by_id["prop_000b"]
    assert line["score"] == 0.15
    assert [(m["kind"], m["number"], m.get("previous")) for m in line["marks"]] == [
        ("score", 0.4, None),
        ("rescore", 0.15, 0.4),
    ]
    assert by_id["prop_001"]["links"][0] == {
        "target_id": "opp_000a",
        "relation": "attacks",
        "type": "claim_attack",
        "content": "Because.",
    }
