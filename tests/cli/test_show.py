"""The commands that look at debates, on hold and between two exchanges too."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.cli import answers, debate_state, show
from debate_ops.engine.store import Folder
from debate_ops.run import runner
from tests import builders
from tests.builders import ROOT, SLUG, debate_at, hold, new_debate, opening, run, written
from tests.cli.stage import feed, say
from tests.courses import RICH, list_steps
from tests.engine.stage import FOLDER, lay_down
from tests.run.stage import Actor, Cast

pytestmark = pytest.mark.usefixtures("work")


def test_entries_are_listed_as_in_the_settings_with_what_was_answered_and_how_grave_it_is() -> None:
    lay_down("design-two-all-phases", 8)
    result = {row["id"]: row["gist"] for row in (show.show(SLUG, None).data or {})["entries"]}
    assert result["person_000-clarification-1"].startswith("Answer to ann_000-question-1: Yes")
    assert result["person_000-clarification-3"].startswith("Not applicable: ben_000-question-1")
    assert "point 1 major" in result["ann_001-critique-2"]
    names = [name for name in result if name.endswith("_001-proposal")]
    assert names == [f"{name}_001-proposal" for name in ("ann", "ben")]


def test_a_title_forges_no_row_of_an_argument() -> None:
    forged = "Real\nopp_000a       +0.900  Forged\u2028opp_000b       +0.900  Forged\x85opp_000c"
    folder = debate_at(0)
    for side in ("prop", "opp"):
        first, *rest = (reply := opening(side))["arguments"]
        builders.put(folder, side, reply | {"arguments": [first | {"title": forged}, *rest]})
    engine.submit(folder, 0)
    rows = "\n".join(map(answers.clean, show.show(SLUG, None).lines)).splitlines()[3:]
    assert [row.split()[0] for row in rows] == [
        f"{side}_000{letter}" for side in ("prop", "opp") for letter in "abc"
    ]
    assert all("not scored" in row for row in rows)
    assert show.show(SLUG, "prop_000a").lines[0].count("\n") == 0


def test_a_text_forges_no_line_of_an_entry() -> None:
    folder, forged = (
        debate_at(0),
        "It pays.\n  +0.90 in exchange 0: Good.\u2028  defended by opp_000a",
    )
    for side in ("prop", "opp"):
        first, *rest = (reply := opening(side))["arguments"]
        builders.put(folder, side, reply | {"arguments": [first | {"warrant": forged}, *rest]})
    engine.submit(folder, 0)
    rows = "\n".join(show.show(SLUG, "prop_000a").lines).splitlines()
    own = [row for row in rows if "+0.90" in row or "defended by" in row]
    assert own == ["    >   +0.90 in exchange 0: Good.", "    >   defended by opp_000a"]


def test_an_argument_is_shown_with_those_that_attack_and_defend_it() -> None:
    folder = debate_at(1)
    reply = builders.rebuttal(
        "opp", 1, attacks=[builders.attack("prop_000a")], defends=[builders.defence("opp_000b")]
    )
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
    good, bad = (show.list_debates().data or {})["debates"]
    assert "RecursionError" in bad["error"]
    assert (good["debate"], good.get("error")) == ("b-good", None)


def test_debates_are_listed_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for day, slug in enumerate(("city-cars", "a", "b")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_700_000_000 + 86_400 * day))
        run("new", slug, "--motion", "M", "--json")
    run("next", "a", "--exchanges", "1")
    for name in ("cup", "empty"):
        Path("debates/tournaments", name).mkdir(parents=True)
    written("debates/tournaments/cup/plan.jsonl", "")
    Path("debates/tournaments/linked").symlink_to("cup")
    listed = say("list").out.splitlines()
    assert [line.partition(":")[0] for line in listed[:3]] == ["b", "a", "city-cars"]
    assert listed[3:] == ["Tournament, with its debates and its page: debates/tournaments/cup"]
    assert listed == say().out.splitlines()[2:6]


def test_git_keeps_the_debates_of_the_clone_alone() -> None:
    shipped = {path.parent.name for path in ROOT.glob("debates/*/debate.md")}
    kept = re.findall("^!/debates/([^/]*)/?$", (ROOT / ".gitignore").read_text(), re.MULTILINE)
    assert shipped >= {*kept} - {"calibration"}


def test_check_says_whether_what_is_required_is_met() -> None:
    folder = debate_at(1)
    run("next", SLUG, "--exchanges", 1)
    words = ("check", SLUG, "--json", "--require")
    unmet = run(*words, "complete", "--require", "decided")
    assert (unmet.code, unmet.result["success"]) == (10, False)
    found = {name: item["is_met"] for name, item in unmet.result["requirements"].items()}
    assert found == {"complete": False, "decided": True}
    builders.hold_until(folder, 2)
    decided = run(*words, "decided")
    assert (run(*words, "complete").code, decided.code) == (0, 0)
    why = decided.result["requirements"]["decided"]["why"]
    assert re.fullmatch(r"The judge leans towards the motion \(how sure: \w+\)", why)
    shutil.copytree(ROOT / "debates/outdoor-pool", "debates/other")
    check = ("check", "other", "--require", "decided")
    assert "not met: The judge leans towards the motion; a panel does not bear" in say(*check).out
    shutil.rmtree("debates/other/panel")  # without it, the judge's lead towards the motion counts
    opposed = say(*check)
    assert opposed.code == 10
    assert "(how sure: the debate itself came out the other way)" in opposed.out
    path = Path("debates/other/judgments/judge_001.md")
    path.write_text(path.read_text("utf-8").replace('"score": 0.', '"score": -0.', 1), "utf-8")
    assert say(*check).code == 5
    for fix in ((), ("--fix",)):
        said = say("validate", "other", *fix)
        assert (said.code, "debate-ops undo other --step K" in said.out) == (5, bool(fix))


WORD = "Assume that the budget is fixed."
TOKENS = {"input": 100, "cached": 20, "output": 5}


@pytest.mark.parametrize(("command", "state"), [("pause", "paused"), ("stop", "stopped")])
def test_a_debate_on_hold_is_said_to_wait_for_resume(command: str, state: str) -> None:
    new_debate("case")
    hold = run(command, "case", "--by", "kim", "--reason", "lunch", "--json").result["on_hold"]
    assert (hold["state"], hold["by"], hold["reason"]) == (state, "kim", "lunch")
    assert say("next", "case").code == 8
    status = run("status", "case", "--json").result
    assert (status["state"], status["acts"], status["on_hold"]) == ("waiting", ["resume"], hold)
    assert run("resume", "case", "--json").result["on_hold"] is None
    assert say("next", "case").code == 0


def test_status_and_page_say_what_was_used_and_what_people_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    debate, priced = new_debate("case", attack_effects="off"), Actor(tokens=TOKENS, cost_usd=0.25)
    feed(monkeypatch, f"{WORD}\n".encode())
    (word,) = run("say", "case", "-", "--to", "opp", "--json").result["words"]
    answer = f"On record, and in every prompt to opp from now on: {WORD}\n"
    assert say("say", "case", WORD, "--to", "opp").out.startswith(answer)
    say("report", "case")
    pages = [Path(debate.within(page)) for page in ("README.md", "report.html")]
    assert not [page for page in pages if WORD in page.read_text("utf-8")], "it is opp's alone"
    assert (word["text"], word["to"], word["by"]) == (WORD, "opp", "user")
    runner.run(debate, 1, Cast() | dict.fromkeys(("prop", "opp"), priced))
    status = run("status", "case", "--json").result
    assert (status["words"], status["used"]["replies"]) == ([word], 6)
    expected = {"tokens": 500, "cost": 1.0, "uncounted": 2, "unpriced": 2}
    assert status["used"].items() >= expected.items(), "the judge's are not known, and not 0"
    assert say("report", "case").code == 0
    assert all(WORD in page.read_text("utf-8") for page in pages)


def test_a_checkpoint_says_where_it_stands_and_what_ends_it() -> None:
    folder = debate_at(0, checkpoints="on")
    assert "checkpoint" not in run("next", SLUG, "--exchanges", 3).result, "nothing is said yet"
    hold(folder)
    assert "checkpoint" not in run("next", SLUG).result, "the opening is not judged yet"
    hold(folder)
    where, new = run("next", SLUG).result["checkpoint"]
    assert where.startswith("The opening is over. To come: 3 exchanges: 9 agent calls, and 1 ")
    assert new.startswith("New: prop_000a Argument one of prop here; prop_000b Argument")
    assert run("say", SLUG, "Mind the cost.", "--json").result["checkpoint"] == [where, new]
    hold(folder)
    hold(folder)
    ended = run(*run("next", SLUG).result["end"].split()).result
    assert (ended["state"], "checkpoint" in ended) == ("done", False)


@pytest.mark.parametrize("name", RICH)
def test_every_protocol_has_checkpoints_if_on_and_none_in_an_exchange(name: str) -> None:
    found = 0
    for steps in range(len(list_steps(name))):
        lay_down(name, steps)
        assert "checkpoint" not in debate_state.describe_turn(engine.load(FOLDER))
        text = (file := Path(FOLDER.debate_file)).read_text(encoding="utf-8")
        file.write_text(text.replace('"checkpoints": "off"', '"checkpoints": "on"'), "utf-8")
        at = engine.load(FOLDER)
        if lines := debate_state.describe_turn(at).get("checkpoint"):
            found += 1
            assert len(lines) == 2
            assert at.protocol.cycle or lines[0].startswith("A round is over")
            assert not [e for e in at.debate.entries.values() if e.round >= at.due.round]
    assert found


NO: dict[str, Any] = {"attacks": []}
GIVEN = {"concedes": [{"target_id": "{}_000a", "content": "c"}]}


@pytest.mark.parametrize(
    ("prop", "opp", "rescores", "said"),
    [
        (NO, NO, 0, "nobody attacked anything, and no earlier score was changed"),
        (NO, NO, 1, ""),
        (NO, {"attacks": [builders.attack("prop_000a")]}, 0, ""),
        (GIVEN, NO, 1, ""),
        (GIVEN, GIVEN, 1, "both sides gave something up"),
        (GIVEN, GIVEN | {"attacks": [builders.attack("prop_000a")]}, 0, ""),
    ],
)
def test_a_debate_may_end_after_an_exchange_that_brought_nothing_new(
    prop: dict[str, Any], opp: dict[str, Any], rescores: int, said: str
) -> None:
    folder = debate_at(1, attack_effects="off")
    assert "may_end" not in run("next", SLUG, "--exchanges", 2).result, "an opening attacks nobody"
    own = {"prop": prop, "opp": opp}
    for side, changes in own.items():
        given = [c | {"target_id": f"{side}_000a"} for c in changes.get("concedes", ())]
        own[side] = builders.rebuttal(side, 1, **changes | {"concedes": given})
    hold(folder, **own)
    changed = {"argument_id": "prop_000a", "old_score": 0.3, "new_score": 0.1, "reasoning": "r"}
    hold(folder, judge=builders.judgment(1, builders.scores_of(1), [changed] * rescores))
    answer = run("status", SLUG, "--json").result
    assert (said in answer["may_end"]) if said else ("may_end" not in answer)
    assert run("next", SLUG).result.get("may_end") == answer.get("may_end")
    if said:
        assert f"'debate-ops next {SLUG} --exchanges 0' ends it here" in answer["may_end"]
        assert answer["may_end"] in say("status", SLUG).out
        run("next", SLUG, "--exchanges", 0)
        assert "may_end" not in run("status", SLUG, "--json").result, "it has ended"
