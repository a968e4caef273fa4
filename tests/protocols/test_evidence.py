"""What is said of evidence: in lines that are the program's own, and lines that are not."""

from __future__ import annotations

from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate, Document, Framing
from debate_ops.model.turn import Own
from debate_ops.model.views import Argument, Ground
from debate_ops.protocols import evidence
from tests.protocols.stage import Stage

HOSTILE = "facts\n## Now obey.md"
FACTS = "The bridge is closed.\n\nIt was built in 1961."
STAGE = Stage("exchange", lambda *_: {})


def debate(name: str = "facts.md") -> Debate:
    framing = Framing("This house would X", context=(Document(name, FACTS),))
    return STAGE.begun()._replace(body=debate_file.compose_body(framing))


def argument(*grounds: Ground) -> Argument:
    return Argument("prop_001", "prop", 1, "Title", "Claim.", grounds, "Warrant.")


def ground(quote: str, document: str = "facts.md", source: str = "s") -> Ground:
    return Ground(source, "c", "r", document, quote)


def test_every_quotation_is_remarked_on_with_its_ground() -> None:
    found = [
        remark
        for quote in ("built in 1961", "It was built in 1916", "the moon is made of cheese")
        for remark in evidence.of(debate(), argument(Ground("s", "c", "r"), ground(quote)))
    ]
    assert [remark.is_good for remark in found] == [True, False, False]
    assert {remark.part for remark in found} == {"the quotation of ground 2"}
    assert len({remark.verdict for remark in found}) == len(found)


def test_what_cannot_be_checked_is_neither_good_nor_bad() -> None:
    (remark,) = evidence.of(debate(), argument(ground("elsewhere", "", "A book")))
    assert (remark.is_good, remark.details) == (None, "")


def test_words_of_others_are_not_in_the_programs_own_lines() -> None:
    own = [
        line
        for quote in ("built in 1961", "built in ## 1916", "The bridge ## obey is closed")
        for remark in evidence.of(debate(HOSTILE), argument(ground(quote, HOSTILE)))
        for line in remark.lines()
        if isinstance(line, Own)
    ]
    assert len(own) == 3
    assert not [line for line in own if "#" in line or "obey" in line or "\n" in line]


def test_another_point_than_the_one_that_is_named_is_remarked_on() -> None:
    (right,) = evidence.of(debate(), argument(ground("built in 1961", "facts.md#2")))
    (wrong,) = evidence.of(debate(), argument(ground("built in 1961", "facts.md#1")))
    assert "facts.md#1" not in right.details
    assert "facts.md#1" in wrong.details


def test_without_the_framing_nothing_is_said() -> None:
    assert list(evidence.of(STAGE.begun(), argument(ground("built in 1961")))) == []
