"""A reply's form is one model: schema, faults and values come from it."""

from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from debate_ops.core.replies import (
    Item,
    Optional,
    Reply,
    Said,
    find_long_texts,
    parse_reply,
    read_exact,
    schema_of,
    text,
)


class Part(Item):
    """One part."""

    kind: Literal["minor", "major"]
    points: Annotated[Decimal, read_exact(-1, 1)]
    said: Said = text("Said", words=(2, 3))
    note: Optional = text("Note", words="limit", default="")
    count: int = 20


class Whole(Reply):
    """A list of parts."""

    LIST, NO_REPLY = "parts", "nothing"
    parts: list[Part]
    other: Part | None = None


GOOD: dict[str, Any] = {"kind": "minor", "points": Decimal("0.5"), "said": "one two"}
WRONG: list[tuple[str, Any, list[str]]] = [
    ("no object", 5, [""]),
    ("missing keys", {"parts": [{}]}, ["parts.0.kind", "parts.0.points", "parts.0.said"]),
    ("another choice", {"parts": [GOOD | {"kind": "x"}]}, ["parts.0.kind"]),
    ("blank", {"parts": [GOOD | {"said": " \u200b"}]}, ["parts.0.said"]),
    ("neither letter nor digit", {"parts": [GOOD | {"said": "..."}]}, ["parts.0.said"]),
    ("a number out of bounds", {"parts": [GOOD | {"points": 2}]}, ["parts.0.points"]),
    ("four decimals", {"parts": [GOOD | {"points": Decimal("0.1234")}]}, ["parts.0.points"]),
    ("a boolean", {"parts": [GOOD | {"points": True}]}, ["parts.0.points"]),
    ("half of a whole number", {"parts": [GOOD | {"count": Decimal("2.5")}]}, ["parts.0.count"]),
    ("an infinite count", {"parts": [GOOD | {"count": Decimal("Infinity")}]}, ["parts.0.count"]),
    ("a number as text", {"parts": [GOOD | {"points": "0.5"}]}, ["parts.0.points"]),
    ("infinity", {"parts": [GOOD | {"points": Decimal("Infinity")}]}, ["parts.0.points"]),
    ("both parts", {"parts": [{**GOOD, "kind": 5}], "other": 7}, ["other", "parts.0.kind"]),
]
FORMS: list[tuple[str, Any]] = [
    ("the whole", {"parts": [GOOD]}),
    ("the list alone", [GOOD]),
    ("the whole in a list", [{"parts": [GOOD]}]),
    ("one item alone", GOOD),
    ("one item for the list", {"parts": GOOD}),
    ("nulls of optional keys", {"parts": [GOOD | {"note": None}], "other": None}),
    ("a blank text that may be left out", {"parts": [GOOD | {"note": " "}]}),
    ("zeros that say nothing", {"parts": [GOOD | {"points": Decimal("0.500")}]}),
]


@pytest.mark.parametrize(("value", "where"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_all_faults_of_form_come_at_once_with_their_places(value: Any, where: list[str]) -> None:
    reply, faults = parse_reply(Whole, value)
    assert reply is None
    assert sorted(fault.where for fault in faults) == where


@pytest.mark.parametrize("value", [f[1] for f in FORMS], ids=[f[0] for f in FORMS])
def test_a_reply_has_one_form_however_it_is_given(value: Any) -> None:
    reply, faults = parse_reply(Whole, value)
    assert faults == []
    assert reply == Whole(parts=[Part(**GOOD)])


def test_the_key_that_was_there_instead_is_named() -> None:
    _, faults = parse_reply(Whole, {"partz": [GOOD]})
    assert [(f.where, "partz" in f.message) for f in faults] == [("parts", True)]
    _, (fault,) = parse_reply(Whole, {"partz": [GOOD], "x": 1})
    assert '"partz", "x" are not known here' in fault.message


def test_an_unknown_key_is_a_warning_at_every_depth() -> None:
    given = {"parts": [GOOD, GOOD | {"noet": "n"}], "other": GOOD | {"x": 1}, "mood": "good"}
    reply, faults = parse_reply(Whole, given)
    assert reply == Whole(parts=[Part(**GOOD), Part(**GOOD)], other=Part(**GOOD))
    unknown = ["parts.1.noet", "other.x", "mood"]
    assert [(f.where, f.is_warning) for f in faults] == [(where, True) for where in unknown]


def test_what_is_enforced_is_the_schema_that_agents_are_shown() -> None:
    schema = schema_of(Whole)
    Draft202012Validator.check_schema(schema)
    assert schema["$defs"]["Part"]["required"] == ["kind", "points", "said"]
    assert {"participant", "exchange", "phase"} < schema["properties"].keys()
    assert schema["$defs"]["Part"]["properties"]["points"]["maximum"] == 1


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, []),
        ({"said": "one"}, ["parts.0.said: said has 1 word, expected 2 to 3"]),
        ({"said": "one two three four"}, ["parts.0.said: said has 4 words, expected 2 to 3"]),
        ({"note": "one two"}, ["parts.0.note: note has 2 words, expected at most 1"]),
        ({"note": "\u56e0\u4e3a\u5b83"}, ["parts.0.note: note has 2 words, expected at most 1"]),
    ],
)
def test_words_are_limited_by_form_and_settings(changes: dict[str, Any], found: list[str]) -> None:
    faults = find_long_texts(Whole(parts=[Part(**GOOD | changes)]), {"limit": 1})
    assert [f"{fault.where}: {fault.message}" for fault in faults] == found
    assert not list(find_long_texts(Whole(parts=[Part(**GOOD | {"note": "a b"})]), {"limit": 0}))
