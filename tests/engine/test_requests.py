"""What a request counts, who may give it up, and what undo and a repeat leave as it is."""

from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.core.values import Done
from debate_ops.engine.debate_file import Request
from tests.builders import (
    ARGUING,
    JUDGING,
    argument,
    debate_at,
    good_reply,
    header_of,
    hold,
    hold_until,
    prompt_of,
    put,
    rebuttal,
    written,
)

pytestmark = pytest.mark.usefixtures("work")


@pytest.mark.parametrize(
    ("exchange", "phase", "asked", "until"),
    [(0, ARGUING, 3, 4), (1, JUDGING, 3, 4), (2, ARGUING, 1, 3)],
)
def test_the_opening_is_not_counted_and_an_exchange_under_way_is(
    exchange: int, phase: str, asked: int, until: int
) -> None:
    folder = debate_at(exchange, phase)
    position = engine.next_turn(folder, asked)
    assert position.header.request == Request(exchanges=asked, until=until)
    assert position.count_exchanges_left() == until - max(exchange, 1)
    hold_until(folder, until)
    assert isinstance(engine.load(folder).due, Done)


@pytest.mark.parametrize(
    ("asked", "exchange", "again", "expected"),
    [(3, 2, 3, (3, 4)), (3, 1, 5, (5, 6)), (2, 1, None, (2, 3)), (1, 2, 1, (1, 3))],
)
def test_a_request_goes_on_until_another_number_replaces_it(
    asked: int, exchange: int, again: int | None, expected: tuple[int, int]
) -> None:
    folder = debate_at(0)
    engine.next_turn(folder, asked)
    hold_until(folder, exchange)
    request = engine.next_turn(folder, again).header.request
    assert request
    assert (request.exchanges, request.until) == expected


def test_a_request_is_for_no_more_exchanges_than_a_header_counts() -> None:
    most = Request(exchanges=999_998, until=999_999)
    assert engine.next_turn(debate_at(0), 10**9).header.request == most


@pytest.mark.parametrize(
    ("held_until", "phase", "is_done"),
    [(1, ARGUING, False), (2, ARGUING, True), (3, ARGUING, True), (2, JUDGING, False)],
)
@pytest.mark.parametrize("more", [1, 2])
def test_who_gives_up_has_a_finished_debate_unless_an_exchange_is_under_way(
    held_until: int, phase: str, more: int, *, is_done: bool
) -> None:
    folder = debate_at(held_until, phase)
    engine.next_turn(folder, more)
    left = Request(exchanges=held_until - 1, until=held_until) if is_done else None
    for _ in range(2):
        position = engine.next_turn(folder, 0)
        assert isinstance(position.due, Done) == is_done
        assert position.header.request == left


def test_a_request_that_moves_the_closing_statements_leaves_a_sound_debate() -> None:
    folder = debate_at(2, closing="on")
    for asked, expected in ((2, 2), (0, 1), (3, 2), (0, 1)):
        engine.next_turn(folder, asked)
        assert engine.load(folder).at.place.round == expected


def test_a_debaters_prompt_begins_with_its_last_one_up_to_the_end_of_the_record() -> None:
    """So that a model that keeps what it has read need not read it again."""
    folder = debate_at(2)
    before, end, _ = prompt_of(folder, "opp").partition("\n</arguments>")
    assert end
    hold(folder)
    hold(folder)
    assert prompt_of(folder, "opp").startswith(before)


def test_a_reply_that_does_not_say_whose_it_is_is_no_other_reply() -> None:
    folder = debate_at(1)
    side = argument(claim="Said by a side that is named in full.")
    put(folder, "prop", {"side": "proposition", "exchange": 1, **side})
    put(folder, "opp", rebuttal("opp", 1))
    assert engine.submit(folder, 2).warnings == []
    values = {"prop": side, "opp": rebuttal("opp", 1)["arguments"]}
    unnamed = {who: written(f"{who}.json", value) for who, value in values.items()}
    assert engine.submit_files(folder, 1, unnamed).already_applied


def test_a_body_and_unknown_keys_survive_every_step_and_undo_byte_for_byte() -> None:
    folder = debate_at(0)
    path = Path(folder.debate_file)
    text = path.read_text("utf-8").replace(
        '"protocol"', '"mine": {"x": [1, null]},\n  "protocol"', 1
    )
    path.write_text(text + "\n## Notes\n\nMy own — text\t\r\n\n\n", encoding="utf-8", newline="")
    body = path.read_bytes().partition(b"\n---\n")[2]
    engine.next_turn(folder, 3)
    hold_until(folder, 2)
    engine.undo(folder)
    assert engine.load(folder).header.request == Request(exchanges=3, until=4)
    assert header_of(folder, "debate.md")["mine"] == {"x": [1, None]}
    assert path.read_bytes().partition(b"\n---\n")[2] == body


def test_undo_sets_replies_to_the_turns_taken_back_aside_and_forgets_refusals() -> None:
    folder = debate_at(1, JUDGING)
    put(folder, "judge", "{}")
    with pytest.raises(engine.RepliesRefusedError):
        engine.submit(folder, 3)
    put(folder, "judge", good_reply("judge", 1))
    position = engine.undo(folder)
    assert [(item.status, item.attempts) for item in position.tasks] == [(engine.WAITING, 0)] * 2
    kept = Path(folder.within("inbox")).rglob("*judge*.reply.json")
    assert [path.parent.name for path in kept] == ["set-aside", "set-aside"]


def test_undo_tells_what_a_stopped_commit_left_as_every_command_does() -> None:
    folder = debate_at(1)
    before = Path(folder.debate_file).read_bytes()
    hold(folder)
    Path(folder.debate_file).write_bytes(before)
    warnings = [fault.sentence() for fault in engine.undo(folder).warnings]
    assert sum("is left by a stopped commit; it is now set-aside/" in w for w in warnings) == 2
