"""The rules of the protocol of chairs alone: pure functions over a record in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.errors import BadRecordError
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Task
from debate_ops.protocols.chairs import course, frameworks, names
from debate_ops.protocols.chairs.course import is_quoted, slot_at
from debate_ops.protocols.chairs.rules import RULES
from debate_ops.protocols.schedule import Slot
from tests.protocols.chairs.stage import (
    STAGE,
    THREE,
    begun,
    cut_in,
    evaluated,
    hold,
    is_asked,
    is_over,
    kind_of,
    lively,
    settings,
    straw_man,
    turn_of,
    until,
)
from tests.protocols.memory import MemoryRecord
from tests.protocols.stage import Data, edited, entry_map, header, without
from tests.strategies import texts

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.entries import Entry


def task_of(debate: Debate, participant: str) -> Task:
    return next(task for task in turn_of(debate).tasks if task.participant == participant)


def checked(debate: Debate, who: str, **changes: Any) -> tuple[list[str], list[str]]:
    """Return the codes of faults and warnings of a reply that is good but for some changes."""
    return STAGE.codes(debate, **{who: changes})


def test_a_skipped_speech_has_no_reactions() -> None:
    debate = hold(until(begun(), names.SPEECH, "ann"), ann=None)
    assert is_asked(debate, names.SPEECH, "ben")
    assert "ann_001-absence-30" in entry_map(debate)


@pytest.mark.parametrize("changes", [{"evaluator": None}, {"moderator": None}])
def test_an_absent_reaction_calls_for_nothing(changes: Any) -> None:
    debate = until(begun(), names.EVALUATION)
    asked = hold(debate, **{"evaluator": straw_man(), "moderator": cut_in("ben")} | changes)
    (task,) = turn_of(asked).tasks
    assert kind_of(task) == ("interruption" if "evaluator" in changes else "interjection")
    assert is_asked(hold(asked), names.SPEECH if "moderator" in changes else names.REPLY)


def test_a_speech_answers_the_newest_speech_of_another_chair() -> None:
    debate = begun(participants=THREE, max_exchanges=2)
    for moment in lively(debate):
        debate = moment
    answers = {e.id: e.header["answers"] for e in speeches(debate)}
    assert answers == {
        "ann_001-speech": "cara_000-opening",
        "ben_001-speech": "ann_001-speech",
        "cara_001-speech": "ben_001-speech",
        "ann_002-speech": "cara_001-speech",
        "ben_002-speech": "ann_002-speech",
        "cara_002-speech": "ben_002-speech",
    }


def speeches(debate: Debate) -> list[Entry]:
    return [entry for entry in entry_map(debate).values() if entry.kind == names.SPEECH]


def test_where_nobody_else_has_spoken_a_speech_answers_nothing() -> None:
    debate = until(begun(max_exchanges=1), names.OPENING)
    debate = hold(hold(debate, ann=None, ben=None))
    assert "answers" not in header(debate, "ann_001-speech")
    judged = hold(debate)
    assert header(judged, "evaluator_001-evaluation-1")["judges"] == ["ann_001-speech"]


def cuts(cooldown: int, **chosen: Any) -> list[tuple[str, str]]:
    """Return who cuts in after which speech, where ann does whenever it may."""
    debate = begun(participants=THREE, cooldown=cooldown, max_exchanges=3, **chosen)
    interruptions = []
    while not is_over(debate):
        change: Data = {}
        if is_asked(debate, names.FLOOR):
            past = RULES.past_of(debate)
            slot = RULES.slot_of(past, turn_of(debate), "moderator")
            if "ann" in course.eligible(past, slot):
                interruptions.append(("ann", course.speech_of(past, slot).id))
                change = cut_in("ann")
        debate = hold(debate, moderator=change)
    return interruptions


@pytest.mark.parametrize(
    ("cooldown", "after"),
    [
        (0, ["ben_001", "cara_001", "ben_002", "cara_002", "ben_003", "cara_003"]),
        (1, ["ben_001", "ben_002", "ben_003"]),
        (2, ["ben_001", "ben_002", "ben_003"]),
        (3, ["ben_001", "cara_002"]),
        (50, ["ben_001"]),
    ],
)
def test_a_chair_that_has_cut_in_rests_for_so_many_speeches(
    cooldown: int, after: list[str]
) -> None:
    assert cuts(cooldown) == [("ann", f"{speech}-speech") for speech in after]


def eligible(debate: Debate, exchange: int, place: int) -> tuple[str, ...]:
    """Return who may cut in on a speech."""
    return course.eligible(RULES.past_of(debate), slot_at(exchange, "", names.SPEECH, place))


def test_a_speech_that_was_skipped_does_not_count_for_the_rest() -> None:
    debate = until(begun(participants=THREE, cooldown=1), names.FLOOR, exchange=1)
    debate = hold(debate, moderator=cut_in("cara"))
    debate = hold(until(debate, names.SPEECH, "ben"), ben=None)
    debate = until(debate, names.FLOOR, exchange=1)
    assert eligible(debate, 1, 3) == ("ann", "ben")
    skipped = without(debate, "cara_001-interruption-1")
    assert eligible(skipped, 1, 3) == ("ann", "ben")
    debate = until(debate, names.FLOOR, exchange=2)
    assert eligible(debate, 2, 1) == ("ben", "cara")


@pytest.mark.parametrize("reason", frameworks.REASONS)
def test_an_interruption_attacks_or_defends_only_if_its_reason_is_that(reason: str) -> None:
    asked = cut_in("ben", reason=reason)
    debate = hold(hold(until(begun(), names.FLOOR), moderator=asked))
    interruption = header(debate, "ben_001-interruption-1")
    links = {
        key: interruption[key][0]["type"] for key in ("attacks", "defends") if key in interruption
    }
    challenges = {"factual_correction", "straw_man_detected", "direct_challenge"}
    agrees = {"defends": reason} if reason == "strong_agreement" else {}
    assert links == ({"attacks": reason} if reason in challenges else agrees)


def at_floor(**chosen: Any) -> Debate:
    return until(begun(participants=THREE, **chosen), names.FLOOR)


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({}, []),
        ({"chair": "ann"}, ["not_eligible"]),
        ({"chair": "eve"}, ["not_eligible"]),
        ({"chair": None}, ["not_eligible"]),
        ({"chair": " Ben "}, []),
        ({"reason": None}, ["reason_missing"]),
        ({"trigger": " "}, ["trigger_missing"]),
        ({"urgency": None}, ["urgency_missing"]),
        ({"urgency": 0.7125}, ["too_many_decimals"]),
        ({"urgency": 1}, []),
        ({"trigger": "what nobody said"}, ["not_in_the_speech"]),
        ({"trigger": "TO  be\nheard"}, []),
        ({"chair": 7, "reason": None}, ["reason_missing"]),
        ({"chair": "eve", "urgency": None, "trigger": "x y"}, None),
        ({"interrupt": False}, ["chair_unfitting"]),
        ({"interrupt": False, "chair": None}, []),
        ({"interrupt": False, "chair": None, "urgency": 0.12345}, ["too_many_decimals"]),
    ],
)
def test_a_word_on_the_floor_is_checked(changes: Data, faults: list[str] | None) -> None:
    codes, _ = checked(at_floor(), "moderator", **cut_in("ben") | changes)
    assert codes == (faults or (faults if faults == [] else codes))
    if faults is None:
        assert codes == ["not_eligible", "urgency_missing", "not_in_the_speech"]


@pytest.mark.parametrize(
    ("changes", "warnings"),
    [
        ({"opener": "Wait"}, ["opener_words"]),
        ({"opener": "Wait there"}, []),
        ({"opener": "one two three four five six seven eight"}, []),
        ({"opener": "one two three four five six seven eight nine"}, ["opener_words"]),
        ({"opener": None}, []),
        ({"interrupt": False, "chair": None}, ["unused"]),
        ({"interrupt": False, "chair": None, "reason": None, "trigger": None}, ["unused"]),
    ],
)
def test_what_is_odd_about_the_floor_is_a_warning(changes: Data, warnings: list[str]) -> None:
    assert checked(at_floor(), "moderator", **cut_in("ben") | changes) == ([], warnings)


def part(**keys: Any) -> Data:
    return {"points": 20, "quality": "strong", "notes": ""} | keys


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({}, []),
        ({"steel_manning": None}, ["part_missing"]),
        ({"steel_manning": None, "self_critique": None}, ["part_missing"] * 2),
        ({"steel_manning": part(quality="absent")}, ["absent_with_points"]),
        ({"self_critique": part(quality="absent", points=0)}, []),
        ({"framework_consistency": {"points": 9, "consistent": False}}, ["violation_missing"]),
        (
            {"framework_consistency": {"points": 9, "consistent": True, "violations": ["x"]}},
            ["violation_unfitting"],
        ),
        ({"framework_consistency": {"points": 9, "consistent": False, "violations": "x"}}, []),
        ({"requires_interjection": True}, ["reason_missing"]),
        ({"requires_interjection": True, "interjection_reason": " "}, ["reason_missing"]),
        ({"requires_interjection": True, "interjection_reason": "So."}, []),
        (
            {"steel_manning": part(quality="absent"), "requires_interjection": True},
            ["absent_with_points", "reason_missing"],
        ),
    ],
)
def test_an_evaluation_is_checked_and_every_fault_told(changes: Data, faults: list[str]) -> None:
    codes, _ = checked(until(begun(), names.EVALUATION), "evaluator", **evaluated() | changes)
    assert codes == faults


def test_a_part_that_is_not_judged_is_passed_over_with_a_warning() -> None:
    debate = until(begun(steel_manning="optional"), names.EVALUATION)
    unjudged = {"steel_manning": part(quality="absent", points=25)}
    assert checked(debate, "evaluator", **evaluated() | unjudged) == ([], ["part_not_judged"])
    assert checked(debate, "evaluator", **evaluated() | {"steel_manning": None}) == ([], [])
    judged = header(hold(debate, evaluator=evaluated() | unjudged), "evaluator_001-evaluation-1")
    assert list(judged["parts"]) == [*frameworks.PARTS][1:]
    assert (judged["adherence"], judged["violation"]) == (80, None)


@pytest.mark.parametrize(
    ("quote", "faults"),
    [
        ("to be heard", []),
        ("SPEECH of ann in 1, to be heard.", []),
        ("to be seen", ["not_in_the_speech"]),
        ("Speech of ann, exchange 1", ["not_in_the_speech"]),
        ("A report", ["not_in_the_speech"]),
        ("\u00a0to  be", []),
    ],
)
def test_an_interjection_quotes_the_speech_itself(quote: str, faults: list[str]) -> None:
    cited = {"citations": ["A report"]}
    debate = hold(until(begun(), names.SPEECH, "ann"), ann=cited)
    debate = hold(debate, evaluator=straw_man())
    assert checked(debate, "arbiter", quote=quote) == (faults, [])


@given(texts, st.data())
def test_whatever_a_speech_says_can_be_quoted_from_its_file(text: str, data: st.DataObject) -> None:
    text = f"Words before. {text} Words behind."
    debate = hold(until(begun(max_exchanges=1), names.SPEECH, "ann"), ann={"text": text})
    start = data.draw(st.integers(0, len(text) - 1))
    quote = text[start : data.draw(st.integers(start + 1, len(text)))]
    faults, _ = checked(hold(debate, evaluator=straw_man()), "arbiter", quote=quote)
    assert is_quoted(quote, text) == (faults == []) or is_blank(quote)


@pytest.mark.parametrize(
    ("quote", "text", "is_in"),
    [
        ("the \u201ccommon\u201d good", 'It is the "common" good.', True),
        ("it\u2019s", "It's so.", True),
        ("a  b\nc", "A b c", True),
        ("a c", "A b c", False),
        ("good", "goods", True),
        ("", "anything", False),
        (" ", "a b", False),
        ("\\", "a\\b", True),
        ("1\\. one", "1. one", True),
        (
            "joe@&zwnj;example.org, https\\://example.org",
            "Ask joe@example.org, https://example.org",
            True,
        ),
    ],
)
def test_white_space_case_and_the_form_of_quotes_make_no_difference(
    quote: str, text: str, is_in: Any
) -> None:
    assert is_quoted(quote, text) is is_in


def test_a_reaction_can_be_given_in_other_forms() -> None:
    debate = at_floor()
    value, notes = RULES.normalise(task_of(debate, "moderator"), cut_in("Virtue_Ethics", opener=""))
    assert (value["chair"], value["opener"]) == ("virtue-ethics", None)
    assert len(notes) == 1
    short, notes = RULES.normalise(task_of(debate, "moderator"), {"interrupt": False, "why": "x"})
    assert (short["chair"], short["urgency"], notes) == (None, None, ())
    reply = evaluated() | {
        "intellectual_honesty": {"points": 5, "level": "low", "issues": "a \n b"}
    }
    value, _ = RULES.normalise(task_of(debate, "evaluator"), reply | {"self_critique": None})
    assert value["intellectual_honesty"]["issues"] == ["a b"]
    assert "self_critique" not in value


def test_a_hole_in_the_record_is_where_the_debate_goes_on() -> None:
    *_, last = lively(begun(max_exchanges=2))
    ended = hold(last)
    for gone, state in (
        ("arbiter_000-introduction", (0, "awaiting_introduction")),
        ("ben_000-opening", (0, "awaiting_openings")),
        ("ann_001-speech", (1, "awaiting_speech")),
        ("evaluator_001-evaluation-2", (1, "awaiting_reactions")),
        ("moderator_001-floor-2", (1, "awaiting_reactions")),
        ("arbiter_002-closing", (2, "awaiting_closing")),
    ):
        assert RULES.derive(without(ended, gone).record, ended.settings)[:2] == state, gone


@pytest.mark.parametrize(
    ("entry_id", "keys"),
    [
        ("evaluator_001-evaluation-1", {"interjection": "yes"}),
        ("evaluator_001-evaluation-1", {"violation": "boredom"}),
        ("evaluator_001-evaluation-1", {"parts": 7}),
        ("evaluator_001-evaluation-1", {"parts": {"steel_manning": 7}}),
        ("evaluator_001-evaluation-1", {"parts": {"steel_manning": {"attempted": 1}}}),
        ("evaluator_001-evaluation-1", {"adherence": 101}),
        ("moderator_001-floor-1", {"granted": 1}),
        ("moderator_001-floor-1", {"chair": None}),
        ("moderator_001-floor-1", {"reason": None}),
        ("moderator_001-floor-1", {"trigger": 7}),
    ],
)
def test_a_decision_by_which_nothing_can_go_on_is_refused_by_file_and_key(
    entry_id: str, keys: Data
) -> None:
    debate = until(begun(max_exchanges=1), names.EVALUATION)
    debate = hold(debate, evaluator=straw_man(), moderator=cut_in("ben"))
    debate = debate if entry_id.startswith("evaluator") else hold(debate)
    with pytest.raises(BadRecordError, match=f"{entry_id}.md: {next(iter(keys))} is"):
        RULES.derive(edited(debate, entry_id, **keys).record, debate.settings)


def test_only_the_newest_speech_asks_the_headers_of_its_reactions() -> None:
    """So that a command stays quick in a long debate."""
    *_, last = lively(begun(max_exchanges=3))
    asked: list[str] = []

    class Watched(MemoryRecord):
        def get(self, entry_id: str) -> Entry | None:
            asked.append(entry_id)
            return super().get(entry_id)

    record = Watched(entry_map(last))
    assert RULES.derive(record, last.settings) == last.state
    assert set(asked) == {"evaluator_003-evaluation-2", "moderator_003-floor-2"}
    asked.clear()
    ended = hold(last)
    assert RULES.derive(Watched(entry_map(ended)), ended.settings) == ended.state
    assert asked == []


def test_where_a_reply_of_a_common_turn_was_lost_the_others_are_not_asked_again() -> None:
    debate = without(until(begun(), names.SPEECH), "ben_000-opening")
    assert [task.participant for task in turn_of(debate).tasks] == ["ben"]
    debate = without(until(begun(), names.SPEECH, "ben"), "moderator_001-floor-1")
    assert [task.participant for task in turn_of(debate).tasks] == ["moderator"]


def test_a_long_debate_of_many_chairs_is_quick() -> None:
    """Six chairs and ten exchanges: what comes next is found by looking once at each place."""
    everybody = ",".join(f"c{n}:{f}" for n, f in enumerate(_SIX))
    full = settings(participants=everybody, max_exchanges=10, cooldown=50, aggressiveness=5)
    looked: list[str] = []

    class Ids(frozenset[str]):
        def __contains__(self, key: object) -> bool:
            looked.append(str(key))
            return super().__contains__(key)

    ids = {slot_at(0, "arbiter", names.INTRODUCTION).id}
    ids |= {slot_at(0, f"c{n}", names.OPENING).id for n in range(6)}
    for speech in course.speeches(RULES.past(full, ())):
        ids.add(speech.id)
        ids.add(course.about(speech, "evaluator", names.EVALUATION).id)
        ids.add(course.about(speech, "moderator", names.FLOOR).id)
    past = RULES.past(full, ids)
    counted = past._replace(ids=Ids(past.ids), filled=Ids(past.filled))
    due = next(RULES.coming(counted))
    assert isinstance(due, Slot)
    assert (due.exchange, due.kind) == (10, names.CLOSING)
    assert len(looked) < 10 * 60 * 3


_SIX = ("utilitarian", "virtue_ethics", "deontological", "pragmatic", "libertarian", "care_ethics")


def test_a_reason_without_an_interjection_is_left_out_with_a_warning() -> None:
    debate = until(begun(), names.EVALUATION)
    reason = {"interjection_reason": "Perhaps."}
    assert checked(debate, "evaluator", **evaluated() | reason) == ([], ["reason_unused"])
    value = entry_map(hold(debate, evaluator=evaluated() | reason))["evaluator_001-evaluation-1"]
    assert "Perhaps" not in value.body
