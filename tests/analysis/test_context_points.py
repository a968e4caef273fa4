"""The points of the context: what is one, what it is called, and when it counts as used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis import evidence


def points(text: str, name: str = "a.md") -> list[str]:
    return list(evidence.name_documents([(name, text)])[0].points.values())


def starts(text: str) -> list[str]:
    """Return the lines of a text before which a mark stands."""
    marked = evidence.name_documents([("a.md", text)])[0].text.split("\n")
    return [line.partition("] ")[2] for line in marked if line.startswith("[#")]


PARAGRAPHS = "One point\nover two lines.\n\nAnother one."
ITEMS = "1. one\n2) two\n   goes on\n\n   and on\n- three\n* four"
BESIDE = "- costs:\n- rent"
NESTED = "- costs:\n  - rent\n  - power\n- staff\n  - two of them"
HEADINGS = "# Title\n\nText.\n\nUnderlined\n==========\n\nMore.\n---\n\n***\n\nLast."
TABLE = "Before.\n\n| a | b |\n|---|---|\n| 1 | 2 |"
CODE = "Before.\n\n```sh\n# a comment\n\n- no item\n```\n\nAfter."


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (PARAGRAPHS, ["One point", "Another one."]),
        (ITEMS, ["1. one", "2) two", "- three", "* four"]),
        (BESIDE, ["- costs:", "- rent"]),
        (NESTED, ["  - rent", "  - power", "- staff", "  - two of them"]),
        (HEADINGS, ["Text.", "Last."]),
        (TABLE, ["Before.", "| a | b |"]),
        (CODE, ["Before.", "```sh", "After."]),
        ("There are three:\n\n1. one\n2. two", ["1. one", "2. two"]),
        ("It fell in\n2019. Then it rose.", ["It fell in"]),
        ("Above\n```\ncode\n```\n> said\n>\n> - more", ["Above", "```", "> said"]),
        ("", []),
    ],
)
def test_each_paragraph_item_table_and_code_block_is_a_point(text: str, begins: list[str]) -> None:
    assert starts(text) == begins


def test_a_point_is_given_whole_and_what_is_no_prose_is_one() -> None:
    assert points("a,1\n\n- b,2\n", "figures.csv") == ["a,1\n\n- b,2"]
    assert points(ITEMS) == ["one", "two\n   goes on\n\n   and on", "three", "four"]


def test_points_are_numbered_within_their_document_and_through_those_of_one_name() -> None:
    both = (("a.md", "x\n\ny"), ("", "z"), ("b v1.2", "p\n\nq"), ("a.md", "w"))
    names = ["a.md#1", "a.md#2", "context#1", "b v1.2#1", "b v1.2#2", "a.md#3"]
    assert [n for each in evidence.name_documents(both) for n in each.points] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Intro.\n\n1. one\n2. two\n\nAfter.", ["p1", "1", "2", "p2"]),
        ("1. one\n\n# More\n\n1. again", ["1", "2"]),
        ("- one\n- two", ["1", "2"]),
    ],
)
def test_numbers_of_a_document_are_kept_where_each_is_once(text: str, names: list[str]) -> None:
    (document,) = evidence.name_documents([("a.md", text)])
    assert [*document.points] == [f"a.md#{name}" for name in names]


@given(
    st.lists(st.tuples(st.sampled_from(["a", "a\n#1", "", "b.py"]), st.text("a1.-*#:`~|= \t\n")))
)
def test_every_mark_is_of_one_point_and_changes_no_word(documents: list[tuple[str, str]]) -> None:
    named = evidence.name_documents(documents)
    assert len({n for each in named for n in each.points}) == sum(len(n.points) for n in named)
    for each, (_, text) in zip(named, documents, strict=True):
        lines = each.text.split("\n")
        marks = [f"[#{name.rpartition('#')[2]}] " for name in each.points]
        for mark in marks:
            (place,) = [p for p, line in enumerate(lines) if line.startswith(mark)]
            lines[place] = lines[place].removeprefix(mark)
        assert "\n".join(lines) == text


THREE = dict.fromkeys(("a.md#1", "a.md#2", "docs/a.md#1"), "")


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("See A.md#2.", ("a.md#1", "docs/a.md#1")),
        ("docs/a.md#1", ("a.md#1", "a.md#2")),
        ("a.md#2, docs/a.md#1", ("a.md#1",)),
        ("By #2 of a.md", ()),
        ("data.md#1, a.md#12, issue #2", ()),
        ("", ()),
    ],
)
def test_a_point_is_used_where_its_whole_name_stands(said: str, left: tuple[str, ...]) -> None:
    assert evidence.find_unused(THREE, [said]) == left
