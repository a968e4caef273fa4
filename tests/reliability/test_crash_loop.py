"""PX-01: every command that writes, in every protocol, stopped and failing at its writes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from debate_ops.errors import DISK, RUN_AGAIN, WAITING_FOR_PERSON
from debate_ops.storage.folder import Folder
from tests.builders import SLUG, spread
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import told
from tests.reliability.every_case import BROKEN_DEBATES, PAIRS, QUICK, cases
from tests.reliability.exchange_cases import CASES
from tests.reliability.faults import (
    KINDS,
    MEANWHILE,
    STOP,
    STOPPED,
    UNSURE,
    command,
    disks_met,
    files_below,
    fingerprint,
    labels,
    make,
    points,
)
from tests.reliability.sweep import FIX, Sweep, calmly, texts_of, trace

if TYPE_CHECKING:
    from pathlib import Path


FEW = 3
"""At how many calls of a command the quick sweep stops it, and among how many of its turns."""
ALL = 1_000_000

NOTHING_TO_DO = {("exchange", "act"), ("formal", "act"), ("speeches", "act")}
"""These protocols know no act."""


@pytest.fixture
def place(work: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """What makes a folder to prepare a case in, and goes there."""

    def make(name: str) -> Path:
        base = work / name / "base"
        base.mkdir(parents=True)
        monkeypatch.chdir(base)
        return base

    return make


@pytest.fixture
def base(place: Callable[[str], Path]) -> Path:
    return place("one")


@pytest.mark.parametrize(
    ("protocol", "name", "most"),
    [
        *((*pair, FEW) for pair in QUICK),
        *(pytest.param(*pair, ALL, marks=pytest.mark.slow) for pair in PAIRS),
    ],
)
def test_old_or_new_and_the_retry_is_right(
    place: Callable[[str], Path], protocol: str, name: str, most: int
) -> None:
    """At each sort of call once, whichever turn it is met in; the quick sweep at a few."""
    tried: set[str] = set()
    total = 0
    actual = list(cases(protocol, name))
    for number, (label, case) in enumerate(actual[:most:3] if most == FEW else actual):
        base = place(str(number))
        case.prepare()
        sweep = Sweep(base, case)
        try:
            for kind in KINDS if most == ALL else (STOP,):
                total += sweep.run(spread(sweep.points(kind, tried), most))
        except AssertionError as error:
            error.add_note(f"{protocol}, {name}: {label}")
            raise
    assert total or (protocol, name) in NOTHING_TO_DO


@pytest.mark.parametrize(("name", "kind"), [("undo", STOP), ("process-exchange, rebuttal", UNSURE)])
def test_a_disk_without_hard_links(base: Path, name: str, kind: str) -> None:
    CASES[name].prepare()
    sweep = Sweep(base, CASES[name], links=False)
    assert sweep.run(spread(sweep.points(kind, set()), 15))


@pytest.mark.parametrize(
    ("name", "most"),
    [("undo", 8), pytest.param("process-exchange, rebuttal", ALL, marks=pytest.mark.slow)],
)
def test_a_stop_leaves_the_disk_as_the_call_found_it(base: Path, name: str, most: int) -> None:
    """So that what stops leave can be known without them."""
    case = CASES[name]
    case.prepare()
    start, calls = files_below(base), trace(base, case.words).calls
    met = list(zip(points(calls, STOP), disks_met(base, *case.words), strict=True))
    for fault, actual in spread(met, most):
        root = base.with_name(f"at-{fault.at}")
        make(root, start)
        assert command(root, *case.words, fault=fault).code == STOPPED
        assert files_below(root) == actual


@pytest.mark.parametrize(
    ("name", "most"),
    [("undo", 12), pytest.param("process-judge, rescore", ALL, marks=pytest.mark.slow)],
)
@pytest.mark.slow
def test_a_reader_at_every_call_sees_old_or_new(base: Path, name: str, most: int) -> None:
    """Ask for the status while a command holds the lock: nothing is waited for or cleared away."""
    CASES[name].prepare()
    assert Sweep(base, CASES[name]).watched(most)


@pytest.mark.slow
def test_a_person_who_saves_debate_md_meanwhile_loses_nothing(base: Path) -> None:
    """At each call but one: between the last look at `debate.md` and its replacement."""
    case = CASES["process-exchange, rebuttal"]
    case.prepare()
    calls = trace(base, case.words).calls
    lost = []
    for fault in points(calls, MEANWHILE):
        root = base.with_name(f"at-{fault.at}")
        shutil.copytree(base, root)
        file = root / "debates" / SLUG / "debate.md"
        act = partial(_add_a_line, file)
        ended = command(root, *case.words, fault=fault._replace(act=act))
        if not file.read_text(encoding="utf-8").endswith(LINE):
            lost.append(calls[fault.at - 1])
        elif ended.code == RUN_AGAIN:
            assert "was changed while this ran" in ended.result["error"]
        again = command(root, *case.words)
        assert (ended.code, again.code, again.result["already_applied"]) in {
            (0, 0, True),
            (RUN_AGAIN, 0, False),
        }
        shutil.rmtree(root)
    assert [f"{call.name} {call.about}" for call in lost] == [
        "replace .debate.md.debate-ops.tmp debate.md"
    ]


LINE = "A line of mine.\n"


def _add_a_line(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8") + LINE, encoding="utf-8")


ONE_AT_A_TIME = {"speeches"}
"""Protocols in which each turn becomes one file: none is ever half written."""


@pytest.mark.parametrize(
    ("protocol", "name", "most"),
    [
        *((p, n, FEW) for n, p in zip(BROKEN_DEBATES, cycle(ROWS), strict=False)),
        *(
            pytest.param(p, n, ALL, marks=pytest.mark.slow)
            for p in ROWS
            for n in BROKEN_DEBATES
            if p not in ONE_AT_A_TIME or "half written" not in n
        ),
    ],
)
@pytest.mark.slow
def test_a_fix_that_is_stopped_loses_nothing_and_comes_to_the_same_end(
    base: Path, protocol: str, name: str, most: int
) -> None:
    BROKEN_DEBATES[name](protocol)
    start, whole = files_below(base), base.with_name("whole")
    make(whole, start)
    ended = command(whole, *FIX)
    assert (ended.code, bool(ended.result.get("fixed"))) == (0, True), ended
    sorts = labels(ended.calls)
    kinds = KINDS if most == ALL else (STOP,)
    every = [f for kind in kinds for f in points(ended.calls, kind) if f.at in sorts]
    faults = spread(every, most)
    known: set[bytes] = set()
    for fault in faults:
        root = base.with_name(f"at-{fault.at}")
        make(root, start)
        try:
            first = command(root, *FIX, fault=fault)
            assert first.code in {0, STOPPED, DISK, RUN_AGAIN}, first
            disk = fingerprint(files_below(root))
            if disk not in known:
                _comes_to_the_same_end(base, whole, root)
                known.add(disk)
        except AssertionError as error:
            call = ended.calls[fault.at - 1]
            error.add_note(f"{fault.kind} at call {fault.at}: {call.name} {call.about} in {root}")
            raise
        shutil.rmtree(root)


def _comes_to_the_same_end(base: Path, whole: Path, root: Path) -> None:
    assert texts_of(root) >= texts_of(base), "entries are lost"
    again = calmly(root, *FIX)
    assert again.code == 0, again
    assert _record(root) == _record(whole)
    assert texts_of(root) == texts_of(whole) == texts_of(base)
    assert calmly(root, *FIX).result["fixed"] == []
    code = calmly(root, "next", SLUG).code
    assert code == calmly(whole, "next", SLUG).code
    assert code in {0, WAITING_FOR_PERSON}


def _record(root: Path) -> dict[str, bytes]:
    return told(Folder(str(root / "debates" / SLUG)))
