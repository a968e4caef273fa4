"""Run a debate without an agent client: next, ask, submit, until nothing is due; then its memo."""

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from threading import Event as Flag
from typing import Any, NamedTuple, TypeVar

from debate_ops import engine
from debate_ops.analysis.usage import read_usage
from debate_ops.core import clock
from debate_ops.core.errors import ParticipantFailedError, RefusedError, ToRepairError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.replies import schema_of
from debate_ops.core.values import ABSENCE, EXCUSE, OMIT, STOP, Absent, Fault, Task, Turn, Waiting
from debate_ops.engine import Position, RepliesRefusedError, TaskStatus, events, files, inbox
from debate_ops.engine.cited_files import open_library
from debate_ops.engine.inbox import PAUSED
from debate_ops.engine.record import read_debate_file
from debate_ops.engine.store import MEMO, Folder
from debate_ops.report import memo
from debate_ops.report.memo import REPORTER
from debate_ops.report.reading import read_debate
from debate_ops.report.words import count
from debate_ops.run import progress
from debate_ops.run.cast import Person, find_cast
from debate_ops.run.endings import Stop, describe_failure, refuse_idle, report_ending
from debate_ops.run.participants import AskResult, FailedError, Participant, Prompt, ask
from debate_ops.run.progress import Display, Event, Progress, describe_duration, open_span
from debate_ops.run.run_file import Notes
from debate_ops.run.spending import Spending

T = TypeVar("T")
REPAIRS = 2
"""How many times a refused reply is handed back."""
_SECONDS_BETWEEN_CHECKS = 0.5


def run(  # noqa: PLR0913  (what a run is made of)
    folder: Folder,
    exchanges: int | None,
    participants: Mapping[str, Participant],
    *,
    spending: Spending | None = None,
    display: Display | None = None,
    listening: Stop | None = None,
    has_memo: bool = False,
) -> Position:
    """Run `exchanges` more exchanges, or without a number finish what was asked for before.

    `participants` are named by participant (`prop`), by role (`debater`) or `all`. Whoever has no
    reply in the end is absent where the debate goes on without it and somebody else could answer.
    In a thread, `listening` is what the main thread listens for signals with. `spending` has the
    limits, and what was used before within them.

    Raises:
        UsageError: nothing is due, or a name in `participants` means nobody.
        BusyError: another process runs this debate.
        ParticipantFailedError: a participant gave no usable reply.
        LimitReachedError: what is due is likely to go over a limit of `spending`.
        InterruptedRunError: a signal came.
    """
    cast = find_cast(engine.load(folder), participants)
    with (
        report_ending(listening, log=folder) as stop,
        _open_run(folder, cast, stop, spending, display) as one,
        open_span("debate.run", {"debate.slug": folder.slug}),
    ):
        if (hold := inbox.read_hold(folder)) and hold.state == inbox.STOPPED:
            engine.resume(folder, "run")
        position = _wait_while_paused(one, engine.next_turn(folder, exchanges))
        refuse_idle(position)
        asking = position.select_tasks(cast)
        one.progress.show(progress.describe_launch(asking, one.notes.names, has_memo=has_memo))
        while isinstance(position.due, Turn) and position.calls_left is not None:
            one.progress.warn(position, position.warnings)
            about = {"debate.step": position.debate.step, "debate.exchange": position.due.round}
            with open_span("debate.turn", about | {"debate.phase": position.due.phase}):
                position = _complete_turn(one, position)
            position = _wait_while_paused(one, position)
        reason = "" if isinstance(position.due, Turn) else position.due.reason
        one.progress.show(Event("done", reason))
        return position


def file_replies(
    folder: Folder, participants: Mapping[str, Participant], *, wait: float = 0.1
) -> None:
    """Ask participants, by name, for what is due from them now, and put it into the inbox.

    Who repeats a record is not asked again for what was refused.

    Raises:
        BusyError: another process has asked for longer than `wait` seconds.
        ParticipantFailedError: one gave no reply, or was refused too often to be asked again.
        InterruptedRunError: a signal came.
    """
    due = [
        item
        for item in engine.load(folder).select_tasks(participants).tasks
        if item.status == engine.WAITING or not participants[item.task.by].recorded
    ]
    if over := [item for item in due if item.attempts > REPAIRS]:
        faults = [Fault("", f"refused {i.attempts} times", by=i.task.by) for i in over]
        raise describe_failure(folder, faults)
    if not due:
        return
    asked = {item.task.by: participants[item.task.by] for item in due}
    with report_ending(log=folder) as stop, _open_run(folder, asked, stop, wait=wait) as one:
        position = engine.next_turn(folder)
        if isinstance(position.due, Turn):
            turn = _TurnInRun(one, position)
            if turn.collect() and turn.absent:
                raise turn.describe_failure(turn.absent)


def write_memo(
    folder: Folder,
    participant: Participant,
    *,
    spending: Spending | None = None,
    display: Display | None = None,
) -> None:
    """Ask a participant for the memo until one is taken in; a current one stays as it is.

    Raises:
        BusyError: another process runs this debate.
        ParticipantFailedError: it gave no usable memo; the debate stays as it is.
        LimitReachedError: the memo is likely to go over a limit of `spending`.
        InterruptedRunError: a signal came.
    """
    cast = {REPORTER: participant}
    with report_ending() as stop, _open_run(folder, cast, stop, spending, display) as one:
        reading = read_debate(engine.load(folder))
        if reading.memo:
            return
        at, verdict, task = reading.at, reading.verdict, Task(REPORTER, "memo", STOP)
        slot = memo.write_memo_prompt(folder, at, verdict)
        last = max((entry.round for entry in at.debate.entries.values()), default=0)
        asked = TaskStatus(task, engine.WAITING, 0, slot)
        place = Turn(last, progress.MEMO_PHASE, (task,))
        writing = replace(reading.position, at=replace(at, place=place), due=place, calls_left=1)
        turn = _TurnInRun(one, replace(writing, tasks=(asked,)))
        try:
            warnings = turn.complete(lambda _: memo.take_memo(folder, at, verdict, slot.reply))
        except ParticipantFailedError as failed:
            raise ParticipantFailedError(
                f"the {REPORTER} gave no usable memo; the debate itself is complete and on record",
                hint=f"Ask again with 'run {folder.name} --reporter SPEC'.",
                faults=failed.faults,
            ) from None
        if warnings is not None:
            one.progress.warn(turn.position, warnings)
            one.progress.report(turn.position, "memo", f"the {REPORTER} wrote {MEMO}")


class _Run(NamedTuple):
    """What a run has from its beginning to its end: whom it asks, the bounds, where it tells."""

    folder: Folder
    replying: Mapping[str, Participant]
    stop: Stop
    spending: Spending
    progress: Progress
    notes: Notes


@contextmanager
def _open_run(  # noqa: PLR0913  (what a run is made of)
    folder: Folder,
    replying: Mapping[str, Participant],
    stop: Stop,
    spending: Spending | None = None,
    display: Display | None = None,
    *,
    wait: float = 0.1,
) -> Iterator[_Run]:
    """Begin a run, once no other runs this debate; refuse it if that takes `wait` seconds."""
    names = {name: who.name for name, who in replying.items()}
    spending = spending or Spending()
    spending.expect(names)
    with inbox.lock_run(folder, wait), closing(Notes(folder, names)) as notes:
        notes.begin(())
        yield _Run(folder, replying, stop, spending, Progress(display or Display()), notes)


def _wait_while_paused(one: _Run, position: Position) -> Position:
    """Return where the debate stands once nobody has it paused any more."""
    name, reason = one.folder.name, ""
    while isinstance(position.due, Waiting) and getattr(position.hold, "state", "") == PAUSED:
        if reason != (reason := position.due.reason):
            one.progress.report(position, "paused", f"{reason}; 'resume {name}' ends it")
        one.progress.wait(f"{name}: {reason}")
        time.sleep(_SECONDS_BETWEEN_CHECKS)
        if one.stop.is_asked():
            raise KeyboardInterrupt
        position = engine.next_turn(one.folder)
    return position


def _complete_turn(one: _Run, position: Position) -> Position:
    """Have the turn that is due committed; return what is due then."""
    folder, step = one.folder, position.debate.step
    turn = _TurnInRun(one, position)
    after = turn.complete(lambda absent: engine.submit(folder, step, absent=absent))
    if after is None:
        return engine.next_turn(folder)
    one.progress.warn(position, after.warnings)
    for entry_id in after.committed:
        one.progress.show(progress.describe_record(position, after, entry_id))
    return after


class _TurnInRun:
    """The turn that is due in a run, until all its replies are good or it cannot go on.

    `absent` have no reply in the end, for the `_faults` of each; `_refusals` is how often replies
    of each were refused.
    """

    def __init__(self, one: _Run, position: Position) -> None:
        self._run, self.position = one, position
        self.absent: dict[str, Absent] = {}
        self._faults: dict[str, list[Fault]] = {}
        self._refusals = Counter[str]()
        self._absent_on_record = set[str]()

    def complete(self, submit: Callable[[Mapping[str, Absent]], T]) -> T | None:
        """Ask until `submit` takes all replies; None where the debate has gone on meanwhile."""
        while self.collect():
            self._require_replies()
            try:
                return submit(self.absent)
            except (RepliesRefusedError, ToRepairError) as refused:
                self._hand_back(refused)
            except RefusedError:
                if not self._is_overtaken():
                    raise
                break
        return None

    def _is_overtaken(self) -> bool:
        """Tell whether a person has decided or cancelled the debate while its turn was run."""
        return read_debate_file(self._run.folder).step != self.position.debate.step

    def collect(self) -> bool:
        """Put every reply that is still due into the inbox; tell whether the turn is still on."""
        one = self._run
        asking = self.position.select_tasks(one.replying.keys() - self.absent.keys())
        one.spending.require_room(asking)
        due = {item.task.by: item for item in asking.tasks}
        # Counted from here and not from the last commit: a run that goes on gives everybody time.
        begun, stop, seconds = time.monotonic(), Flag(), self.position.at.turn.seconds
        closes = begun + seconds if seconds else math.inf
        asked = {name: self._prepare(item, stop, closes) for name, item in due.items()}
        one.notes.begin(asked)
        one.progress.expect(asking)
        people = [name for name in due if isinstance(one.replying[name], Person)]
        for name in people:
            form = f"in another terminal: debate-ops reply {one.folder.name} --as {name}"
            self._report("asked", f"waiting for {name} ({one.notes.names[name]}), {form}")
        self._log("call_started", *due)

        def is_over() -> bool:
            if one.stop.is_asked() or self._is_overtaken():
                return True
            hold = inbox.read_hold(one.folder)  # where a debate is stopped, programs still reply
            return hold is not None and hold.state == inbox.STOPPED and asked.keys() <= {*people}

        pairs = {name: (one.replying[name], prompt) for name, prompt in asked.items()}
        try:
            with closing(ask(pairs, stop, is_over)) as results:
                for result in results:
                    if result is None:
                        one.notes.save()
                        minutes, rest = divmod(int(time.monotonic() - begun), 60)
                        who = f"{' and '.join(asked)} {minutes}:{rest:02d}"
                        course = one.progress.describe(one.spending.used, ahead=1)
                        one.progress.wait(f"{course}: waiting for {who}")
                        continue
                    if not result.once_more:
                        del asked[result.name]
                    self._take(due[result.name], result)
        finally:
            self._log("call_ended", *asked, outcome="stopped")
        if one.stop.is_asked():
            raise KeyboardInterrupt
        return not (asked or self._is_overtaken())

    def _prepare(self, item: TaskStatus, stop: Flag, closes: float) -> Prompt:
        """Return what is asked for one task, and within which bounds."""
        at, name, limits = self.position.at, item.task.by, self._run.spending.limits
        text, file = _read_prompt(item.slot)
        if limits.keeps_prompts:
            kept = f"{at.debate.step}-{name}-{item.attempts + 1}.md"
            kept = self._run.folder.within("prompts", kept)
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            files.write_derived(kept, text)
        is_memo = name == REPORTER
        schema = schema_of(memo.Advice if is_memo else at.form_of(name))
        named = () if is_memo else at.name_required(name)
        required = [*dict.fromkeys([*named, *schema.get("required", ())])]
        what = (text, file, at.debate.step, at.turn, item.task, schema | {"required": required})
        seconds = float(item.task.seconds or limits.timeout)
        note, library = partial(self._run.notes.note_text, name), open_library(at, name)
        return Prompt(*what, seconds, stop, closes, note_text=note, files=library)

    def _take(self, item: TaskStatus, result: AskResult) -> None:
        """Keep what one participant said, or that it is absent."""
        one, name, said = self._run, result.name, result.said
        read = len(result.prompt.text)
        known: dict[str, Any] = {"outcome": "absent"}
        if not isinstance(said, Absent):
            one.spending.add(said.made_by, read + len(getattr(said, "raw", b"")))
            known = {key: said.made_by.get(key) for key in ("model", "tokens", "cost_usd")}
            known |= {"outcome": said.outcome}
        if isinstance(said, FailedError):
            known |= {"why": said.sentence, "said": said.said}
        measured = None if "SOURCE_DATE_EPOCH" in os.environ else round(result.seconds, 1)
        self._log("call_ended", name, seconds=measured, **known)
        if isinstance(said, FailedError) and result.once_more:
            self._log("call_started", name)
            self._report("retry", f"{name}: {said.describe()}; asked once more")
            return
        one.progress.count(1)
        one.notes.end(name)
        if isinstance(said, Absent):
            self._absent_on_record.add(name)
            self._leave_out(name, said, [Fault("", said.reason, by=name)])
        elif isinstance(said, FailedError):
            why = said.describe()
            self._report("failed", f"{name}: {why}")
            self._log("participant_failed", name, **known)
            how = "time-out" if said.outcome == "timed_out" else "skip"
            self._leave_out(name, Absent(how, said.sentence, "run"), [Fault("", why, by=name)])
        else:
            inbox.put(item.slot, said.raw, said.made_by)
            if not one.replying[name].recorded:
                used = read_usage(said.made_by).sentence()
                took = ", ".join(filter(None, (f"prompt of {read:,} characters", used)))
                course = one.progress.describe(one.spending.used)
                text = f"{course}: {name} replied ({describe_duration(result.seconds)})"
                one.progress.show(Event("replied", text, took))

    def _leave_out(self, name: str, absence: Absent, why: list[Fault]) -> None:
        """Have a participant absent from the turn, if the turn then goes on."""
        self.absent[name], self._faults[name] = absence, why
        if name == ADVISER and absence.by == "run":
            self._report("omitted", f"the debate goes on without what the {name} would say")

    def _require_replies(self) -> None:
        """Refuse to go on without a reply that is needed, or where nobody at all could answer.

        The latter says something of the programs; only without a judge may the debate go on.
        """
        position, seconds = self.position, self.position.at.turn.seconds
        needed = [item for item in position.tasks if item.task.on_failure not in {OMIT, EXCUSE}]
        # What a replay says is no failure; what it does not say is not on record.
        failed = self.absent.keys() - self._absent_on_record
        stopping, silent = set[str](), set[str]()
        for item in (each for each in needed if each.task.by in failed):
            name = item.task.by
            if item.task.on_failure != ABSENCE or self._run.replying[name].recorded:
                stopping.add(name)
            # Where the debate itself gives so much time, a time-out says nothing of the program.
            if self.absent[name].how != "time-out" or not (seconds or item.task.seconds):
                silent.add(name)
        roles = position.protocol.participants(position.debate.settings)
        matters = len(silent) > 1 or any(roles.get(name) == "debater" for name in silent)
        asked = {item.task.by for item in needed if item.status != engine.SKIPPED}
        if found := stopping or (matters and silent >= asked and silent):
            raise self.describe_failure([i.task.by for i in needed if i.task.by in found])

    def describe_failure(self, names: Collection[str]) -> ParticipantFailedError:
        """Return the error that some gave no usable reply, with what they had to say."""
        faults = [fault for name in names for fault in self._faults[name]]
        times = max(self._refusals[name] for name in names)
        return describe_failure(self._run.folder, faults, times)

    def _hand_back(self, refused: RepliesRefusedError | ToRepairError) -> None:
        """Have refused participants asked again, if they are; else raise what they are refused."""
        if isinstance(refused, ToRepairError):  # of the memo
            before = self.position.tasks
            tasks = (t._replace(status=engine.REFUSED, attempts=t.attempts + 1) for t in before)
            position: Position | None = replace(self.position, tasks=tuple(tasks))
        else:
            position = refused.position
        due = position.select_tasks(self._run.replying).tasks if position else ()
        again = [item.task.by for item in due if item.task.by not in self.absent]
        if position is None or not again:
            raise refused
        self.position = position
        for name in again:
            self._refusals[name] += 1
            own = [replace(fault, by=name) for fault in refused.faults if fault.by in {"", name}]
            why = _shorten(own).removeprefix(f"{name}: ")
            self._report("refused", f"{name}'s reply was refused: {why}")
            if self._refusals[name] <= REPAIRS and not self._run.replying[name].recorded:
                self._run.progress.count(-1)
                continue
            reason = f"refused {self._refusals[name]} times: {why}"
            self._log("participant_failed", name, why=reason)
            self._leave_out(name, Absent("skip", reason, "run"), own)

    def _log(self, event: str, *names: str, **more: Any) -> None:
        """Put an event of this run on the debate's log, once for each participant."""
        folder, by = self._run.folder, self._run.notes.names
        describe = partial(events.describe_run, self.position.at, folder.slug, event, clock.now())
        events.append_events(
            folder, [describe(participant=name, by=by[name], **more) for name in names]
        )

    def _report(self, name: str, text: str) -> None:
        self._run.progress.report(self.position, name, text)


def _shorten(faults: Sequence[Fault]) -> str:
    """Return the first of some faults, and how many more there are."""
    more = f" (and {count(len(faults) - 1, 'more fault')})" if len(faults) > 1 else ""
    return "".join(fault.sentence() for fault in faults[:1]) + more


def _read_prompt(slot: inbox.Slot) -> tuple[str, str]:
    """Return the prompt in the inbox, and its file; behind it what was wrong with a reply to it."""
    text = files.read_text(slot.prompt)
    if not os.path.exists(slot.repair):
        return text, slot.prompt
    text = f"{text}\n{files.read_text(slot.repair)}"
    files.write_derived(slot.again, text)
    return text, slot.again
