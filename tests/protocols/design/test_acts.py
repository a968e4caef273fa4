"""What a person does in a design debate, and what may be required of one."""

from __future__ import annotations

import pytest

from debate_ops.errors import RefusedError
from debate_ops.model.debate import Debate
from debate_ops.model.turn import Act, Done, Waiting
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.design import names
from debate_ops.protocols.design.rules import RULES
from tests.protocols.design import stage
from tests.protocols.design.stage import PHASES, after, begun, hold, state, until

TWO = {"participants": stage.TWO}


def asked(**counts: int) -> Debate:
    """Return a debate in which questions are open: so many of each."""
    debate = begun(**TWO, clarifying_questions=3, clarifying_rounds=2)
    questions = {
        name: {"questions": [{"text": f"Question {n} of {name}?"} for n in range(1, number + 1)]}
        for name, number in counts.items()
    }
    return hold(debate, **questions)


def answered(debate: Debate, **texts: str) -> Debate:
    """Answer questions by name and number, as `ann1`."""
    ids = {f"{key[:-1]}_000-question-{key[-1]}": text for key, text in texts.items()}
    return after(debate, RULES.ACTS["answer"](debate, Act("answer", ids, "olga")))


def waiting(debate: Debate) -> Waiting:
    due = RULES.next_turn(debate, stage.NOW)
    assert isinstance(due, Waiting)
    return due


def test_answers_come_bit_by_bit_and_are_numbered_through() -> None:
    debate = answered(asked(ann=2, ben=1), ben1="B.")
    assert waiting(debate).about == ("ann_000-question-1", "ann_000-question-2")
    debate = answered(debate, ann2="", ann1="A.")
    questions = [
        stage.header(debate, f"person_000-clarification-{n}")["question"] for n in (1, 2, 3)
    ]
    assert questions == ["ben_000-question-1", "ann_000-question-1", "ann_000-question-2"]
    assert state(debate) == (0, names.AWAITING_QUESTIONS)


def test_an_answer_to_no_open_question_is_refused_with_all_that_is_wrong() -> None:
    debate = answered(asked(ann=2, ben=1), ann1="A.")
    with pytest.raises(RefusedError) as refused:
        answered(debate, ann1="B.", ann7="C.", ben1="D.")
    assert refused.value.sentences() == [
        "ann_000-question-1 is answered already",
        "ann_000-question-7 is no question of this debate",
    ]
    assert refused.value.hint == (
        "Open questions: ann_000-question-2, ben_000-question-1. An answer is taken back with "
        "'undo x --step K', and all that follows it."
    )


def test_only_a_question_that_is_answered_already_brings_up_undo() -> None:
    with pytest.raises(RefusedError) as refused:
        answered(asked(ann=1), ann7="C.")
    assert "undo" not in refused.value.hint


def test_no_answer_at_all_is_refused_with_the_open_questions() -> None:
    with pytest.raises(RefusedError, match="there is no answer") as refused:
        answered(asked(ann=1))
    assert refused.value.hint == "Open questions: ann_000-question-1."


@pytest.mark.parametrize("phase", [*PHASES, names.AWAITING_ANSWERS])
def test_a_debate_can_be_cancelled_in_every_phase(phase: str) -> None:
    if phase == names.AWAITING_ANSWERS:
        debate = asked(ann=1)
    else:
        settings = {"requirements": [], "clarifying_questions": 1, "stop_at_confidence": 90}
        sizes = {"summary_threshold": 100, "summary_characters": 50, "max_exchanges": 2}
        debate = until(begun(**TWO, **settings, **sizes), phase)
    exchange = debate.state.exchange
    debate = stage.act(debate, "cancel", reason="It is gone.")
    assert state(debate) == (exchange, CANCELLED)
    due = RULES.next_turn(debate, stage.NOW)
    assert due == Done("the debate is cancelled by olga: It is gone.")
    with pytest.raises(RefusedError, match="cancel cannot be done now"):
        stage.act(debate, "cancel", reason="Again.")


def met(debate: Debate, name: str) -> tuple[bool, str]:
    met_ = RULES.REQUIREMENTS[name](debate)
    return met_.is_met, met_.why


def test_a_solution_is_there_when_the_judge_has_written_it() -> None:
    debate = until(begun(), names.AWAITING_SYNTHESIS)
    assert met(debate, "solution") == (False, "the debate is at awaiting_synthesis, in exchange 3")
    assert met(hold(debate), "solution") == (True, "the judge's confidence is 70")
    assert met(hold(debate, judge=None), "solution")[0] is False
    assert met(hold(debate, judge=None), "major-met")[0] is False


def test_a_major_requirement_that_is_unmet_is_named() -> None:
    debate = until(begun(), names.AWAITING_SYNTHESIS)
    assert met(hold(debate, judge={"unmet": ["r2"]}), "major-met")[0] is True
    unmet = hold(debate, judge={"unmet": ["r1", "r2"], "confidence": 40})
    assert met(unmet, "major-met") == (False, "unmet by the solution: r1")
