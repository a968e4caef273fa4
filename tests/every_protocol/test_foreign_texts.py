"""Whatever somebody else wrote stands in lines of a prompt that begin with `>`, nowhere else."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from debate_ops import engine
from debate_ops.cli import answers, show, status
from tests.builders import SLUG
from tests.every_protocol import hostile
from tests.every_protocol.stage import (
    RICH,
    Moment,
    aside,
    every_protocol,
    held,
)

if TYPE_CHECKING:
    from tests.every_protocol.hostile import Added


AMPLE = 10_000_000
"""Characters of a history: none is shortened."""


class Seen(NamedTuple):
    """A moment of a debate, and what commands print of it for people, line by line."""

    moment: Moment
    printed: list[str]


@cache
def seen_of(protocol: str, name: str, added: Added, budget: int) -> list[Seen]:
    """Hold a debate by its script, with every text in it altered."""
    variant = hostile.variant(protocol, name, added, budget)
    with aside():
        framing = hostile.framing(added)
        place = engine.create(SLUG, framing, protocol=protocol, settings=variant.settings).folder
        return [Seen(moment, terminal(moment)) for moment in held(place, variant)]


def debate(protocol: str, name: str, added: Added, budget: int = AMPLE) -> list[Moment]:
    """Return the moments of such a debate."""
    return [seen.moment for seen in seen_of(protocol, name, added, budget)]


def terminal(moment: Moment) -> list[str]:
    """Return what commands print for people, line by line."""
    lines = [
        *show.show(SLUG, None).lines,
        *status.status(SLUG).lines,
        *answers.turn_answer(moment.position._replace(warnings=())).lines,
        *status.list_debates().lines,
    ]
    return "\n".join(map(answers.harmless, lines)).splitlines()


@every_protocol
def test_no_text_changes_a_line_of_the_programs_own(protocol: str, name: str) -> None:
    """Only how many characters a summary stands for may differ: the program counts them."""
    plain = debate(protocol, name, hostile.plain)
    attacked = debate(protocol, name, hostile.hostile)

    assert [moment.label for moment in attacked] == [moment.label for moment in plain]
    prompts = 0
    for before, after in zip(plain, attacked, strict=True):
        for who, prompt in after.prompts.items():
            prompts += 1
            expected = hostile.own_lines(before.prompts[who])
            own = hostile.own_lines(prompt)
            assert hostile.without_counts(own) == hostile.without_counts(expected), (
                f"{after.label}, {who}"
            )
            assert hostile.SIGN in prompt
    assert prompts


@pytest.mark.parametrize(
    ("protocol", "name"),
    [pytest.param(*c, marks=() if c[0] == "chairs" else pytest.mark.slow) for c in RICH],
)
def test_no_foreign_word_stands_in_the_programs_lines_where_a_history_is_shortened(
    protocol: str, name: str
) -> None:
    for moment in debate(protocol, name, hostile.hostile, 1000):
        for who, prompt in moment.prompts.items():
            own = hostile.own_lines(prompt)
            assert not [line for line in own if hostile.SIGN in line], f"{moment.label}, {who}"


@every_protocol
def test_no_text_makes_a_line_of_its_own_in_a_terminal(protocol: str, name: str) -> None:
    plain = seen_of(protocol, name, hostile.plain, AMPLE)
    attacked = seen_of(protocol, name, hostile.hostile, AMPLE)
    for (_, before), (_, after) in zip(plain, attacked, strict=True):
        assert [line[:10] for line in after] == [line[:10] for line in before]
        assert not {"\u202e", "\x1b", "\ufeff"} & set("".join(after))
