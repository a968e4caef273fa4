"""The live page over HTTP: what each link shows and allows, and nothing to anybody else."""

import io
import json
import re
import socket
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, redirect_stderr
from http.client import HTTPConnection, HTTPResponse
from itertools import product
from pathlib import Path
from secrets import token_urlsafe
from threading import Thread
from typing import Any, NamedTuple

import pytest
import uvicorn

from debate_ops import engine
from debate_ops.cli import report
from debate_ops.engine import events, inbox, store
from debate_ops.engine.store import Folder
from debate_ops.live import server
from debate_ops.run import run_file
from debate_ops.run.endings import is_idle
from tests.builders import put
from tests.courses import list_steps
from tests.engine.stage import FOLDER, create_course, lay_down, put_replies, take_step
from tests.run.stage import case, reply_of, wait_for


class Live(NamedTuple):
    """A page that is served: the debate, where, and the secret of its link."""

    folder: Folder
    port: int
    secret: str

    def ask(self, path: str, key: str | None = None, **headers: str) -> tuple[HTTPResponse, str]:
        address = f"{path}?key={self.secret if key is None else key}"
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", address, headers=headers)
            with connection.getresponse() as response:
                return response, response.read().decode()

    def events(self) -> Generator[dict[str, Any], None, None]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", f"/events?key={self.secret}")
            with connection.getresponse() as response:
                while response.readline().strip():
                    yield json.loads(response.readline()[6:])
                    response.readline()

    def state(self) -> dict[str, Any]:
        with closing(self.events()) as events:
            return next(events)


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """Serve an exchange."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(server, "_SECONDS_BETWEEN_LOOKS", 0.02)
    folder = case(motion="This house <b>tests</b>.")
    engine.next_turn(folder, 1)
    secret = token_urlsafe()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        application = server.make_app(folder, secret, frozenset({"debates.example"}))
        config = uvicorn.Config(application, log_level="critical", timeout_graceful_shutdown=1)
        served = uvicorn.Server(config)
        thread = Thread(target=served.run, args=([listening],), daemon=True)
        thread.start()
        wait_for(lambda: served.started)
        yield Live(folder, listening.getsockname()[1], secret)
        served.should_exit = True
        thread.join(10)


def test_nothing_is_shown_without_a_valid_link(live: Live) -> None:
    for path, key in product(("/", "/events"), ("", "x", "%C3%A4")):
        assert live.ask(path, key)[0].status == 403, (path, key)
    for path in ("/static/..%2fserver.py", "/act"):
        assert live.ask(path)[0].status == 404, path


def test_each_page_is_closed_to_other_sites(live: Live) -> None:
    response, text = live.ask("/")
    assert response.status == 200
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert live.secret not in text


def test_a_host_that_is_not_allowed_is_named_with_what_allows_it(live: Live) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example:80", "debates.example.evil.example", ""):
        response, text = live.ask("/", Host=host)
        assert response.status == 403
        assert f"{host!r}" in text
        assert f"watch {live.folder.name} --host" in text
    for host in ("debates.example", "Debates.Example:8443", "localhost:1"):
        assert live.ask("/", Host=host)[0].status == 200, host


def test_a_change_is_rendered_once_for_all_who_watch(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered, load = list[Folder](), engine.load

    def load_slowly(folder: Folder) -> engine.Position:
        rendered.append(folder)
        time.sleep(0.1)
        return load(folder)

    engine.say(live.folder, "Be brief.", by="kim")
    monkeypatch.setattr(engine, "load", load_slowly)
    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(server.describe_debate, [live.folder] * 8)}) == 1
    assert len(rendered) == 1


def test_what_is_said_to_everybody_is_shown_and_a_hold(live: Live) -> None:
    for to in ("", "debater", "opp"):
        engine.say(live.folder, "Be brief.", by="kim", to=to)
    engine.stop(live.folder, "kim", "lunch")
    state = live.state()
    assert state["now"].count("Be brief.") == 1
    assert "kim to everybody: Be brief." in state["now"]
    assert state["place"].endswith(": lunch")
    assert state["now"].count("no reply yet, asked at <time datetime=") == 2


def test_what_happens_is_pushed_and_who_comes_back_sees_all_of_it(live: Live) -> None:
    events = live.events()
    assert "First." not in next(events)["now"]
    engine.say(live.folder, "First.", by="kim")
    assert "First." in next(events)["now"]
    events.close()
    engine.say(live.folder, "Second.", by="kim")
    assert re.findall("First|Second", live.state()["now"]) == ["Second", "First"]


def reply(live: Live, step: int, *names: str, new: str = "Content prop") -> None:
    for name in names:
        item = engine.load(live.folder).find_task(name)
        text = reply_of(live.folder, name).replace(b"Content prop", new.encode())
        inbox.put(item.slot, text, {"person": "somebody"})
    engine.submit(live.folder, step)


def test_a_debate_that_is_over_shows_what_it_came_to(live: Live) -> None:
    assert "How sure" not in live.state()["now"]
    while not is_idle(position := engine.load(live.folder)):
        reply(live, position.debate.step, *[item.task.by for item in position.tasks])
    assert re.search("<strong>The judge leans .*</strong> How sure: [a-z]", live.state()["now"])


def test_entries_are_shown_once_they_are_on_record(live: Live) -> None:
    assert live.state()["entries"] == []
    reply(live, 0, "prop", "opp")
    shown = live.state()["entries"]
    assert all("written by somebody, a person" in entry for entry in shown)
    assert all("Content" in entry for entry in shown)
    engine.undo(live.folder)
    reply(live, 0, "prop", "opp", new="<b>Anew</b>")
    entries = live.state()["entries"]
    again = [entry for entry in entries if entry in shown]
    assert ("&lt;b&gt;Anew" in str(entries), "<b>" in str(entries)) == (True, False)
    assert ["opposition</strong>" in entry for entry in again] == [True] * 3


@pytest.mark.parametrize(
    ("course", "more", "kept_back"),
    [
        ("formal-two-pairs-and-a-judge", {"first_answer": "on"}, ""),
        ("formal-two-pairs-and-a-judge", {"show_preparation": "no"}, "preparation"),
        ("consensus-five-all-phases-two-cycles", {}, ""),
        ("exchange-attacks-decided", {"first_answer": "on"}, ""),
    ],
)
@pytest.mark.usefixtures("work")
def test_nothing_private_is_shown_before_the_end_and_after_it_what_is_on_the_report(
    course: str, more: Any, kept_back: str
) -> None:
    position, steps = create_course(course, **more), list_steps(course)
    for number in range(len(steps) + 1):
        position = engine.next_turn(FOLDER)
        entries = position.debate.entries.values()
        secret = [e for e in entries if e.kind in {"preparation", "advice", "straw"}]
        hidden = {e.id for e in secret if position.tasks or e.kind == kept_back}
        html = "".join(json.loads(server.describe_debate(FOLDER))["entries"])
        listed = {*re.findall('<article [^>]*id="([^"]*)"', html)}
        assert listed == {e.id for e in entries} - hidden
        if number < len(steps):
            advice = {"participant": "adviser", "exchange": position.at.turn.round, "text": "Yes."}
            put(FOLDER, "adviser", advice, number)
            put_replies(course, number)
            take_step(course, number)
    assert secret


def test_a_refused_reply_and_a_failure_are_shown_without_what_was_said(live: Live) -> None:
    item = engine.load(live.folder).tasks[0]
    inbox.put(item.slot, b'{"arguments": [{"title": "T"}]}', {})
    inbox.put(engine.load(live.folder).tasks[1].slot, reply_of(live.folder, "opp"), {})
    with pytest.raises(engine.RepliesRefusedError):
        engine.submit(live.folder, 0)
    failed = {"event": "participant_failed", "participant": "opp", "why": "no credit", "at": "now"}
    events.append_events(live.folder, [failed])
    state = live.state()
    for said in ("proposition</strong>: refused once", "opposition</strong>: has replied"):
        assert said in state["now"]
    assert 'opposition failed at <time datetime="now">' in state["now"]
    assert "no credit" not in str(state)


def test_it_is_shown_how_far_the_debate_is_and_who_leads(live: Live) -> None:
    before = live.state()
    assert "0 of 6 replies" in before["now"]
    assert 'class=" side-0"><strong class="who">proposition</strong>' in before["now"]
    assert "Lead" not in before["now"]
    reply(live, 0, "prop", "opp")
    reply(live, 1, "judge")
    state = live.state()
    assert "3 of 6 replies" in state["now"]
    totals = engine.load(live.folder).header.cumulative_scores
    lead = totals["proposition"]["total"] - totals["opposition"]["total"]
    leader = "proposition" if lead > 0 else "opposition"
    assert f"{leader}</strong> by {abs(lead):.2f}</p>" in state["now"]


@pytest.mark.parametrize(
    ("course", "steps", "by", "shown"),
    [
        ("exchange-attacks-decided", 0, "opp", "Secret."),
        ("exchange-attacks-decided", 0, "adviser", ""),
        ("formal-two-pairs-and-a-judge", 0, "neg", ""),
        ("formal-two-pairs-and-a-judge", 1, "neg", "Secret."),
        ("consensus-five-all-phases-two-cycles", 1, "ann", ""),
    ],
)
@pytest.mark.usefixtures("work")
def test_unfinished_texts_show_unless_hidden(course: str, steps: int, by: str, shown: str) -> None:
    folder = lay_down(course, steps)
    noted = run_file.Notes(folder, {by: "m"})
    with store.hold_lock(folder.within(inbox.RUN_LOCK), "is running this debate"):
        noted.begin([by])
        noted.note_text(by, "Secret.")
        noted.save(at_once=True)
        now = json.loads(server.describe_debate(folder))["now"]
        assert "is writing since" in now
        assert ("<pre>Secret.</pre>" in now) == bool(shown)


def test_a_debate_that_cannot_be_read_is_said_and_shown_again_once_it_can(live: Live) -> None:
    path = Path(live.folder.debate_file)
    good = path.read_bytes()
    events = live.events()
    next(events)
    path.write_bytes(b"---\n{}\n---\n")
    assert "cannot be read" in next(events)["place"]
    path.write_bytes(good)
    assert "motion" in next(events)
    events.close()


def test_a_link_opens_as_soon_as_it_is_printed_and_names_the_host_that_is_asked_for(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_it(_: object, listening: socket.socket) -> None:
        assert "Watch:  https://debates.example/?key=" in shown.getvalue()
        socket.create_connection(listening.getsockname(), timeout=10).close()

    monkeypatch.setattr(server, "serve", open_it)
    with redirect_stderr(io.StringIO()) as shown:
        watched = report.watch(
            live.folder.name, port=None, host=("debates.example",), as_json=False
        )
    assert watched.code == 0
