"""The live page over HTTP: state by server-sent events, and what people do by POST."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from hmac import compare_digest
from typing import Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from debate_ops import engine
from debate_ops.core.errors import DebateError, RefusedError, UsageError
from debate_ops.core.values import Done
from debate_ops.engine import files, inbox
from debate_ops.engine.inbox import Slot
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import PAGE, Folder
from debate_ops.live.feed import OWNER, PARTICIPANT, Feed, Seat, list_words
from debate_ops.report import memo
from debate_ops.report.page import colour_style, read_source
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.words import shorten
from debate_ops.run.endings import takes_memo
from debate_ops.run.running import find_person

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


def make_app(folder: Folder, allowed: Sequence[Seat], hosts: frozenset[str]) -> Starlette:
    """Return the application for one debate; it answers on this machine, and as one of `hosts`."""
    page = _Page(folder, allowed, hosts)
    application = Starlette(
        routes=[
            Route("/", page.show),
            Route("/static/{name}", page.static),
            Route("/report", page.report),
            Route("/events", page.events),
            Route("/entry/{entry_id}", page.entry),
            Route("/form", page.form),
            Route("/act", page.act, methods=["POST"]),
        ],
        exception_handlers={_NoSeatError: _refuse},
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


class _NoSeatError(Exception):
    """The link has no secret, or a wrong one, or does not allow this."""


def _refuse(_: Request, error: Exception) -> Response:
    text = str(error) or "This link is not valid: use the one that 'debate-ops watch' printed."
    return PlainTextResponse(text, 403, _HEADERS)


class _Page:
    def __init__(self, folder: Folder, allowed: Sequence[Seat], hosts: frozenset[str]) -> None:
        self._folder, self._allowed, self._hosts = folder, allowed, hosts
        self._feed = Feed(folder)
        self._has_seats = any(seat.kind == PARTICIPANT for seat in allowed)

    def _seat(self, request: Request) -> Seat:
        host = request.headers.get("host", "")
        if _drop_port(host) not in self._hosts | _LOOPBACK:
            raise _NoSeatError(
                f"This page does not answer as {shorten(host, 100)!r}, the Host header of the "
                f"request. 'debate-ops watch {self._folder.name} --host NAME' allows a name."
            )
        word = request.query_params.get("key", "").encode("utf-8", "replace")
        # Every one is compared, in the same time.
        found = [seat for seat in self._allowed if compare_digest(seat.secret.encode(), word)]
        if not found:
            raise _NoSeatError
        return found[0]

    def _check_may_reply(self, seat: Seat, name: str) -> None:
        """Refuse a reply as another, but to the owner where participants have no links."""
        is_own = seat.kind == PARTICIPANT and seat.name == name
        if not (is_own or (seat.is_owner and not self._has_seats)):
            raise _NoSeatError("This link does not allow to reply.")

    def show(self, request: Request) -> Response:
        self._seat(request)
        return _file("watch.html", "text/html")

    def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _KINDS:
            return PlainTextResponse("There is no such file.", 404, _HEADERS)
        before = colour_style() + read_source("page.css") if name == "watch.css" else ""
        return _file(name, _KINDS[name], before)

    def report(self, request: Request) -> Response:
        """Return the page of a debate that is over; what it may load, it says itself."""
        seat = self._seat(request)
        try:
            position = engine.load(self._folder)
            if not isinstance(position.due, Done):
                raise UsageError("the debate is not over")
            if list_words(position, seat) != position.header.words:
                raise _NoSeatError("The report has what was said to others than you alone.")
            text = files.read_text(self._folder.within(PAGE))
        except DebateError as error:
            return PlainTextResponse(error.message, 404, _HEADERS)
        headers = {**_HEADERS, "Content-Security-Policy": "frame-ancestors 'none'"}
        return Response(text, media_type="text/html", headers=headers)

    async def events(self, request: Request) -> Response:
        seat = self._seat(request)
        return StreamingResponse(
            self._stream(request, seat), headers=_HEADERS, media_type="text/event-stream"
        )

    async def _stream(self, request: Request, seat: Seat) -> AsyncIterator[str]:
        """Yield the whole state whenever it has changed: who reconnects has missed nothing."""
        me = {"name": seat.name, "owner": seat.is_owner, "has_seats": self._has_seats}
        yield f"event: seat\ndata: {json.dumps(me)}\n\n"
        before, silent = "", 0.0
        while not (request.app.state.is_ending() or await request.is_disconnected()):
            state = await run_in_threadpool(self._feed.state, seat)
            silent += _SECONDS_BETWEEN_LOOKS
            if state != before:
                before, silent = state, 0.0
                yield f"event: state\ndata: {state.strip()}\n\n"
            elif silent > _SECONDS_BETWEEN_SIGNS:
                silent = 0.0
                yield ": still here\n\n"
            await anyio.sleep(_SECONDS_BETWEEN_LOOKS)

    def entry(self, request: Request) -> Response:
        seat, name = self._seat(request), request.path_params["entry_id"]

        def made() -> dict[str, Any]:
            if described := self._feed.describe_entry(name, seat):
                return described
            raise UsageError("this entry was taken back")

        return _answered(made)

    def form(self, request: Request) -> Response:
        """Return the prompt of a participant's turn, the schema of its reply, and whose it is."""
        seat, name = self._seat(request), request.query_params.get("as", "")

        def made() -> dict[str, Any]:
            if of_memo := self._find_memo(seat, name):
                reading, slot = of_memo
                schema, prompt = memo.make_form(reading.verdict), files.read_text(slot.prompt)
                return {"prompt": prompt, "repair": "", "schema": schema, "naming": {}}
            self._check_may_reply(seat, name)
            position = engine.next_turn(self._folder)
            item = position.find_task(name)
            prompt = files.read_text(item.slot.prompt)
            repair = files.read_text(item.slot.repair) if item.status == engine.REFUSED else ""
            schema = position.at.make_schema(item.task.by)
            naming = position.at.turn.name_reply(item.task.by)
            return {"prompt": prompt, "repair": repair, "schema": schema, "naming": naming}

        return _answered(made)

    def _find_memo(self, seat: Seat, name: str) -> tuple[Reading, Slot] | None:
        """Return the debate and where its memo goes, if that is what a reporter writes.

        None where the name is another one, or that of a participant who still replies.

        Raises:
            RefusedError: the debate is not complete, or cancelled.
        """
        if name != memo.REPORTER or not seat.is_owner:
            return None
        position = engine.load(self._folder)
        if takes_memo(position):
            reading = read_debate(position)
            return reading, memo.write_memo_prompt(self._folder, reading.at, reading.verdict)
        if position.at.find_name(name) in position.protocol.participants(position.debate.settings):
            return None
        raise RefusedError("the memo is not due: the debate is not complete")

    async def act(self, request: Request) -> Response:
        """Do what a person asked for; only this page may ask."""
        seat = self._seat(request)
        origin = request.headers.get("origin", "").partition("://")[2]
        # A proxy may put its own Host in the place of the one that the browser asked for.
        if origin != request.headers.get("host") and _drop_port(origin) not in self._hosts:
            raise _NoSeatError("Only the page itself may ask for this.")
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > 2 * MAX_BYTES:
                return PlainTextResponse("This is too large.", 413, _HEADERS)
        return await run_in_threadpool(_answered, lambda: self._act(seat, body))

    def _act(self, seat: Seat, body: bytes) -> dict[str, Any]:
        asked = _read_object(body)
        texts = {key: value for key, value in asked.items() if isinstance(value, str)}
        try:
            "".join(texts.values()).encode()
        except UnicodeEncodeError:
            message = "this has half of a surrogate pair, expected whole characters"
            raise UsageError(message) from None
        what, text, to = (texts.get(key, "") for key in ("act", "text", "to"))
        name = texts.get("by", "").strip()
        if what == "reply":
            if of_memo := self._find_memo(seat, to):
                reading, slot = of_memo
                file = memo.compose_parts(_read_object(text)).encode("utf-8", "replace")
                inbox.put(slot, file, {"person": name or find_person(self._folder, to)})
                warnings = memo.take_memo(self._folder, reading.at, reading.verdict, slot.reply)
            else:
                self._check_may_reply(seat, to)
                position = engine.load(self._folder)
                item = position.find_task(to)
                made_by = {"person": name or find_person(self._folder, item.task.by)}
                reply = engine.RawReply(text.encode(), "the form")
                warnings = engine.take_reply(position, item, reply, made_by)
            return {"warnings": [warning.sentence() for warning in warnings]}
        if not seat.is_owner:
            raise _NoSeatError("This link only allows to look on.")
        by = name or OWNER
        acts: dict[str, Callable[[], object]] = {
            "pause": lambda: engine.pause(self._folder, by, text),
            "stop": lambda: engine.stop(self._folder, by, text),
            "resume": lambda: engine.resume(self._folder, by),
            "say": lambda: engine.say(self._folder, text, by=by, to=to),
        }
        if what not in acts:
            raise UsageError(f"{what!r} is nothing that this page does")
        acts[what]()
        return {}


def _read_object(text: str | bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        if isinstance(value := json.loads(text), dict):
            return value
    raise UsageError("a JSON object was expected")


def _drop_port(host: str) -> str:
    return re.sub(r":[0-9]*\Z", "", host).lower()


def _answered(make: Callable[[], dict[str, Any]]) -> Response:
    try:
        return JSONResponse({"success": True, **make()}, headers=_HEADERS)
    except DebateError as error:
        faults = [fault.sentence() for fault in error.faults]
        data = {"success": False, "error": error.message, "hint": error.hint, "faults": faults}
        return JSONResponse(data, 409 if isinstance(error, RefusedError) else 400, _HEADERS)


def _file(name: str, kind: str, before: str = "") -> Response:
    with open(os.path.join(_STATIC, name), encoding="utf-8") as file:
        return Response(before + file.read(), media_type=kind, headers=_HEADERS)
