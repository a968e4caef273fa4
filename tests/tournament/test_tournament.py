"""The command `tournament`: what it holds, keeps and refuses; ratings and the other figures."""

import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import pairwise, permutations
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock

import psutil
import pytest
import tomlkit

from debate_ops import engine
from debate_ops.core.errors import ConfigurationError
from debate_ops.engine import inbox, store
from debate_ops.engine.store import Folder
from debate_ops.engine.validate import validate
from debate_ops.run import cast
from debate_ops.run.participants import FailedError, StoppedError
from debate_ops.tournament import cluster, ratings
from debate_ops.tournament.plan import Rate
from tests.builders import Data, debate_at, run, written
from tests.cli.stage import say
from tests.ending import PATIENCE
from tests.run.stage import prompt, start, wait_for
from tests.tournament import scripted

pytestmark = [
    pytest.mark.usefixtures("work", "impatient", "known"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
]

CUP = Path("debates/tournaments/cup")
PRICE = Decimal("0.01")
PRELOAD = "tests.tournament.scripted"
PEOPLE = {"weak": "scripted:-0.2", "strong": "scripted:0.2"}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Participants by script can be named, in this test alone."""
    monkeypatch.setitem(cast.KINDS, "scripted", scripted.Scripted)
    monkeypatch.setattr(cluster, "_SECONDS_BETWEEN_CHECKS", 0.01)


def cup_file(**changes: Any) -> str:
    cup = {"motions": ["One", "Two"], "judge": "scripted:judge", "participants": PEOPLE} | changes
    return written("cup.toml", tomlkit.dumps(cup))


def held(*words: str, code: int = 0, **changes: Any) -> Data:
    answer = run("tournament", cup_file(**changes), "-q", *words, "--json")
    assert answer.code == code, answer.remarks
    return answer.result


def debates() -> dict[str, bytes]:
    """Return the debates that are there; one that is being made is in a hidden folder."""
    return {p.parent.name: p.read_bytes() for p in CUP.glob("[!.]*/debate.md")}


def test_each_debate_is_held_once_and_whole_and_has_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "distributed", None)
        assert held("--dry-run")["to_come"] == 4
        assert not CUP.exists()
        assert "the extra 'many'" in held(code=4)["error"]
    result = held()
    assert (result["debates"], result["to_come"], result["errors"]) == (4, 0, [])
    assert len(debates()) == 4
    for slug in debates():
        assert validate(Folder(str(CUP / slug))) == ([], [])
        for page in ("README.md", "report.html"):
            assert f"{slug}/{page}" in (CUP / page).read_text(encoding="utf-8")
            text = (CUP / slug / page).read_text(encoding="utf-8")
            assert "Argument one of this side" in text or page == "README.md"
            assert f"`debate-ops report {CUP / slug}`" in text or page == "report.html"
    before = debates()
    assert (held("--dry-run")["to_come"], held()["to_come"]) == (0, 0)
    assert debates() == before
    with store.hold_lock(str(CUP / "tournament.lock"), "holds this tournament"):
        held(code=7)


def test_a_dry_run_says_what_a_debate_and_all_of_them_are_likely_to_cost() -> None:
    sides = {"ann": "openai:gpt-4o", "ben": "openai:gpt-4o-mini"}
    plan = held("--dry-run", participants=sides, judge="anthropic:claude-3-5-haiku-latest")
    assert (plan["replies"], 0 < float(plan["cost"]) < 1) == (24, True)
    said = say("tournament", "cup.toml", "--dry-run").out.splitlines()
    assert [re.sub(r"[0-9][0-9.,]*(?<=[0-9])", "0", line) for line in said[1:]] == [
        f"{what}: 0 calls: about 0 tokens, $0 at most" for what in ("A debate", "In all")
    ]
    assert held("--dry-run")["cost"] is None
    held("--dry-run", "--max-cost", "1", code=4)
    held("--dry-run", judge="openai:", code=4)
    short, long = "One", {"motion": "Two", "context": "It is a long story. " * 999}
    each, both = [held("--dry-run", motions=[m])["tokens"] for m in (short, long)], [short, long]
    assert held("--dry-run", motions=both)["tokens"] == sum(each)


def test_page_has_a_chart_of_ratings_and_one_of_costs() -> None:
    server = "?base_url=http://me:s3cret@127.0.0.1"
    held(participants={"ann": f"scripted:0.10{server}", "ben": "scripted:0.12"}, motions=[*"ABCDE"])
    page = (CUP / "report.html").read_text(encoding="utf-8")
    assert ("http://127.0.0.1" in page, "s3cret" in page) == (True, False)
    assert re.findall('<figure class="picture chart" id="chart-([a-z]+)"><svg', page) == [
        *("ratings", "cost")
    ]


def test_new_participant_or_lost_debate_is_held_and_nothing_else() -> None:
    held()
    before = debates()
    lost, _ = before.popitem()
    (CUP / lost).rename("elsewhere")
    held(participants={**PEOPLE, "new": "scripted:0.0"})
    page = (CUP / "README.md").read_text(encoding="utf-8")
    assert "it takes decided debates on 5 motions" in page
    assert not (CUP / "charts/ratings.png").exists()
    assert len(debates()) == 12
    assert before.items() < debates().items()


def test_panel_decides_and_its_members_are_compared_also_where_no_file_system_is_shared() -> None:
    judges = ["scripted:first-1", "scripted:first-2", "scripted:longest"]
    assert held("--collect", panel=judges)["to_come"] == 0
    assert [engine.load(Folder(str(CUP / slug))).debate.step for slug in debates()] == [4] * 4
    panels = [engine.load(Folder(str(path.parent))) for path in CUP.glob("*/panel/debate.md")]
    assert [len(panel.debate.find("ballot")) for panel in panels] == [3] * 4
    page = (CUP / "README.md").read_text(encoding="utf-8")
    assert "How often the panel is for the side it reads first" in page
    assert "How often two members of a panel agree" in page


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"participants": {"c": "openai:", **PEOPLE}}, 4, "c (openai:): 'openai:' does not say"),
        ({"judge": "cmd:no-such-program"}, 4, "judge (cmd:no-such-program): "),
        ({"judge": f"cmd:{sys.executable}"}, 2, "the file starts 1 program"),
        ({"repeat": 2}, 2, "repeat: there is no such setting; did you mean repeats?"),
    ],
)
def test_nothing_begins_if_something_cannot(changes: dict[str, Any], code: int, said: str) -> None:
    agreed = ["--yes"] if code == 4 else []  # else the program is asked about first
    answer = run("tournament", cup_file(**changes), *agreed, "--json")
    assert answer.code == code
    assert said in json.dumps(answer.result)
    assert not CUP.exists()


@pytest.mark.parametrize(
    ("error", "said"),
    [(FailedError("it has no luck", tries=1), "gave no usable reply"), (OSError(28, "x"), "disk")],
)
def test_each_who_fails_is_named_and_the_same_command_goes_on(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(scripted.Scripted, "reply", fail)
        result = held(code=3)
    assert len(result["errors"]) == 4
    assert said in result["errors"][0]
    assert held()["errors"] == []


def test_a_debate_that_cannot_be_read_or_is_on_another_motion_is_named() -> None:
    held()
    (path, *_) = CUP.glob("*/debate.md")
    whole = path.read_text(encoding="utf-8")
    for text in ("", whole.replace("One", "Else").replace("Two", "Else")):
        path.write_text(text, encoding="utf-8")
        assert str(path.parent) in held("--dry-run", code=5)["error"]
    shutil.rmtree(path.parent)
    assert held("--dry-run")["to_come"] == 1


def test_a_debate_whose_workers_die_too_often_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed.scheduler import KilledWorker  # takes a second

    def die(*_: Any, **__: Any) -> Any:
        raise KilledWorker("debate", SimpleNamespace(address="here"), 3)

    monkeypatch.setattr(cluster, "_attempt", die)
    assert "killed again and again" in held(code=3)["errors"][0]
    monkeypatch.setattr(cluster, "_attempt", lambda *_, **__: 1 / 0)
    held(code=70)  # no result of a debate


@pytest.mark.parametrize("most", [0.08, pytest.param(0.17, marks=pytest.mark.slow)])
def test_a_limit_of_money_binds_until_raised(most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("run.spending", "tournament.cluster"):
        monkeypatch.setattr(f"debate_ops.{module}.find_price", lambda *_: PRICE)
    assert "may cost" in held("--max-cost", str(most), code=6)["errors"][0]
    entries = [
        (slug, e.step, e.by)
        for slug in debates()
        for e in engine.load(Folder(str(CUP / slug))).debate.entries.values()
    ]
    assert 0.5 * most < len({*entries}) * float(PRICE) <= most
    assert held("--max-cost", "100")["errors"] == []


@pytest.mark.parametrize(
    ("limit", "share"),
    [({"per_minute": 60}, 1), ({"tokens_per_minute": 6000}, (400 + 2800) // 4 / 100)],
)
def test_requests_of_all_workers_are_spread_evenly_over_the_minute(
    limit: Data, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Variable  # takes a second

    stop = Event()
    stop.set()
    monkeypatch.setattr(cluster, "time", Mock(time=lambda: 1.8e9))
    with cluster.open_cluster(1, None, {}) as client:
        Variable("ledger", client).set({"free": {}, "most": None})
        two = [cluster.Metered(spec, Rate(**limit), "ledger") for spec in PEOPLE.values()]
        waits = [who.reserve(400)[1] for who in two * 2]
        assert [b - a for a, b in pairwise(waits)] == pytest.approx([share] * 3)
        with pytest.raises(StoppedError):  # while it waits
            two[0].reply(prompt(stop=stop))
    reserve = MagicMock(return_value=(None, 0.0))
    monkeypatch.setattr(cluster.Metered, "reserve", reserve)
    held(limits={"scripted": limit})
    assert reserve.call_count == 4 * 6


def test_nothing_listens_but_on_loopback() -> None:
    with cluster.open_cluster(2, None, {}):
        found = psutil.Process().net_connections("tcp")
        listening = {each.laddr.ip for each in found if each.status == psutil.CONN_LISTEN}
    assert listening == {"127.0.0.1"}


@contextmanager
def processes(count: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler on loopback, and the numbers of its workers, each a process of its own."""
    from distributed import LocalCluster  # takes a second

    how: Data = {"preload": PRELOAD, "env": {"THINKS": "0.1"}}
    how |= {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with LocalCluster(n_workers=count, threads_per_worker=2, processes=True, **how) as made:
        yield made.scheduler_address, [worker.pid for worker in made.workers.values()]


def begin(address: str) -> "subprocess.Popen[str]":
    """Start the command on a scheduler; return it once a debate is there."""
    words = ("tournament", cup_file(), "--scheduler", address, "--json")
    command = start(*words, PRELOAD=PRELOAD)
    wait_for(debates)
    return command


@pytest.mark.slow
def test_killed_worker_loses_no_debate_and_none_is_held_twice() -> None:
    with processes(2) as (address, (first, _)):
        command = begin(address)
        os.kill(first, signal.SIGKILL)
        out, _ = command.communicate()
    result = json.loads(out)
    assert (command.returncode, result["to_come"], result["errors"]) == (0, 0, [])
    for slug in debates():
        folder = Folder(str(CUP / slug))
        assert validate(folder) == ([], [])
        assert engine.load(folder).debate.step == 4


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_command_that_ends_early_ends_what_runs_on_its_scheduler(number: int, code: int) -> None:
    with processes(1) as (address, _):
        command = begin(address)
        command.send_signal(number)
        command.communicate()
        steps = []
        for slug in debates():
            folder = Folder(str(CUP / slug))
            with store.hold_lock(folder.within(inbox.RUN_LOCK), "looks at it", wait=PATIENCE):
                steps.append(engine.load(folder).debate.step)
        assert (command.returncode, min(steps) < 4) == (code, True)
        assert held("--scheduler", address)["to_come"] == 0


def test_a_cluster_is_closed_whole_if_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster.open_cluster(1, None, {}) as client:
        close = client.close

        def close_amid_signals() -> None:
            for _ in range(3):
                signal.raise_signal(signal.SIGINT)
            close()

        monkeypatch.setattr(client, "close", close_amid_signals)
    assert client.status == "closed"


def test_a_cluster_of_ones_own_is_closed_if_nobody_connects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = MagicMock()
    monkeypatch.setattr("distributed.LocalCluster", own)
    monkeypatch.setattr("distributed.Client", MagicMock(side_effect=OSError("no")))
    with pytest.raises(ConfigurationError), cluster.open_cluster(1, None, {}):
        pass
    own().close.assert_called_once()


@pytest.mark.slow
def test_judges_on_a_scheduler_write_what_one_worker_here_writes() -> None:
    source = debate_at(2)
    written_by = []
    with processes(1) as (address, _):
        for words in ((), ("--scheduler", address)):
            shutil.rmtree(source.within("rejudged"), ignore_errors=True)
            judge = f"replay:{source.name}"
            answer = run("rejudge", source.name, "--judge", judge, *words, "--json")
            assert answer.code == 0, answer.remarks
            paths = Path(source.path, "rejudged").rglob("*.md")
            written_by.append({p: p.read_bytes() for p in paths if "inbox" not in p.parts})
    assert written_by[0] == written_by[1]
    assert len(written_by[0]) > 3


SPREAD = 0.35


def covers(interval: ratings.Interval, value: float) -> bool:
    return interval.low <= value <= interval.high


def simulate(
    seed: int, people: int, motions: int, side: float = 0.0, ties: float = 0.6
) -> list[dict[str, Any]]:
    """Return results by Davidson's model, of participants whose strengths are `SPREAD` apart."""
    chance, results = random.Random(seed), []  # noqa: S311  (a game)
    for motion in range(motions):
        for a, b in permutations(range(people), 2):
            prop, opp = math.exp(SPREAD * a + side / 2), math.exp(SPREAD * b - side / 2)
            tie = ties * math.sqrt(prop * opp)
            won = chance.random() * (prop + opp + tie)
            winner = "prop" if won < prop else "opp" if won < prop + opp else "tie"
            results.append(result(f"p{a}", f"p{b}", winner, motion=str(motion)))
    return results


def result(prop: str, opp: str, winner: str | None, **more: Any) -> dict[str, Any]:
    usual: Data = {"prop": prop, "opp": opp, "winner": winner, "motion": "m", "panel": []}
    return usual | {"judge": [(winner, "prop")], "words": {"prop": 2, "opp": 1}} | more


@pytest.mark.parametrize(
    ("side", "ties"), [(0.6, 0.6), (-0.6, 0.6), (0.0, 0.6), (0.6, 0.01), (0.6, 0.0), (0.0, 0.0)]
)
def test_ratings_find_order_strengths_ties_and_sides(side: float, ties: float) -> None:
    found = ratings.rate(simulate(3, 4, 150, side, ties), resamples=60)
    assert [*found.strengths] == ["p3", "p2", "p1", "p0"]
    assert found.side is not None
    assert covers(found.side, 0) != bool(side)
    assert found.side.value == pytest.approx(side, abs=0.3)
    for name, interval in found.strengths.items():
        assert interval.value == pytest.approx(SPREAD * (int(name[1]) - 1.5), abs=0.15)
        assert interval.low < interval.value
        assert not covers(interval, interval.value + 1)
    assert found.ties == pytest.approx(ties / 2, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "motions", "side"), [(8, 24, 0.4), (8, 24, 0.0), (8, 12, 0.4), (2, 24, 0.4)]
)
def test_intervals_cover_strengths_and_sides(people: int, motions: int, side: float) -> None:
    covered = sides = found = 0
    rated = [ratings.rate(simulate(n, people, motions, side), n, 100) for n in range(200)]
    rated = [each for each in rated if not each.why]
    for each in rated:
        assert each.side is not None
        sides += covers(each.side, side)
        found += not covers(each.side, 0)
        middle = (people - 1) / 2
        covered += sum(covers(i, SPREAD * (int(n[1]) - middle)) for n, i in each.strengths.items())
    assert len(rated) > 190
    assert 0.92 <= covered / len(rated) / people <= 0.99
    assert sides / len(rated) >= 0.90
    assert found / len(rated) <= 0.09 if side == 0 else people == 2 or found / len(rated) > 0.9


NOT_KNOWN = "how they compare is not known"


@pytest.mark.parametrize(
    ("decided", "why"),
    [
        ([], "no two participants have a decided debate"),
        (["a b tie", "c d tie"], f"a and b lost no debate against c and d: {NOT_KNOWN}"),
        (["a b prop", "b a opp"], f"a lost no debate against b: {NOT_KNOWN}"),
        (["a b tie", "b c prop"], f"a and b lost no debate against c: {NOT_KNOWN}"),
        (["a b tie"] * 4, "it takes decided debates on 5 motions to tell strengths apart"),
    ],
)
def test_there_are_no_ratings_where_results_cannot_tell_and_it_is_said_why(
    decided: list[str], why: str
) -> None:
    held = [result(*each.split(), motion=str(number)) for number, each in enumerate(decided)]
    found = ratings.rate([*held, result("a", "b", None)])
    assert (found.strengths, found.side, found.why) == ({}, None, why)


def test_points_count_a_tie_as_half_and_leave_out_what_nobody_judged() -> None:
    results = [result("a", "b", "prop"), result("b", "a", "tie"), result("a", "b", None)]
    points = {("a", "b"): (1.5, 2), ("b", "a"): (0.5, 2)}
    assert ratings.count_points(results) == points | {("a", ""): (1.5, 2), ("b", ""): (0.5, 2)}
    found = ratings.share_of(results)
    assert found is not None
    assert (found.accuracy, found.number) == (0.75, 2)


def test_biases_tell_order_length_and_agreement_apart() -> None:
    voices = {"panel": [("prop", "opp"), ("opp", "opp")], "judge": [("prop", "prop")]}
    results = [
        result("a", "b", "prop"),
        result("a", "b", "opp", **voices, words={"prop": 5, "opp": 5}),
    ]
    found = {what: (each.accuracy, each.number) for what, each in ratings.list_biases(results)}
    assert found == {
        "how often the judge is for the side it reads first": (1.0, 2),
        "how often the judge is for the side with more words": (1.0, 1),
        "how often the panel is for the side it reads first": (0.5, 2),
        "how often two members of a panel agree": (0.0, 1),
        "how often a member agrees with the judge": (0.5, 2),
    }


def test_costs_are_those_of_a_participants_own_replies() -> None:
    cost = {"prop": 0.5, "opp": 0.25, "judge": 9.0}
    results = [result("a", "b", "prop", cost=cost), result("b", "a", "tie", cost=cost)]
    assert ratings.find_costs(results) == {"a": 0.375, "b": 0.375}
