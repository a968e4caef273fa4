"""What a brief is refused for, in every language by the same rules, and what it is not."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.score import Millis
from debate_ops.reports.brief import checks
from debate_ops.reports.brief.fields import FIELD, STRAY, Fields
from tests.reports.brief.stage import LANGUAGES, POINT, Data, Words, brief, view

GONE = object()
STORY = ("question", "clash", "turning_points", "verdict")


class Lie(NamedTuple):
    """A change to a good brief: what stands at a place instead, and the fault that it is.

    The fault is `where` the change is, unless that says otherwise.
    """

    code: str
    place: str
    instead: Any
    where: str = ""

    @property
    def fault(self) -> tuple[str, str]:
        return self.code, self.where or "$." + re.sub(r"\.(\d+)", r"[\1]", self.place)

    def tell(self, data: Data, words: Words) -> None:
        owner: Any = data
        *outer, last = (int(part) if part.isdigit() else part for part in self.place.split("."))
        for part in outer:
            owner = owner[part]
        owner[last] = self.instead(words) if callable(self.instead) else self.instead
        if self.instead is GONE:
            del owner[last]


FALSE = {
    "a number that no text has": Lie(
        "loose_number", "sections.0.points.0.text", lambda of: of.other
    ),
    "a number that is not cited here": Lie("loose_number", "answer", lambda of: of.number),
    "a number that another sentence cites": Lie(
        "loose_number", "changed", lambda of: f"{of.number} [[prop_001]]{of.plain}"
    ),
    "a number of another sign": Lie("loose_number", "unchecked.0.fact", "-27"),
    "a number with letters before it": Lie("loose_number", "unchecked.0.fact", "UT27"),
    "a number that became a percentage": Lie("loose_number", "unchecked.0.fact", "27 %"),
    "words that nobody said": Lie(
        "loose_quotation", "sections.2.points.0.text", lambda of: of.misquoted
    ),
    "words that are not cited here": Lie("loose_quotation", "answer", lambda of: of.quoted),
    "half of a pair of quotation marks": Lie("loose_quotation", "answer", "„"),
    "a quotation field with other words": Lie(
        "not_said", "sections.2.title", lambda of: f"{{quote:opp_001|{of.words}}}"
    ),
    "a quotation field without words": Lie("not_said", "sections.2.title", "{quote:prop_001| }"),
    "an id outside of a field": Lie("loose_id", "next_steps.0.text", "prop_001"),
    "an entry that is not there": Lie("unknown_entry", "why.0", "[[prop_009]]"),
    "a citation that is not there": Lie(
        *("unknown_entry", "sections.1.points.0.cites", ["facts.md, 4"]),
        where="$.sections[1].points[0].cites[0]",
    ),
    "a field that is not there": Lie("unknown_field", "why.0", "{score:prop_001@9}"),
    "an attack the other way round": Lie("unknown_attack", "why.0", "{attack:prop_001>opp_002}"),
    "half a field": Lie("stray_bracket", "why.0", "{lead"),
    "a direction that there is not": Lie("wrong_choice", "direction", "both"),
    "a direction against the record": Lie("against_record", "direction", "opp"),
    "an issue against its sum": Lie("against_record", "issues.0.better", "opp"),
    "an issue that its sum does not make even": Lie("against_record", "issues.0.better", "even"),
    "an entry in no issue": Lie("issue_missing", "issues.1.arguments", ["prop_002"], "$.issues"),
    "an entry in two issues": Lie(
        "issue_twice", "issues.0.arguments", ["prop_001", "opp_001", "opp_002"], "$.issues"
    ),
    "no issues though scores decided": Lie("missing", "issues", GONE),
    "a choice for which nothing speaks": Lie("no_case", "sections.1.for", GONE, "$.sections"),
    "a crux that favours nobody": Lie("wrong_choice", "cruxes.0.yes_favours", "judge"),
    "a point that is no point": Lie(
        "not_unused", "unused.0", {"point": "x", "why": "y"}, "$.unused[0].point"
    ),
    "a long answer": Lie("too_long", "answer", lambda of: of.plain * 4),
    "long advice": Lie("too_long", "sections.1.points.0.text", lambda of: of.plain * 60, "$"),
    "long notes": Lie("too_long", "issues.0.why", lambda of: of.plain * 30, "$"),
    "a short story": Lie("too_short", "story", dict.fromkeys(STORY, "One.")),
    "no answer": Lie("missing", "answer", GONE),
    "another participant": Lie("not_allowed", "participant", "judge"),
}
TOGETHER = [
    FALSE[name]
    for name in (
        *("a number that is not cited here", "words that nobody said", "an id outside of a field"),
        *("a citation that is not there", "half a field", "a direction against the record"),
        *("an entry in no issue", "a crux that favours nobody", "a short story"),
    )
]
"""False in places of their own."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_true_brief_is_refused_for_nothing(language: str) -> None:
    read = checks.read(brief(language), view(language))
    assert read.faults == ()
    assert read.content is not None


@pytest.mark.parametrize("name", FALSE)
def test_a_false_brief_is_refused_for_what_is_false_in_it_in_every_language(name: str) -> None:
    for language, words in LANGUAGES.items():
        data = brief(language)
        FALSE[name].tell(data, words)
        faults = checks.read(data, view(language)).faults
        assert FALSE[name].fault in {(fault.code, fault.where) for fault in faults}, language
        assert {fault.code for fault in faults} <= {FALSE[name].code, "too_long"}, language


def test_all_that_is_false_in_a_brief_is_reported_at_once() -> None:
    data = brief("English")
    for lie in TOGETHER:
        lie.tell(data, LANGUAGES["English"])
    faults = checks.read(data, view("English")).faults
    assert {(fault.code, fault.where) for fault in faults} == {lie.fault for lie in TOGETHER}


@pytest.mark.parametrize(("better", "is_right"), [("even", True), ("prop", False), ("opp", False)])
def test_an_issue_is_even_where_the_scores_of_its_entries_are(
    better: str, *, is_right: bool
) -> None:
    data, level = brief("English"), view("English")
    level = level._replace(shares=dict.fromkeys(level.shares, Millis(0)))
    for issue in data["issues"]:
        issue["better"] = better
    codes = [fault.code for fault in checks.read(data, level).faults]
    assert codes == ([] if is_right else ["against_record"] * len(data["issues"]))


def test_where_the_record_favours_nobody_the_answer_is_open() -> None:
    level = view("English")._replace(favoured="")
    data = brief("English")
    del data["meanwhile"]
    assert [f.code for f in checks.read(data, level).faults] == ["against_record"]
    data |= {"direction": "open"}
    missing = checks.read(data, level).faults
    assert [(f.code, f.where) for f in missing] == [("missing", "$.meanwhile")]
    assert checks.read(data | {"meanwhile": "Wait."}, level).faults == ()


def test_where_nothing_is_chosen_choices_are_texts_and_issues_may_be_left_out() -> None:
    free = view("English")._replace(choices={}, favoured="", shares={})
    data = brief("English") | {"direction": "open"}
    del data["issues"]
    del data["sections"][0]["for"], data["sections"][1]["for"]
    data["cruxes"][0]["yes_favours"] = "Who believes this leans to 3 clocks."
    faults = checks.read(data, free).faults
    assert [(f.code, f.where) for f in faults] == [("loose_number", "$.cruxes[0].yes_favours")]


@pytest.mark.parametrize(
    "value", [None, [], "x", {"issues": [1], "sections": [{"points": {}}], "story": []}, 1]
)
def test_a_brief_of_any_form_is_read_without_failing(value: object) -> None:
    assert checks.read(value, view("English")).faults


PIECES = st.sampled_from(
    [
        *("{lead}", "{", "}", "[[", "]]", "[[prop_001]]", "[[x]]", "{quote:prop_001|servers}"),
        *("{quote:", "|", "{attack:opp_002>prop_001}", "{attack:", ">", "{score:prop_001}", "@1"),
        *("{nothing}", POINT, "{}", "{{lead}}", "[[[prop_001]]]", " ", "\n", "a", "7"),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_field_is_left_unresolved_without_a_fault(text: str) -> None:
    filled = Fields(view("English")).fill(text, "$")
    left = "".join(span for span in filled.line if isinstance(span, str))
    unresolved = FIELD.search(left) or STRAY.search(left)
    assert not unresolved or filled.faults
    assert len(filled.bare) == len(text)
