"""The flow of critiques in design and consensus debates, and where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.errors import RefusedError
from debate_ops.model.turn import Act
from debate_ops.reports.critiques import RULE, state_of
from debate_ops.reports.flow_sheet import FlowSheet, sheet_of
from debate_ops.reports.text import inline
from debate_ops.semantics.flow import State
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import Plan, search
from tests.reports.design import debates as designs
from tests.reports.formal.debates import formal
from tests.reports.held import debate_of
from tests.reports.pages import check_form, check_links

pytestmark = pytest.mark.usefixtures("work")

POINTS = designs.Plan(points={("ann", "ben"): ["major", "minor"], ("cara", "ben"): ["minor"]})
CRITICISED = Plan(
    critiques=(("ben", "ann", "major"), ("cara", "ann", "minor"), ("ann", "cara", "major")),
    revising=("ann",),
    silent=("cara",),
)


def flow_of(folder: Folder) -> FlowSheet:
    return sheet_of(debate_of(folder))


def states(folder: Folder) -> list[tuple[object, ...]]:
    """Return the severity, the state and the kind of answer of each critique."""
    return [(row[5], row[6], row[7]) for row in flow_of(folder).rows]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((True, True, False), State.ANSWERED),
        ((False, True, True), State.DROPPED),
        ((False, False, True), State.OPEN),
        ((False, False, False), State.NO_TURN),
    ],
)
def test_a_critique_has_the_state_that_the_rule_says(
    given: tuple[bool, bool, bool], wanted: State
) -> None:
    answered, had_turn, is_coming = given
    assert state_of(answered=answered, had_turn=had_turn, is_coming=is_coming) is wanted


def test_in_a_search_for_consensus_critiques_are_answered_or_dropped() -> None:
    folder = search(CRITICISED, max_cycles=1)
    assert sorted(states(folder)) == [
        ("major", "answered", "revised"),
        ("major", "dropped", ""),
        ("minor", "answered", "revised"),
    ]
    told = list(flow_of(folder).lines(80))
    assert "  cycle 1: ann_001-critique-1 (major): DROPPED" in told
    assert "3 points of criticism: 2 answered, 1 dropped." in told


def test_once_the_defences_are_over_what_was_not_answered_is_dropped() -> None:
    folder = search(CRITICISED, turns=3, max_cycles=1)
    assert sorted(states(folder))[1] == ("major", "dropped", "")
    nobody = CRITICISED._replace(revising=(), silent=("ann", "cara"))
    told = search(nobody, turns=3, max_cycles=1, slug="silent")
    assert {state for _, state, _ in states(told)} == {"dropped"}


def test_what_a_person_ended_before_the_defences_came_too_late() -> None:
    folder = search(CRITICISED, turns=2, max_cycles=1)
    engine.act(folder, Act("cancel", {"reason": "The question has gone away."}, "boss"))
    assert {state for _, state, _ in states(folder)} == {"no_turn"}


def test_before_the_defences_a_critique_is_open() -> None:
    folder = search(CRITICISED, turns=2, max_cycles=1)
    assert {state for _, state, _ in states(folder)} == {"open"}


def test_in_a_design_debate_each_point_is_told_with_its_verdict() -> None:
    rows = flow_of(designs.debate(POINTS, max_exchanges=1)).rows
    assert [(row[0], row[1], row[6], row[7]) for row in rows] == [
        ("ann_001-critique-2", 1, "answered", "accepted"),
        ("ann_001-critique-2", 2, "answered", "rejected"),
        ("cara_001-critique-2", 1, "answered", "accepted"),
    ]


def test_an_author_that_did_not_refine_has_dropped_what_was_said_of_its_text() -> None:
    gone = POINTS._replace(absent=[("ben", "refinement")])
    assert {row[6] for row in flow_of(designs.debate(gone, max_exchanges=1)).rows} == {"dropped"}


def test_before_the_refinements_a_point_is_open() -> None:
    held = designs.debate(POINTS, turns=2, max_exchanges=1, slug="a")
    assert {row[6] for row in flow_of(held).rows} == {"open"}


def test_the_page_has_the_rule_and_its_links_lead_to_files() -> None:
    for folder in (search(CRITICISED, slug="a"), designs.debate(POINTS, slug="b")):
        page = flow_of(folder).page()
        assert inline(RULE.replace("*", "")) in page
        check_form(page)
        check_links(page, Path(folder.path))


def test_where_nothing_names_what_it_attacks_there_is_no_flow_but_something_instead() -> None:
    with pytest.raises(RefusedError, match=r"has no flow sheet.*its page shows the ballot"):
        sheet_of(debate_of(formal()))
