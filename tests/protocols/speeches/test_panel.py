"""A panel in a debate of speeches: blind, in both orders, and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from debate_ops import engine
from debate_ops.engine import RawReply, RepliesRefusedError
from debate_ops.errors import UsageError
from debate_ops.formats.json_text import dumps
from debate_ops.model.debate import Framing

if TYPE_CHECKING:
    from debate_ops.engine import Position

pytestmark = pytest.mark.usefixtures("work")

SIDES = [{"name": "prop", "position": "for it"}, {"name": "opp", "position": "against it"}]


def panel_of(number: int = 3, **settings: Any) -> Position:
    """Return a debate of two speeches whose panel is due."""
    given = {"participants": SIDES, "rounds": 1, "panel": number, "first_answer": "off"} | settings
    made = engine.create("x", Framing("This house would."), protocol="speeches", settings=given)
    for name, text in (("prop", "[prop_000a] Yes."), ("opp", "[opp_000a] No, prop_000a errs.")):
        raw = RawReply(dumps({"text": text}).encode(), "test")
        engine.submit_replies(made.folder, None, {name: raw})
    return engine.next_turn(made.folder)


def ballot(winner: str = "A", **more: Any) -> dict[str, Any]:
    reply = {"winner": winner, "percent": 70, "issues": [], "moved_by": [], "reasons": "So."}
    return reply | more


def submit(position: Position, *replies: dict[str, Any]) -> Position:
    names = [item.task.participant for item in position.tasks]
    raw = {
        name: RawReply(dumps(reply).encode(), "test")
        for name, reply in zip(names, replies, strict=True)
    }
    return engine.submit_replies(position.folder, None, raw).position


def prompts(position: Position) -> dict[str, str]:
    position = engine.next_turn(position.folder)
    texts = {}
    for item in position.tasks:
        with open(item.slot.prompt, encoding="utf-8") as file:
            texts[item.task.participant] = file.read()
    return texts


def faults(position: Position, reply: dict[str, Any]) -> set[str]:
    with pytest.raises(RepliesRefusedError) as refused:
        submit(position, reply)
    return {fault.code for fault in refused.value.faults}


def test_a_view_is_asked_for_before_a_word_of_the_debate_is_shown() -> None:
    for text in prompts(panel_of()).values():
        assert "for it" in text
        assert "Yes." not in text


def test_a_member_reads_letters_for_names_and_every_second_one_the_other_side_first() -> None:
    texts = prompts(panel_of(views="off"))
    assert not any("prop_" in text or "opp_" in text for text in texts.values())
    first, second = texts["member-1"], texts["member-2"]
    assert "Side A: for it" in first
    assert "-speech" not in first  # what was said in another debate bears its own ids
    assert "Side A: against it" in second
    assert first.index("[A_000a] Yes.") < first.index("[B_000a] No, A_000a errs.")
    assert second.index("[A_000a] No, B_000a errs.") < second.index("[B_000a] Yes.")
    assert texts["member-3"].replace("member-3", "member-1") == first


def test_a_letter_goes_on_record_with_the_name_behind_it() -> None:
    done = submit(panel_of(views="off"), ballot("A"), ballot("A"), ballot("nobody"))
    judgments = [done.debate.record.get(i) for i in done.debate.record.ids("judgments")]
    assert [e.header["favours"] for e in judgments if e] == ["prop", "opp", "nobody"]


def test_each_issue_is_decided_once_and_by_its_number() -> None:
    position = panel_of(1, views="off", issues=["One?", "Two?"])
    one = {"issue": 1, "better": "A", "why": "So."}
    assert faults(position, ballot(issues=[one])) == {"issue_missing"}
    assert faults(position, ballot(issues=[one, one])) == {"issue_missing"}
    two = {"issue": 2, "better": "C", "why": "So."}
    assert faults(position, ballot(issues=[one, two])) == {"unknown_winner"}
    assert submit(position, ballot(issues=[one, two | {"better": "even"}]))


def test_what_moved_a_member_is_on_record_under_the_id_that_it_read() -> None:
    position = panel_of(1, views="off")
    assert submit(position, ballot(moved_by=["A_000a", "B_001-speech"]))


def test_what_is_not_in_the_debate_moved_nobody() -> None:
    assert faults(panel_of(1, views="off"), ballot("C", moved_by=["A_009"])) == {
        "unknown_winner",
        "unknown_target",
    }


@pytest.mark.parametrize(("choices", "least"), [((), 50), (("yes", "no", "later"), 34)])
def test_nobody_is_less_sure_of_an_answer_than_chance_is(
    choices: tuple[str, ...], least: int
) -> None:
    listed = [{"name": name, "position": name} for name in choices]
    position = panel_of(1, views="off", choices=listed)
    answer = choices[0] if choices else "A"
    assert faults(position, ballot(answer, percent=least - 1)) == {"percent_too_low"}
    assert submit(position, ballot(answer, percent=least))


@pytest.mark.parametrize("number", [2, -1, 27, True, "two"])
def test_a_panel_is_odd_and_of_25_at_most(number: object) -> None:
    with pytest.raises(UsageError):
        panel_of(panel=number)


def test_a_panel_and_a_single_judge_exclude_each_other() -> None:
    with pytest.raises(UsageError):
        panel_of(judge="one")
