"""Any program as a participant: the prompt on standard input, the reply on standard output."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import IO

from debate_ops.errors import ConfigurationError
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.participants import clients, usage
from debate_ops.participants.base import Answer, FailedError, Prompt, StoppedError, TimedOutError

SLACK_BYTES = 64 * 1024
"""How far over the limit a reply may be and still be refused with a reason, not cut off."""
STDERR_SHOWN = 2_000
"""How many of the last characters of standard error are shown when a command fails."""
MOST_OF_STDERR = 64 * 1024 * 1024
"""How many bytes a command may write there."""

_GRACE_SECONDS = 2.0
_GRACE_WHEN_STOPPED = 0.3
_GRACE_AFTER_KILL = 0.3
_POLL_SECONDS = 0.02
_WINDOWS = sys.platform == "win32"


class Command:
    """A program with its arguments, started anew for every prompt and without a shell.

    `{prompt_file}` and `{schema_file}` in an argument become paths. Only the program's own name
    is shown and goes on record: arguments may hold secrets.
    """

    recorded = False

    def __init__(self, text: str) -> None:
        """Take `text` apart as a shell would, and find the program.

        Raises:
            ConfigurationError: it cannot be taken apart, or there is no such program.
        """
        words = _words(text)
        self._program = _executable(words[0])
        self._arguments = words[1:]
        self.name = Path(words[0]).name

    def reply(self, prompt: Prompt) -> Answer:
        """Run the program once and return what it prints; its whole process group ends with it."""
        begun = time.monotonic()
        with _started(self._command_line(prompt), prompt.text.encode("utf-8")) as process:
            process.wait(prompt)
            raw, code, said = process.output(), process.code, process.complaint()
        client = clients.opened(raw)
        made_by = {"command": self.name, **(client.made_by if client else {})}
        made_by |= usage.latency(begun)
        if client and client.error:
            raise FailedError(f"{self.name} reported an error", _fit(client.error), made_by=made_by)
        if code:
            raise FailedError(f"{self.name} ended with {_ending(code)}", said, made_by=made_by)
        if client:
            raw = client.reply.encode("utf-8", "replace")
        if not raw.strip():
            raise FailedError(f"{self.name} printed no reply", said, made_by=made_by)
        return Answer(raw, made_by)

    def _command_line(self, prompt: Prompt) -> list[str]:
        schemas = resources.files("debate_ops.formats").joinpath("schemas")
        paths = {
            "{prompt_file}": str(Path(prompt.file).absolute()),
            "{schema_file}": str(schemas.joinpath(f"{prompt.task.schema}.json")),
        }
        return [self._program, *(_filled(word, paths) for word in self._arguments)]


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text, posix=not _WINDOWS)
    except ValueError as error:
        raise ConfigurationError(
            f"the command {text!r} cannot be read: {error}", hint="Close every quotation mark."
        ) from None
    if not words:
        raise ConfigurationError(
            "the command is blank", hint='Say which program replies: cmd:"claude -p".'
        )
    # Without the posix rules, which would eat the backslashes of paths, quotation marks stay.
    return [word.strip("\"'") for word in words] if _WINDOWS else words


def _executable(program: str) -> str:
    path = shutil.which(program)
    if path is not None:
        return str(Path(path).absolute())
    if os.path.dirname(program) and os.path.isfile(program):
        file = shlex.quote(program)
        by = "python3" if program.endswith(".py") else "PROGRAM"
        raise ConfigurationError(
            f"{program!r} may not be executed",
            hint=f"Allow it with 'chmod +x {file}', or say what runs it: cmd:\"{by} {file}\".",
        )
    raise ConfigurationError(
        f"there is no program {program!r}",
        hint="Install it, or give its whole path; it has to be executable.",
    )


def _filled(word: str, paths: dict[str, str]) -> str:
    for placeholder, path in paths.items():
        word = word.replace(placeholder, path)
    return word


def _ending(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"


@contextmanager
def _started(command_line: list[str], stdin: bytes) -> Iterator[_Process]:
    name = Path(command_line[0]).name
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        try:
            given.write(stdin)
            given.seek(0)
            # A session of its own makes the program and all that it starts one group, which can
            # be ended as a whole, and keeps the terminal's Ctrl-C for us.
            started = subprocess.Popen(
                command_line, stdin=given, stdout=out, stderr=err, start_new_session=True
            )
        except OSError as error:
            raise FailedError(f"{name} cannot be started: {error.strerror}", tries=1) from None
        process = _Process(name, started, out, err)
        try:
            yield process
        finally:
            process.end(_GRACE_WHEN_STOPPED)


class _Process:
    """A running program, and the nameless files that it writes to.

    The program's place in a file is ours, too: they are read when it has ended.
    """

    def __init__(
        self, name: str, process: subprocess.Popen[bytes], out: IO[bytes], err: IO[bytes]
    ) -> None:
        self._name, self._process, self._out, self._err = name, process, out, err

    @property
    def code(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.poll()

    def output(self) -> bytes:
        """Return what came on standard output."""
        self._out.seek(0)
        return self._out.read()

    def complaint(self) -> str:
        """Return the end of what came on standard error, fit for a terminal; empty if nothing."""
        size = os.fstat(self._err.fileno()).st_size
        self._err.seek(max(0, size - 4 * STDERR_SHOWN))
        return _fit(self._err.read().decode("utf-8", "replace"))

    def wait(self, prompt: Prompt) -> None:
        """Wait until it has ended, but not beyond the prompt's bounds, and end what it started."""
        deadline = time.monotonic() + prompt.time_limit
        while self.code is None and not self._flood():
            if prompt.stop.wait(_POLL_SECONDS):
                self.end(_GRACE_WHEN_STOPPED)
                raise StoppedError
            if time.monotonic() > deadline:
                self.end(_GRACE_SECONDS)
                sentence = f"{self._name} gave no reply within {prompt.time_limit:g} s"
                raise TimedOutError(sentence, self.complaint())
        self.end(_GRACE_SECONDS)
        if flood := self._flood():
            raise FailedError(f"{self._name} wrote {flood}; it was ended")

    def _flood(self) -> str:
        """Return what it wrote too much of."""
        for file, most, name in (
            (self._out, MAX_BYTES + SLACK_BYTES, "output"),
            (self._err, MOST_OF_STDERR, "error"),
        ):
            if os.fstat(file.fileno()).st_size > most:
                return f"more than {most} bytes to standard {name}"
        return ""

    def end(self, grace: float) -> None:
        """Ask the whole group to end, and make it after `grace` seconds."""
        deadline = time.monotonic() + grace
        there = self._signal(_TERMINATE)
        while there and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            self._process.poll()  # an ended leader that nobody asked about still counts as there
            there = self._signal(0)
        if there:
            self._signal(_KILL)
            self._process.wait()
            # Its leader has ended; what the leader started may take a moment longer to.
            deadline = time.monotonic() + _GRACE_AFTER_KILL
            while self._signal(0) and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
        self._process.wait()

    def _signal(self, number: int) -> bool:
        """Send a signal to the group (0 only asks); return whether it is still there."""
        if sys.platform == "win32":
            if number and self._process.poll() is None:
                self._process.kill()
            return self._process.poll() is None
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _fit(text: str) -> str:
    """Return the end of what a program said, fit for a terminal."""
    end = text.strip()[-STDERR_SHOWN:]
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in end).strip()


_TERMINATE = signal.SIGTERM
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
