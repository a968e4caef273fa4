"""What the page, the templates and the schemas of a design debate say of its rules in numbers."""

from __future__ import annotations

import json
import re

from debate_ops import engine
from debate_ops.formats import schema
from debate_ops.protocols.design import names
from debate_ops.protocols.design.rules import RULES
from tests.builders import ROOT
from tests.every_protocol.test_pages import page, template
from tests.protocols.design.stage import STAGE


def test_every_limit_of_a_number_is_told_in_the_prompt_that_it_binds() -> None:
    assert f"at most {names.CONFIDENCE_CAP}**" in template("design", "synthesis")
    points = schema.load("design-critiques")["$defs"]["critique"]["properties"]["points"]
    assert f"`points`: 0 to {points['maxItems']}" in template("design", "critique")
    named = schema.load("design-requirements")["properties"]["requirements"]
    limits = f"{named['minItems']} to {named['maxItems']} of them"
    assert limits in template("design", "requirements")
    lists = ("trade_offs", "recommendations", "open_questions")
    form = schema.load("design-synthesis")["properties"]
    assert {form[name]["maxItems"] for name in lists} == {10}
    assert "more than ten items" in template("design", "synthesis")


def test_the_schemas_have_the_bounds_that_the_rules_know() -> None:
    for name in ("design-assessment", "design-synthesis"):
        confidence = schema.load(name)["properties"]["confidence"]
        assert (confidence["minimum"], confidence["maximum"]) == (0, names.MOST_CONFIDENCE)
    for name in ("proposal", "refinement"):
        form = schema.load(f"design-{name}")["$defs"]["coverage"]["properties"]
        assert form["coverage"]["enum"] == [names.FULL, names.PARTIAL, names.NONE]
    answer = schema.load("design-refinement")["$defs"]["answer"]["properties"]
    assert tuple(answer["verdict"]["enum"]) == names.VERDICTS


def test_phases_in_which_no_agent_is_asked_are_on_the_page() -> None:
    for phase in (names.AWAITING_ANSWERS, names.COMPLETED):
        assert f"`{phase}`" in page("design"), phase


def test_the_settings_in_the_reference_can_be_used() -> None:
    reference = (ROOT / "references/design.md").read_text(encoding="utf-8")
    options = re.findall(r"`--set '(\w+)=(.+?)'`", reference)
    assert [name for name, _ in options] == ["participants", "requirements"]
    for name, value in options:
        assert engine.checked_settings(RULES, {name: json.loads(value)})[name]


def test_the_number_of_replies_on_the_page_and_in_the_reference_is_that_of_a_debate() -> None:
    people = "architect,performance,simplicity"
    calls = RULES.calls_left(STAGE.begun(participants=people, requirements=[]), None)
    assert f"a debate takes at most {calls} replies" in page("design")
    reference = (ROOT / "references/design.md").read_text(encoding="utf-8")
    assert f"{calls} by default" in reference
