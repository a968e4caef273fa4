"""PX-01: every command that writes, in every protocol, stopped and failing at its writes."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops.errors import DISK, RUN_AGAIN, WAITING_FOR_PERSON
from debate_ops.storage.folder import Folder
from tests.builders import SLUG
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import told
from tests.reliability.every_case import BROKEN_DEBATES, COMMANDS
from tests.reliability.faults import (
    KINDS,
    STOP,
    STOPPED,
    TEAR,
    command,
    files_below,
    fingerprint,
    make,
    of_each_sort,
    points,
    spread,
)
from tests.reliability.test_crash_loop import Sweep, calmly

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = 1_000_000
FEW = 4
"""At how many calls of each command the quick sweep stops it."""

PAIRS = [(protocol, name) for protocol in ROWS for name in COMMANDS]
KNOWN = {
    ("exchange", name) for name in ("next", "submit", "last submit", "submit, refused", "skip")
}
"""What `test_crash_loop` stops at every call."""

SWEEPS = [(*pair, STOP, FEW) for pair in PAIRS if pair not in KNOWN] + [
    pytest.param(*pair, kind, ALL, marks=pytest.mark.slow) for pair in PAIRS for kind in KINDS
]
FIX = ("validate", SLUG, "--fix", "--json")
FIXES = [(p, name, STOP, FEW + 2) for p in ROWS for name in BROKEN_DEBATES] + [
    pytest.param(p, name, kind, ALL, marks=pytest.mark.slow)
    for p in ROWS
    for name in BROKEN_DEBATES
    for kind in KINDS
]


@pytest.fixture
def place(work: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """What makes a folder to prepare a case in, and goes there."""

    def make(name: str) -> Path:
        base = work / name / "base"
        base.mkdir(parents=True)
        monkeypatch.chdir(base)
        return base

    return make


@pytest.mark.parametrize(("protocol", "name", "kind", "most"), SWEEPS)
def test_old_or_new_and_the_retry_is_right(  # noqa: PLR0913, PLR0917
    place: Callable[[str], Path],
    protocol: str,
    name: str,
    kind: str,
    most: int,
    record_property: Callable[[str, object], None],
) -> None:
    total = 0
    for number, (label, case) in enumerate(COMMANDS[name](protocol)):
        base = place(str(number))
        case.prepare()
        sweep = Sweep(base, case)
        try:
            total += sweep.run(spread(sweep.points_of_each_sort(kind), most))
        except AssertionError as error:
            error.add_note(f"{protocol}, {name}: {label}")
            raise
    record_property("points", (kind, total))
    assert total or kind == TEAR or (protocol, name) in NOTHING_TO_DO


NOTHING_TO_DO = {("exchange", "act"), ("formal", "act")}
"""These protocols know no act."""


@pytest.mark.parametrize(("protocol", "name", "kind", "most"), FIXES)
def test_a_fix_that_is_stopped_loses_nothing_and_comes_to_the_same_end(  # noqa: PLR0913, PLR0917
    place: Callable[[str], Path],
    protocol: str,
    name: str,
    kind: str,
    most: int,
    record_property: Callable[[str, object], None],
) -> None:
    base = place("fix")
    BROKEN_DEBATES[name](protocol)
    start, whole = files_below(base), base.with_name("whole")
    make(whole, start)
    ended = command(whole, *FIX)
    assert (ended.code, bool(ended.told.get("fixed"))) == (0, True), ended
    faults = spread(of_each_sort(points(ended.calls, kind), ended.calls), most)
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
            error.add_note(f"{kind} at call {fault.at}: {call.name} {call.about} in {root}")
            raise
        shutil.rmtree(root)
    record_property("points", (f"{kind}, --fix", len(faults)))


def _comes_to_the_same_end(base: Path, whole: Path, root: Path) -> None:
    assert _words(root) >= _words(base), "entries are lost"
    again = calmly(root, *FIX)
    assert again.code == 0, again
    assert _record(root) == _record(whole)
    assert _words(root) == _words(whole) == _words(base)
    assert calmly(root, *FIX).told["fixed"] == []
    code = calmly(root, "next", SLUG).code
    assert code == calmly(whole, "next", SLUG).code
    assert code in {0, WAITING_FOR_PERSON}


def _record(root: Path) -> dict[str, bytes]:
    return told(Folder(str(root / "debates" / SLUG)))


def _words(root: Path) -> Counter[bytes]:
    """Return every entry there is, on record or set aside, and every reply that waits."""
    folder = root / "debates" / SLUG
    places = ("arguments/*.md", "judgments/*.md", "set-aside/*", "inbox/**/*.reply.json")
    return Counter({path.read_bytes(): 1 for place in places for path in folder.glob(place)})
