"""What the record of two sides answers: a direction only where the scores give one."""

from __future__ import annotations

import pytest

from debate_ops.model.debate import Debate
from debate_ops.model.score import Millis
from debate_ops.reports.blocks import Bars, words
from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.view import reversing, smallest_step, view
from debate_ops.reports.screen import screen
from debate_ops.reports.sureness import Level
from debate_ops.reports.view import View
from tests.reports.debates import OPENING, argument, debate, judgment, short_debate

PROP, OPP = OPENING[:3], OPENING[3:]


def scored(*scores: int) -> Debate:
    """Return an opening judged with these scores, the proposition's three first."""
    return debate(
        *(argument(i) for i in OPENING), judgment(0, dict(zip(OPENING, scores, strict=True)))
    )


def of(made: Debate) -> View:
    return view(numbers.of(made))


def test_shares_add_up_to_the_lead_on_record() -> None:
    seen = of(short_debate())
    totals = numbers.of(short_debate()).totals
    assert seen.lead == totals["prop"] - totals["opp"]
    assert set(seen.shares) == {s.argument.id for s in numbers.of(short_debate()).scored}


@pytest.mark.parametrize(
    ("scores", "favoured", "level"),
    [
        ((0, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((50, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((0, 0, 0, 0, 0, 50), "", Level.TOO_CLOSE),
        ((100, 0, 0, 0, 0, 0), "prop", Level.MODERATE),
        ((100, 100, 100, -100, -100, -100), "prop", Level.MODERATE),
        ((-100, -100, -100, 100, 100, 100), "opp", Level.MODERATE),
        ((500, -200, -200, 0, 0, 0), "prop", Level.LOW),
    ],
)
def test_a_side_is_favoured_only_by_more_than_the_smallest_step(
    scores: tuple[int, ...], favoured: str, level: Level
) -> None:
    seen = of(scored(*scores))
    assert seen.sureness is not None
    assert (seen.favoured, seen.sureness.level) == (favoured, level)


def test_a_step_is_what_every_score_is_a_multiple_of_and_at_most_a_twentieth() -> None:
    assert smallest_step(numbers.of(scored(300, 600, 0, 0, 0, -900))) == 50
    assert smallest_step(numbers.of(scored(20, 40, 0, 0, 0, -60))) == 20
    assert smallest_step(numbers.of(debate())) == 50


def test_a_score_reverses_the_result_if_the_other_side_leads_without_it() -> None:
    def found(*shares: int) -> list[str]:
        return reversing({f"a_{n:03d}": Millis(share) for n, share in enumerate(shares)})

    assert found(500, -200, -100) == ["a_000"]
    assert found(300, -300) == []
    assert found() == []


def test_before_a_judgment_there_is_no_answer_and_no_leader() -> None:
    seen = of(debate(*(argument(i) for i in OPENING)))
    assert seen.favoured == ""
    assert seen.sureness is not None
    assert seen.sureness.level is Level.TOO_CLOSE
    assert seen.answer.picture is None


def test_where_it_is_too_close_no_side_is_named() -> None:
    shown = screen(of(scored(50, 0, 0, 0, 0, 0)))
    assert not any("ahead" in words(said) for said in (shown.answer, *shown.why))


def test_the_picture_shows_what_each_exchange_added() -> None:
    seen = of(short_debate())
    assert isinstance(seen.answer.picture, Bars)
    assert sum(bar.number for bar in seen.answer.picture.bars) == seen.lead


def test_the_best_case_of_a_side_is_its_highest_score_that_survives() -> None:
    made = debate(
        *(argument(i) for i in OPENING),
        judgment(0, dict(zip(OPENING, (300, 100, 0, 0, 0, -400), strict=True))),
        argument("opp_001", attacks=["prop_000a"]),
        judgment(1, {"opp_001": 0}),
    )
    (best, _) = of(made).answer.cases
    assert best.choice == "prop"
    assert any("prop_000b" in str(line) for line in best.lines)


def test_every_number_that_a_brief_may_name_is_there_and_no_id_is_unknown() -> None:
    made = numbers.of(short_debate())
    data = view(made).data
    assert {f"score:{s.argument.id}" for s in made.scored} <= set(data)
    assert {"lead", "lead@0", "lead@1", "total:prop", "total:opp@2", "count:attacks"} <= set(data)
    assert data["count:arguments"] == "10"
    assert "change:prop_000b" in data
