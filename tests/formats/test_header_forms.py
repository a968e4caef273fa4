"""Header and body: whatever form is found is read, one form is written, nothing is lost."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import frontmatter
import pytest
import yaml  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import BadRecordError
from debate_ops.formats import headers
from debate_ops.formats.headers import BARE, FENCED, OTHER
from tests.strategies import as_floats, json_values, keys, texts

header_values = st.dictionaries(keys, json_values, min_size=1, max_size=4)


@given(header_values, texts, st.sampled_from([FENCED, BARE]))
def test_header_and_body_are_read_back_as_they_were_and_written_the_same(
    header: dict[str, Any], body: str, form: str
) -> None:
    text = headers.compose(header, body, form)
    assert headers.parse(text, "f") == (header, body, form)
    assert headers.compose(*headers.parse(text, "f")) == text


@given(header_values, texts)
def test_other_tools_read_the_same_header(header: dict[str, Any], body: str) -> None:
    text = headers.compose(header, body)
    assert frontmatter.loads(text).metadata == as_floats(header)
    fenced = text.removeprefix("---\n")[: -len(body) or None].removesuffix("---\n")
    assert yaml.safe_load(fenced) == as_floats(header)


@given(texts)
def test_the_body_of_a_foreign_header_survives_byte_for_byte(body: str) -> None:
    for opening in ("---\na: 1\n---\n", "+++\na = 1\n+++\n", "---\r\na: 1\r\n---\r\n"):
        assert headers.parse(opening + body, "f") == ({"a": 1}, body, OTHER)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        pytest.param('---\n{"a": 1}\n---', {"a": 1}, id="no end of line"),
        pytest.param('\ufeff---\n{"a": 1}\n---\n', {"a": 1}, id="byte order mark"),
        pytest.param('---\r\n{"a":\r\n1}\r\n---\r\n', {"a": 1}, id="ends of lines of Windows"),
        pytest.param('---  \n\n  {"a": 1}\n\n---  \n', {"a": 1}, id="white space"),
        pytest.param('{"a": {"b": "}"}}', {"a": {"b": "}"}}, id="bare"),
        pytest.param(
            "---\na: x\nb: [1, 0.5]\n---\n", {"a": "x", "b": [1, Decimal("0.5")]}, id="YAML"
        ),
        pytest.param("---\na: 2026-01-31\n---\n", {"a": "2026-01-31"}, id="YAML date"),
        pytest.param("---\n1: null\n---\n", {"1": None}, id="YAML number for a key"),
        pytest.param("---\n{a: 1, b: x,}\n---\n", {"a": 1, "b": "x"}, id="YAML in braces"),
        pytest.param(
            '+++\na = "x"\n[b]\nc = 0.5\n+++\n', {"a": "x", "b": {"c": Decimal("0.5")}}, id="TOML"
        ),
    ],
)
def test_every_usual_form_is_read(text: str, header: dict[str, Any]) -> None:
    assert headers.parse(text, "f").header == header
    if text.endswith("\n"):
        assert headers.parse(text + "\nbody --- {\n", "f").header == header


def test_a_foreign_header_is_written_in_our_form_and_loses_no_key() -> None:
    header, body, form = headers.parse("---\nid: prop_001\nmine: [1, {b: c}]\n---\n\nText\n", "f")
    text = headers.compose(header, body, form)
    assert text.startswith('---\n{\n  "id": "prop_001",')
    assert headers.parse(text, "f") == (header, "\n\nText\n"[1:], FENCED)


@pytest.mark.parametrize(
    "text",
    [
        *("", "words", "# Motion\n", "---\n", "---\n---\n", "+++\n+++\n", "[1]"),
        *("---\n{\n---\n", '{"a": 1', '{"a": NaN}', "{" * 9999, '---\n{"a": 1}\nno end\n'),
        *("---\na: [\n---\n", "+++\na = \n+++\n", "---\na: *y\n---\n", "---\n- 1\n---\n"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_line_and_a_way_out(text: str) -> None:
    with pytest.raises(BadRecordError, match=r"^arguments/prop_001\.md:[0-9]+: ") as caught:
        headers.parse(text, "arguments/prop_001.md")
    assert caught.value.hint


def test_a_refusal_names_the_line_of_the_mistake() -> None:
    with pytest.raises(BadRecordError, match=r"^f:4: .*delimiter"):
        headers.parse('---\n{\n  "a": 1\n  "b": 2\n}\n---\n', "f")
