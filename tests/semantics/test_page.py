"""The page on the semantics: its rules are those of the program, its example can be read."""

from __future__ import annotations

import re

from debate_ops.formats.graph_file import PREDICATES, parse_apx
from debate_ops.semantics.extensions import CONFLICTS, EXTENSIONS, MOST, extensions
from debate_ops.semantics.influence import LAST_WORD_RULE, RULE
from debate_ops.semantics.strengths import STRENGTHS
from tests.builders import ROOT

PAGE = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")


def test_the_rules_stand_on_the_page_as_they_are_printed() -> None:
    assert RULE in PAGE
    assert LAST_WORD_RULE in PAGE


def test_every_semantics_has_a_row_and_every_extension_its_line() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == {*EXTENSIONS, *STRENGTHS}
    for name, result in EXTENSIONS.items():
        assert rows[name].startswith(result)
    for name, gradual in STRENGTHS.items():
        assert rows[name].startswith(
            "attacks and supports" if gradual.counts_supports else "attacks only"
        )
        assert rows[name].endswith(f"| {gradual.missing_base:g}")


def test_every_fact_is_shown_and_the_example_can_be_read() -> None:
    (example,) = re.findall(r"```apx\n(.*?)```", PAGE, re.DOTALL)
    graph = parse_apx(example, "example.apx")
    assert extensions(graph, "preferred").extensions == (("a", "d"), ("b c", "d"))
    assert all(f"| `{fact}` |" in PAGE for fact in PREDICATES.values())


def test_the_bounds_are_those_of_the_program() -> None:
    assert f"So {MOST:,} are listed" in PAGE
    assert f"after {CONFLICTS:,} conflicts" in PAGE
