"""What a run shows, on terminals, in files, and as spans."""

import io
import sys
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from debate_ops.core.errors import ParticipantFailedError
from debate_ops.run import runner
from debate_ops.run.participants import Answer, TimedOutError
from debate_ops.run.progress import Display, Event, open_display
from tests.cli.stage import Terminal
from tests.run.stage import Act, Cast, case, reply_of

pytestmark = pytest.mark.usefixtures("work", "impatient")

CAME = Event("replied", "exchange 1: prop replied (12 s)", "prompt of 1,200 characters")


class Closed(io.StringIO):
    def write(self, _text: str, /) -> int:
        raise BrokenPipeError


def test_each_event_is_a_line_or_more_if_asked_for_and_never_an_escape_code() -> None:
    nasty = Event("argument_filed", 'prop_001 "\x1b]0;title\x07\x9b2J"\nforged line')
    for verbose, detail in ((False, ""), (True, f"    {CAME.detail}\n")):
        display = Display(stream := io.StringIO(), verbose=verbose)
        display.wait("waiting for \x1b[2J")
        display.show(Event("done", ""))
        display.show(CAME)
        assert stream.getvalue() == f"{CAME.text}\n{detail}"
        display.show(nasty)
        assert not {"\x1b", "\x07", "\x9b"} & set(stream.getvalue())
        assert stream.getvalue().count("\n") == 2 + verbose


def test_a_terminal_shows_what_is_waited_for_below_lines_that_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    with open_display() as display:
        display.wait("waiting for [red]prop[/red] 0:01\x1b]0;title\x07")
        display.wait("waiting for [red]prop[/red] 0:01\x1b]0;title\x07")
        assert stream.getvalue().count("waiting for [red]prop[/red] 0:01") == 1
        display.show(Event("replied", "prop replied [link=x]y[/link] :smile: " + "w" * 200))
    assert "prop replied [link=x]y[/link] :smile: " + "w" * 200 in stream.getvalue()
    assert not {"\x1b]", "\x07"} & {*stream.getvalue()}
    assert stream.getvalue().rpartition("w" * 200)[2].strip("\n").startswith("waiting for")


def test_the_view_is_for_terminals_that_can_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, term, is_live in (
        (Terminal(), "xterm", True),
        (io.StringIO(), "xterm", False),
        (Terminal(), "dumb", False),
    ):
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr(sys, "stderr", stream)
        with open_display() as display:
            assert (type(display) is Display) != is_live


def test_that_nobody_listens_stops_nothing() -> None:
    Display(Closed()).show(CAME)


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def spans(exporter: InMemorySpanExporter, name: str) -> list[Any]:
    return [span for span in exporter.get_finished_spans() if span.name.startswith(name)]


def test_calls_are_in_their_turn_and_turns_in_the_run(exporter: InMemorySpanExporter) -> None:
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
