"""What a run shows, and how, on terminals, in files and for programs."""

import io
import json
from pathlib import Path

import pytest

from debate_ops.engine import events
from debate_ops.engine.store import Folder
from debate_ops.run.progress import Event, JsonLines, Lines, choose_display, is_live
from tests.cli.stage import Terminal

CAME = Event("replied", "[1/3] exchange 1: prop replied (12 s)", {"participant": "prop"})


class Closed(io.StringIO):
    def write(self, _text: str, /) -> int:
        raise BrokenPipeError


def shown(people: io.StringIO) -> str:
    display = Lines(people)
    display.wait("waiting for prop and opp 0:01")
    display.show(CAME)
    display.show(Event("done", data={"exit": 0}))
    return people.getvalue()


def test_each_event_is_a_plain_line_and_more_for_those_who_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert shown(io.StringIO()) == f"{CAME.text}\n"
    detailed = CAME._replace(detail="prompt of 1,200 characters")
    for quiet, verbose, lines in ((False, False, 1), (False, True, 2), (True, False, 0)):
        choose_display(quiet=quiet, verbose=verbose).show(detailed)
        assert len(capsys.readouterr().err.splitlines()) == lines


def test_the_view_is_for_terminals_that_can_go_back_on_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert is_live(Terminal())
    assert not is_live(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not is_live(Terminal())


def test_there_is_never_an_escape_code() -> None:
    nasty = Event("argument_filed", 'prop_001 "\x1b]0;title\x07\x9b2J"\nforged line')
    for stream in (io.StringIO(), Terminal()):
        display = Lines(stream)
        display.show(nasty)
        display.wait("\x1b[2J")
        assert not {"\x1b", "\x07", "\x9b"} & set(stream.getvalue())
        assert stream.getvalue().count("\n") == 1


def test_programs_get_the_log_of_the_debate_and_what_happens_to_the_run_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    folder, people, programs = Folder(str(tmp_path)), io.StringIO(), io.StringIO()
    events.append_events(folder, [{"event": "debate_created"}])
    display = JsonLines(programs, Lines(people), folder)
    events.append_events(folder, [{"event": "call_started", "participant": "prop"}])
    display.show(CAME)
    events.append_events(folder, [{"event": "call_ended", "participant": "prop"}])
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
    lines = Lines(Closed())
    display = JsonLines(Closed(), lines, Folder(str(tmp_path))) if json_lines else lines
    display.show(CAME)
    display.wait("waiting")
