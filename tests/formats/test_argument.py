"""An argument as a file: every text of it read back, links that readers can follow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from debate_ops.formats import argument, entries, front
from debate_ops.model.entries import ARGUMENTS, Argument, Entry, Ground, Link
from tests.strategies import arguments

if TYPE_CHECKING:
    from debate_ops.model.entries import Value

STAMP = entries.Stamp(3, "f" * 64, "2026-01-01T00:00:00Z", {"model": "m"}, {}, {})


def read_back(value: Argument, text: str) -> Value:
    header, body, _ = front.parse(text, "f")
    return entries.parse(Entry(value.id, ARGUMENTS, header, body))


def hold_the_law(value: Argument) -> None:
    text = entries.render(value, STAMP)
    assert read_back(value, text) == value
    assert read_back(value, text.replace("\n", "\r\n")) == value
    assert entries.folder(value) == ARGUMENTS


@given(arguments())
def test_an_argument_is_read_back_whatever_its_texts_contain(value: Argument) -> None:
    hold_the_law(value)


@pytest.mark.slow
@settings(max_examples=3_000)
@given(arguments())
def test_an_argument_is_read_back_over_a_long_sweep(value: Argument) -> None:
    hold_the_law(value)


@given(arguments())
def test_an_editor_may_cut_white_space_at_the_ends_of_lines(value: Argument) -> None:
    text = entries.render(value, STAMP)
    assert read_back(value, re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)) == value


PLAIN = Argument(
    "prop_001",
    "prop",
    1,
    "A title of five words",
    "A claim.",
    (Ground("A book, 1999", "Two\nlines.", "It bears on it."),),
    "A warrant.",
    qualifier="mostly",
    attacks=(Link("opp_000a", "claim_attack", "It is not so."),),
    defends=(Link("prop_000b", "clarify", "I meant this."),),
)


def test_the_file_reads_well() -> None:
    assert argument.body(PLAIN) == (
        "\n# A title of five words\n"
        "\n## Claim\n\nA claim.\n"
        "\n## Grounds\n\n### 1. A book, 1999\n\n> Two\n> lines.\n\n**Relevance:** It bears on it.\n"
        "\n## Warrant\n\nA warrant.\n"
        "\n## Qualifier\n\nmostly\n"
        "\n## Attacks\n\n### Attacking [opp_000a](opp_000a.md)\n\n**Type:** claim_attack\n"
        "\nIt is not so.\n"
        "\n## Defends\n\n### Defending [prop_000b](prop_000b.md)\n\n**Type:** clarify\n"
        "\nI meant this.\n"
    )


def test_the_header_has_what_other_tools_look_for() -> None:
    header, _, _ = front.parse(entries.render(PLAIN, STAMP), "f")
    assert header == {
        "id": "prop_001",
        "side": "prop",
        "kind": "argument",
        "exchange": 1,
        "title": "A title of five words",
        "claim": "A claim.",
        "attacks": [{"target_id": "opp_000a", "type": "claim_attack"}],
        "defends": [{"target_id": "prop_000b", "type": "clarify"}],
        "step": 3,
        "from": "f" * 64,
        "at": "2026-01-01T00:00:00Z",
        "made_by": {"model": "m"},
    }


def test_links_are_read_from_the_header_alone() -> None:
    assert argument.links(argument.header(PLAIN), "attacks") == (("opp_000a", "claim_attack"),)
    assert argument.links({"attacks": None}, "attacks") == ()
    assert argument.links({}, "defends") == ()


OLDER = r"""

## Claim

Costs < benefits & more.

## Grounds

### 1. A report (https://example.org/a_b)

> It says \alpha and &#65;.

**Relevance:** Shows it.

### 2. Another

> Second.

**Relevance:** Too.

## Warrant

A warrant.

## Attacks

### Attacking opp_000a

**Type:** grounds_attack

- It is not so.

### Attacking opp_000a

**Type:** warrant_attack

Nor this.

## Defends

### Defending prop_000b

**Type:** reinforce

Still so."""


def test_a_file_of_an_older_tool_is_taken_as_it_stands() -> None:
    header = {"id": "prop_001", "side": "prop", "exchange": 1, "title": "T", "older": True}
    told = argument.parse(Entry("prop_001", ARGUMENTS, header | {"step": 2}, OLDER))
    assert told == Argument(
        "prop_001",
        "prop",
        1,
        "T",
        "Costs < benefits & more.",
        (
            Ground("A report (https://example.org/a_b)", r"It says \alpha and &#65;.", "Shows it."),
            Ground("Another", "Second.", "Too."),
        ),
        "A warrant.",
        attacks=(
            Link("opp_000a", "grounds_attack", "- It is not so."),
            Link("opp_000a", "warrant_attack", "Nor this."),
        ),
        defends=(Link("prop_000b", "reinforce", "Still so."),),
    )


@pytest.mark.parametrize("body", ["", "\n", "words", "## Claim", "## Grounds\n\n### 1. x\n"])
def test_a_file_with_parts_missing_is_read_as_far_as_it_goes(body: str) -> None:
    header = {"exchange": 1, "step": 2}
    told = argument.parse(Entry("opp_001", ARGUMENTS, header, body))
    assert (told.id, told.side, told.warrant) == ("opp_001", "opp", "")
