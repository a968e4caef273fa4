"""The one form of replies, and findings about them, in whichever protocol."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.model.turn import Task, Turn
from debate_ops.protocols import replies

OBJECT = {"text": "Yes."}
OUT_OF_ITS_LIST = ("a reply is one object; it was taken out of its list",)


@pytest.mark.parametrize(
    ("value", "listed", "expected", "notes"),
    [
        (OBJECT, "", OBJECT, ()),
        ("Yes.", "", OBJECT, ()),
        ([OBJECT], "", OBJECT, OUT_OF_ITS_LIST),
        ([OBJECT, OBJECT], "", {"text": [OBJECT, OBJECT]}, ()),
        (["Yes."], "", {"text": ["Yes."]}, ()),
        ([OBJECT], "critiques", {"critiques": [OBJECT]}, ()),
        (OBJECT, "critiques", OBJECT, ()),
        ([], "critiques", {"critiques": []}, ()),
    ],
)
def test_every_form_becomes_one_object(
    value: Any, listed: str, expected: dict[str, Any], notes: tuple[str, ...]
) -> None:
    assert replies.as_object(value, listed) == (expected, notes)


def test_the_reply_as_it_came_is_not_changed() -> None:
    reply = {"text": "Yes.", "items": [{"why": None}, "b"]}
    plain, _ = replies.as_object(reply)
    for item in replies.objects_in(plain, "items"):
        replies.no_blank(item, "why")
    assert plain["items"] == [{"why": ""}, "b"]
    assert reply == {"text": "Yes.", "items": [{"why": None}, "b"]}


@pytest.mark.parametrize(
    ("reply", "expected"), [({}, ""), ({"why": None}, ""), ({"why": " \n"}, ""), ({"why": 3}, 3)]
)
def test_what_is_blank_is_empty_and_what_is_no_text_stays(
    reply: dict[str, Any], expected: Any
) -> None:
    replies.no_blank(reply, "why")
    assert reply == {"why": expected}


def test_objects_keep_their_places_among_what_is_none() -> None:
    assert replies.objects(["a", OBJECT, None, OBJECT]) == [(1, OBJECT), (3, OBJECT)]
    assert replies.objects(OBJECT) == []
    assert list(replies.objects_in({"items": OBJECT}, "items")) == []


def test_a_reply_names_whose_it_is_and_to_what() -> None:
    naming = replies.naming(Turn(7, 2, "awaiting_votes", ()), Task("ann", "", "", ""))
    assert naming == {"participant": "ann", "exchange": 2, "phase": "awaiting_votes"}
