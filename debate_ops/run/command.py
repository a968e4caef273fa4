"""Any program as a participant: the prompt on standard input, the reply on standard output."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from importlib import resources
from pathlib import Path
from threading import Event, Thread
from typing import IO

from debate_ops.core.errors import ConfigurationError
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.run import clients, usage
from debate_ops.run.base import Answer, FailedError, Prompt, StoppedError

SLACK_BYTES = 64 * 1024
"""How far over the limit a reply may be and still be refused with a reason, not cut off."""
STDERR_SHOWN = 2_000
"""How many of the last characters of standard error are shown when a command fails."""

_GRACE_SECONDS = 2.0
_GRACE_WHEN_STOPPED = 0.3
_GRACE_AFTER_KILL = 0.3
_DRAIN_SECONDS = 2.0
_POLL_SECONDS = 0.02
_PIECE = 64 * 1024
_SECRET = re.compile("KEY|TOKEN|SECRET|PASSW")
_SHORTEST_SECRET = 8
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
        try:
            process = _Process(self._command_line(prompt), prompt.text.encode("utf-8"))
        except OSError as error:
            sentence = f"{Path(self._program).name} cannot be started: {error.strerror}"
            raise FailedError(sentence, tries=1) from None
        with closing(process):
            process.wait(prompt)
            raw, code, said = bytes(process.out), process.code, process.complaint()
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
        file = str(Path(prompt.file).absolute())
        schema = str(schemas.joinpath(f"{prompt.task.schema}.json"))
        words = (w.replace("{prompt_file}", file) for w in self._arguments)
        return [self._program, *(w.replace("{schema_file}", schema) for w in words)]


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


def _ending(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"


class _Process:
    """A running program, the threads that feed and drain it, and what it has written."""

    def __init__(self, command_line: list[str], stdin: bytes) -> None:
        # A session of its own makes the program and all that it starts one group, which can be
        # ended as a whole, and keeps the terminal's Ctrl-C for us.
        self._process = subprocess.Popen(
            command_line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._name = Path(command_line[0]).name
        self.out, self._err = bytearray(), bytearray()
        self._flooded = Event()
        self._threads = [
            _in_background(_feed, self._process.stdin, stdin),
            _in_background(_keep_all, self._process.stdout, self.out, self._flooded),
            _in_background(_keep_last, self._process.stderr, self._err),
        ]

    @property
    def code(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.poll()

    def complaint(self) -> str:
        """Return the end of what came on standard error, fit for a terminal; empty if nothing."""
        return _fit(self._err.decode("utf-8", "replace"))

    def wait(self, prompt: Prompt) -> None:
        """Wait until it has ended and all it wrote is here, but not beyond the prompt's bounds."""
        deadline = time.monotonic() + prompt.time_limit
        while self.code is None:
            self._refuse_flood()
            if prompt.stop.wait(_POLL_SECONDS):
                self._end(_GRACE_WHEN_STOPPED)
                raise StoppedError
            if time.monotonic() > deadline:
                self._end(_GRACE_SECONDS)
                raise prompt.timed_out(self._name, self.complaint())
        self._drain()
        self._refuse_flood()

    def _refuse_flood(self) -> None:
        if self._flooded.is_set():
            self._end(_GRACE_SECONDS)
            raise FailedError(
                f"{self._name} wrote more than {MAX_BYTES + SLACK_BYTES} bytes to standard output; "
                "it was ended"
            )

    def _drain(self) -> None:
        """Wait for the last bytes; something left in the background may hold the pipes open."""
        if not self._joined(_DRAIN_SECONDS):
            self._end(_GRACE_SECONDS)
            self._joined(_DRAIN_SECONDS)

    def _joined(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _end(self, grace: float) -> None:
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

    def close(self) -> None:
        """End what still runs, and close the pipes that no thread is stuck in."""
        if self.code is None:
            self._end(_GRACE_WHEN_STOPPED)
        if self._joined(_DRAIN_SECONDS):
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()


def _fit(text: str) -> str:
    """Return the end of what a program said, fit for a terminal, without secrets it was given."""
    for name, secret in os.environ.items():
        if _SECRET.search(name) and len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "…")
    end = text.strip()[-STDERR_SHOWN:]
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in end).strip()


_TERMINATE = signal.SIGTERM
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


def _in_background(act: object, *arguments: object) -> Thread:
    thread = Thread(target=act, args=arguments, daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


def _feed(pipe: IO[bytes], stdin: bytes) -> None:
    with suppress(OSError), pipe:  # it need not read its input: it may read {prompt_file}
        rest = memoryview(stdin)
        while rest:
            rest = rest[pipe.write(rest) :]


def _keep_all(pipe: IO[bytes], kept: bytearray, flooded: Event) -> None:
    with suppress(OSError):
        while piece := pipe.read(_PIECE):
            kept += piece
            if len(kept) > MAX_BYTES + SLACK_BYTES:
                flooded.set()
                return


def _keep_last(pipe: IO[bytes], kept: bytearray) -> None:
    with suppress(OSError):
        while piece := pipe.read(_PIECE):
            kept += piece
            del kept[: -4 * STDERR_SHOWN]
