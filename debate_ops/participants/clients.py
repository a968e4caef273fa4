"""What agent clients print in their JSON modes: the reply in it, its usage, and errors.

`claude -p --output-format json` (or `stream-json`), `codex exec --json` and `gemini
--output-format json`. A client is known by the form of its output, not by the program's name, which
may be a script of the user's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from debate_ops.participants import usage

_CLIENT = "the client"


class Opened(NamedTuple):
    """The reply in what a client printed, what is known of how it was made, and any error."""

    reply: str
    made_by: dict[str, Any]
    error: str = ""


def opened(raw: bytes) -> Opened | None:
    """Return what a client printed in its own form, or None where it is a reply as it stands."""
    values = _values(raw)
    return next(filter(None, (read(values) for read in _CLIENTS)), None) if values else None


def _values(raw: bytes) -> list[dict[str, Any]]:
    """Return the objects that an output consists of: one, a list of them, or one on each line."""
    try:
        text = raw.decode("utf-8").strip()
        if not text.startswith(("{", "[")):
            return []
        try:
            whole = json.loads(text)
        except ValueError:
            whole = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
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
    cost = last.get("total_cost_usd")
    known = isinstance(cost, int | float) and not isinstance(cost, bool)
    made = _made(models, tokens, float(cost) if known else None)  # type: ignore[arg-type]
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
    error = "" if turns or not failures else json.dumps(failures[-1])
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
    said = str(error.get("message") or error.get("type") or "") if error else ""
    return Opened(str(values[0].get("response") or ""), made, said)


_GEMINI_KEYS = {"session_id", "response", "stats", "error"}
_CLIENTS: tuple[Callable[[Sequence[dict[str, Any]]], Opened | None], ...] = (
    _claude,
    _codex,
    _gemini,
)


def _made(
    models: dict[str, Any], tokens: tuple[int, int, int], cost: float | None = None
) -> dict[str, Any]:
    prices = {} if cost is None else {"prices": _CLIENT}
    return usage.record(" and ".join(models), tokens, cost, **prices)


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}


def _count(value: dict[str, Any], key: str) -> int:
    number = value.get(key)
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0
