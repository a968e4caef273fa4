"""What a brief is refused for, in every language by the same rules, and what it is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports.brief import checks
from debate_ops.reports.brief.fields import FIELD, STRAY, Fields
from tests.reports.brief.stage import LANGUAGES, POINT, Data, Words, brief, view

Change = Callable[[Data, Words], object]


def put(path: str, words: object) -> Change:
    """Return what puts a text of a brief in another's place."""

    def change(data: Data, of: Words) -> None:
        *outer, last = (int(part) if part.isdigit() else part for part in path.split("."))
        owner: object = data
        for part in outer:
            owner = owner[part]  # type: ignore[index]
        owner[last] = words(of) if callable(words) else words  # type: ignore[index]

    return change


STORY = ("question", "clash", "turning_points", "verdict")
FALSE: dict[str, tuple[str, str, Change]] = {
    "a number that no text has": (
        "loose_number",
        "$.sections[0].points[0].text",
        put("sections.0.points.0.text", lambda of: of.other),
    ),
    "a number of a text that is not cited here": (
        "loose_number",
        "$.answer",
        put("answer", lambda of: of.number),
    ),
    "a number of a text that another sentence names": (
        "loose_number",
        "$.changed",
        put("changed", lambda of: f"{of.number} [[prop_001]]{of.plain}"),
    ),
    "a number of another sign": (
        "loose_number",
        "$.unchecked[0].fact",
        put("unchecked.0.fact", "-27"),
    ),
    "a number with letters before it": (
        "loose_number",
        "$.unchecked[0].fact",
        put("unchecked.0.fact", "UT27"),
    ),
    "a number that became a percentage": (
        "loose_number",
        "$.unchecked[0].fact",
        put("unchecked.0.fact", "27 %"),
    ),
    "words that nobody said": (
        "loose_quotation",
        "$.sections[2].points[0].text",
        put("sections.2.points.0.text", lambda of: of.misquoted),
    ),
    "words of a text that is not cited here": (
        "loose_quotation",
        "$.answer",
        put("answer", lambda of: of.quoted),
    ),
    "a quotation mark without its other half": ("loose_quotation", "$.answer", put("answer", "„")),
    "a quotation field with other words": (
        "not_said",
        "$.sections[2].title",
        put("sections.2.title", lambda of: f"{{quote:opp_001|{of.words}}}"),
    ),
    "a quotation field without words": (
        "not_said",
        "$.sections[2].title",
        put("sections.2.title", "{quote:prop_001| }"),
    ),
    "an id outside of a field": (
        "loose_id",
        "$.next_steps[0].text",
        put("next_steps.0.text", "prop_001"),
    ),
    "an entry that is not there": ("unknown_entry", "$.why[0]", put("why.0", "[[prop_009]]")),
    "a citation that is not there": (
        "unknown_entry",
        "$.sections[1].points[0].cites[0]",
        put("sections.1.points.0.cites", ["facts.md, 4"]),
    ),
    "a field that is not there": ("unknown_field", "$.why[0]", put("why.0", "{score:prop_001@9}")),
    "an attack the other way round": (
        "unknown_attack",
        "$.why[0]",
        put("why.0", "{attack:prop_001>opp_002}"),
    ),
    "half a field": ("stray_bracket", "$.why[0]", put("why.0", "{lead")),
    "a direction that there is not": ("wrong_choice", "$.direction", put("direction", "both")),
    "a direction against the record": ("against_record", "$.direction", put("direction", "opp")),
    "an issue won by the choice its sum is against": (
        "against_record",
        "$.issues[0].better",
        put("issues.0.better", "opp"),
    ),
    "an entry in no issue": (
        "issue_missing",
        "$.issues",
        lambda data, _: data["issues"][1]["arguments"].remove("opp_002"),
    ),
    "an entry in two issues": (
        "issue_twice",
        "$.issues",
        lambda data, _: data["issues"][0]["arguments"].append("opp_002"),
    ),
    "no issues though scores decided": ("missing", "$.issues", lambda data, _: data.pop("issues")),
    "a choice for which nothing speaks": (
        "no_case",
        "$.sections",
        lambda data, _: data["sections"].pop(1),
    ),
    "a crux that favours nobody": (
        "wrong_choice",
        "$.cruxes[0].yes_favours",
        put("cruxes.0.yes_favours", "judge"),
    ),
    "a point that is no point": (
        "not_unused",
        "$.unused[0].point",
        put("unused.0", {"point": "x", "why": "y"}),
    ),
    "a long answer": ("too_long", "$.answer", put("answer", lambda of: of.plain * 4)),
    "long advice": ("too_long", "$", put("sections.1.points.0.text", lambda of: of.plain * 60)),
    "long notes": ("too_long", "$", put("issues.0.why", lambda of: of.plain * 30)),
    "a short story": ("too_short", "$.story", put("story", dict.fromkeys(STORY, "One."))),
    "no answer": ("missing", "$.answer", lambda data, _: data.pop("answer")),
    "another participant": ("not_allowed", "$.participant", put("participant", "judge")),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_true_brief_is_refused_for_nothing(language: str) -> None:
    read = checks.read(brief(language), view(language))
    assert read.faults == ()
    assert read.content is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FALSE)
def test_a_false_brief_is_refused_for_what_is_false_in_it(name: str, language: str) -> None:
    code, where, change = FALSE[name]
    data = brief(language)
    change(data, LANGUAGES[language])
    faults = checks.read(data, view(language)).faults
    assert (code, where) in {(fault.code, fault.where) for fault in faults}
    assert {fault.code for fault in faults} <= {code, "too_long"}


TOGETHER = (
    "a number of a text that is not cited here",
    "words that nobody said",
    "a quotation field with other words",
    "an id outside of a field",
    "a citation that is not there",
    "half a field",
    "a direction against the record",
    "an issue won by the choice its sum is against",
    "an entry in no issue",
    "a crux that favours nobody",
    "a point that is no point",
    "a short story",
    "another participant",
)
"""False in places of their own."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_false_in_a_brief_is_reported_at_once(language: str) -> None:
    data = brief(language)
    for name in TOGETHER:
        FALSE[name][2](data, LANGUAGES[language])
    faults = checks.read(data, view(language)).faults
    assert {(f.code, f.where) for f in faults} == {FALSE[name][:2] for name in TOGETHER}


def test_where_the_record_favours_nobody_the_answer_is_open() -> None:
    level = view("English")._replace(favoured="")
    data = brief("English")
    assert [f.code for f in checks.read(data, level).faults] == ["against_record"]
    data |= {"direction": "open"}
    for any_view in (level, view("English")):
        missing = checks.read(data, any_view).faults
        assert [(f.code, f.where) for f in missing] == [("missing", "$.meanwhile")]
        assert checks.read(data | {"meanwhile": "Wait."}, any_view).faults == ()


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


def test_a_text_longer_than_a_brief_can_be_is_not_searched_for_fields() -> None:
    data = brief("English") | {"why": ["{x}" * 100_000]}
    codes = {fault.code for fault in checks.read(data, view("English")).faults}
    assert "too_long" in codes
    assert "unknown_field" not in codes
