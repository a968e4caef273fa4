"""Who can be asked here: clients, servers, and providers of models with their keys and options."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Literal, NamedTuple
from urllib.parse import parse_qsl
from urllib.request import ProxyHandler, build_opener

from pydantic import Field, ValidationError

from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.core.settings import Part, find_setting_faults, fits

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

SERVERS = {"ollama": "http://127.0.0.1:11434/v1"}
"""Where a provider is asked whose server is the user's own."""

_OTHER_SERVERS = frozenset({"anthropic", "google", "ollama", "openai", "openai-responses"})
_KEY_STORE = "debate_ops"


class Options(Part):
    """How a model is asked.

    `effort` is how long it thinks; `base_url` another server of the same protocol, for `openai`
    any that is compatible; `key` the environment variable that holds the key. `structured` is
    no where the schema of the reply is not to be sent along.
    """

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=99_999_999)] | None = None
    base_url: Annotated[
        str, fits(r"https?://[^\s/]\S*", "an address such as http://127.0.0.1:11434/v1")
    ] = ""
    key: Annotated[str, fits(r"[A-Za-z_]\w*", "the name of a variable")] = ""
    structured: bool = True


def read_options(query: str) -> Options:
    """Return the options of a model from what stands behind the `?` of its SPEC.

    Raises:
        UsageError: one is unknown, or has a value that it cannot have.
    """
    try:
        return Options.model_validate(dict(parse_qsl(query, keep_blank_values=True)))
    except ValidationError as error:
        faults = [f"{name}: {why}" for name, why in find_setting_faults(error)]
        raise UsageError(
            f"a model cannot be asked so: {'; '.join(faults)}",
            hint=f"There are {', '.join(Options.model_fields)}.",
        ) from None


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
    key = os.environ.get(variable, "")
    if variable and not key:
        with suppress(Exception):  # without a key store, or with a locked or broken one
            import keyring

            key = keyring.get_password(_KEY_STORE, provider) or ""
    if key or not variable:
        return key
    raise ConfigurationError(
        f"{provider} needs a key: {variable} is not set",
        hint=f"Set {variable}, or choose who needs none: 'doctor' says who can reply here.",
    )


CLIENTS = {
    "claude": "claude -p --output-format json",
    "codex": "codex exec --skip-git-repo-check -",
    "gemini": "gemini",
    "opencode": "opencode run",
    "llm": "llm",
}
"""Clients and the words with which each replies; Claude says in JSON what that took."""
MODELS = {
    "anthropic": "claude-sonnet-5-5",
    "google": "gemini-3.8-flash",
    "openai": "gpt-6.1-terra",
    "deepseek": "deepseek-v4-pro",
    "openrouter": "openrouter/auto",
}
"""The model that is proposed of each provider: one of its middle, which the packages know."""
LM_STUDIO = "http://127.0.0.1:1234/v1"
_LONGEST = 0.5
"""Seconds that a server on this machine has to say which models it has."""
_MOST_BYTES = 1_000_000


class Found(NamedTuple):
    """Who can reply: what was found, and its SPEC."""

    what: str
    spec: str


PEOPLE = Found("people, with 'reply'", "person:me")
"""Who can reply anywhere."""


def find_repliers() -> list[Found]:
    """Return who can reply here. No key is ever shown."""
    here = [(name, words) for name, words in CLIENTS.items() if shutil.which(name)]
    found = [Found(f"the client {name}", f"cmd:{words}") for name, words in here]
    found += [
        Found(f"the key {KEYS[provider]}", f"{provider}:{model}")
        for provider, model in MODELS.items()
        if os.environ.get(KEYS[provider])
    ]
    return [*found, *_find_servers(), PEOPLE]


def _find_servers() -> Iterator[Found]:
    """Yield the models of servers on this machine, each asked once and never through a proxy."""
    for name, url, form in (
        ("ollama", SERVERS["ollama"], "ollama:{}"),
        ("LM Studio", LM_STUDIO, f"openai:{{}}?base_url={LM_STUDIO}"),
    ):
        with suppress(OSError, ValueError, LookupError, TypeError):
            answer = build_opener(ProxyHandler({})).open(f"{url}/models", timeout=_LONGEST)
            with answer:
                listed = [str(each["id"]) for each in json.loads(answer.read(_MOST_BYTES))["data"]]
            [model, *_] = [model for model in listed if "embed" not in model]
            yield Found(f"{name} on this machine", form.format(model))
