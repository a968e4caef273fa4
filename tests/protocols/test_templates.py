"""What templates say of replies is what their models have: limits, numbers, names of keys."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.protocols.design import CONFIDENCE_CAP
from tests.builders import ROOT


def find_objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from find_objects(part)


FIGURES = {"two": "2", "three": "3", "five": "5"}
COUNTS = {
    "exchange/debater-rebuttal": "{attacks} of the opponent's earlier arguments and defend up to "
    "{defends} of",
    "design/critique": "`points`: 0 to {points},",
    "design/requirements": "`requirements`: 1 to {requirements} of them",
    "design/synthesis": f"`unmet`, at most {CONFIDENCE_CAP}**",
    "consensus/vote": "at most {because}. If",
}
"""How a template says how many there may be of what; a number as a figure."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_templates_state_the_limits_and_the_names_that_rules_have(protocol: str) -> None:
    for name, model in load_protocol(protocol).replies.items():
        text = " ".join((ROOT / f"templates/{protocol}/{name}.md").read_text("utf-8").split())
        text = re.sub(r"\{[%{].*?[%}]\}|</?[a-z_]+>", "", text)
        parts = [*find_objects(model.model_json_schema(by_alias=True))]
        lists = {k: v for p in parts for k, v in p.get("properties", {}).items()}
        known = {*lists, *(v for p in parts for v in p.get("enum", ()))}
        assert {*re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", text)} <= known
        limits = [p["words"] for p in parts if isinstance(p.get("words"), int | list)]
        most = {str(each[-1] if isinstance(each, list) else each) for each in limits} - {"0"}
        stated = {*re.findall(r"(?:at most|\d to) (\d+) words", text)}
        assert not most or stated <= most, name
        figures = re.sub(r"\b(?:two|three|five)\b", lambda m: FIGURES[m[0]], text)
        most_items = {key: value.get("maxItems") for key, value in lists.items()}
        assert COUNTS.get(f"{protocol}/{name}", "").format_map(most_items) in figures
