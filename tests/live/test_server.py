"""The live page over HTTP: what each link shows and allows, and nothing to anybody else."""

import io
import json
import socket
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, nullcontext, redirect_stderr
from http.client import HTTPConnection, HTTPResponse
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
import uvicorn

from debate_ops import engine
from debate_ops.cli import watch
from debate_ops.core.errors import UsageError
from debate_ops.core.values import Act
from debate_ops.engine import Framing, events, inbox, store
from debate_ops.engine.store import Folder
from debate_ops.live import feed, server
from debate_ops.live.feed import OWNER, PARTICIPANT, VIEWER, Seat
from debate_ops.run import running
from debate_ops.run.endings import is_idle
from tests.courses import list_steps
from tests.engine.stage import FOLDER, create_course, lay_down, put, put_replies, take_step
from tests.run.stage import case, reply_of, wait_for

NAMES = ("prop", "opp", "judge")


class Live(NamedTuple):
    """A page that is served: the debate, where, and the secrets by seat."""

    folder: Folder
    port: int
    keys: Mapping[str, str]

    def ask(
        self, path: str, seat: str = "owner", method: str = "GET", body: str = "", **headers: str
    ) -> tuple[HTTPResponse, str]:
        address = f"{path}{'&' if '?' in path else '?'}key={self.keys.get(seat, seat)}"
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request(method, address, body or None, headers)
            with connection.getresponse() as response:
                return response, response.read().decode()

    def act(self, seat: str = "owner", **asked: str) -> tuple[int, dict[str, Any]]:
        origin = f"http://127.0.0.1:{self.port}"
        response, text = self.ask("/act", seat, "POST", json.dumps(asked), Origin=origin)
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(text) if is_json else {}

    def events(self, seat: str = "owner") -> Generator[tuple[str, Any], None, None]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", f"/events?key={self.keys[seat]}")
            with connection.getresponse() as response:
                while name := response.readline().decode().strip():
                    yield name.removeprefix("event: "), json.loads(response.readline()[6:])
                    response.readline()

    def state(self, seat: str = "owner") -> dict[str, Any]:
        with closing(self.events(seat)) as events:
            return next(data for name, data in events if name == "state")


@pytest.fixture
def live(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Live]:
    """Serve an exchange, or a debate in consensus between those who are named."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(server, "_SECONDS_BETWEEN_LOOKS", 0.02)
    names = getattr(request, "param", NAMES)
    if names not in (NAMES, ()):
        settings = {"participants": names, "first_answer": "off"}
        folder = engine.create("x", Framing("M"), protocol="consensus", settings=settings).folder
    else:
        folder = case(motion="This house <b>tests</b>.")
        engine.next_turn(folder, 1)
    seats = feed.assign_seats(folder, names)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        application = server.make_app(folder, seats, frozenset({"debates.example"}))
        config = uvicorn.Config(application, log_level="critical", timeout_graceful_shutdown=1)
        served = uvicorn.Server(config)
        thread = Thread(target=served.run, args=([listening],), daemon=True)
        thread.start()
        wait_for(lambda: served.started)
        keys = {seat.label: seat.secret for seat in seats}
        yield Live(folder, listening.getsockname()[1], keys)
        served.should_exit = True
        thread.join(10)


def test_nothing_is_shown_without_a_valid_link(live: Live) -> None:
    paths = ("/", "/events", "/entry/prop_000a", "/form?as=prop", "/report", "/act")
    for path, key in product(paths, ("", "x", "\u00e4".encode().hex())):
        method = "POST" if path == "/act" else "GET"
        assert live.ask(path, key, method)[0].status == 403, (path, key)


def test_each_page_is_closed_to_other_sites(live: Live) -> None:
    response, text = live.ask("/")
    assert response.status == 200
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert live.keys["owner"] not in text


def test_a_host_that_is_not_allowed_is_named_with_what_allows_it(live: Live) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example:80", "debates.example.evil.example", ""):
        response, text = live.ask("/", Host=host)
        assert response.status == 403
        assert f"{host!r}" in text
        assert f"watch {live.folder.name} --host" in text
    for host in ("debates.example", "Debates.Example:8443", "localhost:1"):
        assert live.ask("/", Host=host)[0].status == 200, host


def test_only_the_page_itself_may_act_also_through_a_proxy_with_its_host(live: Live) -> None:
    for origin in ("", "http://evil.example", "http://127.0.0.1:1", "http://localhost", "null"):
        headers = {"Origin": origin} if origin else {}
        response, _ = live.ask("/act", "owner", "POST", '{"act": "pause"}', **headers)
        assert response.status == 403, origin
    assert engine.load(live.folder).hold is None
    proxied = {"Origin": "https://debates.example"}
    response, _ = live.ask("/act", "owner", "POST", '{"act": "pause"}', **proxied)
    assert response.status == 200
    assert response.headers["X-Accel-Buffering"] == "no"


def test_the_owner_alone_controls_the_debate_and_speaks_also_to_one_alone(live: Live) -> None:
    for seat, act in product(("viewer", *NAMES), ("pause", "stop", "resume", "say")):
        assert live.act(seat, act=act, text="Hello.")[0] == 403, (seat, act)
    position = engine.load(live.folder)
    assert (position.hold, position.header.words) == (None, [])
    for to in ("", "debater", "opp"):
        assert live.act(act="say", text="Be brief.", to=to, by="kim")[0] == 200
    words = {seat: [word["to"] for word in live.state(seat)["words"]] for seat in live.keys}
    assert words["owner"] == words["opp"] == ["", "debater", "opp"]
    assert (words["prop"], words["viewer"], words["judge"]) == (["", "debater"], [""], [""])
    assert live.act(act="pause", by="kim")[0] == 200
    state = live.state()
    assert state["words"][0]["text"] == "Be brief."
    assert state["hold"]["state"] == "paused"
    assert live.act(act="resume")[0] == 200
    assert live.act(act="stop")[0] == 200
    state = live.state()
    assert (state["hold"]["state"], bool(state["asked_at"])) == ("stopped", True)


def test_bad_requests_get_an_answer_that_says_why(live: Live) -> None:
    assert live.act(act="dance")[0] == 400
    status, answer = live.act(act="say", text="Hello.", to="nobody")
    assert status == 400
    assert answer["hint"]
    for act, part in product(("say", "pause", "reply"), ("text", "by")):
        status, answer = live.act(**{"act": act, "to": "prop", "text": "Hello.", part: "\ud800"})
        assert (status, "surrogate" in answer["error"]) == (400, True)
    origin = f"http://127.0.0.1:{live.port}"
    assert live.ask("/act", "owner", "POST", "[1]", Origin=origin)[0].status == 400
    assert live.ask("/act", "owner", "POST", "x" * 3_000_000, Origin=origin)[0].status == 413
    assert live.ask("/entry/nothing")[0].status == 400
    assert live.ask("/static/..%2fserver.py")[0].status == 404


def test_what_happens_is_pushed_and_who_comes_back_sees_all_of_it(live: Live) -> None:
    events = live.events()
    assert next(events)[0] == "seat"
    assert next(events)[1]["words"] == []
    engine.say(live.folder, "First.", by="kim")
    assert [word["text"] for word in next(events)[1]["words"]] == ["First."]
    events.close()
    engine.say(live.folder, "Second.", by="kim")
    assert [word["text"] for word in live.state()["words"]] == ["First.", "Second."]


def good(live: Live, name: str) -> str:
    return reply_of(live.folder, name).decode()


def test_a_participant_replies_for_itself_alone(live: Live) -> None:
    for seat in ("opp", "viewer", "owner"):
        assert live.act(seat, act="reply", to="prop", text=good(live, "prop"))[0] == 403
        assert live.ask("/form?as=prop", seat)[0].status == 403
    thin = '{"arguments": [{"title": "T"}]}'
    status, answer = live.act("prop", act="reply", to="prop", text=thin)
    assert status == 409
    assert len(answer["faults"]) > 1, "all of them at once"
    assert live.act("prop", act="reply", to="prop", text=good(live, "prop"), by="Ada")[0] == 200
    (item, _) = engine.load(live.folder).tasks
    assert item.status == engine.REPLIED
    assert json.loads(Path(item.slot.made).read_text())["made_by"] == {"person": "Ada"}


@pytest.mark.parametrize("live", [()], indirect=True)
def test_where_seats_have_no_links_the_owner_replies_as_whom_the_run_asks_by_any_of_their_names(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = json.loads(live.ask("/form?as=opp")[1])
    assert answer["naming"] == {"participant": "opp", "exchange": 0, "phase": "awaiting_arguments"}
    assert json.loads(live.ask("/form?as=Opposition")[1]) == answer
    assert answer["schema"]["properties"]["arguments"]["minItems"] == 3
    assert "This house" in answer["prompt"]
    monkeypatch.setattr(server, "find_person", lambda _, name: f"asked as {name}")
    assert live.act(act="reply", to="Proposition", text=good(live, "prop"))[0] == 200
    item = engine.load(live.folder).find_task("prop")
    assert json.loads(Path(item.slot.made).read_text())["made_by"] == {"person": "asked as prop"}


PAGE = {"page": "It pays."}
MEMO = {"answer": "Yes.", "direction": "prop", "confidence": [{"percent": 70, "of": "it pays"}]}


def test_a_person_writes_the_memo_of_a_complete_debate(live: Live) -> None:
    assert live.ask("/form?as=reporter")[0].status == 409
    Path(live.folder.within("report.html")).write_text("All of it.")
    assert (live.ask("/report", "prop")[0].status, live.state()["outcome"]) == (404, None)
    while not is_idle(position := engine.load(live.folder)):
        for name in [item.task.by for item in position.tasks]:
            live.act(name, act="reply", to=name, text=good(live, name))
        engine.submit(live.folder, position.debate.step)
    assert live.ask("/form?as=reporter", "prop")[0].status == 403
    form = json.loads(live.ask("/form?as=reporter")[1])
    assert (form["naming"], "participant" in form["schema"]["properties"]) == ({}, False)
    assert form["schema"]["properties"]["direction"]["enum"] == ["prop", "opp", "open"]
    surrogate = json.dumps(MEMO | {"page": "It \ud800 pays.", "answer": ""})
    good_one = json.dumps(MEMO | PAGE)
    for text, code in (("[]", 400), (json.dumps(MEMO), 409), (surrogate, 409), (good_one, 200)):
        assert live.act(act="reply", to="reporter", text=text, by="Ada")[0] == code
    memo = Path(live.folder.within("memo.md")).read_text(encoding="utf-8")
    assert ('"Ada"' in memo, memo.endswith("---\n\nIt pays.\n")) == (True, True)
    outcome = live.state("prop")["outcome"]
    assert (outcome["answer"], outcome["has_page"]) == ("Yes.", True)
    assert live.ask("/report", "prop")[1] == "All of it."
    engine.say(live.folder, "For you alone.", by="kim", to="opp")
    for seat, sees in (("owner", True), ("opp", True), ("prop", False), ("viewer", False)):
        assert live.ask("/report", seat)[0].status == (200 if sees else 403), seat
        assert live.state(seat)["outcome"]["has_page"] == sees


@pytest.mark.parametrize("live", [["reporter", "ben", "cara"]], indirect=True)
@pytest.mark.parametrize(("ends", "code"), [(["cancel"], 403), (["escalate", "decide"], 200)])
def test_a_participant_named_reporter_replies_as_itself_and_the_owner_writes_the_memo(
    live: Live, ends: list[str], code: int
) -> None:
    form = json.loads(live.ask("/form?as=reporter", "reporter")[1])
    assert form["naming"]["participant"] == "reporter"
    reply = {"act": "reply", "to": "reporter"}
    proposal = {"title": "T", "confidence": 0.5, "solution": "S.", "reasoning": "R."}
    assert live.act("reporter", **reply, text=json.dumps(form["naming"] | proposal))[0] == 200
    for name in ends:
        given = {"reason": "No need."} | ({"text": "No."} if name == "decide" else {})
        engine.act(live.folder, Act(name, given, "kim"))
    for seat, expected in (("reporter", 409), ("owner", code)):
        assert live.ask("/form?as=reporter", seat)[0].status == expected
        text = json.dumps(MEMO | PAGE | {"direction": "open"})
        assert live.act(seat, **reply, text=text)[0] == expected
    assert Path(live.folder.within("memo.md")).exists() == (code == 200)


def test_entries_are_shown_once_they_are_on_record(live: Live) -> None:
    for name in ("prop", "opp"):
        live.act(name, act="reply", to=name, text=good(live, name))
    assert live.state()["entries"] == []
    engine.submit(live.folder, 0)
    shown = live.state()["entries"]
    assert {entry["participant"] for entry in shown} == {"prop", "opp"}
    assert all(entry["person"] == "somebody" for entry in shown)
    assert json.loads(live.ask(f"/entry/{shown[0]['id']}")[1])["lines"]
    engine.undo(live.folder)
    for name in ("prop", "opp"):
        text = good(live, name).replace("Content prop", "What the list does not show")
        live.act(name, act="reply", to=name, text=text)
    engine.submit(live.folder, 0)
    again = [entry for entry in live.state()["entries"] if entry in shown]
    assert [entry["participant"] for entry in again] == ["opp"] * 3


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
def test_a_seat_sees_what_its_prompts_show_and_after_the_end_what_is_on_the_page(
    course: str, more: Any, kept_back: str
) -> None:
    position, shown, steps = create_course(course, **more), feed.Feed(FOLDER), list_steps(course)
    prompted = dict.fromkeys(position.protocol.participants(position.debate.settings), "")
    for number in range(len(steps) + 1):
        position = engine.next_turn(FOLDER)
        entries = position.debate.entries.values()
        secret = [e for e in entries if e.kind in {"preparation", "advice", "straw"}]
        for item in position.tasks:
            if item.task.by in prompted:
                prompted[item.task.by] += Path(item.slot.prompt).read_text(encoding="utf-8")
        for seat in (Seat(VIEWER), *(Seat(PARTICIPANT, name) for name in prompted)):
            others = [e for e in secret if e.by != seat.name]
            hidden = {e.id for e in others if position.tasks or e.kind == kept_back}
            if position.tasks and seat.name:
                said = prompted[seat.name]
                hidden = {e.id for e in entries if e.by != seat.name and f'"{e.id}"' not in said}
            listed = {e["id"] for e in json.loads(shown.state(seat))["entries"]}
            assert listed == {e.id for e in entries} - hidden
            unread = {e.id for e in secret if not shown.describe_entry(e.id, seat)}
            assert unread == hidden & {e.id for e in secret}
        assert len(json.loads(shown.state(Seat(OWNER)))["entries"]) == len(entries)
        if number < len(steps):
            advice = {"participant": "adviser", "exchange": position.at.turn.round, "text": "Yes."}
            put(number, "adviser", advice)
            put_replies(course, number)
            take_step(course, number)
    assert secret


def test_a_refused_reply_and_a_failure_are_shown_with_their_reasons(live: Live) -> None:
    item = engine.load(live.folder).tasks[0]
    inbox.put(item.slot, b'{"arguments": [{"title": "T"}]}', {})
    inbox.put(engine.load(live.folder).tasks[1].slot, good(live, "opp").encode(), {})
    with pytest.raises(engine.RepliesRefusedError):
        engine.submit(live.folder, 0)
    failed = {"event": "participant_failed", "participant": "opp", "why": "no credit", "at": "now"}
    events.append_events(live.folder, [failed])
    state = live.state()
    (task, other) = state["tasks"]
    assert (task["status"], task["attempts"]) == ("refused", 1)
    assert task["why"].startswith("participant: is missing")
    assert "(and 5 more faults)" in task["why"]
    assert other["status"] == "replied"
    assert state["failed"] == [failed]
    assert live.state("opp")["tasks"][0]["why"] == "", "it may quote the reply"
    known = {key: failed[key] for key in ("event", "participant", "at")}
    for seat, expected in (("opp", failed), ("prop", known), ("judge", known), ("viewer", known)):
        assert live.state(seat)["failed"] == [expected], seat


@pytest.mark.parametrize("live", [["owner", "viewer", "cara"]], indirect=True)
def test_a_participant_of_any_name_has_a_link_of_its_own_that_allows_no_more(live: Live) -> None:
    assert set(live.keys) == {"owner", "viewer", "participant owner", "participant viewer", "cara"}
    for name in ("owner", "viewer"):
        assert live.act(f"participant {name}", act="pause")[0] == 403
        assert live.ask(f"/form?as={name}", f"participant {name}")[0].status == 200
        assert live.ask(f"/form?as={name}", "viewer")[0].status == 403
    assert live.act("owner", act="pause")[0] == 200


def test_it_is_shown_how_far_the_debate_is_and_who_leads(live: Live) -> None:
    before = live.state()
    assert before["replies"] == {"done": 0, "left": 6}
    assert (before["sides"], before["leads"]) == (["prop", "opp"], [])
    assert before["names"]["prop"] == "proposition"
    for step, names in enumerate((("prop", "opp"), ("judge",))):
        for name in names:
            live.act(name, act="reply", to=name, text=good(live, name))
        engine.submit(live.folder, step)
    state = live.state()
    assert state["replies"] == {"done": 3, "left": 3}
    lead = state["totals"]["proposition"]["total"] - state["totals"]["opposition"]["total"]
    leads = {"place": "opening", "lead": pytest.approx(lead), "size": f"{lead:.2f}"}
    assert state["leads"] == [leads]
    seats = [live.state(seat) for seat in ("viewer", "judge", "prop")]
    assert [(seat["leads"], bool(seat["totals"])) for seat in seats] == (
        [([leads], True), ([leads], True), ([], False)]
    )


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
    noted, live_feed = running.Notes(folder, {by: "m"}), feed.Feed(folder)
    seats = [Seat(OWNER), Seat(VIEWER), Seat(PARTICIPANT, by), Seat(PARTICIPANT, "prop")]
    with store.hold_lock(folder.within(inbox.RUN_LOCK), "is running this debate"):
        noted.begin([by])
        noted.note_text(by, "Secret.")
        noted.save(at_once=True)
        texts = [json.loads(live_feed.state(seat))["calls"][0]["text"] for seat in seats]
    assert texts == ["Secret.", shown, "", ""]


def test_a_debate_that_cannot_be_read_is_said_and_shown_again_once_it_can(live: Live) -> None:
    path = Path(live.folder.debate_file)
    good = path.read_bytes()
    events = live.events()
    next(events), next(events)
    path.write_bytes(b"---\n{}\n---\n")
    assert "error" in next(events)[1]
    assert "debate.md" in json.loads(live.ask("/entry/prop_000a")[1])["error"]
    path.write_bytes(good)
    assert "motion" in next(events)[1]
    events.close()


def test_links_stay_until_their_private_file_is_deleted(live: Live) -> None:
    assert {seat.label: seat.secret for seat in feed.assign_seats(live.folder, NAMES)} == live.keys
    path = Path(live.folder.within(".pending", "links.json"))
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text('{"owner": 5, "viewer": "short"}')
    mended = {seat.label: seat.secret for seat in feed.assign_seats(live.folder)}
    assert not set(mended.values()) & {"short", *live.keys.values()}
    path.unlink()
    other = {seat.label: seat.secret for seat in feed.assign_seats(live.folder, NAMES)}
    assert not set(other.values()) & set(live.keys.values())


def test_a_link_opens_as_soon_as_it_is_printed(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(_: object, listening: socket.socket) -> None:
        socket.create_connection(listening.getsockname(), timeout=10).close()

    monkeypatch.setattr(server, "serve", opened)
    assert watch.watch(live.folder.name, port=None, host=(), as_json=False, seats=False).code == 0


@pytest.mark.parametrize(
    ("host", "link"),
    [
        ("debates.example", "https://debates.example/?key="),
        ("http://Box:8080/debate/", "http://Box:8080/debate/?key="),
        ("https://[", None),
        ("", None),
    ],
)
def test_links_name_the_host_that_is_asked_for(
    live: Live, monkeypatch: pytest.MonkeyPatch, host: str, link: str | None
) -> None:
    monkeypatch.setattr(server, "serve", lambda *_: None)
    with (
        redirect_stderr(io.StringIO()) as shown,
        pytest.raises(UsageError) if link is None else nullcontext(),
    ):
        watch.watch(live.folder.name, port=None, host=(host,), as_json=False, seats=False)
    assert f"owner:  {link}" in shown.getvalue() or link is None
