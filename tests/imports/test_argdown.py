"""Argdown: elements, relations in both directions, sides by the number of attacks."""

from __future__ import annotations

import pytest

from debate_ops.errors import UsageError
from debate_ops.imports.argdown import CON, PRO, read

EMPTY = "They run half empty."
MAP = """===
title: "Night trains"
===
[Keep]: Keep the night trains. // a remark
  + <Climate>: Fewer flights, see https://x.example/y. {year: 1}
    - <Load>: They run half empty.
      (1) Half of the berths are sold.
      ----
      (2) They run half empty.
  - <Cost>: They lose \\[much\\] money.
    <- <Load>
/* [Gone]: not read
   - <Never> */
"""


def test_every_element_is_a_speech_of_the_side_that_it_helps() -> None:
    debate = read(MAP)
    assert debate.motion == "Night trains"
    assert debate.positions == {
        PRO: "Keep the night trains.",
        CON: "the opposite",
    }
    assert [(s.speaker, s.title, s.text) for s in debate.speeches] == [
        (PRO, "Climate", "Fewer flights, see https://x.example/y."),
        (CON, "Cost", "They lose [much] money."),
        (CON, "Load", f"{EMPTY}\n(1) Half of the berths are sold.\n(2) {EMPTY}"),
    ]
    assert debate.speeches[2].attacks == (0, 1)
    assert debate.left_out == ()


@pytest.mark.parametrize(
    ("sign", "attacks", "supports"),
    [("-", (0,), ()), ("+", (), (0,)), ("_", (0,), ()), ("><", (0,), ()), ("<+", (), (0,))],
)
def test_a_sign_says_what_a_child_does_to_its_parent(
    sign: str, attacks: tuple[int, ...], supports: tuple[int, ...]
) -> None:
    debate = read(f"[M]: m\n  + <A>: a\n    {sign} <B>: b\n")
    assert (debate.speeches[1].attacks, debate.speeches[1].supports) == (attacks, supports)


def test_an_arrow_leads_from_the_parent_and_one_to_a_later_speech_is_left_out() -> None:
    debate = read("[M]: m\n  + <A>: a\n    -> <B>: b\n")
    assert [s.attacks for s in debate.speeches] == [(), ()]
    assert debate.left_out == ("the relation from 'A' to 'B'",)


@pytest.mark.parametrize("text", ["", "Only prose.", "[Claim]: alone\n", "<A>: a\n\n<B>: b\n"])
def test_a_text_without_a_relation_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no relation"):
        read(text)
