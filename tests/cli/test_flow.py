"""The command `flow`: the form that is asked for, on standard output."""

from __future__ import annotations

import json

import pytest

from debate_ops.reports.flow_sheet import sheet_of
from tests.builders import debate_at, run
from tests.cli.stage import say
from tests.reports.formal.debates import formal
from tests.reports.held import debate_of

pytestmark = pytest.mark.usefixtures("work")


@pytest.mark.parametrize(("terminal", "columns"), [("100", 100), ("20", 80)])
def test_it_prints_the_form_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, terminal: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", terminal)
    folder = debate_at(2)
    sheet = sheet_of(debate_of(folder))
    for form, expected in {
        "table": "".join(f"{line}\n" for line in sheet.lines(columns)),
        "md": sheet.page,
        "csv": sheet.csv,
    }.items():
        said = say("flow", "x-debate", "--format", form)
        assert (said.code, said.err) == (0, "")
        assert said.out == expected
    assert say("flow", "x-debate").out == say("flow", "x-debate", "--format", "table").out


@pytest.mark.parametrize(
    "words", [("--format", "json"), ("--json",), ("--format", "json", "--json")]
)
def test_json_is_one_object_with_the_debate_and_its_attacks(words: tuple[str, ...]) -> None:
    debate_at(2)
    result = json.loads(say("flow", "x-debate", *words).out)
    assert (result["success"], result["debate"], result["protocol"]) == (
        True,
        "x-debate",
        "exchange",
    )
    assert {argument["state"] for argument in result["arguments"]} == {
        "never_attacked",
        "too_late",
    }


def test_a_debate_without_a_flow_is_refused_with_what_there_is_instead() -> None:
    formal()
    said = say("flow", "x-debate")
    assert said.code == 1
    assert "its page shows what was said" in said.err
    assert "debate-ops transcript" in said.err


@pytest.mark.parametrize("form", ["table", "md", "csv"])
def test_two_forms_at_once_are_refused(form: str) -> None:
    debate_at(2)
    answer = run("flow", "x-debate", "--format", form, "--json")
    assert answer.code == 2
    assert answer.result["error"] == f"--json and --format {form} ask for two forms"


def test_a_debate_without_arguments_has_no_flow_yet() -> None:
    debate_at(0)
    for form in ("table", "md"):
        said = say("flow", "x-debate", "--format", form)
        assert (said.code, said.out) == (0, "x-debate has no arguments yet.\n")
    assert run("flow", "x-debate", "--json").result["arguments"] == []
