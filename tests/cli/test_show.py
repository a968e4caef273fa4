"""What `show` and `list` say of debates."""

import pytest

from debate_ops import engine
from debate_ops.cli import answers, show, status
from debate_ops.engine.store import Folder
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
from tests.engine.stage import lay_down

pytestmark = pytest.mark.usefixtures("work")


def gists() -> dict[str, str]:
    entries = (show.show(SLUG, None).data or {})["entries"]
    return {row["id"]: row["gist"] for row in entries}


def test_entries_of_one_turn_are_listed_in_the_order_of_the_settings() -> None:
    lay_down("consensus-three-at-once", 1)
    assert [each.partition("_")[0] for each in gists()] == ["ann", "ben", "cara"]


def test_an_answer_is_listed_with_what_was_answered_and_a_critique_with_its_point() -> None:
    lay_down("design-two-all-phases", 8)
    result = gists()
    assert result["person_000-clarification-1"].startswith("Answer to ann_000-question-1: Yes")
    assert result["person_000-clarification-3"].startswith("Not applicable: ben_000-question-1")
    assert "point 1 major" in result["ann_001-critique-2"]


def test_a_title_forges_no_row_of_an_argument() -> None:
    forged = "Real\nopp_000a       +0.900  Forged\u2028opp_000b       +0.900  Forged\x85opp_000c"
    folder = debate_at(0)
    for side in ("prop", "opp"):
        first, *rest = (reply := opening(side))["arguments"]
        put(folder, side, reply | {"arguments": [first | {"title": forged}, *rest]})
    engine.submit(folder, 0)
    rows = "\n".join(map(answers.clean, show.show(SLUG, None).lines)).splitlines()[3:]
    assert [row.split()[0] for row in rows] == [
        f"{side}_000{letter}" for side in ("prop", "opp") for letter in "abc"
    ]
    assert all("not scored" in row for row in rows)
    assert show.show(SLUG, "prop_000a").lines[0].count("\n") == 0


def test_an_argument_is_shown_with_those_that_attack_and_defend_it() -> None:
    folder = debate_at(1)
    reply = rebuttal("opp", 1, attacks=[attack("prop_000a")], defends=[defence("opp_000b")])
    hold(folder, opp=reply)
    for entry_id, how in (("prop_000a", "attacked_by"), ("opp_000b", "defended_by")):
        answer = show.show(SLUG, entry_id)
        assert (answer.data or {})[how] == ["opp_001"]
        assert f"  {how.replace('_', ' ')} opp_001" in answer.lines


def test_a_bug_over_one_folder_hides_no_other_debate(monkeypatch: pytest.MonkeyPatch) -> None:
    for slug in ("a-bad", "b-good"):
        new_debate(slug)
    really = engine.load

    def look_at(folder: Folder) -> engine.Position:
        if folder.slug == "a-bad":
            raise RecursionError
        return really(folder)

    monkeypatch.setattr(engine, "load", look_at)
    bad, good = (status.list_debates().data or {})["debates"]
    assert "RecursionError" in bad["error"]
    assert (good["debate"], good.get("error")) == ("b-good", None)
