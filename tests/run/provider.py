"""A server on loopback that answers as the providers of models do, in the words of each."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from itertools import repeat
from threading import Event
from typing import Any, NamedTuple

from tests.cli.stage import run_server

FRESH, CACHED, WRITTEN = 120, 80, 30
"""Tokens of every reply: read from no cache, read from one, and written."""
SERVED = "served-model-1"
"""What the server calls its model."""


class Act(NamedTuple):
    """What the server does with a request."""

    text: str = '{"fine": true}'
    status: int = 200
    after: str = ""
    cut: bool = False
    finish: str | None = "stop"
    error: str = ""
    delay: float = 0
    refusal: str = ""
    tool: str = ""
    arguments: str = "{}"
    body: str = ""
    endless: bool = False


class Provider:
    """The server's address, what it is to do with each request, and the requests that came.

    With `reply` its text is what that makes of the name of the model that was asked for; a path
    that ends in `unknown` is not found.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.acts: list[Act] = []
        self.reply: Callable[[str], str] | None = None
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    def spec(self, provider: str, model: str = "some-model") -> str:
        base = "/v1" if provider.startswith("openai") else ""
        return f"{provider}:{model}?base_url={self.address}{base}&key=TEST_KEY"


@contextmanager
def serving() -> Iterator[Provider]:
    stopped = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            provider.requests.append(json.loads(body))
            provider.headers.append(dict(self.headers))
            act = provider.acts.pop(0) if provider.acts else Act()
            if provider.reply:
                act = act._replace(text=provider.reply(provider.requests[-1]["model"]))
            stopped.wait(act.delay)
            if act.status != OK or act.body:
                return self._refuse(act)
            self.send_response(OK)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            lines = list(_lines(self.path, act))
            lines = lines[: len(lines) // 2] if act.cut else lines
            with suppress(OSError):  # once the client has read enough
                for line in repeat(": busy\n\n" * 4096) if act.endless else lines:
                    self.wfile.write(line.encode())
                    self.wfile.flush()
            return None

        def _refuse(self, act: Act) -> None:
            message = {"error": {"message": act.error or "refused", "type": "x", "code": "x"}}
            body = (act.body or json.dumps({"type": "error", **message})).encode()
            self.send_response(act.status)
            self.send_header("Content-Type", "application/json")
            if act.after:
                self.send_header("Retry-After", act.after)
            self.end_headers()
            with suppress(OSError):
                self.wfile.writelines(repeat(body * 4096) if act.endless else [body])

        def log_message(self, *_: object) -> None:
            pass

    with run_server(Handler) as address:
        provider = Provider(address)
        try:
            yield provider
        finally:
            stopped.set()


OK = 200
ENDS = {
    "messages": {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"},
    "google": {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"},
}
"""How the other providers call what OpenAI calls so at the end of a reply."""


def _lines(path: str, act: Act) -> Iterator[str]:
    half = len(act.text) // 2
    known = {"completions": _chat, "responses": _responses, "messages": _anthropic}
    write = known.get(path.rpartition("/")[2], _google)
    return write([act.text[:half], act.text[half:]], act)


def _data(value: object, event: str = "") -> str:
    return (f"event: {event}\n" if event else "") + f"data: {json.dumps(value)}\n\n"


def _event(kind: str, **more: object) -> str:
    return _data({"type": kind, "sequence_number": 1, **more}, kind)


def _chat(pieces: list[str], act: Act) -> Iterator[str]:
    def chunk(choices: list[object], **more: object) -> str:
        fixed = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": SERVED}
        return _data(fixed | {"choices": choices} | more)

    deltas: list[dict[str, object]] = [{"content": piece} for piece in pieces]
    if act.refusal:
        deltas = [{"refusal": act.refusal}]
    if act.tool:
        function = {"name": act.tool, "arguments": act.arguments}
        deltas = [{"tool_calls": [{"index": 0, "id": "t", "function": function}]}]
    for delta in deltas:
        yield chunk([{"index": 0, "delta": delta, "finish_reason": None}])
    yield chunk([{"index": 0, "delta": {}, "finish_reason": act.finish}])
    read: dict[str, object] = {"prompt_tokens": FRESH + CACHED, "completion_tokens": WRITTEN}
    yield chunk([], usage=read | {"prompt_tokens_details": {"cached_tokens": CACHED}})
    yield "data: [DONE]\n\n"


def _responses(pieces: list[str], act: Act) -> Iterator[str]:
    at: dict[str, object] = {"item_id": "m", "output_index": 0, "content_index": 0}
    response: dict[str, object] = {"id": "r", "model": SERVED, "created_at": 1, "output": []}
    yield _event("response.created", response=response | {"status": "in_progress"})
    for piece in pieces:
        yield _event("response.output_text.delta", **at, delta=piece, logprobs=[])
    usage: dict[str, object] = {"input_tokens": FRESH + CACHED, "output_tokens": WRITTEN}
    usage["input_tokens_details"] = {"cached_tokens": CACHED}
    ended = "incomplete" if act.finish == "length" else "completed"
    why = {"incomplete_details": {"reason": "max_output_tokens"}} if ended == "incomplete" else {}
    done = response | {"status": ended, "usage": usage} | why
    yield _event(f"response.{ended}", response=done)


def _anthropic(pieces: list[str], act: Act) -> Iterator[str]:
    usage = {"input_tokens": FRESH, "cache_read_input_tokens": CACHED, "output_tokens": 1}
    message: dict[str, object] = {"id": "m", "content": [], "model": SERVED, "usage": usage}
    yield _event("message_start", message=message)
    block: dict[str, object] = {"type": "text", "text": ""}
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    if act.tool:
        block = {"type": "tool_use", "id": "t", "name": act.tool, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": act.arguments}]
    yield _event("content_block_start", index=0, content_block=block)
    for delta in deltas:
        yield _event("content_block_delta", index=0, delta=delta)
    yield _event("content_block_stop", index=0)
    reason = {"stop_reason": ENDS["messages"].get(str(act.finish), act.finish)}
    yield _event("message_delta", delta=reason, usage={"output_tokens": WRITTEN})
    yield _event("message_stop")


def _google(pieces: list[str], act: Act) -> Iterator[str]:
    usage = {"promptTokenCount": FRESH + CACHED, "cachedContentTokenCount": CACHED}
    usage["candidatesTokenCount"] = WRITTEN
    for piece in pieces:
        said: dict[str, object] = {"content": {"role": "model", "parts": [{"text": piece}]}}
        if piece is pieces[-1]:
            said["finishReason"] = ENDS["google"].get(str(act.finish), act.finish)
        yield _data({"modelVersion": SERVED, "usageMetadata": usage, "candidates": [said]})
