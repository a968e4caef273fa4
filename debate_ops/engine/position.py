"""Where a debate stands in its folder: what is due, what has come in, and what is wrong with it.

Nothing here changes the record; `load` alone clears away what an interrupted command left.
"""

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, Self

from debate_ops.core import clock
from debate_ops.core.errors import BadRecordError, BusyError, DiskError, RefusedError, UsageError
from debate_ops.core.protocol import ADVISER, CANCELLED, Protocol, Replayed, replay, spell
from debate_ops.core.replies import Reply
from debate_ops.core.settings import check_settings
from debate_ops.core.texts import count, decode
from debate_ops.core.values import Absent, Debate, Done, Entry, Fault, Place, Task, Turn, Waiting
from debate_ops.engine import files, inbox
from debate_ops.engine.cited_files import open_library
from debate_ops.engine.debate_file import Header, read_framing
from debate_ops.engine.inbox import Hold, Slot
from debate_ops.engine.reading import MAX_BYTES, read_reply
from debate_ops.engine.record import Record, load_record, order_id
from debate_ops.engine.store import DEBATE_FILE, Folder
from debate_ops.protocols import load_protocol

WAITING, REPLIED, REFUSED, SKIPPED = "waiting", "replied", "refused", "skipped"


class TaskStatus(NamedTuple):
    """A task of the turn now due, its files, and how far it is."""

    task: Task
    status: str
    attempts: int
    slot: Slot

    @property
    def is_open(self) -> bool:
        """Whether its participant is still to be asked, for the first time or once more."""
        return self.status in {WAITING, REFUSED}


@dataclass
class Position:
    """Where a debate stands in its folder, and what it waits for.

    `at` is where the rules stand; `due` is the place that they lead to, `Done` where the request is
    fulfilled and `Waiting` where `hold` says so. `calls_left` is how many replies it takes, at
    most, until what was asked for is complete, panel and adviser included; None without an end.
    After what ends a turn, `committed` are the ids of its entries, which were on record before
    where it was `already_applied`.
    """

    record: Record
    at: Replayed
    due: Place
    tasks: tuple[TaskStatus, ...] = ()
    calls_left: int | None = None
    warnings: list[Fault] = field(default_factory=list)
    hold: Hold | None = None
    committed: tuple[str, ...] = ()
    already_applied: bool = False

    @property
    def folder(self) -> Folder:
        """Where it lies."""
        return self.record.folder

    @property
    def header(self) -> Header:
        """The header of `debate.md`: request, created, words, and more."""
        return self.record.header

    @property
    def debate(self) -> Debate:
        """What is on record: settings, framing, entries, step."""
        return self.at.debate

    @property
    def protocol(self) -> Protocol:
        """The rules."""
        return self.at.protocol

    @property
    def has_end(self) -> bool:
        """Whether its rules end it; others go on for as many exchanges as somebody asks for."""
        return self.protocol.last_exchange(self.debate.settings) is not None

    @property
    def can_go_on(self) -> bool:
        """Whether the rules lead to another turn, whatever was asked for."""
        return isinstance(self.at.place, Turn)

    @property
    def is_complete(self) -> bool:
        """Whether it was begun, and is at its own end or, without one, at that of the request."""
        end = self.at.place if self.has_end else self.due
        return self.debate.step > 0 and isinstance(end, Done)

    @property
    def is_between(self) -> bool:
        """Whether one exchange, or cycle or round, is over and nothing is said in the next."""
        rounds = [entry.round for entry in self.debate.entries.values()]
        return isinstance(self.due, Turn) and bool(rounds) and max(rounds) < self.due.round

    @property
    def is_secret(self) -> bool:
        """Whether pages keep back what only some may know: a participant may still reply.

        Where nobody said how many exchanges there are, each may be the last, until the next one's
        prompts are there.
        """
        is_asked = any(os.path.lexists(item.slot.prompt) for item in self.tasks)
        may_be_last = self.debate.last_exchange is None and self.is_between and not is_asked
        return self.at.is_open and not may_be_last

    def describe_place(self) -> str:
        """Return in words where the debate is, as in `exchange 3`."""
        return self.protocol.describe_place(self.at.place.round, self.at.place.phase)

    def describe_work_left(self, *, has_memo: bool = True, by_people: bool = False) -> str:
        """Return what is to come, as in "the opening and 3 exchanges: 12 agent calls", if known."""
        calls = self.select_tasks().calls_left
        settings, request = self.debate.settings, self.header.request
        if not isinstance(self.due, Turn) or calls is None:
            return ""
        parts = [] if self.at.place.round or not request else ["the opening"]
        if left := self.count_exchanges_left():
            parts.append(count(left, self.protocol.cycle))
        parts += [f"a panel of {settings.panel}"] if settings.panel and request else []
        most = "at most " if self.has_end else ""
        memo = ", and 1 more for the memo" if has_memo else ""
        asked = count(calls, *(("reply", "replies") if by_people else ("agent call",)))
        return f"{' and '.join(parts) or 'to its end'}: {most}{asked}{memo}"

    def count_exchanges_left(self) -> int:
        """Return how many exchanges the request still asks for, the opening not counted."""
        request = self.header.request
        return max(0, request.until - max(self.at.place.round, 1)) if request else 0

    def count_complete(self) -> int:
        """Return how many exchanges are complete, the opening not counted."""
        place = self.at.place
        is_whole = isinstance(place, Done) and place.phase != CANCELLED
        return max(0, place.round - (not is_whole))

    def select_tasks(self, names: Container[str] | None = None) -> Self:
        """Return a position with the tasks alone that are still to be asked, of these names."""
        due = (item for item in self.tasks if item.is_open)
        tasks = tuple(item for item in due if names is None or item.task.by in names)
        calls = self.calls_left
        if calls is not None:
            is_unadvised = names is not None and ADVISER not in names  # nor is it the next time
            later = self.at.adviser_tasks[1:] if is_unadvised else ()
            calls = max(0, calls - len(self.tasks) + len(tasks) - len(later))
        return replace(self, tasks=tasks, calls_left=calls)

    def apply_hold(self) -> Self:
        """Return where a debate stands for whoever goes on with it: if on hold, it waits."""
        due = self.due
        if self.hold is None or not isinstance(due, Turn):
            return self
        due = Waiting(due.round, due.phase, self.hold.sentence(), ("resume",))
        return replace(self, due=due, tasks=(), calls_left=None)

    def list_awaited(self) -> list[str]:
        """Return whom the turn still waits for: the adviser is never waited for."""
        return [i.task.by for i in self.tasks if i.is_open and i.task in self.at.turn.tasks]

    def refuse_participant(self, name: str) -> RefusedError:
        """Return the error that nothing is due from a participant, or that there is no such one."""
        at, known = self.at, self.protocol.participants(self.debate.settings)
        reason = f"; {at.protocol.explain_absence_of_task(at.debate, at.turn, name)}"
        return RefusedError(
            f"{name!r} is not awaited now: {self.describe_place()} waits for "
            f"{' and '.join(task.by for task in at.turn.tasks)}{reason * (name in known)}",
            hint=f"Participants are {', '.join(known)}.",
        )

    def require_turn(self) -> Turn:
        """Return the turn that is due; refuse if there is none, as where all asked for is done."""
        if not isinstance(self.due, Turn):
            hint = f"See 'status {self.folder.name}'."
            raise RefusedError(f"no reply is due: {self.due.reason}", hint=hint)
        return self.due

    def find_task(self, participant: str | None) -> TaskStatus:
        """Return the task that is due from a participant; without a name, the only one."""
        self.require_turn()
        if not participant and len(self.tasks) > 1:
            names = ", ".join(item.task.by for item in self.tasks)
            raise UsageError("several replies are due", hint=f"Say with --as whose it is: {names}.")
        name = self.at.find_name(participant or "")
        for item in self.tasks:
            if item.task.by == name or not name:
                return item
        raise self.refuse_participant(participant or "")

    def find_deadline(self) -> str:
        """Return when the turn, or sooner the debate, ends without what is missing, or nothing."""
        at, limits = self.at, []
        if isinstance(at.place, Turn) and at.place.seconds:
            limits.append(clock.add_seconds(self.find_turn_start(), at.place.seconds))
        if limit := at.protocol.time_out(at.debate, at.place):
            limits.append(clock.add_seconds(self.header.created, limit[0]))
        return min(limits, default="")

    def is_late(self) -> bool:
        """Tell whether the time of the turn that is due is over."""
        return isinstance(self.due, Turn) and "" < self.find_deadline() <= clock.now()

    def find_turn_start(self) -> str:
        """Return since when the debate waits for what is due now: the time of the last commit."""
        return max(self.header.created, _find_last_time(self.debate))


def replay_record(record: Record, step: int | None = None, *, audit: bool = False) -> Replayed:
    """Return where the rules stand after what is on record, or before a step of it."""
    header, given = record.header, record.header.settings or {}
    try:
        rules = load_protocol(header.protocol)
        settings = check_settings(rules.Settings, {**rules.Settings.OLDER, **given})
    except UsageError as error:
        why = "; ".join(error.sentences())
        hint = f"Repair {DEBATE_FILE} by hand. {error.hint}"
        raise BadRecordError(f"{DEBATE_FILE}: {why}", hint=hint) from None
    framing = read_framing(record.body)
    last = header.request.until - 1 if header.request else rules.last_exchange(settings)
    d = Debate(settings, *framing, last_exchange=last)
    entries = [e for e in record.entries if step is None or e.step < step]
    return replay(rules, d, order_entries(rules, d, entries), audit=audit)


def order_entries(rules: Protocol, d: Debate, entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of the record: by step, participant, and id."""
    names = {name: place for place, name in enumerate(rules.participants(d.settings))}
    return sorted(entries, key=lambda e: (e.step, names.get(e.by, len(names)), order_id(e.id)))


def _find_last_time(d: Debate) -> str:
    return max((str(e.header.get("at", "")) for e in d.entries.values()), default="")


def show_place(header: Header, at: Replayed) -> Header:
    """Return a header that shows where the rules stand."""
    update = {
        "step": at.debate.step,
        "current_exchange": at.place.round,
        "current_phase": at.place.phase,
        "cumulative_scores": at.protocol.statistics(at.debate).get("cumulative_scores", {}),
        "completed_at": _find_last_time(at.debate) if isinstance(at.place, Done) else "",
    }
    return header.model_copy(update=update)


def find_differences(record: Record, at: Replayed) -> list[Fault]:
    """Return what `debate.md` shows otherwise than the record leads to."""
    shown, right = record.header, show_place(record.header, at)
    keys = ["current_exchange", "current_phase"]
    keys += ["step"] if shown.step is not None else []
    keys += ["cumulative_scores"] if shown.step is not None or shown.cumulative_scores else []
    keys += ["completed_at"] if shown.completed_at else []
    return [
        Fault("", f"{key} is {is_}, {was} by the record", file=DEBATE_FILE)
        for key in keys
        if (is_ := spell(getattr(shown, key))) != (was := spell(getattr(right, key)))
    ]


def verify(record: Record) -> Replayed:
    """Return where the rules stand, if `debate.md` shows what the record leads to."""
    at = replay_record(record)
    if wrong := at.faults or find_differences(record, at):
        raise BadRecordError(
            "; ".join(fault.sentence() for fault in wrong),
            hint=f"Repair {DEBATE_FILE} by hand, or with 'validate {record.folder.name} --fix'.",
        )
    return at


def load(folder: Folder) -> Position:
    """Return where a debate stands; recover first if that is needed and possible.

    A `BadRecordError` says that the folder contradicts itself.
    """
    try:
        return _load(folder)
    except BadRecordError:  # perhaps the middle of another process's commit: that is over now
        return _load(folder)


def _load(folder: Folder) -> Position:
    record = load_record(folder)
    at = verify(record)
    if record.has_leftovers() and os.access(folder.path, os.W_OK):
        with suppress(OSError, DiskError, BusyError), inbox.lock(folder, wait=0):
            return recover(folder)
    return find_position(record, at)


def recover(folder: Folder) -> Position:
    """Put right what an interrupted command left, and return where the debate stands.

    Whoever calls this holds the debate's lock.
    """
    record = load_record(folder)
    at = verify(record)  # first: recovery believes the step
    return find_position(record, at, record.recover())


def find_position(record: Record, at: Replayed, warnings: Sequence[Fault] = ()) -> Position:
    """Return a debate with what it waits for; a fulfilled request makes that nothing."""
    rules, request, d = at.protocol, record.header.request, at.debate
    due, calls = at.place, None
    last = rules.last_exchange(d.settings)
    if isinstance(due, Turn):
        if request is not None or last is not None:
            calls = rules.count_calls(d, due, request.until if request else None)
            calls += 2 * at.panel_outside + len(at.adviser_tasks)
        if request is not None and due.round >= request.until:
            done = count(max(0, due.round - 1), rules.cycle)
            before_end = f"{done} complete, as asked for; the debate is not over"
            due = Done(due.round, due.phase, f"complete: {done}" if last is None else before_end)
    tasks = list_tasks(record.folder, at) if isinstance(due, Turn) else ()
    found = [*warnings, *record.find_edits(), *record.find_strays()]
    asked = {task.by for task in at.tasks}
    for file in (f for f in inbox.list_files(record.folder) if f.kind == inbox.REPLY):
        is_idle = file.step == d.step and asked and file.participant not in asked
        if file.step < d.step or is_idle:
            text, shown = "this reply is kept and not used", record.folder.shown(file.path)
            found.append(Fault("", text, by=file.participant, file=shown, is_warning=True))
    hold = inbox.read_hold(record.folder)
    return Position(record, at, due, tasks, calls, [*dict.fromkeys(found)], hold)


def list_tasks(folder: Folder, at: Replayed) -> tuple[TaskStatus, ...]:
    """Return how far each task of the turn is, by what the inbox has."""
    found = []
    for task in at.tasks:
        slot = inbox.find_slot(folder, at.debate.step, task.by)
        attempts = inbox.count_refusals(folder, at.debate.step, task.by)
        status = REPLIED if os.path.lexists(slot.reply) else REFUSED if attempts else WAITING
        status = SKIPPED if inbox.read_skip(slot) else status
        found.append(TaskStatus(task, status, attempts, slot))
    return tuple(found)


class RawReply(NamedTuple):
    """One reply as it came, how it was made, and quotations `checked` when it was first said."""

    raw: bytes
    name: str
    made_by: Mapping[str, Any] = {}
    checked: Sequence[Mapping[str, str]] = ()


class RepliesRefusedError(RefusedError):
    """Replies broke rules: every fault of every reply, and where things stand now."""

    def __init__(
        self, faults: tuple[Fault, ...], warnings: list[Fault], position: Position | None
    ) -> None:
        super().__init__(f"{count(len(faults), 'fault')} found; nothing was changed", faults=faults)
        self.warnings, self.position = warnings, position


class Received(NamedTuple):
    """The replies of a turn: as they came, as models or absences, and what is wrong with them."""

    raw: Mapping[str, RawReply]
    replies: dict[str, Any]
    faults: list[Fault]
    warnings: list[Fault]

    def refuse_faults(self) -> None:
        """Refuse replies of which one has a fault; nothing was done with them yet."""
        if self.faults:
            raise RepliesRefusedError(tuple(self.faults), self.warnings, None)


def read_replies(
    position: Position,
    received: Mapping[str, RawReply],
    skipped: Mapping[str, Absent] = {},
    *,
    is_named: bool,
) -> Received:
    """Read and check all replies of a turn; every fault of every reply is found at once."""
    at, replies, found = position.at, dict[str, Any](skipped), list[Fault]()
    for name in (task.by for task in at.tasks if task.by in received):
        slot, prompt = inbox.find_slot(position.folder, at.debate.step, name), b""
        with suppress(OSError, UsageError):
            prompt = files.read_bytes(slot.prompt, files.MAX_RECORD_BYTES)
        raw, form = received[name].raw, at.form_of(name)
        value, faults = read_reply(raw, form, decode(prompt, "replace"), by=name)
        if value is not None or not faults:
            check = partial(_check_citations, at, name)
            reply, more = at.read(name, value, is_named=is_named, check=check)
            faults += [fault for fault in more if fault.where not in {f.where for f in faults}]
            replies |= {} if reply is None else {name: reply}
        found += [replace(f, by=f.by or name, file=received[name].name) for f in faults]
    found += at.protocol.joint_faults(at.debate, at.turn, replies)
    wrong = [fault for fault in found if not fault.is_warning]
    return Received(received, replies, wrong, [fault for fault in found if fault.is_warning])


def _check_citations(at: Replayed, by: str, reply: Reply) -> Iterator[Fault]:
    if library := open_library(at, by):
        for fault in library.find_faults(reply.model_dump(by_alias=True), at.debate):
            yield replace(fault, is_warning=fault.is_warning or by == ADVISER)  # nothing waits


def read_inbox(
    position: Position, made_by: Mapping[str, Any] = {}, absent: Mapping[str, Absent] = {}
) -> Received:
    """Read the replies and skips that are there; there is a fault for each that is not."""
    folder, turn = position.folder, position.at.turn
    received, skipped, missing = dict[str, RawReply](), dict[str, Absent](), list[Fault]()
    for item in list_tasks(folder, position.at):
        name, reply = item.task.by, item.slot.reply
        is_needed = item.task in turn.tasks
        if name in absent:
            skipped |= {name: absent[name]} if is_needed else {}
        elif skip := inbox.read_skip(item.slot):
            skipped[name] = skip
        elif item.status == REPLIED:
            raw = files.read_named(reply, MAX_BYTES)
            made = inbox.read_made_by(item.slot, raw) or dict(made_by)
            received[name] = RawReply(raw, folder.shown(reply), made)
        elif is_needed:
            why = inbox.explain_missing(folder, position.debate.step, name)
            text = f"{why}; expected the participant's JSON reply in this file"
            missing.append(Fault("", text, by=name, file=folder.shown(reply)))
    read = read_replies(position, received, skipped, is_named=True)
    read.faults.extend(missing)
    return read


def check_task_reply(position: Position, item: TaskStatus, reply: RawReply) -> list[Fault]:
    """Return the warnings of a reply to one task, if it would not be refused."""
    read = read_replies(position, {item.task.by: reply}, is_named=True)
    read.refuse_faults()
    return read.warnings
