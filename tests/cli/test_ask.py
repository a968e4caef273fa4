"""The command `ask`: one question, one command, one page; and again after an interruption."""

import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from debate_ops.cli import app
from debate_ops.cli.new import ASKED
from debate_ops.core import errors
from debate_ops.engine import inbox, load
from debate_ops.engine.store import find_folder
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.run.clients import Found
from tests import panel_judges
from tests.builders import ARGUING, JUDGING, ROOT, debate_at, run, written
from tests.cli.stage import Terminal, feed, say
from tests.courses import list_steps, load_course
from tests.ending import PATIENCE
from tests.run import stub
from tests.run.stage import STUB, calls, start, wait_for

pytestmark = pytest.mark.usefixtures("work", "impatient")

EVERYONE = f"cmd:{STUB}"
QUESTION = "Should we move our database before the season?"
README = (ROOT / "README.md").read_text(encoding="utf-8")
SLUG = "move-our-database-before-the-season"
slow = partial(pytest.param, marks=pytest.mark.slow)
PAGE = Path(f"debates/{SLUG}/report.html")
WORDS = ("ask", QUESTION, "--exchanges", "1", "--all", EVERYONE, "--yes")


def test_a_debate_without_its_memo_has_a_page_and_says_who_leads() -> None:
    said = say(*WORDS, "--reporter", "cmd:cat")
    assert said.code == 3
    assert "Open:" in said.err
    assert "complete" in said.err
    assert said.err.count("debate-ops") == 2, "who says it, and one command"
    status = say("status", SLUG).out
    assert f"of this record.\nNext:  debate-ops run {SLUG} --all SPEC\n" in status
    assert PAGE.is_file()
    failed = say("run", SLUG, "--reporter", "cmd:false", "--json")
    answer = json.loads(failed.out)
    assert (failed.code, answer["success"], answer["code"]) == (3, False, "participant_failed")


def test_a_question_becomes_page_and_memo_and_asks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written("facts.md", "The season begins in June.\n")
    said = say(*WORDS, "--context", "facts.md", "--json")
    assert said.code == 0, said.err
    result = json.loads(said.out)
    assert (result["success"], result["state"], result["question"]) == (True, "done", QUESTION)
    assert (result["answer"], result["page"]) == ("Yes, do it in May.", str(PAGE))
    assert (result["memo"], result["outcome"][:2]) == (str(PAGE.with_name("memo.md")), "# ")
    page = PAGE.read_text(encoding="utf-8")
    assert all(each in page for each in ("Yes, do it in May.", QUESTION, "begins in June"))
    assert "To come: 8 calls, and 1 more for the memo, of unknown cost\n" in said.err
    assert "Facts: none" not in said.err
    asked = calls()
    assert asked == {"adviser": 2, "prop": 2, "opp": 2, "judge": 2, "reporter": 1}
    assert "Answer:" not in said.err
    assert say(*WORDS, "-q").out.startswith("Answer: Yes, do it in May.")
    for more in ((), ("--reporter", "cmd:false"), ("--all", "person:me"), ("--json",)):
        again = say(*WORDS, *more)
        assert again.code == 0
    assert json.loads(again.out) == result, "one object, without events"
    feed(monkeypatch, f"{QUESTION}\n".encode())
    assert json.loads(say("ask", "-", *WORDS[2:], "--json").out) == result
    assert say("ask", QUESTION.upper().rstrip("?"), "--slug", SLUG, *WORDS[2:]).code == 0
    assert calls() == asked
    assert "no reply is due: complete" in say("reply", SLUG).err
    older = say("run", SLUG, "1", "--all", EVERYONE, "--no-memo")
    assert f"There is no memo of this record. Next:  debate-ops run {SLUG} --all SPEC" in older.err
    said = say(*WORDS, "--all", "person:me", "--no-memo")
    assert (said.code, f"report {SLUG} --memo FILE" in said.err) == (0, True), said.err
    assert "no memo" not in say("run", SLUG, "1", "--all", EVERYONE).err


def test_run_has_the_memo_written_and_makes_what_a_kill_left_out() -> None:
    run("new", "x", "--motion", "M", "--json")
    words, memo, page = ("run", "x", "--all", EVERYONE), Path("debates/x/memo.md"), PAGE.name
    assert say(*words, "1", "--no-memo").code == 0
    assert (memo.exists(), calls()["reporter"]) == (False, 0)
    plan = run(*words, "--dry-run", "--json").result
    assert (plan["replies"], plan["memos"]) == (0, 1)
    assert say("run", "x", "--all", "cmd:false", "--reporter", EVERYONE).code == 0
    assert memo.is_file()
    memo.with_name(page).unlink()
    assert say(*words).code == 0
    os.utime(memo.with_name(page), (1, 1))
    reason = "nothing is due: complete: 1 exchange"
    for more in ((), ("--dry-run",), ("--no-memo",)):
        again = say(*words, *more)
        assert (again.code, reason in again.err) == (2, True), again.err
    assert reason in say("run", "x", "--reporter", EVERYONE).err
    answer = json.loads(say(*words, "--json").out)
    assert (answer["code"], reason in answer["error"]) == ("usage", True)
    assert (memo.with_name(page).is_file(), calls()["reporter"]) == (True, 1)
    assert "and 1 more for the memo (all: python" in say(*words, "1").err
    assert calls()["reporter"] == 2


def test_what_differs_from_the_record_is_refused_and_more_exchanges_are_held() -> None:
    written("facts.md", "The season begins in June.\n")
    given = ("--context", "facts.md", "--scope", "This year", "--definition", "season=summer")
    assert say(*WORDS, *given).code == 0
    before, asked = Path(PAGE.parent, "debate.md").read_bytes(), calls()
    assert "nobody is asked again" in say(*WORDS, *given).err
    written("facts.md", "The season begins in May.\n")
    written("more.md", "More.\n")
    for more, named in (
        (("--context", "facts.md"), ": context"),
        (("--context", "more.md"), ": context"),
        (("--context-for", "prop=more.md"), ": papers"),
        (("--scope", "Next year"), ": scope"),
        (("--definition", "season=winter"), ": definitions"),
        (("--protocol", "formal"), ": protocol"),
        (("--motion", "Another"), ": motion"),
        (("--set", "web_search=forbidden"), ": web_search"),
    ):
        for words in (WORDS, ("new", "--question", QUESTION)):
            said = say(*words, *more)
            found = (said.code, named in said.err, "--slug NAME" in said.err)
            assert found == (2, True, True), more
    assert (Path(PAGE.parent, "debate.md").read_bytes(), calls()) == (before, asked)
    assert say(*WORDS[:3], "2", *WORDS[4:]).code == 0
    assert calls()["judge"] == 3, "one exchange more, and no more"
    assert (say(*WORDS).code, calls()["judge"]) == (0, 3), "none is taken back"
    run("next", SLUG, "--exchanges", "2", "--json")
    assert "Exchanges: 4, as was asked for before" in say(*WORDS).err


def ask_course(course: str) -> list[str]:
    """Return the command that asks what a course is about; everyone replies as it says."""
    given, framing = load_course(course), load_course(course)["framing"]
    protocol, replies = given["protocol"], [each["replies"] for each in list_steps(course)]
    written("replies.json", json.dumps(replies, default=float))
    older = load_protocol(protocol).Settings.OLDER
    written("s.json", json.dumps({**older, **given["settings"]}, default=float))
    words = ["ask", framing["motion"], "--protocol", protocol, "--settings", "s.json"]
    words += ["--slug", "x", "--scope", framing["scope"], "--all", EVERYONE, "--yes"]
    words += [
        w for term, text in framing["definitions"] for w in ("--definition", f"{term}={text}")
    ]
    for name, document in framing["context"]:
        written(name, document)
        words += ["--context", name]
    return words


@pytest.mark.parametrize(("phase", "is_done"), [(ARGUING, True), (JUDGING, False)])
def test_a_run_of_no_exchange_has_a_memo_written_between_two(phase: str, *, is_done: bool) -> None:
    folder = debate_at(2, phase)
    assert say("run", folder.slug, "--all", EVERYONE).code == (0 if is_done else 2)
    assert Path(folder.path, "memo.md").is_file() == is_done


def test_a_debate_with_an_end_of_its_own_is_not_complete_before_it_and_ask_goes_on() -> None:
    words = ask_course("consensus-five-all-phases-two-cycles")
    assert say("new", "x", "--question", words[1], *words[2:6], *words[8:10], *words[13:]).code == 0
    assert say("run", "x", "1", "--all", EVERYONE, "--no-memo").code == 0
    place = run("status", "x").result
    assert place["progress"] == "1 cycle complete, as asked for; the debate is not over"
    assert not [each for each in place["next"] if "outcome" in each]
    assert say("check", "x", "--require", "complete").code == 10
    assert "The debate is not over" in Path("debates/x/README.md").read_text(encoding="utf-8")
    said = say(*words)
    assert (said.code, "To come: at most" in said.err) == (0, True), said.err
    assert say("check", "x", "--require", "complete").code == 0


@pytest.mark.parametrize(
    ("protocol", "limit"),
    [("design", "max_exchanges"), ("chairs", "max_exchanges"), ("consensus", "max_cycles")],
)
def test_exchanges_of_a_protocol_with_an_end_are_its_maximum(protocol: str, limit: str) -> None:
    words = ("ask", QUESTION, "--protocol", protocol, "--all", "cmd:false", "--yes", "--exchanges")
    for number, code in (("1", 3), ("1", 3), ("2", 2)):
        said = say(*words, number)
        assert said.code == code, said.err
    assert f": {limit}" in said.err
    assert f"remove debates/{SLUG}, to begin anew" in said.err
    at = load(find_folder(SLUG))
    assert (getattr(at.debate.settings, limit), at.header.request) == (1, None)


@pytest.mark.parametrize(
    ("course", "step", "who"),
    [
        slow("consensus-three-at-once", 1, "cara"),
        ("exchange-attacks-decided", 3, "judge"),
        slow("chairs-the-chairs-cut-in-and-are-called-to-order", 4, "arbiter"),
        slow("design-nothing-new", 2, "ben"),
        slow("formal-two-pairs-and-a-judge", 7, "neg"),
        slow("speeches-two-rounds-and-a-judge", 2, "ann"),
    ],
)
def test_every_protocol_makes_a_page_over_a_kill_midway(course: str, step: int, who: str) -> None:
    words, replies = ask_course(course), [each["replies"] for each in list_steps(course)]
    words += ["--exchanges", "2"] if words[3] == "exchange" else []
    written("hold", f"{step}-{who}")
    here, others = Path("debates/x/inbox"), len(replies[step]) - 1
    running, held = start(*words), Path("held")
    wait_for(lambda: held.exists() and len([*here.glob(f"{step}-*.reply.json")]) == others)
    running.kill()
    running.communicate(timeout=PATIENCE)
    os.kill(int(held.read_text()), signal.SIGKILL)
    os.unlink("hold")
    said = say(*words)
    assert said.code == 0, said.err
    assert ("To come: at most" in said.err) == (words[3] != "exchange")
    assert "Yes, do it in May." in Path("debates/x/report.html").read_text(encoding="utf-8")
    assert calls().total() == sum(map(len, replies)) + 2, "nobody twice but who was held; the memo"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_question_makes_a_debate_in_every_protocol_with_its_judge_if_any(protocol: str) -> None:
    made = run("new", "--protocol", protocol, "--question", QUESTION, "--json").result
    settings = made["settings"]
    assert settings.get("judge", "one") == "one"
    said = say("ask", QUESTION, "--protocol", protocol, "--all", "cmd:cat", "--dry-run")
    assert f"Protocol: {protocol}, in debates/" in said.err
    people = settings.get("participants", [])
    names = f"Who takes part: {', '.join(each['name'] for each in people)}   (others: --part"
    assert (names in said.err) == bool(people)
    assert protocol != "consensus" or all(each["perspective"] for each in people)
    taken = said.out.partition(" calls")[0]
    assert taken.startswith("at most") == (protocol != "exchange"), said.out
    (row,) = (line for line in README.splitlines() if f"| [`{protocol}`]" in line)
    assert f" | {taken} | " in row


def test_a_panel_that_is_named_is_asked_and_one_that_a_debate_has_not_is_refused() -> None:
    said = say(*WORDS, "--panel", panel_judges.command("first"))
    assert said.code == 0, said.err
    assert run("status", SLUG).result["panel"]["state"] == "done"
    say("new", "x", "--motion", "M")
    refused = say("run", "x", "1", "--all", EVERYONE, "--panel", "cmd:cat")
    assert (refused.code, "is to have no panel" in refused.err) == (2, True)


def test_several_are_compared_on_one_page_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", str)
    both = f"{EVERYONE} --key s3cr3t,{EVERYONE} again"
    words = ("ask", QUESTION, "--compare", both, "--exchanges", "1", "--yes")
    made = say(*words, "--json")
    assert made.code == 0, made.err
    page = Path(f"debates/{SLUG}-compared.html").read_text(encoding="utf-8")
    pages = [*Path("debates").glob("*/report.html")]
    assert sorted(path.parent.name for path in pages) == [f"{SLUG}-python", f"{SLUG}-python-2"]
    assert "s3cr3t" not in "".join([page, *made[1:], *map(str, Path("debates").rglob("*"))])
    assert all(f'href="{path.parent.name}/report.html"' in page for path in pages)
    each = ("Yes, do it in May.", ">8 replies; tokens not recorded<", "moderate</strong>; the")
    assert [*map(page.count, each)] == [2, 2, 2]
    assert all(f">{name}<" in page for name in ("A: python", "B: python 2"))
    asked, lines = calls(), say(*words).out.splitlines()
    assert [line[:10] for line in lines[:2]] == ["A: python:", "B: python "]
    assert "B: python 2: Yes, do it in May. (how sure: " in lines[1]
    assert calls() == asked, "the same command finds its debates"
    assert say(*words, "--open").out.splitlines()[-1] == f"Opened: debates/{SLUG}-compared.html"


def test_in_a_terminal_it_asks_who_replies_and_whether_to_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    found = [Found("people", "person:me")]
    monkeypatch.setattr("debate_ops.cli.ask.find_repliers", lambda: found)
    monkeypatch.setenv("TERM", "dumb")
    words = ["ask", QUESTION, "--exchanges", "1"]
    monkeypatch.setattr(sys, "stdout", Terminal())
    quoted = f'cmd:"{EVERYONE.removeprefix("cmd:")}"'
    for typed, code in (("7\ncmd:nosuch -p", 130), (f"'{EVERYONE}'", 130), (f"{quoted}\ny", 0)):
        monkeypatch.setattr(sys, "stdin", Terminal(f"{typed}\n"))
        monkeypatch.setattr(sys, "stderr", err := Terminal())
        assert app.main(words) == code, err.getvalue()
        assert "1  people" in err.getvalue()
        assert ("no program 'nosuch'" in err.getvalue()) != ("To keep it:" in err.getvalue())
    assert load(find_folder(SLUG)).debate.motion == QUESTION
    assert [path.endswith("/report.html") for path in opened] == [True]
    monkeypatch.setattr(sys, "stdin", Terminal("\nno\n"))
    monkeypatch.setattr(sys, "stderr", err := Terminal())
    assert app.main(["ask", "Which?", "--exchanges", "1"]) == 0, err.getvalue()
    assert "Who takes part: customer, builder, sceptic   (" in err.getvalue()
    assert "For a model to reply: install a client (claude, " in err.getvalue()
    assert "Facts: none   (give them with --context FILE)" in err.getvalue()
    monkeypatch.setattr(sys, "stdin", Terminal("\n"))  # ends at "Begin?"
    assert app.main(["ask", "Which?"]) == errors.INTERRUPTED
    assert not Path("debates/which").exists()


@pytest.mark.parametrize("is_held", [False, True])
def test_a_debate_that_another_command_goes_on_with_is_not_removed(
    monkeypatch: pytest.MonkeyPatch, *, is_held: bool
) -> None:
    def decline(_: str) -> str:
        if is_held:
            stack.enter_context(inbox.lock_run(find_folder(SLUG)))
        else:
            assert say(*WORDS).code == 0
        return "no"

    monkeypatch.setattr("debate_ops.cli.answers.can_ask", lambda: True)
    monkeypatch.setattr("debate_ops.cli.answers.ask_person", decline)
    with ExitStack() as stack:
        assert say(*WORDS[:-1]).code == 0
    assert load(find_folder(SLUG)).debate.step == (0 if is_held else 4)


def test_skill_commands_go_from_question_to_answer_and_on(monkeypatch: pytest.MonkeyPatch) -> None:
    make = ("new", "--json", "--question", QUESTION)
    written("facts.md", "In June.\n")
    made = run(*make, "--context", "facts.md").result
    assert (made["debate"], made["exchanges"], made["already_applied"]) == (SLUG, 3, False)
    answer = run("next", SLUG, "--exchanges", 1).result
    assert run(*make).result["exchanges"] is None, "it goes on with what was asked for"
    while answer["state"] == "turn":
        for task in answer["tasks"]:
            if task["participant"] != "adviser":  # nothing waits for it
                written(task["reply_file"], _ask_everyone(task["prompt_file"]))
        answer = run(*answer["submit"].split(), "--made-by", "a model").result
    feed(monkeypatch, QUESTION.upper().encode())
    again = run(*make[:-1], "-").result
    assert (again["already_applied"], again["step"]) == (True, 4)
    report = run("report", SLUG, "--json").result
    again = run("report", SLUG, "--json").result
    assert (report["unchanged"], again["unchanged"]) == (False, True)
    written(report["memo_file"], _ask_everyone(report["memo_prompt_file"]))
    report = run("report", SLUG, "--memo", report["memo_file"], "--json").result
    assert report["answer"] == "Yes, do it in May."
    assert report["sureness"]
    assert "memo_file" not in run("report", SLUG, "--json").result


def _ask_everyone(prompt: str) -> str:
    words = [sys.executable, stub.__file__, prompt, "."]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--question 'Which of three?'", ("three", "consensus", "Which of three?", "")),
        ("x --question 'How do we cache pages?'", ("x", "design", "How do we cache pages?", "")),
        ("x --question 'How much do we ask?'", ("x", "consensus", "How much do we ask?", "")),
        ("x --question 'Is it right to go?'", ("x", "exchange", "Is it right to go?", "")),
        ("x --question 'Do we build or buy?'", ("x", "exchange", "Do we build or buy?", "")),
        ("x --question 我们应该搬家吗?", ("x", "exchange", "我们应该搬家吗?", "")),
        ("--question Why? --protocol exchange", ("why", "exchange", "Why?", "")),
        ("x --question So? --motion M", ("x", "exchange", "M", ASKED.format("So?"))),
        ("x --motion-file m.txt", ("x", "exchange", "  To the letter. ", "")),
    ],
)
def test_new_takes_a_motion_as_it_stands_or_all_from_a_question_p2_10_p2_11(
    words: str, expected: tuple[str, ...]
) -> None:
    written("m.txt", "  To the letter. \n")
    assert say("new", *shlex.split(words)).code == 0
    at = load(find_folder(expected[0]))
    assert (at.protocol.name, at.debate.motion, at.debate.scope) == expected[1:]
