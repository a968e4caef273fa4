"""What is on record of a design debate: whose text stands, and how long a history is."""

from __future__ import annotations

from debate_ops.protocols.design import names
from tests.protocols.design import stage
from tests.protocols.design.stage import begun, history_of, hold, until, value
from tests.protocols.memory import MemoryRecord

FRESH = {"proposals": "fresh"}
SUMMED = {"summary_threshold": 100, "summary_characters": 50}


def test_the_text_that_stands_is_the_newest_refinement_or_else_the_proposal() -> None:
    debate = until(begun(), names.AWAITING_REFINEMENTS)
    debate = hold(debate, ben=None)
    history = history_of(debate)
    assert history.texts(1) == {
        "ann": "ann_001-refinement",
        "ben": "ben_001-proposal",
        "cara": "cara_001-refinement",
    }
    assert history.texts(2) == history.texts(1)
    assert history.last_text("ann", 1) == ""
    assert history.last_text("ann", 2) == "ann_001-refinement"


def test_a_new_proposal_stands_until_it_is_refined() -> None:
    debate = until(begun(**FRESH), names.AWAITING_REFINEMENTS, 2)
    assert history_of(debate).text_of("ann", 2) == "ann_002-proposal"
    assert history_of(debate).criticised("ann", 2) == "ann_002-proposal"
    assert history_of(hold(debate)).text_of("ann", 2) == "ann_002-refinement"
    assert history_of(hold(debate)).criticised("ann", 2) == "ann_002-proposal"


def test_who_proposed_nothing_has_no_text() -> None:
    history = history_of(hold(begun(), ben=None))
    assert list(history.texts(1)) == ["ann", "cara"]
    assert history.text_of("ben", 1) == ""


def test_critiques_are_found_by_whose_text_they_are_of() -> None:
    history = history_of(until(begun(), names.AWAITING_REFINEMENTS))
    assert history.received("ben", 1) == ("ann_001-critique-2", "cara_001-critique-2")
    assert history.points_against("ben", 1) == (
        ("ann_001-critique-2", 1),
        ("cara_001-critique-2", 1),
    )
    assert history.received("ben", 2) == ()


def test_a_point_is_unanswered_where_there_is_no_refinement_of_its_exchange() -> None:
    debate = until(begun(), names.AWAITING_REFINEMENTS)
    assert history_of(hold(debate)).unanswered(1) == ()
    debate = until(hold(debate, ben=None), names.AWAITING_CRITIQUES, 2)
    missed = (("ann_001-critique-2", 1), ("cara_001-critique-2", 1))
    assert history_of(debate).unanswered(1) == missed
    assert history_of(hold(debate)).unanswered(1) == missed
    assert len(history_of(hold(debate)).unanswered(2)) == len(missed) + 6


def test_a_size_is_the_characters_of_the_sections() -> None:
    debate = until(begun(), names.AWAITING_CRITIQUES, 2)
    history = history_of(debate)
    ids = [f"ann_001-{kind}" for kind in ("proposal", "refinement", "critique-2")]
    for entry_id in ids:
        texts = value(debate, entry_id).texts
        assert history.size([entry_id]) == sum(map(len, texts.values())) > 0
    assert history.size(ids) == sum(history.size([entry_id]) for entry_id in ids)


def test_an_own_history_is_ones_texts_and_the_critiques_of_them_oldest_first() -> None:
    history = history_of(until(begun(), names.AWAITING_CRITIQUES, 3))
    first = ("ann_001-proposal", "ben_001-critique-1", "cara_001-critique-1", "ann_001-refinement")
    second = ("ben_002-critique-1", "cara_002-critique-1", "ann_002-refinement")
    assert history.own("ann", 1) == ()
    assert history.own("ann", 2) == first
    assert history.own("ann", 3) == first + second


def test_a_summary_stands_for_all_before_its_exchange() -> None:
    debate = until(begun(**SUMMED), names.AWAITING_SUMMARIES, 2)
    debate = hold(debate, ann={"summary": "s" * 50}, cara=None)
    history = history_of(debate)
    assert history.own("ann", 2) == ("ann_002-summary",)
    assert history.size(["ann_002-summary"]) == 50
    assert len(history.own("cara", 2)) == 4
    history = history_of(until(debate, names.AWAITING_SUMMARIES, 3))
    second = ("ben_002-critique-1", "cara_002-critique-1", "ann_002-refinement")
    assert history.own("ann", 3) == ("ann_002-summary", *second)
    assert history.before_summary("cara", 3)[:1] == ("cara_001-proposal",)


def test_a_summary_of_the_exchange_does_not_cover_itself() -> None:
    debate = hold(until(begun(**SUMMED), names.AWAITING_SUMMARIES, 2))
    assert history_of(debate).before_summary("ann", 2)[0] == "ann_001-proposal"
    told = stage.header(debate, "ann_002-summary")
    assert told["covers"] == list(history_of(debate).before_summary("ann", 2))


def test_the_judges_history_is_every_text_and_critique_of_earlier_exchanges() -> None:
    history = history_of(until(begun(participants=stage.TWO), names.AWAITING_CRITIQUES, 2))
    assert history.for_judge(1) == ()
    assert history.for_judge(2) == (
        "ann_001-proposal",
        "ben_001-proposal",
        "ann_001-critique-2",
        "ben_001-critique-1",
        "ann_001-refinement",
        "ben_001-refinement",
    )


def test_the_requirements_are_those_given_or_those_that_the_judge_named() -> None:
    given = history_of(begun()).requirements()
    assert [each["id"] for each in given] == ["r1", "r2"]
    debate = begun(requirements=[])
    assert history_of(debate).requirements() == ()
    named = [{"id": "r1", "text": "It lasts.", "level": "major"}]
    debate = hold(debate)
    assert list(history_of(debate).requirements()) == named
    broken = stage.edited(debate, "judge_000-requirements", requirements=[{"id": "r1"}, 7])
    assert history_of(broken).requirements() == ()


def test_entries_of_those_who_take_no_part_are_in_no_list() -> None:
    debate = until(begun(), names.AWAITING_CRITIQUES)
    own = stage.record_of(debate)
    stranger = own["ann_001-proposal"]._replace(id="olga_001-proposal")
    history = history_of(debate._replace(record=MemoryRecord({**own, stranger.id: stranger})))
    assert history.of(names.PROPOSAL) == (
        "ann_001-proposal",
        "ben_001-proposal",
        "cara_001-proposal",
    )
    assert "olga" not in history.texts(1)
