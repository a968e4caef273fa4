"""The flow of critiques in design and consensus debates, and where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.analysis.flow import State
from debate_ops.model.turn import Act
from debate_ops.reports.consensus.search import Search
from debate_ops.reports.critiques import RULE, notes
from debate_ops.reports.flow_sheet import FlowSheet, sheet_of
from debate_ops.reports.text import inline
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import Plan, search
from tests.reports.design import debates as designs
from tests.reports.held import debate_of
from tests.reports.pages import check

pytestmark = pytest.mark.usefixtures("work")

POINTS = designs.USUAL._replace(
    points={("ann", "ben"): ["major", "minor"], ("cara", "ben"): ["minor"]}
)
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


def test_in_a_search_for_consensus_critiques_are_answered_or_dropped() -> None:
    folder = search(CRITICISED, max_cycles=1)
    assert sorted(states(folder)) == [
        ("major", "answered", "revised"),
        ("major", "dropped", ""),
        ("minor", "answered", "revised"),
    ]
    lines = list(flow_of(folder).lines(80))
    assert [line for line in lines if "ann_001-critique-1 (major): DROPPED" in line]


def test_an_answer_that_does_not_content_the_critic_leaves_a_critique_open() -> None:
    plan = Plan(critiques=[("ann", "ben", "blocking")], maintaining=["ann"])
    own = Search(debate_of(search(plan, max_cycles=1, critic_confirms="yes")))
    assert [(p.outcome, p.flow, p.is_open) for p in own.points] == [
        ("maintained", State.ANSWERED, True)
    ]
    assert own.points[0].replies == ("ben_001-defence-1", "ann_001-review-1")
    assert notes(own.points)["ann_001-critique-1"].states == ("blocking", "maintained")


NOBODY = CRITICISED._replace(revising=(), silent=("ann", "cara"))
CANCEL = Act("cancel", {"reason": "The question has gone away."}, "boss")


@pytest.mark.parametrize(
    ("plan", "turns", "act", "state"),
    [
        (CRITICISED, 2, None, "open"),
        (CRITICISED, 2, CANCEL, "no_turn"),
        (NOBODY, 3, None, "dropped"),
        (NOBODY, 3, CANCEL, "dropped"),
    ],
    ids=["before the defences", "cancelled before", "after", "cancelled after"],
)
def test_a_critique_without_an_answer_is_open_too_late_or_dropped(
    plan: Plan, turns: int, act: Act | None, state: str
) -> None:
    folder = search(plan, turns=turns, max_cycles=1)
    if act:
        engine.act(folder, act)
    assert {word for _, word, _ in states(folder)} == {state}


def test_in_a_design_debate_each_point_stands_with_its_verdict() -> None:
    rows = flow_of(designs.debate(POINTS, max_exchanges=1)).rows
    assert [(row[0], row[1], row[6], row[7]) for row in rows] == [
        ("ann_001-critique-2", 1, "answered", "accepted"),
        ("ann_001-critique-2", 2, "answered", "rejected"),
        ("cara_001-critique-2", 1, "answered", "accepted"),
    ]


def test_the_page_has_the_rule_and_its_links_lead_to_files() -> None:
    for folder in (search(CRITICISED, slug="a"), designs.debate(POINTS, slug="b")):
        page = flow_of(folder).page
        assert inline(RULE) in page
        check(page, Path(folder.path))
