"""How answers are printed: as one JSON object, for programs and for people."""

from __future__ import annotations

import io
import json
import sys

import pytest

from debate_ops import engine
from debate_ops.cli import answers
from tests.builders import new_debate, opening, put, run
from tests.cli.stage import Terminal

DATA = {"success": True, "b": [1, {"a": "two\nlines"}], "a": None}


@pytest.mark.parametrize(("stream", "lines"), [(io.StringIO, 1), (Terminal, 10)])
def test_an_answer_is_one_line_unless_a_terminal_shows_it(
    stream: type[io.StringIO], lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = stream()
    monkeypatch.setattr(sys, "stdout", out)
    answers.print_object(DATA)
    assert out.getvalue().count("\n") == lines
    assert json.loads(out.getvalue()) == DATA
    assert list(json.loads(out.getvalue())) == list(DATA)


@pytest.mark.usefixtures("work")
def test_what_a_request_still_asks_for_does_not_depend_on_a_pause() -> None:
    folder = new_debate()
    engine.next_turn(folder, 3)
    for words in (("status",), ("pause",), ("status",)):
        assert run(*words, folder.slug, "--json").result["request"]["remaining"] == 3


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("replied", "due"),
    [((), "prop and opp due"), (("prop",), "opp due"), (("prop", "opp"), "all replies in")],
)
def test_progress_names_whom_the_debate_waits_for_and_no_adviser(
    replied: tuple[str, ...], due: str
) -> None:
    folder = new_debate(first_answer="on")
    engine.next_turn(folder)
    for side in replied:
        put(folder, side, opening(side))
    result = run("next", folder.slug).result
    assert result["progress"].endswith(f" {due}")
    assert "adviser" in {task["participant"] for task in result["tasks"]}
