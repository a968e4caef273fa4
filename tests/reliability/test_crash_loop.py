"""Every command, stopped and failing at each of its writes: old or new, nothing lost, retry right.

The sweep is over what `faults` can do to a call, and over all calls of a command.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from debate_ops import engine
from debate_ops.errors import DISK, REFUSED, RUN_AGAIN, USAGE, WAITING_FOR_PERSON
from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from tests.builders import (
    JUDGING,
    MOTION,
    SLUG,
    Answer,
    argument,
    attack,
    debate_at,
    defence,
    good_reply,
    judgment,
    opening,
    put,
    rebuttal,
    record_of,
    rescore,
    run,
    written,
)
from tests.reliability.faults import (
    BROKEN,
    FULL,
    KINDS,
    MEANWHILE,
    STOP,
    STOPPED,
    TEAR,
    UNSURE,
    Ended,
    Fault,
    Files,
    command,
    disks_met,
    files_below,
    fingerprint,
    make,
    of_each_sort,
    points,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders import Data

PROP = rebuttal("prop", 1, attacks=[attack("opp_000b")], defends=[defence("prop_000a")])
OPP = rebuttal("opp", 1, attacks=[attack("prop_000a", "warrant_attack")])
JUDGE = judgment(1, {"prop_001": 0.25, "opp_001": -0.25}, [rescore("prop_000a", 0.1, 0.3)])
REBUTTALS = {"prop": PROP, "opp": OPP}
BAD = opening("opp", argument(), argument())
ADVICE = {"participant": "adviser", "exchange": 0, "text": "## Recommendation\n\nYes."}

FILES = ("prop.json", "opp.json", "judge.json")
EXCHANGE_FILES = ("--prop-file", "prop.json", "--opp-file", "opp.json")


class Case(NamedTuple):
    """A command in a state: how to get there, the command, and what to run again after a stop.

    `again` is the command itself where it is empty. `code` is how an untouched run ends.
    """

    prepare: Callable[[], object]
    words: tuple[object, ...]
    again: tuple[object, ...] = ()
    code: int = 0
    code_again: int = 0


def _named(exchange: int) -> None:
    debate_at(exchange)
    replies = REBUTTALS if exchange else {"prop": opening("prop"), "opp": opening("opp")}
    for name, reply in replies.items():
        written(f"{name}.json", reply)


def _named_judge(exchange: int) -> None:
    _at(1, JUDGING) if exchange else debate_at(0, JUDGING)
    written("judge.json", JUDGE if exchange else good_reply("judge", 0))


def _at(exchange: int, phase: str) -> Folder:
    """Return a debate whose first rebuttals attack and defend."""
    folder = debate_at(1)
    for name, reply in REBUTTALS.items():
        put(folder, name, reply)
    run("submit", SLUG, "--step", 2)
    if exchange > 1:
        put(folder, "judge", JUDGE)
        run("submit", SLUG, "--step", 3)
    assert engine.look(folder).debate.state[:2] == (exchange, phase)
    return folder


def _inbox(exchange: int, phase: str, replies: dict[str, Data]) -> None:
    folder = _at(1, phase) if exchange and phase == JUDGING else debate_at(exchange, phase)
    run("next", SLUG)
    for name, reply in replies.items():
        put(folder, name, reply)


def _advised() -> Folder:
    folder = debate_at(0, first_answer="on")
    run("next", SLUG)
    for name, reply in {"prop": opening("prop"), "opp": opening("opp"), "adviser": ADVICE}.items():
        put(folder, name, reply)
    return folder


def _one_skipped(reply: Data | None) -> None:
    folder = debate_at(1)
    run("next", SLUG)
    if reply:
        put(folder, "prop", reply)
    else:
        run("skip", SLUG, "--participant", "prop", "--reason", "no answer", "--json")


def _stopped(words: tuple[object, ...], call: str, which: int = -1) -> None:
    """Stop a command at a call of this name: the last one, or another."""
    here = Path.cwd()
    trace = _trace(here, words)
    at = [n for n, made in enumerate(trace.calls, 1) if made.name == call][which]
    assert command(here, *words, fault=Fault(STOP, at)).code == STOPPED


def _left_over() -> None:
    _named(1)
    _stopped(("process-exchange", SLUG, 1, *EXCHANGE_FILES), "replace")


def _half_undone() -> None:
    folder = _at(2, "awaiting_arguments")
    put(folder, "prop", rebuttal("prop", 2))
    _stopped(("undo", SLUG, "--exchange", 1, "--json"), "link")


def _after_an_undo() -> None:
    folder = _at(2, "awaiting_arguments")
    run("undo", SLUG, "--json")
    for name, reply in REBUTTALS.items():
        put(folder, name, reply)


CASES = {
    "new": Case(
        lambda: None,
        ("new", SLUG, "--motion", MOTION, "--json"),
        code_again=USAGE,
    ),
    "next": Case(lambda: debate_at(0), ("next", SLUG)),
    "next --exchanges": Case(lambda: debate_at(1), ("next", SLUG, "--exchanges", 2)),
    "process-exchange, opening": Case(
        lambda: _named(0), ("process-exchange", SLUG, 0, *EXCHANGE_FILES)
    ),
    "process-exchange, rebuttal": Case(
        lambda: _named(1), ("process-exchange", SLUG, 1, *EXCHANGE_FILES)
    ),
    "process-judge, opening": Case(
        lambda: _named_judge(0), ("process-judge", SLUG, "--json-file", "judge.json")
    ),
    "process-judge, rescore": Case(
        lambda: _named_judge(1), ("process-judge", SLUG, "--json-file", "judge.json")
    ),
    "submit, opening": Case(
        lambda: _inbox(0, "awaiting_arguments", {"prop": opening("prop"), "opp": opening("opp")}),
        ("submit", SLUG, "--step", 0),
    ),
    "submit, opening and first answer": Case(_advised, ("submit", SLUG, "--step", 0)),
    "undo of opening and first answer": Case(
        lambda: engine.submit(_advised(), 0), ("undo", SLUG, "--step", 0, "--json")
    ),
    "submit, judgment": Case(
        lambda: _inbox(0, JUDGING, {"judge": good_reply("judge", 0)}),
        ("submit", SLUG, "--step", 1),
    ),
    "submit, rebuttal": Case(
        lambda: _inbox(1, "awaiting_arguments", REBUTTALS), ("submit", SLUG, "--step", 2)
    ),
    "submit, rescore": Case(
        lambda: _inbox(1, JUDGING, {"judge": JUDGE}), ("submit", SLUG, "--step", 3)
    ),
    "submit, refused": Case(
        lambda: _inbox(0, "awaiting_arguments", {"prop": opening("prop"), "opp": BAD}),
        ("submit", SLUG, "--step", 0),
        code=REFUSED,
        code_again=REFUSED,
    ),
    "skip, pending": Case(
        lambda: debate_at(1),
        ("skip", SLUG, "--participant", "opp", "--reason", "no answer", "--json"),
    ),
    "skip, last": Case(
        lambda: _one_skipped(PROP),
        ("skip", SLUG, "--participant", "opp", "--reason", "no answer", "--step", 2, "--json"),
    ),
    "skip, both": Case(
        lambda: _one_skipped(None),
        ("skip", SLUG, "--participant", "opp", "--reason", "no answer", "--step", 2, "--json"),
    ),
    "undo": Case(
        lambda: _at(2, "awaiting_arguments"),
        ("undo", SLUG, "--exchange", 1, "--json"),
    ),
    "undo, judgment under way": Case(
        lambda: _inbox(1, JUDGING, {"judge": JUDGE}),
        ("undo", SLUG, "--exchange", 1, "--json"),
    ),
    "submit, after an undo": Case(_after_an_undo, ("submit", SLUG, "--step", 2)),
    "undo, half done": Case(_half_undone, ("undo", SLUG, "--exchange", 1, "--json")),
    "process-exchange, left over": Case(_left_over, ("process-exchange", SLUG, 1, *EXCHANGE_FILES)),
    "status, left over": Case(_left_over, ("status", SLUG, "--json")),
}
"""Every command that writes, in every kind of state it meets."""


class View(NamedTuple):
    """What a reader sees: `debate.md`, and every entry that belongs."""

    debate: bytes
    entries: dict[str, bytes]


def calmly(root: Path, *words: object) -> Answer:
    """Run a command below `root` without a fault, and without a process of its own."""
    with contextlib.chdir(root), pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        return run(*words)


def view(root: Path) -> View | None:
    """Return what a reader sees who takes no lock and recovers nothing."""
    folder = Folder(str(root / "debates" / SLUG))
    if not Path(folder.path).exists():
        return None
    loaded = load.load(folder)
    record = engine.verified(loaded.debate).record
    entries = {
        entry_id: Path(folder.entry(kind, entry_id)).read_bytes()
        for kind in ("arguments", "judgments")
        for entry_id in record.ids(kind)
    }
    return View(loaded.seen.encode(), entries)


def _trace(root: Path, words: tuple[object, ...], *, links: bool = True) -> Ended:
    """Run a command in a copy, untouched."""
    copy = root.with_name(f"{root.name}-traced")
    shutil.copytree(root, copy)
    try:
        return command(copy, *words, links=links)
    finally:
        shutil.rmtree(copy)


def _left(root: Path) -> dict[str, bytes]:
    """Return the record, and what the inbox holds besides locks and what was moved aside."""
    folder = Folder(str(root / "debates" / SLUG))
    inbox = [path for path in Path(folder.within("inbox")).glob("*.*") if path.is_file()]
    kept = {p.name: p.read_bytes() for p in inbox if not re.search(r"lock\Z|gitignore", p.name)}
    record = {n: data for n, data in record_of(folder).items() if n != "events.jsonl"}
    return record | kept


def _replies(root: Path) -> Counter[bytes]:
    """Return every reply that waits somewhere: a file of the caller's, or one in the inbox."""
    named = [root / name for name in FILES]
    found = [*named, *(root / "debates" / SLUG / "inbox").rglob("*.reply.json")]
    found += (root / "debates" / SLUG / "inbox" / "set-aside").glob("*.reply.json")
    return Counter(path.read_bytes() for path in found if path.is_file())


VOLATILE = {"already_applied", "warnings", "warning_details", "attempts"}


def _answer(told: Any) -> Any:
    """Return an answer without what may differ when a command is repeated."""
    if isinstance(told, dict):
        return {key: _answer(item) for key, item in told.items() if key not in VOLATILE}
    return [_answer(item) for item in told] if isinstance(told, list) else told


GOOD = {0, WAITING_FOR_PERSON}
"""How a command ends that has done its work: a person may be awaited after it."""


def _as_it_ends(case: Case, whole: Ended) -> Case:
    """Return a case with the code that its untouched run ends with, where more than one is good."""
    assert case.code == whole.code or {case.code, whole.code} <= GOOD, whole
    again = whole.code if case.code_again == case.code else case.code_again
    return case._replace(code=whole.code, code_again=again)


class Sweep:
    """One command in one state, under one kind of fault at every call."""

    def __init__(self, base: Path, case: Case, *, links: bool = True) -> None:
        self._base, self._links = base, links
        self._old, self._replies = view(base), _replies(base)
        self._start = files_below(base)
        whole = base.with_name("whole")
        make(whole, self._start)
        self._whole = command(whole, *case.words, links=links)
        self._case = _as_it_ends(case, self._whole)
        self._new, self._final = view(whole), _left(whole)
        self._known: dict[bytes, View | None] = {}

    def points(self, kind: str) -> list[Fault]:
        """Return every fault of one kind that can happen to the command."""
        return points(self._whole.calls, kind)

    def points_of_each_sort(self, kind: str) -> list[Fault]:
        """Return the same without those in the middle of a row of like calls."""
        return of_each_sort(self.points(kind), self._whole.calls)

    def run(self, faults: Sequence[Fault]) -> int:
        """Let each of these faults happen to the command; return how many there were."""
        for fault in faults:
            root = self._base.with_name(f"at-{fault.at}")
            make(root, self._start)
            try:
                self._check(root, command(root, *self._case.words, fault=fault, links=self._links))
            except AssertionError as error:
                call = self._whole.calls[fault.at - 1]
                what = f"{fault.kind} at call {fault.at}"
                error.add_note(f"{what}: {call.name} {call.about} in {root}")
                raise
            shutil.rmtree(root)
        return len(faults)

    def stopped_twice(self) -> int:
        """Stop the command at each of its calls, and what is run again at each of its own.

        Return how many pairs of calls these are.
        """
        again = self._case.again or self._case.words
        pairs: dict[bytes, int] = {}
        total = 0
        for at, left in enumerate(self._met(self._start, self._case.words), 1):
            disk = fingerprint(left)
            if disk not in pairs:
                pairs[disk] = self._stopped_at_each_call(left, again, f"once at call {at}")
            total += pairs[disk]
        return total

    def _stopped_at_each_call(self, files: Files, words: tuple[object, ...], before: str) -> int:
        left = self._met(files, words)
        for at, disk in enumerate(left, 1):
            root = self._base.with_name(f"twice-{at}")
            make(root, disk)
            try:
                self._goes_on(root)
            except AssertionError as error:
                error.add_note(f"stopped {before}, once more at call {at}, in {root}")
                raise
            shutil.rmtree(root)
        return len(left)

    def _met(self, files: Files, words: tuple[object, ...]) -> tuple[Files, ...]:
        """Return what a command finds on the disk at each of its calls."""
        root = self._base.with_name("met")
        make(root, files)
        try:
            return disks_met(root, *words)
        finally:
            shutil.rmtree(root)

    def watched(self) -> int:
        """Ask for the status at every call; return the number of points."""
        faults = points(self._whole.calls, MEANWHILE)
        steps = []
        for fault in faults:
            root = self._base.with_name(f"at-{fault.at}")
            shutil.copytree(self._base, root)
            looked = root / "looked"
            act = partial(_ask_for_the_status, root, looked)
            ended = command(root, *self._case.words, fault=fault._replace(act=act))
            assert (ended.code, view(root), _left(root)) == (0, self._new, self._final)
            code, step = map(int, looked.read_text(encoding="utf-8").split())
            assert code == 0
            steps.append(step)
            shutil.rmtree(root)
        old, new = (load.load(Folder(str(b / "debates" / SLUG))).debate.step for b in self._ends())
        assert set(steps) == {old, new}
        assert steps == sorted(steps, reverse=new < old)
        return len(faults)

    def _ends(self) -> tuple[Path, Path]:
        return self._base, self._base.with_name("whole")

    def _check(self, root: Path, ended: Ended) -> None:
        assert ended.code in {STOPPED, self._case.code, DISK, RUN_AGAIN}, ended
        seen = self._goes_on(root)
        if ended.code == self._case.code:
            assert seen == self._new
        if ended.code == DISK and "nothing was changed" in ended.told["error"]:
            assert seen == self._old

    def _goes_on(self, root: Path) -> View | None:
        """Check what follows from what is on the disk; return what a reader sees there.

        The same disk is looked at once.
        """
        disk = fingerprint(files_below(root))
        if disk not in self._known:
            self._known[disk] = self._looked_at(root)
        return self._known[disk]

    def _looked_at(self, root: Path) -> View | None:
        seen = view(root)
        assert seen in (self._old, self._new), "a mixture"
        if seen != self._new or self._old == self._new:
            assert not self._replies - _replies(root), "replies are lost"
        status = calmly(root, "status", SLUG, "--json")
        assert status.code == (0 if seen else USAGE), status
        assert view(root) == seen
        self._again(root, committed=seen == self._new)
        return seen

    def _again(self, root: Path, *, committed: bool) -> None:
        case = self._case
        ended = calmly(root, *(case.again or case.words))
        assert ended.code == (case.code_again if committed else case.code), ended
        assert view(root) == self._new
        assert _left(root) == self._final
        if "already_applied" in ended.told:
            assert ended.told["already_applied"] is committed
        if ended.code == case.code and case.code in GOOD:
            assert _answer(ended.told) == _answer(self._whole.told)


MAIN = tuple(name for name in CASES if name.startswith(("process", "submit", "undo", "new")))
SHORT = ("process-exchange, opening", "process-judge, rescore", "submit, rebuttal", "undo")
SWEEPS = [(name, kind) for name in CASES for kind in (STOP, TEAR)]
SWEEPS += [(name, kind) for name in SHORT for kind in (FULL, BROKEN)]
REST = [(name, kind) for name in CASES for kind in KINDS if (name, kind) not in SWEEPS]


def _ask_for_the_status(root: Path, looked: Path) -> None:
    ended = command(root, "status", SLUG, "--json")
    looked.write_text(f"{ended.code} {ended.told.get('step', -1)}", encoding="utf-8")


@pytest.fixture
def base(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = work / "base"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(("name", "kind"), SWEEPS)
def test_old_or_new_and_the_retry_is_right(
    base: Path, name: str, kind: str, record_property: Callable[[str, object], None]
) -> None:
    _sweep(base, name, kind, record_property)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), REST)
def test_the_other_kinds_of_fault(
    base: Path, name: str, kind: str, record_property: Callable[[str, object], None]
) -> None:
    _sweep(base, name, kind, record_property)


@pytest.mark.parametrize("kind", [STOP, UNSURE])
@pytest.mark.parametrize("name", ["process-exchange, rebuttal", "undo"])
def test_a_disk_without_hard_links(
    base: Path, name: str, kind: str, record_property: Callable[[str, object], None]
) -> None:
    _sweep(base, name, kind, record_property, links=False)


def _sweep(
    base: Path,
    name: str,
    kind: str,
    record_property: Callable[[str, object], None],
    *,
    links: bool = True,
) -> None:
    case = CASES[name]
    case.prepare()
    sweep = Sweep(base, case, links=links)
    record_property("points", (kind, sweep.run(sweep.points(kind))))


@pytest.mark.slow
@pytest.mark.parametrize("name", MAIN)
def test_the_retry_is_stopped_too(
    base: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    case = CASES[name]
    case.prepare()
    record_property("points", ("stop twice", Sweep(base, case).stopped_twice()))


@pytest.mark.parametrize("name", SHORT)
def test_a_stop_leaves_the_disk_as_the_call_found_it(base: Path, name: str) -> None:
    """So that what two stops in a row leave can be known without them."""
    case = CASES[name]
    case.prepare()
    start, calls = files_below(base), _trace(base, case.words).calls
    for fault, found in zip(points(calls, STOP), disks_met(base, *case.words), strict=True):
        root = base.with_name(f"at-{fault.at}")
        make(root, start)
        assert command(root, *case.words, fault=fault).code == STOPPED
        assert files_below(root) == found


READ = ("process-exchange, rebuttal", "process-judge, rescore", "undo")


@pytest.mark.parametrize("name", READ)
def test_a_reader_at_every_call_sees_old_or_new(
    base: Path, name: str, record_property: Callable[[str, object], None]
) -> None:
    """Ask for the status while a command holds the lock: nothing is waited for or cleared away."""
    case = CASES[name]
    case.prepare()
    sweep = Sweep(base, case)
    record_property("points", ("a reader meanwhile", sweep.watched()))


def test_a_person_who_saves_debate_md_meanwhile_loses_nothing(base: Path) -> None:
    """At each call but one: between the last look at `debate.md` and its replacement."""
    case = CASES["process-exchange, rebuttal"]
    case.prepare()
    calls = _trace(base, case.words).calls
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
            assert "was changed while this ran" in ended.told["error"]
        again = command(root, *case.words)
        assert (ended.code, again.code, again.told["already_applied"]) in {
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


def test_an_undo_that_was_stopped_is_not_done_twice(base: Path) -> None:
    """Without a number too, as long as one of its entries is still in its place."""
    _half_undone()
    told = run("undo", SLUG, "--json")
    assert (told.code, told.told["current_exchange"]) == (0, 1)
    assert sorted(told.told["taken_back"]) == ["judge_001", "opp_001", "prop_001"]
    seen = view(base)
    assert seen is not None
    assert all("_000" in entry_id for entry_id in seen.entries)
