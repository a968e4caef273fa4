"""What each participant of a design debate is shown, phase by phase.

That nobody is shown what is not for them is held for every protocol in `every_protocol`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from debate_ops.model.turn import Turn
from debate_ops.protocols.design import names
from debate_ops.protocols.design.rules import RULES
from debate_ops.protocols.design.settings import ANY_ROLE, ROLES
from tests.protocols.design.stage import STAGE, critique, history_of
from tests.protocols.stage import NOW, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Context, Task

PEOPLE = [
    {"name": "ann", "role": "architect"},
    {"name": "ben", "role": "performance", "prompts": {"critique": "Count the calls."}},
    {"name": "cy", "role": "legal", "description": "You know the law."},
]
RICH: dict[str, Any] = {
    "participants": PEOPLE,
    "requirements": [],
    "clarifying_questions": 4,
    "clarifying_rounds": 2,
    "max_exchanges": 2,
    "stop_at_confidence": 90,
    "summary_threshold": 100,
    "summary_characters": 99,
}


def every_task(**chosen: Any) -> Iterator[tuple[Debate, Turn, Task, Context]]:
    """Yield every task of a debate with every phase, and what is shown with it."""
    debate = STAGE.begun(**RICH | chosen)
    while isinstance(turn := RULES.next_turn(debate, NOW), Turn):
        for task in turn.tasks:
            yield debate, turn, task, RULES.context(debate, turn, task)
        debate = STAGE.hold(debate)


def test_everybody_is_told_who_else_takes_part_and_in_which_role() -> None:
    others = {
        "ann": "ben (performance) and cy (legal)",
        "ben": "ann (architect) and cy (legal)",
        "cy": "ann (architect) and ben (performance)",
        "judge": "ann (architect), ben (performance) and cy (legal)",
    }
    for _, _, task, context in every_task():
        assert context.values["participants"] == others[task.participant]
    debate = STAGE.begun(participants="architect,ann:security")
    assert STAGE.context(debate, "ann").values["participants"] == "architect"


def test_an_agent_is_told_its_role_and_what_it_looks_for_in_its_task() -> None:
    usual = ROLES["performance"]
    for _, _, task, context in every_task(proposals="carried"):
        if task.participant == "ben":
            assert context.values["role"] == usual["who"]
            if task.template == "critique":
                assert context.values["guidance"].splitlines()[-1] == "> Count the calls."
            else:
                assert context.values["guidance"] == usual[task.template]
        elif task.participant == "cy":
            assert context.values["role"].splitlines()[-1] == "> You know the law."
            assert context.values["guidance"] == ANY_ROLE[task.template]
        else:
            assert ("role" in context.values) == (task.participant != names.JUDGE)


def test_the_requirements_are_those_of_the_settings_or_of_the_judge() -> None:
    listed = "- r1 (major): It holds.\n- r2 (minor): It is cheap."
    assert STAGE.context(STAGE.begun(), "ann").values["requirements"] == listed
    debate = STAGE.begun(requirements=[])
    named = {"requirements": [{"text": "It lasts.", "level": "major"}]}
    after = STAGE.hold(debate, judge=named)
    assert STAGE.context(after, "ann").values["requirements"] == "- r1 (major): It lasts."
    assert STAGE.context(STAGE.hold(debate, judge=None), "ann").values["requirements"] == "(none)"


def test_questions_are_told_their_round_and_how_many_are_kept() -> None:
    values = STAGE.context(STAGE.begun(**RICH), "ben").values
    assert (values["round"], values["rounds"], values["most_questions"]) == ("1", "2", "4")


def test_an_author_sees_its_text_its_critiques_and_the_points_to_answer() -> None:
    debate = STAGE.until(STAGE.begun(), names.AWAITING_CRITIQUES)
    silent = {"critiques": [critique("ben"), critique("cara", "minor")]}
    three = {"critiques": [critique("ben", *["minor"] * 3), critique("ann")]}
    context = STAGE.context(STAGE.hold(debate, ann=silent, cara=three), "ben")
    assert context.shown["own_entries"] == ("ben_001-proposal",)
    assert context.shown["critiques"] == ("ann_001-critique-2", "cara_001-critique-2")
    assert context.values["points"] == "- cara_001-critique-2: points 1, 2 and 3"


def test_nothing_is_shown_twice_and_a_summary_is_never_made_from_part_of_a_history() -> None:
    for proposals in ("fresh", "carried"):
        for _, turn, _, context in every_task(proposals=proposals):
            ids = [i for ids in context.shown.values() for i in ids]
            assert len(ids) == len(set(ids))
            may = turn.phase != names.AWAITING_SUMMARIES and "history" in context.shown
            assert context.may_shorten == (("history",) if may else ())


def test_a_summary_stands_in_the_place_of_what_came_before_it_and_says_so() -> None:
    debate = STAGE.until(STAGE.begun(**RICH, proposals="fresh"), names.AWAITING_SUMMARIES)
    before = history_of(debate).size(STAGE.context(debate, "ben").shown["history"])
    assert STAGE.context(debate, "ben").values["history_note"] == ""
    debate = STAGE.hold(debate, cy=None)
    for phase in (names.AWAITING_PROPOSALS, names.AWAITING_CRITIQUES):
        debate = STAGE.until(debate, phase)
        context = STAGE.context(debate, "ben")
        assert context.shown["history"] == ("ben_002-summary",)
        note = context.values["history_note"]
        after = len(value_of(debate, "ben_002-summary").texts["Summary"])
        assert f"{before} characters became {after}." in note
        assert "cy_001-proposal" in STAGE.context(debate, "cy").shown["history"]
        assert STAGE.context(debate, "cy").values["history_note"] == ""


def test_the_judge_is_not_told_which_confidence_ends_the_debate() -> None:
    debate = STAGE.until(STAGE.begun(**RICH), names.AWAITING_ASSESSMENT)
    assert "90" not in " ".join(STAGE.context(debate, "judge").values.values())


def test_the_synthesis_is_told_the_points_that_nobody_answered() -> None:
    debate = STAGE.until(STAGE.begun(max_exchanges=1), names.AWAITING_REFINEMENTS)
    assert STAGE.context(STAGE.hold(debate), "judge").values["unanswered"] == "(none)"
    assert STAGE.context(STAGE.hold(debate, cara=None), "judge").values[
        "unanswered"
    ].splitlines() == [
        f"- {critic}_001-critique-3, point 1, against cara_001-proposal"
        for critic in ("ann", "ben")
    ]


def test_all_who_argue_and_the_judge_are_told_who_is_the_devils_advocate() -> None:
    informed = {
        task.template.removesuffix("-again")
        for _, turn, task, context in every_task(devils_advocate="ben")
        if "ben" in context.values.get("advocate_note", "") and turn.exchange
        if task.participant != "ben"
    }
    assert informed == {"proposal", "critique", "refinement", "assessment", "synthesis"}
    assert not any(
        context.values.get("advocate_note") for _, _, _, context in every_task(max_exchanges=2)
    )
