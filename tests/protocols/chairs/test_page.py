"""What the page and the templates of the protocol of chairs say of its rules."""

from __future__ import annotations

import re

import pytest

from debate_ops.protocols.chairs import frameworks, names
from debate_ops.protocols.chairs.rules import RULES
from tests.builders import ROOT, Data
from tests.every_protocol.test_pages import blocks, page, template
from tests.protocols.chairs.stage import begun, hold, is_asked, is_over, prompt_of, turn_of, until

PAGE = page("chairs")


@pytest.mark.parametrize("kind", names.MOST_WORDS)
def test_a_prompt_says_how_long_the_text_is_to_be(kind: str) -> None:
    (least,) = re.findall(r"([0-9]+) to \{\{words\}\} words", template("chairs", kind))
    assert 0 < int(least) < names.MOST_WORDS[kind]
    heading = RULES.KINDS[kind].heading
    assert f"| {heading} | `{kind}` | {least} to {names.MOST_WORDS[kind]} |" in PAGE


@pytest.mark.parametrize(
    "chosen", [{}, {"steel_manning": "optional"}, {"self_critique": "optional"}]
)
def test_the_example_of_an_evaluation_has_the_parts_that_are_judged(chosen: Data) -> None:
    debate = until(begun(**chosen), names.EVALUATION)
    (example,) = blocks(prompt_of(debate, "evaluator"))
    judged = frameworks.parts(debate.settings)
    assert tuple(part for part in frameworks.PARTS if part in example) == judged


def test_every_framework_preset_reason_and_threshold_is_on_the_page() -> None:
    for name, each in frameworks.FRAMEWORKS.items():
        assert f"| `{name}` | {each.name} | {each.question} |" in PAGE
    for preset, chairs in frameworks.PRESETS.items():
        assert f"| `{preset}` | {', '.join(f'`{name}`' for name in chairs)} |" in PAGE
    for reason, sign in frameworks.REASONS.items():
        assert f"| `{reason}` | {sign.clause} |" in PAGE
    assert f"| aggressiveness | {' | '.join(map(str, names.THRESHOLDS))} |" in PAGE
    numbers = " | ".join(f"0.{number // 100}" for number in names.THRESHOLDS.values())
    assert f"| threshold | {numbers} |" in PAGE


def test_every_kind_part_level_and_violation_is_on_the_page() -> None:
    levels = ("strong", "adequate", "weak", "absent", "high", "medium", "low")
    words = (*frameworks.PARTS, *frameworks.VIOLATIONS, *levels, *names.OFFICES)
    for word in (*RULES.EVENTS.keys() - {"cancellation"}, "completed", "cancelled", *words):
        assert f"`{word}`" in PAGE, word


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
