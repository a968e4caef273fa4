"""Entries as files: every text is read back, and readers can follow the links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import entries, headers
from debate_ops.model.entries import ARGUMENTS, Contribution, Entry
from debate_ops.model.views import (
    Argument,
    Ground,
    Link,
    argument_of,
)
from debate_ops.storage.folder import RECORD_FOLDERS
from tests.strategies import absences, arguments, judgments
from tests.views import entry_of

STAMP = entries.Stamp(3, "f" * 64, "2026-01-01T00:00:00Z", {"model": "m"}, {"prop_001": "d" * 64})
values = st.one_of(arguments(), judgments(), absences).map(entry_of)


def read_back(value: Contribution, text: str) -> Contribution:
    header, body, _ = headers.parse(text, "f")
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


OLDER = r"""

## Claim

Costs < benefits & more.

## Grounds

### 1. A report (https://example.org/a_b)

> It says \alpha and &#65;.

**Relevance:** Shows it.

## Warrant

A warrant.

## Attacks

### Attacking opp_000a

**Type:** grounds_attack

- It is not so."""


def test_a_file_of_an_older_tool_is_taken_as_it_stands() -> None:
    header = {"id": "prop_001", "side": "prop", "exchange": 1, "title": "T", "older": True}
    assert argument_of(entries.parse(Entry("prop_001", ARGUMENTS, header, OLDER))) == Argument(
        "prop_001",
        "prop",
        1,
        "T",
        "Costs < benefits & more.",
        (Ground("A report (https://example.org/a_b)", r"It says \alpha and &#65;.", "Shows it."),),
        "A warrant.",
        attacks=(Link("opp_000a", "grounds_attack", "- It is not so."),),
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
    if (folder / "debate.md").is_file()
]


@pytest.mark.parametrize("folder", REAL)
def test_an_entry_of_a_real_debate_is_written_again_with_the_same_header(folder: Path) -> None:
    files = [file for kind in RECORD_FOLDERS for file in (folder / kind).glob("*.md")]
    assert files
    for file in files:
        header, body, _ = headers.parse(file.read_bytes().decode(), file.name)
        value = entries.parse(Entry(file.stem, file.parent.name, header, body))
        stamp = entries.Stamp(
            header["step"],
            header["from"],
            header["at"],
            made_by=header.get("made_by", {}),
            rests_on=header.get("rests_on", {}),
        )
        again = headers.parse(entries.render(value, stamp), file.name).header
        assert again == {key: part for key, part in header.items() if key != "judged"}
        assert read_back(value, entries.render(value, stamp)) == value
