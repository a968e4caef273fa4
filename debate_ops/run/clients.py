"""What `claude -p --output-format json` prints: the reply in it, its usage, and errors.

It is known by the form of its output, not by the program's name, which may be a script of the
user's. All other programs print the reply as it stands.
"""

from __future__ import annotations

import json
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
    """Return what a client printed in its own form, or None where it is a reply as it stands."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("type") != "result":
        return None
    if not ("usage" in value or "total_cost_usd" in value):
        return None
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    fresh, kept, cached, written = _numbers(_part(value, "usage"), *keys, "output_tokens")
    said = value.get("total_cost_usd")
    # A client that says 0 knows no price.
    cost = said if isinstance(said, int | float) and 0 < said < _BEYOND else None
    prices = {"prices": "the client"} if cost else {}
    models = one_line(" and ".join(_part(value, "modelUsage")))
    made = describe_origin(models, (fresh + kept, cached, written), cost, **prices)
    reply = str(value.get("result") or "")
    failed = value.get("is_error") or str(value.get("subtype", "success")) != "success"
    return Opened(reply, made, (reply or str(value.get("subtype"))) if failed else "")


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    return part if isinstance(part, dict) else {}


def _numbers(counted: dict[str, Any], *keys: str) -> list[int]:
    """Return what is under each key, where that is a number above 0."""
    return [n if type(n := counted.get(key)) is int and n > 0 else 0 for key in keys]
