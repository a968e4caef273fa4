"""The templates and the page of each protocol agree with its rules."""

from __future__ import annotations

import json
import re
import tomllib
from decimal import Decimal
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.formats import schema
from debate_ops.model.turn import Turn
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.schedule import Kind
from debate_ops.protocols.table import rules_of
from tests.builders import ROOT, Data
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import all_moments, each_protocol

ENGINES = {
    *("motion", "framing", "participant", "exchange", "phase", "language_rule", "evidence_rule"),
    *("unused_points", "limits_rule", "left_out", "reply_schema_note"),
}
"""Placeholders that the engine fills, whatever the protocol."""
IN_PART = {("exchange", "debater-opening"), ("formal", "judge")}
"""Templates whose example leaves something to be filled in."""
OF_PANELS = {"view", "ballot"}
"""Kinds of `speeches` that have a page of their own."""
DECLARED = [name for name in ROWS if isinstance(rules_of(name), DeclaredRules)]
declared = pytest.mark.parametrize("protocol", DECLARED)


def page(protocol: str) -> str:
    return (ROOT / f"docs/protocols/{protocol}.md").read_text(encoding="utf-8")


def template(protocol: str, name: str) -> str:
    return (ROOT / f"templates/{protocol}/{name}.md").read_text(encoding="utf-8")


def blocks(text: str) -> list[Data]:
    fenced = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [json.loads(block, parse_float=Decimal) for block in fenced]


def fits(form: str, value: Data) -> bool:
    loaded = schema.load(form)
    return schema.accepts(loaded, value) and not schema.unknown_keys(loaded, value)


def asked_for(protocol: str) -> list[Kind]:
    """Return the kinds of entries that somebody is asked for."""
    rules = rules_of(protocol)
    assert isinstance(rules, DeclaredRules)
    return [kind for kind in rules.KINDS.values() if kind.schema]


@each_protocol
def test_all_that_a_context_shows_is_used_and_nothing_else_is_asked_for(protocol: str) -> None:
    for moment in all_moments(protocol):
        if not isinstance(moment.due, Turn):
            continue
        for task in moment.due.tasks:
            context = rules_of(protocol).context(moment.position.debate, moment.due, task)
            used = set(re.findall(r"\{\{(.*?)\}\}", template(protocol, task.template)))
            shown = {**context.shown, **context.listed}
            assert {name for name, ids in shown.items() if ids} <= used, task
            assert used <= {*ENGINES, *context.values, *shown}, task
            assert "left_out" in used or not any(shown[name] for name in context.may_shorten), task
            assert "left_out" not in used or context.may_shorten, task


@each_protocol
def test_an_example_in_a_prompt_has_the_form_that_is_asked_for(protocol: str) -> None:
    for moment in all_moments(protocol):
        for task in (item.task for item in moment.position.tasks):
            examples = blocks(moment.prompts[task.participant])
            assert examples, task
            if (protocol, task.template) not in IN_PART:
                assert all(fits(task.schema, each) for each in examples), task


@each_protocol
def test_example_replies_on_the_page_fit_a_schema(protocol: str) -> None:
    forms = [name for name in schema.names() if name.startswith(f"{protocol}-")]
    examples = blocks(page(protocol))
    assert examples
    assert all(any(fits(form, each) for form in forms) for each in examples)


@each_protocol
def test_the_file_of_settings_on_the_page_can_be_used(protocol: str) -> None:
    for text in re.findall(r"^```toml\n(.*?)^```$", page(protocol), re.DOTALL | re.MULTILINE):
        drawn = text.replace('"random"', '"random:7"')
        chosen = tomllib.loads(re.sub(r'(file = ".*?")', r'\1, text = "So."', drawn))
        needed = {s.name: "ann,ben" for s in rules_of(protocol).SETTINGS if s.default is None}
        assert chosen
        assert engine.checked_settings(rules_of(protocol), needed | chosen)


@declared
def test_every_phase_schema_act_and_requirement_is_on_the_page(protocol: str) -> None:
    text, rules = page(protocol), rules_of(protocol)
    for kind in asked_for(protocol):
        assert f"`{kind.phase}`" in text
        assert f"{kind.schema}.json" in text or kind.name in OF_PANELS
    assert all(f"`debate-ops {act} " in text for act in rules.ACTS)
    assert all(f"--require {name}" in text for name in rules.REQUIREMENTS)


def limits_of(words: Any) -> set[int]:
    """Return every limit, those of the parts of a part too; without those that settings have."""
    limits: set[int] = set()
    for limit in words.values():
        limits |= limits_of(limit) if isinstance(limit, dict) else {limit}
    return {limit for limit in limits if isinstance(limit, int)}


def words_named(text: str) -> set[int]:
    """Return every number of words that a text allows."""
    return {int(n) for n in re.findall(r"[Aa]t most (\d+) words", " ".join(text.split()))}


@declared
def test_the_word_limits_of_prompts_schemas_and_page_are_those_of_the_rules(protocol: str) -> None:
    for kind in asked_for(protocol):
        limits, text = limits_of(kind.words), template(protocol, kind.template or kind.name)
        in_the_form = words_named(json.dumps(schema.load(kind.schema)))
        assert words_named(text) <= limits
        assert in_the_form <= limits
        assert in_the_form == words_named(text) or not in_the_form
        assert all(re.search(rf"\b{limit}\b", page(protocol)) for limit in limits)
        assert "{{limits_rule}}" in text or not limits
