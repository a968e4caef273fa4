"""Every row of the acceptance cases is held: by a test named after it, or by one named here."""

from __future__ import annotations

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
CRASH = "reliability/test_crash_loop.py::test_old_or_new_and_the_retry_is_right"
ELSEWHERE = {
    "p0_05": "every_protocol/test_repeats.py::test_other_replies_to_a_step_that_is_over",
    "p0_12": "test_runner.py::test_a_limit_of_the_task_goes_before_the_limit_of_the_run",
    "p0_13": "test_runner.py::test_a_time_out_is_tried_once_more_with_half_as_much_time_again",
    "p0_14": "test_runner.py::test_a_run_that_fails_keeps_all_that_came",
    "p2_19": "formats/test_json_reply.py::test_json_alone_is_read_without_a_warning",
    "p2_34": "test_runner.py::test_a_run_that_fails_keeps_all_that_came",
    "p2_35": "storage/test_hostile_folders.py::test_hostile_folders_are_lines_of_the_list",
    "p3_24": CRASH,
    "p4_22": "every_protocol/test_repeats.py::test_other_replies_to_a_step_that_is_over",
    "px_01": CRASH,
    "px_02": "every_protocol/test_repeats.py::test_a_step_submitted_again_is_answered",
    "px_03": "every_protocol/test_apart.py::test_who_cannot_have_the_lock_is_told_so",
    "px_04": "every_protocol/test_apart.py::test_debates_held_by_turns_are_the_same_as_held_alone",
    "px_06": "every_protocol/test_refusals.py::test_a_refused_reply_is_kept_with_its_reasons",
    "px_08": "every_protocol/test_settings.py::test_an_unknown_setting_is_refused_by_name",
    "px_09": "every_protocol/test_resuming.py::test_the_record_does_not_depend_on_the_process",
}
"""Rows that one sweep holds for every protocol, by where it is; names may be cut short."""


def test_every_row_has_a_test() -> None:
    files = [*ROOT.glob("tests/test_acceptance_*.py"), *ROOT.glob("tests/protocols/test_*.py")]
    texts = (path.read_text(encoding="utf-8") for path in files)
    found = (row for text in texts for row in re.findall(r"[pP][0-4x][_-]\d\d(?!\d)", text))
    named = {row.lower().replace("-", "_") for row in found}
    assert named | ELSEWHERE.keys() == ROWS - NOT_AT_HAND


@pytest.mark.parametrize("row", ELSEWHERE)
def test_a_test_that_holds_a_row_elsewhere_is_there(row: str) -> None:
    file, _, name = ELSEWHERE[row].partition("::")
    assert f"def {name}" in (ROOT / "tests" / file).read_text(encoding="utf-8")
