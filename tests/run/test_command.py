"""Commands as participants: what goes in, what comes out, and that nothing outlives the asking."""

import json
import os
import shlex
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.run import command
from debate_ops.run.base import Answer, FailedError, Prompt, StoppedError, TimedOutError, ask
from debate_ops.run.command import Command
from tests.ending import PATIENCE, must_end
from tests.run.stage import is_running, pids_of, plan, prompt, stub_words, wait_for

ECHO = "import sys; sys.stdout.write(sys.stdin.read())"
TELL_ARGUMENTS = "import json, sys; print(json.dumps(sys.argv[1:]))"
SLEEP = f"[{sys.executable!r}, '-I', '-S', '-c', 'import time; time.sleep(30)']"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def python(code: str, *arguments: str) -> Command:
    return Command(shlex.join([sys.executable, "-I", "-S", "-c", code, *arguments]))


def failure(code: str) -> FailedError:
    with pytest.raises(FailedError) as failed:
        python(code).reply(prompt())
    return failed.value


@pytest.mark.parametrize(
    ("code", "text", "raw"),
    [
        (ECHO, "Motion: «größer» ≠ \u2028 better\n" * 5_000, None),
        (r"import sys; sys.stdout.buffer.write(b'\xff\x00{}')", "", b"\xff\x00{}"),
        ("print('{}')", "not read " * 250_000, b"{}\n"),
        ("import sys; sys.stderr.write('e' * 2_000_000); print('{}')", "", b"{}\n"),
        (f"print('x' * {MAX_BYTES + 100})", "", b"x" * (MAX_BYTES + 100) + b"\n"),
    ],
)
def test_prompt_and_reply_pass_to_the_letter(code: str, text: str, raw: bytes | None) -> None:
    assert python(code).reply(prompt(text)).raw == (text.encode() if raw is None else raw)


@pytest.mark.parametrize(
    "words",
    [
        ["$HOME", "; echo bad", "a | b", "`id`", "*", "> file"],
        ['{"a": {}}', "{other}"],
        ["one word", "two"],
    ],
)
def test_words_are_taken_apart_as_a_shell_would_and_no_shell_reads_them(words: list[str]) -> None:
    assert json.loads(python(TELL_ARGUMENTS, *words).reply(prompt()).raw) == words
    assert os.listdir() == []


def test_placeholders_become_paths_and_the_prompt_still_goes_in() -> None:
    Path("prompt.md").write_text("from the file", encoding="utf-8")
    code = (
        "import json, pathlib, sys; p, s = map(pathlib.Path, sys.argv[1:]);"
        "print(json.dumps([p.is_absolute(), p.read_text(), json.loads(s.read_text()),"
        "sys.stdin.read()]))"
    )
    asked = prompt("in")
    result = json.loads(python(code, "{prompt_file}", "{schema_file}").reply(asked).raw)
    assert result == [True, "from the file", asked.schema, "in"]


def test_only_the_program_name_and_the_time_go_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    said = python("print('{}')", "--key", "s3cret")
    made = said.reply(prompt()).made_by
    assert (set(made), made["command"]) == ({"command", "latency_ms"}, Path(sys.executable).name)
    assert 0 < made["latency_ms"] < 60_000
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert set(said.reply(prompt()).made_by) == {"command"}


@pytest.mark.parametrize(
    ("text", "sentence", "hint"),
    [
        ("no-such-program-here -p", "there is no program 'no-such-program-here'", "Install it"),
        ("./", r"^there is no program '\./'", "whole path"),
        ("./reply.py", r"there is no program '\./reply\.py'", "executable (chmod +x), or"),
    ],
)
def test_a_command_that_cannot_start_is_refused(text: str, sentence: str, hint: str) -> None:
    Path("reply.py").write_text("#!/bin/sh\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=sentence) as result:
        Command(text)
    assert result.value.exit_code == 4
    assert hint in result.value.hint


@pytest.mark.parametrize("text", ["", "   ", '""', "claude 'unclosed"])
def test_words_that_name_no_program_are_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError, match="the command"):
        Command(text)


def test_a_program_that_the_system_cannot_execute_is_not_tried_again() -> None:
    Path("script").write_text("neither a script nor a program", encoding="utf-8")
    Path("script").chmod(0o755)
    with pytest.raises(FailedError, match="script cannot be started") as result:
        Command("./script").reply(prompt())
    assert result.value.tries == 1


def test_an_exit_code_is_a_failure_with_the_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789")
    failed = failure(
        "import os, sys; sys.stderr.write('a' * 5000 + '\\x1b[31m ' + os.environ['SOME_API_KEY']);"
        "print('{}'); sys.exit(3)"
    )
    assert failed.sentence.endswith("ended with exit code 3")
    assert (failed.tries, len(failed.said)) == (2, 2_000)
    assert failed.said.endswith("aaa [31m …"), "no secret of the environment, no escape code"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import os; os.kill(os.getpid(), 9)", "ended with signal 9 (Killed)"),
        ("", "printed no reply"),
        (r"print(' \n\t', end='')", "printed no reply"),
        ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "wrote more than 16777216 bytes"),
        ("import sys\nwhile True: sys.stderr.write('x' * 65536)", "wrote more than 16777216 bytes"),
    ],
)
def test_each_way_to_fail_is_named(code: str, sentence: str) -> None:
    with must_end():
        assert sentence in failure(code).sentence


def hanging(notes: Path) -> Command:
    Path("debates/case").mkdir(parents=True)
    Path("debates/case/debate.md").write_text('---\n{"current_exchange": 0}\n---\n')
    plan(notes, prop="hang")
    return Command(stub_words("prop", notes))


def test_a_time_out_ends_even_what_is_deaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_GRACE_SECONDS", 0.1)
    with pytest.raises(TimedOutError, match=r"gave no reply within 1 s"):
        hanging(tmp_path / "notes").reply(prompt(time_limit=0.7))
    pids = pids_of(tmp_path / "notes/prop.pids")
    assert len(pids) == 2
    assert not [pid for pid in pids if is_running(pid)]


def test_a_time_out_lets_a_command_end_by_itself() -> None:
    code = (
        "import pathlib, signal, sys, time\n"
        "def end(*_): pathlib.Path('tidy').touch(); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); print('up', file=sys.stderr, flush=True)\n"
        "time.sleep(30)"
    )
    with pytest.raises(TimedOutError) as result:
        python(code).reply(prompt(time_limit=0.5))
    assert result.value.said == "up"
    assert Path("tidy").exists()


def test_a_reply_that_is_no_longer_needed_ends_long_before_its_time_limit(tmp_path: Path) -> None:
    stop, has_ended, deaf = threading.Event(), threading.Event(), hanging(tmp_path / "notes")

    def ask() -> None:
        with pytest.raises(StoppedError):
            deaf.reply(prompt(stop=stop))
        has_ended.set()

    thread = threading.Thread(target=ask)
    thread.start()
    wait_for((tmp_path / "notes/prop.pids").exists)
    stop.set()
    assert has_ended.wait(PATIENCE)
    thread.join()
    assert not [pid for pid in pids_of(tmp_path / "notes/prop.pids") if is_running(pid)]


@pytest.mark.parametrize("streams", ["", ", stdin=n, stdout=n, stderr=n"])
def test_what_a_command_leaves_in_the_background_ends_and_holds_no_reply_back(streams: str) -> None:
    code = f"import subprocess as s; n = s.DEVNULL; print(s.Popen({SLEEP}{streams}).pid)"
    with must_end():
        pid = int(python(code).reply(prompt()).raw)
    assert not is_running(pid)


class Slow:
    """Hears that it is to stop, has its caller interrupted, and ends a moment later."""

    name, recorded, has_ended = "slow", False, False

    def reply(self, asked: Prompt) -> Answer:
        asked.stop.wait(10)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.2)
        self.has_ended = True
        return Answer(b"{}")


def test_an_interruption_of_the_ending_still_waits_for_those_who_were_asked() -> None:
    stop, slow = threading.Event(), Slow()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    with pytest.raises(KeyboardInterrupt):
        list(ask({"prop": (slow, prompt(stop=stop))}, stop, lambda: True))
    signal.signal(signal.SIGINT, before)
    assert slow.has_ended
