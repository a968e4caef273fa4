"""Any program as a participant: the prompt on standard input, the reply on standard output.

What `claude -p --output-format json` prints is known by its form, not by the program's name, which
may be a script of the user's: reply, usage and errors are taken out of it.
"""

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
from pathlib import Path
from typing import IO, Any, NamedTuple

from debate_ops.analysis.usage import MOST_DOLLARS
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.core.texts import one_line
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.run import participants
from debate_ops.run.participants import Answer, FailedError, Prompt, StoppedError

_MOST_BYTES, _STDERR_SHOWN = 16 * MAX_BYTES, 2_000
"""Of a reply, and characters of the end of standard error that are shown."""
_GRACE_SECONDS, _GRACE_WHEN_STOPPED, _GRACE_AFTER_KILL, _POLL_SECONDS = 2.0, 0.3, 0.3, 0.02
_SECRET, _SHORTEST_SECRET = re.compile("KEY|TOKEN|SECRET|PASSW"), 8
_WINDOWS = sys.platform == "win32"
_File = IO[bytes]
_Running = subprocess.Popen[bytes]
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL


class Command:
    """A program, started anew for every prompt and without a shell.

    Only its own name is shown and goes on record: arguments may hold secrets.
    """

    recorded = False

    def __init__(self, text: str) -> None:
        """Take `text` apart as a shell would, and find the program, which has to be executable."""
        program, *self._arguments = _split(text)
        self.name, path = name_program(text), shutil.which(program)
        if path is None:
            raise ConfigurationError(
                f"there is no program {program!r}",
                hint="Install it, or give its whole path; it has to be executable (chmod +x), "
                'or say what runs it, as cmd:"python3 reply.py".',
            )
        self._program = str(Path(path).absolute())

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
            prompt_file = os.path.abspath(prompt.file)
            words = [
                word.replace("{prompt_file}", prompt_file).replace("{schema_file}", schema.name)
                for word in self._arguments
            ]
            try:
                # A session of its own makes the program and all that it starts one group, which
                # can be ended as a whole, and keeps the terminal's Ctrl-C for us.
                streams: dict[str, Any] = {"stdin": given, "stdout": out, "stderr": err}
                process = subprocess.Popen(
                    [self._program, *words], **streams, start_new_session=True
                )
            except OSError as error:
                sentence = f"{self.name} cannot be started: {error.strerror}"
                raise FailedError(sentence, tries=1) from None
            _RUNNING.add(process)
            try:
                self._wait(process, prompt, out, err)
            finally:  # what it leaves in the background ends, too
                _end(process, _GRACE_WHEN_STOPPED if prompt.stop.is_set() else _GRACE_SECONDS)
                _RUNNING.discard(process)
            out.seek(0)
            raw, code, said = out.read(), process.returncode, _read_complaint(err)
        client = open_output(raw)
        made_by = {"command": self.name, **(client.made_by if client else {})}
        made_by |= participants.measure_latency(begun)
        if client and client.error:
            raise FailedError(f"{self.name} reported an error", _fit(client.error), made_by=made_by)
        if code:
            how = f"exit code {code}" if code > 0 else f"signal {-code} ({signal.strsignal(-code)})"
            raise FailedError(f"{self.name} ended with {how}", said, made_by=made_by)
        if client:
            raw = client.reply.encode("utf-8", "replace")
        if not raw.strip():
            raise FailedError(f"{self.name} printed no reply", said, made_by=made_by)
        return Answer(raw, made_by)

    def _wait(self, process: _Running, prompt: Prompt, out: _File, err: _File) -> None:
        """Wait for the program's own end, within the prompt's bounds and those of its output."""
        deadline = time.monotonic() + prompt.time_limit
        while True:
            is_over = process.poll() is not None
            if max(os.fstat(file.fileno()).st_size for file in (out, err)) > _MOST_BYTES:
                raise FailedError(f"{self.name} wrote more than {_MOST_BYTES} bytes; it was ended")
            if is_over:
                return
            if prompt.stop.wait(_POLL_SECONDS):
                raise StoppedError
            if time.monotonic() > deadline:
                raise prompt.timed_out(self.name, _read_complaint(err))


def name_program(text: str) -> str:
    """Return the name that a program goes by, which is on record: that of its file alone."""
    return Path(_split(text)[0]).name


def _split(text: str) -> list[str]:
    words = _words(text)
    is_quoted = len(words) == 1 and not shutil.which(words[0])  # as for a shell, by a file
    return _words(words[0]) if is_quoted else words


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text, posix=not _WINDOWS)
    except ValueError as error:
        raise UsageError(
            f"what follows cmd: cannot be read: {error}", hint="Close every quotation mark."
        ) from None
    if not any(words):
        raise UsageError("the command is blank", hint='Say which program replies: cmd:"claude -p".')
    # Without the posix rules, which would eat the backslashes of paths, quotation marks stay.
    return [word.strip("\"'") for word in words] if _WINDOWS else words


_RUNNING: set[_Running] = set()
"""Those that have not ended yet."""


@atexit.register
def _end_all() -> None:
    """End what a thread that was stopped has had no time to end."""
    for process in list(_RUNNING):
        _signal(process, _KILL)


def _end(process: _Running, grace: float) -> None:
    """Ask the whole group to end, and make it after `grace` seconds."""
    for number, seconds in ((signal.SIGTERM, grace), (_KILL, _GRACE_AFTER_KILL)):
        deadline = time.monotonic() + seconds
        is_there = _signal(process, number)
        while is_there and time.monotonic() < deadline:
            process.poll()  # an ended leader that nobody asked about still counts as there
            time.sleep(_POLL_SECONDS)
            is_there = _signal(process, 0)
    process.wait()


def _signal(process: _Running, number: int) -> bool:
    """Send a signal to the group (0 only asks); return whether it is still there."""
    if sys.platform == "win32":
        if number and process.poll() is None:
            process.kill()
        return process.poll() is None
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _read_complaint(err: _File) -> str:
    err.seek(0)
    return _fit(err.read().decode("utf-8", "replace"))


def _fit(text: str) -> str:
    """Return the end of what a program said, fit for a terminal, without secrets it was given."""
    for name, secret in os.environ.items():
        if _SECRET.search(name) and len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "…")
    end = text.strip()[-_STDERR_SHOWN:]
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in end).strip()


class Opened(NamedTuple):
    """The reply in what a client printed, what is known of how it was made, and any error."""

    reply: str
    made_by: dict[str, Any]
    error: str = ""


def open_output(raw: bytes) -> Opened | None:
    """Return what a client printed in its own form, or None where it is a reply as it stands."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    is_result = isinstance(value, dict) and value.get("type") == "result"
    if not is_result or not value.keys() & {"usage", "total_cost_usd"}:
        return None
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counted = (_part(value, "usage").get(key) for key in (*keys, "output_tokens"))
    fresh, kept, cached, written = (n if type(n) is int and n > 0 else 0 for n in counted)
    said = value.get("total_cost_usd")
    # A client that says 0 knows no price.
    cost = said if isinstance(said, int | float) and 0 < said < MOST_DOLLARS else None
    prices = {"prices": "the client"} if cost else {}
    models = one_line(" and ".join(_part(value, "modelUsage")))
    made = participants.describe_origin(models, (fresh + kept, cached, written), cost, **prices)
    reply = str(value.get("result") or "")
    failed = value.get("is_error") or str(value.get("subtype", "success")) != "success"
    return Opened(reply, made, (reply or str(value.get("subtype"))) if failed else "")


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}
