"""Every protocol by name: a new one is a package here and a row."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from debate_ops.errors import BadRecordError
from debate_ops.protocols.base import Rules

PROTOCOLS: Mapping[str, str] = {
    "exchange": "debate_ops.protocols.exchange.rules",
    "formal": "debate_ops.protocols.formal.rules",
    "chairs": "debate_ops.protocols.chairs.rules",
    "consensus": "debate_ops.protocols.consensus.rules",
    "design": "debate_ops.protocols.design.rules",
    "speeches": "debate_ops.protocols.speeches.rules",
}
"""Name to module, imported when a debate asks for it; the rules are its `RULES`, or itself."""


def rules_of(name: str) -> Rules:
    """Return the rules of a protocol.

    Raises:
        BadRecordError: there is no protocol of that name.
    """
    if name not in PROTOCOLS:
        raise BadRecordError(
            f"there is no protocol {name!r}", hint=f"There are: {', '.join(PROTOCOLS)}."
        )
    module = import_module(PROTOCOLS[name])
    rules: Rules = getattr(module, "RULES", module)
    return rules
