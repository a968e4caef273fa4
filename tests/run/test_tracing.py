"""Spans of a run: nested as run, turn and call, with what is known of each, and none without."""

import sys
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from debate_ops.core.errors import ParticipantFailedError
from debate_ops.engine.store import find_folder
from debate_ops.run import runner
from debate_ops.run.base import Answer, TimedOutError
from tests.run.stage import Act, Cast, case, reply_of

pytestmark = pytest.mark.usefixtures("work", "impatient", "debate")


@pytest.fixture
def debate(work: object) -> None:  # noqa: ARG001  (the folder it lies in)
    case()


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def spans(exporter: InMemorySpanExporter, name: str) -> list[Any]:
    return [span for span in exporter.get_finished_spans() if span.name.startswith(name)]


def start_run(cast: Cast) -> None:
    runner.run(find_folder("case"), 1, cast)


def test_calls_are_within_their_turn_and_turns_within_the_run(
    exporter: InMemorySpanExporter,
) -> None:
    made_by = {"model": "m-1", "tokens": {"input": 5, "cached": 2, "output": 3}, "cost_usd": 0.5}
    start_run(Cast(prop=[Answer(reply_of(find_folder("case"), "prop"), made_by)]))
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
        start_run(Cast(opp=failures))
    failed = [span.name for span in exporter.get_finished_spans() if not span.status.is_ok]
    assert failed == ["invoke_agent opp", "invoke_agent opp", "debate.turn", "debate.run"]
    assert "s3cret" not in "".join(span.to_json() for span in exporter.get_finished_spans())


def test_a_run_needs_no_tracing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    cast = Cast()
    start_run(cast)
    assert cast.calls() == dict.fromkeys(cast, 2)
