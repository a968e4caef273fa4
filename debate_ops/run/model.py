"""A provider's model as a participant: `PROVIDER:MODEL?OPTION=VALUE`, over pydantic-ai."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import parse_qsl

from pydantic import AnyHttpUrl, Field, ValidationError, WrapValidator

from debate_ops.core.errors import ConfigurationError, MissingExtraError, UsageError
from debate_ops.core.settings import Part, check_settings, wrong
from debate_ops.engine.cited_files import Library
from debate_ops.run import participants
from debate_ops.run.participants import Answer, FailedError, Prompt, StoppedError

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelResponse, ToolCallPart, UserContent
    from pydantic_ai.models import Model as ProviderModel
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import Tool

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

TRIES = 5
"""How often a model is asked in all that is busy or out of reach."""

MOST_BYTES = 64 * 1024 * 1024
"""How much a provider may send for one reply: the longest have some 128,000 tokens."""
MOST_SEARCHES = 40
"""How often a model may look into a library for one reply."""
_NO_MORE = "That was the last one: give your reply now, by what you have found."

_PACKAGES = {"anthropic": "anthropic", "google": "google.genai"}
_SCHEMA = re.compile("response_format|json_?schema|responseschema", re.IGNORECASE)
"""What a provider names that does not take the schema of the reply."""
_END_OF_BLOCK = re.compile(r"^</(?:argument|contribution|document)>\n", re.MULTILINE)
_SECONDS_BETWEEN_TEXTS = 0.2
_POLL_SECONDS = 0.1
_SHOWN = 500
_LONGEST_SILENCE, _SECONDS_TO_CONNECT = 1200.0, 5.0
_PRICES = "genai-prices"


def _unseen(expected: str) -> WrapValidator:
    """Return the check of an option whose value no message repeats: it may hold a secret."""

    def check(text: str, read: Callable[[str], Any]) -> Any:
        try:
            return read(text)
        except ValidationError:
            raise wrong(f"is not {expected}") from None

    return WrapValidator(check)


class Options(Part):
    """How a model is asked.

    `effort` is how long it thinks; `base_url` another server of the same protocol, for `openai`
    any that is compatible; `key` the environment variable that holds the key. `structured` is
    no where the schema of the reply is not to be sent along.
    """

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=99_999_999)] | None = None
    base_url: Annotated[AnyHttpUrl, _unseen("an address such as http://HOST:8000/v1")] | None = None
    key: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$"), _unseen("the name of a variable")] = ""
    structured: bool = True


def _find_key(provider: str, chosen: Options) -> str:
    """Return the key, or a blank one; another server gets one only where the options name it."""
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


class Model:
    """A model that is asked once at each call, streams its text, and says what it used."""

    recorded = False

    def __init__(self, provider: str, text: str) -> None:
        """Read the model's name and options; refuse bad ones, and a missing package or key."""
        model, _, query = text.partition("?")
        self.name = f"{provider}:{model}"
        self._provider, self._model = provider, model
        given = dict(parse_qsl(query, keep_blank_values=True))
        try:
            self._options: Options = check_settings(Options, given)
        except UsageError as error:
            raise UsageError(f"{self.name}: {error.message}", hint=error.hint) from None
        own = AnyHttpUrl(SERVERS[provider]) if provider in SERVERS else None
        self._server = self._options.base_url or own
        try:
            for package in ("pydantic_ai", _PACKAGES.get(provider, "openai")):
                importlib.import_module(package)
        except ImportError:
            raise MissingExtraError("models need", "models") from None
        # The library warns of every request from which it leaves an option out.
        warnings.filterwarnings("ignore", module="pydantic_ai|google|openai|anthropic")
        self._key = _find_key(provider, self._options)

    def reply(self, prompt: Prompt) -> Answer:
        """Ask the model and return its text, with its name, tokens, price and time."""
        from pydantic_ai import exceptions

        begun, wire = time.monotonic(), _Wire()
        try:
            response = asyncio.run(self._response(prompt, wire))
        except (TimeoutError, exceptions.ModelTimeoutError, exceptions.ModelRequestTimeout):
            raise prompt.timed_out(self.name) from None
        except (exceptions.UserError, exceptions.AgentRunError) as error:
            raise self._failed(error, wire) from None
        used, cost, prices = response.usage, None, {}
        read = max(0, used.input_tokens - used.cache_read_tokens)
        tokens = (read, used.cache_read_tokens, used.output_tokens)
        if any(tokens):
            with suppress(LookupError, ValueError, AssertionError):  # a model of no known price
                cost = response.cost().total_price
                prices = {"prices": f"{_PRICES} {metadata.version(_PRICES)}"}
        served = f"{self._provider}:{response.model_name}"
        made_by = participants.describe_origin(served, tokens, cost, **prices)
        made_by |= participants.measure_latency(begun)
        why, said, tries = _unusable(response)
        if why:
            said = self._without_key(said or wire.find_message())
            raise FailedError(f"{self.name} {why}", said, tries=tries, made_by=made_by)
        return Answer((response.text or "").encode("utf-8"), made_by)

    async def _response(self, prompt: Prompt, wire: _Wire) -> ModelResponse:
        """Return the whole response, unless the time is over or nobody wants it any more."""
        asking = asyncio.create_task(self._ask(prompt, wire))
        try:
            async with asyncio.timeout(prompt.time_limit):
                while not asking.done():
                    await asyncio.wait({asking}, timeout=_POLL_SECONDS)
                    if prompt.stop.is_set():
                        raise StoppedError
                    if wire.response and wire.response.num_bytes_downloaded > MOST_BYTES:
                        raise FailedError(f"{self.name} sent {MOST_BYTES} bytes and no end")
                return asking.result()
        finally:
            asking.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await asking

    async def _ask(self, prompt: Prompt, wire: _Wire) -> ModelResponse:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
        from pydantic_ai.usage import RequestUsage

        messages: list[ModelMessage] = [ModelRequest([UserPromptPart(_in_blocks(prompt.text))])]
        shown, asked, used = 0.0, 0, RequestUsage()
        given = {"temperature", "max_tokens"}
        settings: Any = self._options.model_dump(include=given, exclude_none=True)
        settings["max_retries"] = 0  # tries are counted by the run
        if effort := self._options.effort:
            settings["thinking"] = False if effort == "none" else effort
        async with wire.client() as client:
            model, tools = self._connect(client), _make_tools(prompt.files)
            parameters = self._choose_parameters(model, prompt, tools)
            while True:
                async with model_request_stream(
                    model, messages, model_settings=settings, model_request_parameters=parameters
                ) as stream:
                    async for _ in stream:
                        if time.monotonic() - shown > _SECONDS_BETWEEN_TEXTS:
                            shown = time.monotonic()
                            prompt.note_text(stream.get().text or "")
                    response = stream.get()
                used = response.usage = used + response.usage
                if not (tools and response.tool_calls) or asked > MOST_SEARCHES:
                    return response
                found = []
                for call in response.tool_calls:
                    asked += 1
                    text = _use_tool(tools, call) if asked <= MOST_SEARCHES else _NO_MORE
                    found.append(ToolReturnPart(call.tool_name, text, call.tool_call_id))
                messages += [response, ModelRequest(found)]

    def _connect(self, client: httpx2.AsyncClient) -> ProviderModel:
        """Return the library's model; other servers than OpenAI's own speak its older protocol."""
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider_class

        def connect(name: str) -> Any:
            server: dict[str, Any] = {"base_url": str(self._server)} if self._server else {}
            make: Any = infer_provider_class(name)
            return make(**server, api_key=self._key or "none", http_client=client)

        is_other = self._provider == "openai" and self._options.base_url
        return infer_model(f"openai-chat:{self._model}" if is_other else self.name, connect)

    def _choose_parameters(
        self, model: ProviderModel, prompt: Prompt, tools: Sequence[Tool[None]]
    ) -> ModelRequestParameters:
        """Return the reply's schema, where the model takes one, and the tools for a library."""
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        asked: dict[str, Any] = {"function_tools": [tool.tool_def for tool in tools]}
        takes_both = not tools or model.profile.get("google_supports_tool_combination", True)
        takes_one = model.profile.get("supports_json_schema_output") and takes_both
        if self._options.structured and takes_one:
            name = re.sub(r"\W", "_", prompt.task.template)
            form = OutputObjectDefinition(dict(prompt.schema), name=name)
            asked |= {"output_mode": "native", "output_object": form}
        return ModelRequestParameters(**asked)

    def _failed(self, error: Exception, wire: _Wire) -> FailedError:
        """Return why the provider gave no reply, and how often to ask in all."""
        from pydantic_ai import exceptions as e

        reach = "cannot be reached"
        if own := self._server:  # without the name and the password that may stand in it
            reach += f" at {own.scheme}://{own.host}:{own.port}{own.path or ''}"
        is_down = isinstance(error, e.ModelConnectionError) and error.phase == "connect"
        kinds: tuple[tuple[type[Exception], str, int], ...] = (
            (e.ModelRateLimitError, "refused for the rate of requests", TRIES),
            (e.ModelUnavailableError, "is not available", TRIES),
            (e.ModelServerError, "failed on the provider's side", TRIES),
            (e.ModelConnectionError, reach, 2 if own and is_down else TRIES),
            (e.ModelQuotaExceededError, "has no credit left", 1),
            (e.ModelAuthenticationError, "refused the key", 1),
            (e.ModelNotFoundError, "is unknown to the provider", 1),
            (e.ModelContextWindowExceededError, "cannot take a prompt of this size", 1),
            (e.ModelAPIError, "refused the request", 1),
            (Exception, "cannot be asked", 1),
        )
        why, tries = next((why, tries) for kind, why, tries in kinds if isinstance(error, kind))
        if isinstance(error, e.ModelHTTPError):
            why += f" (HTTP {error.status_code})"
        elif wire.body:
            why, tries = "answered with an error and no reply", 2
        said = self._without_key(wire.find_message() or str(error))
        if why.startswith("refused the request") and _SCHEMA.search(said):
            why += ": structured=no behind the model leaves it out"
        after = error.retry_after if isinstance(error, e.ModelAPIError) else None
        return FailedError(f"{self.name} {why}", said, tries=tries, after=after)

    def _without_key(self, text: str) -> str:
        """Return the beginning of what a provider says, without the key, which some repeat."""
        return (text.replace(self._key, "…") if self._key else text)[:_SHOWN]


class _Wire:
    """What came back of one call: the last answer, and its text where that was no stream."""

    def __init__(self) -> None:
        self.body = ""
        self.response: httpx2.Response | None = None

    def client(self) -> httpx2.AsyncClient:
        """Return a client that notes them."""
        import httpx2

        async def note_response(response: httpx2.Response) -> None:
            self.response = response
            is_stream = "event-stream" in response.headers.get("content-type", "")
            if not (response.is_success and is_stream):
                self.body = (await response.aread()).decode(errors="replace")

        hooks: dict[str, list[Any]] = {"response": [note_response]}
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(_LONGEST_SILENCE, connect=_SECONDS_TO_CONNECT), event_hooks=hooks
        )

    def find_message(self) -> str:
        """Return the provider's words in an answer that is no stream; empty where there is none."""
        try:
            body = json.loads(self.body)
        except (ValueError, RecursionError):
            return self.body
        error = body.get("error", body) if isinstance(body, dict) else body
        message = error.get("message") if isinstance(error, dict) else error
        return message if isinstance(message, str) else self.body


def _unusable(response: ModelResponse) -> tuple[str, str, int]:
    """Return why a response is no whole reply, what it says itself, and how often to ask in all.

    The library takes a stream without an end for a whole one where its protocol is the older one
    of OpenAI; only what the provider itself says of the end, or complete JSON, can be relied on.
    """
    details, text = response.provider_details or {}, response.text or ""
    if response.finish_reason == "content_filter":
        return "refused to reply", str(details.get("refusal", "")), 2
    if response.tool_calls:
        names = ", ".join(call.tool_name for call in response.tool_calls)
        return "called a tool in place of a reply", names, 2
    if response.finish_reason == "length":
        return "came to the end of its tokens before the end of its reply", "", 2
    is_whole = details.get("finish_reason") or _is_json(text[text.find("{") : text.rfind("}") + 1])
    if response.finish_reason == "error" or not is_whole:
        return "was cut off", "", TRIES
    return ("", "", 1) if text.strip() else ("gave an empty reply", "", 2)


def _is_json(text: str) -> bool:
    with suppress(ValueError, RecursionError):
        json.loads(text)
        return True
    return False


_SEARCH = "Search the library for words, alternatives between `|`; `under`: in files named so."
_READ = "Read lines of a file of the library with their numbers, or page `first` of a PDF."


def _make_tools(library: Library | None) -> list[Tool[None]]:
    """Return the tools for a library, with the schemas of their arguments."""
    from pydantic_ai.tools import Tool

    if library is None:
        return []
    return [
        Tool(library.search, name="search_library", description=_SEARCH),
        Tool(library.read_part, name="read_library", description=_READ),
    ]


def _use_tool(tools: Sequence[Tool[None]], call: ToolCallPart) -> str:
    """Return what a tool gives, or why it gives nothing: the model may ask otherwise."""
    functions: dict[str, Callable[..., str]] = {tool.name: tool.function for tool in tools}
    try:
        return functions[call.tool_name](**call.args_as_dict())
    except (LookupError, TypeError, ValueError) as error:
        return f"this cannot be asked: {error}"


def _in_blocks(text: str) -> list[UserContent]:
    """Return a prompt cut behind each entry, for providers that cache what repeats by blocks."""
    from pydantic_ai.messages import CachePoint

    ends = [0, *(match.end() for match in _END_OF_BLOCK.finditer(text))]
    blocks: list[UserContent] = [text[a:b] for a, b in pairwise(ends)]
    return [*blocks, CachePoint(), text[ends[-1] :]] if blocks else [text]
