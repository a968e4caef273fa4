"""The rules of the formal protocol alone: pure functions over a record in memory."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import entries, schema
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, LEFT_OUT, Contribution, Entry
from debate_ops.model.turn import Done, Reply, Task, Turn
from debate_ops.model.views import Absence, absence_of
from debate_ops.protocols.formal import rules as formal
from debate_ops.protocols.formal.rules import RULES
from debate_ops.protocols.formal.settings import TACTICS, TRAITS, length_rule, read_personality
from debate_ops.protocols.schedule import COMPLETED, Slot
from tests.every_protocol.test_pages import page
from tests.protocols.stage import (
    NOW,
    Data,
    Stage,
    edited,
    entry_map,
    entry_of,
    value_of,
    with_entries,
    without,
)
from tests.strategies import filled, texts

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate


def good(_: Debate, turn: Turn, task: Task) -> Data:
    if task.participant == "judge":
        points = {"aff": Decimal("25.5"), "neg": 24}
        return {"winner": "aff", "reasons": "Because.", "speaker_points": points}
    said = {"text": f"{task.template} by {task.participant} in {turn.exchange}."}
    return said if task.template == "question" else said | {"citations": [CITED]}


CITED = {"source": "s", "detail": "d"}
STAGE = Stage("formal", good)
PHASES = [kind.phase for kind in formal.KINDS.values()]
PREPARATION, OPENINGS, REBUTTALS, QUESTIONS, ANSWERS, CLOSINGS, BALLOTS = PHASES
SHORT: Data = {"judge": "one", "cross_exam_questions": 1}


def at(phase: str, exchange: int = -1, who: str = "", **chosen: Any) -> Debate:
    return STAGE.until(STAGE.begun(**chosen), phase, exchange, who)


def to_the_end(debate: Debate) -> Debate:
    while debate.state.phase != COMPLETED:
        debate = STAGE.hold(debate)
    return debate


def words(number: int) -> str:
    return " ".join(f"w{n}" for n in range(number))


CHOSEN = st.fixed_dictionaries(
    {
        "cross_exam_questions": st.integers(0, 3),
        "judge": st.sampled_from(["none", "one"]),
        "word_limits": st.sampled_from(["warn", "cut"]),
        "word_limit": st.integers(1, 12),
        "preparation_time": st.sampled_from([0, 60]),
    }
)
TENTHS = st.integers(0, 300).map(lambda points: Decimal(points).scaleb(-1))
BALLOT_CHANGES: Data = {
    "winner": st.sampled_from(["aff", "neg"]),
    "speaker_points": st.fixed_dictionaries({"aff": TENTHS, "neg": TENTHS}),
    "reasons": filled,
}


def some_change(task: Task) -> st.SearchStrategy[Data | None]:
    if task.participant == "judge":
        return st.none() | st.fixed_dictionaries(BALLOT_CHANGES)
    text = texts if task.template == "preparation" else filled
    return st.none() | st.fixed_dictionaries({"text": text})


@given(CHOSEN, st.data())
def test_the_state_follows_every_reply_and_the_record_is_sound(
    chosen: Data, data: st.DataObject
) -> None:
    last = STAGE.follow_the_rules(
        STAGE.begun(**chosen), lambda _, task: data.draw(some_change(task))
    )
    assert isinstance(RULES.next_turn(last, NOW), Done)


@pytest.mark.parametrize(
    ("chosen", "phase", "until", "calls"),
    [
        ({}, PREPARATION, None, 20),
        ({"judge": "one"}, PREPARATION, None, 21),
        ({"cross_exam_questions": 0}, PREPARATION, None, 8),
        ({}, PREPARATION, 1, 2),
        ({}, OPENINGS, 3, 4),
        ({}, REBUTTALS, 2, 0),
    ],
)
def test_calls_left_counts_the_speeches_to_come(
    chosen: Data, phase: str, until: int | None, calls: int
) -> None:
    assert RULES.calls_left(at(phase, **chosen), until) == calls


def test_a_judge_takes_part_only_where_one_is_wanted() -> None:
    assert RULES.participants(STAGE.read()) == {"aff": "debater", "neg": "debater"}
    with_judge = RULES.participants(STAGE.read(judge="one"))
    assert list(with_judge.items())[-1] == ("judge", "judge")


@pytest.mark.parametrize(
    ("exchange", "phase", "place"),
    [
        (2, REBUTTALS, "rebuttals"),
        (3, QUESTIONS, "cross-examination, pair 1"),
        (5, ANSWERS, "cross-examination, pair 3"),
        (7, COMPLETED, "completed"),
    ],
)
def test_a_place_is_told_in_words(exchange: int, phase: str, place: str) -> None:
    assert RULES.place(exchange, phase) == place


@pytest.mark.parametrize("slot", formal.slots(STAGE.read(**SHORT)), ids=lambda slot: slot.label)
def test_an_absence_anywhere_is_recorded_and_the_debate_goes_on(slot: Slot) -> None:
    debate = at(formal.KINDS[slot.kind].phase, slot.exchange, slot.participant, **SHORT)
    debate = STAGE.hold(debate, **{slot.participant: None})
    name = slot.participant
    absence = Absence(slot.absence_id, name, slot.exchange, "skip", "why", "user")
    assert absence_of(value_of(debate, slot.absence_id)) == absence
    last = to_the_end(debate)
    assert slot.id not in entry_map(last)
    assert STAGE.audit_codes(last) == []


def test_a_question_that_was_not_asked_has_no_answer() -> None:
    debate = STAGE.hold(at(QUESTIONS, 3, "aff"), aff=None)
    assert (debate.state.phase, STAGE.asked(debate)) == (QUESTIONS, ["neg"])
    assert "neg_003-answer" not in entry_map(to_the_end(debate))
    debate = STAGE.hold(STAGE.hold(debate), aff=None)
    assert debate.record.ids(JUDGMENTS) == ["aff_003-absence-1", "aff_003-absence-2"]


def test_who_prepared_nothing_in_time_is_absent_only_where_a_time_is_set() -> None:
    timed = STAGE.turn(STAGE.begun(preparation_time=180, time_limit=60))
    assert [(task.on_failure, task.seconds) for task in timed.tasks] == [("absence", 180)] * 2
    assert timed.seconds == 180
    untimed = STAGE.turn(STAGE.begun(time_limit=60))
    assert [(task.on_failure, task.seconds) for task in untimed.tasks] == [("stop", 60)] * 2
    assert untimed.seconds == 0


def test_the_time_limit_holds_for_every_other_reply() -> None:
    debate = STAGE.begun(preparation_time=180, time_limit=60, judge="one")
    while (debate := STAGE.hold(debate)).state.phase != COMPLETED:
        turn = STAGE.turn(debate)
        (task,) = turn.tasks
        assert (task.on_failure, task.seconds, turn.seconds) == ("stop", 60, 0)


@pytest.mark.parametrize("change", [None, {"text": " \n "}])
def test_to_go_without_notes_is_a_warning(change: Data | None) -> None:
    faults, warnings = STAGE.findings(STAGE.begun(), neg=change)
    assert (faults, [(w.code, w.participant) for w in warnings]) == ((), [("no_notes", "neg")])
    opening = STAGE.until(STAGE.hold(STAGE.begun(), neg=change), OPENINGS, 1, "neg")
    assert STAGE.context(opening).shown == {"notes": ()}


def test_what_was_not_given_is_named_and_left_out() -> None:
    debate = STAGE.hold(at(OPENINGS, 1, "neg"), neg=None)
    assert STAGE.context(debate).shown["statements"] == ()
    debate = STAGE.hold(STAGE.until(debate, QUESTIONS), aff=None)
    context = STAGE.context(STAGE.until(debate, CLOSINGS))
    assert "neg_001-opening" not in context.shown["statements"]
    note = context.values["absence_note"]
    assert "the opening of the negative; the question of the affirmative, pair 1" in note


def test_a_side_is_told_who_it_is_and_which_pair_it_is() -> None:
    values = STAGE.context(at(QUESTIONS, 4, "neg")).values
    assert (values["side_name"], values["opponent_name"]) == ("negative", "affirmative")
    assert values["stance"] == "against the motion"
    assert (values["pair"], values["pairs"]) == ("2", "3")


def test_only_a_sides_own_prompts_carry_its_personality() -> None:
    bees = read_personality({"instructions": "Mind the bees."})
    debate, carried = STAGE.begun(affirmative=bees, **SHORT), set()
    while debate.state.phase != COMPLETED:
        for task in STAGE.turn(debate).tasks:
            if "Mind the bees." in str(STAGE.context(debate, task.participant).values):
                carried.add((task.participant, task.template))
        debate = STAGE.hold(debate)
    assert carried == {("aff", kind) for kind in formal.KINDS if kind != "ballot"}


NOTES = Task("aff", "debater", "preparation", "formal-preparation")
SPEECH = Task("aff", "debater", "opening", "formal-statement")
ASKING = Task("aff", "debater", "question", "formal-question")
BALLOT = Task("judge", "judge", "judge", "formal-ballot")


@pytest.mark.parametrize(
    ("task", "value", "expected"),
    [
        (NOTES, {"text": " \n"}, {"text": "", "citations": []}),
        (SPEECH, {"text": " \n"}, {"text": " \n", "citations": []}),
        (SPEECH, "Words.", {"text": "Words.", "citations": []}),
        (SPEECH, {"text": "W", "citations": None}, {"text": "W", "citations": []}),
        (
            SPEECH,
            {"text": "W", "citations": ["s", {"source": "t"}, {"source": "u", "detail": None}]},
            {"text": "W", "citations": [{"source": s, "detail": ""} for s in "stu"]},
        ),
        (
            SPEECH,
            {"side": "Affirmative ", "text": "W"},
            {"participant": "aff", "text": "W", "citations": []},
        ),
        (ASKING, "Why?", {"text": "Why?"}),
        (
            BALLOT,
            {"winner": "Negative", "speaker_points": {"affirmative": 1, "negative": 2}},
            {"winner": "neg", "speaker_points": {"aff": 1, "neg": 2}},
        ),
        (BALLOT, {"winner": ["aff"]}, {"winner": ["aff"]}),
    ],
)
def test_every_usual_form_of_a_reply_is_one_form(task: Task, value: Any, expected: Data) -> None:
    before = repr(value)
    assert RULES.normalise(task, value) == (expected, ())
    assert repr(value) == before


@pytest.mark.parametrize(
    ("word_limits", "codes"),
    [
        ("warn", ([], ["word_limit"])),
        ("reject", (["word_limit"], [])),
        ("cut", ([], ["word_limit"])),
    ],
)
def test_a_long_text_is_told_refused_or_cut(word_limits: str, codes: Any) -> None:
    debate = at(OPENINGS, word_limit=50, word_limits=word_limits)
    actual = STAGE.findings(debate, aff={"text": words(100)})
    assert STAGE.codes(debate, aff={"text": words(100)}) == codes
    (finding,) = (*actual.faults, *actual.warnings)
    assert (finding.participant, finding.where, finding.actual) == ("aff", "$.text", "100 words")
    assert STAGE.codes(debate, aff={"text": words(50)}) == ([], [])


@pytest.mark.parametrize("chosen", [{"word_limit": 0}, {"word_limit": 50, "word_limits": "warn"}])
def test_a_text_is_kept_whole_unless_cutting_is_asked_for(chosen: Data) -> None:
    debate = STAGE.hold(at(OPENINGS, **chosen), aff={"text": words(100)})
    entry = value_of(debate, "aff_001-opening")
    assert (entry.texts["Statement"], entry.data["words"]) == (words(100), 100)
    assert "cut" not in entry.data
    assert LEFT_OUT not in entry.texts


def test_a_cut_text_is_stored_in_two_parts_and_only_the_first_is_shown() -> None:
    debate = at(OPENINGS, word_limit=50, word_limits="cut")
    entry = value_of(STAGE.hold(debate, aff={"text": words(100)}), "aff_001-opening")
    assert entry.texts["Statement"] == words(50) + "..."
    assert entry.texts["Statement"].removesuffix("...") + entry.texts[LEFT_OUT] == words(100)
    assert (entry.data["cut"], entry.data["words"]) == ({"words": 100, "kept": 50}, 50)
    assert "w50" not in "\n".join(entries.lines(entry))


def test_the_limit_holds_for_notes_and_questions_too_and_not_for_the_judge() -> None:
    for phase in (PREPARATION, QUESTIONS):
        debate = at(phase, word_limit=5)
        assert STAGE.codes(debate, aff={"text": words(6)}) == ([], ["word_limit"])
    debate = at(BALLOTS, word_limit=5, judge="one")
    assert STAGE.codes(debate, judge={"reasons": words(600)}) == ([], [])


def test_the_prompt_says_how_long_a_text_may_be() -> None:
    rules = {length_rule(STAGE.read(word_limits=what)) for what in ("warn", "reject", "cut")}
    assert len(rules) == 3
    assert all("500" in rule for rule in rules)
    assert length_rule(STAGE.read(word_limit=0)) not in rules


@pytest.mark.parametrize("what", ["cut", "reject"])
def test_a_rule_for_long_texts_without_a_limit_clashes(what: str) -> None:
    assert len(list(RULES.clashes(STAGE.read(word_limits=what, word_limit=0)))) == 1
    assert list(RULES.clashes(STAGE.read(word_limits=what))) == []
    assert list(RULES.clashes(STAGE.read(word_limit=0))) == []


def test_sources_stand_in_the_header_for_programs_and_in_the_body_for_readers() -> None:
    cited = [{"source": "A", "detail": "two\nlines"}, {"source": "B", "detail": ""}]
    entry = value_of(STAGE.hold(at(OPENINGS), aff={"citations": cited}), "aff_001-opening")
    assert entry.data["citations"] == cited
    assert entry.texts["Sources"] == "A: two lines\nB"


@pytest.mark.parametrize(
    ("aff", "neg", "winner", "codes"),
    [
        (25, 25, "neg", ([], [])),
        (24, 25, "aff", ([], ["low_point_win"])),
        (25, Decimal("24.9"), "neg", ([], ["low_point_win"])),
        (Decimal("25.55"), 24, "aff", (["too_many_decimals"], [])),
        (Decimal("25.50"), Decimal("24.0"), "aff", ([], [])),
    ],
)
def test_points_have_one_decimal_and_may_go_against_the_decision(
    aff: Any, neg: Any, winner: str, codes: tuple[list[str], list[str]]
) -> None:
    change = {"winner": winner, "speaker_points": {"aff": aff, "neg": neg}}
    assert STAGE.codes(at(BALLOTS, **SHORT), judge=change) == codes


@pytest.mark.parametrize(
    "change",
    [
        {"winner": "nobody"},
        {"speaker_points": {"aff": 25}},
        {"speaker_points": {"aff": 25, "neg": 31}},
        {"speaker_points": {"aff": -1, "neg": 3}},
        {"reasons": " "},
    ],
)
def test_a_ballot_of_another_form_breaks_its_schema(change: Data) -> None:
    reply = STAGE.reply(at(BALLOTS, **SHORT), BALLOT, change)
    assert isinstance(reply, Reply)
    assert not schema.accepts(schema.load("formal-ballot"), reply.value)


def stray(entry_id: str, kind: str) -> Entry:
    value = Contribution(entry_id, kind, 1, ARGUMENTS, {"words": 1}, {"Statement": "x"})
    return entry_of(value, WHOLE._replace(step=99))


WHOLE = to_the_end(STAGE.begun(**SHORT))
SKIPPED = to_the_end(STAGE.hold(at(QUESTIONS, 3, "aff", **SHORT), aff=None))


@pytest.mark.parametrize(
    ("damaged", "code"),
    [
        (without(WHOLE, "aff_003-question"), "missing"),
        (without(WHOLE, "aff_001-opening", "neg_001-opening"), "missing"),
        (with_entries(SKIPPED, entry_map(WHOLE)["neg_003-answer"]), "out_of_place"),
        (with_entries(SKIPPED, entry_map(WHOLE)["aff_003-question"]), "out_of_place"),
        (with_entries(WHOLE, stray("aff_001-speech", "speech")), "out_of_place"),
        (with_entries(WHOLE, stray("aff_009-closing", "closing")), "out_of_place"),
        (with_entries(WHOLE, stray("chair_001-rebuttal", "rebuttal")), "out_of_place"),
        (WHOLE._replace(settings=STAGE.read(cross_exam_questions=1)), "out_of_place"),
    ],
    ids=["question", "openings", "answer", "both", "kind", "place", "stranger", "no judge"],
)
def test_an_entry_too_few_or_too_many_is_found(damaged: Debate, code: str) -> None:
    assert code in STAGE.audit_codes(damaged)


@pytest.mark.parametrize(
    ("winner", "wins"), [("aff", True), ("neg", False), ("nobody", False), (None, False)]
)
def test_no_winner_is_told_of_a_ballot_that_contradicts_itself(
    winner: Any,
    wins: bool,  # noqa: FBT001
) -> None:
    done = RULES.next_turn(edited(WHOLE, "judge_005-ballot", winner=winner), NOW)
    assert isinstance(done, Done)
    assert ("wins" in done.reason) is wins
    assert ("contradicts itself" in done.reason) is not wins


@pytest.mark.parametrize("word_limits", ["warn", "cut"])
def test_the_audit_tells_long_texts_again(word_limits: str) -> None:
    debate = at(OPENINGS, word_limit=20, word_limits=word_limits)
    actual = STAGE.audited(STAGE.hold(debate, aff={"text": words(30)}))
    assert actual.faults == ()
    (warning,) = actual.warnings
    assert (warning.code, warning.file) == ("word_limit", "arguments/aff_001-opening.md")
    assert warning.actual == "30 words"


def test_the_page_has_every_trait_and_tactic_and_the_number_of_replies() -> None:
    words = (*TRAITS, *TACTICS, COMPLETED)
    assert all(f"`{word}`" in page("formal") for word in words)
    calls = RULES.calls_left(STAGE.begun(), None)
    assert f"a debate takes {calls} replies" in page("formal")
