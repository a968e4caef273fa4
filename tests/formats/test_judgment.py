"""A judgment and an absence as files: numbers exact in the header, reasons in the body."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.formats import entries, front, judgment
from debate_ops.model.debate import Total
from debate_ops.model.entries import JUDGMENTS, Absence, Entry, Judgment, Rescore, Score, Value
from debate_ops.model.score import Millis
from tests.strategies import absences, judgments, totals

both_sides = st.fixed_dictionaries({"proposition": totals, "opposition": totals})


def stamp(shown: dict[str, Total] | None = None, judged: dict[str, str] | None = None) -> Any:
    return entries.Stamp(3, "f" * 64, "2026-01-01T00:00:00Z", {}, shown or {}, judged or {})


def read_back(value: Value, text: str) -> Value:
    header, body, _ = front.parse(text, "f")
    return entries.parse(Entry(value.id, JUDGMENTS, header, body))


def hold_the_law(value: Judgment | Absence) -> None:
    text = entries.render(value, stamp())
    assert read_back(value, text) == value
    assert read_back(value, text.replace("\n", "\r\n")) == value
    assert entries.folder(value) == JUDGMENTS


@given(judgments() | absences)
def test_a_decision_is_read_back_whatever_its_reasons_contain(value: Judgment | Absence) -> None:
    hold_the_law(value)


@pytest.mark.slow
@settings(max_examples=3_000)
@given(judgments() | absences)
def test_a_decision_is_read_back_over_a_long_sweep(value: Judgment | Absence) -> None:
    hold_the_law(value)


@given(both_sides)
def test_totals_are_read_back_exactly(shown: dict[str, Total]) -> None:
    assert judgment.totals_from_data(judgment.totals_as_data(shown)) == shown


PLAIN = Judgment(
    "judge_001",
    1,
    (Score("prop_001", Millis(350), "Sound."), Score("opp_001", Millis(-350), "Weaker.")),
    (Rescore("opp_000a", Millis(400), Millis(200), "prop_001 landed."),),
)


def test_the_file_reads_well() -> None:
    assert judgment.body(PLAIN) == (
        "\n# Judgment of exchange 1\n"
        "\n## Scores\n"
        "\n### [prop_001](../arguments/prop_001.md) +0.35\n\nSound.\n"
        "\n### [opp_001](../arguments/opp_001.md) -0.35\n\nWeaker.\n"
        "\n## Rescores\n"
        "\n### [opp_000a](../arguments/opp_000a.md) from +0.40 to +0.20\n\nprop_001 landed.\n"
    )


def test_the_header_has_the_decision_as_data() -> None:
    shown = {"proposition": Total(Millis(1100), 4), "opposition": Total(Millis(-1300), 4)}
    header, _, _ = front.parse(entries.render(PLAIN, stamp(shown, {"prop_001": "d" * 64})), "f")
    assert header == {
        "id": "judge_001",
        "participant": "judge",
        "kind": "judgment",
        "exchange": 1,
        "scores": [
            {"argument_id": "prop_001", "score": Decimal("0.35")},
            {"argument_id": "opp_001", "score": Decimal("-0.35")},
        ],
        "rescores": [
            {"argument_id": "opp_000a", "previous": Decimal("0.4"), "score": Decimal("0.2")}
        ],
        "cumulative_scores": {
            "proposition": {"total": Decimal("1.1"), "count": 4},
            "opposition": {"total": Decimal("-1.3"), "count": 4},
        },
        "step": 3,
        "from": "f" * 64,
        "at": "2026-01-01T00:00:00Z",
        "rests_on": {"prop_001": "d" * 64},
    }


def test_an_absence_says_who_how_by_whom_and_why() -> None:
    absence = Absence("opp_002-absence", "opp", 2, "skip", "The client broke down.", "user")
    assert judgment.absence_header(absence) == {
        "id": "opp_002-absence",
        "participant": "opp",
        "kind": "absence",
        "exchange": 2,
        "how": "skip",
        "reason": "The client broke down.",
        "by": "user",
    }
    assert judgment.absence_body(absence) == (
        "\nNo reply (skip, by user).\n\nThe client broke down.\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"proposition": 1},
        {"proposition": {"total": 1}},
        {"proposition": {"count": 1}},
        {"proposition": {"total": "1", "count": 1}},
        {"proposition": {"total": True, "count": 1}},
        {"proposition": {"total": 1, "count": True}},
        {"proposition": {"total": 1, "count": Decimal("1.5")}},
        {"proposition": {"total": Decimal("0.0001"), "count": 1}},
    ],
)
def test_totals_of_another_form_are_not_guessed_at(data: Any) -> None:
    assert judgment.totals_from_data(data) is None


def test_a_reason_that_somebody_cut_out_is_empty_and_the_score_stays() -> None:
    header = judgment.header(PLAIN) | {"step": 3}
    told = judgment.parse(Entry("judge_001", JUDGMENTS, header, "\n## Scores\n"))
    assert [(item.score, item.reasoning) for item in told.scores] == [(350, ""), (-350, "")]
