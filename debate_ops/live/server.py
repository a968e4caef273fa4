"""The live page over HTTP: state by server-sent events, and what people do by POST."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from hmac import compare_digest
from typing import Any, Literal

import anyio
import uvicorn
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from debate_ops import engine
from debate_ops.core.errors import DebateError, UsageError
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import Folder
from debate_ops.live.feed import OWNER, Feed
from debate_ops.report.page import colour_style, read_source
from debate_ops.report.words import shorten

_STATIC = os.path.join(os.path.dirname(__file__), "static")
_SECONDS_BETWEEN_LOOKS = 0.3
_SECONDS_BETWEEN_SIGNS = 15.0
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would keep events back
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
_KINDS = {"watch.js": "text/javascript", "watch.css": "text/css"}


def make_app(folder: Folder, links: Mapping[str, str], hosts: frozenset[str]) -> Starlette:
    """Return the application for one debate; it answers on this machine, and as one of `hosts`."""
    page = _Page(folder, links, hosts)
    application = Starlette(
        routes=[
            Route("/", page.show),
            Route("/static/{name}", page.static),
            Route("/events", page.events),
            Route("/entry/{entry_id}", page.entry),
            Route("/act", page.act, methods=["POST"]),
        ],
        exception_handlers={_NotAllowedError: _refuse},
    )
    application.state.is_ending = lambda: False
    return application


def serve(application: Starlette, listening: socket.socket) -> None:
    """Serve until a signal comes; what is still asked then is given a second."""
    config = uvicorn.Config(
        application, log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    application.state.is_ending = lambda: server.should_exit  # events would go on for ever
    server.run(sockets=[listening])


class _NotAllowedError(Exception):
    """The link has no secret, or a wrong one, or does not allow this."""


def _refuse(_: Request, error: Exception) -> Response:
    text = str(error) or "This link is not valid: use the one that 'debate-ops watch' printed."
    return PlainTextResponse(text, 403, _HEADERS)


class _Asked(BaseModel):
    """What the owner asks for."""

    act: Literal["pause", "stop", "resume", "say"]
    text: str = ""
    to: str = ""


class _Page:
    def __init__(self, folder: Folder, links: Mapping[str, str], hosts: frozenset[str]) -> None:
        self._folder, self._links, self._hosts = folder, links, hosts
        self._feed = Feed(folder)

    def _find_link(self, request: Request) -> str:
        """Return whose link a request has; refuse one that has none, or comes to another host."""
        host = request.headers.get("host", "")
        if _drop_port(host) not in self._hosts | _LOOPBACK:
            raise _NotAllowedError(
                f"This page does not answer as {shorten(host, 100)!r}, the Host header of the "
                f"request. 'debate-ops watch {self._folder.name} --host NAME' allows a name."
            )
        word = request.query_params.get("key", "").encode("utf-8", "replace")
        # Every one is compared, in the same time.
        found = [name for name, key in self._links.items() if compare_digest(key.encode(), word)]
        if not found:
            raise _NotAllowedError
        return found[0]

    def show(self, request: Request) -> Response:
        self._find_link(request)
        return _file("watch.html", "text/html")

    def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _KINDS:
            return PlainTextResponse("There is no such file.", 404, _HEADERS)
        before = colour_style() + read_source("page.css") if name == "watch.css" else ""
        return _file(name, _KINDS[name], before)

    async def events(self, request: Request) -> Response:
        stream = self._stream(request, self._find_link(request))
        return StreamingResponse(stream, headers=_HEADERS, media_type="text/event-stream")

    async def _stream(self, request: Request, link: str) -> AsyncIterator[str]:
        """Yield the whole state whenever it has changed: who reconnects has missed nothing."""
        yield f"event: link\ndata: {json.dumps(link)}\n\n"
        before, silent = "", 0.0
        while not (request.app.state.is_ending() or await request.is_disconnected()):
            state = await run_in_threadpool(self._feed.state, link)
            silent += _SECONDS_BETWEEN_LOOKS
            if state != before:
                before, silent = state, 0.0
                yield f"event: state\ndata: {state.strip()}\n\n"
            elif silent > _SECONDS_BETWEEN_SIGNS:
                silent = 0.0
                yield ": still here\n\n"
            await anyio.sleep(_SECONDS_BETWEEN_LOOKS)

    def entry(self, request: Request) -> Response:
        link, name = self._find_link(request), request.path_params["entry_id"]

        def made() -> dict[str, Any]:
            if lines := self._feed.describe_entry(name, link):
                return {"lines": lines}
            raise UsageError("this entry was taken back")

        return _answered(made)

    async def act(self, request: Request) -> Response:
        """Do what the owner asked for; only this page may ask."""
        link = self._find_link(request)
        origin = request.headers.get("origin", "").partition("://")[2]
        # A proxy may put its own Host in the place of the one that the browser asked for.
        if origin != request.headers.get("host") and _drop_port(origin) not in self._hosts:
            raise _NotAllowedError("Only the page itself may ask for this.")
        if link != OWNER:
            raise _NotAllowedError("This link only allows to look on.")
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MAX_BYTES:
                return PlainTextResponse("This is too large.", 413, _HEADERS)
        return await run_in_threadpool(_answered, lambda: self._act(body))

    def _act(self, body: bytes) -> dict[str, Any]:
        try:
            asked = _Asked.model_validate_json(body)
        except ValueError:
            raise UsageError("this is nothing that the page does") from None
        acts: dict[str, Callable[[], object]] = {
            "pause": lambda: engine.pause(self._folder, OWNER, asked.text),
            "stop": lambda: engine.stop(self._folder, OWNER, asked.text),
            "resume": lambda: engine.resume(self._folder, OWNER),
            "say": lambda: engine.say(self._folder, asked.text, by=OWNER, to=asked.to),
        }
        acts[asked.act]()
        return {}


def _drop_port(host: str) -> str:
    return re.sub(r":[0-9]*\Z", "", host).lower()


def _answered(make: Callable[[], dict[str, Any]]) -> Response:
    try:
        return JSONResponse({"success": True, **make()}, headers=_HEADERS)
    except DebateError as error:
        data = {"success": False, "error": error.message, "hint": error.hint}
        return JSONResponse(data, 400, _HEADERS)


def _file(name: str, kind: str, before: str = "") -> Response:
    with open(os.path.join(_STATIC, name), encoding="utf-8") as file:
        return Response(before + file.read(), media_type=kind, headers=_HEADERS)
