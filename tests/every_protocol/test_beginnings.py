"""Prompts of one participant begin alike: a provider that caches them reads that part once."""

from __future__ import annotations

from benchmarks.prefixes import prompts_of, shares
from tests.every_protocol.stage import every_protocol, history, restore

LEAST = 0.1
"""In the scripts' debates, where motion, context and record are all short."""


@every_protocol
def test_what_a_participant_reads_first_is_what_it_read_before(protocol: str, name: str) -> None:
    prompts = prompts_of(restore(moment) for moment in history(protocol, name))
    measured = {who: shares(texts) for who, texts in prompts.items() if len(texts) > 1}
    means = {who: sum(listed) / len(listed) for who, listed in measured.items()}
    assert min(means.values()) >= LEAST, means
