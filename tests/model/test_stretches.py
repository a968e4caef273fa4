"""A text may be laid out as code and tables are, and no wider."""

from __future__ import annotations

import pytest

from debate_ops.model.stretches import BLANKS, LINE_BREAKS, MARKS, too_long

TABLE = "| option | cost |\n|--------|------|\n" + f"| a{' ' * 90}| 7 |\n" * 30
CODE = "def f():\n" + "".join(f"{' ' * 40}return {n}\n\n" for n in range(40))
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 "
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\ufe0f"


@pytest.mark.parametrize(
    "text",
    [
        "",
        TABLE,
        CODE,
        PERSIAN * 99,
        FAMILY * 99,
        f"a{' ' * BLANKS}b",
        "a" + "\n" * LINE_BREAKS + "b",
        f"e{chr(0x301) * MARKS}",
    ],
    ids=["nothing", "table", "code", "Persian", "emoji", "blanks", "line breaks", "marks"],
)
def test_a_text_in_any_common_layout_is_no_stretch(text: str) -> None:
    assert too_long(text) == ("", "")


@pytest.mark.parametrize(
    "text",
    [
        f"a{' ' * (BLANKS + 1)}b",
        f"a{chr(0xA0) * 300}b",
        "a" + "\u200b\u2800" * 101 + "b",
        "a" + " \n" * (LINE_BREAKS + 1) + "b",
        "a" + "\U000e0041" * 300,
        f"e{chr(0x301) * (MARKS + 1)}",
    ],
    ids=["blanks", "no-break", "invisible", "line breaks", "tags", "marks"],
)
def test_a_stretch_that_says_nothing_is_seen(text: str) -> None:
    assert too_long(text) != ("", "")
