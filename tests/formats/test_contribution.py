"""A contribution in one line: what it says itself, not what it is about."""

from __future__ import annotations

import pytest

from debate_ops.formats.contribution import gist
from debate_ops.model.entries import Contribution


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ({"Question": "How many?", "Answer": "About 200."}, "Answer to q: About 200."),
        ({"Requirements": "r2 is partial.", "Point 1": "It is slow."}, "Answer to q: It is slow."),
        ({"Question": "How many?", "Why": "Size"}, "Answer to q: How many?"),
        ({"Requirements": "r2 is partial."}, "Answer to q: r2 is partial."),
        ({}, "Answer to q"),
    ],
)
def test_the_line_has_the_first_text_of_its_own(texts: dict[str, str], wanted: str) -> None:
    told = Contribution("ann_001-note", "note", 1, data={"title": "Answer to q"}, texts=texts)
    assert gist(told) == wanted
