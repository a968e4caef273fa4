"""How a reply was made, from what a provider or an agent client says of it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from decimal import Decimal
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

_PRICES = "genai-prices"


def describe(
    model: str = "",
    tokens: tuple[int, int, int] = (0, 0, 0),
    cost: Decimal | float | None = None,
    **more: str,
) -> dict[str, Any]:
    """Return what is known, for `made_by`; what is not known is left out and never 0.

    `tokens` are those read from no cache, read from one, and written; `cost` is in US dollars.
    """
    known: dict[str, Any] = {"model": model} if model else {}
    if any(tokens):
        known["tokens"] = dict(zip(("input", "cached", "output"), tokens, strict=True))
    if cost is not None:
        known["cost_usd"] = round(float(cost), 6)
    return known | more


def measure_latency(begun: float) -> dict[str, int]:
    """Return how long it took since `begun` on the monotonic clock.

    Nothing where the clock is fixed, so that records come out equal.
    """
    if "SOURCE_DATE_EPOCH" in os.environ:
        return {}
    return {"latency_ms": round((time.monotonic() - begun) * 1000)}


def describe_response(provider: str, response: ModelResponse) -> dict[str, Any]:
    """Return how a provider's model made a reply."""
    used = response.usage
    read = used.input_tokens - used.cache_read_tokens
    tokens = (max(0, read), used.cache_read_tokens, used.output_tokens)
    cost = None
    if any(tokens):
        with suppress(LookupError, ValueError, AssertionError):  # a model of no known price
            cost = response.cost().total_price
    more = {} if cost is None else {"prices": f"{_PRICES} {metadata.version(_PRICES)}"}
    return describe(f"{provider}:{response.model_name}", tokens, cost, **more)


def find_price(spec: str, tokens: tuple[int, int, int]) -> Decimal | None:
    """Return what so many tokens of a model cost in US dollars, or None where no price is known.

    Prices are those of the installed `genai-prices`, a table that its project keeps.
    """
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    provider, _, model = spec.partition(":")
    used = Usage(
        input_tokens=tokens[0] + tokens[1], cache_read_tokens=tokens[1], output_tokens=tokens[2]
    )
    try:
        return calc_price(used, model, provider_id=provider.partition("-")[0]).total_price
    except LookupError:
        return None
