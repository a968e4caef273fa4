"""What a run tells while it works: lines for people on one stream, events for programs on another."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TextIO

from debate_ops import clock
from debate_ops.formats.json_text import canonical


class Event(NamedTuple):
    """Something that happened: its name and data for programs, a line for people (or none)."""

    name: str
    text: str = ""
    data: Mapping[str, Any] = {}


class Display(Protocol):
    """Where a run's progress is shown."""

    def tell(self, event: Event, /) -> None:
        """Show something that happened."""
        ...  # pragma: no cover

    def wait(self, text: str, /) -> None:
        """Show what is waited for; called many times a second."""
        ...  # pragma: no cover


class Silent:
    """Shows nothing."""

    def tell(self, event: Event, /) -> None:
        """Show nothing."""

    def wait(self, text: str, /) -> None:
        """Show nothing."""


class Lines:
    """A line for each event: for files, pipes and plain terminals."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def tell(self, event: Event, /) -> None:
        """Print the event's line."""
        if event.text:
            self._print(f"{printable(event.text)}\n")

    def wait(self, text: str, /) -> None:
        """Show nothing: only events get a line."""

    def _print(self, text: str) -> None:
        with suppress(OSError, ValueError):  # nobody listens: no reason to stop a debate
            self._stream.write(text)
            self._stream.flush()


class Live(Lines):
    """The same lines, and below them one that is drawn again and again: for terminals.

    It goes without escape codes: the line is overwritten with blanks.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._shown = ""

    def tell(self, event: Event, /) -> None:
        """Print the event's line in the place of the live one."""
        self.wait("")
        super().tell(event)

    def wait(self, text: str, /) -> None:
        """Draw the live line again if it has changed."""
        text = printable(text)[: shutil.get_terminal_size().columns - 1]
        if text == self._shown:
            return
        blank = " " * max(0, len(self._shown) - len(text))
        end = "" if text else "\r"
        self._print(f"\r{text}{blank}{end}")
        self._shown = text


class JsonLines:
    """Each event as a JSON object on a line, numbered; what people read is shown elsewhere."""

    def __init__(self, stream: TextIO, people: Display) -> None:
        self._stream = stream
        self._people = people
        self._number = 0

    def tell(self, event: Event, /) -> None:
        """Print the event as one line of JSON."""
        self._people.tell(event)
        self._number += 1
        told = {"seq": self._number, "ts": clock.now(), "event": event.name}
        with suppress(OSError, ValueError):
            self._stream.write(canonical(told | dict(event.data)) + "\n")
            self._stream.flush()

    def wait(self, text: str, /) -> None:
        """Let people see what is waited for; programs get events alone."""
        self._people.wait(text)


def display(
    *,
    quiet: bool = False,
    json_lines: bool = False,
    people: TextIO | None = None,
    programs: TextIO | None = None,
) -> Display:
    """Return the display that fits the streams: standard error and output if none are named."""
    people = people or sys.stderr
    lines: Display = Live(people) if _is_live(people) else Lines(people)
    shown = Silent() if quiet else lines
    return JsonLines(programs or sys.stdout, shown) if json_lines else shown


def _is_live(stream: TextIO) -> bool:
    # NO_COLOR asks for no colour, and there is none; TERM=dumb cannot go back on a line.
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    """Return text on one line without what a terminal would obey: agents wrote some of it.

    >>> printable("a\\x1b[2Jb\\nc")
    'a [2Jb c'
    """
    return "".join(char if char.isprintable() else " " for char in text)


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(4.31), duration(12.0), duration(75.2)
    ('4.3 s', '12 s', '1 min 15 s')
    """
    if seconds < 9.95:  # noqa: PLR2004  (what would be rounded to 10.0)
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
