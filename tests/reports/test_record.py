"""The record on a page: how the motion is shown."""

from __future__ import annotations

import pytest

from debate_ops.model.debate import Framing
from debate_ops.reports.blocks import Heading, Paragraph, Said
from debate_ops.reports.record import framing


@pytest.mark.parametrize(
    "text", ["| a |\n|---|\n| b |", "```\ncode\n```", "    code", "# Title\n\n- x\n1. y"]
)
def test_where_its_context_is_left_out_a_motion_is_plain_paragraphs(text: str) -> None:
    debated = Framing(text, scope=text)
    plain = framing(debated, context=False).blocks
    assert all(isinstance(block, Heading | Paragraph) for block in plain)
    assert Said(text) in framing(debated, context=True).blocks
