"""What can reply on this machine: clients on the PATH, models whose key is set, local servers."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.request import ProxyHandler, build_opener

from debate_ops.run.providers import KEYS, SERVERS

CLIENTS = {
    "claude": "claude -p --output-format json",
    "codex": "codex exec --skip-git-repo-check --json -",
    "gemini": "gemini --output-format json",
    "opencode": "opencode run --format json",
    "llm": "llm",
}
"""Clients and the words with which each replies; in JSON they say their model and its cost."""
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
    """Who can reply: what was found, its SPEC, and what it still needs, if anything."""

    what: str
    spec: str
    needs: str = ""


PEOPLE = Found("people, with 'reply'", "person:me")
"""Who can reply anywhere."""


def find_repliers() -> list[Found]:
    """Return who can reply here, those first that need nothing more. No key is ever shown."""
    found = [*_find_clients(), *_find_keys(), *_find_servers(), PEOPLE]
    return sorted(found, key=lambda f: bool(f.needs))


def _find_clients() -> Iterator[Found]:
    for name, words in CLIENTS.items():
        if shutil.which(name):
            yield Found(f"the client {name}", f"cmd:{words}")


def _find_keys() -> Iterator[Found]:
    for provider, model in MODELS.items():
        if os.environ.get(KEYS[provider]):
            yield Found(f"the key {KEYS[provider]}", f"{provider}:{model}", _name_missing())


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
            yield Found(f"{name} on this machine", form.format(model), _name_missing())


def _name_missing() -> str:
    """Return what a model needs that is not installed here."""
    if importlib.util.find_spec("pydantic_ai"):
        return ""
    return "the extra 'models': pip install '.[models]' in the clone"
