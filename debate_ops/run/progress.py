"""What a run shows while it works: lines for people, events for programs, spans of OpenTelemetry.

The names of attributes of spans are those of its conventions for generative AI, as far as they have
one; prompts and replies are not among them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TextIO

from debate_ops.analysis.usage import Usage, read_usage
from debate_ops.core import clock
from debate_ops.core.texts import one_line, signed, spelled
from debate_ops.core.values import Turn
from debate_ops.engine import Outcome, Position, events
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.store import Folder
from debate_ops.report.words import count
from debate_ops.run.others import PERSON

if TYPE_CHECKING:
    from rich.live import Live

MOST = 200
"""Characters of a text of somebody's that a line or an event shows."""
_MINUTE = 60
OF_A_RUN = frozenset({"launch", "refused", "warning", "memo", "done"})
"""What happens to a run and stands in no log of a debate: programs are told these apart."""


class Event(NamedTuple):
    """Something that happened: its name, a line for people (or none), and data.

    Programs get the data of those `OF_A_RUN`; of all else they get the debate's own events.
    `detail` is for people who ask for more.
    """

    name: str
    text: str = ""
    data: Mapping[str, Any] = {}
    detail: str = ""


class Display(Protocol):
    """Where a run's progress is shown."""

    def show(self, event: Event, /) -> None:
        """Show something that happened."""
        ...  # pragma: no cover

    def wait(self, text: str, /) -> None:
        """Show what is waited for; called many times a second."""
        ...  # pragma: no cover


class Lines:
    """A line for each event: for files, pipes and plain terminals; without a stream, nothing."""

    def __init__(
        self, stream: TextIO | None = None, *, verbose: bool = False, has_warnings: bool = True
    ) -> None:
        self._stream, self._is_verbose, self._has_warnings = stream, verbose, has_warnings

    def show(self, event: Event, /) -> None:
        """Print the event's line."""
        detail = f"    {one_line(event.detail)}" if event.detail and self._is_verbose else ""
        lines = filter(None, (one_line(event.text), detail))
        if self._stream and (self._has_warnings or event.name != "warning"):
            with suppress(OSError, ValueError):  # nobody listens: no reason to stop a debate
                self._stream.write("".join(f"{line}\n" for line in lines))
                self._stream.flush()

    def wait(self, text: str, /) -> None:
        """Show nothing: only events get a line."""


class JsonLines:
    """The events of the debate, and those of the run itself, each as JSON on a numbered line.

    What people read is shown elsewhere.
    """

    def __init__(self, stream: TextIO, people: Display, folder: Folder) -> None:
        self._stream = stream
        self._people = people
        self._folder = folder
        self._number = 0
        _, self._place = events.read_events(folder, -1)

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
        happened, self._place = events.read_events(self._folder, self._place)
        for event in happened:
            self._print(event)

    def _print(self, event: Mapping[str, Any]) -> None:
        self._number += 1
        numbered = {"seq": self._number} | dict(event)
        text = json.dumps(numbered, sort_keys=True, ensure_ascii=False, default=float)
        with suppress(OSError, ValueError):
            self._stream.write(spelled(text) + "\n")
            self._stream.flush()


class _Terminal:
    """A line for each event, and what is waited for below them, written anew as it changes."""

    def __init__(self, live: Live) -> None:
        self._live = live

    def show(self, event: Event, /) -> None:
        """Print the event's line above what is waited for."""
        if event.text:
            line = one_line(event.text)
            self._live.console.print(line, soft_wrap=True, markup=False, emoji=False)

    def wait(self, text: str, /) -> None:
        """Write what is waited for."""
        line = self._live.console.render_str(one_line(text), markup=False, emoji=False)
        self._live.update(line, refresh=True)


@contextmanager
def open_display(
    *, quiet: bool = False, verbose: bool = False, of: Folder | None = None
) -> Iterator[Display]:
    """Give the display that fits the standard streams.

    Programs get the events of a debate, if it is said `of` which.
    """
    shown: Display = Lines(None if quiet else sys.stderr, verbose=verbose)
    with ExitStack() as opened:
        if not (quiet or verbose) and is_live(sys.stderr):
            from rich.console import Console  # which no other command needs
            from rich.live import Live

            console = Console(file=sys.stderr, highlight=False)
            live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
            shown = _Terminal(opened.enter_context(live))
        yield JsonLines(sys.stdout, shown, of) if of else shown


def is_live(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that can go back on a line."""
    # NO_COLOR asks for no colour, and there is none; TERM=dumb cannot go back on a line.
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def describe_duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> describe_duration(4.31), describe_duration(12.0), describe_duration(75.2)
    ('4.3 s', '12 s', '1 min 15 s')
    """
    if seconds < 9.95:  # noqa: PLR2004  (what would be rounded to 10.0)
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def describe_event(
    position: Position, name: str, text: str, detail: str = "", **data: Any
) -> Event:
    """Return something that happened in the turn that `position` waits for.

    People read before it where the debate is, as `[1/3] exchange 1`.
    """
    at = position.at
    about = {"debate": position.folder.slug, "exchange": at.place.round, "step": at.debate.step}
    place = f"{position.describe_progress()}{position.describe_place()}"
    shown = f"{place}: {text}" if text else ""
    return Event(name, shown, about | data, detail)


class Course:
    """How far a run is: in replies, exchanges, minutes and money.

    No minutes to come are said where they are not foreseeable, as those of people.
    """

    def __init__(self, *, is_foreseeable: bool = True) -> None:
        self.done, self._begun, self._left = 0, time.monotonic(), 0
        self._of, self._is_foreseeable = "", is_foreseeable

    def expect(self, position: Position) -> None:
        """Take what the replies of the tasks of a position, and all after them, come to."""
        self._left = position.calls_left or 0
        self._of = f"{'at most ' if position.has_end else ''}{self.done + self._left}"

    def count(self, replies: int) -> None:
        """Count replies, or tries that came to none; -1 for one that is asked for again."""
        self.done, self._left = self.done + replies, max(0, self._left - replies)

    def describe(self, position: Position, used: Usage, number: int) -> str:
        """Return how far a run is at the reply of a number, as far as anything is known of it."""
        request, at = position.header.request, position.at.place.round
        place = position.describe_place()
        if request and at:
            first = request.until - request.exchanges
            place = f"{position.protocol.cycle} {at - first + 1} of {request.exchanges}"
        parts = [f"reply {number} of {self._of}", place]
        if self.done and self._left and self._is_foreseeable:
            seconds = (time.monotonic() - self._begun) / self.done * self._left
            parts.append(f"about {count(round(seconds / 60), 'minute')} left")
            if seconds < _MINUTE:
                parts[-1] = "less than a minute left"
        if used.cost and (priced := used.replies - used.unpriced):
            parts.append(f"${used.cost:.2f} so far")
            parts[-1] += f", about ${used.cost / priced * self._left:.2f} to come" * bool(
                self._left
            )
        return ", ".join(parts)


def describe_launch(asking: Position, who: Mapping[str, str], *, has_memo: bool | None) -> Event:
    """Return the first event: what is to be asked, and who replies for each participant.

    What is to be done is left out for people where `has_memo` is None: they know.
    """
    slug, request = asking.folder.slug, asking.header.request
    result = {
        "debate": slug,
        "step": asking.debate.step,
        "request": request.model_dump() if request else None,
        "calls_left": asking.calls_left or 0,
        "participants": dict(who),
    }
    makers = set(who.values())
    pairs = {"all": makers.pop()} if len(makers) == 1 else who
    shown = ", ".join(f"{name}: {by}" for name, by in pairs.items())
    work = asking.describe_work_left(has_memo=bool(has_memo))
    work = work or "nothing to come"
    if any(by.startswith(PERSON) for by in who.values()):
        work = work.replace("agent call", "call")
    work = "" if has_memo is None else f"{work} "
    return Event("launch", f"{slug}: {work}({shown})", result)


def describe_end(position: Position, exit_code: int) -> Event:
    """Return the last event of a run that came to its end."""
    reason = "" if isinstance(position.due, Turn) else position.due.reason
    result = {
        "debate": position.folder.slug,
        "exit": exit_code,
        "reason": reason,
        "cumulative_scores": position.header.cumulative_scores,
    }
    return Event("done", f"{reason}{_describe_totals(position, '; ')}", result)


def _describe_totals(position: Position, before: str = "") -> str:
    totals = position.header.cumulative_scores.values()
    message = " / ".join(signed(total["total"]) for total in totals)
    return f"{before}total {message}" if message else ""


def describe_record(before: Position, outcome: Outcome, entry_id: str) -> Event:
    """Return that an entry is on record now; the event has the name of the entry's kind."""
    entry = outcome.position.debate.entries[entry_id]
    text = f"{entry_id} {one_line(summarise_entry(entry), MOST)}"
    if entry.kind == "argument":
        listed = {
            verb: dict.fromkeys(link["target_id"] for link in entry.data.get(verb) or ())
            for verb in ("attacks", "defends")
        }
        aims = [f"{verb} {' and '.join(ids)}" for verb, ids in listed.items() if ids]
        text = ", ".join([f'{entry_id} "{one_line(entry.title, MOST)}"', *aims])
    elif entry.kind == "judgment":
        text = f"judged: {summarise_entry(entry)} ({_describe_totals(outcome.position)})"
    elif entry.kind == "absence":
        text = " ".join(describe_entry(entry))
        if entry.data.get("by") == "run":
            text += f"; to ask again: 'undo {before.folder.name} --step {entry.step}'"
    sizes = [f"{key} {entry.data[key]:,}" for key in ("before", "after") if key in entry.data]
    detail = f"characters: {', '.join(sizes)}" if sizes else ""
    return describe_event(before, entry.kind, text, detail)


@contextmanager
def open_span(name: str, about: Mapping[str, Any]) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Trace a block as a span; yield what adds attributes to it. An exception is on the span."""
    try:
        from opentelemetry import trace
    except ModuleNotFoundError:
        yield lambda _: None
        return
    # Without an SDK that the user has configured, a span of the API does nothing.
    with trace.get_tracer("debate_ops").start_as_current_span(name, attributes=about) as span:
        yield span.set_attributes


def reply_attributes(made_by: Mapping[str, Any]) -> dict[str, Any]:
    """Return as attributes what a reply was made by, and what it took, as far as it is known."""
    used = read_usage(made_by)
    known = {
        "gen_ai.response.model": made_by.get("model"),
        "gen_ai.usage.input_tokens": used.input + used.cached,
        "gen_ai.usage.output_tokens": used.output,
        "debate.cost_usd": None if used.unpriced else float(used.cost),
    }
    return {key: value for key, value in known.items() if value}
