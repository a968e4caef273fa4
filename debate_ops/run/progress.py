"""What a run tells while it works, in lines for people and in events for programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TextIO

from debate_ops import clock, engine
from debate_ops.engine import Outcome, Position, counted, where
from debate_ops.formats import entries, headers
from debate_ops.formats.json_text import canonical
from debate_ops.model.entries import ABSENCE, ARGUMENT, JUDGMENT, Contribution
from debate_ops.model.score import signed
from debate_ops.core.texts import one_line, spelled
from debate_ops.model.turn import Turn
from debate_ops.protocols.first_answer import event_names
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events
from debate_ops.storage.folder import Folder

MOST = 200
"""Characters of a text of somebody's that a line or an event shows."""


OF_A_RUN = frozenset({"launch", "refused", "warning", "brief", "done"})
"""What happens to a run and stands in no log of a debate: programs are told these apart."""


class Event(NamedTuple):
    """Something that happened: its name, a line for people (or none), and data.

    Programs get the data of those `OF_A_RUN`; of all else they get the debate's own events.
    """

    name: str
    text: str = ""
    data: Mapping[str, Any] = {}


class Display(Protocol):
    """Where a run's progress is shown."""

    def show(self, event: Event, /) -> None:
        """Show something that happened."""
        ...  # pragma: no cover

    def wait(self, text: str, /) -> None:
        """Show what is waited for; called many times a second."""
        ...  # pragma: no cover


class Silent:
    """Shows nothing."""

    def show(self, event: Event, /) -> None:
        """Show nothing."""

    def wait(self, text: str, /) -> None:
        """Show nothing."""


class Lines:
    """A line for each event: for files, pipes and plain terminals."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, event: Event, /) -> None:
        """Print the event's line."""
        if event.text:
            self._print(f"{one_line(event.text)}\n")

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

    def show(self, event: Event, /) -> None:
        """Print the event's line in the place of the live one."""
        self.wait("")
        super().show(event)

    def wait(self, text: str, /) -> None:
        """Draw the live line again if it has changed."""
        text = one_line(text)[: shutil.get_terminal_size().columns - 1]
        if text == self._shown:
            return
        blank = " " * max(0, len(self._shown) - len(text))
        end = "" if text else "\r"
        self._print(f"\r{text}{blank}{end}")
        self._shown = text


class JsonLines:
    """The events of the debate, and those of the run itself, each as JSON on a numbered line.

    What people read is shown elsewhere.
    """

    def __init__(self, stream: TextIO, people: Display, folder: Folder) -> None:
        self._stream = stream
        self._people = people
        self._folder = folder
        self._number = 0
        _, self._place = events.since(folder, -1)

    def show(self, event: Event, /) -> None:
        """Print what the debate's log has got meanwhile, and the event if it is the run's own."""
        self._people.show(event)
        self.wait("")
        if event.name in OF_A_RUN:
            self._print({"event": event.name, "at": clock.now()} | dict(event.data))

    def wait(self, text: str, /) -> None:
        """Let people see what is waited for, and print what the log has got."""
        if text:
            self._people.wait(text)
        happened, self._place = events.since(self._folder, self._place)
        for event in happened:
            self._print(event)

    def _print(self, event: Mapping[str, Any]) -> None:
        self._number += 1
        with suppress(OSError, ValueError):
            self._stream.write(spelled(canonical({"seq": self._number} | dict(event))) + "\n")
            self._stream.flush()


def display(
    *,
    quiet: bool = False,
    of: Folder | None = None,
    people: TextIO | None = None,
    programs: TextIO | None = None,
    view: Display | None = None,
) -> Display:
    """Return the display that fits the streams: standard error and output if none are named.

    Programs get the events of a debate, if it is said `of` which. People get a `view`, if there is
    one, in place of lines.
    """
    people = people or sys.stderr
    lines = view or (Live(people) if is_live(people) else Lines(people))
    shown = Silent() if quiet else lines
    return JsonLines(programs or sys.stdout, shown, of) if of else shown


def is_live(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that can go back on a line."""
    # NO_COLOR asks for no colour, and there is none; TERM=dumb cannot go back on a line.
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(4.31), duration(12.0), duration(75.2)
    ('4.3 s', '12 s', '1 min 15 s')
    """
    if seconds < 9.95:  # noqa: PLR2004  (what would be rounded to 10.0)
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _where(position: Position) -> str:
    """Return where a debate is, as `[1/3] exchange 1`, counted within what was asked for."""
    return f"{counted(position.debate)}{where(position.debate)}"


def event(position: Position, name: str, text: str, **data: Any) -> Event:
    """Return something that happened in the turn that `position` waits for."""
    debate = position.debate
    result = {"debate": debate.slug, "exchange": debate.state.exchange, "step": debate.step}
    shown = f"{_where(position)}: {text}" if text else ""
    return Event(name, shown, result | data)


def awaited(position: Position, names: Sequence[str], seconds: float) -> str:
    """Return who is waited for, and since when."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{_where(position)}: waiting for {' and '.join(names)} {minutes}:{rest:02d}"


def launch(position: Position, who: Mapping[str, str]) -> Event:
    """Return the first event: what is to be done, and who replies for each participant."""
    request = position.debate.request
    asking = engine.asking(position, who)
    result = {
        "debate": position.debate.slug,
        "step": position.debate.step,
        "request": request._asdict() if request else None,
        "calls_left": asking.calls_left or 0,
        "participants": dict(who),
    }
    makers = set(who.values())
    pairs = {"all": makers.pop()} if len(makers) == 1 else who
    shown = ", ".join(f"{name}: {by}" for name, by in pairs.items())
    text = f"{position.debate.slug}: {engine.work_left(asking) or 'nothing to come'} ({shown})"
    return Event("launch", text, result)


def done(position: Position, exit_code: int) -> Event:
    """Return the last event of a run that came to its end."""
    state = position.debate.state
    reason = "" if isinstance(position.due, Turn) else position.due.reason
    result = {
        "debate": position.debate.slug,
        "exit": exit_code,
        "reason": reason,
        "cumulative_scores": headers.totals_as_data(state.totals),
    }
    return Event("done", f"{reason}{_totals(position, '; ')}", result)


def _totals(position: Position, before: str = "") -> str:
    totals = position.debate.state.totals.values()
    message = " / ".join(signed(total.total) for total in totals)
    return f"{before}total {message}" if message else ""


def committed(before: Position, outcome: Outcome, value: Contribution) -> Event:
    """Return that an entry is on record now."""
    if value.kind == ARGUMENT:
        links = {key: headers.links(value.data, key) for key in entries.LINKS}
        listed = {verb: dict.fromkeys(target for target, _ in them) for verb, them in links.items()}
        aims = [f"{verb} {' and '.join(ids)}" for verb, ids in listed.items() if ids]
        text = ", ".join([f'{value.id} "{one_line(value.data["title"], MOST)}"', *aims])
        return event(before, "argument_filed", text)
    if value.kind == JUDGMENT:
        text = f"judged: {entries.headline(value)} ({_totals(outcome.position)})"
        return event(before, "judged", text)
    if value.kind == ABSENCE:
        return event(before, "absence_recorded", " ".join(entries.lines(value)))
    names = event_names(rules_of(before.debate.protocol))
    text = f"{value.id} {one_line(entries.headline(value), MOST)}"
    return event(before, names[value.kind], text)
