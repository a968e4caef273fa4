"""What the tests of commands share: what a command prints, and what it is given to read."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

import pytest

from debate_ops.cli import app


class Said(NamedTuple):
    """What a command printed, as text."""

    code: int
    out: str
    err: str


def say(*words: object, terminal: bool = False) -> Said:
    out = Terminal() if terminal else io.StringIO(newline="")
    err = io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = app.main(list(map(str, words)))
    return Said(code, out.getvalue(), err.getvalue())


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def serving(answer: Callable[[Any], Any]) -> Iterator[str]:
    """Serve what this answers to the JSON of a request, on a free port; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(answer(json.loads(asked or b"null"))).encode())

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with run_server(Handler) as address:
        yield address


@contextmanager
def run_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
