"""What a run shows, and how, on terminals, in files and for programs."""

import io
import json
from pathlib import Path

import pytest
from debate_ops.storage import events

from debate_ops.engine.store import Folder
from debate_ops.run import progress
from debate_ops.run.progress import Event

CAME = Event("replied", "[1/3] exchange 1: prop replied (12 s)", {"participant": "prop"})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Closed(io.StringIO):
    def write(self, _text: str, /) -> int:
        raise BrokenPipeError


def shown(people: io.StringIO, *, quiet: bool = False) -> str:
    display = progress.display(people=people, programs=io.StringIO(), quiet=quiet)
    display.wait("waiting for prop and opp 0:01")
    display.wait("waiting for prop 0:02")
    display.show(CAME)
    display.show(Event("done", data={"exit": 0}))
    return people.getvalue()


def test_outside_a_terminal_each_event_is_a_plain_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO()) == f"{CAME.text}\n"
    monkeypatch.setenv("TERM", "dumb")
    assert shown(Terminal()) == f"{CAME.text}\n"
    assert shown(Terminal(), quiet=True) == ""


def test_the_live_line_never_wraps_and_is_drawn_when_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    display = progress.display(people=stream)
    for _ in range(2):
        display.wait("x" * 50)
    assert stream.getvalue() == "\r" + "x" * 19


def test_in_a_terminal_a_live_line_gives_way_to_each_event() -> None:
    text = shown(Terminal())

    screen = [""]
    column = 0
    for char in text:
        if char == "\r":
            column = 0
        elif char == "\n":
            screen.append("")
            column = 0
        else:
            screen[-1] = screen[-1][:column] + char + screen[-1][column + 1 :]
            column += 1
    assert "waiting for prop 0:02" in text
    assert [line.rstrip() for line in screen] == [CAME.text, ""]


def test_there_is_never_an_escape_code() -> None:
    nasty = Event("argument_filed", 'prop_001 "\x1b]0;title\x07\x9b2J"\nforged line')
    for stream in (io.StringIO(), Terminal()):
        display = progress.display(people=stream)
        display.show(nasty)
        display.wait("\x1b[2J")
        assert not {"\x1b", "\x07", "\x9b"} & set(stream.getvalue())
        assert stream.getvalue().count("\n") == 1


def test_programs_get_the_log_of_the_debate_and_what_happens_to_the_run_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    folder, people, programs = Folder(str(tmp_path)), io.StringIO(), io.StringIO()
    events.append(folder, [{"event": "debate_created"}])
    display = progress.display(of=folder, people=people, programs=programs)

    events.append(folder, [{"event": "call_started", "participant": "prop"}])
    display.show(CAME)
    events.append(folder, [{"event": "call_ended", "participant": "prop"}])
    display.wait("waiting")
    with open(folder.within("events.jsonl"), "a", encoding="utf-8") as log:
        log.write('torn\n{"event": "half')
    display.show(Event("done", data={"exit": 0}))

    assert [json.loads(line) for line in programs.getvalue().splitlines()] == [
        {"seq": 1, "event": "call_started", "participant": "prop"},
        {"seq": 2, "event": "call_ended", "participant": "prop"},
        {"seq": 3, "event": "done", "at": "2023-11-14T22:13:20Z", "exit": 0},
    ]
    assert people.getvalue() == f"{CAME.text}\n"


@pytest.mark.parametrize("json_lines", [True, False])
def test_that_nobody_listens_stops_nothing(*, json_lines: bool, tmp_path: Path) -> None:
    of = Folder(str(tmp_path)) if json_lines else None
    display = progress.display(of=of, people=Closed(), programs=Closed())
    display.show(CAME)
    display.wait("waiting")
