"""What a person is asked in a terminal for a reply: each part of its model, in plain words."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from debate_ops.cli import answers, app
from debate_ops.cli.asking import Form, name_part
from debate_ops.engine.inbox import find_slot
from debate_ops.engine.store import Folder
from tests.builders import JUDGING, debate_at, scores_of
from tests.cli.stage import Terminal, put, say
from tests.courses import COURSES, begin_course, list_steps, read_exactly, take_step
from tests.ending import must_end

DRAFT = Path("debates/vote/inbox/0-ann.draft.json")
REPLY = DRAFT.with_name("0-ann.reply.json")
PROPOSAL = {"title": "One way", "confidence": 0.5, "solution": "Use it.", "reasoning": "It works."}
WORDS = ["reply", "vote", "--as", "ann", "--by", "kim"]


def list_parts(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield what a person would type for each part of a reply, by what that is called."""
    parts = dict(enumerate(value)) if isinstance(value, list) else value
    if isinstance(parts, dict):
        for key, part in parts.items():
            yield from list_parts(part, f"{where}.{key}".lstrip("."))
    elif value is not None:
        words = {True: "yes", False: "no"}
        yield name_part(where), words[value] if isinstance(value, bool) else str(value)


class Person:
    """Types what a reply has for each part that is asked for; counts the questions."""

    def __init__(self, reply: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parts, self.asked = dict(list_parts(reply)), list[str]()
        monkeypatch.setattr("debate_ops.cli.answers.ask_person", self.type)

    def type(self, question: str) -> str:
        name = question.partition(": ")[0].partition(" [")[0].removesuffix(":")
        self.asked += [name] if name.strip() else []
        assert self.asked.count(name) < 3, question
        return self.parts.get(name, "")


@pytest.mark.parametrize("course", COURSES)
def test_every_reply_of_every_protocol_can_be_given_part_by_part(
    course: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    at, slot = begin_course(course), find_slot(Folder(str(tmp_path)), 0, "ann")
    Path(slot.draft).parent.mkdir()
    for step in list_steps(course):
        for who, reply in step.get("replies", {}).items():
            prepared, form = at.form_of(who).prepare(reply), Form(at, who, slot)
            if "scores" in prepared:  # what is to be scored is asked for in its order
                order = at.protocol.shows(at.debate, at.turn, who)["new_arguments"]
                prepared["scores"].sort(key=lambda score: order.index(score["argument_id"]))
            Person(prepared, monkeypatch)
            given: Any = {}
            form.ask(given, [""])
            read = [at.read(who, read_exactly(r), is_named=True)[0] for r in (prepared, given)]
            assert read[0] == read[1], who
        take_step(at, step)


@pytest.fixture
def vote(work: Path) -> None:  # noqa: ARG001  (it is to work there)
    """A debate in which a proposal is due of ann."""
    say("new", "vote", "--motion", "Q", "--protocol", "consensus", "--participants", "ann,ben")
    say("next", "vote")


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> tuple[int, str]:
    """Reply in a terminal; return the exit code and what was asked."""
    monkeypatch.setattr(sys, "stdin", Terminal("\n".join([*lines, ""])))
    monkeypatch.setattr(sys, "stderr", err := Terminal())
    return app.main(WORDS), err.getvalue()


@pytest.mark.usefixtures("vote")
def test_what_is_typed_is_kept_and_bad_replies_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ("", "One way", "much", "2", "0.12345", "50%", "Use it.", "Now.", "")
    code, err = type_in(monkeypatch, *first)
    assert (code, DRAFT.is_file(), REPLY.exists()) == (130, True, False)
    assert f"kept in {DRAFT}. Go on with:\n  debate-ops reply vote --as ann --by kim" in err
    assert all(each in err for each in ("is required", 'is "much"', "is 2,", "too many decimals"))
    code, err = type_in(monkeypatch, "", "", "", "It works.", ".", "n")
    assert (code, REPLY.exists(), "[One way]" in err) == (130, False, True)
    assert "  2  Confidence: 0.5\n  3  Solution: Use it.\n     Now.\n" in err
    code, err = type_in(monkeypatch, "", "", "", "", "9", "2", "-0,1", "0,4", "y")
    assert code == 0, err
    assert (err.count("File it?"), err.count("Confidence: How")) == (3, 3), "once more, in the end"
    reply = json.loads(REPLY.read_text(encoding="utf-8"))
    parts = (reply["title"], reply["confidence"], reply["solution"], reply["participant"])
    assert parts == ("One way", 0.4, "Use it.\nNow.", "ann")
    made = json.loads(DRAFT.with_name("0-ann.made.json").read_text())
    assert (made["made_by"], DRAFT.exists()) == ({"person": "kim"}, False)
    code, err = type_in(monkeypatch)
    assert (code, "is over: replied" in err, "Title:" in err) == (1, True, False)


@pytest.mark.usefixtures("vote")
@pytest.mark.parametrize("draft", ["[1]", "1", "[" * 3_000, '{"title": "\\ud800"}', "\xff"])
def test_a_draft_that_cannot_be_read_is_begun_anew_and_half_a_character_typed_again(
    draft: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(str(DRAFT), draft.encode("latin-1"))
    code, err = type_in(monkeypatch, "\udcff", "One way", "0.5", "Use it.", "", "It works.", "", "")
    assert (code, err.count("is not UTF-8"), err.count("Title: ")) == (0, 1, 3), err
    assert json.loads(REPLY.read_text(encoding="utf-8"))["title"] == "One way"


@pytest.mark.usefixtures("vote")
@pytest.mark.parametrize(("program", "code"), [("ed", 0), ("false", 4)])
def test_a_text_of_several_lines_may_be_written_in_an_editor(
    program: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("ed", f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'w').write('One.\\n\\nTwo.\\n')")
    Path("ed").chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(Path(program).resolve()) if program == "ed" else program)
    lines = ("One way", "0.5", "e", "It works.", "", "", "")
    assert type_in(monkeypatch, *lines)[0] == code
    if not code:
        assert json.loads(REPLY.read_text())["solution"] == "One.\n\nTwo."


@pytest.mark.usefixtures("vote")
def test_names_are_checked_at_once_and_long_text_may_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    put("one.json", json.dumps(PROPOSAL))
    for name in ("ann", "ben"):
        say("reply", "vote", "one.json", "--as", name)
    say("submit", "vote", "--step", 0)
    say("next", "vote")
    names = ("ann_001-proposal", "?", "ben_001-proposal")
    said = (*names, "tiny", "block", "No. " * 151, "", "", "", "", "", "", "1", "1", "2", "maj", "")
    code, err = type_in(monkeypatch, *said)
    assert code == 0, err
    assert "Motion: Q\n\nben_001-proposal, of ben\nTitle: One way" in err
    assert "  ben_001-proposal  One way: Use it." in err
    assert all(each in err for each in ("  ann_001-proposal ", 'is "tiny", expected minor'))
    assert "has 151 words, expected at most 150; Enter alone keeps it." in err
    (critique,) = json.loads(REPLY.with_name("1-ann.reply.json").read_text())["critiques"]
    assert (critique["proposal_id"], critique["severity"]) == ("ben_001-proposal", "major")


def test_the_memo_is_asked_for_part_by_part_and_what_is_wrong_with_it_again(
    monkeypatch: pytest.MonkeyPatch,
    work: Path,  # noqa: ARG001  (it is to work there)
) -> None:
    folder = debate_at(2)
    monkeypatch.setattr("tests.cli.test_asking.WORDS", ["reply", folder.name, "--as", "reporter"])
    first = ("Yes, as prop_000a.", "", "Yes, in May.", "", "sideways", "prop", "70", "it pays", "")
    code, err = type_in(monkeypatch, *first, "It follows from prop_000a.", "", "It pays.", "", "")
    assert code == 0, err
    assert "is sideways, expected prop or opp or open" in err
    assert (err.count("names prop_000a"), err.count("Answer: The advice")) == (2, 2)
    text = Path(folder.within("memo.md")).read_text(encoding="utf-8")
    assert text.endswith("---\n\nIt pays.\n")
    assert not Path(folder.within("inbox/memo.draft.json")).exists()


@pytest.mark.usefixtures("work")
def test_a_side_is_told_what_it_argues_and_asked_for_no_document_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.cli.test_asking.WORDS", ["reply", debate_at(1).name, "--as", "opp"])
    ground = ("Reasoning", "They sleep less.", "", "It is the cost.", "")
    err = type_in(monkeypatch, "Rest for all of the children", "Yes.", "", *ground, "", "?")[1]
    assert err.count("opp is the opposition, against the motion.") == 2
    assert ("warrant: " in err, "document: " in err, "quote: " in err) == (True, False, False)
    assert "prop_000a, of prop\nTitle: " in err


@pytest.mark.usefixtures("work")
def test_what_a_judge_cannot_score_or_name_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.cli.test_asking.WORDS", ["reply", debate_at(1, JUDGING).name])
    scores = [line for n in scores_of(1).values() for line in (n, "r", "")]
    rescored = ("prop_001", "prop_000a", "1", scores_of(0)["prop_000a"], "the cause", "", "", "")
    effect = ("prop_001", "opp_000a", "cl", "landed", "r", "", "-", "n")
    code, err = type_in(monkeypatch, *map(str, (*scores, *rescored, *effect)))
    assert code == 130, err
    assert "is named, and nothing can be named here" in err
    assert "3  Effects: (left out)" in err, "an item that cannot be is asked for again"
    assert "prop_001 has no score on record" in err
    assert "would change from" in err


@pytest.mark.usefixtures("vote")
@must_end()
def test_in_a_terminal_a_question_stays_as_it_is_and_a_text_is_pasted_with_its_empty_lines() -> (
    None
):
    """Readline has to know what stands before the cursor: then Enter alone ends its line."""
    terminal, inner = pty.openpty()
    words = [sys.executable, "-m", "debate_ops", *WORDS]
    person = subprocess.Popen(words, stdin=inner, stdout=inner, stderr=inner)
    os.close(inner)

    def read_until(expected: str) -> str:
        said = ""
        while expected not in said:
            said += os.read(terminal, 65_536).decode(errors="replace")
        return said

    try:
        read_until("12 words): ")
        os.write(terminal, b"\n")
        assert "\n" in read_until("It is required.").partition("  It is")[0]
        for text, asked in (
            ("One way\n", "Confidence: "),
            ("0.5\n", "Solution: "),
            ("First.\n\n  Second.\n", "Second."),
            ("\n", "Reasoning: "),
            ("It works.\n.\n", "File it?"),
            ("\n", "reply filed"),
        ):
            os.write(terminal, text.encode())
            read_until(asked)
        assert json.loads(REPLY.read_text())["solution"] == "First.\n\n  Second."
    finally:
        person.kill()
        person.wait()
        os.close(terminal)


def test_lines_break_between_words_and_no_command_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert answers.fold("  Well-known: 'skip x y z'.") == ["  Well-known:", "  'skip x y z'."]
    assert answers.fold("It is kept. Go on:  reply x y") == ["It is kept. Go on:", "  reply x y"]
    assert answers.fold("Next:  run x --all 'cmd:y'") == ["Next:  run x --all 'cmd:y'"]
