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
from typing import IO

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
_POLL_SECONDS = 0.02
_SECRET = re.compile("KEY|TOKEN|SECRET|PASSW")
_SHORTEST_SECRET = 8
_WINDOWS = sys.platform == "win32"
_File = IO[bytes]
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
        with (
            tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as schema,
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            json.dump(prompt.schema, schema)
            schema.flush()
            given.write(prompt.text.encode("utf-8"))
            given.seek(0)
            words = [
                word.replace("{prompt_file}", os.path.abspath(prompt.file)).replace(
                    "{schema_file}", schema.name
                )
                for word in self._arguments
            ]
            try:
                process = _Process([self._program, *words], given, out, err)
            except OSError as error:
                sentence = f"{Path(self._program).name} cannot be started: {error.strerror}"
                raise FailedError(sentence, tries=1) from None
            with closing(process):
                process.wait(prompt)
                raw, code, said = process.out, process.code, process.complaint()
        client = clients.open_output(raw)
        made_by = {"command": self.name, **(client.made_by if client else {})}
        made_by |= measure_latency(begun)
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
    """A running program: its input, its output and its complaints are files without a name."""

    def __init__(self, command_line: list[str], given: _File, out: _File, err: _File) -> None:
        self._name, self._out, self._err = Path(command_line[0]).name, out, err
        # A session of its own makes the program and all that it starts one group, which can be
        # ended as a whole, and keeps the terminal's Ctrl-C for us.
        self._process = subprocess.Popen(
            command_line, stdin=given, stdout=out, stderr=err, start_new_session=True
        )
        _RUNNING.add(self)

    @property
    def code(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.poll()

    @property
    def out(self) -> bytes:
        """All that it wrote to standard output, once it has ended."""
        self._out.seek(0)
        return self._out.read()

    def complaint(self) -> str:
        """Return the end of what came on standard error, fit for a terminal; empty if nothing."""
        self._err.seek(0)
        return _fit(self._err.read().decode("utf-8", "replace"))

    def wait(self, prompt: Prompt) -> None:
        """Wait for its end, within the prompt's bounds; what it leaves in the background ends."""
        deadline = time.monotonic() + prompt.time_limit
        while self.code is None:
            self._refuse_flood()
            if prompt.stop.wait(_POLL_SECONDS):
                self._end(_GRACE_WHEN_STOPPED)
                raise StoppedError
            if time.monotonic() > deadline:
                self._end(_GRACE_SECONDS)
                raise prompt.timed_out(self._name, self.complaint())
        self._end(_GRACE_SECONDS)
        self._refuse_flood()

    def _refuse_flood(self) -> None:
        streams = (
            ("output", self._out, MAX_BYTES + SLACK_BYTES),
            ("error", self._err, _MOST_COMPLAINTS),
        )
        for stream, file, most in streams:
            if os.fstat(file.fileno()).st_size > most:
                self._end(_GRACE_SECONDS)
                raise FailedError(
                    f"{self._name} wrote more than {most} bytes to standard {stream}; it was ended"
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
        """End what still runs."""
        _RUNNING.discard(self)
        if self.code is None:
            self._end(_GRACE_WHEN_STOPPED)


def _fit(text: str) -> str:
    """Return the end of what a program said, fit for a terminal, without secrets it was given."""
    for name, secret in os.environ.items():
        if _SECRET.search(name) and len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "…")
    end = text.strip()[-STDERR_SHOWN:]
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in end).strip()
