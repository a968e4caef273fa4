"""Spans of OpenTelemetry for a run, its turns and its calls, if that is installed and configured.

The names of attributes are those of its conventions for generative AI, as far as they have one;
prompts and replies are not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from debate_ops.core.usage import read_usage
from debate_ops.engine import Position


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


def describe_place(position: Position) -> dict[str, Any]:
    """Return as attributes which debate it is, and what it waits for."""
    place = position.at.place
    return {
        "debate.slug": position.folder.slug,
        "debate.protocol": position.protocol.name,
        "debate.step": position.debate.step,
        "debate.exchange": place.round,
        "debate.phase": place.phase,
    }


def describe_reply(made_by: Mapping[str, Any]) -> dict[str, Any]:
    """Return as attributes what a reply was made by, and what it took, as far as it is known."""
    used = read_usage(made_by)
    known = {
        "gen_ai.response.model": made_by.get("model"),
        "gen_ai.usage.input_tokens": used.input + used.cached,
        "gen_ai.usage.output_tokens": used.output,
        "debate.cost_usd": None if used.unpriced else float(used.cost),
    }
    return {key: value for key, value in known.items() if value}
