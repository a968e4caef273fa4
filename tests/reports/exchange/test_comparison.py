"""Judgments of one record side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from debate_ops.model.entries import Entry, Record
from debate_ops.model.score import Millis
from debate_ops.reports.exchange.comparison import Row, is_one_record
from tests.reports.debates import argument, debate


class Untitled(NamedTuple):
    """A record as an earlier version wrote it: no title above the sections."""

    record: Record

    def digest(self, entry_id: str) -> str:
        return self.record.digest(entry_id)

    def ids(self, folder: str) -> Sequence[str]:
        return self.record.ids(folder)

    def get(self, entry_id: str) -> Entry | None:
        entry = self.record.get(entry_id)
        return entry and entry._replace(body="\n" + entry.body[entry.body.index("## ") :])


def row(*scores: int | None) -> Row:
    return Row("a", tuple(None if s is None else Millis(s) for s in scores))


def test_the_spread_is_the_standard_deviation_of_what_there_is() -> None:
    assert row(100, None, -100).spread == pytest.approx(141.42, abs=0.01)
    assert row(100, None).spread == 0


def test_a_sign_changes_only_across_zero() -> None:
    assert row(100, -100).flips
    assert not row(100, 0, 50).flips


def test_arguments_are_the_same_in_whichever_form_they_were_written() -> None:
    now = debate(argument("prop_000a"), argument("opp_000a"))
    before = now._replace(record=Untitled(now.record))
    assert is_one_record([now, before])
    assert not is_one_record([now, debate(argument("prop_000a", warrant="Another."))])
