"""What agent clients print in their JSON modes: the reply in it, its usage, and errors.

`claude -p --output-format json` (or `stream-json`) and `codex exec --json`. A client is known by
the form of its output, not by the program's name, which may be a script of the user's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from debate_ops.core.texts import one_line
from debate_ops.run.base import describe_origin

_BEYOND = 10**9
"""No call costs so many dollars."""


class Opened(NamedTuple):
    """The reply in what a client printed, what is known of how it was made, and any error."""

    reply: str
    made_by: dict[str, Any]
    error: str = ""


def open_output(raw: bytes) -> Opened | None:
    """Return what a client printed in its own form, or None where it is a reply as it stands.

    Its output is one object, a list of them, or one on each line.
    """
    try:
        text = raw.decode("utf-8").strip()
        if not text.startswith(("{", "[")):
            return None
        try:
            whole = json.loads(text)
        except ValueError:
            whole = [json.loads(line) for line in text.split("\n") if line.startswith("{")]
    except (ValueError, RecursionError):
        return None
    values = whole if isinstance(whole, list) else [whole]
    if not (values and all(isinstance(value, dict) for value in values)):
        return None
    return _claude(values) or _codex(values)


def _claude(values: Sequence[dict[str, Any]]) -> Opened | None:
    last = values[-1]
    if last.get("type") != "result" or not ("usage" in last or "total_cost_usd" in last):
        return None
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    fresh, kept, cached, written = _sum([_part(last, "usage")], *keys, "output_tokens")
    said = last.get("total_cost_usd")
    # A client that says 0 knows no price.
    cost = said if isinstance(said, int | float) and 0 < said < _BEYOND else None
    prices = {"prices": "the client"} if cost else {}
    models = one_line(" and ".join(_part(last, "modelUsage")))
    made = describe_origin(models, (fresh + kept, cached, written), cost, **prices)
    reply = str(last.get("result") or "")
    failed = last.get("is_error") or str(last.get("subtype", "success")) != "success"
    return Opened(reply, made, (reply or str(last.get("subtype"))) if failed else "")


def _codex(values: Sequence[dict[str, Any]]) -> Opened | None:
    if values[0].get("type") != "thread.started":
        return None
    items = [_part(value, "item") for value in values if value.get("type") == "item.completed"]
    replies = [str(item.get("text")) for item in items if item.get("type") == "agent_message"]
    turns = [_part(value, "usage") for value in values if value.get("type") == "turn.completed"]
    read, cached, written = _sum(turns, "input_tokens", "cached_input_tokens", "output_tokens")
    failures = [value for value in values if value.get("type") in {"turn.failed", "error"}]
    made = describe_origin(tokens=(max(0, read - cached), cached, written))
    last = {} if turns or not failures else failures[-1]
    error = _part(last, "error").get("message") or last.get("message") or last.get("type") or ""
    return Opened(replies[-1] if replies else "", made, str(error))


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}


def _sum(counted: Sequence[dict[str, Any]], *keys: str) -> list[int]:
    """Return the sum of each key, of what are numbers above 0 there."""
    numbers = [[value.get(key) for value in counted] for key in keys]
    return [sum(n for n in own if type(n) is int and n > 0) for own in numbers]
