"""Debates of any protocol, held by its script: remembered moment by moment, and taken up again."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pytest

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.model.debate import Definition, Document, Framing
from debate_ops.model.turn import Act, Turn
from debate_ops.storage import load
from debate_ops.storage.folder import RECORD_FOLDERS, Folder
from tests.builders import SLUG, Data, put, record_of, spread
from tests.conftest import NEW_YEAR_2026
from tests.every_protocol.scripts import ROWS, Variant
from tests.protocols.memory import MemoryRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from debate_ops.engine import Outcome, Position
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Done, Waiting

T = TypeVar("T")

FRAMING = Framing(
    "This house would X",
    (Definition("X", "what this house would do"),),
    "Only this house.",
    (Document("notes", "A document that everybody is given."),),
)
EVENTS = "events.jsonl"
MOST_STEPS = 80

CASES = tuple((protocol, name) for protocol, row in ROWS.items() for name in row.variants)
RICH = tuple((protocol, next(iter(row.variants))) for protocol, row in ROWS.items())
"""The first variant of each protocol: the one that reaches most of its phases."""

every_variant = pytest.mark.parametrize(
    ("protocol", "name"), CASES, ids=[": ".join(c) for c in CASES]
)
every_protocol = pytest.mark.parametrize(("protocol", "name"), RICH, ids=[c[0] for c in RICH])
each_protocol = pytest.mark.parametrize("protocol", ROWS)


class Few(str):
    """A protocol of whose moments and steps a few are looked at; the slow part takes them all."""

    __slots__ = ()
    MOST = 3


swept = pytest.mark.parametrize(
    "protocol",
    [*map(Few, ROWS), *(pytest.param(p, id=f"{p}-whole", marks=pytest.mark.slow) for p in ROWS)],
)
"""Each protocol, for what holds at every moment of its debates."""


def some(protocol: str, items: Sequence[T]) -> Sequence[T]:
    """Return all of them, or those that are looked at of a `Few`."""
    return spread(items, Few.MOST) if isinstance(protocol, Few) else items


class Moment(NamedTuple):
    """A debate when its turn has been asked for: every file of it, and what is done next.

    `texts` are the replies that come, by participant; `act` is what a person does instead.
    """

    files: Mapping[str, bytes]
    position: Position
    texts: Mapping[str, str]
    act: Act | None
    variant: Variant

    @property
    def step(self) -> int:
        return self.position.debate.step

    @property
    def due(self) -> Turn | Waiting | Done:
        return self.position.due

    @property
    def names(self) -> list[str]:
        """Who has a task."""
        return [item.task.participant for item in self.position.tasks]

    @property
    def record(self) -> dict[str, bytes]:
        """The files of the record, and `events.jsonl`."""
        return {
            n: data for n, data in self.files.items() if not n.startswith((".pending/", "inbox/"))
        }

    @property
    def prompts(self) -> dict[str, str]:
        """The prompt of each participant who has a task."""
        return {
            name: self.files[f"inbox/{self.step}-{name}.prompt.md"].decode() for name in self.names
        }

    @property
    def label(self) -> str:
        """What a failure is told with."""
        return f"step {self.step}, {self.position.debate.state.phase}"

    @property
    def sort(self) -> tuple[object, ...]:
        """What the program has to tell apart: phase, tasks, and what is done next."""
        state, act = self.position.debate.state, self.act and self.act.name
        tasks = frozenset(item.task.template for item in self.position.tasks)
        is_later = state.exchange > 0
        return state.phase, is_later, type(self.due), tasks, len(self.texts) > 1, act


class Step(NamedTuple):
    """A moment that a step follows, the moment after it, and the end of the same debate."""

    moment: Moment
    after: Moment
    last: Moment


ADVICE_TEXT = "## Recommendation\n\nYes, *if* the lease is `extended` first.\n\n- one\n- two"


@cache
def history(protocol: str, name: str) -> tuple[Moment, ...]:
    """Return every moment of a scripted debate, from the new one to its end."""
    with aside():
        return tuple(held(begun(protocol, name), ROWS[protocol].variants[name]))


def every_moment(protocol: str) -> Sequence[Moment]:
    """Return one moment of each sort that the scripts of a protocol come to."""
    return some(protocol, _moments(str(protocol)))


@cache
def _moments(protocol: str) -> tuple[Moment, ...]:
    actual: dict[object, Moment] = {}
    for moment in all_moments(protocol):
        actual.setdefault(moment.sort, moment)
    return tuple(actual.values())


def all_moments(protocol: str) -> Iterator[Moment]:
    """Yield every moment of every script of a protocol."""
    for name in ROWS[protocol].variants:
        yield from history(protocol, name)


def every_step(protocol: str) -> Sequence[Step]:
    """Return one step from each sort of moment that the scripts of a protocol come to."""
    return some(protocol, _steps(str(protocol)))


@cache
def _steps(protocol: str) -> tuple[Step, ...]:
    actual: dict[object, Step] = {}
    for name in ROWS[protocol].variants:
        moments = history(protocol, name)
        for moment, after in pairwise(moments):
            actual.setdefault(moment.sort, Step(moment, after, moments[-1]))
    return tuple(actual.values())


@contextlib.contextmanager
def aside() -> Iterator[Path]:
    """Work in a folder of its own, with a clock that stands and a disk that is not waited for."""
    with (
        TemporaryDirectory() as apart,
        contextlib.chdir(apart),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("SOURCE_DATE_EPOCH", NEW_YEAR_2026)
        patch.setattr(os, "fsync", lambda _: None)
        yield Path(apart)


def begun(
    protocol: str, name: str, slug: str = SLUG, settings: Mapping[str, Any] = MappingProxyType({})
) -> Folder:
    """Make the debate of a variant; `settings` go before the variant's own."""
    own = {**ROWS[protocol].variants[name].settings, **settings}
    return engine.create(slug, FRAMING, protocol=protocol, settings=own).folder


def held(folder: Folder, variant: Variant) -> Iterator[Moment]:
    """Hold a debate by its script, and yield each moment before its turn is committed."""
    for _ in range(MOST_STEPS):
        moment = here(folder, variant)
        yield moment
        if not moment.texts and moment.act is None:
            return
        go(folder, moment)
    raise AssertionError("the script comes to no end")


def here(folder: Folder, variant: Variant) -> Moment:
    """Ask for the turn that is due, and return it with what the script does next."""
    position = engine.next_turn(folder)
    act = variant.act(position.debate)
    over = act is not None or variant.is_over(position.debate)
    texts = {} if over or not isinstance(position.due, Turn) else replies(position, variant)
    return Moment(all_files(folder), position, texts, act, variant)


def replies(position: Position, variant: Variant) -> dict[str, str]:
    """Return the reply that the script has for each task of the turn."""
    assert isinstance(position.due, Turn)
    return {
        item.task.participant: json.dumps(
            first_answer(position.due)
            if item.task in position.due.beside
            else variant.reply(position.debate, position.due, item.task),
            indent=1,
        )
        for item in position.tasks
    }


@cache
def with_answer(protocol: str, name: str) -> tuple[Moment, ...]:
    """Return every moment of a scripted debate with a first answer."""
    with aside():
        variant = ROWS[protocol].variants[name]
        return tuple(held(begun(protocol, name, settings={"first_answer": "on"}), variant))


def first_answer(turn: Turn, **changes: Any) -> dict[str, Any]:
    """Return a good reply of the adviser."""
    good = {"participant": "adviser", "exchange": turn.exchange, "text": ADVICE_TEXT}
    return good | changes


def go(folder: Folder, moment: Moment) -> Outcome:
    """Do what comes next after a moment."""
    if moment.act is not None:
        return engine.act(folder, moment.act)
    for name, text in moment.texts.items():
        put(folder, name, text, moment.step)
    return engine.submit(folder, moment.step)


def finish(folder: Folder, variant: Variant) -> Moment:
    """Hold a debate to its end by its script, and return the last moment."""
    *_, last = held(folder, variant)
    return last


def restore(moment: Moment, slug: str = SLUG) -> Folder:
    """Put a debate back as it was at a moment, into the folder of that name."""
    folder = Folder(f"debates/{slug}")
    expected = {os.path.join(folder.path, name): data for name, data in moment.files.items()}
    _clear(folder.path, expected)
    for kind in ("arguments", "judgments", "inbox"):
        os.makedirs(folder.within(kind), exist_ok=True)
    for path, data in expected.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path) or Path(path).read_bytes() != data:
            Path(path).write_bytes(data)
    return folder


def _clear(root: str, kept: Collection[str]) -> None:
    """Remove every file of a folder but those whose names are kept."""
    for base, folders, names in os.walk(root, topdown=False):
        for path in (os.path.join(base, name) for name in names):
            if path not in kept:
                os.unlink(path)
        for path in (os.path.join(base, name) for name in folders):
            if os.path.basename(path) in {"refused", "set-aside"}:
                os.rmdir(path)


def all_files(folder: Folder) -> dict[str, bytes]:
    """Return every file of a debate except its locks, and what tells git to leave skips out."""
    root = Path(folder.path)
    files = [path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock"]
    files = [path for path in files if path != root / ".pending" / ".gitignore"]
    named = {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
    return {name: named[name] for name in sorted(named) if not name.endswith(".lock")}


def told(folder: Folder) -> dict[str, bytes]:
    """Return the record without the events, which are never the truth."""
    return {name: data for name, data in record_of(folder).items() if name != EVENTS}


def prompts(folder: Folder) -> dict[str, bytes]:
    """Return the prompts that lie in the inbox, by file name."""
    actual = Path(folder.within("inbox")).glob("*.prompt.md")
    return {path.name: path.read_bytes() for path in sorted(actual)}


def prompts_of(moment: Moment) -> dict[str, bytes]:
    """Return the prompts of a moment, by file name."""
    named = moment.files.items()
    return {n.removeprefix("inbox/"): d for n, d in named if n.endswith(".prompt.md")}


@cache
def entries_at(protocol: str, name: str, place: int) -> MemoryRecord:
    """Return the record of a scripted debate at one of its moments, in memory."""
    with aside():
        record = load.load(restore(history(protocol, name)[place])).debate.record
        ids = (i for folder in RECORD_FOLDERS for i in record.ids(folder))
        return MemoryRecord({i: entry for i in ids if (entry := record.get(i))})


def debate_at(protocol: str, name: str, place: int = -1) -> Debate:
    """Return a scripted debate at one of its moments, with its record in memory."""
    debate = history(protocol, name)[place].position.debate
    return debate._replace(record=entries_at(protocol, name, place))


def data_of(text: str) -> Data:
    """Return a reply's text as data."""
    data: Data = json.loads(text)
    return data


def without_undone(debate_md: bytes) -> bytes:
    """Return a `debate.md` without the key that names what was taken back last."""
    return re.sub(rb',\n  "undone": \[[^\]]*\]', b"", debate_md)


def transcript_of(slug: str) -> str:
    """Return what the command `transcript` prints of a debate; nothing while there is none."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert app.main(["transcript", slug]) == 0
    return out.getvalue()
