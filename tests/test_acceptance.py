"""Every row of the acceptance cases is held: by a test named after it, or by one named here."""

import re

import pytest

from tests.builders import ROOT

ROWS = {
    *(f"p0_{n:02d}" for n in range(1, 24)),
    *(f"p1_{n:02d}" for n in range(1, 31)),
    *(f"p2_{n:02d}" for n in range(1, 37)),
    *(f"p3_{n:02d}" for n in (*range(1, 27), *range(30, 53), *range(60, 71))),
    *(f"p4_{n:02d}" for n in range(1, 42)),
    *(f"px_{n:02d}" for n in range(1, 10)),
}
"""Formal, chairs, design, exchange and consensus, and what every protocol has to hold."""
NOT_AT_HAND = {"p3_65", "p3_66"}  # debates that nobody may pass on
GIVEN_UP = {"p3_70"}  # how long a report of the older tool is: it is kept, and nobody measures it
HELD_BY_COURSES = """
p0_03 p0_04 p0_07 p0_08 p0_09 p0_10 p0_11 p0_15 p0_16 p0_17 p0_20 p0_21 p0_23 p1_01 p1_02 p1_03
p1_04 p1_05 p1_09 p1_10 p1_11 p1_12 p1_13 p1_15 p1_25 p1_26 p1_27 p1_28 p1_30 p2_03 p2_04 p2_06
p2_07 p2_09 p2_12 p2_14 p2_15 p2_16 p2_22 p2_23 p2_24 p2_25 p2_26 p2_27 p2_28 p2_33 p3_03 p3_04
p3_05 p3_06 p3_08 p3_09 p3_12 p3_13 p3_14 p3_15 p3_16 p3_17 p3_19 p3_20 p3_26 p3_30 p3_31 p3_34
p3_35 p3_37 p3_38 p3_39 p3_40 p3_41 p3_42 p3_43 p3_44 p3_45 p3_50 p3_60 p4_01 p4_02 p4_03 p4_04
p4_05 p4_06 p4_07 p4_08 p4_09 p4_10 p4_11 p4_12 p4_13 p4_14 p4_15 p4_16 p4_17 p4_18 p4_19 p4_20
p4_21 p4_23 p4_32 p4_33 p4_37 p4_38 px_08
"""
HOLDING = {
    "test_every_course.py::test_rules_do_what_is_frozen": HELD_BY_COURSES,
    "cli/test_report.py::test_a_text_is_printed_or_written_to_exactly_that_file": "p2_36",
    "cli/test_settings_file.py::test_word_that_picks_nobody_is_refused_and_names_who": "p2_13",
    "cli/test_texts.py::test_motion_on_standard_input_is_taken_whole_and_alone_or_refused": "p2_10",
    "core/test_replies.py::test_a_reply_has_one_form_however_it_is_given": "p3_07 p3_18",
    "engine/test_courses_on_disk.py::test_a_course_in_files_is_as": "p0_06 p0_22 p3_01 px_02 px_09",
    "engine/test_courses_on_disk.py::test_debates_that_go_on_by_turns_are_the_same": "px_04",
    "engine/test_courses_on_disk.py::test_refused_replies_are_kept_with_reasons": "px_06",
    "engine/test_courses_on_disk.py::test_what_cannot_be_done_is": "p0_01 p1_29 p3_21 p3_22",
    "engine/test_crashes.py::test_a_step_stopped_at_any_call_is_old_or_new": "p3_24 px_01",
    "engine/test_crashes.py::test_other_replies_to_a_step_on_record_are_refused": "p0_05 p4_22",
    "engine/test_crashes.py::test_two_processes_commit_a_step_once": "px_03",
    "engine/test_entry_files.py::test_any_framing_comes_back_as_it_was": "p0_02 p2_11",
    "engine/test_entry_files.py::test_any_text_comes_back_from_a_file_as_it_was": "p3_69",
    "engine/test_reading.py::test_a_refusal_says_what_and_where": "p2_18",
    "engine/test_reading.py::test_values_come_out_as_they_were_written": "p2_19",
    "engine/test_reading.py::test_what_is_around_it_is_left_out_and_said": "p2_17 p3_10 p3_11",
    "engine/test_requests.py::test_the_opening_is_not_counted_and_an_exchange": "p3_61 p3_62 p3_63",
    "engine/test_store.py::test_a_debate_of_the_older_tool_is_named": "p3_48 p3_64 p3_67 p3_68",
    "engine/test_store.py::test_a_name_that_means_no_debate_is_refused": "p2_08 p3_25 px_05",
    "engine/test_store.py::test_a_new_debate_has_a_name_that_every_system_takes": "p3_02",
    "hostile/test_folders.py::test_a_closed_pipe_loses_the_answer_and_not_the_step": "p3_49",
    "hostile/test_folders.py::test_hostile_folders_are_lines_of_the_list": "p2_35",
    "report/test_page.py::test_a_report_is_rendered_once_and_again_only_where_something": "px_07",
    "report/test_texts.py::test_hostile_titles_break_no_format": "p3_51 p3_52",
    "run/test_runner.py::test_a_limit_of_the_task_goes_before_the_limit_of_the_run": "p0_12",
    "run/test_runner.py::test_a_run_that_fails_keeps_all_that_came": "p0_14 p0_19 p2_34",
    "run/test_runner.py::test_a_time_out_is_tried_once_more_with_half_as_much_time_again": "p0_13",
    "run/test_runner.py::test_both_sides_write_at_the_same_time": "p2_32",
    "run/test_runner.py::test_status_says_what_failed_until_a_step_succeeds": "p0_18",
    "run/test_running.py::test_a_run_waits_while_it_is_paused": "p1_07",
    "run/test_running.py::test_p1_08_a_stop_ends_a_run_after_its_turn_and_another_goes_on": "p1_08",
    "test_every_course.py::test_whoever_replies_otherwise_or_not_a_debate_ends": "p2_05",
    "test_original_skill.py::test_what_is_on_record_is_known_again_and_a_file": "p3_23 p3_46",
}
"""The rows that a sweep or another part holds, by the test; names may be cut short."""
ELSEWHERE = {row: test for test, rows in HOLDING.items() for row in rows.split()}


def test_every_row_has_a_test() -> None:
    texts = (path.read_text(encoding="utf-8") for path in ROOT.glob("tests/protocols/test_*.py"))
    found = (row for text in texts for row in re.findall(r"[pP][0-4x][_-]\d\d(?!\d)", text))
    named = {row.lower().replace("-", "_") for row in found}
    assert named | ELSEWHERE.keys() == ROWS - NOT_AT_HAND - GIVEN_UP


@pytest.mark.parametrize("row", ELSEWHERE)
def test_a_test_that_holds_a_row_elsewhere_is_there(row: str) -> None:
    file, _, name = ELSEWHERE[row].partition("::")
    assert f"def {name}" in (ROOT / "tests" / file).read_text(encoding="utf-8")
