"""The check and jsonschema agree on every reply, and a refusal speaks to its reader."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import schema as schemas
from debate_ops.formats.schema import SchemaFault, accepts, explain, unknown_keys

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
    "additionalProperties": True,
    "properties": {
        "kind": {"const": 1},
        "word": {"enum": ["a", 1, True, None]},
        "flag": {"type": "boolean"},
        "size": {"type": ["integer", "null"], "minimum": 0, "maximum": 2},
        "share": {"type": "number", "minimum": -1, "maximum": 1},
        "note": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]"},
        "parts": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"$ref": "#/$defs/part"}},
        "open": {"minLength": 1, "minimum": 1, "minItems": 1, "required": ["x"]},
    },
    "$defs": {"part": {"$ref": "#/$defs/inner"}, "inner": {"required": ["x"]}},
}
SCHEMAS = {name: schemas.load(name) for name in schemas.names()} | {"all": EVERY_KEYWORD}


def reply(name: str, **changes: object) -> dict[str, Any]:
    """Return a good reply whose first argument, or whose envelope, has these changes."""
    count = {OPENING: 3, REBUTTAL: 1, JUDGMENT: 0}[name]
    if not count:
        return {"participant": "judge", "exchange": 1, "scores": [SCORE], "rescores": []} | changes
    arguments = [ARGUMENT | changes, *[ARGUMENT] * (count - 1)]
    return {"participant": "prop", "exchange": 1, "arguments": arguments}


def without(whole: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in whole.items() if key not in keys}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(OPENING, reply(OPENING), id="opening"),
        pytest.param(OPENING, without(reply(OPENING), "participant", "exchange"), id="unnamed"),
        pytest.param(OPENING, reply(OPENING, attacks=[], defends=None), id="empty and null links"),
        pytest.param(REBUTTAL, reply(REBUTTAL), id="rebuttal without links"),
        pytest.param(
            REBUTTAL, reply(REBUTTAL, attacks=[ATTACK] * 3, defends=[DEFENCE] * 2), id="most links"
        ),
        pytest.param(REBUTTAL, reply(REBUTTAL, grounds=[GROUND] * 3), id="most grounds"),
        pytest.param(REBUTTAL, reply(REBUTTAL, backing="b", qualifier=None), id="optional texts"),
        pytest.param(REBUTTAL, reply(REBUTTAL, backing=""), id="an empty optional text"),
        pytest.param(REBUTTAL, reply(REBUTTAL, foo=1), id="an unknown key"),
        pytest.param(REBUTTAL, reply(REBUTTAL) | {"participant": "opposition"}, id="side by name"),
        pytest.param(JUDGMENT, reply(JUDGMENT), id="judgment"),
        pytest.param(JUDGMENT, {"scores": [SCORE]}, id="scores alone"),
        pytest.param(JUDGMENT, reply(JUDGMENT, rescores=None), id="null rescores"),
        pytest.param(JUDGMENT, reply(JUDGMENT, rescores=[RESCORE]), id="rescore"),
        pytest.param(
            JUDGMENT, reply(JUDGMENT, rescores=[RESCORE | {"old_score": 7}]), id="any old score"
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[SCORE | {"score": 1}, SCORE | {"score": Decimal("-1.000")}]),
            id="scores at the edge",
        ),
    ],
)
def test_a_good_reply_is_accepted(name: str, value: dict[str, Any]) -> None:
    assert accepts(SCHEMAS[name], value)
    assert explain(SCHEMAS[name], value) == []


ATTACK_TYPES = "claim_attack, grounds_attack, warrant_attack, backing_attack"


@pytest.mark.parametrize(
    ("name", "value", "where", "code", "message"),
    [
        pytest.param(
            OPENING, [], "", "wrong_type", "is an empty list, wants an object", id="a list"
        ),
        pytest.param(
            OPENING,
            {},
            "arguments",
            "missing",
            "is missing: wants a list of exactly 3 entries",
            id="no arguments",
        ),
        pytest.param(
            OPENING,
            {"arguments": [ARGUMENT] * 2},
            "arguments",
            "too_few",
            "has too few entries: 2 of exactly 3",
            id="two openings",
        ),
        pytest.param(
            OPENING,
            {"arguments": [ARGUMENT] * 5},
            "arguments",
            "too_many",
            "has too many entries: 5 of exactly 3",
            id="five openings",
        ),
        pytest.param(
            OPENING,
            reply(OPENING, attacks=[ATTACK]),
            "arguments.0.attacks",
            "too_many",
            "must be empty here, but has 1 entry",
            id="an attack in the opening",
        ),
        pytest.param(
            REBUTTAL,
            {"arguments": [ARGUMENT] * 2},
            "arguments",
            "too_many",
            "has too many entries: 2 of exactly 1",
            id="two rebuttals",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL) | {"participant": "judge"},
            "participant",
            "not_allowed",
            'is "judge", wants one of prop, opp, proposition, opposition',
            id="an unknown side",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL) | {"exchange": -1},
            "exchange",
            "out_of_range",
            "is -1, wants a whole number of at least 0",
            id="a negative exchange",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL) | {"exchange": Decimal("1.0")},
            "exchange",
            "wrong_type",
            "is a number (1.0), wants a whole number of at least 0",
            id="an exchange with decimals",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, title=5),
            "arguments.0.title",
            "wrong_type",
            "is a number (5), wants text",
            id="a number for a text",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, claim=" \n"),
            "arguments.0.claim",
            "blank",
            "is blank, wants text",
            id="a blank text",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, claim=" \u200b\u200f\u2060\ufeff"),
            "arguments.0.claim",
            "blank",
            "is blank, wants text",
            id="a text of characters without width",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, backing=[1]),
            "arguments.0.backing",
            "wrong_type",
            "is a list of 1 entry, wants text or null",
            id="a list for an optional text",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, grounds=[]),
            "arguments.0.grounds",
            "too_few",
            "has too few entries: 0 of at least 1",
            id="no grounds",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, grounds=[GROUND] * 4),
            "arguments.0.grounds",
            "too_many",
            "has too many entries: 4 of at most 3",
            id="four grounds",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, grounds="s"),
            "arguments.0.grounds",
            "wrong_type",
            'is text ("s"), wants a list of 1 to 3 entries',
            id="grounds as a text",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, grounds=[GROUND, without(GROUND, "relevance")]),
            "arguments.0.grounds.1.relevance",
            "missing",
            "is missing: wants text",
            id="a ground without relevance",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, grounds=["s"]),
            "arguments.0.grounds.0",
            "wrong_type",
            'is text ("s"), wants an object',
            id="a ground as a text",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, attacks=[ATTACK] * 4),
            "arguments.0.attacks",
            "too_many",
            "has too many entries: 4 of at most 3",
            id="four attacks",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, defends=[DEFENCE] * 3),
            "arguments.0.defends",
            "too_many",
            "has too many entries: 3 of at most 2",
            id="three defences",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, attacks={}),
            "arguments.0.attacks",
            "wrong_type",
            "is an object, wants a list of at most 3 entries or null",
            id="attacks as an object",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, attacks=[ATTACK | {"attack_type": "zzz"}]),
            "arguments.0.attacks.0.attack_type",
            "not_allowed",
            f'is "zzz", wants one of {ATTACK_TYPES}',
            id="an unknown kind of attack",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, attacks=[without(ATTACK, "attack_type")]),
            "arguments.0.attacks.0.attack_type",
            "missing",
            f"is missing: wants one of {ATTACK_TYPES}",
            id="an attack without its kind",
        ),
        pytest.param(
            REBUTTAL,
            reply(REBUTTAL, defends=[DEFENCE | {"defense_type": None}]),
            "arguments.0.defends.0.defense_type",
            "not_allowed",
            "is null, wants one of reinforce, clarify, concede_and_pivot",
            id="a defence of no kind",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[]),
            "scores",
            "too_few",
            "has too few entries: 0 of at least 1",
            id="no scores",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[SCORE | {"score": Decimal("1.2")}]),
            "scores.0.score",
            "out_of_range",
            "is 1.2, wants a number from -1 to 1",
            id="a score too high",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[SCORE | {"score": Decimal("-1.01")}]),
            "scores.0.score",
            "out_of_range",
            "is -1.01, wants a number from -1 to 1",
            id="a score too low",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[SCORE | {"score": "0.5"}]),
            "scores.0.score",
            "wrong_type",
            'is text ("0.5"), wants a number from -1 to 1',
            id="a score as a text",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[SCORE | {"score": True}]),
            "scores.0.score",
            "wrong_type",
            "is true, wants a number from -1 to 1",
            id="true is no score",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, scores=[SCORE | {"score": None}]),
            "scores.0.score",
            "wrong_type",
            "is null, wants a number from -1 to 1",
            id="null is no score",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, rescores=["x"]),
            "rescores.0",
            "wrong_type",
            'is text ("x"), wants an object',
            id="a rescore as a text",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, rescores=[RESCORE | {"new_score": 7}]),
            "rescores.0.new_score",
            "out_of_range",
            "is 7, wants a number from -1 to 1",
            id="a rescore out of range",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, rescores=[without(RESCORE, "reasoning")]),
            "rescores.0.reasoning",
            "missing",
            "is missing: wants text",
            id="a rescore without reasons",
        ),
        pytest.param(
            JUDGMENT,
            reply(JUDGMENT, participant="prop"),
            "participant",
            "not_allowed",
            'is "prop", wants judge',
            id="a debater judges",
        ),
        pytest.param(
            "all",
            {"kind": 1, "note": "A1"},
            "note",
            "malformed",
            'is "A1", wants text of at least 2 characters',
            id="a text of another form",
        ),
        pytest.param(
            "all",
            {"kind": 1, "note": "a" * 10},
            "note",
            "too_long",
            "has 10 characters, wants at most 9",
            id="a text that is too long",
        ),
        pytest.param(
            "all",
            {"kind": 1, "note": "a"},
            "note",
            "malformed",
            'is "a", wants text of at least 2 characters',
            id="a text too short",
        ),
        pytest.param(
            "all", {"kind": True}, "kind", "not_allowed", "is true, wants 1", id="true is not 1"
        ),
    ],
)
def test_a_fault_is_explained_to_its_reader(
    name: str, value: object, where: str, code: str, message: str
) -> None:
    assert not accepts(SCHEMAS[name], value)
    (fault,) = explain(SCHEMAS[name], value)
    assert (".".join(map(str, fault.path)), fault.code, fault.message) == (where, code, message)


def test_all_missing_keys_are_told_in_the_order_of_the_schema() -> None:
    faults = explain(SCHEMAS[REBUTTAL], {"arguments": [{"attacks": [{}]}]})
    assert [fault.path[2:] for fault in faults] == [
        ("title",),
        ("claim",),
        ("grounds",),
        ("warrant",),
        ("attacks", 0, "target_id"),
        ("attacks", 0, "attack_type"),
        ("attacks", 0, "content"),
    ]
    assert {fault.found for fault in faults} == {"nothing"}


def test_faults_are_sorted_by_place() -> None:
    bad = {"rescores": [1], "scores": [{"score": 2, "argument_id": ""}, 3], "exchange": "1"}
    assert [fault.path for fault in explain(SCHEMAS[JUDGMENT], bad)] == [
        ("exchange",),
        ("scores", 0, "argument_id"),
        ("scores", 0, "score"),
        ("scores", 0, "reasoning"),
        ("scores", 1),
        ("rescores", 0),
    ]


def test_what_was_found_and_wanted_is_told_apart_and_kept_short() -> None:
    (fault,) = explain(SCHEMAS[REBUTTAL], reply(REBUTTAL, attacks="x" * 100))
    wanted = "a list of at most 3 entries or null"
    found = '"' + "x" * 58 + "…"
    assert fault == SchemaFault(
        ("arguments", 0, "attacks"),
        "wrong_type",
        f"is text ({found}), wants {wanted}",
        found,
        wanted,
    )


def test_a_flood_of_faults_is_cut_short() -> None:
    assert len(explain(SCHEMAS[JUDGMENT], reply(JUDGMENT, rescores=[1] * 10_000))) == 100


def test_a_refusal_is_explained_without_any_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert not accepts(SCHEMAS[REBUTTAL], {})
    assert {fault.code for fault in explain(SCHEMAS[REBUTTAL], {})} == {"missing"}


def test_unknown_keys_are_named_at_any_depth() -> None:
    value = reply(REBUTTAL, foo=1, attacks=[ATTACK | {"type": "x"}, "no object"]) | {"side": "prop"}
    assert unknown_keys(SCHEMAS[REBUTTAL], value) == [
        ("arguments", 0, "foo"),
        ("arguments", 0, "attacks", 0, "type"),
        ("side",),
    ]


def test_unknown_keys_are_asked_of_any_value() -> None:
    values: list[object] = [None, [], {"arguments": 5}, {"arguments": [None]}, reply(REBUTTAL)]
    for value in values:
        assert unknown_keys(SCHEMAS[REBUTTAL], value) == []


def test_a_schema_is_loaded_by_its_name() -> None:
    assert {OPENING, REBUTTAL, JUDGMENT} <= set(schemas.names())
    assert schemas.names() == sorted(schemas.names())
    assert schemas.load(OPENING)["title"] == "Opening arguments of one side"


@pytest.mark.parametrize(
    "name", ["nonsense", "", "../schemas/exchange-opening", "exchange-opening.json"]
)
def test_an_unknown_schema_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ValueError, match=r"exchange-judgment, exchange-opening, exchange-rebuttal"):
        schemas.load(name)


@pytest.mark.parametrize("name", schemas.names())
def test_every_schema_is_valid_checkable_and_speaks_to_people(name: str) -> None:
    schema = schemas.load(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    accepts(schema, None)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert all(schema[key] for key in ("title", "description", "$comment"))
    for node in [schema, *schema.get("$defs", {}).values()]:
        told = (each for each in node.get("properties", {}).values() if "$ref" not in each)
        assert all(each["description"] for each in told)


@pytest.mark.parametrize(
    "schema",
    [
        {"multipleOf": 3},
        {"items": {"oneOf": []}},
        {"properties": {"a": {"format": "date"}}},
        {"$defs": {"a": {"not": {}}}},
        {"additionalProperties": False},
        {"additionalProperties": {}},
        {"$ref": "other.json"},
        {"$ref": "#/$defs/none", "$defs": {"a": {}}},
        {"enum": ["a", [1]]},
        {"const": {}},
        {"items": True},
    ],
)
def test_a_schema_that_says_more_than_is_checked_is_an_error(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="schemas of replies"):
        accepts(schema, [])


JUNK: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    Decimal("1.0"),
    Decimal("0.5"),
    Decimal("-1.001"),
]
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


@pytest.mark.parametrize("name", SCHEMAS)
@given(data=st.data())
def test_the_quick_check_agrees_with_jsonschema(name: str, data: st.DataObject) -> None:
    schema = SCHEMAS[name]
    value = data.draw(near(schema, schema) | ANYTHING)
    valid = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert accepts(schema, value) == valid
    assert (explain(schema, value) == []) == valid
