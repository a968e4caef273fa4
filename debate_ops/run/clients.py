"""What agent clients print in their JSON modes: the reply in it, its usage, and errors.

`claude -p --output-format json` (or `stream-json`), `codex exec --json`, `gemini
--output-format json` and `opencode run --format json`. A client is known by the form of its
output, not by the program's name, which may be a script of the user's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from debate_ops.core.texts import one_line
from debate_ops.run.base import describe_origin

_CLIENT = "the client"
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
    return next(filter(None, (find(values) for find in _CLIENTS)), None)


def _claude(values: Sequence[dict[str, Any]]) -> Opened | None:
    last = values[-1]
    if last.get("type") != "result" or not ("usage" in last or "total_cost_usd" in last):
        return None
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    fresh, kept, cached, written = _sum([_part(last, "usage")], *keys, "output_tokens")
    cost = _dollars(last.get("total_cost_usd"))
    made = _made(_part(last, "modelUsage"), (fresh + kept, cached, written), cost)
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
    made = _made({}, (max(0, read - cached), cached, written))
    error = "" if turns or not failures else _words(failures[-1])
    return Opened(replies[-1] if replies else "", made, error)


def _gemini(values: Sequence[dict[str, Any]]) -> Opened | None:
    models = _part(_part(values[0], "stats"), "models")
    error = _part(values[0], "error")
    if len(values) > 1 or not (models or error) or values[0].keys() - _GEMINI_KEYS:
        return None
    listed = [_part(model, "tokens") for model in models.values() if isinstance(model, dict)]
    read, cached, text, thoughts = _sum(listed, "prompt", "cached", "candidates", "thoughts")
    made = _made(models, (max(0, read - cached), cached, text + thoughts))
    said = _words(error) if error else ""
    return Opened(str(values[0].get("response") or ""), made, said)


def _opencode(values: Sequence[dict[str, Any]]) -> Opened | None:
    """Read the events of a run: what the last of its steps wrote is the reply."""
    if values[0].get("type") not in {"step_start", "error"} or "sessionID" not in values[0]:
        return None
    begun = max(
        (i for i, value in enumerate(values) if value.get("type") == "step_start"), default=0
    )
    texts = [_part(value, "part") for value in values[begun:] if value.get("type") == "text"]
    steps = [_part(value, "part") for value in values if value.get("type") == "step_finish"]
    errors = [_part(value, "error") for value in values if value.get("type") == "error"]
    used = [_part(step, "tokens") for step in steps]
    read, written, thoughts = _sum(used, "input", "output", "reasoning")
    fresh, cached = _sum([_part(tokens, "cache") for tokens in used], "write", "read")
    cost = sum(_dollars(step.get("cost")) for step in steps)
    made = _made({}, (read + fresh, cached, written + thoughts), cost)
    error = _words(errors[-1]) if errors else ""
    return Opened("".join(str(text.get("text")) for text in texts), made, error)


_GEMINI_KEYS = {"session_id", "response", "stats", "error"}
_CLIENTS = (_claude, _codex, _gemini, _opencode)


def _made(models: dict[str, Any], tokens: tuple[int, int, int], cost: float = 0) -> dict[str, Any]:
    """Return what is known of a reply; a client that says 0 knows no price."""
    prices = {"prices": _CLIENT} if cost else {}
    return describe_origin(one_line(" and ".join(models)), tokens, cost or None, **prices)


def _dollars(cost: object) -> float:
    return cost if isinstance(cost, int | float) and 0 <= cost < _BEYOND else 0


def _words(error: dict[str, Any]) -> str:
    """Return what an error says, which lies deeper in some clients' than in others'."""
    inner = _part(error, "error") or _part(error, "data")
    return _words(inner) if inner else str(error.get("message") or error.get("type") or "error")


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}


def _sum(counted: Sequence[dict[str, Any]], *keys: str) -> list[int]:
    """Return the sum of each key, of what are numbers above 0 there."""
    numbers = [[value.get(key) for value in counted] for key in keys]
    return [sum(n for n in own if type(n) is int and n > 0) for own in numbers]
