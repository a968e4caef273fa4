"""The protocols, by name; each is imported when a debate of it is opened."""

from importlib import import_module
from threading import Lock

from debate_ops.core.errors import UsageError
from debate_ops.core.protocol import Protocol

PROTOCOLS = ("exchange", "formal", "chairs", "design", "consensus", "speeches")
"""Each has a module of its name, and in that a class of its name with a capital."""
_IMPORTING = Lock()
"""Of two threads in which pydantic reads docstrings, Python 3.11 stops one with a SystemError."""


def load_protocol(name: str) -> Protocol:
    """Return the rules of a protocol; a `UsageError` where there is none of this name."""
    if name not in PROTOCOLS:
        raise UsageError(f"no protocol named {name!r}", hint=f"There are: {', '.join(PROTOCOLS)}.")
    with _IMPORTING:
        module = import_module(f"debate_ops.protocols.{name}")
    found: type[Protocol] = getattr(module, name.capitalize())
    return found()
