"""What a run shows, on terminals, in files, for programs that follow it, and as spans."""

import asyncio
import io
import json
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from debate_ops import engine
from debate_ops.core.errors import ParticipantFailedError, UnknownDebateError
from debate_ops.engine import events
from debate_ops.engine.store import Folder
from debate_ops.run import following, runner
from debate_ops.run.base import Answer, Prompt, TimedOutError
from debate_ops.run.progress import Event, JsonLines, Lines, choose_display, is_live
from tests.cli.stage import Terminal
from tests.run.stage import Act, Actor, Cast, case, reply_of

pytestmark = pytest.mark.usefixtures("work", "impatient")

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


LOG = Path("debates/case/events.jsonl")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "SECONDS_BETWEEN_LOOKS", 0.01)


def all_of(**options: Any) -> list[tuple[int, str]]:
    async def listed() -> list[tuple[int, str]]:
        events = following.follow_events("case", **options)
        return [(number, event["event"]) async for number, event in events]

    return asyncio.run(asyncio.wait_for(listed(), 20))


def test_what_is_there_is_told_in_order_and_from_any_number_on() -> None:
    with pytest.raises(UnknownDebateError):
        all_of()
    engine.pause(case(), "kim")
    engine.resume(Folder("debates/case"), "kim")
    events = all_of()
    assert [number for number, _ in events] == [1, 2, 3, 4]
    assert [name for _, name in events][-2:] == ["debate_paused", "debate_resumed"]
    assert all_of(after=3) == events[3:]
    assert all_of(after=9) == []


class Slow(Actor):
    def reply(self, prompt: Prompt) -> Answer:
        prompt.stop.wait(0.2)
        result = super().reply(prompt)
        assert isinstance(result, Answer)
        return result


def test_a_run_is_followed_to_its_end_without_a_gap() -> None:
    folder = case()
    run = Thread(target=runner.run, args=(folder, 1, {**Cast(), "prop": Slow()}))
    run.start()
    while not all_of(follow=False)[2:]:
        pass
    events = all_of()
    run.join()
    lines = len(LOG.read_text(encoding="utf-8").splitlines())
    assert [number for number, _ in events] == list(range(1, lines + 1))
    assert {"phase_started", "call_ended"} <= set(dict(events).values())


@pytest.mark.parametrize("torn", ['{"event": "x"', "[]", "{}", "\ufeff", "[" * 10_000])
def test_a_torn_line_keeps_its_number_and_is_no_event(torn: str) -> None:
    case()
    before = all_of()
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f'{torn}\n{{"at":"","event":"said"}}\n{{"event":"not yet whole"')
    assert all_of() == [*before, (len(before) + 2, "said")]


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def spans(exporter: InMemorySpanExporter, name: str) -> list[Any]:
    return [span for span in exporter.get_finished_spans() if span.name.startswith(name)]


def test_calls_are_within_their_turn_and_turns_within_the_run(
    exporter: InMemorySpanExporter,
) -> None:
    made_by = {"model": "m-1", "tokens": {"input": 5, "cached": 2, "output": 3}, "cost_usd": 0.5}
    folder = case()
    runner.run(folder, 1, Cast(prop=[Answer(reply_of(folder, "prop"), made_by)]))
    (run,), turns, calls = (
        spans(exporter, n) for n in ("debate.run", "debate.turn", "invoke_agent")
    )
    assert [turn.attributes["debate.phase"] for turn in turns] == [
        *("awaiting_arguments", "awaiting_judgment"),
        *("awaiting_arguments", "awaiting_judgment"),
    ]
    assert {turn.parent.span_id for turn in turns} == {run.context.span_id}
    assert {call.parent.span_id for call in calls} == {turn.context.span_id for turn in turns}
    (first, *_) = [call for call in calls if call.name == "invoke_agent prop"]
    assert dict(first.attributes) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "prop",
        "debate.replies_by": "actor",
        "gen_ai.response.model": "m-1",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 3,
        "debate.cost_usd": 0.5,
    }


def test_a_failure_is_on_the_spans_that_it_ended(exporter: InMemorySpanExporter) -> None:
    failures: list[Act] = [TimedOutError("too slow", "key s3cret expired")] * 2
    with pytest.raises(ParticipantFailedError):
        runner.run(case(), 1, Cast(opp=failures))
    failed = [span.name for span in exporter.get_finished_spans() if not span.status.is_ok]
    assert failed == ["invoke_agent opp", "invoke_agent opp", "debate.turn", "debate.run"]
    assert "s3cret" not in "".join(span.to_json() for span in exporter.get_finished_spans())


def test_a_run_needs_no_tracing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    cast = Cast()
    runner.run(case(), 1, cast)
    assert cast.calls() == dict.fromkeys(cast, 2)
