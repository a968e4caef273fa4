"""The loop: next, submit, skip, withdraw, undo, and what a run still owes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.engine import REPLIED, SKIPPED, WAITING, RawReply, RepliesRefusedError
from debate_ops.errors import RefusedError
from debate_ops.model.debate import Request
from debate_ops.model.turn import Done, Turn
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder
from tests.builders import (
    ARGUING,
    JUDGING,
    SLUG,
    Data,
    argument,
    attack,
    debate_at,
    defence,
    good_reply,
    header_of,
    hold,
    hold_until,
    judgment,
    older_debate,
    process_exchange,
    process_judge,
    put,
    rebuttal,
    record_of,
    rescore,
    run,
    where,
    written,
)

pytestmark = pytest.mark.usefixtures("work")


def due(folder: Folder) -> Turn:
    turn = engine.next_turn(folder).due
    assert isinstance(turn, Turn)
    return turn


def statuses(folder: Folder) -> dict[str, str]:
    return {item.task.participant: item.status for item in engine.look(folder).tasks}


def request_of(folder: Folder) -> Request | None:
    return engine.look(folder).debate.request


def prompt_of(folder: Folder, participant: str) -> str:
    position = engine.next_turn(folder)
    path = inbox.slot(folder, position.debate.step, participant).prompt
    return Path(path).read_text(encoding="utf-8")


def inbox_of(folder: Folder) -> set[str]:
    root = Path(folder.path, "inbox")
    files = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return {name for name in files if not name.startswith(".")}


def replies_of(exchange: int, phase: str) -> dict[str, Data]:
    names = ("prop", "opp") if phase == ARGUING else ("judge",)
    return {name: good_reply(name, exchange) for name in names}


@pytest.mark.parametrize(
    ("exchange", "phase", "participants", "schema"),
    [
        (0, ARGUING, ["prop", "opp"], "exchange-opening"),
        (0, JUDGING, ["judge"], "exchange-judgment"),
        (1, ARGUING, ["prop", "opp"], "exchange-rebuttal"),
        (1, JUDGING, ["judge"], "exchange-judgment"),
    ],
)
def test_next_names_who_is_due_and_with_which_files(
    exchange: int, phase: str, participants: list[str], schema: str
) -> None:
    debate_at(exchange, phase)
    result = run("next", SLUG).result
    assert [task["participant"] for task in result["tasks"]] == participants
    step = result["step"]
    for task in result["tasks"]:
        stem = f"debates/{SLUG}/inbox/{step}-{task['participant']}"
        assert (task["prompt_file"], task["reply_file"]) == (
            f"{stem}.prompt.md",
            f"{stem}.reply.json",
        )
        assert (task["schema"], task["status"], task["attempts"]) == (schema, "waiting", 0)
        assert Path(task["prompt_file"]).is_file()
        assert not Path(task["reply_file"]).exists()


def test_each_debater_sees_its_own_arguments_as_its_own() -> None:
    folder = debate_at(1)
    hold(
        folder,
        prop=rebuttal("prop", 1, claim="By the proposition."),
        opp=rebuttal("opp", 1, claim="By the opposition."),
    )
    hold(folder)
    for side in ("prop", "opp"):
        prompt = prompt_of(folder, side)
        assert f"those of your side are called `{side}_…`" in prompt
        assert re.search(r'<argument id="prop_001".*?>\n.*?By the proposition\.', prompt, re.DOTALL)
        assert re.search(r'<argument id="opp_001".*?>\n.*?By the opposition\.', prompt, re.DOTALL)


@pytest.mark.parametrize("side", ["prop", "opp"])
def test_a_debaters_prompt_begins_with_its_last_one_up_to_the_end_of_the_record(side: str) -> None:
    folder = debate_at(2)
    before, _, _ = prompt_of(folder, side).partition("\n</arguments>")
    hold(folder)
    hold(folder)
    assert prompt_of(folder, side).startswith(before)


def test_the_judge_sees_new_ones_in_full_targets_with_scores_and_the_rest_by_a_line() -> None:
    folder = debate_at(2)
    prop = rebuttal("prop", 2, attacks=[attack("opp_001")], defends=[defence("prop_000a")])
    hold(folder, prop=prop)
    prompt = prompt_of(folder, "judge")
    blocks = {
        name: re.findall(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)[0]
        for name in ("new_arguments", "targets", "others")
    }
    assert '<argument id="prop_002" exchange="2" score_on_record="none">' in blocks["new_arguments"]
    assert "Attacks opp_001 (claim_attack): No." in blocks["new_arguments"]
    assert '<argument id="opp_001" exchange="1" score_on_record="-0.35">' in blocks["targets"]
    assert '<argument id="prop_000a" exchange="0" score_on_record="0.3">' in blocks["targets"]
    assert (
        '- opp_000c (score_on_record="-0.8")\n> Five words make a title: One sentence.'
        in blocks["others"]
    )
    assert "<argument" not in blocks["others"]


def test_neither_side_is_always_read_first() -> None:
    orders = []
    for exchange in (1, 2):
        folder = debate_at(exchange, JUDGING)
        prompt = prompt_of(folder, "judge")
        orders.append(re.findall(rf'<argument id="(\w+?)_00{exchange}"', prompt))
    assert sorted(orders) == [["opp", "prop"], ["prop", "opp"]]


def test_an_older_debate_without_settings_is_shown_in_full() -> None:
    folder = debate_at(1)
    path = Path(folder.debate_file)
    header = header_of(folder, "debate.md")
    body = path.read_text().partition("\n---\n")[2]
    del header["settings"]
    path.write_text(f"---\n{json.dumps(header, indent=2)}\n---\n{body}")
    assert prompt_of(folder, "prop").count('\n<argument id="') == 6


def test_a_turn_is_committed_and_the_next_one_told() -> None:
    folder = debate_at(1)
    for name, reply in replies_of(1, ARGUING).items():
        put(folder, name, reply)
    answer = run("submit", SLUG, "--step", 2, "--made-by", "a model")
    assert answer.code == 0
    assert answer.result["committed"] == ["prop_001", "opp_001"]
    assert (answer.result["step"], answer.result["already_applied"]) == (3, False)
    (task,) = answer.result["tasks"]
    assert Path(task["prompt_file"]).is_file()
    assert header_of(folder, "arguments/prop_001.md")["made_by"] == {"by": "a model"}
    assert inbox_of(folder) == {"3-judge.prompt.md"}


def test_what_is_committed_bears_its_step_source_and_time() -> None:
    folder = debate_at(1)
    hold(folder)
    first, second = (header_of(folder, f"arguments/{side}_001.md") for side in ("prop", "opp"))
    assert first["step"] == second["step"] == 2
    assert re.fullmatch(r"[0-9a-f]{64}", first["from"])
    assert first["from"] == second["from"]
    assert first["at"] == "2026-01-01T00:00:00Z"


MIXED_UP: dict[str, tuple[Data, list[str]]] = {
    "the other side": ({"participant": "opp"}, ["wrong_participant"]),
    "the other side in full": ({"participant": "opposition"}, ["wrong_participant"]),
    "the judge": ({"participant": "judge"}, ["wrong_participant"]),
    "an earlier exchange": ({"exchange": 0}, ["wrong_exchange"]),
    "a later exchange": ({"exchange": 2}, ["wrong_exchange"]),
    "no participant": ({"participant": ...}, ["not_named"]),
    "no exchange": ({"exchange": ...}, ["not_named"]),
    "neither": ({"participant": ..., "exchange": ...}, ["not_named", "not_named"]),
    "true for 1": ({"exchange": True}, ["wrong_exchange"]),
    "text for 1": ({"exchange": "1"}, ["wrong_exchange"]),
    "null": ({"participant": None}, ["wrong_participant"]),
}


@pytest.mark.parametrize("name", MIXED_UP)
def test_a_mixed_up_reply_is_refused(name: str) -> None:
    changes, codes = MIXED_UP[name]
    folder = debate_at(1)
    reply = {k: v for k, v in (rebuttal("prop", 1) | changes).items() if v is not ...}
    put(folder, "prop", reply)
    put(folder, "opp", rebuttal("opp", 1))
    before = record_of(folder)
    answer = run("submit", SLUG, "--step", 2)
    assert (answer.code, answer.codes) == (1, codes)
    assert {fault["participant"] for fault in answer.result["faults"]} == {"prop"}
    assert record_of(folder) == before


@pytest.mark.parametrize("named", ["prop", "proposition"])
def test_a_side_may_be_named_in_short_or_in_full_inside_or_outside(named: str) -> None:
    folder = debate_at(1)
    put(folder, "prop", argument() | {"side": named, "exchange": 1})
    put(folder, "opp", rebuttal("opp", 1))
    assert run("submit", SLUG, "--step", 2).result["warnings"] == []


def test_naming_makes_no_other_reply() -> None:
    folder = debate_at(1)
    hold(folder)
    assert process_exchange(1, argument(), argument()).result["already_applied"] is True
    hold(folder)
    unnamed = {"scores": good_reply("judge", 1)["scores"]}
    assert process_judge(unnamed).result["already_applied"] is True


@pytest.mark.parametrize("keep", [[], ["--keep"]])
def test_files_that_the_caller_named_go_after_the_commit_and_only_then(keep: list[str]) -> None:
    debate_at(1)
    prop, bad = written("prop.json", argument()), written("bad.json", {})
    assert run("process-exchange", SLUG, 1, "--prop-file", prop, "--opp-file", bad, *keep).code == 1
    assert Path(prop).exists()
    assert Path(bad).exists()
    good = written("good.json", argument())
    assert (
        run("process-exchange", SLUG, 1, "--prop-file", prop, "--opp-file", good, *keep).code == 0
    )
    assert Path(prop).exists() == Path(good).exists() == bool(keep)
    judge = written("judge.json", good_reply("judge", 1))
    assert run("process-judge", SLUG, "--json-file", judge, *keep).code == 0
    assert Path(judge).exists() == bool(keep)


def test_every_fault_of_every_reply_is_told_at_once() -> None:
    folder = debate_at(1)
    put(folder, "prop", rebuttal("prop", 1, title="", attacks=[attack("opp_777", "zzz")]))
    put(folder, "opp", "{")
    answer = run("submit", SLUG, "--step", 2)
    assert {fault["participant"] for fault in answer.result["faults"]} == {"prop", "opp"}
    places = [place for owner, place in answer.places if owner == "prop"]
    assert sorted(places) == [
        "$.arguments[0].attacks[0].attack_type",
        "$.arguments[0].attacks[0].target_id",
        "$.arguments[0].title",
    ]


def test_a_fault_is_placed_by_line_and_column() -> None:
    folder = debate_at(1)
    put(folder, "prop", json.dumps(rebuttal("prop", 1, claim=5), indent=1))
    put(folder, "opp", json.dumps([argument(claim=5)], indent=1))
    faults = {f["participant"]: f for f in run("submit", SLUG, "--step", 2).result["faults"][:1]}
    text = Path(folder.path, "inbox/refused/2-prop-1.reply.json").read_text().split("\n")
    fault = faults["prop"]
    assert text[fault["line"] - 1][fault["column"] - 1 :].startswith("5")


def test_a_fault_in_another_form_is_placed_in_that_form() -> None:
    debate_at(1)
    text = json.dumps([argument(claim=5)], indent=1)
    value = {
        "prop": RawReply(text.encode(), "a.json"),
        "opp": RawReply(json.dumps(argument(claim=5)).encode(), "b.json"),
    }
    with pytest.raises(RepliesRefusedError) as caught:
        engine.submit_replies(Folder(f"debates/{SLUG}"), 1, value)
    first, second = caught.value.faults
    assert text.split("\n")[first.line - 1][first.column - 1 :].startswith("5")
    assert (second.line, second.column) == (1, json.dumps(argument(claim=5)).index("5") + 1)


def test_a_reply_that_is_no_text_is_refused_and_kept() -> None:
    folder = debate_at(1)
    put(folder, "prop", rebuttal("prop", 1))
    bad = put(folder, "opp", "")
    bad.write_bytes(b"\xff\xfe\x00{")
    assert run("submit", SLUG, "--step", 2).codes == ["not_utf8"]
    assert Path(folder.path, "inbox/refused/2-opp-1.reply.json").read_bytes() == b"\xff\xfe\x00{"


@pytest.mark.parametrize(
    ("exchange", "phase", "asked", "until"),
    [
        (0, ARGUING, 3, 4),
        (0, JUDGING, 3, 4),
        (1, ARGUING, 3, 4),
        (1, JUDGING, 3, 4),
        (2, ARGUING, 1, 3),
        (2, JUDGING, 1, 3),
        (2, JUDGING, 2, 4),
    ],
)
def test_the_opening_is_not_counted_and_an_exchange_under_way_is(
    exchange: int, phase: str, asked: int, until: int
) -> None:
    folder = debate_at(exchange, phase)
    result = run("next", SLUG, "--exchanges", asked).result
    assert result["request"] == {
        "exchanges": asked,
        "until": until,
        "remaining": until - max(exchange, 1),
    }
    assert request_of(folder) == Request(asked, until)
    hold_until(folder, until)
    assert isinstance(engine.look(folder).due, Done)


def test_the_same_number_again_while_it_is_unfinished_is_the_same_request() -> None:
    folder = debate_at(0)
    engine.next_turn(folder, 3)
    hold_until(folder, 2)
    position = engine.next_turn(folder, 3)
    assert position.debate.request == Request(3, 4)
    assert position.warnings == ()


def test_another_number_replaces_the_request_and_says_so() -> None:
    folder = debate_at(0)
    engine.next_turn(folder, 3)
    hold_until(folder, 2)
    position = engine.next_turn(folder, 5)
    assert position.debate.request == request_of(folder) == Request(5, 7)
    (warning,) = position.warnings
    assert warning.code == "request_replaced"
    assert "3" in warning.message
    assert "5" in warning.message


def test_no_number_finishes_what_was_asked_for() -> None:
    folder = debate_at(0)
    engine.next_turn(folder, 2)
    hold_until(folder, 1, JUDGING)
    position = engine.next_turn(folder)
    assert position.debate.request == Request(2, 3)
    assert position.calls_left == 1 + 3


def test_the_same_number_after_the_end_is_a_new_request() -> None:
    folder = debate_at(0)
    engine.next_turn(folder, 1)
    hold_until(folder, 2)
    assert isinstance(engine.next_turn(folder).due, Done)
    position = engine.next_turn(folder, 1)
    assert position.debate.request == Request(1, 3)
    assert position.warnings == ()
    assert isinstance(position.due, Turn)


def test_zero_gives_an_unfinished_request_up() -> None:
    folder = debate_at(0)
    engine.next_turn(folder, 3)
    (warning,) = engine.next_turn(folder, 0).warnings
    assert warning.code == "request_given_up"
    assert request_of(folder) is None


def test_skipped_turns_count_as_held() -> None:
    folder = debate_at(1)
    engine.next_turn(folder, 1)
    engine.skip(folder, "prop", "why")
    engine.skip(folder, "opp", "why")
    assert isinstance(engine.look(folder).due, Done)


@pytest.mark.parametrize("number", ["-1", "x", "1.5", ""])
def test_what_is_no_number_of_exchanges_is_refused(number: str) -> None:
    folder = debate_at(1)
    before = record_of(folder)
    assert run("next", SLUG, "--exchanges", number).code == 2
    assert record_of(folder) == before


def test_with_one_side_absent_the_new_scores_are_all_zero() -> None:
    folder = debate_at(1)
    put(folder, "prop", rebuttal("prop", 1))
    engine.skip(folder, "opp", "why")
    assert "opposition gave no argument" in prompt_of(folder, "judge").replace("\n", " ")
    put(folder, "judge", judgment(1, {"prop_001": 0.5}))
    assert run("submit", SLUG, "--step", 3).codes == ["opponent_absent"]
    put(folder, "judge", judgment(1, {"prop_001": 0}, [rescore("opp_000a", 0)]))
    assert run("submit", SLUG, "--step", 3).code == 0
    assert where(folder) == (2, ARGUING)


def test_with_both_sides_absent_there_is_nothing_to_judge() -> None:
    folder = debate_at(1)
    engine.skip(folder, "prop", "why")
    engine.skip(folder, "opp", "why")
    assert where(folder) == (2, ARGUING)
    hold_until(folder, 3)
    assert set(engine.look(folder).debate.record.ids("arguments")) >= {"prop_002", "opp_002"}


def test_a_skipped_judge_leaves_the_totals_as_they_are() -> None:
    folder = debate_at(1, JUDGING)
    before = engine.look(folder).debate.state.totals
    outcome = engine.skip(folder, "judge", "why")
    assert isinstance(outcome, engine.Outcome)
    assert outcome.committed == ("judge_001-absence",)
    assert where(folder) == (2, ARGUING)
    assert engine.look(folder).debate.state.totals == before
    hold(folder)
    put(folder, "judge", judgment(2, {"prop_002": 0, "opp_002": 0}, [rescore("prop_001", 0)]))
    assert run("submit", SLUG, "--step", 5).codes == ["rescore_unscored"]


def test_a_skip_outweighs_a_reply_until_it_is_withdrawn() -> None:
    folder = debate_at(1)
    engine.skip(folder, "opp", "why")
    put(folder, "opp", rebuttal("opp", 1))
    assert statuses(folder)["opp"] == SKIPPED
    engine.withdraw_skip(folder, "opp")
    assert statuses(folder)["opp"] == REPLIED


def test_undo_keeps_the_request_the_framing_and_unknown_keys() -> None:
    folder = debate_at(1)
    path = Path(folder.debate_file)
    path.write_text(path.read_text().replace('"protocol"', '"mine": [1],\n  "protocol"'))
    engine.next_turn(folder, 3)
    body = path.read_text().partition("\n---\n")[2]
    hold_until(folder, 2)
    engine.undo(folder)
    assert header_of(folder, "debate.md")["mine"] == [1]
    assert request_of(folder) == Request(3, 4)
    assert path.read_text().partition("\n---\n")[2] == body


def test_undo_sets_replies_to_the_turns_taken_back_aside() -> None:
    folder = debate_at(1, JUDGING)
    put(folder, "judge", good_reply("judge", 1))
    engine.undo(folder)
    assert statuses(folder) == {"prop": WAITING, "opp": WAITING}
    kept = [name for name in inbox_of(folder) if "judge.reply.json" in name]
    assert len(kept) == 1
    assert kept[0].startswith("set-aside/")


def test_what_an_older_tool_wrote_is_never_taken_back() -> None:
    folder = older_debate()
    with pytest.raises(RefusedError, match="older tool"):
        engine.undo(folder)
    hold_until(folder, 2)
    engine.undo(folder)
    assert where(folder) == (1, ARGUING)
    with pytest.raises(RefusedError, match="older tool"):
        engine.undo(folder)


def test_a_body_and_unknown_keys_survive_every_step_byte_for_byte() -> None:
    folder = debate_at(0)
    path = Path(folder.debate_file)
    text = path.read_text().replace('"protocol"', '"mine": {"x": [1, null]},\n  "protocol"')
    path.write_text(text + "\n## Notes\n\nMy own — text\t\r\n\n\n")
    body = path.read_bytes().partition(b"\n---\n")[2]
    hold_until(folder, 2)
    assert header_of(folder, "debate.md")["mine"] == {"x": [1, None]}
    assert path.read_bytes().partition(b"\n---\n")[2] == body
