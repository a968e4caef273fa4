"""What the live page shows, in a terminal: below the lines of a run, drawn again as it changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from debate_ops.core.texts import one_line
from debate_ops.engine.store import Folder
from debate_ops.live.feed import OWNER, Feed, Seat
from debate_ops.run.progress import Display, Event

LATEST = 3
"""How many entries are named."""
_DRAFT = 240
"""Letters of a text in the making, its last ones."""


@contextmanager
def open_view(
    folder: Folder, stream: TextIO, *, size: tuple[int, int] | None = None
) -> Iterator[Display]:
    """Give the display of a run; when it is over, only its lines are left.

    `size` are columns and lines, where the terminal is not to be asked.
    """
    width, height = size or (None, None)
    console = Console(file=stream, width=width, height=height, highlight=False)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield _Terminal(folder, live)


class _Terminal:
    """Lines for what has happened, and a view of the debate for what is waited for."""

    def __init__(self, folder: Folder, live: Live) -> None:
        self._feed = Feed(folder)
        self._live = live
        self._drawn = ("", "")

    def show(self, event: Event, /) -> None:
        """Print the event's line above the view; at the end nothing is waited for any more."""
        if event.text:
            self._live.console.print(Text(one_line(event.text)), soft_wrap=True)
        if event.name == "done":
            self.wait(event.text)

    def wait(self, text: str, /) -> None:
        """Draw the view again if the debate, or what is waited for, has changed."""
        state = self._feed.state(Seat(OWNER))
        if (text, state) != self._drawn:
            self._drawn = (text, state)
            self._live.update(view(json.loads(state), text), refresh=True)


def view(state: Mapping[str, Any], text: str) -> RenderableType:
    """Return a debate as the live page has it: who speaks, the last entries, scores and cost."""
    waiting = Text(one_line(text), style="bold")
    if "error" in state:
        return Group(Rule(style="dim"), Text(one_line(state["error"]), style="red"), waiting)
    used, totals = state["used"], state["totals"].items()
    cells = [
        state["reason"] or state["place"],
        ", ".join(f"{side} {total['total']:+.2f}" for side, total in totals),
        f"{len(state['entries'])} entries",
        f"{used['tokens']:,} tokens" if used["tokens"] else "",
        f"${used['cost']:.4f}" if used["cost"] else "",
        f"paused by {state['hold']['by']}" if state["hold"] else "",
    ]
    parts: list[RenderableType] = [Text("  ".join(one_line(cell) for cell in cells if cell))]
    for entry in state["entries"][-LATEST:]:
        who = f"{entry['participant']}: " if entry["participant"] else ""
        parts.append(
            Text(one_line(f"{who}{entry['headline']}", _DRAFT), style="dim", overflow="fold")
        )
    for call in state["calls"]:
        text_so_far = one_line(call["text"])
        draft = f"… {text_so_far[-_DRAFT:]}" if len(text_so_far) > _DRAFT else text_so_far
        title = one_line(
            f"{call['participant']} ({call['by']}), unchecked" if draft else call["participant"]
        )
        parts.append(Panel(Text(draft or "…"), title=Text(title), title_align="left"))
    return Group(Rule(Text(one_line(state["motion"], 100)), style="dim"), *parts, waiting)
