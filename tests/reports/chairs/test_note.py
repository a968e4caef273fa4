"""The decision note of a debate of chairs: what the arbiter keeps, how they spoke, what is open."""

from __future__ import annotations

import pytest

from debate_ops import engine
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Act, Task, Turn
from debate_ops.reports.chairs.note import best_of, open_question
from tests.reports.chairs.debates import EVIL, LIVELY, THREE, Plan, Scripted, debate
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import Reply, held
from tests.reports.notes import note_of

pytestmark = pytest.mark.usefixtures("work")

CLOSING = (
    "Ann asked who counts.\n\nAnn's best point: numbers are people. Ben has changed his mind. "
    "Ben's strongest point was that habit is no reason.\n\nWho decides, then? And by when?\n\n"
    "Thank you. Shall we go?"
)


class Closed(Scripted):
    """Replies as a plan says, but for a closing of our own."""

    def __call__(self, debate: Debate, turn: Turn, task: Task) -> Reply:
        if task.template == "closing":
            return {"text": CLOSING}
        return super().__call__(debate, turn, task)


def closed(plan: Plan = LIVELY) -> dict[str, str]:
    settings = {"participants": "ann:utilitarian,ben:virtue_ethics", "max_exchanges": 1}
    script = Closed(plan)
    return note_of(held("chairs", script, framing=Framing("Who counts?"), settings=settings))


def test_nobody_wins_and_the_one_evaluator_is_named() -> None:
    told = closed(Plan())
    assert told["Verdict"] == (
        "**Completed: 1 exchange, 2 speeches, 0 interruptions, 0 interjections.** Nobody wins such "
        "a debate. One evaluator (m-1), not replicated."
    )


def test_the_best_points_are_the_arbiters_sentences_that_say_so() -> None:
    assert closed(Plan())["Best points"] == (
        "ann: “Ann's best point: numbers are people.”; ben: “Ben's strongest point was that habit "
        "is no reason.” (the arbiter, in [arbiter_001-closing])."
    )


def test_a_sentence_that_names_no_best_point_is_not_taken_for_one() -> None:
    assert best_of("Ann asked. Joann's best point.", "ann") == ""
    told = note_of(debate(Plan(), max_exchanges=1))
    assert told["Best points"] == "The arbiter alone names them, in [arbiter_001-closing]."
    assert told["Unanswered"] == (
        "Which points nobody took up is not on record as data; see [arbiter_001-closing]."
    )


def test_the_question_that_stays_open_is_the_one_before_the_thanks() -> None:
    assert open_question(CLOSING) == "Who decides, then?"
    assert open_question("Thanks. Shall we?") == "Shall we?"
    assert open_question("Thanks.") == ""
    assert closed(Plan())["Unanswered"] == "The arbiter leaves open: “Who decides, then?”"


def test_adherence_names_who_is_ahead_with_the_best_speech_and_says_what_it_is_not() -> None:
    plan = Plan(points={("ann", 1): 15, ("ben", 1): 22, ("cara", 1): 20})
    told = note_of(debate(plan, max_exchanges=1))
    assert told["Adherence"] == (
        "ben 88 of 100, against cara 80 and ann 60; best in [ben_001-speech] (88). It tells how "
        "they spoke, not who is right."
    )


def test_chairs_that_are_level_are_ahead_together() -> None:
    told = note_of(debate(Plan(), max_exchanges=1))
    assert told["Adherence"].startswith("ann, ben and cara 72 of 100; best in [ann_001-speech]")


def test_without_evaluations_no_adherence_is_made_up() -> None:
    relaxed = note_of(debate(Plan(), max_exchanges=1, accountability="relaxed"))
    assert relaxed["Adherence"] == "Nobody was asked to evaluate."
    assert "adherence" not in relaxed["Would change it"]
    absent = Plan(absent=[("evaluator", "evaluation")])
    none = note_of(debate(absent, max_exchanges=1, slug="none"))
    assert none["Adherence"] == "Not on record: no speech has been evaluated."


def test_interruptions_without_a_reply_violations_and_missing_speeches_stand() -> None:
    plan = LIVELY._replace(absent=[("ann", "reply"), ("cara", "speech")])
    told = note_of(debate(plan, cooldown=1))["Unanswered"]
    assert "No reply to [ben_001-interruption-1]" in told
    assert "Found wanting: [ann_002-speech] (straw manning)" in told
    assert "Not given: 3 speeches." in told
    every = note_of(debate(LIVELY, cooldown=1, slug="every"))["Unanswered"]
    assert "Every interruption has its reply." in every


def test_a_debate_that_is_not_closed_says_what_is_missing() -> None:
    told = note_of(debate(Plan(), turns=3))
    assert told["Best points"].startswith("Not on record: the arbiter, who names them, has not")
    assert told["Unanswered"] == "Which points nobody took up is not on record as data."
    assert told["Would change it"] == "Everything still can: the debate is not over."


def test_a_cancelled_debate_says_so_and_by_whom() -> None:
    folder = debate(Plan(), turns=3)
    engine.act(folder, Act("cancel", {"reason": "no need"}, "boss"))
    told = note_of(folder)
    assert told["Verdict"].startswith("**Cancelled: 1 exchange")
    assert "By boss: no need." in told["Verdict"]
    assert told["Would change it"].startswith("No verdict can change: there is none.")


def test_hostile_texts_stay_text() -> None:
    note_of(debate(EVIL, motion=HOSTILE, participants=THREE, cooldown=1))
