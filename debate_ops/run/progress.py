"""What a run shows while it works: lines for people, spans of OpenTelemetry.

The names of attributes of spans are those of its conventions for generative AI, as far as they have
one; prompts and replies are not among them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from debate_ops.analysis.usage import Usage, read_tokens, read_usage
from debate_ops.core.texts import one_line
from debate_ops.core.values import Fault
from debate_ops.engine import Position
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.report.words import count
from debate_ops.run.run_file import PERSON

if TYPE_CHECKING:
    from rich.live import Live

MOST = 200
"""Characters of a text of somebody's that a line shows."""
MEMO_PHASE = "memo"
"""The phase of a turn in which the reporter writes; no protocol has it."""


class Event(NamedTuple):
    """Something that happened: its name, a line (or none), and `detail` for who asks for more."""

    name: str
    text: str
    detail: str = ""


class Display:
    """A line for each event: for files, pipes and plain terminals; without a stream, nothing."""

    def __init__(self, stream: TextIO | None = None, *, verbose: bool = False) -> None:
        self._stream, self._is_verbose = stream, verbose

    def show(self, event: Event, /) -> None:
        """Show something that happened."""
        detail = f"    {one_line(event.detail)}\n" if event.detail and self._is_verbose else ""
        if self._stream and event.text:
            with suppress(OSError, ValueError):  # nobody listens: no reason to stop a debate
                self._stream.write(f"{one_line(event.text)}\n{detail}")
                self._stream.flush()

    def wait(self, text: str, /) -> None:
        """Show what is waited for, where a line can be written anew; called many times a second."""


class _Terminal(Display):
    """A line for each event, and what is waited for below them, written anew as it changes."""

    def __init__(self, live: Live) -> None:
        super().__init__()
        self._live, self._waiting = live, ""

    def show(self, event: Event, /) -> None:
        if event.text:
            line = one_line(event.text)
            self._live.console.print(line, soft_wrap=True, markup=False, emoji=False)

    def wait(self, text: str, /) -> None:
        if text != self._waiting:
            self._waiting = text
            line = self._live.console.render_str(one_line(text), markup=False, emoji=False)
            self._live.update(line, refresh=True)


@contextmanager
def open_display(*, quiet: bool = False, verbose: bool = False) -> Iterator[Display]:
    """Give the display that fits standard error."""
    # NO_COLOR asks for no colour, and there is none; TERM=dumb cannot go back on a line.
    is_live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if quiet or verbose or not is_live:
        yield Display(None if quiet else sys.stderr, verbose=verbose)
        return
    from rich.console import Console  # which no other command needs
    from rich.live import Live

    console = Console(file=sys.stderr, highlight=False)
    with Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False) as live:
        yield _Terminal(live)


def describe_duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> describe_duration(4.31), describe_duration(12.0), describe_duration(75.2)
    ('4.3 s', '12 s', '1 min 15 s')
    """
    if seconds < 9.95:  # noqa: PLR2004  (what would be rounded to 10.0)
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class Progress:
    """What a run shows: events, and how far it is in replies, exchanges, minutes and money."""

    def __init__(self, display: Display) -> None:
        self.show, self.wait = display.show, display.wait
        self._done, self._left, self._of, self._place = 0, 0, "", ""
        self._begun, self._warned = time.monotonic(), set[str]()

    def report(self, position: Position, name: str, text: str) -> None:
        """Show something that happened where a debate is; a memo belongs to no place in it."""
        is_memo = position.at.place.phase == MEMO_PHASE
        place = position.folder.slug if is_memo else position.describe_place()
        self.show(Event(name, f"{place}: {text}"))

    def warn(self, position: Position, warnings: Iterable[Fault]) -> None:
        """Show each warning once."""
        new = dict.fromkeys(sentence for w in warnings if (sentence := w.sentence()))
        for sentence in (each for each in new if each not in self._warned):
            self.report(position, "warning", f"warning: {sentence}")
        self._warned |= new.keys()

    def expect(self, position: Position) -> None:
        """Take what the replies of the tasks of a position, and all after them, come to."""
        self._left = position.calls_left or 0
        request, at = position.header.request, position.at.place
        is_memo = at.phase == MEMO_PHASE
        is_most = position.has_end and not is_memo
        self._of = f"{'at most ' if is_most else ''}{self._done + self._left}"
        self._place = MEMO_PHASE if is_memo else position.describe_place()
        if request and at.round and not is_memo:
            first = request.until - request.exchanges
            self._place = f"{position.protocol.cycle} {at.round - first + 1} of {request.exchanges}"

    def count(self, replies: int) -> None:
        """Count replies, or tries that came to none; -1 for one that is asked for again."""
        self._done, self._left = self._done + replies, max(0, self._left - replies)

    def describe(self, used: Usage, *, ahead: int = 0) -> str:
        """Return how far a run is, or will be with replies `ahead`, as far as that is known."""
        parts = [f"reply {self._done + ahead} of {self._of}", self._place]
        if self._done and self._left:
            minutes = (time.monotonic() - self._begun) / self._done * self._left / 60
            about = f"about {count(round(minutes), 'minute')}"
            parts.append(f"{about if minutes >= 1 else 'less than a minute'} left")
        if used.cost and (priced := used.replies - used.unpriced):
            to_come = f", about ${used.cost / priced * self._left:.2f} to come"
            parts.append(f"${used.cost:.2f} so far{to_come if self._left else ''}")
        return ", ".join(parts)


def describe_launch(asking: Position, who: Mapping[str, str], *, has_memo: bool) -> Event:
    """Return the first event: what is to be asked, and who replies for each participant."""
    makers = set(who.values())
    pairs = {"all": makers.pop()} if len(makers) == 1 else who
    shown = ", ".join(f"{name}: {by}" for name, by in pairs.items())
    by_people = all(by.startswith(PERSON) for by in who.values())
    work = asking.describe_work_left(has_memo=has_memo, by_people=by_people) or "nothing to come"
    return Event("launch", f"{asking.folder.slug}: {work} ({shown})")


def describe_record(before: Position, after: Position, entry_id: str) -> Event:
    """Return that an entry is on record now; the event has the name of the entry's kind."""
    entry = after.debate.entries[entry_id]
    text = f"{entry_id} {one_line(summarise_entry(entry), MOST)}"
    if entry.kind == "absence":
        text = " ".join(describe_entry(entry))
        if entry.data.get("by") == "run":
            text += f"; to ask again: 'undo {before.folder.name} --step {entry.step}'"
    sizes = [f"{key} {entry.data[key]:,}" for key in ("before", "after") if key in entry.data]
    detail = f"characters: {', '.join(sizes)}" if sizes else ""
    return Event(entry.kind, f"{before.describe_place()}: {text}", detail)


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
    used, tokens = read_usage(made_by), read_tokens(made_by)
    known = {
        "gen_ai.response.model": made_by.get("model"),
        "gen_ai.usage.input_tokens": tokens.get("input", 0) + tokens.get("cached", 0),
        "gen_ai.usage.output_tokens": tokens.get("output", 0),
        "debate.cost_usd": None if used.unpriced else float(used.cost),
    }
    return {key: value for key, value in known.items() if value}
