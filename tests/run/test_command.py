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
from debate_ops.participants.command import SLACK_BYTES, Command
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


def test_bytes_that_are_no_text_come_through_as_they_are() -> None:
    code = r"import sys; sys.stdout.buffer.write(b'\xff\x00{}')"

    assert python(code).reply(prompt()).raw == b"\xff\x00{}"


def test_no_shell_reads_the_command() -> None:
    words = ["$HOME", "; echo bad", "a | b", "`id`", "*", "> file"]

    assert arguments_of(*words) == words
    assert os.listdir() == []


def test_words_are_taken_apart_as_a_shell_would() -> None:
    result = Command(f"{shlex.quote(sys.executable)} -c '{TELL_ARGUMENTS}' \"one word\" two")

    assert json.loads(result.reply(prompt()).raw) == ["one word", "two"]


def test_placeholders_become_paths_and_the_prompt_still_goes_in() -> None:
    Path("prompt.md").write_text("from the file", encoding="utf-8")
    code = (
        "import json, pathlib, sys; p, s = map(pathlib.Path, sys.argv[1:]);"
        "print(json.dumps([p.is_absolute(), p.read_text(), json.loads(s.read_text()),"
        "sys.stdin.read()]))"
    )

    result = json.loads(python(code, "{prompt_file}", "{schema_file}").reply(prompt("in")).raw)

    assert result == [True, "from the file", schema.load("exchange-opening"), "in"]


def test_other_braces_stay() -> None:
    assert arguments_of('{"a": {}}', "{other}") == ['{"a": {}}', "{other}"]


def test_a_command_need_not_read_its_input() -> None:
    assert python("print('{}')").reply(prompt("x" * 2_000_000)).raw == b"{}\n"


def test_much_on_standard_error_holds_nothing_up() -> None:
    code = "import sys; sys.stderr.write('e' * 2_000_000); print('{}')"

    assert python(code).reply(prompt()).raw == b"{}\n"


def test_only_the_name_of_the_program_and_the_time_go_on_record() -> None:
    made = python("print('{}')", "--key", "s3cret").reply(prompt()).made_by

    assert set(made) == {"command", "latency_ms"}
    assert made["command"] == Path(sys.executable).name


def test_a_fixed_clock_measures_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    assert set(python("print('{}')").reply(prompt()).made_by) == {"command"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("no-such-program-here -p", "there is no program 'no-such-program-here'"),
        ("./no-such-file", "there is no program"),
        ("", "the command is blank"),
        ("   ", "the command is blank"),
        ("claude 'unclosed", "cannot be read"),
    ],
)
def test_a_command_that_cannot_start_is_told_at_once(text: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as result:
        Command(text)
    assert result.value.exit_code == 4
    assert result.value.hint


@pytest.mark.parametrize(
    ("name", "runs_it"),
    [("script", 'cmd:"PROGRAM ./script"'), ("reply.py", 'cmd:"python3 ./reply.py"')],
)
def test_a_file_that_may_not_be_executed_is_told_with_what_to_do(name: str, runs_it: str) -> None:
    Path(name).write_text("#!/bin/sh\n", encoding="utf-8")

    with pytest.raises(ConfigurationError, match=f"^'./{name}' may not be executed$") as result:
        Command(f"./{name} -p")
    assert f"'chmod +x ./{name}'" in result.value.hint
    assert runs_it in result.value.hint


def test_a_folder_is_no_program() -> None:
    with pytest.raises(ConfigurationError, match=r"^there is no program '\./'$"):
        Command("./")


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


def test_secrets_of_the_environment_are_left_out_of_what_a_program_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789")
    with pytest.raises(FailedError) as failed:
        python("import os, sys; sys.exit('bad key ' + os.environ['SOME_API_KEY'])").reply(prompt())
    assert failed.value.said == "bad key …"


def test_a_signal_is_named() -> None:
    with pytest.raises(FailedError, match="ended with signal SIGKILL"):
        python("import os; os.kill(os.getpid(), 9)").reply(prompt())


@pytest.mark.parametrize("printed", ["", " \n\t"])
def test_no_reply_is_a_failure(printed: str) -> None:
    with pytest.raises(FailedError, match="printed no reply"):
        python(f"print({printed!r}, end='')").reply(prompt())


def test_a_flood_is_cut_off() -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"

    begun = time.monotonic()
    with pytest.raises(FailedError, match="wrote more than 1114112 bytes"):
        python(code).reply(prompt())
    assert time.monotonic() - begun < 5


def test_a_flood_that_has_ended_is_one_too() -> None:
    code = f"print('x' * {MAX_BYTES + SLACK_BYTES})"

    with pytest.raises(FailedError, match="wrote more than"):
        python(code).reply(prompt())


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

    with pytest.raises(TimedOutError, match=r"gave no reply within 1 s"):
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


def test_what_a_command_leaves_in_the_background_does_not_hold_its_reply_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "_DRAIN_SECONDS", 0.2)
    monkeypatch.setattr(command, "_GRACE_SECONDS", 0.2)
    sleep = f"[{sys.executable!r}, '-I', '-S', '-c', 'import time; time.sleep(30)']"
    code = f"import subprocess; print(subprocess.Popen({sleep}).pid)"

    begun = time.monotonic()
    raw = python(code).reply(prompt()).raw

    assert time.monotonic() - begun < 5
    assert not is_running(int(raw)), "it held our pipe, so it was ended"


def test_what_runs_in_the_background_by_itself_is_left_alone() -> None:
    sleep = f"[{sys.executable!r}, '-I', '-S', '-c', 'import time; time.sleep(30)']"
    streams = "stdin=n, stdout=n, stderr=n"
    code = f"import subprocess as s; n = s.DEVNULL; print(s.Popen({sleep}, {streams}).pid)"

    pid = int(python(code).reply(prompt()).raw)

    assert is_running(pid)
    os.kill(pid, 9)
