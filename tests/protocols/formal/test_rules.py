"""The rules of the formal protocol alone: pure functions over a record in memory."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.audit import audit
from debate_ops.formats import entries, front, schema
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    LEFT_OUT,
    Absence,
    Contribution,
    Entry,
    Value,
)
from debate_ops.model.turn import Absent, Done, Reply, Task, Turn
from debate_ops.protocols.formal import personality
from debate_ops.protocols.formal import rules as formal
from debate_ops.protocols.formal.rules import RULES
from debate_ops.protocols.schedule import COMPLETED, Slot
from debate_ops.storage.record import step_after
from tests.protocols.memory import MemoryRecord
from tests.strategies import filled, json_values, texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from debate_ops.model.turn import Checked
    from debate_ops.protocols.base import Replies

Data = dict[str, Any]

NOW = "2026-01-01T00:00:00Z"
DEFAULTS = {setting.name: setting.read(setting.default) for setting in RULES.SETTINGS}
PHASES = [kind.phase for kind in formal.KINDS.values()]


def begun(**chosen: Any) -> Debate:
    settings = DEFAULTS | chosen
    empty = MemoryRecord({})
    return Debate("x", "formal", 0, RULES.derive(empty, settings), settings, empty)


def entry_of(value: Value, step: int) -> Entry:
    """Return the entry that a value becomes, by way of its file."""
    text = entries.render(value, entries.Stamp(step, "", NOW, {}, {}, {}))
    file = front.parse(text, value.id)
    return Entry(value.id, entries.folder(value), file.header, file.body)


def turn_of(debate: Debate) -> Turn:
    turn = RULES.next_turn(debate, NOW)
    assert isinstance(turn, Turn)
    return turn


def given_to(debate: Debate, replies: Replies) -> Debate:
    """Return the debate after checked replies to its turn."""
    turn = turn_of(debate)
    assert RULES.check(debate, turn, replies).faults == ()
    step = RULES.record(debate, turn, replies)
    assert step.entries
    held = dict(entry_map(debate))
    held |= {value.id: entry_of(value, debate.step) for value in step.entries}
    return debate._replace(step=debate.step + 1, state=step.state, record=MemoryRecord(held))


def entry_map(debate: Debate) -> Mapping[str, Entry]:
    assert isinstance(debate.record, MemoryRecord)
    return debate.record.entries


def good(task: Task, turn: Turn) -> Data:
    naming = {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}
    if task.participant == "judge":
        points = {"aff": Decimal("25.5"), "neg": 24}
        return naming | {"winner": "aff", "reasons": "Because.", "speaker_points": points}
    said = f"{task.template} by {task.participant} in {turn.exchange}."
    if task.template == "question":
        return naming | {"text": said}
    return naming | {"text": said, "citations": [{"source": "s", "detail": "d"}]}


def replied(debate: Debate, **changes: Data | None) -> dict[str, Reply | Absent]:
    """Return good replies to the turn that is due, changed by participant; None is an absence."""
    turn = turn_of(debate)
    found: dict[str, Reply | Absent] = {}
    for task in turn.tasks:
        changed = changes.get(task.participant, {})
        if changed is None:
            found[task.participant] = Absent(task.participant, "skip", "why")
        else:
            plain, notes = RULES.normalise(task, good(task, turn) | changed)
            assert notes == ()
            assert schema.accepts(schema.load(task.schema), plain)
            found[task.participant] = Reply(task.participant, plain)
    return found


def hold(debate: Debate, **changes: Data | None) -> Debate:
    return given_to(debate, replied(debate, **changes))


def at(exchange: int, phase: str, participant: str = "", **chosen: Any) -> Debate:
    """Return a debate that waits there, for this participant."""
    return going_on(begun(**chosen), exchange, phase, participant)


def going_on(debate: Debate, exchange: int, phase: str, participant: str = "") -> Debate:
    while not is_there(debate, exchange, phase, participant):
        debate = hold(debate)
    return debate


def is_there(debate: Debate, exchange: int, phase: str, participant: str) -> bool:
    if (debate.state.exchange, debate.state.phase) != (exchange, phase):
        return False
    asked = [task.participant for task in turn_of(debate).tasks]
    return not participant or participant in asked


def finished(**chosen: Any) -> Debate:
    return to_the_end(begun(**chosen))


def to_the_end(debate: Debate) -> Debate:
    while debate.state.phase != COMPLETED:
        debate = hold(debate)
    return debate


def audited(debate: Debate) -> list[str]:
    """Return the codes of the faults, then of the warnings, of a record."""
    result = audit_of(debate)
    return [finding.code for finding in (*result.faults, *result.warnings)]


def audit_of(debate: Debate) -> Checked:
    values = [(entry, entries.parse(entry)) for entry in entry_map(debate).values()]
    return audit(RULES, values, debate.settings)


def values_of(debate: Debate) -> list[Value]:
    return [entries.parse(entry) for entry in entry_map(debate).values()]


# ---------------------------------------------------------------- laws, over whole debates

choices = st.fixed_dictionaries(
    {
        "cross_exam_questions": st.integers(0, 3),
        "judge": st.sampled_from(["none", "one"]),
        "word_limits": st.sampled_from(["warn", "cut"]),
        "word_limit": st.integers(1, 12),
        "preparation_time": st.sampled_from([0, 60]),
    }
)


@given(choices, st.data())
def test_the_state_follows_and_every_reply_is_recalled(chosen: Data, data: st.DataObject) -> None:
    debate = begun(**chosen)
    while debate.state.phase != COMPLETED:
        turn = turn_of(debate)
        changes = {task.participant: data.draw(some_change(task)) for task in turn.tasks}
        replies = replied(debate, **changes)
        after = given_to(debate, replies)
        assert RULES.derive(after.record, after.settings) == after.state
        assert step_after(after.record) == after.step
        recall_gives_back(after, turn, replies)
        assert RULES.calls_left(after, None) < RULES.calls_left(debate, None)
        debate = after
    assert RULES.calls_left(debate, None) == 0
    assert isinstance(RULES.next_turn(debate, NOW), Done)
    assert [code for code in audited(debate) if code != "word_limit"] == []


def some_change(task: Task) -> st.SearchStrategy[Data | None]:
    if task.participant == "judge":
        tenths = st.integers(0, 300).map(lambda points: Decimal(points).scaleb(-1))
        points = st.fixed_dictionaries({"aff": tenths, "neg": tenths})
        return st.none() | st.fixed_dictionaries(
            {
                "winner": st.sampled_from(["aff", "neg"]),
                "speaker_points": points,
                "reasons": filled,
            }
        )
    text = texts if task.template == "preparation" else filled
    return st.none() | st.fixed_dictionaries({"text": text})


def recall_gives_back(debate: Debate, turn: Turn, replies: Replies) -> None:
    for task in turn.tasks:
        same_step = [
            entries.parse(entry)
            for entry in entry_map(debate).values()
            if entry.step == turn.step and entry.participant == task.participant
        ]
        reply = replies[task.participant]
        expected = dict(reply.value) if isinstance(reply, Reply) else None
        assert RULES.recall(same_step, turn, task) == expected


@given(json_values, st.sampled_from([(0, PHASES[0]), (3, PHASES[3]), (4, PHASES[6])]))
def test_whatever_a_reply_holds_the_check_ends(value: Any, where: tuple[int, str]) -> None:
    debate = at(*where, judge="one", cross_exam_questions=where[0] % 4 and 1 - where[0] // 4)
    turn = turn_of(debate)
    for task in turn.tasks:
        plain, _ = RULES.normalise(task, value)
        RULES.check(debate, turn, {task.participant: Reply(task.participant, plain)})


KEYS = ("participant", "side", "text", "citations", "source", "winner", "speaker_points", "aff")
SHAPED = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 40) | st.sampled_from(["aff", "negative", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=12,
)


@given(SHAPED)
def test_whatever_stands_under_known_keys_the_check_ends_and_the_form_is_one(value: Any) -> None:
    for where in ((0, PHASES[0]), (3, PHASES[3]), (5, PHASES[6])):
        debate = at(*where, judge="one", cross_exam_questions=1)
        turn = turn_of(debate)
        for task in turn.tasks:
            plain, _ = RULES.normalise(task, value)
            RULES.check(debate, turn, {task.participant: Reply(task.participant, plain)})
            assert RULES.normalise(task, plain) == (plain, ())


# ---------------------------------------------------------------- the course


def test_a_debate_begins_with_both_sides_preparing_at_once() -> None:
    debate = begun()
    assert debate.state == State(0, "awaiting_preparation", {})
    assert turn_of(debate).tasks == (
        Task("aff", "debater", "preparation", "formal-preparation"),
        Task("neg", "debater", "preparation", "formal-preparation"),
    )


def test_every_speech_is_a_step_of_its_own_in_the_order_of_the_rounds() -> None:
    debate = begun(cross_exam_questions=1, judge="one")
    seen = []
    while debate.state.phase != COMPLETED:
        turn = turn_of(debate)
        asked = " ".join(task.participant for task in turn.tasks)
        seen.append((turn.step, turn.exchange, turn.phase, asked, turn.tasks[0].template))
        debate = hold(debate)
    assert seen == [
        (0, 0, "awaiting_preparation", "aff neg", "preparation"),
        (1, 1, "awaiting_openings", "aff", "opening"),
        (2, 1, "awaiting_openings", "neg", "opening"),
        (3, 2, "awaiting_rebuttals", "aff", "rebuttal"),
        (4, 2, "awaiting_rebuttals", "neg", "rebuttal"),
        (5, 3, "awaiting_questions", "aff", "question"),
        (6, 3, "awaiting_answers", "neg", "answer"),
        (7, 3, "awaiting_questions", "neg", "question"),
        (8, 3, "awaiting_answers", "aff", "answer"),
        (9, 4, "awaiting_closings", "aff", "closing"),
        (10, 4, "awaiting_closings", "neg", "closing"),
        (11, 5, "awaiting_ballot", "judge", "judge"),
    ]
    assert debate.state == State(5, "completed", {})
    assert sorted(debate.record.ids(ARGUMENTS), key=lambda i: entry_map(debate)[i].step) == [
        *("aff_000-preparation", "neg_000-preparation", "aff_001-opening", "neg_001-opening"),
        *("aff_002-rebuttal", "neg_002-rebuttal", "aff_003-question", "neg_003-answer"),
        *("neg_003-question", "aff_003-answer", "aff_004-closing", "neg_004-closing"),
    ]
    assert debate.record.ids(JUDGMENTS) == ["judge_005-ballot"]


@pytest.mark.parametrize("questions", [0, 1, 3])
def test_as_many_pairs_of_questions_are_asked_as_the_settings_say(questions: int) -> None:
    debate = finished(cross_exam_questions=questions)
    kinds = [entry.kind for entry in entry_map(debate).values()]
    assert (kinds.count("question"), kinds.count("answer")) == (2 * questions, 2 * questions)
    assert debate.state.exchange == 3 + questions
    assert RULES.last_exchange(debate.settings) == 3 + questions


@pytest.mark.parametrize(
    ("chosen", "exchange", "until", "calls"),
    [
        ({}, 0, None, 20),
        ({"judge": "one"}, 0, None, 21),
        ({"cross_exam_questions": 0}, 0, None, 8),
        ({}, 0, 1, 2),
        ({}, 1, 3, 4),
        ({}, 2, 2, 0),
    ],
)
def test_calls_left_counts_the_speeches_to_come(
    chosen: Data, exchange: int, until: int | None, calls: int
) -> None:
    assert RULES.calls_left(at(exchange, PHASES[exchange], **chosen), until) == calls


def test_a_completed_debate_says_so() -> None:
    done = RULES.next_turn(finished(), NOW)
    assert done == Done("every speech is given")
    done = RULES.next_turn(finished(judge="one"), NOW)
    assert isinstance(done, Done)
    assert re.fullmatch(r"every speech is given; the \w+ wins by one judge's ballot", done.reason)


def test_a_judge_takes_part_only_where_one_is_wanted() -> None:
    assert RULES.participants(DEFAULTS) == {"aff": "debater", "neg": "debater"}
    wanted = RULES.participants(DEFAULTS | {"judge": "one"})
    assert list(wanted.items())[-1] == ("judge", "judge")


@pytest.mark.parametrize(
    ("exchange", "phase", "words"),
    [
        (0, "awaiting_preparation", "preparation"),
        (1, "awaiting_openings", "openings"),
        (2, "awaiting_rebuttals", "rebuttals"),
        (3, "awaiting_questions", "cross-examination, pair 1"),
        (5, "awaiting_answers", "cross-examination, pair 3"),
        (6, "awaiting_closings", "closings"),
        (7, "awaiting_ballot", "ballot"),
        (7, "completed", "completed"),
    ],
)
def test_a_place_is_told_in_words(exchange: int, phase: str, words: str) -> None:
    assert RULES.place(exchange, phase) == words


@pytest.mark.parametrize(
    ("debate", "participant", "why"),
    [
        (at(1, PHASES[1], "aff"), "neg", "the opening of the negative comes after the opening of"),
        (at(1, PHASES[1], "neg"), "aff", "the rebuttals come after the openings"),
        (at(2, PHASES[2], "neg"), "aff", "the cross-examination comes after the rebuttals"),
        (at(3, PHASES[3], "aff"), "neg", "comes after the question of the affirmative, pair 1"),
        (at(5, PHASES[4], "aff"), "neg", "the closings come after the cross-examination"),
        (at(6, PHASES[5], judge="one"), "judge", "the ballot comes after the closings"),
        (at(6, PHASES[5], "neg"), "aff", "it has given all it has to give"),
    ],
)
def test_who_is_not_asked_is_told_what_comes_first(
    debate: Debate, participant: str, why: str
) -> None:
    assert why in RULES.why_not_asked(debate, turn_of(debate), participant)


# ---------------------------------------------------------------- absences


@pytest.mark.parametrize("slot", formal.slots(DEFAULTS | {"judge": "one"}), ids=lambda s: s.label)
def test_an_absence_anywhere_is_recorded_and_the_debate_goes_on(slot: Slot) -> None:
    phase = formal.KINDS[slot.kind].phase
    debate = at(slot.exchange, phase, slot.participant, judge="one")
    if slot.kind != "preparation":
        assert [t.participant for t in turn_of(debate).tasks] == [slot.participant]
    after = hold(debate, **{slot.participant: None})
    absence = entries.parse(entry_map(after)[slot.absence_id])
    assert absence == Absence(
        slot.absence_id, slot.participant, slot.exchange, "skip", "why", "user"
    )
    assert RULES.derive(after.record, after.settings) == after.state
    end = to_the_end(after)
    assert slot.id not in entry_map(end)
    assert audited(end) == []


def test_a_question_that_was_not_asked_has_no_answer() -> None:
    debate = hold(at(3, "awaiting_questions", "aff"), aff=None)
    turn = turn_of(debate)
    assert (turn.phase, turn.tasks[0].participant) == ("awaiting_questions", "neg")
    end = to_the_end(debate)
    assert "neg_003-answer" not in entry_map(end)
    assert "aff_003-absence-1" in entry_map(end)


def test_absences_of_one_side_in_one_exchange_never_collide() -> None:
    debate = hold(at(3, "awaiting_questions", "aff"), aff=None)
    debate = hold(hold(debate), aff=None)
    assert debate.record.ids(JUDGMENTS) == ["aff_003-absence-1", "aff_003-absence-2"]


def test_a_debate_of_absences_alone_comes_to_its_end() -> None:
    debate = begun(judge="one")
    while debate.state.phase != COMPLETED:
        debate = hold(debate, aff=None, neg=None, judge=None)
        assert RULES.derive(debate.record, debate.settings) == debate.state
    assert debate.record.ids(ARGUMENTS) == []
    assert audited(debate) == []


def test_who_prepared_nothing_in_time_is_absent_only_where_a_time_is_set() -> None:
    timed = turn_of(begun(preparation_time=180, time_limit=60))
    assert [(task.on_failure, task.seconds) for task in timed.tasks] == [("absence", 180)] * 2
    assert timed.seconds == 180
    untimed = turn_of(begun(time_limit=60))
    assert [(task.on_failure, task.seconds) for task in untimed.tasks] == [("stop", 60)] * 2
    assert untimed.seconds == 0


def test_the_time_limit_holds_for_every_other_reply() -> None:
    debate = begun(preparation_time=180, time_limit=60, judge="one")
    while (debate := hold(debate)).state.phase != COMPLETED:
        turn = turn_of(debate)
        (task,) = turn.tasks
        assert (task.on_failure, task.seconds, turn.seconds) == ("stop", 60, 0)


@pytest.mark.parametrize("change", [None, {"text": ""}, {"text": " \n "}])
def test_to_go_without_notes_is_a_warning(change: Data | None) -> None:
    debate = begun()
    found = RULES.check(debate, turn_of(debate), replied(debate, neg=change))
    assert [(w.code, w.participant) for w in found.warnings] == [("no_notes", "neg")]
    assert found.faults == ()
    after = hold(debate, neg=change)
    shown = context_of(hold(after)).shown
    assert shown == {"notes": ()}


# ---------------------------------------------------------------- contexts

OTHERS = {"aff": "neg", "neg": "aff"}


def context_of(debate: Debate) -> Any:
    turn = turn_of(debate)
    return RULES.context(debate, turn, turn.tasks[0])


@pytest.mark.parametrize("side", ["aff", "neg"])
def test_in_the_preparation_nothing_is_shown(side: str) -> None:
    debate = begun()
    turn = turn_of(debate)
    task = next(task for task in turn.tasks if task.participant == side)
    told = RULES.context(debate, turn, task)
    assert (told.shown, told.listed, told.scores) == ({}, {}, None)


@pytest.mark.parametrize("side", ["aff", "neg"])
def test_an_opening_is_given_its_own_notes_alone(side: str) -> None:
    told = context_of(at(1, "awaiting_openings", side))
    assert told.shown == {"notes": (f"{side}_000-preparation",)}


@pytest.mark.parametrize("side", ["aff", "neg"])
def test_a_rebuttal_is_given_the_opening_of_the_other_side_alone(side: str) -> None:
    told = context_of(at(2, "awaiting_rebuttals", side))
    assert told.shown == {
        "notes": (f"{side}_000-preparation",),
        "statements": (f"{OTHERS[side]}_001-opening",),
    }


@pytest.mark.parametrize("side", ["aff", "neg"])
@pytest.mark.parametrize("pair", [1, 3])
def test_a_question_is_given_what_the_other_side_said_and_ones_own_earlier_questions(
    side: str, pair: int
) -> None:
    told = context_of(at(2 + pair, "awaiting_questions", side))
    other = OTHERS[side]
    assert told.shown == {
        "notes": (f"{side}_000-preparation",),
        "statements": (f"{other}_001-opening", f"{other}_002-rebuttal"),
        "entries": tuple(
            i
            for n in range(3, 2 + pair)
            for i in (f"{side}_{n:03d}-question", f"{other}_{n:03d}-answer")
        ),
    }
    assert (told.values["pair"], told.values["pairs"]) == (str(pair), "3")


@pytest.mark.parametrize("side", ["aff", "neg"])
def test_an_answer_is_given_the_question_besides_and_nothing_twice(side: str) -> None:
    told = context_of(at(4, "awaiting_answers", side))
    other = OTHERS[side]
    assert told.shown == {
        "notes": (f"{side}_000-preparation",),
        "statements": (f"{other}_001-opening", f"{other}_002-rebuttal"),
        "question": (f"{other}_004-question",),
    }


ROUNDS = (
    *("aff_001-opening", "neg_001-opening", "aff_002-rebuttal", "neg_002-rebuttal"),
    *("aff_003-question", "neg_003-answer", "neg_003-question", "aff_003-answer"),
)
CLOSINGS = ("aff_004-closing", "neg_004-closing")


@pytest.mark.parametrize("side", ["aff", "neg"])
def test_a_closing_is_given_every_round_but_no_closing_and_no_notes_of_the_other(side: str) -> None:
    told = context_of(at(4, "awaiting_closings", side, cross_exam_questions=1))
    assert told.shown == {"notes": (f"{side}_000-preparation",), "statements": ROUNDS}


def test_the_judge_is_given_everything_but_the_notes() -> None:
    debate = at(5, "awaiting_ballot", cross_exam_questions=1, judge="one")
    told = context_of(debate)
    assert told.shown == {"statements": (*ROUNDS, *CLOSINGS)}
    ballot = hold(debate).record.get("judge_005-ballot")
    assert ballot
    assert ballot.header["judges"] == [*ROUNDS, *CLOSINGS]


def test_notes_and_the_question_are_never_shortened() -> None:
    for phase in ("awaiting_rebuttals", "awaiting_questions", "awaiting_answers"):
        told = context_of(at(2 + (phase != "awaiting_rebuttals"), phase))
        assert set(told.may_shorten) == set(told.shown) - {"notes", "question"}


def test_what_was_not_given_is_named_and_left_out() -> None:
    debate = hold(at(1, "awaiting_openings", "neg"), neg=None)
    told = context_of(debate)
    assert told.shown["statements"] == ()
    assert "Not given: the opening of the negative." in told.values["absence_note"]
    debate = going_on(debate, 3, "awaiting_questions")
    debate = hold(debate, aff=None)
    told = context_of(going_on(debate, 6, "awaiting_closings"))
    assert "neg_001-opening" not in told.shown["statements"]
    assert told.values["absence_note"].startswith(
        "Not given: the opening of the negative; the question of the affirmative, pair 1."
    )


def test_where_all_was_given_nothing_is_said_of_absences() -> None:
    assert context_of(at(6, "awaiting_closings")).values["absence_note"] == ""


def test_a_side_is_told_who_it_is() -> None:
    told = context_of(at(2, "awaiting_rebuttals", "neg")).values
    assert (told["side_name"], told["opponent_name"]) == ("negative", "affirmative")
    assert told["stance"] == "against the motion"


def test_an_entry_is_labelled_by_its_round_and_side() -> None:
    held = entry_map(at(4, "awaiting_closings", "neg", cross_exam_questions=1))
    labels = [entries.lines(entries.parse(held[i]))[0] for i in ("aff_002-rebuttal", *ROUNDS[5:7])]
    assert labels == [
        "Title: Rebuttal of the affirmative",
        "Title: Answer of the negative, pair 1",
        "Title: Question of the negative, pair 1",
    ]


def test_only_a_sides_own_prompts_carry_its_personality() -> None:
    chosen = {"affirmative": personality.read({"instructions": "Mind the bees."})}
    debate = begun(judge="one", **chosen)
    carried = []
    while debate.state.phase != COMPLETED:
        turn = turn_of(debate)
        carried += [
            (task.participant, task.template)
            for task in turn.tasks
            if "Mind the bees." in str(RULES.context(debate, turn, task).values)
        ]
        debate = hold(debate)
    assert {participant for participant, _ in carried} == {"aff"}
    assert {template for _, template in carried} == set(formal.KINDS) - {"ballot"}


# ---------------------------------------------------------------- forms of a reply

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
        (SPEECH, ["a", "b"], {"text": ["a", "b"], "citations": []}),
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


def test_a_reply_in_a_list_is_taken_out_of_it_with_a_note() -> None:
    value, (note,) = RULES.normalise(ASKING, [{"text": "Why?"}])
    assert value == {"text": "Why?"}
    assert "list" in note


@pytest.mark.parametrize("phase", ["awaiting_openings", "awaiting_questions", "awaiting_ballot"])
def test_a_reply_without_text_breaks_its_schema(phase: str) -> None:
    kind = formal.KINDS[RULES.kind_of(phase).name]
    for blank in ("", "  \n"):
        assert not schema.accepts(schema.load(kind.schema), {"text": blank, "citations": []})


# ---------------------------------------------------------------- words


def long(number: int) -> str:
    return " ".join(f"w{n}" for n in range(number))


@pytest.mark.parametrize(
    ("word_limits", "faults", "warnings"),
    [("warn", 0, 1), ("reject", 1, 0), ("cut", 0, 1)],
)
def test_a_long_text_is_told_refused_or_cut(word_limits: str, faults: int, warnings: int) -> None:
    chosen: Data = {"word_limit": 50, "word_limits": word_limits}
    debate = at(1, "awaiting_openings", **chosen)
    found = RULES.check(debate, turn_of(debate), replied(debate, aff={"text": long(100)}))
    assert (len(found.faults), len(found.warnings)) == (faults, warnings)
    (told,) = (*found.faults, *found.warnings)
    assert (told.code, told.participant, told.where) == ("word_limit", "aff", "$.text")
    assert "100 words" in told.message
    assert "50" in told.message
    assert RULES.check(debate, turn_of(debate), replied(debate, aff={"text": long(50)})) == ((), ())


@pytest.mark.parametrize("chosen", [{"word_limit": 0}, {"word_limit": 50, "word_limits": "warn"}])
def test_a_text_is_kept_whole_unless_cutting_is_asked_for(chosen: Data) -> None:
    debate = hold(at(1, "awaiting_openings", **chosen), aff={"text": long(100)})
    entry = entry_map(debate)["aff_001-opening"]
    kept = entries.parse(entry)
    assert isinstance(kept, Contribution)
    assert kept.texts["Statement"] == long(100)
    assert kept.data["words"] == 100
    assert not {"cut"} & kept.data.keys()
    assert LEFT_OUT not in kept.texts


def test_a_cut_text_is_stored_in_two_parts_and_only_the_first_is_shown() -> None:
    chosen: Data = {"word_limit": 50, "word_limits": "cut"}
    debate = hold(at(1, "awaiting_openings", **chosen), aff={"text": long(100)})
    kept = entries.parse(entry_map(debate)["aff_001-opening"])
    assert isinstance(kept, Contribution)
    assert kept.texts["Statement"] == long(50) + "..."
    assert kept.texts["Statement"].removesuffix("...") + kept.texts[LEFT_OUT] == long(100)
    assert kept.data["cut"] == {"words": 100, "kept": 50}
    assert kept.data["words"] == 50
    assert "w50" not in "\n".join(entries.lines(kept))


def test_the_limit_holds_for_notes_and_questions_too_and_not_for_the_judge() -> None:
    for exchange, phase in ((0, PHASES[0]), (3, PHASES[3])):
        debate = at(exchange, phase, word_limit=5)
        found = RULES.check(debate, turn_of(debate), replied(debate, aff={"text": long(6)}))
        assert [warning.code for warning in found.warnings] == ["word_limit"]
    debate = at(7, "awaiting_ballot", word_limit=5, judge="one")
    replies = replied(debate, judge={"reasons": long(600)})
    assert RULES.check(debate, turn_of(debate), replies) == ((), ())


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"word_limit": 0}, "No length"),
        ({"word_limit": 7}, "At most 7 words. Words are counted"),
        ({"word_limits": "reject"}, "At most 500 words. A longer text is refused"),
        ({"word_limits": "cut"}, "At most 500 words. What goes beyond is cut off"),
    ],
)
def test_the_prompt_says_how_long_a_text_may_be(chosen: Data, said: str) -> None:
    assert formal.length_rule(DEFAULTS | chosen).startswith(said)


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize("what", ["cut", "reject"])
def test_a_rule_for_long_texts_without_a_limit_clashes(what: str) -> None:
    (problem,) = RULES.clashes(DEFAULTS | {"word_limits": what, "word_limit": 0})
    assert what in problem
    assert list(RULES.clashes(DEFAULTS | {"word_limits": what})) == []
    assert list(RULES.clashes(DEFAULTS | {"word_limit": 0})) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cross_exam_questions", -1),
        ("cross_exam_questions", 101),
        ("word_limit", Decimal("1.5")),
        ("time_limit", -1),
        ("time_limit", 604_801),
        ("preparation_time", True),
        ("show_preparation", False),
        ("judge", "two"),
        ("word_limits", "ignore"),
        ("affirmative", "random"),
    ],
)
def test_a_value_that_a_setting_cannot_have_is_refused(name: str, value: Any) -> None:
    setting = next(s for s in RULES.SETTINGS if s.name == name)
    with pytest.raises(ValueError):  # noqa: PT011  (the engine words it)
        setting.read(value)


# ---------------------------------------------------------------- speeches and the ballot


def test_sources_stand_in_the_header_for_programs_and_in_the_body_for_readers() -> None:
    cited = [{"source": "A", "detail": "two\nlines"}, {"source": "B", "detail": ""}]
    debate = hold(at(1, "awaiting_openings"), aff={"citations": cited})
    kept = entries.parse(entry_map(debate)["aff_001-opening"])
    assert isinstance(kept, Contribution)
    assert kept.data["citations"] == cited
    assert kept.texts["Sources"] == "A: two lines\nB"


def test_an_answer_names_its_question() -> None:
    debate = hold(at(3, "awaiting_answers", "neg"))
    assert entry_map(debate)["neg_003-answer"].header["answers"] == "aff_003-question"


def ballot(**changes: Any) -> tuple[list[str], list[str]]:
    """Return the codes of faults and of warnings that such a ballot brings."""
    debate = at(7, "awaiting_ballot", judge="one")
    turn = turn_of(debate)
    plain, _ = RULES.normalise(BALLOT, good(BALLOT, turn) | changes)
    found = RULES.check(debate, turn, {"judge": Reply("judge", plain)})
    return [f.code for f in found.faults], [w.code for w in found.warnings]


@pytest.mark.parametrize(
    ("aff", "neg", "winner", "codes"),
    [
        (25, 24, "aff", ([], [])),
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
    assert ballot(winner=winner, speaker_points={"aff": aff, "neg": neg}) == codes


@pytest.mark.parametrize(
    "change",
    [
        {"winner": "nobody"},
        {"winner": None},
        {"speaker_points": {"aff": 25}},
        {"speaker_points": {"aff": 25, "neg": 31}},
        {"speaker_points": {"aff": -1, "neg": 3}},
        {"reasons": " "},
    ],
)
def test_a_ballot_of_another_form_breaks_its_schema(change: Data) -> None:
    turn = turn_of(at(7, "awaiting_ballot", judge="one"))
    plain, _ = RULES.normalise(BALLOT, good(BALLOT, turn) | change)
    assert not schema.accepts(schema.load("formal-ballot"), plain)


def test_a_ballot_tells_its_decision_to_readers() -> None:
    debate = hold(at(7, "awaiting_ballot", judge="one"))
    kept = entries.parse(entry_map(debate)["judge_007-ballot"])
    assert isinstance(kept, Contribution)
    assert kept.texts == {
        "Decision": "The affirmative wins. Speaker points: affirmative 25.5, negative 24.",
        "Reasons": "Because.",
    }
    assert kept.data["winner"] == "aff"
    assert kept.data["speaker_points"] == {"aff": Decimal("25.5"), "neg": 24}
    assert kept.data["title"] == "Ballot for the affirmative"


# ---------------------------------------------------------------- audit


def edited(debate: Debate, entry_id: str, **changes: Any) -> Debate:
    entry = entry_map(debate)[entry_id]
    return with_entries(debate, entry._replace(header=dict(entry.header) | changes))


def with_entries(debate: Debate, *added: Entry) -> Debate:
    held = dict(entry_map(debate)) | {entry.id: entry for entry in added}
    return debate._replace(record=MemoryRecord(held))


def without(debate: Debate, *ids: str) -> Debate:
    held = {i: entry for i, entry in entry_map(debate).items() if i not in ids}
    assert len(held) == len(entry_map(debate)) - len(ids)
    return debate._replace(record=MemoryRecord(held))


def stray(entry_id: str, kind: str, folder: str = ARGUMENTS) -> Entry:
    value = Contribution(entry_id, kind, 1, folder, {"words": 1}, {"Statement": "x"})
    return entry_of(value, 99)


WHOLE = finished(judge="one", cross_exam_questions=1)
SKIPPED = to_the_end(
    hold(at(3, "awaiting_questions", "aff", judge="one", cross_exam_questions=1), aff=None)
)


@pytest.mark.parametrize("sound", [WHOLE, SKIPPED, without(WHOLE, "judge_005-ballot")])
def test_the_audit_finds_nothing_in_a_sound_record(sound: Debate) -> None:
    assert audited(sound) == []


@pytest.mark.parametrize(
    ("entry_id", "changes"),
    [
        ("neg_003-answer", {"answers": "aff_004-question"}),
        ("neg_003-answer", {"answers": "neg_003-question"}),
        ("neg_003-answer", {"answers": [1]}),
        ("aff_004-closing", {"step": 1}),
        ("neg_001-opening", {"step": 1}),
        ("judge_005-ballot", {"winner": "prop"}),
        ("judge_005-ballot", {"winner": ["aff"]}),
        ("judge_005-ballot", {"winner": "neg"}),
        ("judge_005-ballot", {"speaker_points": {"aff": 3, "neg": 2}}),
        ("judge_005-ballot", {"speaker_points": {"aff": 31, "neg": 2}}),
        ("judge_005-ballot", {"speaker_points": None}),
        ("judge_005-ballot", {"judges": []}),
        ("aff_001-opening", {"words": 7}),
        ("aff_001-opening", {"citations": None}),
        ("aff_001-opening", {"cut": {"words": 9, "kept": 7}}),
    ],
)
def test_an_edited_header_is_a_fault_of_its_file(entry_id: str, changes: Data) -> None:
    debate = edited(WHOLE, entry_id, **changes)
    assert entry_id in [Path(fault.file).stem for fault in audit_of(debate).faults]


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
    ],
    ids=["question", "openings", "answer", "both", "kind", "place", "stranger"],
)
def test_an_entry_too_few_or_too_many_is_found(damaged: Debate, code: str) -> None:
    assert code in audited(damaged)


@pytest.mark.parametrize("winner", ["neg", "nobody", None])
def test_no_winner_is_told_of_a_ballot_that_contradicts_itself(winner: Any) -> None:
    done = RULES.next_turn(edited(WHOLE, "judge_005-ballot", winner=winner), NOW)
    assert isinstance(done, Done)
    assert "contradicts itself" in done.reason
    assert "wins" not in done.reason


def test_a_ballot_that_nobody_asked_for_has_no_place() -> None:
    debate = finished(cross_exam_questions=1)
    assert audited(with_entries(debate, entry_map(WHOLE)["judge_005-ballot"])) == ["out_of_place"]


@pytest.mark.parametrize("word_limits", ["warn", "cut"])
def test_the_audit_tells_long_texts_again(word_limits: str) -> None:
    chosen: Data = {"word_limit": 20, "word_limits": word_limits}
    debate = hold(at(1, "awaiting_openings", **chosen), aff={"text": long(30)})
    found = audit_of(debate)
    assert found.faults == ()
    (warning,) = found.warnings
    assert (warning.code, warning.file) == ("word_limit", "arguments/aff_001-opening.md")
    assert "30 words" in warning.message
