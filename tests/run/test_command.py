"""Commands as participants: what goes in, what comes out, and that nothing outlives the asking."""

import json
import os
import shlex
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from debate_ops.core.errors import ConfigurationError
from debate_ops.engine.headers import loads
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.run import command
from debate_ops.run.command import Command, open_output
from debate_ops.run.participants import FailedError, StoppedError, TimedOutError
from tests.ending import PATIENCE, must_end
from tests.run.stage import STUB, is_running, list_hanging, plan, prompt, wait_for

pytestmark = pytest.mark.usefixtures("work")

ECHO = "import sys; sys.stdout.write(sys.stdin.read())"
TELL_ARGUMENTS = "import json, sys; print(json.dumps(sys.argv[1:]))"
SLEEP = f"[{sys.executable!r}, '-I', '-S', '-c', 'import time; time.sleep(30)']"


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


def test_words_are_taken_apart_as_a_shell_would_and_no_shell_reads_them() -> None:
    words = [
        "$HOME",
        "; echo bad",
        "a | b",
        "`id`",
        "*",
        "> file",
        '{"a": {}}',
        "{other}",
        "one two",
    ]
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
    assert set(said.reply(prompt()).made_by) == {"command"}
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    made = said.reply(prompt()).made_by
    assert (set(made), made["command"]) == ({"command", "latency_ms"}, Path(sys.executable).name)
    assert 0 < made["latency_ms"] < 60_000


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


SECONDS = (0.7, 5.0, 60.0)
"""Time limits, the next where a slow machine did not even start the command within one."""


def hanging() -> Command:
    plan(reporter="hang")
    return Command(STUB)


def test_a_time_out_ends_even_what_is_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_GRACE_SECONDS", 0.1)
    for seconds in SECONDS:
        with pytest.raises(TimedOutError, match=rf"gave no reply within {seconds:.0f} s"):
            hanging().reply(prompt(time_limit=seconds))
        if pids := list_hanging():
            break
    assert len(pids) == 2
    assert not [pid for pid in pids if is_running(pid)]


def test_a_time_out_lets_a_command_end_by_itself() -> None:
    code = (
        "import pathlib, signal, sys, time\n"
        "def end(*_): pathlib.Path('tidy').touch(); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); print('up', file=sys.stderr, flush=True)\n"
        "time.sleep(30)"
    )
    for seconds in SECONDS:
        with pytest.raises(TimedOutError) as result:
            python(code).reply(prompt(time_limit=seconds))
        if result.value.said:
            break
    assert (result.value.said, Path("tidy").exists()) == ("up", True)


def test_a_reply_that_is_no_longer_needed_ends_long_before_its_time_limit() -> None:
    stop, has_ended, deaf = threading.Event(), threading.Event(), hanging()

    def ask() -> None:
        with pytest.raises(StoppedError):
            deaf.reply(prompt(stop=stop))
        has_ended.set()

    thread = threading.Thread(target=ask)
    thread.start()
    wait_for(list_hanging)
    stop.set()
    assert has_ended.wait(PATIENCE)
    thread.join()
    assert not [pid for pid in list_hanging() if is_running(pid)]


@pytest.mark.parametrize("streams", ["", ", stdin=n, stdout=n, stderr=n"])
def test_what_a_command_leaves_in_the_background_ends_and_holds_no_reply_back(streams: str) -> None:
    code = f"import subprocess as s; n = s.DEVNULL; print(s.Popen({SLEEP}{streams}).pid)"
    with must_end():
        pid = int(python(code).reply(prompt()).raw)
    assert not is_running(pid)


REPLY = '{"arguments": []}'
CLAUDE: dict[str, Any] = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": REPLY,
    "total_cost_usd": 0.0123,
    "usage": {
        "input_tokens": 10,
        "cache_creation_input_tokens": 5,
        "cache_read_input_tokens": 100,
        "output_tokens": 20,
    },
    "modelUsage": {"claude-x": {"costUSD": 0.0123}},
}
"""What Claude Code prints in its JSON mode, in the form that it documents."""


def printing(output: object) -> Command:
    Path("out.txt").write_text(json.dumps(output, indent=1), encoding="utf-8")
    return python("import sys; sys.stdout.write(open('out.txt').read())")


def test_reply_and_usage_are_taken_out_of_a_clients_output() -> None:
    answer = printing(CLAUDE).reply(prompt())
    assert answer.raw.decode() == REPLY
    tokens = {"input": 15, "cached": 100, "output": 20}
    made = {"model": "claude-x", "cost_usd": 0.0123, "prices": "the client", "tokens": tokens}
    assert answer.made_by.items() >= made.items()
    assert answer.made_by["command"]


@pytest.mark.parametrize(
    "raw",
    [
        *(b'{"arguments": []}', b'{"type": "result", "result": "x"}', b"[1]", b'{"error": {}}'),
        *(b"", b"[" * 100_000, b"\xff{}", b"{}\n{"),
    ],
)
def test_neither_a_reply_nor_what_is_no_json_is_taken_for_a_clients_output(raw: bytes) -> None:
    assert open_output(raw) is None


def test_what_a_failed_call_cost_is_known() -> None:
    with pytest.raises(FailedError) as result:
        printing(CLAUDE | {"is_error": True, "result": "overloaded \x1b[31m"}).reply(prompt())
    assert result.value.said == "overloaded  [31m"
    assert result.value.made_by["cost_usd"] == 0.0123


@pytest.mark.parametrize(
    "more",
    [
        *({"total_cost_usd": cost} for cost in (float("nan"), 10**400, -1)),
        *({"result": "\ud800"}, {"modelUsage": {"\ud800\n": {}}}),
        {"usage": {"input_tokens": 10**40, "output_tokens": 20}},
    ],
    ids=repr,
)
def test_what_a_client_says_can_be_put_on_record(more: dict[str, Any]) -> None:
    made_by = printing(CLAUDE | more).reply(prompt()).made_by
    loads(json.dumps(made_by, ensure_ascii=False, allow_nan=False).encode().decode())
    assert made_by.get("cost_usd") == (None if "total_cost_usd" in more else 0.0123)
