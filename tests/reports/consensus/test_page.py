"""The report of a search for consensus: the result first, then how it came about."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.model.debate import Definition, Framing
from debate_ops.model.turn import Act
from debate_ops.reports import charts
from debate_ops.reports import page as pages
from debate_ops.reports.consensus import numbers
from debate_ops.reports.consensus.numbers import Numbers
from debate_ops.reports.draw import draw
from debate_ops.reports.given import Given
from debate_ops.reports.page import MOST_BYTES
from debate_ops.reports.table import report_of
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import (
    AGREED,
    SPLIT,
    Plan,
    Scripted,
    everybody_for,
    large,
    search,
)
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of, go_on, held
from tests.reports.pages import check_page, headings, structure

pytestmark = pytest.mark.usefixtures("work")

ROLES = "ann:expert,ben,cara:architect,dan,eve"


def page(folder: Folder) -> str:
    draw(folder)
    return check_page(folder).replace("\N{NO-BREAK SPACE}", " ")


def part(text: str, heading: str) -> str:
    return text.partition(f"{heading}\n")[2].partition("\n## ")[0]


def told(folder: Folder) -> Numbers:
    return numbers.of(debate_of(folder))


def agreed(**settings: Any) -> Folder:
    return search(AGREED, participants=ROLES, **settings)


def act(folder: Folder, name: str, by: str = "boss", **given: str) -> Folder:
    engine.act(folder, Act(name, given, by))
    return folder


# ---------------------------------------------------------------- the result


def test_a_consensus_is_told_first_with_exact_shares_threshold_and_turnout() -> None:
    text = page(agreed())
    assert (
        "- **Verdict:** **Consensus in cycle 1: “Postgres with a read replica (ben)” by ben.** "
        "One vote of 4 participants, not replicated.\n"
    ) in text
    assert "9/11 (about 81.8 %) of the weight (3 votes, 4.5 of 5.5); needed was 2/3.\n" in text
    assert "\nNeeded: 2/3 (about 66.7 %) of the weight cast, by one proposal alone.\n" in text
    assert "- Votes of cycle 1: 4 of 5 ballots cast, 3 needed; abstained: dan" in text
    assert "- [cara_001-proposal] has 2/11 (about 18.2 %) (1 vote, weight 1 of 5.5)" in text
    assert "- [ben_001-proposal] has" not in text  # the note says it


def test_the_winner_stands_in_full_as_it_was_revised_with_what_it_was_before() -> None:
    winning = part(page(agreed()), "## The winning proposal")
    assert "*Revised after the critiques: this is the text of [ben_001-revision].*" in winning
    assert "As before, and old orders move out every night." in winning
    assert "One store has one backup, one failure and one bill." in winning  # it kept its reasons
    before = winning.partition("<summary>The solution before it was revised</summary>")[2]
    assert "ben would keep orders in one place.\n\nIn cycle 1" in before


def test_dissent_is_every_other_ballot_with_its_reason() -> None:
    dissent = part(page(agreed()), "## Dissent")
    assert dissent.strip() == (
        "- [eve][eve_001-ballot] (weight 1) voted for [cara_001-proposal] by cara: “eve found it "
        "the best supported.”"
    )


def test_without_dissent_the_page_says_so() -> None:
    text = page(search(Plan(votes=everybody_for("ann", 3))))
    assert "No ballot was cast for another proposal." in part(text, "## Dissent")


def test_unresolved_critiques_are_listed_the_gravest_first_after_those_of_the_winner() -> None:
    plan = AGREED._replace(silent=("ann", "cara"), critiques=(*AGREED.critiques,))
    listed = part(page(search(plan, participants=ROLES)), "## Unresolved critiques")
    ids = [line[3:].partition("]")[0] for line in listed.strip().split("\n")]
    assert ids == [
        "dan_001-critique-2",
        "cara_001-critique-2",
        "ann_001-critique-2",
        "dan_001-critique-1",
    ]


def test_agreement_without_a_new_argument_is_flagged() -> None:
    flag = "Agreement without a new argument: nobody criticised anything"
    assert flag in page(search(Plan(votes=everybody_for("ann", 3)), slug="one"))
    assert flag not in page(agreed(slug="two"))


def test_definitions_and_votes_are_two_lists() -> None:
    folder = held(
        "consensus",
        Scripted(Plan(votes=everybody_for("ann", 3))),
        framing=Framing("Which?", (Definition("store", "where orders are"),)),
        settings={"participants": "ann,ben,cara"},
    )
    assert "- **store:** where orders are\n\nNeeded: 2/3" in page(folder)


def test_a_debate_still_open_says_where_it_is() -> None:
    text = page(search(AGREED, participants=5, turns=3))
    assert "- **Verdict:** **Still open.** It is in cycle 1, votes." in text
    assert "charts/votes" not in text
    assert "## Dissent" not in text


def test_a_debate_that_has_not_begun_has_a_page() -> None:
    assert "- **Verdict:** **Still open.** It is in cycle 1, proposals." in page(search(turns=0))


def test_an_escalation_tells_the_reason_of_the_record() -> None:
    text = page(search(SPLIT, max_cycles=2))
    assert "**Escalated: a person decides.** No proposal reaches 2/3: [ann_002-proposal]" in text
    assert "No consensus in 2 cycles, which is the limit." in text


def test_every_proposal_barred_and_no_proposals_are_two_reasons() -> None:
    both = (("ann", "ben", "blocking"), ("ben", "ann", "blocking"))
    barred = search(Plan(critiques=both, silent=("ann", "ben")), participants=2, slug="one")
    absent = Plan(absent=[("ann", "proposal"), ("ben", "proposal")])
    empty = search(absent, participants=2, slug="two")
    assert "Every proposal is barred by an unresolved blocking critique: " in page(barred)
    assert "No proposals were made in cycle 1." in page(empty)


def test_a_persons_decision_names_who_what_and_why_and_what_came_before() -> None:
    folder = act(
        search(SPLIT, max_cycles=1),
        "decide",
        proposal="cara_001-proposal",
        text="In another region.",
        reason="It is cheapest.",
    )
    text = page(folder)
    assert (
        "- **Verdict:** **Decided by boss: “A queue and two stores (cara)” by cara.** Why "
        "([person_001-decision]): It is cheapest.\n"
    ) in text
    assert "In another region." in part(text, "## The decision")
    assert "cara would keep orders" in part(text, "## The proposal decided for")
    assert "- Escalated before that: No proposal reaches 2/3" in text
    assert "## Dissent" not in text


def test_a_decision_in_words_of_its_own_names_no_proposal() -> None:
    folder = act(search(SPLIT, max_cycles=1), "decide", text="Paper.", reason="Simple.")
    text = page(folder)
    assert "boss: in words of their own.** Why ([person_001-decision]): Simple." in text
    assert "## The proposal decided for" not in text


def test_a_cancelled_debate_has_no_result_and_says_why() -> None:
    text = page(act(search(SPLIT, turns=2), "cancel", reason="No need."))
    assert "**Cancelled: no result.** By boss ([person_001-cancellation]): No need." in text


def test_an_escalation_by_a_person_is_told_with_who_and_why() -> None:
    text = page(act(search(SPLIT, turns=2), "escalate", reason="No time."))
    assert "**Escalated: a person decides.** By boss ([person_001-escalation]): No time." in text
    assert "[Escalated]" not in text  # the note says it


def test_absent_voters_are_named_apart_from_those_who_abstain() -> None:
    plan = AGREED._replace(absent=[("eve", "vote")])
    text = page(search(plan, participants=ROLES))
    assert "3 of 5 ballots cast, 3 needed; abstained: dan; no ballot from eve" in text
    assert "[eve_001-absence-6], eve, cycle 1, votes (skip, by user)" in text


# ---------------------------------------------------------------- the cycles


def test_how_each_critique_was_answered_is_in_the_table() -> None:
    plan = Plan(
        votes=everybody_for("ben", 4),
        critiques=(
            ("ben", "ann", "blocking"),
            ("cara", "ann", "blocking"),
            ("ann", "ben", "minor"),
            ("dan", "ben", "major"),
            ("ann", "cara", "major"),
            ("ben", "dan", "blocking"),
        ),
        maintaining=("cara",),
        revising=("ben",),
        silent=("cara",),
    )
    folder = search(plan, participants=4, critic_confirms="yes", max_cycles=1)
    states = {p.id: p.state for p in told(folder).cycles[0].points}
    assert states == {
        "ben_001-critique-1": "accepted",
        "cara_001-critique-1": "maintained",
        "ann_001-critique-1": "revised",
        "dan_001-critique-1": "revised",
        "ann_001-critique-2": "unanswered",
        "ben_001-critique-2": "accepted",
    }
    table = part(page(folder), "### Who criticised whom, and how it was answered")
    assert (
        "| cara | [ann_001-proposal] | [blocking][cara_001-critique-1]: **maintained** "
        "([ann_001-defence-2], [cara_001-review-1]) |"
    ) in table
    assert "| ann | [cara_001-proposal] | [major][ann_001-critique-2]: **unanswered** |" in table


def test_votes_before_and_after_show_who_changed() -> None:
    text = part(page(agreed(straw_poll="yes")), "## Votes before and after")
    assert "| Participant | Straw poll | Cycle 1 |" in text
    assert "| ann | ann | **ben** |" in text
    assert "| eve | cara | cara |" in text
    assert "| dan | ann | \N{EN DASH} |" in text


def test_one_vote_alone_has_no_before() -> None:
    assert "## Votes before and after" not in page(agreed())


def test_cycles_come_newest_first_each_with_its_outcome() -> None:
    last = Plan(votes=everybody_for("ben", 3))
    text = page(search(SPLIT, last, participants=3))
    assert [h for h in headings(text) if h.startswith("## Cycle")] == ["## Cycle 2", "## Cycle 1"]
    first = part(text, "## Cycle 1")
    assert "**[No consensus: another cycle followed][tally_001-outcome].**" in first
    assert "| [ann_001-proposal] | ann | One Postgres" in first


def test_a_barred_proposal_names_what_bars_it_in_the_place_of_a_share() -> None:
    assert "barred by [dan_001-critique-2] |  |" in page(agreed())


def test_the_parts_come_in_order() -> None:
    assert [h for h in headings(page(agreed(straw_poll="yes"))) if h.startswith("## ")] == [
        "## Decision note",
        "## The winning proposal",
        "## Dissent",
        "## Unresolved critiques",
        "## Votes before and after",
        "## Cycle 1",
        "## How this was made",
    ]


# ---------------------------------------------------------------- exactly the tally's numbers


def test_shares_and_threshold_are_those_of_the_outcome_on_record() -> None:
    """P4-41: what is shown follows the same rule as what decided."""
    for slug, threshold in (("one", "2/3"), ("two", "0.67"), ("three", "1")):
        votes = {"ann": "ann", "ben": "ann", "cara": "cara"}
        folder = search(Plan(votes=votes), max_cycles=1, threshold=threshold, slug=slug)
        shown = told(folder)
        outcome = debate_of(folder).record.get("tally_001-outcome")
        assert outcome is not None
        on_record = {s["proposal"]: Fraction(s["share"]) for s in outcome.header["shares"]}
        cycle = shown.cycles[-1]
        assert {s.proposal: s.share for s in cycle.shares} == on_record
        assert shown.threshold == Fraction(outcome.header["threshold"])
        passes = [p for p, share in on_record.items() if share >= shown.threshold]
        assert passes == ([cycle.winner] if cycle.winner else [])
        assert bool(cycle.winner) == (threshold == "2/3")


# ---------------------------------------------------------------- robust


def test_hostile_texts_change_no_structure() -> None:
    plan = AGREED._replace(silent=("ann", "cara"))
    evil = plan._replace(texts=HOSTILE)
    tame = plan._replace(texts="One\n\n" + "Two\n" * 30)
    folders = [
        search(each, participants=5, straw_poll="yes", motion=motion, slug=slug)
        for each, motion, slug in ((evil, HOSTILE, "evil"), (tame, "Two\nlines", "tame"))
    ]
    first, second = map(page, folders)
    assert [k for k in structure(first) if k != "> "] == [k for k in structure(second) if k != "> "]
    assert headings(first)[1:] == headings(second)[1:]


@pytest.mark.parametrize("number", [12, 26])
def test_a_large_debate_has_a_page_of_bounded_length(number: int) -> None:
    assert len(page(large(number)).encode()) < MOST_BYTES


def test_a_page_that_would_be_too_long_says_what_it_leaves_out() -> None:
    few = told(agreed())
    cycle = few.cycles[0]._replace(points=few.cycles[0].points * 200)
    text = pages.readme(report_of("consensus"), Given(few._replace(cycles=(cycle,))))
    assert len(text.encode()) < MOST_BYTES
    assert "earlier critiques left out here: the page would be too long." in text
    assert "less grave ones left out here: the page would be too long." in text


def test_drawing_again_changes_nothing_until_something_is_added() -> None:
    folder = search(AGREED, participants=5, turns=3)
    draw(folder)
    assert draw(folder).unchanged
    go_on(folder, Scripted(AGREED))
    assert not draw(folder).unchanged
    assert "**Consensus in cycle 1" in check_page(folder)


def test_the_same_record_gives_the_same_bytes() -> None:
    shown = told(agreed())
    first, second = (
        charts.draw(report_of("consensus").pictures(shown), png=True) for _ in range(2)
    )
    assert first == second
    assert report_of("consensus").graph(shown) == report_of("consensus").graph(shown)


def test_proposals_stand_in_the_order_of_the_settings() -> None:
    shown = told(search(participants="eve,ann,cara"))
    assert [proposal.author for proposal in shown.cycles[0].proposals] == ["eve", "ann", "cara"]
