"""A panel as a part of a debate: due once the debate is complete, and asked what fits it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine, validation
from debate_ops.cli import app
from debate_ops.model.turn import Done
from debate_ops.reports import hearing
from debate_ops.reports.panel import question
from debate_ops.reports.render import render
from debate_ops.reports.sureness import Level
from debate_ops.reports.table import view_of
from debate_ops.storage.folder import find
from tests import panel_judges
from tests.builders import run
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import RICH, begun, finish, told

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.storage.folder import Folder
    from tests.builders import Data

pytestmark = pytest.mark.usefixtures("work")

CASES = [case for case in RICH if case[0] != "speeches"]
with_a_panel = pytest.mark.parametrize(("protocol", "name"), CASES, ids=[c[0] for c in CASES])


def complete(protocol: str, name: str, panel: int = 3) -> Folder:
    """Return a complete debate, which is to have a panel."""
    folder = begun(protocol, name, settings={"panel": panel})
    if protocol == "exchange":
        engine.next_turn(folder, 2)
    finish(folder, ROWS[protocol].variants[name])
    assert isinstance(engine.look(folder).due, Done)
    return folder


def printed(*words: object) -> Data:
    answer = run(*map(str, words), "--json")
    assert answer.code == 0, answer.remarks
    assert isinstance(answer.result, dict)
    return answer.result


def run_quietly(folder: Folder) -> int:
    return app.main(["run", folder.name, "--all", panel_judges.command("first"), "-q"])


def record_of(folder: Folder) -> dict[str, bytes]:
    return {name: data for name, data in told(folder).items() if not name.startswith("panel/")}


@with_a_panel
def test_a_complete_debate_goes_on_to_its_panel_by_what_next_answers(
    protocol: str, name: str
) -> None:
    folder = complete(protocol, name)
    before = record_of(folder)
    assert printed("status", folder.name)["panel"]["state"] == "due"
    answer, turns = printed("next", folder.name), 0
    while answer["state"] == "turn":
        assert [task["participant"] for task in answer["tasks"]] == [
            f"member-{number}" for number in (1, 2, 3)
        ]
        for task in answer["tasks"]:
            text = Path(task["prompt_file"]).read_text(encoding="utf-8")
            Path(task["reply_file"]).write_text(panel_judges.reply(text, "first"), "utf-8")
        answer, turns = printed(*answer["submit"].split()), turns + 1
    assert turns == (1 if protocol == "chairs" else 2)
    assert printed("next", folder.name)["state"] == "done"
    assert printed("status", folder.name)["panel"]["state"] == "done"
    assert record_of(folder) == before
    assert not validation.validate(folder)[0]
    render(folder)
    assert 'id="panel"' in Path(folder.within("report.html")).read_text(encoding="utf-8")


@with_a_panel
def test_a_run_goes_on_to_the_panel_with_whoever_judges(protocol: str, name: str) -> None:
    folder = complete(protocol, name)
    words = ("run", folder.name, "--all", panel_judges.command("first"), "--dry-run")
    assert printed(*words)["replies"] == 6
    assert run_quietly(folder) == 0
    assert printed("status", folder.name)["panel"]["state"] == "done"
    assert run_quietly(folder) == 2


@with_a_panel
def test_what_a_panel_decides_fits_the_protocol(protocol: str, name: str) -> None:
    asked = question(view_of(engine.look(complete(protocol, name)).debate))
    fixed = {"exchange": {"prop", "opp"}, "formal": {"aff", "neg"}}
    fixed |= {key: {"yes", "no"} for key in ("chairs", "design")}
    assert set(asked.choices) == fixed.get(protocol, set(asked.voices))
    assert (asked.judged is None) == (protocol == "chairs")
    assert asked.judged in {*asked.choices, "", None}
    assert len(asked.judged_issues) == (len(asked.issues) if protocol == "design" else 0)
    assert asked.views == (protocol != "chairs")


def test_a_design_whose_panel_contradicts_its_judge_is_hardly_sure() -> None:
    folder = complete("design", dict(CASES)["design"])
    debate = engine.look(folder).debate
    judged = question(view_of(debate)).judged
    other = {"yes": "It does not", "no": "It does what"}[judged or ""]
    app.main(["run", folder.name, "--all", panel_judges.command(other), "-q"])
    sure = view_of(debate, hearing.of(folder, debate)[0]).sureness
    assert sure
    assert sure.level == Level.LOW


@with_a_panel
def test_every_second_member_reads_the_answers_in_the_other_order(protocol: str, name: str) -> None:
    tasks = printed("next", complete(protocol, name).name)["tasks"]
    texts = [Path(task["prompt_file"]).read_text(encoding="utf-8") for task in tasks]
    listed = [re.findall(r"(?m)^> (?:Side [A-Z]|yes|no): (.*)$", text) for text in texts]
    assert len(listed[0]) > 1
    assert listed[0] == listed[1][::-1] == listed[2]


@with_a_panel
def test_a_prompt_names_the_panel_as_its_commands_do(protocol: str, name: str) -> None:
    (task, *_) = printed("next", complete(protocol, name).name)["tasks"]
    text = Path(task["prompt_file"]).read_text(encoding="utf-8")
    (word,) = re.findall(r"check-reply (\S+) FILE", text)
    assert Path(find(word).path) == Path(task["prompt_file"]).parent.parent


def read_by_a_panel(protocol: str) -> Debate:
    folder = complete(protocol, dict(CASES)[protocol])
    printed("next", folder.name)
    return engine.look(hearing.place(folder)).debate


def test_who_spoke_at_the_same_time_shares_a_round() -> None:
    assert read_by_a_panel("exchange").settings["order"][:5] == ["prop", "opp", "/", "prop", "opp"]


def test_who_could_hear_another_one_speaks_in_a_later_round() -> None:
    """Within a round every second member reads the other one first: no answer before a question."""
    rounds = "".join(read_by_a_panel("formal").settings["order"]).split("/")
    assert len(rounds) > 5
    assert set(rounds) == {"aff", "neg"}


def test_notes_that_a_side_made_for_itself_are_read_by_no_panel() -> None:
    said = list(hearing.read(read_by_a_panel("formal")))
    assert said
    assert not any("preparation" in each.text for each in said)


def test_a_run_in_which_nobody_judges_leaves_the_panel_to_be_held(
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = complete("formal", dict(CASES)["formal"])
    debaters = ("--as", f"debater={panel_judges.command('first')}")
    assert app.main(["run", folder.name, *debaters]) == 0
    assert f"panel {folder.name}" in capfd.readouterr().err
    assert printed("status", folder.name)["panel"]["state"] == "due"


def test_a_cancelled_debate_has_no_panel() -> None:
    name = "strict, few signs, cancelled"
    folder = begun("chairs", name, settings={"panel": 3})
    finish(folder, ROWS["chairs"].variants[name])
    assert printed("next", folder.name)["state"] == "done"
    assert not Path(folder.path, "panel").exists()


def test_a_complete_debate_in_which_nobody_spoke_waits_for_no_panel() -> None:
    settings = {"panel": 3, "absence_limit": 1}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    printed("new", "d", "--motion", "M", "--set", "first_answer=off", *words)
    for side in ("prop", "opp"):
        printed("skip", "d", "--participant", side, "--reason", "It stayed away.")
    assert printed("next", "d")["state"] == "done"
    assert printed("status", "d")["panel"]["state"] == "nothing to decide"


def test_a_debate_without_the_setting_is_done_without_a_panel() -> None:
    folder = complete("formal", dict(CASES)["formal"], panel=0)
    assert printed("next", folder.name)["state"] == "done"
    assert "panel" not in printed("status", folder.name)


def test_a_debate_that_goes_on_after_its_panel_is_read_by_another_one() -> None:
    folder = complete("exchange", dict(CASES)["exchange"])
    run_quietly(folder)
    engine.next_turn(folder, 1)
    variant = ROWS["exchange"].variants["two exchanges"]
    finish(folder, variant._replace(is_over=lambda debate: debate.state.exchange > 3))
    assert printed("status", folder.name)["panel"]["state"] == "due"
    assert len(printed("next", folder.name)["tasks"]) == 3
    assert list(Path(folder.path, "set-aside").glob("*panel*"))


@with_a_panel
def test_a_panel_is_in_what_a_debate_will_cost(protocol: str, name: str) -> None:
    calls = []
    for number in (0, 3):
        folder = begun(protocol, name, f"x-{number}", settings={"panel": number})
        has_end = engine.preview(folder).calls_left is not None
        calls.append(engine.preview(folder, None if has_end else 1).calls_left or 0)
    assert calls[1] - calls[0] == 6
