"""The templates, the schemas and the page of a design debate agree with its rules."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops.formats import schema
from debate_ops.model import texts
from debate_ops.model.debate import Framing
from debate_ops.prompts import build
from debate_ops.protocols.design import names, roles
from debate_ops.protocols.design.rules import RULES
from debate_ops.protocols.design.settings import SETTINGS
from debate_ops.protocols.schedule import Kind
from debate_ops.protocols.words import too_long
from tests.builders import MOTION, ROOT
from tests.protocols.design.stage import STAGE
from tests.protocols.design.test_context import every_task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from debate_ops.errors import Finding
    from debate_ops.model.turn import Context, Task

ASKED_FOR = {kind.phase: kind for kind in RULES.KINDS.values() if kind.schema}
TEMPLATES = {kind.template or kind.name: kind.schema for kind in ASKED_FOR.values()}
TEMPLATES["proposal-again"] = "design-proposal"
PAGE = (ROOT / "docs/protocols/design.md").read_text(encoding="utf-8")
ENGINES = {
    *("motion", "framing", "participant", "exchange", "phase", "language_rule", "evidence_rule"),
    "unused_points",
    *("limits_rule", "left_out", "reply_schema_note"),
}
INLINE = {
    *("participant", "exchange", "phase", "round", "rounds", "most_questions", "targets"),
    "summary_characters",
}
IN_EVERY_SCHEMA = {"participant", "exchange", "phase"}


def template(name: str) -> str:
    return (ROOT / f"templates/design/{name}.md").read_text(encoding="utf-8")


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{\{(.*?)\}\}", text))


def blocks(text: str) -> list[dict[str, Any]]:
    texts_ = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [json.loads(block) for block in texts_]


def example(name: str) -> dict[str, Any]:
    (block,) = blocks(template(name).replace("{{exchange}}", "1"))
    return block


def prompts(**chosen: Any) -> Iterator[tuple[Task, Context, str]]:
    """Yield every task of a debate with every phase, what is shown with it, and its prompt."""
    for debate, turn, task, context in every_task(proposals="fresh", **chosen):
        yield task, context, build.prompt(debate, Framing(MOTION), turn, task, context)


def test_there_is_a_template_for_every_kind_of_task_and_no_other() -> None:
    templates = {path.stem for path in (ROOT / "templates/design").glob("*.md")}
    assert templates == set(TEMPLATES)


def test_all_that_a_context_gives_is_used_and_nothing_else_is_wanted() -> None:
    seen = set()
    for task, context, _ in prompts():
        used = placeholders(template(task.template))
        assert set(context.shown) | set(context.values) <= used
        assert used <= ENGINES | set(context.values) | set(context.shown)
        assert ("left_out" in used) == bool(context.may_shorten)
        seen.add(task.template)
    assert seen == set(TEMPLATES)


def test_a_prompt_is_filled_names_its_reader_quotes_and_fits_the_lines_of_clients() -> None:
    long = "A lawyer.\n</role>\n" + "word " * 400
    own = {"name": "ben", "role": "legal", "description": long, "prompts": {"critique": long}}
    everybody = [*(f"{'n' * 30}-{chr(97 + n)}:generalist" for n in range(11)), own]
    for task, context, prompt in prompts(participants=everybody):
        assert not placeholders(prompt)
        assert f'"participant": "{task.participant}"' in prompt
        assert max(map(len, prompt.splitlines())) <= texts.LINE
        assert prompt.splitlines().count("</role>") == ("role" in context.values)
        assert ("> </role>" in prompt) == (task.participant == "ben")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_block_stands_on_a_line_of_its_own(name: str) -> None:
    for line in template(name).splitlines():
        assert not placeholders(line) - INLINE or re.fullmatch(r"\{\{\w+\}\}", line)


@pytest.mark.parametrize("name", TEMPLATES)
def test_an_example_has_the_form_that_is_wanted_and_every_key_of_it(name: str) -> None:
    form, shown = schema.load(TEMPLATES[name]), example(name)
    assert schema.accepts(form, shown)
    assert schema.unknown_keys(form, shown) == []
    assert form["properties"].keys() - shown.keys() <= {"title"}
    assert form["properties"].keys() >= IN_EVERY_SCHEMA
    assert over_limits(kind_of(TEMPLATES[name]), shown) == []
    assert not re.search(rf"\b({'|'.join((*roles.ROLES, 'ann', 'judge'))})_\d", json.dumps(shown))


def kind_of(form: str) -> Kind:
    return next(kind for kind in RULES.KINDS.values() if kind.schema == form)


def over_limits(kind: Kind, value: dict[str, Any]) -> list[Finding]:
    return list(too_long(kind.words, value, {"word_limits": "warn"}))


def limits_of(words: Mapping[str, Any]) -> set[int]:
    """Return every limit, those of the parts of a part too."""
    limits: set[int] = set()
    for limit in words.values():
        limits |= {limit} if isinstance(limit, int) else limits_of(limit)
    return limits


def words_told(text: str) -> set[int]:
    """Return every number of words that a text allows."""
    return {int(number) for number in re.findall(r"at most (\d+) words", " ".join(text.split()))}


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_word_limits_of_a_prompt_and_of_its_schema_are_those_of_the_rules(name: str) -> None:
    text, form = template(name), TEMPLATES[name]
    limits = limits_of(kind_of(form).words)
    assert words_told(text) == limits
    assert words_told(json.dumps(schema.load(form)).replace("At most", "at most")) == limits
    assert ("{{limits_rule}}" in text) == bool(limits)


def test_every_limit_of_a_number_is_told_in_the_prompt_that_it_binds() -> None:
    assert f"at most {names.CONFIDENCE_CAP}**" in template("synthesis")
    points = schema.load("design-critiques")["$defs"]["critique"]["properties"]["points"]
    assert f"`points`: 0 to {points['maxItems']}" in template("critique")
    named = schema.load("design-requirements")["properties"]["requirements"]
    assert f"{named['minItems']} to {named['maxItems']} of them" in template("requirements")
    lists = ("trade_offs", "recommendations", "open_questions")
    form = schema.load("design-synthesis")["properties"]
    assert {form[name]["maxItems"] for name in lists} == {10}
    assert "more than ten items" in template("synthesis")


def test_the_schemas_have_the_bounds_that_the_rules_know() -> None:
    for name in ("design-assessment", "design-synthesis"):
        confidence = schema.load(name)["properties"]["confidence"]
        assert (confidence["minimum"], confidence["maximum"]) == (0, names.MOST_CONFIDENCE)
    for name in ("proposal", "refinement"):
        form = schema.load(f"design-{name}")["$defs"]["coverage"]["properties"]
        assert form["coverage"]["enum"] == [names.FULL, names.PARTIAL, names.NONE]
    answer = schema.load("design-refinement")["$defs"]["answer"]["properties"]
    assert tuple(answer["verdict"]["enum"]) == names.VERDICTS


def test_every_phase_kind_schema_act_and_ending_is_on_the_page() -> None:
    kinds = {*RULES.EVENTS} - {"cancellation"}
    stops = {names.BY_COUNT, names.BY_CONFIDENCE, names.BY_NOTHING_NEW}
    for word in (*ASKED_FOR, names.AWAITING_ANSWERS, names.COMPLETED, *kinds, *stops):
        assert f"`{word}`" in PAGE, word
    for kind in ASKED_FOR.values():
        assert f"{kind.schema}.json" in PAGE
    for act in RULES.ACTS:
        assert f"`debate-ops {act} " in PAGE
    for name in RULES.REQUIREMENTS:
        assert f"--require {name}" in PAGE


def test_example_replies_on_the_page_fit_their_schemas_and_word_limits() -> None:
    replies = blocks(PAGE)
    phases = [each["phase"] for each in replies]
    assert set(phases) == set(ASKED_FOR) - {names.AWAITING_JUDGE_SUMMARY}
    for each in replies:
        form = ASKED_FOR[each["phase"]].schema
        assert schema.accepts(schema.load(form), each), each["phase"]
        assert schema.unknown_keys(schema.load(form), each) == []
        assert over_limits(kind_of(form), each) == []


def read_as_settings(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return given settings in full; those that cannot be raise."""
    read = {s.name: s.read(chosen.pop(s.name, s.default)) for s in SETTINGS}
    assert chosen == {}
    assert list(RULES.clashes(read)) == []
    return read


def test_the_file_of_settings_on_the_page_can_be_used() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    chosen = tomllib.loads(text)
    chosen["participants"][2]["description"]["text"] = "You run it."  # as the command fills it in
    read = read_as_settings(chosen)
    assert [each["name"] for each in read["participants"]] == ["architect", "ann", "operations"]
    assert [each["level"] for each in read["requirements"]] == ["major", "minor"]


def test_the_settings_in_the_reference_can_be_used() -> None:
    reference = (ROOT / "references/design.md").read_text(encoding="utf-8")
    options = re.findall(r"`--set '(\w+)=(.+?)'`", reference)
    assert [name for name, _ in options] == ["participants", "requirements"]
    for name, value in options:
        assert read_as_settings({name: json.loads(value)})[name]


def test_every_word_limit_is_on_the_page() -> None:
    for limit in set().union(*(limits_of(kind.words) for kind in RULES.KINDS.values())):
        assert re.search(rf"\b{limit}\b", PAGE), limit


def test_the_number_of_replies_on_the_page_and_in_the_reference_is_that_of_a_debate() -> None:
    people = "architect,performance,simplicity"
    calls = RULES.calls_left(STAGE.begun(participants=people, requirements=[]), None)
    assert f"a debate takes at most {calls} replies" in PAGE
    reference = (ROOT / "references/design.md").read_text(encoding="utf-8")
    assert f"{calls} by default" in reference
