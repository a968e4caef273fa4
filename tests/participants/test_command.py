"""A command as a participant: what goes in, what comes out, and that nothing outlives it."""

import json
import os
import shlex
import sys
import threading
import time
from pathlib import Path

import pytest

from debate_ops.errors import ConfigurationError
from debate_ops.formats import schema
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.participants import command
from debate_ops.participants.base import FailedError, StoppedError, TimedOutError
from debate_ops.participants.command import Command
from tests.participants.stage import STUB, case, is_running, pids_of, plan, prompt, wait_for

ECHO = "import sys; sys.stdout.write(sys.stdin.read())"
TELL_ARGUMENTS = "import json, sys; print(json.dumps(sys.argv[1:]))"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def python(code: str, *arguments: str) -> Command:
    return Command(shlex.join([sys.executable, "-I", "-S", "-c", code, *arguments]))


def arguments_of(*words: str) -> list[str]:
    result: list[str] = json.loads(python(TELL_ARGUMENTS, *words).reply(prompt()).raw)
    return result


def test_the_prompt_goes_in_and_the_reply_comes_out_to_the_letter() -> None:
    text = "Motion: «größer» ≠ \u2028 better\n" * 5_000

    assert python(ECHO).reply(prompt(text)).raw == text.encode()
    code = r"import sys; sys.stdout.buffer.write(b'\xff\x00{}')"
    assert python(code).reply(prompt()).raw == b"\xff\x00{}"


def test_no_shell_reads_the_command() -> None:
    words = ["$HOME", "; echo bad", "`id`", "*", "> file", "one word", '{"a": {}}', "{other}"]

    assert arguments_of(*words) == words
    assert os.listdir() == []


def test_placeholders_become_paths_and_the_prompt_still_goes_in() -> None:
    Path("prompt.md").write_text("from the file", encoding="utf-8")
    code = (
        "import json, pathlib, sys; p, s = map(pathlib.Path, sys.argv[1:]);"
        "print(json.dumps([p.is_absolute(), p.read_text(), json.loads(s.read_text()),"
        "sys.stdin.read()]))"
    )

    result = json.loads(python(code, "{prompt_file}", "{schema_file}").reply(prompt("in")).raw)

    assert result == [True, "from the file", schema.load("exchange-opening"), "in"]


def test_a_command_need_not_read_its_input_and_may_say_much_on_standard_error() -> None:
    code = "import sys; sys.stderr.write('e' * 2_000_000); print('{}')"

    assert python(code).reply(prompt("x" * 2_000_000)).raw == b"{}\n"


def test_only_the_name_of_the_program_and_the_time_go_on_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = python("print('{}')", "--key", "s3cret").reply(prompt()).made_by
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    fixed = python("print('{}')").reply(prompt()).made_by

    assert set(made) == {"command", "latency_ms"}
    assert fixed == {"command": Path(sys.executable).name} == {"command": made["command"]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("no-such-program-here -p", "there is no program 'no-such-program-here'"),
        ("./", r"there is no program '\./'"),
        ("   ", "the command is blank"),
        ("claude 'unclosed", "cannot be read"),
    ],
)
def test_a_command_that_cannot_start_is_told_at_once(text: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as result:
        Command(text)
    assert result.value.exit_code == 4
    assert result.value.hint


def test_a_file_that_may_not_be_executed_is_told_with_what_to_do() -> None:
    Path("script").touch()

    with pytest.raises(ConfigurationError, match=r"^'./script' may not be executed$") as result:
        Command("./script -p")
    assert "'chmod +x ./script'" in result.value.hint


def test_a_program_that_the_system_cannot_execute_is_not_tried_again() -> None:
    Path("script").write_text("neither a script nor a program", encoding="utf-8")
    Path("script").chmod(0o755)

    with pytest.raises(FailedError, match="script cannot be started") as result:
        Command("./script").reply(prompt())
    assert result.value.tries == 1


def test_an_exit_code_is_a_failure_with_the_end_of_what_the_command_said() -> None:
    code = (
        "import sys; sys.stderr.write('a' * 5000 + '\\x1b[31m the end'); print('{}'); sys.exit(3)"
    )

    with pytest.raises(FailedError, match=r"ended with exit code 3$") as result:
        python(code, "s3cret").reply(prompt())

    assert result.value.tries > 1
    assert result.value.said.endswith("aaa [31m the end")
    assert len(result.value.said) == 2_000
    assert "s3cret" not in result.value.in_full()


def test_no_reply_is_a_failure_and_a_signal_is_named() -> None:
    with pytest.raises(FailedError, match="printed no reply"):
        python("print(' \\t')").reply(prompt())
    with pytest.raises(FailedError, match="ended with signal SIGKILL"):
        python("import os; os.kill(os.getpid(), 9)").reply(prompt())


def test_a_flood_is_cut_off() -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"

    begun = time.monotonic()
    with pytest.raises(FailedError, match="wrote more than 1114112 bytes"):
        python(code).reply(prompt())
    assert time.monotonic() - begun < 5


def test_a_reply_a_little_too_long_comes_through_to_be_refused_and_mended() -> None:
    code = f"print('x' * {MAX_BYTES + 100})"

    assert len(python(code).reply(prompt()).raw) == MAX_BYTES + 101


def hanging(notes: Path) -> Command:
    case()
    plan(notes, prop="hang")
    return Command(shlex.join([sys.executable, "-I", "-S", str(STUB), "prop", str(notes)]))


def test_a_time_out_ends_all_that_was_started_even_what_is_deaf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_GRACE_SECONDS", 0.1)
    deaf = hanging(tmp_path / "notes")

    with pytest.raises(TimedOutError, match=r"gave no reply within 0.7 s"):
        deaf.reply(prompt(time_limit=0.7))

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


def test_a_reply_no_longer_wanted_ends_long_before_its_time_limit(tmp_path: Path) -> None:
    stop, deaf, ends = threading.Event(), hanging(tmp_path / "notes"), []

    def ask() -> None:
        with pytest.raises(StoppedError):
            deaf.reply(prompt(stop=stop))
        ends.append(time.monotonic())

    thread = threading.Thread(target=ask)
    thread.start()
    wait_for((tmp_path / "notes/prop.pids").exists)
    begun = time.monotonic()
    stop.set()
    thread.join()

    assert ends[0] - begun < 5
    assert not [pid for pid in pids_of(tmp_path / "notes/prop.pids") if is_running(pid)]


@pytest.mark.parametrize("is_apart", [False, True])
def test_what_a_command_leaves_in_the_background_ends_with_it_but_for_other_sessions(
    *, is_apart: bool
) -> None:
    sleep = f"[{sys.executable!r}, '-I', '-S', '-c', 'import time; time.sleep(30)']"
    code = f"import subprocess as s; print(s.Popen({sleep}, start_new_session={is_apart}).pid)"

    begun = time.monotonic()
    pid = int(python(code).reply(prompt()).raw)

    assert time.monotonic() - begun < 5
    assert is_running(pid) == is_apart
    if is_apart:
        os.kill(pid, 9)


def test_a_flood_of_complaints_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MOST_OF_STDERR", 1_000)
    code = "import sys; sys.stderr.write('e' * 2_000); print('{}')"

    with pytest.raises(FailedError, match="more than 1000 bytes to standard error"):
        python(code).reply(prompt())
