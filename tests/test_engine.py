"""The loop: next, submit, skip, withdraw, undo, and what a run still owes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from debate_ops.model.debate import Request

from debate_ops import engine
from debate_ops.core.errors import RefusedError
from debate_ops.core.values import Done, Turn
from debate_ops.engine import WAITING, RawReply, RepliesRefusedError
from debate_ops.engine.store import Folder
from tests.builders import (
    ARGUING,
    JUDGING,
    SLUG,
    Data,
    argument,
    debate_at,
    good_reply,
    header_of,
    hold,
    hold_until,
    judgment,
    older_debate,
    process_exchange,
    process_judge,
    prompt_of,
    put,
    rebuttal,
    record_of,
    rescore,
    run,
    where,
    written,
)

pytestmark = pytest.mark.usefixtures("work")


def test_a_debaters_prompt_begins_with_its_last_one_up_to_the_end_of_the_record() -> None:
    folder = debate_at(2)
    before, _, _ = prompt_of(folder, "opp").partition("\n</arguments>")
    hold(folder)
    hold(folder)
    assert prompt_of(folder, "opp").startswith(before)


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


MIXED_UP: list[tuple[Data, list[str]]] = [
    ({"participant": "opposition"}, ["wrong_participant"]),
    ({"exchange": True}, ["wrong_exchange"]),
    ({"participant": ..., "exchange": ...}, ["not_named", "not_named"]),
]


@pytest.mark.parametrize(("changes", "codes"), MIXED_UP)
def test_a_mixed_up_reply_is_refused(changes: Data, codes: list[str]) -> None:
    folder = debate_at(1)
    reply = {k: v for k, v in (rebuttal("prop", 1) | changes).items() if v is not ...}
    put(folder, "prop", reply)
    put(folder, "opp", rebuttal("opp", 1))
    before = record_of(folder)
    answer = run("submit", SLUG, "--step", 2)
    assert (answer.code, answer.codes) == (1, codes)
    assert {fault["participant"] for fault in answer.result["faults"]} == {"prop"}
    assert record_of(folder) == before


def test_a_side_may_be_named_in_full_and_naming_makes_no_other_reply() -> None:
    folder = debate_at(1)
    put(folder, "prop", argument() | {"side": "proposition", "exchange": 1})
    put(folder, "opp", rebuttal("opp", 1))
    assert run("submit", SLUG, "--step", 2).result["warnings"] == []
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


@pytest.mark.parametrize(
    ("exchange", "phase", "asked", "until"),
    [(0, ARGUING, 3, 4), (1, JUDGING, 3, 4), (2, ARGUING, 1, 3)],
)
def test_the_opening_is_not_counted_and_an_exchange_under_way_is(
    exchange: int, phase: str, asked: int, until: int
) -> None:
    folder = debate_at(exchange, phase)
    request = run("next", SLUG, "--exchanges", asked).result["request"]
    remaining = until - max(exchange, 1)
    assert request == {"exchanges": asked, "until": until, "remaining": remaining}
    hold_until(folder, until)
    assert isinstance(engine.look(folder).due, Done)


@pytest.mark.parametrize(
    ("asked", "held_until", "asked_again", "request_now", "codes"),
    [
        (3, 2, 3, Request(3, 4), []),
        (3, 2, 5, Request(5, 7), ["request_replaced"]),
        (2, 1, None, Request(2, 3), []),
        (1, 2, 1, Request(1, 3), []),
        (3, 0, 0, None, ["request_given_up"]),
    ],
    ids=["the same number", "another", "none", "the same after the end", "zero"],
)
def test_a_request_goes_on_until_another_number_replaces_it(
    asked: int,
    held_until: int,
    asked_again: int | None,
    request_now: Request | None,
    codes: list[str],
) -> None:
    folder = debate_at(0)
    engine.next_turn(folder, asked)
    hold_until(folder, held_until)
    position = engine.next_turn(folder, asked_again)
    assert position.debate.request == engine.look(folder).debate.request == request_now
    assert [warning.code for warning in position.warnings] == codes
    assert isinstance(position.due, Turn)


@pytest.mark.parametrize(("held_until", "is_done"), [(1, False), (2, True), (3, True)])
@pytest.mark.parametrize("more", [1, 2])
def test_who_gives_up_before_the_next_exchange_has_a_finished_debate(
    held_until: int, more: int, *, is_done: bool
) -> None:
    folder = debate_at(held_until)
    engine.next_turn(folder, more)
    for _ in range(2):
        position = engine.next_turn(folder, 0)
        assert isinstance(position.due, Done) == is_done
        assert position.debate.request == (Request(held_until - 1, held_until) if is_done else None)


def test_who_gives_up_within_an_exchange_has_an_unfinished_debate() -> None:
    folder = debate_at(2, JUDGING)
    engine.next_turn(folder, 1)
    assert isinstance(engine.next_turn(folder, 0).due, Turn)


def test_with_one_side_absent_the_new_scores_are_all_zero() -> None:
    folder = debate_at(1)
    put(folder, "prop", rebuttal("prop", 1))
    engine.skip(folder, "opp", "why")
    put(folder, "judge", judgment(1, {"prop_001": 0.5}))
    assert run("submit", SLUG, "--step", 3).codes == ["opponent_absent"]
    put(folder, "judge", judgment(1, {"prop_001": 0}, [rescore("opp_000a", 0)]))
    assert run("submit", SLUG, "--step", 3).code == 0
    assert where(folder) == (2, ARGUING)


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
    engine.next_turn(folder, 3)
    hold_until(folder, 2)
    engine.undo(folder)
    assert engine.look(folder).debate.request == Request(3, 4)
    assert header_of(folder, "debate.md")["mine"] == {"x": [1, None]}
    assert path.read_bytes().partition(b"\n---\n")[2] == body


def test_undo_sets_replies_to_the_turns_taken_back_aside_and_forgets_refusals() -> None:
    folder = debate_at(1, JUDGING)
    put(folder, "judge", "{}")
    with pytest.raises(RepliesRefusedError):
        engine.submit(folder, 3)
    put(folder, "judge", good_reply("judge", 1))
    position, _ = engine.undo(folder)
    assert [(item.status, item.attempts) for item in position.tasks] == [(WAITING, 0)] * 2
    kept = Path(folder.within("inbox")).rglob("*judge*.reply.json")
    assert [path.parent.name for path in kept] == ["set-aside", "set-aside"]


@pytest.mark.parametrize("name", ["0-prop.reply.md", "0-prop.json", "prop.reply.json"])
def test_a_reply_under_another_name_is_named_with_the_name_expected(work: Path, name: str) -> None:
    folder = debate_at(0)
    engine.next_turn(folder)
    Path(folder.within("inbox"), name).write_text("{}", encoding="utf-8")
    with pytest.raises(RepliesRefusedError) as caught:
        engine.submit(folder, 0)
    fault = caught.value.faults[0]
    assert (fault.code, fault.file) == ("reply_missing", "inbox/0-prop.reply.json")
    assert f"inbox/{name}" in fault.message
    assert work.is_dir()
