"""The view of a run in a terminal: what is said so far, as text and no more, within its width."""

import io
import json
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console

from debate_ops.engine import inbox, store
from debate_ops.engine.store import Folder
from debate_ops.live import terminal
from debate_ops.live.feed import OWNER, Feed, Seat
from debate_ops.run import running
from debate_ops.run.progress import Event
from tests.builders import debate_at
from tests.cli.stage import Terminal

HOSTILE = "[red]markup[/red] \x1b]0;title\x07 [link=x]y[/link]"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return debate_at(1)


def shown(folder: Folder, text: str = "waiting for prop", width: int = 100, **more: str) -> str:
    stream = io.StringIO()
    state = json.loads(Feed(folder).state(Seat(OWNER))) | more
    Console(file=stream, width=width).print(terminal.view(state, text))
    return stream.getvalue()


def test_it_shows_where_the_debate_is_what_was_said_last_and_the_scores(folder: Folder) -> None:
    text = shown(folder)
    for part in (
        "exchange 1",
        "opposition -0.75, proposition +0.75",
        "judge: Judgment: opening",
        "7 entries",
        "waiting for prop",
    ):
        assert part in text
    assert "complete: 1 exchange  opposition" in shown(folder, reason="complete: 1 exchange")


def test_a_text_in_the_making_is_shown_as_text_and_marked_as_unchecked(folder: Folder) -> None:
    inbox.prepare(folder)
    alone = store.hold_lock(folder.within(inbox.RUN_LOCK), "is running this debate", wait=0)
    with alone, closing(running.Notes(folder, {"prop": "cmd:x"})) as noted:
        noted.begin(["prop"])
        noted.note_text("prop", HOSTILE)
        noted.save(at_once=True)
        text = shown(folder)
    assert "prop (cmd:x), unchecked" in text
    assert "[red]markup[/red]" in text
    assert "[link=x]y[/link]" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("width", [20, 60])
def test_no_line_is_longer_than_the_terminal(folder: Folder, width: int) -> None:
    assert max(map(len, shown(folder, "w" * 300, width).splitlines())) <= width


def test_a_run_leaves_lines_and_no_view(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with terminal.open_view(folder, stream, size=(80, 30)) as display:
        display.wait("waiting for prop 0:01")
        display.show(Event("replied", f"prop replied {HOSTILE}"))
        display.show(Event("done", "all is done"))
    assert "[red]markup[/red]" in stream.getvalue()
    assert "prop replied" in stream.getvalue()
    *_, last = stream.getvalue().split("This house would X")
    assert ("all is done" in last, "waiting for prop" in last) == (True, False)


def test_a_debate_that_cannot_be_read_is_said_to_be(folder: Folder) -> None:
    Path(folder.debate_file).write_text("nothing", encoding="utf-8")
    assert "debate.md" in shown(folder)
