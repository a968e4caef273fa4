"""The command `watch`: a debate's live page, served on this machine."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Sequence

import click

from debate_ops import engine
from debate_ops.cli.answers import Answer, print_object, remark
from debate_ops.cli.command import command, option, several
from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.engine import store

_LOOPBACK = "127.0.0.1"


@command("watch")
@option("--port N", type=click.IntRange(1, 65535), help="The port; a free one if not given.")
@several("--host NAME", help="A name under which your own proxy passes requests on (repeatable).")
def watch(debate: str, port: int | None, host: Sequence[str], *, as_json: bool) -> Answer:
    """Serve a page on this machine that shows the debate as it runs, until Ctrl-C.

    Its link is printed. The page shows runs and agent clients alike, and nothing that only some may
    know.

    \b
    debate-ops watch my-decision
    debate-ops watch our-class --port 8000 --host debates.school.example
    """
    try:
        from debate_ops.live import server  # comes with an extra
    except ImportError:
        raise MissingExtraError("the live page needs", "watch") from None
    place = store.find_folder(debate)
    engine.load(place)  # which says what is wrong with it
    secret = secrets.token_urlsafe(18)
    hosts = frozenset(name.lower() for name in host)
    try:
        listening = socket.create_server((_LOOPBACK, port or 0))  # a link may be opened at once
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {os.strerror(error.errno or 0)}",
            hint="Leave --port out, and a free one is taken.",
        ) from None
    with listening:
        own = f"http://{_LOOPBACK}:{listening.getsockname()[1]}"
        address = f"{own}/"
        if host:
            address = f"https://{host[0]}/"
        link = f"{address}?key={secret}"
        application = server.make_app(place, secret, hosts)
        if as_json:
            print_object({"success": True, "debate": place.name, "link": link})
        else:
            remark(f"Watch:  {link}")
        if host:
            remark(f"It listens at {own}, for your proxy to pass requests to.")
        remark("Ctrl-C ends the page.")
        server.serve(application, listening)
    return Answer(code=0)
