"""Entries as files: every text is read back, and readers can follow the links."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import entries, front
from debate_ops.model.debate import Total
from debate_ops.model.entries import ARGUMENTS, Contribution, Entry
from debate_ops.model.score import Millis
from debate_ops.model.views import (
    Absence,
    Argument,
    Ground,
    Judgment,
    Link,
    Rescore,
    Score,
    argument_of,
)
from debate_ops.storage.folder import RECORD_FOLDERS
from tests.strategies import absences, arguments, judgments
from tests.views import View, entry_of

TOTALS = {"proposition": Total(Millis(1100), 4), "opposition": Total(Millis(-1300), 4)}
STAMPED: dict[str, Any] = {
    "step": 3,
    "from": "f" * 64,
    "at": "2026-01-01T00:00:00Z",
    "rests_on": {"prop_001": "d" * 64},
    "made_by": {"model": "m"},
}
STAMP = entries.Stamp(3, "f" * 64, STAMPED["at"], STAMPED["made_by"], STAMPED["rests_on"])
values = st.one_of(arguments(), judgments(), absences).map(entry_of)


def read_back(value: Contribution, text: str) -> Contribution:
    header, body, _ = front.parse(text, "f")
    return entries.parse(Entry(value.id, value.folder, header, body))


@given(values)
def test_an_entry_is_read_back_whatever_its_texts_contain(value: Contribution) -> None:
    text = entries.render(value, STAMP)
    assert read_back(value, text) == value
    assert read_back(value, text.replace("\n", "\r\n")) == value


@given(arguments().map(entry_of))
def test_an_editor_may_cut_white_space_at_the_ends_of_lines(value: Contribution) -> None:
    text = entries.render(value, STAMP)
    assert read_back(value, re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)) == value


ARGUMENT = Argument(
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
ARGUMENT_BODY = """
# A title of five words

## Claim

A claim.

## Grounds

### 1. A book, 1999

> Two
> lines.

**Relevance:** It bears on it.

## Warrant

A warrant.

## Qualifier

mostly

## Attacks

### Attacking [opp_000a](opp_000a.md)

**Type:** claim_attack

It is not so.

## Defends

### Defending [prop_000b](prop_000b.md)

**Type:** clarify

I meant this.
"""
JUDGMENT = Judgment(
    "judge_001",
    1,
    (Score("prop_001", Millis(350), "Sound."), Score("opp_001", Millis(-350), "Weaker.")),
    (Rescore("opp_000a", Millis(400), Millis(200), "prop_001 landed."),),
)
JUDGMENT_BODY = """
# Judgment of exchange 1

## Scores

### [prop_001](../arguments/prop_001.md) +0.35

Sound.

### [opp_001](../arguments/opp_001.md) -0.35

Weaker.

## Rescores

### [opp_000a](../arguments/opp_000a.md) from +0.40 to +0.20

prop_001 landed.
"""
ABSENCE = Absence("opp_002-absence", "opp", 2, "skip", "The client broke down.", "user")
ABSENCE_BODY = "\nNo reply (skip, by user).\n\nThe client broke down.\n"


@pytest.mark.parametrize(
    ("value", "body"),
    [(ARGUMENT, ARGUMENT_BODY), (JUDGMENT, JUDGMENT_BODY), (ABSENCE, ABSENCE_BODY)],
)
def test_the_form_of_a_body_stays(value: View, body: str) -> None:
    assert entries.body(entry_of(value)) == body


def test_the_header_of_an_argument_has_what_other_tools_look_for() -> None:
    header = front.parse(entries.render(entry_of(ARGUMENT), STAMP), "f").header
    assert header.items() >= STAMPED.items()
    assert (header["id"], header["side"], header["kind"]) == ("prop_001", "prop", "argument")
    assert (header["exchange"], header["claim"]) == (1, "A claim.")
    assert header["attacks"] == [{"target_id": "opp_000a", "type": "claim_attack"}]
    assert header["defends"] == [{"target_id": "prop_000b", "type": "clarify"}]


def test_the_header_of_a_judgment_has_the_decision_as_data() -> None:
    header = front.parse(entries.render(entry_of(JUDGMENT, TOTALS), STAMP), "f").header
    score, previous, new = (Decimal(number) for number in ("0.35", "0.4", "0.2"))
    assert header["scores"][0] == {"argument_id": "prop_001", "score": score}
    rescored = {"argument_id": "opp_000a", "previous": previous, "score": new}
    assert header["rescores"] == [rescored]
    assert header["cumulative_scores"]["opposition"] == {"total": Decimal("-1.3"), "count": 4}


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

Nor this."""


def test_a_file_of_an_older_tool_is_taken_as_it_stands() -> None:
    header = {"id": "prop_001", "side": "prop", "exchange": 1, "title": "T", "older": True}
    assert argument_of(entries.parse(Entry("prop_001", ARGUMENTS, header, OLDER))) == Argument(
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
    )


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        ({"Question": "How many?", "Answer": "About 200."}, "T: About 200."),
        ({"Requirements": "r2 is partial.", "Point 1": "It is slow."}, "T: It is slow."),
        ({"Question": "How many?", "Why": "Size"}, "T: How many?"),
        ({}, "T"),
    ],
)
def test_the_line_of_a_contribution_has_its_own_first_text(
    texts: dict[str, str], line: str
) -> None:
    value = Contribution("ann_001-note", "note", 1, data={"title": "T"}, texts=texts)
    assert entries.headline(value) == line


REAL = [
    pytest.param(folder, id=folder.name)
    for folder in (Path(__file__).parents[2] / "debates").iterdir()
    if folder.is_dir()
]


@pytest.mark.parametrize("folder", REAL)
def test_an_entry_of_a_real_debate_is_written_again_with_the_same_header(folder: Path) -> None:
    files = [file for kind in RECORD_FOLDERS for file in (folder / kind).glob("*.md")]
    assert files
    for file in files:
        header, body, _ = front.parse(file.read_bytes().decode(), file.name)
        value = entries.parse(Entry(file.stem, file.parent.name, header, body))
        stamp = entries.Stamp(
            header["step"],
            header["from"],
            header["at"],
            made_by=header.get("made_by", {}),
            rests_on=header.get("rests_on", {}),
        )
        again = front.parse(entries.render(value, stamp), file.name).header
        assert again == {key: part for key, part in header.items() if key != "judged"}
        assert read_back(value, entries.render(value, stamp)) == value
