"""What a person does to a whole debate: advance, escalate, decide, cancel, check, undo, list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops.cli import status
from debate_ops.cli.commands import COMMANDS
from debate_ops.protocols.table import PROTOCOLS, rules_of
from debate_ops.storage import inbox, lock
from debate_ops.storage.folder import Folder
from tests import builders
from tests.builders import Answer, header_of, put, record_of, run

if TYPE_CHECKING:
    from tests.builders import Data

SLUG = "x"
FOLDER = Folder("debates/x")


def made(*more: str) -> None:
    words = ("--protocol", "consensus", "--motion", "M", "--participants", "ann,ben,cara", *more)
    assert run("new", SLUG, *words, "--json").code == 0


def escalated(*more: str) -> None:
    made(*more)
    assert act("escalate").code == 0


def act(name: str, *more: str) -> Answer:
    return run(name, SLUG, "--reason", "because", "--by", "kim", *more, "--json")


def decided(*more: str) -> Answer:
    return act("decide", *(more or ("--text", "we wait")))


def proposed() -> None:
    made()
    for name in ("ann", "ben", "cara"):
        put(FOLDER, name, proposal(name))
    assert run("submit", SLUG, "--step", "0", "--json").code == 0


def proposal(participant: str) -> Data:
    named = {"participant": participant, "exchange": 1, "phase": "awaiting_proposals"}
    return named | {"title": "T", "solution": "S", "reasoning": "R", "confidence": 0.5}


@pytest.mark.usefixtures("work")
def test_escalation_makes_the_debate_wait_for_a_person() -> None:
    made()
    answer = act("escalate")
    assert answer.result["committed"] == ["person_001-escalation"]
    assert (answer.result["state"], answer.result["acts"]) == ("waiting", ["decide", "cancel"])
    waiting = run("next", SLUG)
    assert waiting.code == 8
    assert waiting.result["success"]
    assert "because" in waiting.result["reason"]
    assert waiting.result["tasks"] == []


@pytest.mark.usefixtures("work")
def test_commands_that_make_sense_while_a_person_is_awaited_are_the_acts() -> None:
    escalated()
    commands = run("status", SLUG, "--json").result["next"]
    assert "decide x --proposal ID" in commands[0]
    assert "cancel x --reason" in commands[1]
    assert not [command for command in commands if " next " in command or " run " in command]


@pytest.mark.usefixtures("work")
def test_decision_goes_on_record_with_who_and_why_in_their_own_words() -> None:
    escalated()
    answer = decided()
    assert answer.code == 0
    assert answer.result["state"] == "done"
    header = header_of(FOLDER, "judgments/person_001-decision.md")
    assert (header["by"], header["reason"], header["proposal"]) == ("kim", "because", "")
    text = Path("debates/x/judgments/person_001-decision.md").read_text(encoding="utf-8")
    assert "## Decision\n\nwe wait\n" in text
    assert "## Reason\n\nbecause\n" in text


@pytest.mark.usefixtures("work")
def test_decision_may_be_for_a_proposal_on_record_and_for_no_other() -> None:
    made()
    run("next", SLUG)
    for name in ("ann", "ben", "cara"):
        builders.put(FOLDER, name, proposal(name))
    assert run("submit", SLUG, "--step", 0).code == 0
    assert act("escalate").code == 0
    other = decided("--proposal", "dan_001-proposal")
    assert other.code == 1
    assert "ann_001-proposal" in other.result["hint"]
    assert decided("--proposal", "ben_001-proposal").result["judgments"] == {
        "person_001-decision": "Decided: ben_001-proposal"
    }


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", ["decide", "escalate", "cancel"])
def test_same_act_twice_has_one_effect(name: str) -> None:
    if name == "decide":
        escalated()
    else:
        made()
    more = ("--text", "t") if name == "decide" else ()
    assert not act(name, *more).result["already_applied"]
    before = record_of(FOLDER)
    assert act(name, *more).result["already_applied"]
    assert record_of(FOLDER) == before


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", ["decide", "escalate", "cancel"])
@pytest.mark.parametrize("end", ["decide", "cancel"])
def test_debate_that_has_ended_refuses_every_other_act(name: str, end: str) -> None:
    escalated()
    assert act(end, *(("--text", "t") if end == "decide" else ())).code == 0
    before = record_of(FOLDER)
    more = ("--text", "other") if name == "decide" else ()
    answer = run(name, SLUG, "--reason", "another", "--by", "lee", *more, "--json")
    assert answer.code == 1
    assert {"decide": "decided", "cancel": "cancelled"}[end] in answer.result["error"]
    assert record_of(FOLDER) == before


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("name", ["decide", "escalate", "cancel"])
def test_act_without_a_reason_changes_nothing(name: str) -> None:
    if name == "decide":
        escalated()
    else:
        made()
    before = record_of(FOLDER)
    more = ("--text", "t") if name == "decide" else ()
    for reason in ((), ("--reason", " ")):
        answer = run(name, SLUG, *reason, *more, "--json")
        assert answer.code == 2
        assert "reason" in answer.result["error"]
    assert record_of(FOLDER) == before


@pytest.mark.usefixtures("work")
def test_protocol_without_acts_says_so() -> None:
    builders.new_debate(SLUG)
    answer = act("escalate")
    assert answer.code == 1
    assert "'escalate'" in answer.result["error"]


@pytest.mark.usefixtures("work")
def test_act_is_refused_while_a_run_holds_the_debate() -> None:
    escalated()
    with lock.held(inbox.run_lock(FOLDER), "is running this debate", wait=0):
        assert decided().code == 7
    assert decided().code == 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_act_has_a_command_and_a_form_in_which_it_is_suggested(protocol: str) -> None:
    acts = set(rules_of(protocol).ACTS)
    assert acts <= set(COMMANDS)
    assert acts <= set(status.ACT_FORMS)


@pytest.mark.usefixtures("work")
def test_every_task_says_what_the_rules_do_without_its_reply() -> None:
    proposed()
    result = run("next", SLUG).result
    assert result["current_phase"] == "awaiting_critiques"
    assert {task["on_failure"] for task in result["tasks"]} == {"absence"}
    builders.new_debate("y")
    assert {task["on_failure"] for task in run("next", "y", "--exchanges", 1).result["tasks"]} == {
        "stop"
    }


@pytest.mark.usefixtures("work")
def test_check_tells_what_is_not_met_with_its_own_exit_code() -> None:
    escalated()
    answer = run("check", SLUG, "--require", "consensus", "--require", "no-blocking", "--json")
    assert answer.code == 10
    assert not answer.result["success"]
    result = answer.result["requirements"]
    assert {name: item["is_met"] for name, item in result.items()} == {
        "consensus": False,
        "no-blocking": False,
    }
    assert "no proposal" in result["no-blocking"]["why"]
    assert "awaiting_decision" in result["consensus"]["why"]


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("words", [(), ("--require", "peace")])
def test_check_of_nothing_or_of_the_unknown_names_what_there_is(words: tuple[str, ...]) -> None:
    made()
    answer = run("check", SLUG, *words, "--json")
    assert answer.code == 2
    assert "consensus, no-blocking" in answer.result["hint"]


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_debate_can_be_required_to_be_complete_and_decided(protocol: str) -> None:
    named = ("--participants", "architect,security") if protocol == "design" else ()
    named = ("--participants", "ann,ben") if protocol == "consensus" else named
    assert run("new", SLUG, "--motion", "M", "--protocol", protocol, *named, "--json").code == 0
    words = ("--require", "complete", "--require", "decided")
    answer = run("check", SLUG, *words, "--json")
    assert answer.code == 10
    requirements = answer.result["requirements"].items()
    assert {n: item["is_met"] for n, item in requirements} == {"complete": False, "decided": False}


@pytest.mark.usefixtures("work")
def test_check_of_an_exchange_says_whether_it_is_complete_and_who_leads() -> None:
    folder = builders.debate_at(1)
    run("next", builders.SLUG, "--exchanges", 1)
    words = ("check", builders.SLUG, "--json", "--require")
    assert (run(*words, "complete").code, run(*words, "decided").code) == (10, 0)
    builders.hold_until(folder, 2)
    assert (run(*words, "complete").code, run(*words, "decided").code) == (0, 0)


def advance(*more: str, step: int = 0) -> Answer:
    return run("advance", SLUG, "--step", step, "--reason", "enough", *more, "--json")


def hows() -> dict[str, str]:
    actual = Path("debates/x/judgments").glob("*-absence*.md")
    return {p.stem: header_of(FOLDER, f"judgments/{p.name}")["how"] for p in actual}


@pytest.mark.usefixtures("work")
def test_advance_keeps_what_is_there_and_makes_the_others_absent() -> None:
    made()
    run("next", SLUG)
    builders.put(FOLDER, "ben", proposal("ben"))
    answer = advance()
    absent = ["ann_001-absence-1", "cara_001-absence-1"]
    assert sorted(answer.result["committed"]) == sorted([*absent, "ben_001-proposal"])
    assert hows() == dict.fromkeys(absent, "advance")


@pytest.mark.parametrize(("seconds", "how"), [(59, "advance"), (60, "time-out")])
@pytest.mark.usefixtures("work")
def test_absence_says_whether_the_time_was_over(
    seconds: int, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made("--set", "phase_seconds=60")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1767225600 + seconds))
    turn = run("next", SLUG).result
    assert turn["deadline"] == "2026-01-01T00:01:00Z"
    assert turn["late"] is (how == "time-out")
    assert (
        any("advance x" in c for c in run("status", SLUG, "--json").result["next"]) is turn["late"]
    )
    advance()
    assert set(hows().values()) == {how}


@pytest.mark.usefixtures("work")
def test_advance_of_another_step_or_without_a_reason_changes_nothing() -> None:
    made()
    before = record_of(FOLDER)
    assert advance(step=1).code == 1
    assert run("advance", SLUG, "--step", 0, "--json").code == 2
    assert record_of(FOLDER) == before


@pytest.mark.usefixtures("work")
def test_advance_hands_back_a_reply_that_breaks_a_rule() -> None:
    made()
    run("next", SLUG)
    builders.put(FOLDER, "ben", proposal("ben") | {"title": ""})
    answer = advance()
    assert answer.code == 1
    assert {fault["participant"] for fault in answer.result["faults"]} == {"ben"}
    assert not list(Path("debates/x/arguments").glob("*"))
    assert "ben_001-absence-1" in advance().result["committed"]


@pytest.mark.usefixtures("work")
def test_undo_of_a_step_takes_back_that_step_and_what_came_after() -> None:
    escalated()
    decided()
    before = run("status", SLUG, "--json").result["step"]
    answer = run("undo", SLUG, "--step", before - 1, "--json")
    assert answer.result["taken_back"] == ["person_001-decision"]
    assert answer.result["state"] == "waiting"
    again = run("undo", SLUG, "--step", before - 1, "--json")
    assert again.result["taken_back"] == ["person_001-decision"]
    assert again.result["step"] == before - 1
    assert run("undo", SLUG, "--step", 0, "--json").result["taken_back"] == [
        "person_001-escalation"
    ]
    assert [path.name for path in Path("debates/x/set-aside").iterdir()]


@pytest.mark.usefixtures("work")
def test_list_of_active_debates_leaves_out_those_that_wait_for_nothing() -> None:
    for slug in ("asked", "ended", "person"):
        words = ("--protocol", "consensus", "--motion", "M", "--participants", "ann,ben")
        run("new", slug, *words, "--json")
    builders.new_debate("idle")
    run("cancel", "ended", "--reason", "r", "--json")
    run("escalate", "person", "--reason", "r", "--json")
    every = {row["debate"]: row["active"] for row in run("list", "--json").result["debates"]}
    assert every == {"asked": True, "ended": False, "idle": False, "person": True}
    active = run("list", "--active", "--json").result["debates"]
    assert [row["debate"] for row in active] == ["asked", "person"]


@pytest.mark.usefixtures("work")
def test_number_is_refused_where_nothing_could_be_counted() -> None:
    run("new", SLUG, "--protocol", "formal", "--motion", "M", "--json")
    before = record_of(FOLDER)
    answer = run("next", SLUG, "--exchanges", 2)
    assert answer.code == 2
    assert "Leave the number out" in answer.result["hint"]
    assert record_of(FOLDER) == before
    assert run("next", SLUG).result["calls_left"] == 21


@pytest.mark.usefixtures("work")
def test_number_of_cycles_is_at_most_the_rest() -> None:
    made("--set", "max_cycles=2")
    answer = run("next", SLUG, "--exchanges", 9)
    assert answer.result["request"]["exchanges"] == 2
    assert [w["code"] for w in answer.result["warning_details"]] == ["request_shortened"]
    assert run("next", SLUG, "--exchanges", 1).result["calls_left"] == 13


@pytest.mark.usefixtures("work")
def test_commands_that_go_on_with_an_unfinished_request_name_no_number() -> None:
    builders.new_debate("asked")
    run("next", "asked", "--exchanges", 2)
    assert _suggested("asked") == ["next asked", 'run asked --all cmd:"claude -p"']
    builders.new_debate("idle")
    assert _suggested("idle") == ["next idle --exchanges 3", 'run idle 3 --all cmd:"claude -p"']


def _suggested(slug: str) -> list[str]:
    """Return the suggestions of `status` that hold more of a debate."""
    actual = run("status", slug, "--json").result["next"]
    words = [re.split("debate[-_]ops ", command)[-1] for command in actual]
    return [each for each in words if each.startswith(("next ", "run "))]


@pytest.mark.usefixtures("work")
def test_debate_that_rests_after_a_request_is_told_so_and_is_not_active() -> None:
    folder = builders.debate_at(1)
    run("next", builders.SLUG, "--exchanges", 1)
    assert run("list", "--active", "--json").result["debates"] != []
    builders.hold_until(folder, 2)
    result = run("status", builders.SLUG, "--json").result
    assert result["state"] == "done"
    assert result["progress"].endswith("next would be exchange 2")
    assert run("list", "--active", "--json").result["debates"] == []


@pytest.mark.usefixtures("work")
def test_undo_of_a_step_and_of_an_exchange_exclude_each_other() -> None:
    escalated()
    assert run("undo", SLUG, "--step", 0, "--exchange", 1, "--json").code == 2


@pytest.mark.usefixtures("work")
def test_check_of_what_is_met_ends_well() -> None:
    proposed()
    assert run("check", SLUG, "--require", "no-blocking", "--json").code == 0
