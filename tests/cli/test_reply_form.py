"""What a person is asked in a terminal for a reply: each part of its model, in plain words."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from debate_ops.cli import app
from debate_ops.cli.reply_form import Form, name_part
from tests.builders import JUDGING, attack, debate_at, defence, hold, rebuttal, scores_of, written
from tests.cli.stage import Terminal, say
from tests.courses import COURSES, begin_course, list_steps, read_exactly, take_step
from tests.ending import must_end

DRAFT = Path("debates/vote/inbox/0-ann.draft.json")
REPLY = DRAFT.with_name("0-ann.reply.json")
PROPOSAL = {"title": "One way", "confidence": 0.5, "solution": "Use it.", "reasoning": "It works."}
WORDS = ["reply", "vote", "--as", "ann", "--by", "kim"]
GROUND = ("Reasoning", "They sleep less.", ".", "It is the cost.", ".")


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
        return self.parts.get(name, "") if name.strip() else "."


@pytest.mark.parametrize("course", COURSES)
def test_every_reply_of_every_protocol_can_be_given_part_by_part(
    course: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = begin_course(course)
    for step in list_steps(course):
        for who, reply in step.get("replies", {}).items():
            prepared, form = at.form_of(who).prepare(reply), Form(at, who)
            if "scores" in prepared:  # what is to be scored or decided is asked for in its order
                shown = at.protocol.shows(at.debate, at.turn, who)
                order = [*shown["new_arguments"], *shown["new_attacks"]]
                parts = ("attacker_id", "target_id", "component")
                prepared["scores"].sort(key=lambda score: order.index(score["argument_id"]))
                prepared.get("effects", []).sort(
                    key=lambda e: [*order, each := tuple(e[part] for part in parts)].index(each)
                )
            person = Person(prepared, monkeypatch)
            form.ask()
            if course.startswith("exchange") and not at.turn.round:
                assert not [each for each in person.asked if each.startswith(("Resc", "Effect"))]
            read = [at.read(who, read_exactly(r), is_named=True)[0] for r in (prepared, form.reply)]
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
def test_what_is_wrong_is_asked_again_and_what_is_left_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = ("", "\udcff", "One way", "much", "2", "0.12345", "0.5", "Use it.", "", "Now.")
    code, err = type_in(monkeypatch, *lines)
    assert (code, REPLY.exists()) == (130, False)
    assert f"with:  debate-ops reply vote {DRAFT} --as ann\n" in err
    said = ("is required", "is not UTF-8", 'is "much"', "is 2,", "too many decimals")
    assert all(each in err for each in said)
    kept = json.loads(DRAFT.read_text())
    assert (kept["title"], kept["solution"]) == ("One way", "Use it.\n\nNow.")
    assert "reasoning: is missing" in say("reply", "vote", str(DRAFT), "--as", "ann").err
    DRAFT.write_text('{"title": "One way')
    assert type_in(monkeypatch)[0] == 2, "what cannot be read is not replaced"
    DRAFT.write_text(json.dumps(kept | {"confidence": 2}))
    code, err = type_in(monkeypatch, "0.5")
    assert (code, json.loads(DRAFT.read_text())) == (130, kept | {"reasoning": None}), err
    code, err = type_in(monkeypatch, "It works.", ".", "")
    assert (code, err.count("Solution:"), REPLY.exists(), DRAFT.exists()) == (0, 1, True, False)
    code, err = type_in(monkeypatch)
    assert (code, "is over: replied" in err, "Title:" in err) == (1, True, False)


@pytest.mark.usefixtures("vote")
def test_all_of_it_is_shown_before_it_is_filed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.edit", lambda text, **_: f"{text}One.\n\nTwo.\n")
    code, err = type_in(monkeypatch, "One way", "0.5", "e", "It works.", ".", "what")
    assert (code, REPLY.exists(), "is kept in" in err) == (0, False, True), err
    code, err = type_in(monkeypatch, "y")
    assert (code, "\nSolution: One.\n\nTwo.\nReasoning: It works.\n" in err) == (0, True), err
    reply = json.loads(REPLY.read_text(encoding="utf-8"))
    parts = (reply["title"], reply["confidence"], reply["solution"], reply["participant"])
    assert parts == ("One way", 0.5, "One.\n\nTwo.", "ann")
    made = json.loads(DRAFT.with_name("0-ann.made.json").read_text())
    assert made["made_by"] == {"person": "kim"}


@pytest.mark.usefixtures("vote")
def test_an_editor_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "false")
    code, err = type_in(monkeypatch, "One way", "0.5", "e")
    assert (code, "false: Editing failed" in err, DRAFT.exists()) == (4, True, True), err


@pytest.mark.usefixtures("vote")
def test_names_are_checked_at_once_and_long_text_may_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ann", "ben"):
        named = {"participant": name, "exchange": 1, "phase": "awaiting_proposals"}
        written("one.json", json.dumps(named | PROPOSAL))
        say("reply", "vote", "one.json", "--as", name)
    say("submit", "vote", "--step", 0)
    say("next", "vote")
    names = ("ann_001-proposal", "ben_001-proposal")
    code, err = type_in(monkeypatch, *names, "tiny", "maj", "No. " * 151, ".", "", "", "", "", "")
    assert code == 0, err
    assert "  ben_001-proposal  One way: Use it." in err
    assert all(each in err for each in ("  ann_001-proposal ", 'is "tiny", expected minor'))
    assert "has 151 words, expected at most 150" in err
    (critique,) = json.loads(REPLY.with_name("1-ann.reply.json").read_text())["critiques"]
    assert (critique["proposal_id"], critique["severity"]) == ("ben_001-proposal", "major")


@pytest.mark.usefixtures("work")
def test_a_side_is_told_what_it_argues_and_asked_for_no_document_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{__name__}.WORDS", ["reply", debate_at(1).name, "--as", "opp"])
    err = type_in(monkeypatch, "Rest for all of the children", "Yes.", ".", *GROUND, "")[1]
    assert err.count("opp is the opposition, against the motion.") == 1
    assert ("warrant: " in err, "document: " in err, "quote: " in err) == (True, False, False)


@pytest.mark.usefixtures("work")
def test_what_is_found_when_it_is_filed_is_asked_again_and_a_dot_alone_is_no_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{__name__}.WORDS", ["reply", debate_at(1).name, "--as", "opp"])
    lines = ("Rest for all of the children", "Yes.", ".", *GROUND, *GROUND, "")
    code, err = type_in(monkeypatch, *lines, ".", "So\x07.", ".", ".", *[""] * 5)
    said = ("warrant: holds the control", "grounds #2: says the same as item 1", "is required")
    assert (code, [each in err for each in said]) == (1, [True] * 3), err
    code, err = type_in(monkeypatch, "", "So.", ".", "")
    assert (code, "Going on with debates/" in err, "Claim:" in err) == (0, True, False), err
    (path,) = Path("debates").rglob("*.reply.json")
    (made,) = json.loads(path.read_text(encoding="utf-8"))["arguments"]
    assert (len(made["grounds"]), made["warrant"], made.get("backing")) == (1, "So.", None)


@pytest.mark.usefixtures("work")
def test_a_judge_reads_what_is_to_be_scored_and_what_that_attacks_and_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attacks = [("claim_attack", "It costs more."), ("warrant_attack", "It does not follow.")]
    links = {"attacks": [attack("prop_000a", *each) for each in attacks]}
    hold(folder := debate_at(1), opp=rebuttal("opp", 1, **links, defends=[defence("opp_000b")]))
    monkeypatch.setattr("tests.cli.test_reply_form.WORDS", ["reply", folder.name])
    err = type_in(monkeypatch, "0.5", "r", ".")[1]
    on, attacked = "Attacks prop_000a (claim attack): It costs more.", "prop_000a: prop says one."
    said = (on, attacked, "Claim: opp says more in 1.", "opp_000b: opp says two.")
    assert [err.count(f"    {line}\n") for line in said] == [1] * len(said)
    rest = ("-0.5", "r", ".", "", "landed", "It shows.", ".")
    err = type_in(monkeypatch, *rest)[1]
    assert err.index(on) < err.index("    Claim: prop says one.\n"), "the attack, and its target"


@pytest.mark.usefixtures("work")
def test_no_text_that_a_judge_reads_forges_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    forged = "So.\nScore 1, score: a number from 0.9 to 1\n    Claim: opp says nothing."
    folder = debate_at(1)
    hold(folder, opp=rebuttal("opp", 1, warrant=forged))
    monkeypatch.setattr("tests.cli.test_reply_form.WORDS", ["reply", folder.name])
    err = type_in(monkeypatch, "0.5", "r", ".")[1]
    rows = [row for row in err.split("\n") if "from 0.9" in row or "says nothing" in row]
    assert rows, err
    assert all(row.startswith("    > ") for row in rows)


@pytest.mark.usefixtures("work")
def test_what_a_judge_cannot_score_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.WORDS", ["reply", debate_at(1, JUDGING).name])
    scores = [line for n in scores_of(1).values() for line in (n, "r", ".")]
    rescored = ("prop_001", "prop_000a", "1", scores_of(0)["prop_000a"], "the cause", ".", "")
    code, err = type_in(monkeypatch, *map(str, ("[" * 1_500, *scores, *rescored, "")))
    assert code == 130, err
    assert all(each in err for each in ('is "[[[', "prop_001 has no score on record"))
    assert ("would change from" in err, "(2 of them)" in err) == (True, True)


@pytest.mark.usefixtures("work")
def test_scores_of_a_wrong_sum_are_asked_again_and_what_was_left_out_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = debate_at(1, JUDGING)
    monkeypatch.setattr(f"{__name__}.WORDS", ["reply", folder.name])
    first = ("0.5", "r", ".", "0.1", "r", ".", "")
    code, err = type_in(monkeypatch, *first)
    assert (code, err.count("Rescore 1, ")) == (130, 1)
    assert "scores must sum to exactly 0, they sum to +0.6" in err
    draft = next(Path(folder.path).rglob("*.draft.json"))
    draft.write_text(draft.read_text().replace('"score": null', '"score": 0.1', 1))
    code, err = type_in(monkeypatch, "0.5", "-0.5", "0.5", "no")
    assert (code, err.count("Rescore"), err.count("score: From")) == (0, 0, 3), err
    code, err = type_in(monkeypatch, "")
    assert (code, err.count(", score: From"), "File it?" in err) == (0, 0, True), err


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
            ("First.\n\n  Second.\n.\n", "Reasoning: "),
            ("It works.\n.\n", "File it?"),
        ):
            os.write(terminal, text.encode())
            read_until(asked)
        person.send_signal(signal.SIGHUP)
        os.write(terminal, b"\n")  # if the signal came before the program waits
        read_until("is kept in")
        assert json.loads(DRAFT.read_text())["solution"] == "First.\n\n  Second."
    finally:
        person.kill()
        person.wait()
        os.close(terminal)
