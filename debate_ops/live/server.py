"""The live page of a debate: its state as server-sent events, for those who have the link.

It is read from the folder, so that it fits whoever runs the debate.
"""

import os
import re
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import lru_cache
from hmac import compare_digest
from threading import Lock
from typing import Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import DebateError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.values import HIDDEN, PRIVATE, Done, Entry, Turn
from debate_ops.engine import events, inbox
from debate_ops.engine.headers import canonical
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.store import DEBATE_FILE, EVENTS, INBOX, MEMO, PENDING, Folder
from debate_ops.protocols.exchange import SIDES
from debate_ops.report import provenance
from debate_ops.report.exchange import Scoring
from debate_ops.report.markdown import load_templates
from debate_ops.report.page import colour_style, read_source
from debate_ops.report.reading import read_debate
from debate_ops.report.words import shorten
from debate_ops.run.run_file import find_run

_STATIC = os.path.join(os.path.dirname(__file__), "static")
_RENDERING = Lock()
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
_HIDDEN_TASKS = PRIVATE | {"first-answer", "second-look", "straw-vote"}
"""The templates of the tasks that `HIDDEN` entries come from."""


@lru_cache(maxsize=1)
def _describe_debate(folder: Folder, _: object) -> str:
    """Return the parts of the page as JSON, without what only some may know."""
    try:
        return canonical(_render(folder, engine.load(folder)))
    except DebateError as error:  # another may repair it meanwhile
        return canonical({"place": f"The debate cannot be read now: {error.message}"})


def _render(folder: Folder, asked: engine.Position) -> dict[str, Any]:
    run, position = find_run(folder), asked.apply_hold()
    d, due, hold = position.debate, position.due, position.hold
    is_over, is_scored = isinstance(due, Done), bool(d.find("judgment"))
    why = "" if isinstance(due, Turn) else due.reason
    if hold and not is_over:
        why = why or f"{hold.state} by {hold.by}"
    where = ": ".join(filter(None, ("" if is_over else position.describe_place(), why)))
    hidden = {i.task.by for i in asked.tasks if i.task.template in _HIDDEN_TASKS} | {ADVISER}
    calls = run.calls if run else ()
    used, kinds = provenance.measure_usage(position.at), asked.protocol.participants(d.settings)
    sides = [name for name, kind in kinds.items() if kind == "debater"]
    is_exchange = position.protocol.name == "exchange"
    parts: Any = (
        load_templates()
        .get_template("live.html.jinja")
        .make_module(
            {
                "names": {name: SIDES.get(name, name) for name in kinds},
                "sides": sides if len(sides) == len(SIDES) else [],
                "reading": read_debate(position) if is_over else None,
                "scoring": Scoring(position.at) if is_scored and is_exchange else None,
                "done": used.replies + sum(i.status == engine.REPLIED for i in asked.tasks),
                "left": asked.select_tasks().calls_left,
                "used": used.sentence(),
                "failed": events.find_failures(folder),
                "words": [w for w in position.header.words if not (w.to and asked.is_secret)],
                "calls": {
                    c.participant: c._replace(text="") if c.participant in hidden else c
                    for c in calls
                },
                "tasks": {item.task.by: item for item in asked.tasks},
                "asked_at": max(asked.find_turn_start(), events.find_undo(folder)),
            }
        )
    )
    private = frozenset[str]() if d.shows_notes else PRIVATE
    hidden_kinds = HIDDEN if asked.is_secret else private
    shown = [e for e in d.entries.values() if e.kind not in hidden_kinds]
    return {
        "title": f"{where}: {d.motion}",
        "slug": folder.slug,
        "motion": d.motion,
        "place": f"{where}, running" if run and (is_over or not hold) else where,
        "now": parts.now(),
        "entries": [
            parts.card(e, _head(e), made_by(e).get("person"), describe_entry(e))
            for e in sorted(shown, key=lambda e: (e.step, e.id))
        ],
    }


def _head(entry: Entry) -> str:
    """Return what stands above an entry; the scores of a judgment do not."""
    head = entry.title if entry.kind == "judgment" else summarise_entry(entry)
    return re.sub(r"(?:^|(?<=\s))#{1,6} ", "", head)


def describe_debate(folder: Folder) -> str:
    """Return a debate as the page shows it, as JSON; made anew after every change in its folder."""
    stamps: list[object] = []
    paths = map(folder.within, (DEBATE_FILE, EVENTS, INBOX, MEMO, PENDING))
    for path in (*paths, folder.within(inbox.RUN_FILE)):
        with suppress(OSError):
            status = os.stat(path)
            stamps.append((path, status.st_ino, status.st_size, status.st_mtime_ns))
    with _RENDERING:  # else all who watch would render at once
        return _describe_debate(folder, tuple(stamps))


# Over HTTP.


def make_app(folder: Folder, secret: str, hosts: frozenset[str]) -> Starlette:
    """Return the application for one debate; it answers on this machine, and as one of `hosts`."""
    page, style = _Page(folder, secret, hosts), colour_style() + read_source("page.css")
    application = Starlette(
        routes=[
            Route("/", page.show),
            Route("/static/watch.js", lambda _: _file("watch.js", "text/javascript")),
            Route("/static/watch.css", lambda _: _file("watch.css", "text/css", style)),
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

    async def events(self, request: Request) -> Response:
        self._check_link(request)
        stream = self._stream(request)
        return StreamingResponse(stream, headers=_HEADERS, media_type="text/event-stream")

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        """Yield the whole state whenever it has changed: who reconnects has missed nothing."""
        before, silent = "", 0.0
        while not (request.app.state.is_ending() or await request.is_disconnected()):
            state = await run_in_threadpool(describe_debate, self._folder)
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
