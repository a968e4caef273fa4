"""The check and jsonschema agree on every reply, and a refusal speaks to its reader."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.formats import schema as schemas
from debate_ops.formats.schema import KEYWORDS, accepts, explain, unknown_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUND = {"source": "A survey", "content": "Six of ten agreed.", "relevance": "It is about them."}
ARGUMENT = {"title": "Most agree", "claim": "They do.", "grounds": [GROUND], "warrant": "So said."}
ATTACK = {"target_id": "opp_000a", "attack_type": "claim_attack", "content": "It does not."}
DEFENCE = {"target_id": "prop_000a", "defense_type": "clarify", "content": "It means this."}
SCORE = {"argument_id": "prop_001", "score": Decimal("0.25"), "reasoning": "Better grounds."}
RESCORE = {"argument_id": "opp_000a", "new_score": Decimal("0.1"), "reasoning": "Answered."}

OPENING, REBUTTAL, JUDGMENT = "exchange-opening", "exchange-rebuttal", "exchange-judgment"

EVERY_KEYWORD: dict[str, Any] = {
    "title": "A schema that uses every keyword",
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"const": 1},
        "word": {"enum": ["a", 1, True, None]},
        "flag": {"type": "boolean"},
        "size": {"type": ["integer", "null"], "minimum": 0, "maximum": 2},
        "share": {"type": "number", "minimum": -1, "maximum": 1},
        "note": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]"},
        "memo": {"$ref": "#/$defs/memo", "maxLength": 5},
        "parts": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"$ref": "#/$defs/part"}},
        "open": {"minLength": 1, "minimum": 1, "minItems": 1},
    },
    "$defs": {
        "memo": {"type": "string", "pattern": "^[a-z]*$"},
        "part": {"$ref": "#/$defs/inner"},
        "inner": {"required": ["x"], "properties": {"x": {}}},
    },
}
SCHEMAS = {name: schemas.load(name) for name in schemas.names()} | {"all": EVERY_KEYWORD}


def reply(name: str, **changes: object) -> dict[str, Any]:
    """Return a good reply whose first argument, or whose envelope, has these changes."""
    count = {OPENING: 3, REBUTTAL: 1, JUDGMENT: 0}[name]
    if not count:
        return {"participant": "judge", "exchange": 1, "scores": [SCORE], "rescores": []} | changes
    arguments = [ARGUMENT | changes, *[ARGUMENT] * (count - 1)]
    return {"participant": "prop", "exchange": 1, "arguments": arguments}


MOST_LINKS = {"attacks": [ATTACK] * 3, "defends": [DEFENCE] * 2}
EDGES = [SCORE | {"score": 1}, SCORE | {"score": Decimal("-1.000")}]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(OPENING, reply(OPENING, attacks=[], defends=None), id="empty and null links"),
        pytest.param(REBUTTAL, reply(REBUTTAL, **MOST_LINKS), id="most links"),
        pytest.param(REBUTTAL, reply(REBUTTAL, backing="", qualifier=None), id="optional texts"),
        pytest.param(JUDGMENT, reply(JUDGMENT, rescores=[RESCORE]), id="rescore"),
        pytest.param(JUDGMENT, reply(JUDGMENT, scores=EDGES), id="scores at the edge"),
    ],
)
def test_a_good_reply_is_accepted(name: str, value: dict[str, Any]) -> None:
    assert accepts(SCHEMAS[name], value)
    assert explain(SCHEMAS[name], value) == []


@pytest.mark.parametrize(
    ("name", "value", "where", "code"),
    [
        (OPENING, {}, "arguments", "missing"),
        (REBUTTAL, reply(REBUTTAL, title=" "), "arguments.0.title", "blank"),
        (REBUTTAL, reply(REBUTTAL, backing=[1]), "arguments.0.backing", "wrong_type"),
        (REBUTTAL, reply(REBUTTAL, grounds=[]), "arguments.0.grounds", "too_few"),
        (REBUTTAL, reply(REBUTTAL, attacks=[ATTACK] * 4), "arguments.0.attacks", "too_many"),
        (REBUTTAL, reply(REBUTTAL) | {"exchange": -1}, "exchange", "out_of_range"),
        (JUDGMENT, {"scores": [SCORE | {"score": True}]}, "scores.0.score", "wrong_type"),
        ("all", {"kind": 1, "note": "a" * 10}, "note", "too_long"),
        ("all", {"kind": 1, "note": "a"}, "note", "malformed"),
        ("all", {"kind": True}, "kind", "not_allowed"),
    ],
)
def test_a_fault_has_a_code_and_a_place(name: str, value: object, where: str, code: str) -> None:
    assert not accepts(SCHEMAS[name], value)
    (fault,) = explain(SCHEMAS[name], value)
    assert (".".join(map(str, fault.path)), fault.code) == (where, code)
    assert fault.expected in fault.message


def test_faults_are_sorted_by_place_and_a_flood_and_a_long_value_are_cut_short() -> None:
    bad = {"rescores": [1], "scores": [{"score": 2, "argument_id": ""}, 3], "exchange": "1"}
    assert [fault.path for fault in explain(SCHEMAS[JUDGMENT], bad)] == [
        ("exchange",),
        ("scores", 0, "argument_id"),
        ("scores", 0, "score"),
        ("scores", 0, "reasoning"),  # is missing
        ("scores", 1),
        ("rescores", 0),
    ]
    assert len(explain(SCHEMAS[JUDGMENT], reply(JUDGMENT, rescores=[1] * 10_000))) == 100
    (fault,) = explain(SCHEMAS[REBUTTAL], reply(REBUTTAL, attacks="x" * 100))
    assert fault.actual == '"' + "x" * 58 + "…"


def test_unknown_keys_are_named_at_any_depth() -> None:
    value = reply(REBUTTAL, foo=1, attacks=[ATTACK | {"type": "x"}, "no object"]) | {"side": "prop"}
    assert unknown_keys(SCHEMAS[REBUTTAL], value) == [
        ("side",),
        ("arguments", 0, "foo"),
        ("arguments", 0, "attacks", 0, "type"),
    ]


@pytest.mark.parametrize("name", ["nonsense", "../schemas/exchange-opening"])
def test_an_unknown_schema_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ValueError, match=r"exchange-judgment, exchange-opening, exchange-rebuttal"):
        schemas.load(name)


@pytest.mark.parametrize("name", schemas.names())
def test_every_schema_is_valid_checkable_and_speaks_to_people(name: str) -> None:
    schema = schemas.load(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert all(schema[key] for key in ("title", "description", "$comment"))
    for node in [schema, *schema.get("$defs", {}).values()]:
        own = (each for each in node.get("properties", {}).values() if "$ref" not in each)
        assert all(each["description"] for each in own)
    for node in nodes(schema):
        assert node.keys() - NOTES <= KEYWORDS
        assert set(node.get("required", ())) <= node.get("properties", {}).keys()
        assert node.get("$ref", "#/$defs/").startswith("#/$defs/")


NOTES = {"$schema", "$comment", "$defs", "title", "description"}


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and every schema inside of it."""
    yield node
    parts = [*node.get("properties", {}).values(), *node.get("$defs", {}).values()]
    for part in [*parts, node["items"]] if "items" in node else parts:
        yield from nodes(part)


JUNK: list[Any] = [None, True, False, 0, 1, 2, -1, *map(Decimal, ("1.0", "0.5", "-1.001"))]
JUNK += ["", " ", "a", "ab", "A1", "judge", "prop", [], [1], {}, {"x": 1}, {"title": "t"}]


@st.composite
def near(draw: st.DrawFn, node: dict[str, Any], root: dict[str, Any]) -> Any:
    """Return a document that fits the schema, but for a fault here and there."""
    if draw(st.integers(0, 49)) == 0:
        return draw(st.sampled_from(JUNK))
    if "$ref" in node:
        return draw(near(root["$defs"][node["$ref"].removeprefix("#/$defs/")], root))
    if "enum" in node or "const" in node:
        return draw(st.sampled_from(node.get("enum") or [node["const"]]))
    types = node.get("type", "string")
    kind = draw(st.sampled_from([types] if isinstance(types, str) else types))
    if kind == "object":
        absent = draw(st.sets(st.sampled_from(list(node["properties"])), max_size=3))
        kept = node["required"] if draw(st.integers(0, 9)) else []
        return {
            key: draw(near(part, root))
            for key, part in node["properties"].items()
            if key in kept or key not in absent
        }
    if kind == "array":
        least, most = node.get("minItems", 0), node.get("maxItems", 2)
        slack = 0 if draw(st.integers(0, 9)) else 1
        size = draw(st.integers(max(0, least - slack), most + slack))
        return [draw(near(node.get("items", {}), root)) for _ in range(size)]
    return draw(
        {
            "string": st.sampled_from(["ab", "a word"]),
            "number": st.integers(-1, 1) | st.decimals(-1, 1, places=3),
            "integer": st.integers(0, 2),
            "boolean": st.booleans(),
            "null": st.none(),
        }[kind]
    )


ANYTHING = st.recursive(
    st.sampled_from(JUNK),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*EVERY_KEYWORD["properties"], "x", "scores"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from(list(SCHEMAS)), st.data())
def test_the_quick_check_agrees_with_jsonschema(name: str, data: st.DataObject) -> None:
    schema = SCHEMAS[name]
    value = data.draw(near(schema, schema) | ANYTHING)
    valid = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert accepts(schema, value) == valid
    assert (explain(schema, value) == []) == valid
