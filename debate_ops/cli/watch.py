"""The command `watch`: a debate's live page, served on this machine."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import click

from debate_ops import engine
from debate_ops.cli.answers import Answer, print_object, remark
from debate_ops.cli.command import command, counted, debate_argument
from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.engine import store
from debate_ops.engine.store import Folder
from debate_ops.live import feed
from debate_ops.run.progress import Display, is_live

_LOOPBACK = "127.0.0.1"


@command("watch")
@debate_argument
@counted("--port", help="The port; a free one if not given.")
@click.option(
    "--host",
    metavar="NAME",
    multiple=True,
    help="A name, or an address, under which your own proxy passes requests on (repeatable).",
)
@click.option("--seats", is_flag=True, help="A link for each participant.")
def watch(
    debate: str, port: int | None, host: Sequence[str], *, as_json: bool, seats: bool = False
) -> Answer:
    """Serve a page on this machine that shows the debate as it runs, until Ctrl-C.

    Each line printed is a link: the owner's has controls, the viewer's only shows, and with --seats
    each participant gets one to reply with. The page shows runs and agent clients alike.

    \b
    debate-ops watch my-decision
    debate-ops watch our-class --seats --port 8000 --host debates.school.example
    """
    server, place = _load_server(), store.find_folder(debate)
    with _open(place, port or 0, host, seats=seats) as (application, listening, links):
        if as_json:
            print_object({"success": True, "debate": place.name, "links": links})
        else:
            _remark_links(links)
        if host:
            port = listening.getsockname()[1]
            remark(f"It listens at http://{_LOOPBACK}:{port}, for your proxy to pass requests to.")
        remark("The owner's link controls the debate; keep it to yourself. Ctrl-C ends the page.")
        server.serve(application, listening)
    return Answer(code=0)


def _remark_links(links: Mapping[str, str]) -> None:
    for name, link in links.items():
        remark(f"{name}:  {link}")


@contextmanager
def serve_beside(place: Folder) -> Iterator[None]:
    """Serve the live page beside a run, and end with it.

    Raises:
        ConfigurationError: the packages are missing.
    """
    server = _load_server()
    with _open(place, 0, ()) as (application, listening, links):
        _remark_links(links)
        with server.serve_beside(application, listening):
            yield


def view_in_terminal(place: Folder) -> AbstractContextManager[Display | None]:
    """Give the view of a run, where standard error is a terminal."""
    if not is_live(sys.stderr):
        return nullcontext()
    from debate_ops.live import terminal  # what a terminal shows; no other command needs it

    return terminal.open_view(place, sys.stderr)


def _load_server() -> ModuleType:
    try:
        from debate_ops.live import server  # comes with an extra
    except ImportError:
        raise MissingExtraError("the live page needs", "watch") from None
    return server


@contextmanager
def _open(
    place: Folder, port: int, host: Sequence[str], *, seats: bool = False
) -> Iterator[tuple[Any, socket.socket, dict[str, str]]]:
    """Give what is to be served at which socket, and the links of the page by seat."""
    position = engine.load(place)
    names = position.protocol.participants(position.debate.settings) if seats else ()
    allowed = feed.assign_seats(place, names)
    try:
        listening = socket.create_server((_LOOPBACK, port))  # a link may be opened at once
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {os.strerror(error.errno or 0)}",
            hint="Leave --port out, and a free one is taken.",
        ) from None
    with listening:
        address = f"http://{_LOOPBACK}:{listening.getsockname()[1]}/"
        hosts = frozenset(map(_find_name, host))
        if host:
            address = host[0] if "://" in host[0] else f"https://{host[0]}/"
        links = {seat.name: f"{address}?key={seat.secret}" for seat in allowed}
        made = _load_server().make_app(place, allowed, hosts)
        yield made, listening, links


def _find_name(host: str) -> str:
    """Return the name in a name or an address, as a Host header has it without its port."""
    with suppress(ValueError):
        if name := urlsplit(host if "://" in host else f"https://{host}/").hostname:
            return name
    raise UsageError(
        f"--host {host!r} has no name in it",
        hint="Give a name, as debates.school.example, or an address, as http://box:8080/debate/.",
    )
