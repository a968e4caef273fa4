"""What agent clients print in their JSON modes: the reply in it, its usage, and errors.

`claude -p --output-format json` (or `stream-json`), `codex exec --json`, `gemini
--output-format json` and `opencode run --format json`. A client is known by the form of its
output, not by the program's name, which may be a script of the user's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
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
    """Return what a client printed in its own form, or None where it is a reply as it stands."""
    values = _values(raw)
    return next(filter(None, (read(values) for read in _CLIENTS)), None) if values else None


def _values(raw: bytes) -> list[dict[str, Any]]:
    """Return the objects that an output consists of: one, a list of them, or one on each line."""
    read = partial(json.loads, parse_float=Decimal)
    try:
        text = raw.decode("utf-8").strip()
        if not text.startswith(("{", "[")):
            return []
        try:
            whole = read(text)
        except ValueError:
            whole = [read(line) for line in text.split("\n") if line.startswith("{")]
    except (ValueError, RecursionError):
        return []
    values = whole if isinstance(whole, list) else [whole]
    return values if all(isinstance(value, dict) for value in values) else []


def _claude(values: Sequence[dict[str, Any]]) -> Opened | None:
    last = values[-1]
    if last.get("type") != "result" or not ("usage" in last or "total_cost_usd" in last):
        return None
    used, models = _part(last, "usage"), _part(last, "modelUsage")
    read = _count(used, "input_tokens") + _count(used, "cache_creation_input_tokens")
    tokens = (read, _count(used, "cache_read_input_tokens"), _count(used, "output_tokens"))
    made = _made(models, tokens, _dollars(last.get("total_cost_usd")))
    reply = str(last.get("result") or "")
    failed = last.get("is_error") or str(last.get("subtype", "success")) != "success"
    return Opened(reply, made, (reply or str(last.get("subtype"))) if failed else "")


def _codex(values: Sequence[dict[str, Any]]) -> Opened | None:
    if values[0].get("type") != "thread.started":
        return None
    items = [_part(value, "item") for value in values if value.get("type") == "item.completed"]
    replies = [str(item.get("text")) for item in items if item.get("type") == "agent_message"]
    turns = [_part(value, "usage") for value in values if value.get("type") == "turn.completed"]
    read, cached, written = (
        sum(_count(turn, key) for turn in turns)
        for key in ("input_tokens", "cached_input_tokens", "output_tokens")
    )
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
    read, cached, text, thoughts = (
        sum(_count(tokens, key) for tokens in listed)
        for key in ("prompt", "cached", "candidates", "thoughts")
    )
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
    read, written, thoughts = (
        sum(_count(tokens, key) for tokens in used) for key in ("input", "output", "reasoning")
    )
    fresh, cached = (
        sum(_count(_part(tokens, "cache"), key) for tokens in used) for key in ("write", "read")
    )
    cost = sum((_dollars(step.get("cost")) for step in steps), Decimal(0))
    made = _made({}, (read + fresh, cached, written + thoughts), cost)
    error = _words(errors[-1]) if errors else ""
    return Opened("".join(str(text.get("text")) for text in texts), made, error)


_GEMINI_KEYS = {"session_id", "response", "stats", "error"}
_CLIENTS: tuple[Callable[[Sequence[dict[str, Any]]], Opened | None], ...] = (
    _claude,
    _codex,
    _gemini,
    _opencode,
)


def _made(
    models: dict[str, Any], tokens: tuple[int, int, int], cost: Decimal = Decimal(0)
) -> dict[str, Any]:
    """Return what is known of a reply; a client that says 0 knows no price."""
    prices = {"prices": _CLIENT} if cost else {}
    return describe_origin(one_line(" and ".join(models)), tokens, cost or None, **prices)


def _dollars(cost: object) -> Decimal:
    known = isinstance(cost, int | Decimal) and not isinstance(cost, bool)
    return Decimal(cost) if known and 0 <= cost < _BEYOND else Decimal(0)  # type: ignore[operator,arg-type]


def _words(error: dict[str, Any]) -> str:
    """Return what an error says, which lies deeper in some clients' than in others'."""
    inner = _part(error, "error") or _part(error, "data")
    return _words(inner) if inner else str(error.get("message") or error.get("type") or "error")


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}


def _count(value: dict[str, Any], key: str) -> int:
    number = value.get(key)
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0
