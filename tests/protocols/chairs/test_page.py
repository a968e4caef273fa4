"""The templates, the page and the examples of the protocol of chairs agree with its rules."""

from __future__ import annotations

import json
import re
import tomllib
from decimal import Decimal
from typing import Any

import pytest

from debate_ops.formats import schema
from debate_ops.protocols.chairs import frameworks, names
from debate_ops.protocols.chairs.rules import RULES
from tests.builders import ROOT
from tests.protocols.chairs.stage import (
    THREE,
    begun,
    hold,
    is_asked,
    is_over,
    kind_of,
    lively,
    prompt_of,
    turn_of,
)

KINDS = {name: kind for name, kind in RULES.KINDS.items() if kind.schema}
"""The kinds that somebody is asked for."""
PAGE = (ROOT / "docs/protocols/chairs.md").read_text(encoding="utf-8")
ENGINES = {
    *("motion", "framing", "participant", "exchange", "phase", "language_rule", "evidence_rule"),
    "unused_points",
    *("limits_rule", "left_out", "reply_schema_note"),
}
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"participants": THREE, "accountability": "strict", "key_tensions": ["Who pays?"]},
    {"steel_manning": "optional", "self_critique": "optional", "introduction": "no"},
    {"accountability": "relaxed", "tone": "heated"},
)


def template(kind: str) -> str:
    return (ROOT / f"templates/chairs/{kind}.md").read_text(encoding="utf-8")


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{\{(.*?)\}\}", text))


def replies_in(text: str) -> list[dict[str, Any]]:
    blocks = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [json.loads(block, parse_float=Decimal) for block in blocks]


def prompts(chosen: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return participant, kind and prompt of every task of a whole debate."""
    return [
        (task.participant, kind_of(task), prompt_of(debate, task.participant))
        for debate in lively(begun(max_exchanges=1, **chosen))
        for task in turn_of(debate).tasks
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_a_context_gives_is_used_and_nothing_else_is_asked_for(kind: str) -> None:
    used = placeholders(template(kind))
    filled: set[str] = set()
    for debate in lively(begun(max_exchanges=1)):
        turn = turn_of(debate)
        for task in turn.tasks:
            if kind_of(task) == kind:
                context = RULES.context(debate, turn, task)
                filled |= {*context.values, *context.shown}
                assert ("left_out" in used) == bool(context.may_shorten)
    assert filled
    assert filled <= used
    assert used <= filled | ENGINES


@pytest.mark.parametrize("kind", names.MOST_WORDS)
def test_a_prompt_says_how_long_the_text_is_to_be(kind: str) -> None:
    (least,) = re.findall(r"([0-9]+) to \{\{words\}\} words", template(kind))
    assert 0 < int(least) < names.MOST_WORDS[kind]
    assert f"| {KINDS[kind].heading} | `{kind}` | {least} to {names.MOST_WORDS[kind]} |" in PAGE


@pytest.mark.parametrize("chosen", VARIANTS)
def test_an_example_has_the_form_that_is_wanted(chosen: Any) -> None:
    """In the prompt as it is given: of an evaluation it holds the parts that are judged."""
    for _, kind, text in prompts(chosen):
        examples = replies_in(text)
        assert len(examples) == (2 if kind == names.FLOOR else 1)
        for value in examples:
            form = schema.load(KINDS[kind].schema)
            assert schema.accepts(form, value), kind
            assert schema.unknown_keys(form, value) == [], kind
            if kind == names.EVALUATION:
                judged = frameworks.parts(begun(**chosen).settings)
                assert tuple(part for part in frameworks.PARTS if part in value) == judged


@pytest.mark.parametrize("name", frameworks.FRAMEWORKS)
def test_every_framework_is_on_the_page_with_its_question_and_its_weak_points(name: str) -> None:
    framework = frameworks.FRAMEWORKS[name]
    weaknesses = "; ".join(framework.weaknesses)
    assert f"| `{name}` | {framework.name} | {framework.question} | {weaknesses} |" in PAGE


def test_every_preset_is_on_the_page_with_its_chairs() -> None:
    for preset, chairs in frameworks.PRESETS.items():
        assert f"| `{preset}` | {', '.join(f'`{name}`' for name in chairs)} |" in PAGE


def test_every_kind_phase_part_reason_and_violation_is_on_the_page() -> None:
    phases = [kind.phase for kind in KINDS.values()]
    levels = ("strong", "adequate", "weak", "absent", "high", "medium", "low")
    words = (*frameworks.PARTS, *frameworks.VIOLATIONS, *levels, *names.OFFICES)
    for word in (*KINDS, *phases, "completed", "cancelled", *words):
        assert f"`{word}`" in PAGE, word
    for reason in frameworks.REASONS:
        assert f"| `{reason}` | {frameworks.REASONS[reason].clause} |" in PAGE
    for kind in KINDS.values():
        assert f"{kind.schema}.json" in PAGE


def test_the_thresholds_on_the_page_are_those_of_the_rules() -> None:
    levels = " | ".join(str(level) for level in names.THRESHOLDS)
    numbers = " | ".join(f"0.{number // 100}" for number in names.THRESHOLDS.values())
    assert f"| aggressiveness | {levels} |" in PAGE
    assert f"| threshold | {numbers} |" in PAGE


def test_example_replies_on_the_page_fit_their_schemas() -> None:
    order = ("speech", "text", "evaluation", "floor", "interjection")
    for value, name in zip(replies_in(PAGE), order, strict=True):
        form = schema.load(f"chairs-{name}")
        assert schema.accepts(form, value)
        assert schema.unknown_keys(form, value) == []


def test_the_settings_on_the_page_can_be_used() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    settings = tomllib.loads(block)
    for setting in RULES.SETTINGS:
        if setting.name in settings:
            assert setting.read(settings.pop(setting.name)) is not None
    assert not settings


def test_the_number_of_replies_that_readers_are_told_is_that_of_a_debate() -> None:
    debate, asked, speeches = begun(), 0, 0
    most = RULES.calls_left(debate, None)
    while not is_over(debate):
        asked += len(turn_of(debate).tasks)
        speeches += is_asked(debate, names.SPEECH)
        debate = hold(debate)
    numbers = re.search(r": ([0-9]+) replies \(.*?\), ([0-9]+) more .*?, and at most 3 more", PAGE)
    assert numbers
    assert asked == int(numbers[1]) + int(numbers[2])
    assert most == asked + 3 * speeches
    reference = (ROOT / "references/chairs.md").read_text(encoding="utf-8")
    assert f"(2 chairs, 4 exchanges): {asked} to {most}." in reference
