"""Every command, stopped and failing at each of its writes: old or new, nothing lost, retry right.

The sweep is over what `faults` can do to a call, and over all calls of a command.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from debate_ops import engine
from debate_ops.errors import BAD_RECORD, DISK, REFUSED, RUN_AGAIN, USAGE
from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from tests.builders import (
    JUDGING,
    MOTION,
    SLUG,
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
    FULL_ONCE,
    KINDS,
    STOP,
    STOPPED,
    TEAR,
    UNSURE,
    Ended,
    Fault,
    command,
    points,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.builders import Data

PROP = rebuttal("prop", 1, attacks=[attack("opp_000b")], defends=[defence("prop_000a")])
OPP = rebuttal("opp", 1, attacks=[attack("prop_000a", "warrant_attack")])
JUDGE = judgment(1, {"prop_001": 0.25, "opp_001": -0.25}, [rescore("prop_000a", 0.1, 0.3)])
REBUTTALS = {"prop": PROP, "opp": OPP}
BAD = opening("opp", argument(), argument())

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
    "undo, half done": Case(_half_undone, ("undo", SLUG, "--exchange", 1, "--json")),
    "process-exchange, left over": Case(
        _left_over, ("process-exchange", SLUG, 1, *EXCHANGE_FILES)
    ),
    "status, left over": Case(_left_over, ("status", SLUG, "--json")),
}
"""Every command that writes, in every kind of state it meets."""


class View(NamedTuple):
    """What a reader sees: `debate.md`, and every entry that belongs."""

    debate: bytes
    entries: dict[str, bytes]


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
    inbox = {p.name: p.read_bytes() for p in Path(folder.within("inbox")).glob("*.*") if p.is_file()}
    kept = {name: data for name, data in inbox.items() if not name.endswith(".lock")}
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


class Sweep:
    """One command in one state, under one kind of fault at every call."""

    def __init__(self, base: Path, case: Case, *, links: bool = True) -> None:
        self._base, self._case, self._links = base, case, links
        self._old, self._replies = view(base), _replies(base)
        whole = base.with_name("whole")
        shutil.copytree(base, whole)
        self._whole = command(whole, *case.words, links=links)
        assert self._whole.code == case.code, self._whole
        self._new, self._final = view(whole), _left(whole)
        self.ends: Counter[int] = Counter()

    def run(self, kind: str) -> int:
        """Let the fault happen at every call; return the number of points."""
        faults = points(self._whole.calls, kind)
        for fault in faults:
            root = self._base.with_name(f"at-{fault.at}")
            shutil.copytree(self._base, root)
            try:
                self._check(root, command(root, *self._case.words, fault=fault, links=self._links))
            except AssertionError as error:
                call = self._whole.calls[fault.at - 1]
                error.add_note(f"{kind} at call {fault.at}: {call.name} {call.about} in {root}")
                raise
            shutil.rmtree(root)
        return len(faults)

    def _check(self, root: Path, ended: Ended) -> None:
        self.ends[ended.code] += 1
        assert ended.code in {STOPPED, self._case.code, DISK, RUN_AGAIN}, ended
        seen = view(root)
        assert seen in (self._old, self._new), "a mixture"
        if ended.code == self._case.code:
            assert seen == self._new
        if ended.code == DISK and "nothing was changed" in ended.told["error"]:
            assert seen == self._old
        if seen != self._new or self._old == self._new:
            assert not self._replies - _replies(root), "replies are lost"
        status = command(root, "status", SLUG, "--json")
        assert status.code == (0 if seen else USAGE), status
        assert view(root) == seen
        self._again(root, committed=seen == self._new)

    def _again(self, root: Path, *, committed: bool) -> None:
        case = self._case
        ended = command(root, *(case.again or case.words))
        assert ended.code == (case.code_again if committed else case.code), ended
        assert view(root) == self._new
        assert _left(root) == self._final
        if "already_applied" in ended.told:
            assert ended.told["already_applied"] is committed
        if ended.code == case.code == 0:
            assert _answer(ended.told) == _answer(self._whole.told)


@pytest.fixture
def base(work: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = work / "base"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
