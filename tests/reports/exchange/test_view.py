"""What the record of two sides answers: a direction only where the scores give one."""

from __future__ import annotations

import pytest

from debate_ops.model.debate import Debate
from debate_ops.model.score import Millis
from debate_ops.protocols.exchange import rules
from debate_ops.reports.blocks import Ref
from debate_ops.reports.exchange.report import reversing, smallest_step, view
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.sureness import Level
from debate_ops.reports.view import View
from tests import views
from tests.reports.debates import (
    OPENING,
    absence,
    argument,
    debate,
    decided_debate,
    judgment,
    short_debate,
)

OPENED = [argument(i) for i in OPENING]


def scored(*scores: int) -> Debate:
    """Return an opening judged with these scores, the proposition's three first."""
    return debate(*OPENED, judgment(0, dict(zip(OPENING, scores, strict=True))))


def of(made: Debate) -> View:
    return view(Scoreboard(made))


def level(seen: View) -> Level:
    assert seen.sureness is not None
    return seen.sureness.level


def test_shares_add_up_to_the_lead_on_record() -> None:
    seen, board = of(short_debate()), Scoreboard(short_debate())
    assert seen.lead == board.lead
    assert set(seen.shares) == {a.id for a in board.scored}


@pytest.mark.parametrize(
    ("scores", "favoured", "sure"),
    [
        ((0, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((50, 0, 0, 0, 0, 0), "", Level.TOO_CLOSE),
        ((0, 0, 0, 0, 0, 50), "", Level.TOO_CLOSE),
        ((100, 100, 100, -100, -100, -100), "prop", Level.MODERATE),
        ((-100, -100, -100, 100, 100, 100), "opp", Level.MODERATE),
        ((500, -200, -200, 0, 0, 0), "prop", Level.LOW),
    ],
)
def test_a_side_is_favoured_only_by_more_than_the_smallest_step(
    scores: tuple[int, ...], favoured: str, sure: Level
) -> None:
    seen = of(scored(*scores))
    assert (seen.favoured, level(seen)) == (favoured, sure)


@pytest.mark.parametrize(
    ("made", "step"),
    [(scored(300, 600, 0, 0, 0, -900), 50), (scored(20, 40, 0, 0, 0, -60), 20), (debate(), 50)],
)
def test_a_step_is_what_every_score_is_a_multiple_of_and_at_most_a_twentieth(
    made: Debate, step: int
) -> None:
    assert smallest_step(Scoreboard(made)) == step


@pytest.mark.parametrize(
    ("shares", "turning"), [((500, -200, -100), ["0"]), ((300, -300), []), ((), [])]
)
def test_a_score_reverses_the_result_if_the_other_side_leads_without_it(
    shares: tuple[int, ...], turning: list[str]
) -> None:
    assert reversing({str(n): Millis(share) for n, share in enumerate(shares)}) == turning


def test_before_a_judgment_there_is_no_answer_and_no_leader() -> None:
    seen = of(debate(*OPENED))
    assert (seen.favoured, level(seen), seen.answer.picture) == ("", Level.NOT_JUDGED, None)
    assert not seen.answer.is_reached


def test_the_best_case_of_a_side_is_its_highest_score_that_survives() -> None:
    first = judgment(0, dict(zip(OPENING, (300, 100, 0, 0, 0, -400), strict=True)))
    attack = argument("opp_001", attacks=["prop_000a"])
    best, _ = of(debate(*OPENED, first, attack, judgment(1, {"opp_001": 0}))).answer.cases
    assert best.choice == "prop"
    assert Ref("prop_000b", "The title of prop_000b here") in best.lines[1]


def test_every_number_that_a_brief_may_name_is_there() -> None:
    data = of(short_debate()).data
    assert data.items() >= {
        ("score:prop_000b@0", "+0.40"),
        ("score:prop_000b", "+0.15"),
        ("change:prop_000b", "from +0.40 to +0.15"),
        ("lead", "1.70"),
        ("lead@1", "1.95"),
        ("total:prop", "+0.725"),
        ("total:opp@2", "\N{MINUS SIGN}0.975"),
        ("count:arguments", "10"),
        ("count:arguments:opp", "5"),
        ("count:exchanges", "2"),
        ("count:attacks", "7"),
        ("count:attacks:not_met", "2"),
    }


def late(seen: View) -> list[str]:
    """Return the reasons that speak of attacks without a reply."""
    assert seen.sureness is not None
    return [reason.text for reason in seen.sureness.reasons if "too late" in reason.text]


def test_an_attack_in_the_last_exchange_lowers_sureness_unless_it_missed() -> None:
    made = decided_debate()
    assert late(of(made))[0].startswith("1 of 3")
    entry = made.record.get("judge_002")
    assert entry is not None
    entry.header["effects"][0]["effect"] = "missed"
    assert late(of(made)) == []


def held_without(side: str, *exchanges: int, limit: int = 0) -> View:
    """Return a debate of two exchanges in which the proposition leads, and a side was absent."""
    scores = (100, 100, 100, -100, -100, -100)
    later: list[views.View] = []
    for number in (1, 2):
        both = (f"prop_{number:03d}", f"opp_{number:03d}")
        here = [i for i in both if not (i.startswith(side) and number in exchanges)]
        later += [argument(i) for i in here]
        later += [absence(f"{i}-absence") for i in both if i not in here]
        later.append(judgment(number, dict.fromkeys(here, 0)))
    first = judgment(0, dict(zip(OPENING, scores, strict=True)))
    settings = {setting.name: setting.default for setting in rules.SETTINGS}
    return of(debate(*OPENED, first, *later, settings=settings | {"absence_limit": limit}))


def test_a_side_that_is_ahead_does_not_keep_its_lead_by_staying_away() -> None:
    assert level(held_without("nobody")) == Level.MODERATE
    once = held_without("prop", 2, limit=2)
    assert (once.favoured, level(once)) == ("prop", Level.LOW)
    ended = held_without("prop", 1, 2, limit=2)
    assert (ended.favoured, level(ended)) == ("", Level.TOO_CLOSE)
    assert ended.answer.text != scored_evenly().answer.text
    goes_on = held_without("prop", 1, 2)
    assert (goes_on.favoured, level(goes_on)) == ("prop", Level.LOW)


def scored_evenly() -> View:
    return of(scored(0, 0, 0, 0, 0, 0))


def test_a_side_that_is_ahead_keeps_its_lead_over_one_that_stays_away() -> None:
    ended = held_without("opp", 1, 2, limit=2)
    assert (ended.favoured, level(ended)) == ("prop", Level.MODERATE)


def test_the_first_lines_say_who_was_absent_and_how_often() -> None:
    assert "proposition absent in 2" in held_without("prop", 1, 2).answer.quiet
    assert "absent" not in held_without("nobody").answer.quiet
