"""Any program as a participant: the prompt on standard input, the reply on standard output."""

from __future__ import annotations

import atexit
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import IO, cast

from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.run import clients
from debate_ops.run.base import Answer, FailedError, Prompt, StoppedError
from debate_ops.run.usage import measure_latency

MAX_BYTES = 1024 * 1024
"""How large a reply may be."""
SLACK_BYTES = 64 * 1024
"""How far over the limit a reply may be and still be refused with a reason, not cut off."""
STDERR_SHOWN = 2_000
"""How many of the last characters of standard error are shown when a command fails."""

_MOST_COMPLAINTS = 16 * MAX_BYTES
_GRACE_SECONDS = 2.0
_GRACE_WHEN_STOPPED = 0.3
_GRACE_AFTER_KILL = 0.3
_DRAIN_SECONDS = 2.0
_POLL_SECONDS = 0.02
_SECRET = re.compile("KEY|TOKEN|SECRET|PASSW")
_SHORTEST_SECRET = 8
_WINDOWS = sys.platform == "win32"
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


class Command:
    """A program with its arguments, started anew for every prompt and without a shell.

    `{prompt_file}` and `{schema_file}` in an argument become paths. Only the program's own name
    is shown and goes on record: arguments may hold secrets.
    """

    recorded = False

    def __init__(self, text: str) -> None:
        """Take `text` apart as a shell would, and find the program.

        Raises:
            UsageError: it is blank, or cannot be taken apart.
            ConfigurationError: there is no such program.
        """
        words = _words(text)
        self._program = _executable(words[0])
        self._arguments = words[1:]
        self.name = Path(words[0]).name

    def reply(self, prompt: Prompt) -> Answer:
        """Run the program once and return what it prints; its whole process group ends with it."""
        begun = time.monotonic()
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as schema:
            json.dump(prompt.schema, schema)
            schema.flush()
            words = [
                word.replace("{prompt_file}", os.path.abspath(prompt.file)).replace(
                    "{schema_file}", schema.name
                )
                for word in self._arguments
            ]
            try:
                process = _Process([self._program, *words])
            except OSError as error:
                sentence = f"{Path(self._program).name} cannot be started: {error.strerror}"
                raise FailedError(sentence, tries=1) from None
            with closing(process):
                process.communicate(prompt)
        client = clients.open_output(process.out)
        made_by = {"command": self.name, **(client.made_by if client else {})}
        made_by |= measure_latency(begun)
        raw, code, said = process.out, process.code, process.complaint()
        if client and client.error:
            raise FailedError(f"{self.name} reported an error", _fit(client.error), made_by=made_by)
        if code:
            raise FailedError(f"{self.name} ended with {_ending(code)}", said, made_by=made_by)
        if client:
            raw = client.reply.encode("utf-8", "replace")
        if not raw.strip():
            raise FailedError(f"{self.name} printed no reply", said, made_by=made_by)
        return Answer(raw, made_by)


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text, posix=not _WINDOWS)
    except ValueError as error:
        raise UsageError(
            f"the command {text!r} cannot be read: {error}", hint="Close every quotation mark."
        ) from None
    if not any(words):
        raise UsageError("the command is blank", hint='Say which program replies: cmd:"claude -p".')
    if len(words) == 1 and " " in words[0] and shutil.which(words[0]) is None:
        return _words(words[0])  # quoted as for a shell, where there is none
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


_RUNNING: set[_Process] = set()
"""Those that have not ended yet."""


@atexit.register
def _end_all() -> None:
    """End what a thread that was stopped has had no time to end."""
    for process in list(_RUNNING):
        process.kill()


class _Process:
    """A running program, and what it has written."""

    def __init__(self, command_line: list[str]) -> None:
        # A session of its own makes the program and all that it starts one group, which can be
        # ended as a whole, and keeps the terminal's Ctrl-C for us.
        self._process = subprocess.Popen(
            command_line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._input, self._process.stdin = cast("IO[bytes]", self._process.stdin), None
        self._name = Path(command_line[0]).name
        self.out, self._err = b"", b""
        _RUNNING.add(self)

    @property
    def code(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.poll()

    def complaint(self) -> str:
        """Return the end of what came on standard error, fit for a terminal; empty if nothing."""
        return _fit(self._err.decode("utf-8", "replace"))

    def communicate(self, prompt: Prompt) -> None:
        """Give it the prompt, and wait for all that it writes, within the prompt's bounds."""
        deadline, drained = time.monotonic() + prompt.time_limit, float("inf")
        Thread(target=self._give, args=(prompt.text.encode("utf-8"),), daemon=True).start()
        while not self._read():
            self._refuse_flood()
            now = time.monotonic()
            if self.code is not None:  # something left in the background may hold the pipes open
                drained = min(drained, now + _DRAIN_SECONDS)
                if now > drained + 2 * _DRAIN_SECONDS:
                    break
                if now > drained:
                    self._end(_GRACE_SECONDS)
            elif prompt.stop.is_set():
                self._end(_GRACE_WHEN_STOPPED)
                raise StoppedError
            elif now > deadline:
                self._end(_GRACE_SECONDS)
                self._read()
                raise prompt.timed_out(self._name, self.complaint())
        self._refuse_flood()

    def _give(self, text: bytes) -> None:
        """Write to its standard input, until it has all or takes no more.

        `communicate` would stop in the middle: it forgets its input where it comes to its time
        limit before a program that starts slowly has read more than a pipe holds (Python 3.11).
        """
        with suppress(OSError), self._input:
            self._input.write(text)

    def _read(self) -> bool:
        """Go on for a moment; tell whether it has ended and all it wrote is here."""
        try:
            self.out, self._err = self._process.communicate(timeout=_POLL_SECONDS)
        except subprocess.TimeoutExpired as error:
            self.out, self._err = error.output or b"", error.stderr or b""
            return False
        return True

    def _refuse_flood(self) -> None:
        if len(self.out) > MAX_BYTES + SLACK_BYTES or len(self._err) > _MOST_COMPLAINTS:
            self._end(_GRACE_SECONDS)
            raise FailedError(
                f"{self._name} wrote more than {MAX_BYTES + SLACK_BYTES} bytes to standard output; "
                "it was ended"
            )

    def _end(self, grace: float) -> None:
        """Ask the whole group to end, and make it after `grace` seconds."""
        self._signal(signal.SIGTERM)
        if self._outlives(grace):
            self._signal(_KILL)
            self._process.wait()
            self._outlives(_GRACE_AFTER_KILL)
        self._process.wait()

    def _outlives(self, seconds: float) -> bool:
        """Tell whether something of the group is still there after so many seconds."""
        deadline = time.monotonic() + seconds
        while self._signal(0) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            self._process.poll()  # an ended leader that nobody asked about still counts as there
        return self._signal(0)

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

    def kill(self) -> None:
        """End the whole group at once."""
        self._signal(_KILL)

    def close(self) -> None:
        """End what still runs, and close its pipes."""
        _RUNNING.discard(self)
        if self.code is None:
            self._end(_GRACE_WHEN_STOPPED)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _fit(text: str) -> str:
    """Return the end of what a program said, fit for a terminal, without secrets it was given."""
    for name, secret in os.environ.items():
        if _SECRET.search(name) and len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "…")
    end = text.strip()[-STDERR_SHOWN:]
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in end).strip()
