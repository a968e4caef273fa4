"""The templates and the page of the formal protocol agree with its rules."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from debate_ops.formats import schema
from debate_ops.model import texts
from debate_ops.model.debate import Framing
from debate_ops.prompts import build
from debate_ops.protocols.formal import personality
from debate_ops.protocols.formal import rules as formal
from debate_ops.protocols.formal.rules import RULES
from debate_ops.protocols.formal.settings import SIDES
from debate_ops.protocols.schedule import COMPLETED
from tests.builders import MOTION, ROOT
from tests.protocols.formal.test_rules import STAGE, at

TEMPLATES = {kind: "judge" if kind == formal.BALLOT else kind for kind in formal.KINDS}
PAGE = (ROOT / "docs/protocols/formal.md").read_text(encoding="utf-8")
ENGINES = {
    *("motion", "framing", "participant", "exchange", "phase", "language_rule", "evidence_rule"),
    "unused_points",
    *("limits_rule", "left_out", "reply_schema_note"),
}
INLINE = {
    *("participant", "exchange", "phase", "side_name", "opponent_name", "stance", "pair", "pairs"),
}


def template(name: str) -> str:
    return (ROOT / f"templates/formal/{name}.md").read_text(encoding="utf-8")


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{\{(.*?)\}\}", text))


def example(kind: str) -> dict[str, Any]:
    filled = template(TEMPLATES[kind]).replace("{{exchange}}", "1")
    (block,) = re.findall(r"^```json\n(.*?)^```$", filled, re.DOTALL | re.MULTILINE)
    reply: dict[str, Any] = json.loads(block, parse_float=Decimal)
    return reply


def prompts(**chosen: Any) -> list[tuple[str, str, str]]:
    """Return participant, template and prompt of every task of a whole debate."""
    debate, listed = STAGE.begun(**chosen), []
    while debate.state.phase != COMPLETED:
        turn = STAGE.turn(debate)
        for task in turn.tasks:
            context = RULES.context(debate, turn, task)
            text = build.prompt(debate, Framing(MOTION), turn, task, context)
            listed.append((task.participant, task.template, text))
        debate = STAGE.hold(debate)
    return listed


@pytest.mark.parametrize("chosen", [{}, {"affirmative": "random:1", "word_limit": 0}])
def test_every_prompt_of_a_debate_is_filled_and_fits_the_lines_of_clients(chosen: Any) -> None:
    for participant, name, text in prompts(judge="one", **chosen):
        assert not placeholders(text), name
        assert f'"participant": "{participant}"' in text
        assert max(map(len, text.splitlines())) <= texts.LINE


@pytest.mark.parametrize("kind", formal.KINDS)
def test_all_that_a_context_gives_is_used(kind: str) -> None:
    context = STAGE.context(at(formal.KINDS[kind].phase, judge="one", cross_exam_questions=1))
    used = placeholders(template(TEMPLATES[kind]))
    assert set(context.shown) <= used
    assert used <= ENGINES | set(context.values) | set(context.shown)
    of_side = set(context.values) - {"pair", "pairs", "opponent_name", "absence_note"}
    assert of_side <= used
    shortens = bool(context.may_shorten)
    assert ({"left_out", "absence_note"} & used) == (
        {"left_out", "absence_note"} if shortens else set()
    )


@pytest.mark.parametrize("name", TEMPLATES.values())
def test_a_block_stands_on_a_line_of_its_own(name: str) -> None:
    for line in template(name).splitlines():
        assert not placeholders(line) - INLINE or re.fullmatch(r"\{\{\w+\}\}", line)


@pytest.mark.parametrize("kind", formal.KINDS)
def test_an_example_has_the_form_that_is_wanted_and_cannot_be_taken_for_content(kind: str) -> None:
    shown = example(kind)
    if kind == formal.BALLOT:
        assert shown.pop("winner") not in SIDES
        shown["winner"] = "aff"
    assert schema.accepts(schema.load(formal.KINDS[kind].schema), shown)
    assert schema.unknown_keys(schema.load(formal.KINDS[kind].schema), shown) == []
    assert not re.search(r"(aff|neg|judge)_\d", json.dumps(shown, default=str))


def test_every_trait_tactic_kind_and_phase_is_on_the_page() -> None:
    phases = [kind.phase for kind in formal.KINDS.values()]
    for word in (*personality.TRAITS, *personality.TACTICS, *phases, COMPLETED):
        assert f"`{word}`" in PAGE
    for kind in formal.KINDS.values():
        assert kind.heading in PAGE
        assert f"{kind.schema}.json" in PAGE


def test_example_replies_on_the_page_fit_their_schemas() -> None:
    replies = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    names = ("formal-statement", "formal-ballot")
    for text, name in zip(replies, names, strict=True):
        value = json.loads(text, parse_float=Decimal)
        assert schema.accepts(schema.load(name), value)
        assert schema.unknown_keys(schema.load(name), value) == []


def test_the_number_of_replies_on_the_page_is_that_of_a_debate() -> None:
    assert f"a debate takes {RULES.calls_left(STAGE.begun(), None)} replies" in PAGE
