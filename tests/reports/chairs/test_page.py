"""The report of a debate of chairs: who spoke, what they owed, every speech and what it met."""

from __future__ import annotations

import pytest

from debate_ops import engine
from debate_ops.model.turn import Act
from debate_ops.reports.chairs import numbers
from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.draw import draw
from debate_ops.reports.page import MOST_BYTES
from debate_ops.storage.folder import Folder
from tests.reports.chairs.debates import EVIL, LIVELY, SIX, Plan, Scripted, debate
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of, go_on
from tests.reports.pages import check_page, headings, structure

NOTHING = " \N{EN DASH} |"

pytestmark = pytest.mark.usefixtures("work")


def page(folder: Folder) -> str:
    draw(folder)
    return check_page(folder).replace("\N{NO-BREAK SPACE}", " ")


def told(folder: Folder) -> Numbers:
    return numbers.of(debate_of(folder))


def part(text: str, heading: str) -> str:
    return text.partition(f"{heading}\n")[2].partition("\n## ")[0]


def speech(text: str, heading: str) -> str:
    return text.partition(f"### {heading}\n")[2].partition("\n### ")[0].partition("\n## ")[0]


# ---------------------------------------------------------------- what came of it


def test_the_head_says_how_much_was_said_that_nobody_wins_and_who_evaluated() -> None:
    assert (
        "- **Verdict:** **Completed: 3 exchanges, 9 speeches, 4 interruptions, 1 interjection.** "
        "Nobody wins such a debate. One evaluator (m-1), not replicated."
    ) in page(debate(cooldown=1))


def test_the_chairs_are_told_with_what_their_frameworks_ask_and_what_the_user_gave() -> None:
    own = {
        "name": "dan",
        "framework": {"name": "House rules", "question": "Is it a rule?", "weaknesses": ["Stiff"]},
        "persona": "A retired referee",
        "must_acknowledge": "Rules can be wrong",
    }
    folder = debate(Plan(), participants=["ann:utilitarian", own], key_tensions=["Who counts?"])
    told_of = part(page(folder), "## The chairs")
    assert "| ann | Utilitarianism | Which act brings the most good" in told_of
    assert "| dan | House rules | Is it a rule? |" in told_of
    assert "- dan, persona: “A retired referee”" in told_of
    assert "- dan, has to acknowledge: “Rules can be wrong”" in told_of
    assert "- Put to all of them: “Who counts?”" in told_of


def test_the_closing_stands_above_the_debate_and_only_there() -> None:
    text = page(debate(Plan()))
    assert "This is the closing." in part(text, "## What they agreed and clashed on")
    assert text.count("This is the closing.") == 1
    assert "## Closing" not in text


def test_a_debate_without_a_closing_says_so() -> None:
    under_way = page(debate(Plan(), turns=4))
    assert "The arbiter closes the debate when its exchanges are over." in under_way
    skipped = page(debate(Plan(absent=[("arbiter", "closing")]), slug="skipped"))
    assert "The arbiter has not closed the debate." in skipped


def test_a_debate_under_way_says_where_it_is() -> None:
    text = page(debate(Plan(), turns=3))
    assert "- **Verdict:** **Not completed: 1 exchange, 1 speech" in text
    assert "It is in exchange 1, the reactions to a speech." in text
    assert "## The record ends here" in text


def test_a_debate_that_has_not_begun_has_a_page() -> None:
    assert "**Verdict:** **Not completed: 0 exchanges, 0 speeches" in page(debate(Plan(), turns=0))


def test_a_cancelled_debate_says_why_and_who_cancelled() -> None:
    folder = debate(Plan(), turns=3)
    engine.act(folder, Act("cancel", {"reason": "no need"}, "boss"))
    assert "- **Verdict:** **Cancelled: 1 exchange, 1 speech" in page(folder)
    assert "By boss: no need. Nobody wins" in page(folder)


# ---------------------------------------------------------------- how they kept to it


def test_statistics_are_those_of_the_protocol_a_row_for_each_chair() -> None:
    folder = debate(cooldown=1)
    table = part(page(folder), "## How the chairs kept to it")
    words = told(folder).words
    assert f"| ann | 3 | 3 | 64 | 67 % | 100 % | 1 | 2 | {words['ann']} |" in table
    assert f"| cara | 3 | 3 | 81 | 100 % | 100 % | 2 | 1 | {words['cara']} |" in table


def test_where_there_was_nothing_to_judge_stands_a_dash_and_no_zero() -> None:
    absent = [("evaluator", "evaluation")]
    text = page(debate(Plan(absent=absent), interruptions="forbidden"))
    assert f"| ann | 3 | 0 |{NOTHING * 5} " in text
    assert "No speech has been evaluated." in text
    assert "## Who interrupted whom" not in text


def test_a_part_that_is_not_required_has_a_dash_and_no_points() -> None:
    text = page(debate(Plan(), self_critique="optional"))
    assert f"| ann | 3 | 3 | 72 | 100 % |{NOTHING} 0 | 0 |" in text
    assert "self-critique 18" not in text


def test_a_relaxed_debate_shows_phrases_found_and_calls_them_no_score() -> None:
    text = part(page(debate(accountability="relaxed")), "## How the chairs kept to it")
    assert "Nobody was evaluated: accountability is relaxed." in text
    assert "| Chair | Speeches | With a steel-man phrase | With a self-critique phrase |" in text
    assert "| ann | 3 | 3 | 3 |" in text
    assert "That is a search for words, no score" in text
    assert "Adherence" not in text


# ---------------------------------------------------------------- interruptions


def test_who_interrupted_whom_is_told_with_reason_and_reply_and_what_was_refused() -> None:
    text = part(page(debate(cooldown=1)), "## Who interrupted whom")
    assert (
        "The moderator was asked after 9 speeches who would cut in: somebody would have after 5, "
        "and was let after 4."
    ) in text
    assert (
        "| [ben_001-interruption-1] | ben | [ann_001-speech] | straw man detected | “nobody here "
        "has counted the children” | [ann_001-reply-1] |"
    ) in text


def test_a_floor_without_a_reply_was_asked_for_all_the_same() -> None:
    folder = debate(turns=8)
    go_on(folder, Scripted(LIVELY._replace(absent=[("moderator", "floor")])))
    text = page(folder)
    replies = sum(s.floor is not None for s in told(folder).speeches)
    assert 0 < replies < 9
    asked = (
        f"The moderator was asked after 9 speeches who would cut in, and replied after {replies}:"
    )
    assert asked in text
    assert "Tasks that ended without a reply on record:\n\n- [moderator_0" in text
    silent = debate(Plan(absent=[("moderator", "floor")]), slug="y-debate")
    assert "asked after 9 speeches who would cut in, and no reply is on record." in page(silent)


def test_entries_of_one_turn_stand_in_the_order_of_the_chairs() -> None:
    folder = debate(
        Plan(), participants="zoe:utilitarian,ann:virtue_ethics,mia:care_ethics", max_exchanges=1
    )
    parts = {part.title: part.passages for part in told(folder).transcript.parts}
    assert [passage.participant for passage in parts["Openings"]] == ["zoe", "ann", "mia"]


def test_an_interrupted_speech_is_marked_with_by_whom_and_why() -> None:
    text = page(debate(cooldown=1))
    assert (
        "**Interrupted by ben** ([ben_001-interruption-1]): straw man detected, at “nobody here "
        "has counted the children”"
    ) in speech(text, "Speech of ann, exchange 1")
    assert "Interrupted" not in speech(text, "Speech of ben, exchange 1")


def test_a_speech_stands_with_what_came_of_it_in_order() -> None:
    found = speech(page(debate(cooldown=1)), "Speech of ben, exchange 3")
    places = [
        found.index(told_there)
        for told_there in (
            "In answer to [ann_003-speech].",
            "**Interrupted by cara**",
            "This is the speech",
            "*Adherence* ([evaluator_003-evaluation-2]): 36 of 100: steel-manning 0 of 25 (absent)",
            "Violation: straw manning.",
            "*Floor* ([moderator_003-floor-2]): cara would cut in (strong agreement; urgency 0.9",
            "#### The arbiter to ben",
            "#### cara cuts in on ben",
            "#### ben replies to cara",
        )
    ]
    assert places == sorted(places)


def test_the_first_speech_answers_the_last_opening_of_another() -> None:
    """P1-27."""
    text = page(debate(Plan()))
    assert "In answer to [cara_000-opening]." in speech(text, "Speech of ann, exchange 1")


def test_an_absent_evaluation_is_told_as_such_in_its_place() -> None:
    text = page(debate(Plan(absent=[("evaluator", "evaluation")])))
    found = speech(text, "Speech of ann, exchange 1")
    assert "*No evaluation* ([evaluator_001-absence-41]): *No reply (skip, by user)*" in found
    assert "exchange 1, evaluation (skip, by user)" in text


def test_a_speech_that_was_skipped_has_its_place_and_nothing_is_said_of_it() -> None:
    text = page(debate(Plan(absent=[("ben", "speech")])))
    found = speech(text, "No speech of ben")
    assert "*No reply (skip, by user)*: “Nobody was there.”" in found
    assert "Adherence" not in found
    assert "In answer to [ann_001-speech]." in speech(text, "Speech of cara, exchange 1")


# ---------------------------------------------------------------- robust


def test_the_parts_come_in_order() -> None:
    assert [h for h in headings(page(debate())) if h.startswith("## ")] == [
        "## Decision note",
        "## The chairs",
        "## What they agreed and clashed on",
        "## How the chairs kept to it",
        "## Who interrupted whom",
        "## Introduction",
        "## Openings",
        "## Exchange 1",
        "## Exchange 2",
        "## Exchange 3",
        "## Sources",
        "## How this was made",
    ]


def test_hostile_texts_change_no_structure() -> None:
    tame = LIVELY._replace(texts="One\n\n" + "Two\n" * 30)
    given = {"persona": HOSTILE, "position": HOSTILE, "must_acknowledge": HOSTILE}
    plain = dict.fromkeys(given, "One\nTwo")
    framework = {"name": HOSTILE, "question": HOSTILE, "weaknesses": [HOSTILE]}
    simple = {"name": "One", "question": "Two", "weaknesses": ["Three"]}
    folders = [
        debate(
            plan,
            participants=["ann:utilitarian", "ben:care_ethics", own | {"name": "cara"}],
            motion=motion,
            slug=slug,
            cooldown=1,
            key_tensions=[motion],
        )
        for plan, own, motion, slug in (
            (EVIL, given | {"framework": framework}, HOSTILE, "evil"),
            (tame, plain | {"framework": simple}, "Two\nlines", "tame"),
        )
    ]
    first, second = map(page, folders)
    assert [k for k in structure(first) if k != "> "] == [k for k in structure(second) if k != "> "]
    assert headings(first)[1:] == headings(second)[1:]


def test_a_large_debate_has_a_page_of_bounded_length_that_says_what_it_leaves_out() -> None:
    text = page(debate(Plan(), participants=SIX, max_exchanges=12))
    assert len(text.encode()) < MOST_BYTES
    assert "left out here: the page would be too long." in text
    assert "## Exchange 12" in text


def test_drawing_again_changes_nothing_until_something_is_added() -> None:
    folder = debate(turns=4)
    draw(folder)
    assert draw(folder).unchanged
    go_on(folder, Scripted(LIVELY), 3)
    assert not draw(folder).unchanged
