"""What `show` lists of a debate."""

from __future__ import annotations

import pytest

from debate_ops import engine
from debate_ops.cli import answers, show, status
from debate_ops.storage.folder import Folder
from tests.builders import (
    SLUG,
    attack,
    debate_at,
    defence,
    hold,
    new_debate,
    opening,
    put,
    rebuttal,
)
from tests.reports.chairs import debates as chairs
from tests.reports.design import debates as design

pytestmark = pytest.mark.usefixtures("work")


def gists(slug: str) -> dict[str, str]:
    shown = show.show(slug, None).data or {}
    return {row["id"]: row["gist"] for row in shown["entries"]}


def test_entries_of_one_turn_are_listed_in_the_order_of_the_settings() -> None:
    named = "zoe:utilitarian,ann:virtue_ethics,mia:care_ethics"
    chairs.debate(chairs.Plan(), participants=named, max_exchanges=1)
    openings = [each for each in gists("x-debate") if each.endswith("-opening")]
    assert [each.partition("_")[0] for each in openings] == ["zoe", "ann", "mia"]


def test_an_answer_is_listed_with_what_was_answered_and_a_critique_with_its_point() -> None:
    plan = design.USUAL._replace(asks={("ann", 1): 1})
    design.answered(design.debate(plan, clarifying_questions=1), plan)
    result = gists("x-debate")
    assert result["person_000-clarification-1"] == "Answer to ann_000-question-1: About 200."
    assert "point 1 major" in result["ann_001-critique-2"]
    assert " is called " not in result["ann_001-critique-2"]


def test_a_title_forges_no_row_of_an_argument() -> None:
    forged = "Real\nopp_000a       +0.900  Forged\u2028opp_000b       +0.900  Forged\x85opp_000c"
    folder = debate_at(0)
    for side in ("prop", "opp"):
        first, *rest = (reply := opening(side))["arguments"]
        put(folder, side, reply | {"arguments": [first | {"title": forged}, *rest]})
    engine.submit(folder, 0)

    lines = show.show(SLUG, None).lines

    rows = "\n".join(map(answers.harmless, lines)).splitlines()
    assert [row.split()[0] for row in rows[3:]] == [
        f"{side}_000{letter}" for side in ("prop", "opp") for letter in "abc"
    ]
    assert not [row for row in rows if "+0.900" in row and "not scored" not in row]
    assert show.show(SLUG, "prop_000a").lines[0].count("\n") == 0


def test_an_argument_is_shown_with_those_that_attack_and_defend_it() -> None:
    folder = debate_at(1)
    reply = rebuttal("opp", 1, attacks=[attack("prop_000a")], defends=[defence("opp_000b")])
    hold(folder, opp=reply)

    attacked, defended = (show.show(SLUG, i) for i in ("prop_000a", "opp_000b"))

    assert (attacked.data or {})["attacked_by"] == ["opp_001"]
    assert "  attacked by opp_001" in attacked.lines
    assert (defended.data or {})["defended_by"] == ["opp_001"]


def test_a_bug_over_one_folder_hides_no_other_debate(monkeypatch: pytest.MonkeyPatch) -> None:
    for slug in ("a-bad", "b-good"):
        new_debate(slug)
    really = engine.glance

    def look_at(folder: Folder) -> engine.Position:
        if folder.slug == "a-bad":
            raise RecursionError
        return really(folder)

    monkeypatch.setattr(engine, "glance", look_at)
    bad, good = (status.list_debates().data or {})["debates"]
    assert "RecursionError" in bad["error"]
    assert good["debate"] == "b-good"
    assert "error" not in good
