"""A provider's model as a participant: `PROVIDER:MODEL?OPTION=VALUE`, over pydantic-ai."""

from __future__ import annotations

import asyncio
import importlib
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from debate_ops.errors import ConfigurationError, UsageError
from debate_ops.formats import schema
from debate_ops.participants import providers, usage
from debate_ops.participants.base import Answer, FailedError, Prompt, StoppedError, TimedOutError
from debate_ops.participants.providers import Options

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError
    from pydantic_ai.messages import ModelResponse, UserContent
    from pydantic_ai.models import Model as ProviderModel
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

TRIES = 5
"""How often a model is asked in all that is busy or out of reach."""

_PACKAGES = {"anthropic": "anthropic", "google": "google.genai"}
_UNFINISHED: Mapping[str | None, str] = {
    "stop": "",
    "length": "came to the end of its tokens before the end of its reply",
    "content_filter": "refused to reply",
}
_CUT_OFF = "was cut off"
_END_OF_BLOCK = re.compile(r"^</(?:argument|contribution|document)>\n", re.MULTILINE)
_SECONDS_BETWEEN_TEXTS = 0.2
_POLL_SECONDS = 0.1
_SHOWN = 500
_NO_KEY = "none"


class Model:
    """A model that is asked once at each call, streams its text, and says what it used."""

    recorded = False

    def __init__(self, provider: str, text: str) -> None:
        """Read the model's name and options, and look for the package and the key.

        Raises:
            UsageError: an option is unknown or has a bad value.
            ConfigurationError: the package or the key is missing.
        """
        model, _, query = text.partition("?")
        if not model:
            raise UsageError(f"{provider}: names no model", hint="Write PROVIDER:MODEL.")
        self.name = f"{provider}:{model}"
        self._provider, self._model = provider, model
        self._options = providers.options(parse_qsl(query, keep_blank_values=True))
        _require_packages(provider)
        self._key = providers.key_of(provider, self._options)

    def reply(self, prompt: Prompt) -> Answer:
        """Ask the model and return its text, with its name, tokens, price and time."""
        from pydantic_ai import exceptions

        begun = time.monotonic()
        try:
            response = asyncio.run(self._response(prompt))
        except (TimeoutError, exceptions.ModelTimeoutError, exceptions.ModelRequestTimeout):
            sentence = f"{self.name} gave no reply within {prompt.time_limit:g} s"
            raise TimedOutError(sentence) from None
        except exceptions.ModelAPIError as error:
            raise self._failed(error) from None
        except (exceptions.UserError, exceptions.UnexpectedModelBehavior) as error:
            sentence = f"{self.name} cannot be asked"
            raise FailedError(sentence, self._in_short(error), tries=1) from None
        made_by = usage.of_response(self._provider, response) | usage.latency(begun)
        text = response.text or ""
        if why := _unfinished(response) or ("" if text.strip() else "gave an empty reply"):
            tries = TRIES if why == _CUT_OFF else 2
            raise FailedError(f"{self.name} {why}", tries=tries, made_by=made_by)
        return Answer(text.encode("utf-8"), made_by)

    async def _response(self, prompt: Prompt) -> ModelResponse:
        """Return the whole response, unless the time is over or nobody wants it any more."""
        asking = asyncio.create_task(self._ask(prompt))
        try:
            async with asyncio.timeout(prompt.time_limit):
                while not asking.done():
                    await asyncio.wait({asking}, timeout=_POLL_SECONDS)
                    if prompt.stop.is_set():
                        raise StoppedError
                return asking.result()
        finally:
            asking.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await asking

    async def _ask(self, prompt: Prompt) -> ModelResponse:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        model = _provider_model(self._provider, self._model, self._options, self._key)
        message = ModelRequest([UserPromptPart(_in_blocks(prompt.text))])
        parameters = _parameters(model, prompt.task.schema, self._options)
        shown = 0.0
        async with model_request_stream(
            model,
            [message],
            model_settings=_settings(self._options),
            model_request_parameters=parameters,
        ) as stream:
            async for _ in stream:
                if time.monotonic() - shown > _SECONDS_BETWEEN_TEXTS:
                    shown = time.monotonic()
                    prompt.hear(stream.get().text or "")
            return stream.get()

    def _failed(self, error: ModelAPIError) -> FailedError:
        """Return why the provider gave no reply, and how often to ask in all."""
        from pydantic_ai import exceptions as e

        kinds: tuple[tuple[type[Exception], str, int], ...] = (
            (e.ModelRateLimitError, "refused for the rate of requests", TRIES),
            (e.ModelUnavailableError, "is not available", TRIES),
            (e.ModelServerError, "failed on the provider's side", TRIES),
            (e.ModelConnectionError, "cannot be reached", TRIES),
            (e.ModelQuotaExceededError, "has no credit left", 1),
            (e.ModelAuthenticationError, "refused the key", 1),
            (e.ModelNotFoundError, "is unknown to the provider", 1),
            (e.ModelContextWindowExceededError, "cannot take a prompt of this size", 1),
            (Exception, "refused the request", 1),
        )
        why, tries = next((why, tries) for kind, why, tries in kinds if isinstance(error, kind))
        status = f" (HTTP {error.status_code})" if isinstance(error, e.ModelHTTPError) else ""
        said = self._in_short(error)
        return FailedError(f"{self.name} {why}{status}", said, tries=tries, after=error.retry_after)

    def _in_short(self, error: Exception) -> str:
        """Return what a provider says, without the key, which some repeat."""
        text = str(error).replace(self._key, "…") if self._key else str(error)
        return text[:_SHOWN]


def _unfinished(response: ModelResponse) -> str:
    """Return why a response is no whole reply, or nothing.

    The library takes a stream without an end for a whole one where its protocol is the older one
    of OpenAI; only what the provider itself says of the end can be relied on.
    """
    ended = response.provider_details and response.provider_details.get("finish_reason")
    return _UNFINISHED.get(response.finish_reason, _CUT_OFF) if ended else _CUT_OFF


def _require_packages(provider: str) -> None:
    """Look for the packages that a provider needs.

    Raises:
        ConfigurationError: one is missing.
    """
    try:
        for package in ("pydantic_ai", _PACKAGES.get(provider, "openai")):
            importlib.import_module(package)
    except ImportError as error:
        raise ConfigurationError(
            f"models need packages that are not installed here: {error.name} is missing",
            hint="Install debate-ops with its extra 'models' (from a clone: "
            "pip install '.[models]'), or choose cmd:\"PROGRAM\".",
        ) from None


def _provider_model(provider: str, model: str, chosen: Options, key: str) -> ProviderModel:
    """Return the library's model; other servers than OpenAI's own speak its older protocol."""
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    def connect(name: str) -> Any:
        server = chosen.base_url or providers.SERVERS.get(provider)
        address = {"base_url": server} if server else {}
        return infer_provider_class(name)(api_key=key or _NO_KEY, **address)  # type: ignore[call-arg]

    is_other_server = provider == "openai" and chosen.base_url
    return infer_model(f"{'openai-chat' if is_other_server else provider}:{model}", connect)


def _parameters(model: ProviderModel, name: str, chosen: Options) -> ModelRequestParameters:
    """Return the schema of the reply, where the model takes one."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if not (chosen.structured and model.profile.get("supports_json_schema_output")):
        return ModelRequestParameters()
    form = {key: value for key, value in schema.load(name).items() if key != "$comment"}
    output = OutputObjectDefinition(form, name=re.sub(r"\W", "_", name))
    return ModelRequestParameters(output_mode="native", output_object=output)


def _settings(chosen: Options) -> ModelSettings:
    """Return the settings of a request; tries are counted by the run, not by the library."""
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(max_retries=0)
    if chosen.temperature is not None:
        settings["temperature"] = chosen.temperature
    if chosen.max_tokens is not None:
        settings["max_tokens"] = chosen.max_tokens
    if chosen.effort:
        effort: Any = chosen.effort
        settings["thinking"] = False if effort == "none" else effort
    return settings


def _in_blocks(text: str) -> list[UserContent]:
    """Return a prompt cut behind each entry, for providers that cache what repeats by blocks.

    The mark stands behind the last block that the next prompt of this participant begins with.
    """
    from pydantic_ai.messages import CachePoint

    ends = [0, *(match.end() for match in _END_OF_BLOCK.finditer(text))]
    blocks: list[UserContent] = [text[a:b] for a, b in pairwise(ends)]
    return [*blocks, CachePoint(), text[ends[-1] :]] if blocks else [text]
