"""The providers of models: their keys, and the options that a model is asked with."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from debate_ops.core.errors import ConfigurationError, UsageError

KEYS: Mapping[str, str] = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openai-responses": "OPENAI_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "ollama": "",
}
"""Provider to the environment variable that holds its key; blank where it needs none."""
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

SERVERS = {"ollama": "http://127.0.0.1:11434/v1"}
"""Where a provider is asked whose server is the user's own."""

_OTHER_SERVERS = frozenset({"anthropic", "google", "ollama", "openai", "openai-responses"})
_KEY_STORE = "debate_ops"


class Options(NamedTuple):
    """How a model is asked.

    `effort` is how long it thinks; `base_url` another server of the same protocol, for `openai`
    any that is compatible; `key` the environment variable that holds the key. `structured` is
    false where the schema of the reply is not to be sent along.
    """

    temperature: float | None = None
    effort: str = ""
    max_tokens: int | None = None
    base_url: str = ""
    key: str = ""
    structured: bool = True


def options(pairs: Iterable[tuple[str, Any]]) -> Options:
    """Return the options of a model from their names and values.

    Raises:
        UsageError: one is unknown, named twice, or has a value that it cannot have.
    """
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name not in _FORMS or name in values:
            why = "is named twice" if name in values else "is no option of a model"
            raise UsageError(f"{name!r} {why}", hint=f"There are: {', '.join(_FORMS)}.")
        form, read, expected = _FORMS[name]
        if not re.fullmatch(form, str(value)):
            raise UsageError(f"{name}={value} cannot be used", hint=f"Expected: {expected}.")
        values[name] = read(str(value))
    return Options(**values)


_FORMS: Mapping[str, tuple[str, Callable[[str], Any], str]] = {
    "temperature": (r"[01](\.\d+)?|2(\.0+)?", float, "a number from 0 to 2"),
    "effort": ("|".join(EFFORTS), str, f"one of {', '.join(EFFORTS)}"),
    "max_tokens": (r"[1-9]\d{0,7}", int, "a whole number from 1"),
    "base_url": (r"https?://[^\s/]\S*", str, "an address such as http://127.0.0.1:11434/v1"),
    "key": (r"[A-Za-z_]\w*", str, "the name of an environment variable"),
    "structured": ("yes|no", "yes".__eq__, "yes or no"),
}


def key_of(provider: str, chosen: Options) -> str:
    """Return the key from the environment or the user's key store, or a blank one.

    Another server than the provider's own gets a key only where the options name it.

    Raises:
        UsageError: the provider cannot be asked on another server.
        ConfigurationError: there is none, and the provider needs one.
    """
    if chosen.base_url and provider not in _OTHER_SERVERS:
        raise UsageError(
            f"{provider} has no other server",
            hint="openai:MODEL?base_url=… asks any compatible one.",
        )
    variable = chosen.key or ("" if chosen.base_url else KEYS[provider])
    key = os.environ.get(variable) or (_stored_key(provider) if variable else "")
    if key or not variable:
        return key
    ready = [name for name, other in KEYS.items() if not other or os.environ.get(other)]
    raise ConfigurationError(
        f"{provider} needs a key: {variable} is not set",
        hint=f"Set {variable}, or choose what needs nothing more: "
        f'{", ".join(f"{name}:MODEL" for name in ready)}, cmd:"PROGRAM".',
    )


def _stored_key(provider: str) -> str:
    """Return what the user's key store holds for a provider, where there is such a store."""
    try:
        import keyring
    except ImportError:
        return ""
    with suppress(Exception):  # a locked or broken store is as good as none
        return keyring.get_password(_KEY_STORE, provider) or ""
    return ""
