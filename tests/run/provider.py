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


def _lines(path: str, act: Act) -> Iterator[str]:
    half = len(act.text) // 2
    known = {"completions": _chat, "responses": _responses, "messages": _anthropic}
    write = known.get(path.rpartition("/")[2], _google)
    return write([act.text[:half], act.text[half:]], act)


def _data(value: object, event: str = "") -> str:
    return (f"event: {event}\n" if event else "") + f"data: {json.dumps(value)}\n\n"


def _chat(pieces: list[str], act: Act) -> Iterator[str]:
    def chunk(choices: list[object], **more: object) -> str:
        fixed = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": SERVED}
        return _data(fixed | {"choices": choices} | more)

    deltas: list[dict[str, object]] = [{"content": piece} for piece in pieces]
    if act.refusal:
        deltas = [{"refusal": act.refusal}]
    if act.tool:
        function = {"name": act.tool, "arguments": act.arguments}
        call = {"index": 0, "id": "t", "type": "function", "function": function}
        deltas = [{"tool_calls": [call]}]
    for delta in deltas:
        yield chunk([{"index": 0, "delta": {"role": "assistant"} | delta, "finish_reason": None}])
    yield chunk([{"index": 0, "delta": {}, "finish_reason": act.finish}])
    usage = {
        "prompt_tokens": FRESH + CACHED,
        "completion_tokens": WRITTEN,
        "total_tokens": FRESH + CACHED + WRITTEN,
        "prompt_tokens_details": {"cached_tokens": CACHED},
    }
    yield chunk([], usage=usage)
    yield "data: [DONE]\n\n"


def _responses(pieces: list[str], act: Act) -> Iterator[str]:
    def event(kind: str, **more: object) -> str:
        return _data({"type": kind, "sequence_number": 1, **more}, kind)

    at: dict[str, object] = {"item_id": "m", "output_index": 0, "content_index": 0}
    response: dict[str, object] = {"id": "r", "object": "response", "created_at": 1}
    response |= {"model": SERVED, "output": [], "tools": [], "tool_choice": "auto"}
    response |= {"parallel_tool_calls": True}
    yield event("response.created", response=response | {"status": "in_progress"})
    for piece in pieces:
        yield event("response.output_text.delta", **at, delta=piece, logprobs=[])
    usage: dict[str, object] = {"input_tokens": FRESH + CACHED, "output_tokens": WRITTEN}
    usage["total_tokens"] = FRESH + CACHED + WRITTEN
    usage |= {"input_tokens_details": {"cached_tokens": CACHED}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    ended = "incomplete" if act.finish == "length" else "completed"
    why = {"incomplete_details": {"reason": "max_output_tokens"}} if ended == "incomplete" else {}
    done = response | {"status": ended, "usage": usage} | why
    yield event(f"response.{ended}", response=done)


def _anthropic(pieces: list[str], act: Act) -> Iterator[str]:
    def event(kind: str, **more: object) -> str:
        return _data({"type": kind, **more}, kind)

    usage = {"input_tokens": FRESH, "cache_read_input_tokens": CACHED, "output_tokens": 1}
    message: dict[str, object] = {"id": "m", "type": "message", "role": "assistant"}
    message |= {"content": [], "model": SERVED, "usage": usage}
    yield event("message_start", message=message)
    block: dict[str, object] = {"type": "text", "text": ""}
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    if act.tool:
        block = {"type": "tool_use", "id": "t", "name": act.tool, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": act.arguments}]
    yield event("content_block_start", index=0, content_block=block)
    for delta in deltas:
        yield event("content_block_delta", index=0, delta=delta)
    yield event("content_block_stop", index=0)
    known = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
    reason = {"stop_reason": known.get(str(act.finish), act.finish), "stop_sequence": None}
    yield event("message_delta", delta=reason, usage={"output_tokens": WRITTEN})
    yield event("message_stop")


def _google(pieces: list[str], act: Act) -> Iterator[str]:
    known = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
    usage = {"promptTokenCount": FRESH + CACHED, "cachedContentTokenCount": CACHED}
    usage |= {"candidatesTokenCount": WRITTEN, "totalTokenCount": FRESH + CACHED + WRITTEN}
    answer: dict[str, object] = {"modelVersion": SERVED, "responseId": "r"}
    for piece in pieces:
        said = {"index": 0, "content": {"role": "model", "parts": [{"text": piece}]}}
        if piece is pieces[-1]:
            said["finishReason"] = known.get(str(act.finish), act.finish)
            answer["usageMetadata"] = usage
        yield _data(answer | {"candidates": [said]})
