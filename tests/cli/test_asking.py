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

from debate_ops.cli import app
from debate_ops.cli.asking import Form, name_part
from tests.builders import debate_at
from tests.cli.stage import Terminal, put, say
from tests.courses import COURSES, begin_course, list_steps, read_exactly, take_step

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
        return self.parts.get(name, "")


@pytest.mark.parametrize("course", COURSES)
def test_every_reply_of_every_protocol_can_be_given_part_by_part(
    course: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = begin_course(course)
    for step in list_steps(course):
        for who, reply in step.get("replies", {}).items():
            model = at.form_of(who)
            prepared = model.prepare(reply)
            Person(prepared, monkeypatch)
            given: Any = {}
            Form(at, who, "", lambda _: None).ask(given, [""])
            read = [at.read(who, read_exactly(each), is_named=True)[0] for each in (reply, given)]
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
def test_what_was_typed_is_kept_and_goes_on_and_what_is_no_reply_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, err = type_in(monkeypatch, "", "One way", "much", "2", "0.12345", "Use it.", "Now.", "")
    assert (code, DRAFT.is_file(), REPLY.exists()) == (130, True, False)
    assert f"kept in {DRAFT}. Go on with:  debate-ops reply vote --as ann" in err
    assert all(each in err for each in ("It is required", "'much' is not", "'2' is not"))
    code, err = type_in(monkeypatch, "", "", "", "It works.", "", "0.5")
    assert code == 0, err
    assert "[One way]" in err
    assert "confidence: has too many decimals" in err
    assert err.count("Title:") == 1, "it was no fault"
    reply = json.loads(REPLY.read_text(encoding="utf-8"))
    parts = (reply["title"], reply["confidence"], reply["solution"], reply["participant"])
    assert parts == ("One way", 0.5, "Use it.\nNow.", "ann")
    made = json.loads(DRAFT.with_name("0-ann.made.json").read_text())
    assert (made["made_by"], DRAFT.exists()) == ({"person": "kim"}, False)
    code, err = type_in(monkeypatch)
    assert (code, "is over: replied" in err, "Title:" in err) == (1, True, False)


@pytest.mark.usefixtures("vote")
def test_lines_of_a_text_that_did_not_come_to_its_end_are_kept_and_a_strange_draft_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(str(DRAFT), json.dumps({"title": ["q"], "confidence": {"a": 1}}))
    assert type_in(monkeypatch, "", "One way", "0.5", "Use it.", "Now.")[0] == 130
    draft = json.loads(DRAFT.read_text(encoding="utf-8"))
    assert (draft["title"], draft["solution"]) == ("One way", "Use it.\nNow.")
    assert type_in(monkeypatch, "", "", "w " * 601, "")[0] == 130
    assert len(json.loads(DRAFT.read_text(encoding="utf-8"))["solution"].split()) == 601


@pytest.mark.usefixtures("vote")
@pytest.mark.parametrize(("program", "code"), [("ed", 0), ("false", 4)])
def test_a_text_of_several_lines_may_be_written_in_an_editor(
    program: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("ed", f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'w').write('One.\\n\\nTwo.\\n')")
    Path("ed").chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(Path(program).resolve()) if program == "ed" else program)
    lines = ("One way", "0.5", "e", "It works.", "", "")
    assert type_in(monkeypatch, *lines)[0] == code
    if not code:
        assert json.loads(REPLY.read_text())["solution"] == "One.\n\nTwo."


@pytest.mark.usefixtures("vote")
def test_what_may_be_named_is_shown_and_a_text_that_is_too_long_may_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put("one.json", json.dumps(PROPOSAL))
    for name in ("ann", "ben"):
        say("reply", "vote", "one.json", "--as", name)
    say("submit", "vote", "--step", 0)
    say("next", "vote")
    said = ("ben_001-proposal", "tiny", "minor", "No. " * 151, "", "", "", "", "", "")
    code, err = type_in(monkeypatch, *said)
    assert code == 0, err
    assert "  ben_001-proposal  One way: Use it." in err
    assert "'tiny' is not as expected: one of: minor, major, blocking" in err
    assert "It has 151 words; Enter alone keeps it." in err


def test_the_memo_is_asked_for_part_by_part_and_what_is_wrong_with_it_again(
    monkeypatch: pytest.MonkeyPatch,
    work: Path,  # noqa: ARG001  (it is to work there)
) -> None:
    folder = debate_at(2)
    monkeypatch.setattr("tests.cli.test_asking.WORDS", ["reply", folder.name, "--as", "reporter"])
    first = ("Yes, in May.", "", "sideways", "prop", "70", "it pays", "")
    code, err = type_in(monkeypatch, *first, "It follows from prop_000a.", "", "It pays.", "")
    assert code == 0, err
    assert "'sideways' is not as expected: one of: prop, opp, open" in err
    assert ("names prop_000a" in err, err.count("Answer:")) == (True, 1)
    text = Path(folder.within("memo.md")).read_text(encoding="utf-8")
    assert text.endswith("---\n\nIt pays.\n")
    assert not Path(folder.within("inbox/memo.draft.json")).exists()


@pytest.mark.usefixtures("vote")
def test_a_line_that_is_edited_in_a_terminal_leaves_its_question_as_it_is() -> None:
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
    finally:
        person.kill()
        person.wait()
        os.close(terminal)
