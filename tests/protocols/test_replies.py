"""All faults of a reply come at once, those of form and those by the rules, in every protocol."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.protocols.design import CONFIDENCE_CAP
from tests.builders import ROOT
from tests.courses import RICH, begin_course, list_steps, read_exactly, take_step
from tests.freeze import patched

CHAIRS, CONSENSUS, DESIGN, EXCHANGE, FORMAL, SPEECHES, *_ = RICH
ROWS: list[tuple[str, int, str, dict[str, Any], list[str]]] = [
    # course, step, who, what is changed at which path; where there are faults
    (EXCHANGE, 0, "opp", {"arguments.0.warrant": None, "arguments.1.claim": "It is zq0opp0zq."},
        ["arguments.0.warrant", "arguments.1.claim"]),
    (EXCHANGE, 2, "opp",
        {"arguments.0.attacks.0.attack_type": "rude", "arguments.0.attacks.0.target_id": "opp_000a",
         "arguments.0.defends.0.target_id": "prop_000a"},
        ["arguments.0.attacks.0.attack_type", "arguments.0.attacks.0.target_id",
         "arguments.0.defends.0.target_id"]),
    (EXCHANGE, 2, "opp", {"arguments.0.grounds": [], "arguments.0.attacks.0.target_id": "zoe_001"},
        ["arguments.0.attacks.0.target_id", "arguments.0.grounds"]),
    (EXCHANGE, 1, "judge", {"scores.0.score": "high", "scores.1.argument_id": "opp_777"},
        ["scores.0.score", "scores.1.argument_id"]),
    (EXCHANGE, 1, "judge", {"scores.0.score": 0.1234, "scores.1.argument_id": "opp_777"},
        ["scores.0.score", "scores.1.argument_id"]),
    (FORMAL, 15, "judge",
        {"winner": "the judge", "speaker_points.aff": 27.55, "speaker_points.neg": 30.1},
        ["speaker_points.aff", "speaker_points.neg", "winner"]),
    (CHAIRS, 3, "evaluator",
        {"framework_consistency.consistent": "no", "intellectual_honesty.level": "none",
         "requires_interjection": True, "interjection_reason": ""},
        ["framework_consistency.consistent", "intellectual_honesty.level", "interjection_reason"]),
    (CHAIRS, 3, "evaluator",
        {"framework_consistency.consistent": True, "intellectual_honesty.points": 26},
        ["framework_consistency.violations", "intellectual_honesty.points"]),
    (CHAIRS, 4, "arbiter", {"text": "Short.", "quote": "words of nobody"}, ["quote", "text"]),
    (DESIGN, 6, "ann", {"critiques.0.points.0.level": "grave", "critiques.0.target": "ann"},
        ["critiques.0.points.0.level", "critiques.0.target"]),
    (DESIGN, 14, "judge", {"confidence": 95, "unmet": ["r1"], "title": None},
        ["confidence", "title"]),
    (CONSENSUS, 2, "ann",
        {"critiques.0.severity": "dire", "critiques.1.proposal_id": "ann_001-proposal"},
        ["critiques.0.severity", "critiques.1.proposal_id"]),
    (CONSENSUS, 3, "ann", {"defences.0": 7, "defences.1.critique_id": "ann_001-critique-1"},
        ["defences.0", "defences.1.critique_id"]),
    (CONSENSUS, 5, "ann", {"justification": 5, "vote": "zoe_001-proposal"},
        ["justification", "vote"]),
    (SPEECHES, 1, "ben", {"text": " ", "attacks": ["ann_001-speech", "zoe_001-speech"]},
        ["attacks.1", "text"]),
    (SPEECHES, 4, "judge", {"winner": "zoe", "percent": 500}, ["percent", "winner"]),
]  # fmt: skip


@pytest.mark.parametrize(("course", "step", "who", "changed", "where"), ROWS)
def test_faults_of_form_and_by_the_rules_come_at_once_and_once(
    course: str, step: int, who: str, changed: dict[str, Any], where: list[str]
) -> None:
    at, steps = begin_course(course), list_steps(course)
    for earlier in steps[:step]:
        take_step(at, earlier)
    paths = {path: [int(p) if p.isdigit() else p for p in path.split(".")] for path in changed}
    patches = [{"path": paths[path], "to": to} for path, to in changed.items()]
    reply, faults = at.read(who, read_exactly(patched(steps[step]["replies"][who], patches)))
    assert reply is None
    assert sorted(fault.where for fault in faults if not fault.is_warning) == where


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
