"""Who can reply on this machine: clients on the PATH, keys in the environment, local servers."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.request import ProxyHandler, build_opener

from debate_ops.run.model import KEYS, SERVERS

CLIENTS = {
    "claude": "claude -p --output-format json",
    "codex": "codex exec --skip-git-repo-check -",
    "gemini": "gemini",
    "opencode": "opencode run",
    "llm": "llm",
}
"""Clients and the words with which each replies; Claude says in JSON what that took."""
FOR_A_MODEL = (
    f"For a model to reply: install a client ({', '.join(CLIENTS)}), set a key such as "
    "ANTHROPIC_API_KEY, or start Ollama or LM Studio."
)
"""What to do where nobody but people was found."""
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


def find_repliers() -> list[Found]:
    """Return who can reply here. No key is ever shown."""
    here = [(name, words) for name, words in CLIENTS.items() if shutil.which(name)]
    found = [Found(f"the client {name}", f"cmd:{words}") for name, words in here]
    found += [
        Found(f"the key {KEYS[provider]}", f"{provider}:{model}")
        for provider, model in MODELS.items()
        if os.environ.get(KEYS[provider])
    ]
    return [*found, *_find_servers(), Found("people, with 'reply'", "person:me")]


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
