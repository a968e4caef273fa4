"""The live page over HTTP: the state by server-sent events."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import AsyncIterator
from hmac import compare_digest

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from debate_ops.engine.store import Folder
from debate_ops.live.feed import Feed
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


def make_app(folder: Folder, secret: str, hosts: frozenset[str]) -> Starlette:
    """Return the application for one debate; it answers on this machine, and as one of `hosts`."""
    page = _Page(folder, secret, hosts)
    application = Starlette(
        routes=[
            Route("/", page.show),
            Route("/static/{name}", page.static),
            Route("/events", page.events),
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
    """The link has no secret, or a wrong one, or names a host that is not allowed."""


def _refuse(_: Request, error: Exception) -> Response:
    text = str(error) or "This link is not valid: use the one that 'debate-ops watch' printed."
    return PlainTextResponse(text, 403, _HEADERS)


class _Page:
    def __init__(self, folder: Folder, secret: str, hosts: frozenset[str]) -> None:
        self._folder, self._secret, self._hosts = folder, secret.encode(), hosts
        self._feed = Feed(folder)

    def _check_link(self, request: Request) -> None:
        """Refuse a request that has no valid link, or comes to another host."""
        host = request.headers.get("host", "")
        if re.sub(r":[0-9]*\Z", "", host).lower() not in self._hosts | _LOOPBACK:
            raise _NotAllowedError(
                f"This page does not answer as {shorten(host, 100)!r}, the Host header of the "
                f"request. 'debate-ops watch {self._folder.name} --host NAME' allows a name."
            )
        key = request.query_params.get("key", "").encode("utf-8", "replace")
        if not compare_digest(self._secret, key):
            raise _NotAllowedError

    def show(self, request: Request) -> Response:
        self._check_link(request)
        return _file("watch.html", "text/html")

    def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _KINDS:
            return PlainTextResponse("There is no such file.", 404, _HEADERS)
        before = colour_style() + read_source("page.css") if name == "watch.css" else ""
        return _file(name, _KINDS[name], before)

    async def events(self, request: Request) -> Response:
        self._check_link(request)
        stream = self._stream(request)
        return StreamingResponse(stream, headers=_HEADERS, media_type="text/event-stream")

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        """Yield the whole state whenever it has changed: who reconnects has missed nothing."""
        before, silent = "", 0.0
        while not (request.app.state.is_ending() or await request.is_disconnected()):
            state = await run_in_threadpool(self._feed.state)
            silent += _SECONDS_BETWEEN_LOOKS
            if state != before:
                before, silent = state, 0.0
                yield f"event: state\ndata: {state.strip()}\n\n"
            elif silent > _SECONDS_BETWEEN_SIGNS:
                silent = 0.0
                yield ": still here\n\n"
            await anyio.sleep(_SECONDS_BETWEEN_LOOKS)


def _file(name: str, kind: str, before: str = "") -> Response:
    with open(os.path.join(_STATIC, name), encoding="utf-8") as file:
        return Response(before + file.read(), media_type=kind, headers=_HEADERS)
